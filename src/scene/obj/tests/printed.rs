//! Random contents through a printer, which spells them in every way of the format between statements that cannot be read, and back.

use std::collections::BTreeMap;
use std::io;

use glam::{Vec2, Vec3};

use super::drawn::{Key, drawn, expected};
use super::load;
use super::meant::{Element, GROUPS, MATERIALS, Meant, Random, meant};
use crate::gltf::LoadOptions;
use crate::{Scene, Topology};

/// Statement in words, of which the last may be a name.
struct Printer<'a> {
    random: &'a mut Random,
    text: String,
}

impl Printer<'_> {
    fn words(&mut self, words: &[String]) {
        let random = &mut *self.random;
        self.text += random.one_of(&["", "", " ", "\t"]);
        for (at, word) in words.iter().enumerate() {
            if at > 0 {
                self.text += random.one_of(&[" ", " ", "  ", "\t", " \\\n", " \\ \r\n\t"]);
            }
            self.text += word;
        }
        self.text += random.one_of(&["", "", " ", " # f 1 2", "#x", "\t## 1 \\"]);
        self.end();
    }

    fn name(&mut self, word: &str, name: &str) {
        let random = &mut *self.random;
        let space = random.one_of(&[" ", "\t", "  "]);
        let comment = if name.contains('#') { "" } else { " # x.y" };
        let behind = random.one_of(&["", " ", comment]);
        self.text += &format!("{word}{space}{name}{behind}");
        self.end();
    }

    fn end(&mut self) {
        self.text += self
            .random
            .one_of(&["\n", "\n", "\r\n", "\n\n", "\n# c:\\\n", "\n##\n"]);
    }

    fn number(&mut self, number: f32) -> String {
        match self.random.below(4) {
            0 => format!("{number:e}"),
            1 if number >= 0.0 => format!("+{number}"),
            2 => format!("{number:?}"),
            _ => number.to_string(),
        }
    }

    fn numbers(&mut self, word: &str, numbers: &[f32]) {
        let mut words = vec![word.to_owned()];
        words.extend(numbers.iter().map(|number| self.number(*number)));
        self.words(&words);
    }
}

