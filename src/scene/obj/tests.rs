//! Tests of OBJ files: what they become, what is refused of them, and mutated ones.

mod drawn;
mod faults;
mod meant;
mod printed;
mod shapes;

use std::io;

use glam::{Vec2, Vec3};

use super::load;
use crate::gltf::{LoadError, LoadOptions};
use crate::{AlphaMode, Scene, Wrap};

/// Two triangles that share an edge, one with a texture, in two materials.
const TEXT: &str = "\
mtllib look.mtl
v 0 0 0
v 1 0 0
v 1 1 0
v 0 1 0
vt 0 0
vt 1 0
vt 1 1
vn 0 0 2
usemtl red
f 1/1/1 2/2/1 3/3/1
usemtl glass
f 1/1/1 3/3/1 4/1/1
";

const LOOK: &str = "newmtl red\nKd 1 0 0\nNs 0\nnewmtl glass\nKd 0 0 1\nd 0.25\nKe 0 0.5 0\n";

fn beside(name: &str) -> io::Result<Vec<u8>> {
    match name {
        "look.mtl" => Ok(LOOK.as_bytes().to_vec()),
        _ => Err(io::ErrorKind::NotFound.into()),
    }
}

fn scene(text: &str) -> Result<Scene, LoadError> {
    load(text.as_bytes(), &beside, &LoadOptions::default())
}

fn refused(text: &str) -> String {
    scene(text).expect_err("must be refused").to_string()
}

#[test]
fn obj_becomes_vertices_with_normals_and_places_in_the_texture() {
    let scene = scene(TEXT).expect("valid");
    assert_eq!(scene.warnings, Vec::<String>::new());
    let parts: Vec<_> = scene.meshes.iter().flat_map(|m| &m.primitives).collect();
    assert_eq!(parts.len(), 2, "one for each material");
    let first = parts[0];
    assert_eq!(first.indices, [0, 1, 2]);
    assert_eq!(
        first.positions,
        [Vec3::ZERO, Vec3::X, Vec3::new(1.0, 1.0, 0.0)]
    );
    assert_eq!(first.normals, [Vec3::Z; 3], "of length 1");
    let uvs = [[0.0, 1.0], [1.0, 1.0], [1.0, 0.0]].map(Vec2::from);
    assert_eq!(first.tex_coords[0], uvs, "v downwards");
}

#[test]
fn obj_materials_have_colour_opacity_emission_and_roughness() {
    let scene = scene(TEXT).expect("valid");
    let of = |nth: usize| {
        let id = scene.meshes[nth].primitives[0].material.expect("named");
        &scene.materials[id.index()]
    };
    let (red, glass) = (of(0), of(1));
    assert_eq!(red.base_color.to_array(), [1.0, 0.0, 0.0, 1.0]);
    assert!((red.roughness - 1.0).abs() < 1e-6, "no highlight");
    assert_eq!(red.alpha_mode, AlphaMode::Opaque);
    assert_eq!(glass.base_color.to_array(), [0.0, 0.0, 1.0, 0.25]);
    assert_eq!(glass.alpha_mode, AlphaMode::Blend);
    assert_eq!(glass.emissive, Vec3::new(0.0, 0.5, 0.0));
    assert!(red.double_sided && glass.double_sided, "from both sides");
}

#[test]
fn obj_polygons_become_fans_and_missing_normals_are_made() {
    let text = "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nf 1 2 3 4\nf -4 -3 -2\n";
    let scene = scene(text).expect("valid");
    let part = &scene.meshes[0].primitives[0];
    assert_eq!(part.indices.len(), 9, "two triangles and one");
    assert!(
        part.normals.iter().all(|n| n.distance(Vec3::Z) < 1e-6),
        "+Z"
    );
}

#[test]
fn obj_lines_go_on_behind_a_backslash() {
    let text = "v 0 0 0\nv 1 0 \\\n0\nv 0 \\\r\n1 \\\n0\nf 1 2 3\n";
    let scene = scene(text).expect("valid");
    let positions = &scene.meshes[0].primitives[0].positions;
    assert_eq!(positions[..], [Vec3::ZERO, Vec3::X, Vec3::Y]);
    let broken = refused("v 0 0 \\\n0\nv 1 x 0\n");
    assert!(broken.contains("line 3"), "as in the file: {broken}");
}

