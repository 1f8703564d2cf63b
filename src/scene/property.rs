//! Animated properties beside the placement and morphing of nodes: materials, lights, cameras, visibility
//! (`KHR_animation_pointer`).

use glam::{Mat3, Vec2, Vec3};

use super::{Camera, Light, Material, MaterialId, MeshId, NodeId, TextureRef};

/// Largest channel of [`Emission::radiance`].
const MAX_EMISSION: f32 = 1e9;

/// A property that is neither placement nor weights of a node. Functions get as many floats as the keyframes have
/// components.
#[derive(Debug, Clone, Copy)]
pub enum Property {
    /// Whether a node, and with it everything below it, is drawn: not 0.
    Visible(NodeId),
    /// Weights of a mesh's morph targets, where its node has none.
    MeshWeights(MeshId),
    /// One of these weights, by its morph target; the others stay as they are.
    MeshWeight(MeshId, u32),
    /// A factor of a material.
    Material(MaterialId, fn(&mut Material, &[f32])),
    /// A factor of the light that a material sends out.
    Emission(EmissionChange),
    /// A part of the transform of one texture of a material.
    TextureTransform(TextureTransform),
    /// A value of one of [`super::Scene::lights`].
    Light(u32, fn(&mut Light, &[f32])),
    /// A value of one of [`super::Scene::cameras`].
    Camera(u32, fn(&mut Camera, &[f32])),
}

/// Which factor of which material's emission.
#[derive(Debug, Clone, Copy)]
pub struct EmissionChange {
    /// Material whose emission changes.
    pub material: MaterialId,
    /// Both factors at rest.
    pub rest: Emission,
    /// The factor that changes.
    pub part: EmissionPart,
}

/// Light that a surface sends out, before its texture, as a product of two factors.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Emission {
    /// Linear RGB, the material's `emissiveFactor`.
    pub factor: Vec3,
    /// Scalar `emissiveStrength` (`KHR_materials_emissive_strength`), 1 by default.
    pub strength: f32,
}

/// A factor of an [`Emission`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EmissionPart {
    /// The colour factor, three floats.
    Factor,
    /// The strength, one float.
    Strength,
}

impl Emission {
    /// The product, linear RGB, limited to what pictures can hold.
    #[must_use]
    pub fn radiance(&self) -> Vec3 {
        (self.factor * self.strength).clamp(Vec3::ZERO, Vec3::splat(MAX_EMISSION))
    }

    /// Sets a part to as many floats as it has.
    pub(super) fn set(&mut self, part: EmissionPart, values: &[f32]) {
        match (part, values) {
            (EmissionPart::Factor, &[r, g, b]) => self.factor = Vec3::new(r, g, b),
            (EmissionPart::Strength, &[strength]) => self.strength = strength,
            _ => {}
        }
    }
}

/// Which part of which texture's transform.
#[derive(Debug, Clone, Copy)]
pub struct TextureTransform {
    /// Material whose texture moves.
    pub material: MaterialId,
    /// The texture, if the material has it; nothing happens while it does not.
    pub slot: fn(&mut Material) -> Option<&mut TextureRef>,
    /// Number of the slot in its material, equal for equal slots.
    pub slot_number: u8,
    /// The transform at rest.
    pub rest: UvTransform,
    /// Part of the transform that changes.
    pub part: UvPart,
}

/// `KHR_texture_transform`: scale, then turn (counter-clockwise in the image's y-down plane), then shift.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct UvTransform {
    /// Shift of u and v, in images.
    pub offset: Vec2,
    /// Turn around (0, 0), radians.
    pub rotation: f32,
    /// Factors of u and v.
    pub scale: Vec2,
}

/// A part of an [`UvTransform`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum UvPart {
    /// Shift of u and v, two floats.
    Offset,
    /// Turn in radians, one float.
    Rotation,
    /// Factors of u and v, two floats.
    Scale,
}

impl Default for UvTransform {
    fn default() -> Self {
        Self {
            offset: Vec2::ZERO,
            rotation: 0.0,
            scale: Vec2::ONE,
        }
    }
}

impl UvTransform {
    /// The matrix for (u, v, 1); identity where it would not be finite.
    #[must_use]
    pub fn matrix(&self) -> Mat3 {
        let (sin, cos) = self.rotation.sin_cos();
        let matrix = Mat3::from_cols(
            Vec3::new(cos * self.scale.x, -sin * self.scale.x, 0.0),
            Vec3::new(sin * self.scale.y, cos * self.scale.y, 0.0),
            self.offset.extend(1.0),
        );
        match matrix.is_finite() {
            true => matrix,
            false => Mat3::IDENTITY,
        }
    }

    /// Sets a part to as many floats as it has.
    pub(super) fn set(&mut self, part: UvPart, values: &[f32]) {
        match (part, values) {
            (UvPart::Offset, &[u, v]) => self.offset = Vec2::new(u, v),
            (UvPart::Scale, &[u, v]) => self.scale = Vec2::new(u, v),
            (UvPart::Rotation, &[angle]) => self.rotation = angle,
            _ => {}
        }
    }
}
