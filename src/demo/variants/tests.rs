//! Variants: names, what changes and what stays.

use std::collections::BTreeSet;

use glam::Vec3;

use super::*;
use crate::tests::shows;
use crate::{DEFAULT_SEED, Frame, MODELS, Screen, Show};
use azulejo_scene::{Primitive, Shading, Topology};

const SCREEN: Screen = Screen {
    width: 320,
    height: 180,
};

fn frame_of(name: &str) -> (&'static Show, Frame) {
    let mut shows = shows().iter();
    let (_, show) = shows.find(|(demo, _)| demo.name == name).expect("a demo");
    (show, show.frame(30, SCREEN))
}

fn meshes<'a>(show: &'a Show, frame: &'a Frame) -> impl Iterator<Item = &'a Primitive> {
    let meshes = show.scene.meshes.iter().chain(&frame.state.meshes);
    meshes.flat_map(|mesh| &mesh.primitives)
}

/// Twice the area of all triangles.
fn area(primitive: &Primitive) -> f64 {
    let of = |corners: &[u32]| {
        let at = |nth: usize| primitive.positions[corners[nth] as usize];
        f64::from((at(1) - at(0)).cross(at(2) - at(0)).length())
    };
    primitive.indices.chunks_exact(3).map(of).sum()
}

#[test]
fn variants_are_named_after_game_and_setting() {
    let expected: Vec<_> = { Setting::ALL.iter() }
        .flat_map(|setting| {
            { DEMOS.iter() }.map(move |game| format!("{}-{}", game.name, setting.name()))
        })
        .collect();
    let names: Vec<_> = VARIANTS.iter().map(|demo| demo.name.to_owned()).collect();
    assert_eq!(names, expected, "each game with each setting");
    let settings = { Setting::ALL.iter() }
        .flat_map(|setting| { DEMOS.iter() }.map(move |game| (setting, game.start)));
    for (variant, (setting, start)) in VARIANTS.iter().zip(settings) {
        let is_of_game = std::ptr::fn_addr_eq(variant.start, start);
        assert!(is_of_game, "{} starts its game", variant.name);
        assert_eq!(variant.setting, *setting, "{}", variant.name);
    }
    let all: BTreeSet<_> = Demo::all().map(|demo| demo.name).collect();
    assert_eq!(
        all.len(),
        DEMOS.len() + MODELS.len() + VARIANTS.len(),
        "no name twice"
    );
}

#[test]
fn variant_starts_as_its_game_with_the_setting() {
    let plain = Demo::find("lantern").expect("a demo").start(DEFAULT_SEED);
    for setting in Setting::ALL {
        let name = format!("lantern-{}", setting.name());
        let variant = Demo::find(&name).expect("a demo").start(DEFAULT_SEED);
        let changed = plain.clone().changed(setting);
        assert_eq!(variant.scene.materials, changed.scene.materials, "{name}");
        let frame = variant.frame(30, SCREEN);
        assert_eq!(frame, changed.frame(30, SCREEN), "{name}");
    }
}

#[test]
fn fine_triangles_are_sixteen_of_the_same_area() {
    for game in ["match3", "corridor"] {
        let (show, frame) = frame_of(game);
        let (fine_show, fine_frame) = frame_of(&format!("{game}-fine"));
        let pairs = meshes(show, &frame).zip(meshes(fine_show, &fine_frame));
        for (before, after) in pairs {
            assert_eq!(before.topology, Topology::Triangles, "{game}");
            assert_eq!(after.indices.len(), 16 * before.indices.len(), "{game}");
            let (before, after) = (area(before), area(after));
            assert!(
                (before - after).abs() <= 1e-4 * before,
                "{game}: {before} {after}"
            );
        }
        assert_eq!(
            frame.state.instances, fine_frame.state.instances,
            "{game}: the same draws"
        );
    }
}

#[test]
fn lit_surfaces_have_a_shading_and_unit_normals() {
    // One game of each kind, and one whose figures have skins.
    for game in ["match3", "kingdom", "slope", "arena"] {
        let (show, frame) = frame_of(&format!("{game}-lit"));
        let materials = show.scene.materials.iter().chain(&frame.state.materials);
        for material in materials {
            assert_eq!(
                material.shading,
                Shading::MetallicRoughness,
                "{game}: {}",
                material.name
            );
        }
        for primitive in meshes(show, &frame) {
            assert_eq!(primitive.normals.len(), primitive.positions.len(), "{game}");
            let is_unit = |normal: &Vec3| (normal.length() - 1.0).abs() < 1e-3;
            assert!(primitive.normals.iter().all(is_unit), "{game}");
        }
        assert!(frame.state.lights.len() >= 4, "{game}: the lamps");
    }
}

#[test]
fn mixed_frames_draw_surfaces_of_both_kinds() {
    for game in DEMOS {
        let (show, frame) = frame_of(&format!("{}-mixed", game.name));
        let (mut lit, mut plain) = (0, 0);
        for instance in &frame.state.instances {
            let material = frame.state.material(&show.scene, instance.material);
            match material.shading {
                Shading::MetallicRoughness => lit += 1,
                Shading::Unlit => plain += 1,
            }
        }
        assert!(
            lit > 0 && plain > 0,
            "{}: {lit} lit, {plain} not",
            game.name
        );
    }
}