/// An L: the first corner of the first face sees all of it, that of the second does not.
#[test]
fn obj_faces_with_corners_that_turn_inwards_are_filled_and_no_more() {
    let corners = "v 0 0 0\nv 2 0 0\nv 2 1 0\nv 1 1 0\nv 1 2 0\nv 0 2 0\n";
    for face in ["4 5 6 1 2 3", "3 4 5 6 1 2", "2 1 6 5 4 3"] {
        let scene = scene(&format!("{corners}f {face}\n")).expect("valid");
        let part = &scene.meshes[0].primitives[0];
        let inside = |x: f32, y: f32| {
            let at = Vec3::new(x, y, 0.0);
            let covers = |corners: &[u32]| {
                let [a, b, c] = [0, 1, 2].map(|k| part.positions[corners[k] as usize]);
                let sides = [(a, b), (b, c), (c, a)].map(|(a, b)| (b - a).cross(at - a).z);
                sides.iter().all(|side| *side > 0.0) || sides.iter().all(|side| *side < 0.0)
            };
            part.indices
                .chunks_exact(3)
                .filter(|corners| covers(corners))
                .count()
        };
        let samples = [
            (0.3, 0.4),
            (1.7, 0.4),
            (0.4, 1.7),
            (0.8, 0.9),
            (1.2, 0.9),
            (1.6, 1.7),
            (1.1, 1.1),
        ];
        let n = samples.map(|(x, y)| inside(x, y));
        assert_eq!(n, [1, 1, 1, 1, 1, 0, 0], "{face}");
        assert_eq!(part.indices.len(), 12, "{face}");
    }
}

#[test]
fn obj_faces_without_corners_are_passed_over() {
    let scene = scene("v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nf\nf 1 2 3 4\nf\n").expect("valid");
    assert_eq!(scene.meshes[0].primitives[0].indices.len(), 6);
}

/// A name with a space is of one file where that is there, whatever becomes of it.
#[test]
fn obj_library_that_cannot_be_read_is_named_whole() {
    let locked = |_: &str| Err(io::ErrorKind::PermissionDenied.into());
    let text = TEXT.replace("look.mtl", "my look.mtl");
    let scene = load(text.as_bytes(), &locked, &LoadOptions::default()).expect("drawn");
    let [warning] = &scene.warnings[..] else {
        panic!("one: {:?}", scene.warnings);
    };
    assert!(
        warning.starts_with("material library 'my look.mtl': permission"),
        "{warning}"
    );
}

#[test]
fn obj_lines_may_be_indented_and_have_tabs() {
    let text = TEXT
        .replace("usemtl ", " \tusemtl\t")
        .replace("mtllib ", "\tmtllib\t\t");
    let scene = scene(&format!("\u{feff}{text}")).expect("valid");
    assert_eq!(scene.warnings, Vec::<String>::new());
    let names: Vec<_> = scene
        .materials
        .iter()
        .map(|material| material.name.as_str())
        .collect();
    assert_eq!(names, ["red", "glass"]);
}

#[test]
fn obj_comments_in_other_encodings_are_passed_over() {
    let text = [b"# f\xfcr alle\n", TEXT.as_bytes()].concat();
    let scene = load(&text, &beside, &LoadOptions::default()).expect("valid");
    assert_eq!(scene.meshes.len(), 2);
}

#[test]
fn obj_may_name_several_libraries_at_once() {
    let files = |name: &str| match name {
        "red one.mtl" => Ok(b"newmtl red\n".to_vec()),
        "glass.mtl" => Ok(b"newmtl glass\n".to_vec()),
        _ => beside(name),
    };
    let of = |names: &str| {
        let text = TEXT.replace("look.mtl", names);
        load(text.as_bytes(), &files, &LoadOptions::default()).expect("drawn")
    };
    assert_eq!(
        of("lost.mtl glass.mtl look.mtl").warnings.len(),
        1,
        "lost.mtl alone"
    );
    assert_eq!(of("glass.mtl look.mtl").materials.len(), 2);
    let spaces = of("red one.mtl").warnings;
    assert_eq!(spaces, ["no library gives the material 'glass'"]);
}

