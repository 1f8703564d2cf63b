//! Building a show's scene: textures, materials and meshes by the kinds that games are made of.

use std::sync::Arc;

use glam::{Mat3, Mat4, Vec3, Vec4};

use super::atlas::Atlas;
use crate::procedural::append;
use crate::{Game, Show};
use azulejo_scene::{
    AlphaMode, DepthState, ImageId, Material, MaterialId, Mesh, MeshId, Primitive, Sampler, Scene,
    Shading, Texture, TextureId, TextureImage, TextureRef, Wrap,
};

/// A scene in the making.
#[derive(Debug, Default)]
pub(crate) struct Stage {
    scene: Scene,
}

/// Surroundings of a game's solids: behind, before and among them.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Surroundings {
    /// A picture behind everything.
    pub(crate) sky: MaterialId,
    /// The sprites of the display.
    pub(crate) display: MaterialId,
    /// The display's sprites in a space with depth.
    pub(crate) spots: MaterialId,
}

impl Stage {
    /// Creates an empty scene named `name`.
    #[must_use]
    pub(crate) fn new(name: &str) -> Self {
        Self {
            scene: Scene {
                name: name.to_owned(),
                ..Scene::default()
            },
        }
    }

    /// Adds an image, trilinear; it repeats or ends at its edges.
    pub(crate) fn texture(&mut self, image: TextureImage, wrap: Wrap) -> TextureId {
        self.scene.images.push(image);
        self.scene.textures.push(Texture {
            image: ImageId(self.scene.images.len() as u32 - 1),
            sampler: Sampler {
                wrap_u: wrap,
                wrap_v: wrap,
                ..Sampler::default()
            },
        });
        TextureId(self.scene.textures.len() as u32 - 1)
    }

    /// Adds a material and returns its id.
    pub(crate) fn material(&mut self, material: Material) -> MaterialId {
        self.scene.materials.push(material);
        MaterialId(self.scene.materials.len() as u32 - 1)
    }

    /// Adds an atlas and the material of its sprites.
    pub(crate) fn atlas(&mut self, name: &str, atlas: &Atlas) -> MaterialId {
        let texture = self.texture(atlas.image.clone(), Wrap::ClampToEdge);
        self.material(sprites(name, texture))
    }

    /// Adds a display's atlas: the material of its sprites on the display, and by the name `spots` that of those which hang
    /// among solids, such as shadows, halos and sparks.
    pub(crate) fn display(&mut self, atlas: Atlas, spots: &str) -> (MaterialId, MaterialId) {
        let texture = self.texture(atlas.image, Wrap::ClampToEdge);
        let display = self.material(sprites("display", texture));
        (display, self.material(haze(spots, texture)))
    }

    /// Adds a picture to stand behind solids, by the name `sky`, and a display's atlas as [`display`](Self::display) does.
    pub(crate) fn surroundings(
        &mut self,
        sky: &str,
        image: TextureImage,
        wrap: Wrap,
        atlas: Atlas,
        spots: &str,
    ) -> Surroundings {
        let behind = self.texture(image, wrap);
        let sky = self.material(backdrop(sky, behind));
        let (display, spots) = self.display(atlas, spots);
        Surroundings {
            sky,
            display,
            spots,
        }
    }

    /// Adds a mesh of one primitive.
    pub(crate) fn mesh(
        &mut self,
        name: &str,
        primitive: Primitive,
        material: MaterialId,
    ) -> MeshId {
        self.scene.meshes.push(Mesh {
            name: name.to_owned(),
            primitives: vec![Primitive {
                material: Some(material),
                ..primitive
            }]
            .into(),
            morph_weights: Vec::new(),
        });
        MeshId(self.scene.meshes.len() as u32 - 1)
    }

    /// The show of a game in this scene, before a background of linear RGB.
    #[must_use]
    pub(crate) fn show(self, background: Vec3, game: impl Game + 'static) -> Show {
        Show {
            scene: self.scene,
            background,
            game: Arc::new(game),
        }
    }
}

/// The material of sprites: unlit, blended in order, without depth.
#[must_use]
pub(crate) fn sprites(name: &str, texture: TextureId) -> Material {
    Material {
        alpha_mode: AlphaMode::Blend,
        ..backdrop(name, texture)
    }
}

/// The material of a picture that covers all before it: opaque, without depth.
#[must_use]
pub(crate) fn backdrop(name: &str, texture: TextureId) -> Material {
    Material {
        depth: DepthState::Off,
        double_sided: true,
        ..baked(name, texture)
    }
}

/// The material of solids whose light lies in their vertex colours: one texture, as most mobile games shade.
#[must_use]
pub(crate) fn baked(name: &str, texture: TextureId) -> Material {
    Material {
        name: name.to_owned(),
        shading: Shading::Unlit,
        base_color_texture: Some(on_first_set(texture)),
        ..Material::default()
    }
}

/// The material of lights' halos, smoke and shadows in a space with depth: blended, hidden by what is nearer.
#[must_use]
pub(crate) fn haze(name: &str, texture: TextureId) -> Material {
    Material {
        depth: DepthState::Test,
        ..sprites(name, texture)
    }
}

/// A texture over the first set of coordinates.
#[must_use]
pub(crate) const fn on_first_set(texture: TextureId) -> TextureRef {
    TextureRef {
        texture,
        tex_coord: 0,
        transform: Mat3::IDENTITY,
    }
}

/// Gives every vertex of `primitive` the colour of `light`, which sees position and normal. Unlit materials need no
/// normals, so these are dropped.
#[must_use]
pub(crate) fn bake(mut primitive: Primitive, light: impl Fn(Vec3, Vec3) -> Vec3) -> Primitive {
    let vertices = primitive.positions.iter().zip(&primitive.normals);
    primitive.colors = vertices
        .map(|(&position, &normal)| light(position, normal).extend(1.0))
        .collect::<Vec<Vec4>>();
    primitive.normals.clear();
    primitive.tangents.clear();
    primitive
}

/// `primitive` moved, turned and stretched.
#[must_use]
pub(crate) fn placed(mut primitive: Primitive, world_from_local: Mat4) -> Primitive {
    let normal_matrix = Mat3::from_mat4(world_from_local).inverse().transpose();
    for position in &mut primitive.positions {
        *position = world_from_local.transform_point3(*position);
    }
    for normal in &mut primitive.normals {
        *normal = (normal_matrix * *normal).normalize_or(Vec3::Y);
    }
    primitive.tangents.clear();
    primitive
}

/// Several primitives with the same streams as one.
#[must_use]
pub(crate) fn merged(parts: &[Primitive]) -> Primitive {
    let mut mesh = Primitive {
        tex_coords: vec![Vec::new()],
        ..Primitive::default()
    };
    for part in parts {
        append(&mut mesh, part);
    }
    mesh
}
