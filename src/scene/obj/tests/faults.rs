//! Statements that cannot be read, and comments: what they leave out, and what not.

use std::io;

use super::{LOOK, TEXT, beside, load, refused, scene};
use crate::Scene;
use crate::gltf::LoadOptions;

fn with_library(text: &str, library: &str) -> Scene {
    let files = |name: &str| match name {
        "look.mtl" => Ok(library.as_bytes().to_vec()),
        _ => Err(io::ErrorKind::NotFound.into()),
    };
    load(text.as_bytes(), &files, &LoadOptions::default()).expect("drawn")
}

/// Whether two scenes draw the same.
#[track_caller]
fn assert_same(scene: &Scene, sound: &Scene, text: &str) {
    let parts = |scene: &Scene| -> Vec<_> {
        let meshes = scene.meshes.iter();
        meshes
            .map(|mesh| (mesh.name.clone(), mesh.primitives.to_vec()))
            .collect()
    };
    assert_eq!(parts(scene), parts(sound), "{text}");
    let mut materials = scene.materials.clone();
    for (material, sound) in materials.iter_mut().zip(&sound.materials) {
        material.name.clone_from(&sound.name);
    }
    assert_eq!(materials, sound.materials, "{text}");
}

/// A text with something behind each line.
fn behind_lines(text: &str, added: &str) -> String {
    text.lines()
        .map(|line| format!("{line}{added}\n"))
        .collect()
}

#[test]
fn obj_comments_may_stand_behind_any_statement() {
    let sound = scene(TEXT).expect("valid");
    let all = "o a\ns off\nl 1 2\np 1\n";
    let text = format!("{TEXT}{all}");
    let sound_of_all = scene(&text).expect("valid");
    for comment in [" # x", "\t#", " #2 3 4", " # \\", " ## a.b"] {
        let commented = behind_lines(&text, comment);
        let read = scene(&commented).expect("valid");
        assert_eq!(read.warnings, Vec::<String>::new(), "{commented}");
        assert_same(&read, &sound_of_all, &commented);
        let read = with_library(TEXT, &behind_lines(LOOK, comment));
        assert_eq!(read.warnings, Vec::<String>::new(), "{comment}");
        assert_same(&read, &sound, comment);
    }
}

#[test]
fn obj_comments_may_stand_behind_maps() {
    let library =
        "newmtl red\nmap_Kd -s 1 1 1 q.png # is r.png\nnewmtl glass\nmap_Kd q #1.png # 2\n";
    let warnings = with_library(TEXT, library).warnings;
    let unread = warnings.iter().filter(|warning| warning.contains("image"));
    let unread: Vec<_> = unread.collect();
    assert_eq!(unread.len(), 2, "{warnings:?}");
    assert!(unread[0].contains("'q.png'"), "{}", unread[0]);
    assert!(unread[1].contains("'q #1.png'"), "{}", unread[1]);
}

/// A name that goes on behind a # is looked for first.
#[test]
fn obj_names_of_materials_may_hold_what_begins_a_comment() {
    let look = LOOK.replace("red", "m #1").replace("glass", "m #2");
    let text = TEXT.replace("red", "m #1").replace("glass", "m #2");
    let read = with_library(&text, &look);
    assert_eq!(read.warnings, Vec::<String>::new());
    assert_same(&read, &scene(TEXT).expect("valid"), &text);
    let names = read.materials.iter().map(|material| &*material.name);
    assert_eq!(names.collect::<Vec<_>>(), ["m #1", "m #2"]);
}

#[test]
fn obj_backslash_in_a_comment_joins_nothing() {
    let text = TEXT.replace('\n', "\n# c:\\\n");
    assert_same(
        &scene(&text).expect("valid"),
        &scene(TEXT).expect("valid"),
        &text,
    );
}

