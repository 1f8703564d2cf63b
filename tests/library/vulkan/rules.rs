//! Rules of glTF 2.0 that both sides keep by themselves: limits of morphed colours, winding of skins, emission without lighting. A
//! panel each, most of the picture in size.

use azulejo::scene::{
    Material, MaterialId, Mesh, MeshId, MorphTarget, Node, NodeId, Primitive, Scene, Skin,
    Transform,
};
use glam::{Mat4, Quat, Vec3, Vec4};

use super::{Look, assert_alike, both, reference};

/// A panel that faces +Z.
fn panel() -> Primitive {
    Primitive {
        indices: vec![0, 1, 2, 2, 1, 3],
        positions: [(-2.0, -1.0), (2.0, -1.0), (-2.0, 1.0), (2.0, 1.0)]
            .map(|(x, y)| Vec3::new(x, y, 0.0))
            .into(),
        material: Some(MaterialId(0)),
        ..Primitive::default()
    }
}

fn scene_of(primitive: Primitive, material: Material, weights: &[f32]) -> Scene {
    Scene {
        meshes: vec![Mesh {
            primitives: vec![primitive].into(),
            morph_weights: weights.to_vec(),
            ..Mesh::default()
        }],
        materials: vec![material],
        nodes: vec![Node {
            mesh: Some(MeshId(0)),
            ..Node::default()
        }],
        ..Scene::default()
    }
}

/// Our picture's pixel in the middle, where a driver draws alike.
fn middle(name: &str, scene: &Scene) -> Option<[u8; 4]> {
    let reference = reference()?;
    let pictures = both(&reference, scene, Look::default());
    assert_alike(name, &pictures);
    let (ours, _) = pictures;
    let at = ours.width * (ours.height / 2) + ours.width / 2;
    Some(ours.pixels[at as usize])
}

#[test]
fn morphed_colors_beyond_their_range_are_drawn_alike() {
    let target = MorphTarget {
        colors: vec![Vec4::new(1.0, -2.0, 0.25, 0.0); 4],
        ..MorphTarget::default()
    };
    let primitive = Primitive {
        colors: vec![Vec4::new(0.75, 0.5, 0.25, 1.0); 4],
        morph_targets: vec![target],
        ..panel()
    };
    let scene = scene_of(primitive, Material::default(), &[1.0]);
    if let Some(found) = middle("morphed-colors", &scene) {
        assert_eq!(found, [255, 0, 188, 255], "1.75, -1.5, 0.5");
    }
}

#[test]
fn skins_wind_alike_by_the_node_of_their_mesh() {
    for mirror in [1.0, -1.0] {
        let scaled = |scale, parent| Node {
            parent,
            transform: Transform::Trs {
                translation: Vec3::ZERO,
                rotation: Quat::IDENTITY,
                scale,
            },
            ..Node::default()
        };
        let primitive = Primitive {
            joints: vec![vec![[1, 0, 0, 0]; 4]],
            weights: vec![vec![Vec4::X; 4]],
            ..panel()
        };
        let mut scene = scene_of(primitive, Material::default(), &[]);
        let root = Some(NodeId(0));
        // The first joint moves no vertex.
        let unused = Vec3::new(mirror, -1.0, 1.0);
        scene.nodes = vec![
            scaled(Vec3::new(mirror, 1.0, 1.0), None),
            scaled(Vec3::ONE, root),
            scaled(unused, root),
            scaled(Vec3::ONE, root),
        ];
        scene.nodes[1].mesh = Some(MeshId(0));
        scene.nodes[1].skin = Some(0);
        scene.skins = vec![Skin {
            joints: vec![NodeId(2), NodeId(3)],
            inverse_bind: vec![Mat4::IDENTITY; 2],
        }];
        if let Some(found) = middle(&format!("skin-{mirror}"), &scene) {
            assert_eq!(found, [255; 4], "seen from the front");
        }
    }
}

#[test]
fn surfaces_without_normals_emit_alike() {
    let material = Material {
        base_color: Vec4::new(0.4, 0.0, 0.2, 1.0),
        emissive: Vec3::new(0.0, 0.4, 0.2),
        ..Material::default()
    };
    let scene = scene_of(panel(), material, &[]);
    if let Some(found) = middle("emission-without-normals", &scene) {
        assert_eq!(found, [170, 170, 170, 255], "base colour plus emission");
    }
}