#[test]
fn obj_with_too_many_libraries_says_so_once() {
    let names: String = (0..3000).map(|nth| format!("mtllib {nth}\n")).collect();
    let scene = scene(&(names + TEXT)).expect("drawn");
    assert_eq!(scene.warnings.len(), 1001);
    assert!(
        scene.warnings[1000].contains("at most 1000"),
        "{}",
        scene.warnings[1000]
    );
}

#[test]
fn obj_materials_that_no_library_gives_are_named() {
    let uses: String = (1..6)
        .map(|nth| format!("usemtl m{nth}\nf 1 2 3\n"))
        .collect();
    let scene = scene(&(TEXT.to_owned() + &uses)).expect("drawn");
    assert_eq!(
        scene.warnings,
        ["no library gives the material 'm1', 'm2', 'm3' and 2 more"]
    );
}

/// The scene of a triangle in a material of these lines.
fn made_of(lines: &str) -> Scene {
    let library = format!("newmtl a\n{lines}\n").into_bytes();
    let text = b"mtllib l\nv 0 0 0\nv 1 0 0\nv 0 1 0\nvt 0 0\nusemtl a\nf 1/1 2/1 3/1\n";
    let files = |name: &str| match name {
        "l" => Ok(library.clone()),
        "there.png" => {
            let mut png = io::Cursor::default();
            let black = image::RgbImage::new(1, 1);
            black
                .write_to(&mut png, image::ImageFormat::Png)
                .expect("in memory");
            Ok(png.into_inner())
        }
        _ => Err(io::ErrorKind::NotFound.into()),
    };
    load(text, &files, &LoadOptions::default()).expect("drawn")
}

#[test]
fn obj_transparency_is_what_opacity_leaves() {
    let alpha = |lines| made_of(lines).materials[0].base_color.w;
    assert_eq!(alpha("Tr 0.25"), 0.75);
    assert_eq!(alpha("Tr 1\nd 0.5"), 0.5, "what d says goes first");
    assert_eq!(alpha("Tr x"), 1.0);
}

#[test]
fn obj_maps_have_scale_and_offset() {
    let texture = |lines| {
        let scene = made_of(lines);
        let texture = scene.materials[0].base_color_texture.expect("a texture");
        (
            texture.transform,
            scene.textures[texture.texture.index()].sampler,
        )
    };
    let (plain, sampler) = texture("map_Kd there.png");
    assert_eq!(
        (plain, sampler.wrap_u),
        (glam::Mat3::IDENTITY, Wrap::Repeat)
    );
    let (moved, sampler) = texture("map_Kd -clamp on -s 2 3 -o 0.5 0.25 1 there.png");
    assert_eq!(sampler.wrap_v, Wrap::ClampToEdge);
    for (u, v) in [(0.0, 0.0), (1.0, 0.0), (0.25, 0.75)] {
        // Upwards here, downwards there.
        let place = moved * Vec3::new(u, 1.0 - v, 1.0);
        let expected = Vec2::new(2.0 * u + 0.5, 1.0 - (3.0 * v + 0.25));
        assert!(
            place.truncate().distance(expected) < 1e-6,
            "{place} is not {expected}"
        );
    }
}

#[test]
fn obj_maps_that_are_left_out_are_named() {
    let warnings = made_of("map_d a.png\nbump b.png\nmap_Pr c.png").warnings;
    assert_eq!(
        warnings,
        ["maps are left out: map_Bump (materials: 1), map_Pr (materials: 1), map_d (materials: 1)"]
    );
}