/// Statement or more, in the order of the file.
#[derive(Clone, Copy, PartialEq)]
enum Item {
    Vertex(usize, usize),
    /// One that cannot be read.
    BadVertex(usize),
    Element(usize),
    Library(&'static str),
    Bad(&'static str),
    Odd(&'static str),
}

const BAD: [&str; 14] = [
    "f 1 2",
    "f a b c",
    "f 1 2 3 100000",
    "f 0 1 2",
    "f -9999 1 2",
    "l 1",
    "p",
    "usemtl",
    "mtllib",
    "frob 1 # 2",
    "surf 0 1 1 2 3",
    "s maybe",
    "f 1/1/1/1 2 3",
    "<html>",
];

const ODD: [&str; 7] = [
    "# f 1 2 3",
    "",
    " \t",
    "cstype bspline",
    "####",
    "# \\",
    "vp 0 0",
];

/// Vertices, elements and libraries each in their order, one between the other, and what does not belong there.
fn items(meant: &Meant, random: &mut Random) -> Vec<Item> {
    let vertices =
        |kind: usize, n: usize| (0..n).map(|at| Item::Vertex(kind, at)).collect::<Vec<_>>();
    let libraries = random.one_of(&[
        ["a.mtl", "b.mtl", "my c.mtl"].as_slice(),
        &["my c.mtl", "b.mtl a.mtl"],
        &["a.mtl lost.mtl b.mtl", "my c.mtl", "a.mtl"],
    ]);
    let mut lists = [
        vertices(0, meant.positions.len()),
        vertices(1, meant.tex_coords.len()),
        vertices(2, meant.normals.len()),
        (0..meant.elements.len()).map(Item::Element).collect(),
        libraries.iter().map(|names| Item::Library(names)).collect(),
    ];
    lists.iter_mut().for_each(|list| list.reverse());
    let mut items = Vec::new();
    while lists.iter().any(|list| !list.is_empty()) {
        // Vertices go first, mostly.
        let list = random.one_of(&[0, 0, 0, 0, 0, 1, 1, 2, 2, 3, 4]);
        items.extend(lists[list].pop());
        match random.below(24) {
            0 => items.push(Item::Bad(random.one_of(&BAD))),
            1 | 2 => items.push(Item::Odd(random.one_of(&ODD))),
            3 => items.push(Item::BadVertex(random.below(3))),
            _ => {}
        }
    }
    items
}

/// The file, and how many of its statements cannot be read.
fn print(meant: &Meant, random: &mut Random) -> (String, usize) {
    let items = items(meant, random);
    // Numbers of vertices in the file, from 1.
    let mut numbers = BTreeMap::new();
    let mut counts = [0_i64; 3];
    for item in &items {
        if let Item::Vertex(kind, _) | Item::BadVertex(kind) = item {
            counts[*kind] += 1;
            if let Item::Vertex(_, at) = item {
                numbers.insert((*kind, *at), counts[*kind]);
            }
        }
    }
    let text = random.one_of(&["", "\u{feff}"]).to_owned();
    let mut printer = Printer { random, text };
    let mut state = (0, None, 0);
    counts = [0; 3];
    for item in &items {
        match *item {
            Item::Vertex(kind, at) => {
                counts[kind] += 1;
                print_vertex(meant, &mut printer, kind, at);
            }
            Item::BadVertex(kind) => {
                counts[kind] += 1;
                let bad = ["v 1,5 0 0", "vt nan", "vn 1.#IND 0 0"][kind];
                printer.words(&bad.split(' ').map(str::to_owned).collect::<Vec<_>>());
            }
            Item::Element(at) => {
                print_state(&meant.elements[at], &mut printer, &mut state);
                print_element(&meant.elements[at], &mut printer, &numbers, counts);
            }
            Item::Library(names) => printer.name("mtllib", names),
            Item::Bad(text) | Item::Odd(text) => {
                printer.text += text;
                printer.text += "\n";
            }
        }
    }
    let is_bad = |item: &&Item| matches!(item, Item::Bad(_) | Item::BadVertex(_));
    (printer.text, items.iter().filter(is_bad).count())
}

fn print_vertex(meant: &Meant, printer: &mut Printer<'_>, kind: usize, at: usize) {
    match kind {
        0 => {
            let mut numbers = meant.positions[at].to_array().to_vec();
            match meant.colors[at] {
                Some(color) => numbers.extend(color.to_array()),
                None if printer.random.is_rare(4) => {
                    numbers.iter_mut().for_each(|number| *number *= 2.0);
                    numbers.push(2.0);
                }
                None => {}
            }
            if numbers.len() == 6 && printer.random.is_rare(4) {
                numbers.push(0.5);
            }
            printer.numbers("v", &numbers);
        }
        1 => match meant.tex_coords[at] {
            Vec2 { x, y: 0.0 } if printer.random.is_rare(2) => printer.numbers("vt", &[x]),
            Vec2 { x, y } if printer.random.is_rare(3) => printer.numbers("vt", &[x, y, 0.5]),
            Vec2 { x, y } => printer.numbers("vt", &[x, y]),
        },
        _ => printer.numbers("vn", &meant.normals[at].to_array()),
    }
}

type State = (usize, Option<usize>, u32);

fn print_state(element: &Element, printer: &mut Printer<'_>, state: &mut State) {
    if state.0 != element.group || printer.random.is_rare(9) {
        let word = printer.random.one_of(&["g", "o"]);
        printer.name(word, GROUPS[element.group]);
    }
    if let Some(material) = element.material
        && (state.1 != element.material || printer.random.is_rare(9))
    {
        printer.name("usemtl", MATERIALS[material].0);
    }
    if state.2 != element.smoothing || printer.random.is_rare(9) {
        let words: &[&str] = [&["0", "off"], &["1", "on"], &["2", "2"]][element.smoothing as usize];
        let word = printer.random.one_of(words);
        printer.words(&["s".to_owned(), word.to_owned()]);
    }
    *state = (element.group, element.material, element.smoothing);
}

fn print_element(
    element: &Element,
    printer: &mut Printer<'_>,
    numbers: &BTreeMap<(usize, usize), i64>,
    counts: [i64; 3],
) {
    let word = match element.topology {
        Topology::Triangles => "f",
        Topology::Lines => "l",
        Topology::Points => "p",
    };
    let mut words = vec![word.to_owned()];
    for (position, place, normal) in &element.corners {
        let random = &mut *printer.random;
        let mut number = |kind: usize, at: usize| {
            let number = numbers[&(kind, at)];
            match number <= counts[kind] && random.is_rare(2) {
                true => (number - counts[kind] - 1).to_string(),
                false => number.to_string(),
            }
        };
        let position = number(0, *position);
        let place = place.map(|place| number(1, place));
        let normal = normal.map(|normal| number(2, normal));
        words.push(match (place, normal) {
            (None, None) => position + random.one_of(&["", "", "/", "//"]),
            (Some(place), None) => format!("{position}/{place}{}", random.one_of(&["", "/"])),
            (None, Some(normal)) => format!("{position}//{normal}"),
            (Some(place), Some(normal)) => format!("{position}/{place}/{normal}"),
        });
    }
    printer.words(&words);
}

fn print_library(meant: &Meant, random: &mut Random, library: &str) -> String {
    let mut printer = Printer {
        random,
        text: "Kd 1 1 1\n".to_owned(),
    };
    for ((name, of), (color, opacity, emission)) in MATERIALS.iter().zip(&meant.materials) {
        if *of != library {
            continue;
        }
        printer.name("newmtl", name);
        let odd = printer
            .random
            .one_of(&["", "illum 2.0\n", "Ka spectral a.rfl\n", "frob\n"]);
        printer.text += odd;
        printer.numbers("Kd", &color.to_array());
        printer.numbers("Ke", &emission.to_array());
        match printer.random.is_rare(2) {
            true => printer.numbers("d", &[*opacity]),
            false => printer.numbers("d -halo", &[*opacity]),
        }
    }
    printer.text
}

/// Statements that warnings say are left out.
fn n_faults(scene: &Scene) -> usize {
    let n = |warning: &String| match warning.strip_suffix(" more statements are left out") {
        Some(more) => more.parse().expect("a number"),
        None => usize::from(warning.starts_with("OBJ file, line ")),
    };
    scene.warnings.iter().map(n).sum()
}

#[test]
fn obj_contents_are_read_as_they_are_printed() {
    let mut n_normals = 0;
    for seed in 0..500 {
        let mut random = Random(seed);
        let meant = meant(&mut random);
        let (text, n_bad) = print(&meant, &mut random);
        let libraries = ["a.mtl", "b.mtl", "my c.mtl"];
        let libraries = libraries.map(|name| (name, print_library(&meant, &mut random, name)));
        let beside = |name: &str| {
            let library = libraries.iter().find(|(known, _)| *known == name);
            let bytes = library.map(|(_, text)| text.as_bytes().to_vec());
            bytes.ok_or_else(|| io::ErrorKind::NotFound.into())
        };
        let scene = load(text.as_bytes(), &beside, &LoadOptions::default());
        let scene = scene.unwrap_or_else(|error| panic!("{seed}: {error}\n{text}"));
        assert_eq!(
            n_faults(&scene),
            n_bad,
            "{seed}: {:?}\n{text}",
            scene.warnings
        );
        let (mut expected, mut drawn) = (expected(&meant), drawn(&scene));
        expected.sort_by(|a, b| a.0.cmp(&b.0));
        drawn.sort_by(|a, b| a.0.cmp(&b.0));
        let keys =
            |list: &[(Key, Vec<_>)]| list.iter().map(|(key, _)| key.clone()).collect::<Vec<_>>();
        assert_eq!(keys(&drawn), keys(&expected), "{seed}:\n{text}");
        let normals = |list: &[(Key, Vec<Option<Vec3>>)]| {
            list.iter()
                .flat_map(|(_, normals)| normals.clone())
                .collect::<Vec<_>>()
        };
        let of_faces: Vec<_> = drawn
            .iter()
            .filter(|(key, _)| key.2 == 3)
            .cloned()
            .collect();
        for (drawn, expected) in normals(&of_faces).into_iter().zip(normals(&expected)) {
            let (Some(drawn), Some(expected)) = (drawn, expected) else {
                continue;
            };
            assert!(
                drawn.distance(expected) < 1e-4,
                "{seed}: {drawn} is not {expected}\n{text}"
            );
            n_normals += 1;
        }
    }
    assert!(n_normals > 5000, "{n_normals} normals were compared");
}