/// Statements that cannot be read, and what warnings say.
const BAD: [(&str, &str); 29] = [
    ("f", "vertices found: 0"),
    ("f 1 2", "vertices found: 2"),
    ("f 1 2 3 99", "vertex 99 is not there"),
    ("f 1/1 2/9 3/1", "texture vertex 9 is not there"),
    ("f 1//1 2//2 3//1", "normal 2 is not there"),
    ("f 1 2 -99", "'-99' is not there"),
    ("f 0 1 2", "'0' is no vertex"),
    ("f 1 2 b", "'b' is no vertex"),
    ("f 1.0 2.0 3.0", "'1.0' is no vertex"),
    ("f 1/1/1/1 2 3", "'1/1/1/1' is no vertex"),
    ("f /1 2 3", "'/1' is no vertex"),
    ("f 1 2 99999999999999999999", "is no vertex"),
    ("l 1", "vertices found: 1"),
    ("l 1 99", "not there"),
    ("p", "vertices found: 0"),
    ("p 99", "not there"),
    ("v", "numbers found: 0"),
    ("v 1 2", "numbers found: 2"),
    ("v 1,5 2 3", "'1,5' is no number"),
    ("v 1.#IND 0 0", "'1.#IND' is no number"),
    ("v nan 0 0", "'nan' is not finite"),
    ("v 1 2 3 0", "weight 0"),
    ("v 1 2 3 4 5", "numbers found: 5"),
    ("vt x", "'x' is no number"),
    ("vn 1 2", "numbers found: 2"),
    ("s maybe", "'maybe' is no smoothing group"),
    ("usemtl", "name of a material"),
    ("mtllib", "name of a file"),
    ("frob 1 2 3", "'frob' is no statement"),
];

#[test]
fn obj_statement_that_cannot_be_read_leaves_out_nothing_else() {
    let sound = scene(TEXT).expect("valid");
    let lines: Vec<_> = TEXT.lines().collect();
    for (bad, reason) in BAD {
        // Behind the vertices, as a wrong vertex has its number.
        for at in 9..=lines.len() {
            let mut text = lines.clone();
            text.insert(at, bad);
            let text = text.join("\n");
            let read = scene(&text).expect("drawn");
            assert_same(&read, &sound, &text);
            let [warning] = &read.warnings[..] else {
                panic!("one: {:?} of {text}", read.warnings);
            };
            let line = format!("OBJ file, line {}: ", at + 1);
            assert!(warning.starts_with(&line), "{warning} of {text}");
            assert!(warning.contains(reason), "{warning} of {text}");
        }
    }
}

#[test]
fn obj_statements_of_other_uses_are_passed_over() {
    let sound = scene(TEXT).expect("valid");
    let text = format!("cstype bezier\ndeg 3 3\nvp 1 2\nmg 0\nlod 3\n{TEXT}end\nbevel on\n");
    let read = scene(&text).expect("drawn");
    assert_eq!(read.warnings, Vec::<String>::new());
    assert_same(&read, &sound, &text);
    let read = scene(&format!("{TEXT}surf 0 1 0 1 1 2 3 4\n")).expect("drawn");
    assert!(
        read.warnings[0].contains("free-form"),
        "{:?}",
        read.warnings
    );
}

/// Later vertices keep their numbers, and only the faces of the wrong one are lost.
#[test]
fn obj_vertex_that_cannot_be_read_keeps_its_number() {
    let text = "v 0 0 0\nv 1 x 0\nv 1 0 0\nv 1 1 0\nvt 0 0\nvt ?\nvt 1 1\nvn 1 0\nvn 0 0 1\n\
                f 1/1/2 3/3/2 4/3/2\nf 1 2 3\nf -4 -2 -1\n";
    let read = scene(text).expect("drawn");
    let n_triangles = |scene: &Scene| {
        let parts = scene.meshes.iter().flat_map(|mesh| &mesh.primitives);
        parts.map(|part| part.indices.len() / 3).sum::<usize>()
    };
    assert_eq!(n_triangles(&read), 2, "{:?}", read.warnings);
    assert_eq!(read.warnings.len(), 4, "{:?}", read.warnings);
    assert!(
        read.warnings[3].contains("vertex 2 could not be read"),
        "{:?}",
        read.warnings
    );
    let tex_coord = read.meshes[0].primitives[0].tex_coords[0][1];
    assert_eq!(tex_coord, glam::Vec2::new(1.0, 0.0), "of the third");
}

#[test]
fn obj_places_in_the_texture_may_have_one_number() {
    let read = scene("v 0 0 0\nv 1 0 0\nv 0 1 0\nvt 0.5\nf 1/1 2/1 3/1\n").expect("drawn");
    assert_eq!(read.warnings, Vec::<String>::new());
    let tex_coords = &read.meshes[0].primitives[0].tex_coords[0];
    assert_eq!(tex_coords[..], [glam::Vec2::new(0.5, 1.0); 3], "below");
}