#[test]
fn obj_materials_may_be_those_of_gltf() {
    let scene = made_of(
        "Pr 0.25\nPm 1\nNs 900\nnorm there.png\nmap_Ke there.png\nmap_Kd there.png\nKd 0 0 0",
    );
    let [material] = &scene.materials[..] else {
        panic!("one: {:?}", scene.materials);
    };
    assert_eq!((material.roughness, material.metallic), (0.25, 1.0));
    assert_eq!(material.emissive, Vec3::ONE, "the map's own");
    assert_eq!(material.base_color.truncate(), Vec3::ONE, "likewise");
    assert!(material.normal_texture.is_some() && material.emissive_texture.is_some());
    assert_eq!(scene.warnings, Vec::<String>::new());
    let out_of_range = made_of("Pr 7\nPm nan").materials.remove(0);
    assert_eq!((out_of_range.roughness, out_of_range.metallic), (1.0, 0.0));
}

#[test]
fn obj_without_its_library_is_drawn_with_a_warning() {
    let scene = scene(&TEXT.replace("look.mtl", "lost.mtl")).expect("drawn");
    let [warning] = &scene.warnings[..] else {
        panic!("one: {:?}", scene.warnings);
    };
    assert!(
        warning.starts_with("material library 'lost.mtl'"),
        "{warning}"
    );
}

#[test]
fn obj_errors_name_the_line_and_what_was_expected() {
    let broken = refused("v 0 0 0\nv 1 x 0\nv 1 1 0\n");
    assert!(
        broken.contains("line 2") && broken.contains("v X Y Z"),
        "{broken}"
    );
    let face = refused("v 0 0 0\nf 1 b 1");
    assert!(
        face.contains("line 2") && face.contains("numbered from 1"),
        "{face}"
    );
    let beyond = refused("v 0 0 0\nv 1 0 0\nf 1 2 3\n");
    assert!(
        beyond.contains("line 3") && beyond.contains("no line before"),
        "{beyond}"
    );
    let nowhere = refused("v 0 0 0\nv nan 0 0\nv 1 1 0\nf 1 2 3\n");
    assert!(nowhere.contains("not finite"), "{nowhere}");
}

#[test]
fn obj_larger_than_memory_allows_is_refused_before_it_is_read() {
    let options = LoadOptions {
        memory_limit: 1024,
        ..LoadOptions::default()
    };
    let error = load(TEXT.as_bytes(), &beside, &options).expect_err("too large");
    assert!(error.to_string().contains("expected at most 32"), "{error}");
}

#[test]
fn obj_of_more_objects_than_memory_allows_is_refused() {
    let objects = (0..100).map(|nth| format!("o {nth}\nf 1 2 3\n"));
    let text = "v 0 0 0\nv 1 0 0\nv 0 1 0\n".to_owned() + &objects.collect::<String>();
    let options = LoadOptions {
        memory_limit: 99 * 8192,
        ..LoadOptions::default()
    };
    let error = load(text.as_bytes(), &beside, &options).expect_err("too many");
    let error = error.to_string();
    assert!(
        error.contains("in 100 objects") && error.contains("at most 99"),
        "{error}"
    );
}

#[test]
fn obj_library_of_more_materials_than_memory_allows_is_left_out() {
    let options = LoadOptions {
        memory_limit: 100 << 10,
        ..LoadOptions::default()
    };
    let library = |_: &str| Ok("newmtl a\n".repeat(101).into_bytes());
    let scene = load(b"mtllib l\n", &library, &options).expect("without it");
    assert!(
        scene.warnings[0].contains("101 of its lines"),
        "{:?}",
        scene.warnings
    );
}

/// Groups that are taken up again are no new meshes, and materials that nothing is made of are left out.
#[test]
fn obj_that_takes_up_its_groups_again_is_few_meshes() {
    let again = "g a\nusemtl red\nf 1/1/1 2/2/1 3/3/1\ng b\nf 1/1/1 3/3/1 4/1/1\n".repeat(1000);
    let scene = scene(&TEXT.replace("usemtl glass", &again)).expect("valid");
    let names: Vec<_> = scene.meshes.iter().map(|mesh| mesh.name.as_str()).collect();
    assert_eq!(names, ["unnamed_object", "a", "b"]);
    assert_eq!(
        scene.meshes[1].primitives[0].indices.len(),
        3000,
        "once a time"
    );
    assert_eq!(scene.materials.len(), 1, "only red is used");
}

