//! Slots of materials: a texture of the file as a material names it, to a texture of the scene with its transform
//! (`KHR_texture_transform`).

use glam::{Mat3, Vec3};
use gltf::json::extensions::texture::Info as InfoExtensions;
use gltf::json::texture::Info;
use serde_json::{Map, Value};

use super::error::LoadError;
use super::file::File;
use super::image::Reading;
use super::texture::TextureTable;
use crate::{Encoding, MAX_TEX_COORDS, TextureRef};

/// Reader of the texture slots of one material.
pub(super) struct Slots<'a> {
    file: &'a File,
    table: &'a mut TextureTable,
    /// The material, for messages.
    pub(super) name: String,
}

/// A texture of the file as a slot names it.
#[derive(Clone, Copy)]
pub(super) struct TextureIndex {
    index: usize,
    /// Number of the TEXCOORD set, unless a transform names another.
    tex_coord: u32,
}

impl TextureIndex {
    pub(super) fn new(index: usize, tex_coord: u32) -> Self {
        Self { index, tex_coord }
    }
}

/// `KHR_texture_transform` as it is written.
type Transform = gltf::json::extensions::texture::TextureTransform;

impl<'a> Slots<'a> {
    /// Creates the slots of the material of this name.
    pub(super) fn new(file: &'a File, table: &'a mut TextureTable, name: String) -> Self {
        Self { file, table, name }
    }

    pub(super) fn info(
        &mut self,
        info: Option<&Info>,
        encoding: Encoding,
    ) -> Result<Option<TextureRef>, LoadError> {
        self.read(info, Reading::from(encoding))
    }

    /// The glossiness of a texture, times a factor, as roughness.
    pub(super) fn gloss(
        &mut self,
        info: Option<&Info>,
        factor: f32,
    ) -> Result<Option<TextureRef>, LoadError> {
        self.read(info, Reading::roughness_of_gloss(factor))
    }

    fn read(
        &mut self,
        info: Option<&Info>,
        reading: Reading,
    ) -> Result<Option<TextureRef>, LoadError> {
        let Some(info) = info else {
            return Ok(None);
        };
        let transform = info.extensions.as_ref();
        let transform = transform.and_then(
            |InfoExtensions {
                 texture_transform, ..
             }| texture_transform.clone(),
        );
        let texture = TextureIndex::new(info.index.value(), info.tex_coord);
        self.slot(texture, transform, reading)
    }

    /// A normal or occlusion slot, for whose extensions the crate has no types.
    pub(super) fn data(
        &mut self,
        texture: TextureIndex,
        extensions: Option<&Map<String, Value>>,
    ) -> Result<Option<TextureRef>, LoadError> {
        let transform = extensions.and_then(|others| others.get("KHR_texture_transform"));
        let parse = |value: &Value| {
            serde_json::from_value(value.clone())
                .map_err(|e| LoadError::invalid(&*self.name, format!("KHR_texture_transform: {e}")))
        };
        let transform = transform.map(parse).transpose()?;
        self.slot(texture, transform, Encoding::Linear.into())
    }

    fn slot(
        &mut self,
        texture: TextureIndex,
        transform: Option<Transform>,
        reading: Reading,
    ) -> Result<Option<TextureRef>, LoadError> {
        let tex_coord = transform
            .as_ref()
            .and_then(|t| t.tex_coord)
            .unwrap_or(texture.tex_coord);
        if tex_coord as usize >= MAX_TEX_COORDS {
            self.file.warn(format!(
                "{}: a texture uses TEXCOORD_{tex_coord}; {MAX_TEX_COORDS} sets are supported: drawn without it",
                self.name
            ));
            return Ok(None);
        }
        let texture = self
            .table
            .add(self.file, texture.index, reading, &self.name)?;
        Ok(texture.map(|texture| TextureRef {
            texture,
            tex_coord,
            transform: transform.map_or(Mat3::IDENTITY, |transform| uv_matrix(&transform)),
        }))
    }
}

/// `KHR_texture_transform`: scale, then turn (counter-clockwise in the image's y-down plane), then shift.
fn uv_matrix(transform: &Transform) -> Mat3 {
    let [offset_u, offset_v] = transform.offset.0;
    let [scale_u, scale_v] = transform.scale.0;
    let (sin, cos) = transform.rotation.0.sin_cos();
    let matrix = Mat3::from_cols(
        Vec3::new(cos * scale_u, -sin * scale_u, 0.0),
        Vec3::new(sin * scale_v, cos * scale_v, 0.0),
        Vec3::new(offset_u, offset_v, 1.0),
    );
    if matrix.is_finite() {
        matrix
    } else {
        Mat3::IDENTITY
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use gltf::json::extensions::texture::{
        TextureTransformOffset, TextureTransformRotation, TextureTransformScale,
    };

    #[test]
    fn texture_transform_scales_then_turns_then_shifts() {
        let transform = Transform {
            offset: TextureTransformOffset([0.5, 0.25]),
            rotation: TextureTransformRotation(std::f32::consts::FRAC_PI_2),
            scale: TextureTransformScale([2.0, 3.0]),
            ..Transform::default()
        };
        let uv = uv_matrix(&transform) * Vec3::new(1.0, 0.0, 1.0);
        assert!(
            (uv - Vec3::new(0.5, -1.75, 1.0)).length() < 1e-6,
            "u axis: {uv}"
        );
        let uv = uv_matrix(&transform) * Vec3::new(0.0, 1.0, 1.0);
        assert!(
            (uv - Vec3::new(3.5, 0.25, 1.0)).length() < 1e-6,
            "v axis: {uv}"
        );
    }
}