#[test]
fn obj_faces_may_stand_before_their_vertices() {
    let read = scene("f 1 2 3\nv 0 0 0\nv 1 0 0\nv 0 1 0\n").expect("drawn");
    assert_eq!(read.warnings, Vec::<String>::new());
    assert_eq!(read.meshes[0].primitives[0].indices, [0, 1, 2]);
}

#[test]
fn obj_libraries_may_be_named_anywhere() {
    let sound = scene(TEXT).expect("valid");
    let rest = TEXT.replace("mtllib look.mtl\n", "");
    let lines: Vec<_> = rest.lines().collect();
    for at in 0..=lines.len() {
        let mut text = lines.clone();
        text.insert(at, "mtllib look.mtl");
        let text = text.join("\n");
        let read = scene(&text).expect("drawn");
        assert_eq!(read.warnings, Vec::<String>::new(), "{text}");
        assert_same(&read, &sound, &text);
    }
}

#[test]
fn obj_library_with_a_bad_statement_keeps_its_materials() {
    let sound = scene(TEXT).expect("valid");
    let lines: Vec<_> = LOOK.lines().collect();
    for (bad, is_warned_of) in [
        ("Kd spectral a.rfl", true),
        ("Kd xyz 0.1 0.2 0.3", true),
        ("Kd", true),
        ("Ke 1 x 0", true),
        ("Ns nan", true),
        ("d -halo", true),
        ("Tr 0,5", true),
        ("Pr", true),
        ("map_Kd", true),
        ("map_Kd -s 1 1 1", true),
        ("map_bump", true),
        ("bump # none", true),
        ("Ka spectral a.rfl 1", false),
        ("Ka", false),
        ("illum 2.0", false),
        ("frob", false),
    ] {
        for at in 1..=lines.len() {
            let mut text = lines.clone();
            text.insert(at, bad);
            let read = with_library(TEXT, &text.join("\n"));
            assert_same(&read, &sound, bad);
            assert_eq!(
                read.warnings.len(),
                usize::from(is_warned_of),
                "{:?}",
                read.warnings
            );
            let line = format!("material library 'look.mtl', line {}: ", at + 1);
            assert!(
                read.warnings
                    .iter()
                    .all(|warning| warning.starts_with(&line)),
                "{bad}"
            );
        }
    }
}

#[test]
fn obj_material_without_a_name_takes_its_statements_along() {
    let read = with_library(TEXT, &format!("{LOOK}newmtl\nKe 1 1 1\nKd 0 1 0\n"));
    assert_same(&read, &scene(TEXT).expect("valid"), "newmtl");
    assert_eq!(read.warnings.len(), 1, "{:?}", read.warnings);
}

#[test]
fn obj_with_more_faults_than_anyone_reads_counts_them() {
    let text = TEXT.to_owned() + &"f 1 2\n".repeat(10_000);
    let library = LOOK.to_owned() + &"Kd\n".repeat(100);
    let warnings = with_library(&text, &library).warnings;
    assert_eq!(warnings.len(), 21, "{warnings:?}");
    assert_eq!(warnings[20], "10080 more statements are left out");
}

#[test]
fn obj_of_which_nothing_is_left_is_refused() {
    let page = refused("<html>\n<body>\n");
    assert!(
        page.contains("line 1") && page.contains("'<html>'"),
        "{page}"
    );
    let options = LoadOptions::default();
    let points = load(b"v 0 0 0\nv 1 0 0\n", &beside, &options).expect("lawful");
    assert!(points.meshes.is_empty(), "nothing is drawn");
}

/// A group takes little as long as nothing is in it.
#[test]
fn obj_of_many_empty_groups_needs_little_memory() {
    let text = "g a\nusemtl b\nusemtl c\n".repeat(20_000) + "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n";
    let options = LoadOptions {
        memory_limit: 32 * text.len() as u64,
        ..LoadOptions::default()
    };
    let scene = load(text.as_bytes(), &beside, &options).expect("one face");
    assert_eq!(scene.meshes.len(), 1);
}