#[test]
fn obj_faces_of_vertices_that_cannot_be_are_refused() {
    for face in [
        "-1 -2 -4",
        "1/-1 2/1 3/1",
        "1//1 2//-3 3//1",
        "1 2 9000000000000000000",
    ] {
        let error = refused(&format!("v 0 0 0\nv 1 0 \\\n0\nv 0 1 0\nf {face}\n"));
        assert!(
            error.contains("line 5") && error.contains("not there"),
            "{error}"
        );
    }
}

#[test]
fn obj_colors_of_one_part_are_gray() {
    let color = |line: &str| made_of(line).materials[0].base_color.truncate();
    assert_eq!(color("Kd 0.25"), Vec3::splat(0.25));
    assert_eq!(color(" \u{a0}Kd 0.5 1\r"), Vec3::new(0.5, 1.0, 1.0));
    let warnings = made_of("Ke").warnings;
    assert!(
        warnings[0].contains("material library 'l'"),
        "no part: {warnings:?}"
    );
}

#[test]
fn obj_maps_of_one_file_are_one_image() {
    let library = |_: &str| Ok(b"newmtl a\nmap_Kd x.png\nnewmtl b\nmap_Kd x.png\n".to_vec());
    let text = "mtllib l\nv 0 0 0\nv 1 0 0\nv 0 1 0\nusemtl a\nf 1 2 3\nusemtl b\nf 1 2 3\n";
    let scene = load(text.as_bytes(), &library, &LoadOptions::default()).expect("valid");
    assert_eq!(scene.materials.len(), 2);
    let unreadable = scene
        .warnings
        .iter()
        .filter(|warning| warning.contains("x.png"));
    assert_eq!(unreadable.count(), 1, "{:?}", scene.warnings);
}

/// A library that is named again and again is read once.
#[test]
fn obj_that_names_its_library_a_thousand_times_reads_it_once() {
    let reads = std::sync::atomic::AtomicUsize::new(0);
    let counted = |name: &str| {
        reads.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
        beside(name)
    };
    let text = "mtllib look.mtl\n".repeat(1000) + TEXT;
    let scene = load(text.as_bytes(), &counted, &LoadOptions::default());
    assert_eq!(scene.expect("valid").materials.len(), 2);
    assert_eq!(reads.into_inner(), 1);
}

/// Bytes changed, cut out and doubled: a scene or an error, never a panic.
#[test]
fn obj_that_is_damaged_never_panics() {
    let mut state = 7_u32;
    let mut next = |below: usize| {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (state >> 8) as usize % below
    };
    let text = TEXT.to_owned() + "s 1\nl 1/1 2/2 -1\np 1\nf 1 2/2 3//1\nv 0 0 1 1 0 \\\n1 # x\n";
    for _ in 0..1500 {
        let mut bytes = text.clone().into_bytes();
        for _ in 0..=next(4) {
            let at = next(bytes.len());
            match next(4) {
                0 => bytes[at] = next(256) as u8,
                1 => bytes[at] = b"/-0 9\nvf"[next(8)],
                2 => drop(bytes.drain(at..(at + next(9)).min(bytes.len()))),
                _ => bytes.insert(at, b'9'),
            }
        }
        let _ = load(&bytes, &beside, &LoadOptions::default());
    }
}

#[test]
fn obj_names_its_libraries_and_their_maps_as_files() {
    let folder = std::env::temp_dir().join(format!("azulejo-obj-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    let write = |name: &str, text: &str| std::fs::write(folder.join(name), text).expect("written");
    write("a.obj", "mtllib look.mtl\nv 0 0 0\n");
    write(
        "look.mtl",
        "newmtl a\nmap_Kd -s 1 1 1 skin.png\nnorm bumps.png\n",
    );
    let files = super::referenced_files(&folder.join("a.obj"));
    let names = ["look.mtl", "skin.png", "bumps.png"].map(|name| folder.join(name));
    std::fs::remove_dir_all(&folder).expect("removed");
    assert_eq!(files, names);
}
