//! Tests of the built-in scene as content: complete, repeatable, of a size that fits.

use std::sync::OnceLock;

use super::*;
use azulejo_scene::AlphaMode;

/// The scene, which tests share: it takes seconds to build.
fn built() -> &'static Scene {
    static BUILT: OnceLock<Scene> = OnceLock::new();
    BUILT.get_or_init(courtyard)
}

#[test]
fn courtyard_is_the_same_every_time() {
    let (a, b) = (built(), courtyard());
    assert_eq!(a.images, b.images, "texels");
    assert_eq!(a.materials, b.materials, "materials");
    for (a, b) in a.meshes.iter().zip(&b.meshes) {
        for (a, b) in a.primitives.iter().zip(&b.primitives) {
            assert_eq!(a.positions, b.positions, "positions");
            assert_eq!(a.colors, b.colors, "baked light");
            assert_eq!(a.indices, b.indices, "indices");
        }
    }
}

#[test]
fn courtyard_meshes_keep_the_loaders_promises() {
    let scene = built();
    for mesh in &scene.meshes {
        for part in &mesh.primitives {
            let n = part.positions.len();
            let material = part.material.map(|m| &scene.materials[m.index()]);
            assert!(material.is_some(), "{}: a material", mesh.name);
            assert!(
                part.indices.iter().all(|&i| (i as usize) < n),
                "{}: indices",
                mesh.name
            );
            assert_eq!(part.normals.len(), n, "{}: normals", mesh.name);
            assert!(
                part.colors.is_empty() || part.colors.len() == n,
                "{}: colours",
                mesh.name
            );
            assert!(
                part.normals.iter().all(|v| (v.length() - 1.0).abs() < 1e-3),
                "{}: unit normals",
                mesh.name
            );
            let finite = |v: &Vec3| v.is_finite() && v.length() < 10.0;
            assert!(
                part.positions.iter().all(finite),
                "{}: positions within the courtyard",
                mesh.name
            );
            let lit =
                |c: &glam::Vec4| c.cmpge(glam::Vec4::ZERO).all() && c.cmple(glam::Vec4::ONE).all();
            assert!(part.colors.iter().all(lit), "{}: colours 0..1", mesh.name);
        }
    }
}

#[test]
fn courtyard_references_exist_and_parents_come_first() {
    let scene = built();
    for (i, node) in scene.nodes.iter().enumerate() {
        assert!(
            node.parent.is_none_or(|p| p.index() < i),
            "{}: parent first",
            node.name
        );
        assert!(
            node.mesh.is_none_or(|m| m.index() < scene.meshes.len()),
            "{}: mesh",
            node.name
        );
    }
    let textures = scene.materials.iter().flat_map(|m| {
        [
            m.base_color_texture,
            m.normal_texture,
            m.metallic_roughness_texture,
            m.occlusion_texture,
        ]
    });
    for texture in textures.flatten() {
        let image = scene.textures[texture.texture.index()].image;
        assert!(image.index() < scene.images.len(), "image of a texture");
    }
    for channel in scene.animations.iter().flat_map(|a| &a.channels) {
        let keys = &channel.keyframes;
        let per_key = if keys.interpolation == azulejo_scene::Interpolation::CubicSpline {
            3
        } else {
            1
        };
        assert_eq!(
            keys.values.len(),
            keys.times.len() * keys.components * per_key,
            "values of a channel"
        );
        assert!(keys.times.is_sorted(), "times ascend");
        assert!(
            matches!(
                scene.nodes[channel.node.index()].transform,
                Transform::Trs { .. }
            ),
            "a node that can move"
        );
    }
}

#[test]
fn courtyard_shows_what_the_pipeline_can_do() {
    let scene = built();
    let count = |test: fn(&AlphaMode) -> bool| {
        scene
            .materials
            .iter()
            .filter(|m| test(&m.alpha_mode))
            .count()
    };
    assert!(
        count(|a| matches!(a, AlphaMode::Blend)) >= 3,
        "several transparent materials"
    );
    assert!(
        count(|a| matches!(a, AlphaMode::Mask { .. })) >= 2,
        "cut-out materials"
    );
    assert!(
        !scene.animations.is_empty() && scene.animations[0].duration > 0.0,
        "an animation"
    );
    assert!(
        scene.meshes.iter().any(|m| !m.morph_weights.is_empty()),
        "a morph target"
    );
    assert!(
        scene.cameras.len() == 1 && scene.lights.len() >= 2,
        "a camera and lights"
    );
}

#[test]
fn courtyard_fits_its_budget() {
    let scene = built();
    let triangles: usize = scene
        .nodes
        .iter()
        .filter_map(|n| n.mesh)
        .flat_map(|m| &scene.meshes[m.index()].primitives)
        .map(|p| p.indices.len() / 3)
        .sum();
    assert!(
        (50_000..300_000).contains(&triangles),
        "{triangles} triangles"
    );
    let texels: usize = scene.images.iter().map(|image| image.texels().len()).sum();
    assert!(texels * 4 < 60 << 20, "{} MiB of textures", texels >> 18);
}
