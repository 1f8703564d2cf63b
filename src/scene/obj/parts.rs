//! Parts that are drawn at once: a file may take up an object, a group or a material as often as it likes, and all faces of
//! one name in one material become one part, or several where some name places in the texture or normals and others do not.
//! Lines and points likewise.

use std::collections::{BTreeMap, HashMap};

use foldhash::fast::RandomState;
use glam::DVec3;

use super::contents::{Contents, Corner, Element, Kind, NONE, Run};
use super::polygons::Cutter;

/// Elements of one name, material and shape.
#[derive(Debug)]
pub(super) struct Part<'a> {
    /// Name of the object or group, comment included.
    pub(super) name: &'a str,
    pub(super) material: Option<usize>,
    pub(super) shape: Shape,
    pub(super) vertices: Vec<Corner>,
    /// Numbers of vertices: three a triangle, two a line, one a point.
    pub(super) indices: Vec<u32>,
}

/// Kind of elements, and what every vertex of theirs has beside its position.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Shape {
    pub(super) kind: Kind,
    pub(super) tex_coords: bool,
    pub(super) normals: bool,
}

impl Shape {
    fn of(kind: Kind, corners: &[Corner]) -> Self {
        let has = |number: fn(&Corner) -> u32| corners.iter().any(|corner| number(corner) != NONE);
        Self {
            kind,
            tex_coords: has(|corner| corner.tex_coord),
            normals: kind == Kind::Face && has(|corner| corner.normal),
        }
    }

    /// Number of the shape among all shapes.
    fn number(self) -> usize {
        self.kind as usize * 4 + usize::from(self.tex_coords) * 2 + usize::from(self.normals)
    }
}

/// Shapes that there can be.
const SHAPES: usize = 12;

/// The parts of a file in the order in which it begins them, and a warning of faces that are not drawn as they are.
pub(super) fn parts<'a>(contents: &Contents<'a>) -> (Vec<Part<'a>>, Option<String>) {
    let mut parts = Parts::default();
    let ends = contents.runs.iter().skip(1).map(|run| run.first);
    let ends = ends.chain([contents.elements.len()]);
    let mut material = None;
    for (run, end) in contents.runs.iter().zip(ends) {
        // Vertices are shared from where an object, group or other material begins.
        if run.begins || run.material != material {
            parts.shared = HashMap::default();
        }
        material = run.material;
        let mut places = [None; SHAPES];
        for element in &contents.elements[run.first..end] {
            parts.add(run, element, contents, &mut places);
        }
    }
    (parts.list, parts.cutter.warning())
}

#[derive(Debug, Default)]
struct Parts<'a> {
    places: BTreeMap<(&'a str, Option<usize>, Shape), usize>,
    list: Vec<Part<'a>>,
    /// Numbers of vertices by their part and corner.
    shared: HashMap<(u32, Corner), u32, RandomState>,
    cutter: Cutter,
    /// Space for one element's vertices.
    numbers: Vec<u32>,
    outline: Vec<DVec3>,
}

impl<'a> Parts<'a> {
    /// Adds an element of a run whose parts of each shape are at `places`.
    fn add(
        &mut self,
        run: &Run<'a>,
        element: &Element,
        contents: &Contents<'a>,
        places: &mut [Option<usize>; SHAPES],
    ) {
        let corners = &contents.corners[element.corners()];
        if corners.is_empty() {
            return;
        }
        let shape = Shape::of(element.kind, corners);
        let place = *places[shape.number()].get_or_insert_with(|| self.place(run, shape));
        let part = &mut self.list[place];
        self.numbers.clear();
        for corner in corners {
            let next = part.vertices.len() as u32;
            let number = *self.shared.entry((place as u32, *corner)).or_insert(next);
            if number == next {
                part.vertices.push(*corner);
            }
            self.numbers.push(number);
        }
        let numbers = &self.numbers;
        match element.kind {
            Kind::Points => part.indices.extend(numbers),
            Kind::Line => part.indices.extend(numbers.windows(2).flatten()),
            Kind::Face if numbers.len() == 3 => part.indices.extend(numbers),
            Kind::Face => {
                let positions = &contents.vertices.positions;
                let corners = corners.iter();
                let outline = corners.map(|corner| positions[corner.position as usize].as_dvec3());
                self.outline.clear();
                self.outline.extend(outline);
                self.cutter.cut(&self.outline, |triangle| {
                    part.indices.extend(triangle.map(|at| numbers[at]));
                });
            }
        }
    }

    /// The place of a part, which may begin here.
    fn place(&mut self, run: &Run<'a>, shape: Shape) -> usize {
        let next = self.list.len();
        let place = self.places.entry((run.name, run.material, shape));
        let place = *place.or_insert(next);
        if place == next {
            self.list.push(Part {
                name: run.name,
                material: run.material,
                shape,
                vertices: Vec::new(),
                indices: Vec::new(),
            });
        }
        place
    }
}
