//! Meshes: attributes decoded to streams, then everything that the specification leaves to the reader.

use std::collections::BTreeMap;

use glam::{Vec2, Vec3, Vec4};
use gltf::json::Index;
use gltf::json::accessor::{Accessor as JsonAccessor, ComponentType, Type};
use gltf::json::mesh::{Mode, Semantic};
use gltf::json::validation::Checked;

use super::error::{LoadError, element};
use super::file::File;
use super::morph::finite_weights;
use super::part::{Part, colors, finite};
use super::{morph, normals, skinning, tangents, topology, vertices};
use crate::{MAX_TEX_COORDS, Material, MaterialId, Mesh, Primitive, Topology};

/// The materials that primitives choose from.
#[derive(Debug)]
pub(super) struct Materials {
    /// The scene's materials, glTF's default one among them if a primitive needs it.
    pub list: Vec<Material>,
    /// The scene's material of each material of the file that is used.
    pub ids: BTreeMap<usize, MaterialId>,
    /// The material of primitives that name none.
    pub default: MaterialId,
}

/// Reads mesh `index` of the file.
pub(super) fn read(file: &File, index: usize, materials: &Materials) -> Result<Mesh, LoadError> {
    let json = &file.root.meshes[index];
    let name = element("mesh", index, json.name.as_deref());
    let mut mesh = Mesh {
        name: json.name.clone().unwrap_or_default(),
        primitives: Vec::with_capacity(json.primitives.len()).into(),
        morph_weights: finite_weights(json.weights.as_deref().unwrap_or_default()),
    };
    for (number, primitive) in json.primitives.iter().enumerate() {
        let part = Part {
            file,
            json: primitive,
            at: (index, number),
            name: format!("{name}, primitive {number}"),
        };
        mesh.primitives.extend(part.read(materials)?);
    }
    Ok(mesh)
}

impl Part<'_> {
    /// The primitive as it is drawn; `None` where there is nothing to draw.
    fn read(&self, materials: &Materials) -> Result<Option<Primitive>, LoadError> {
        let Some(positions) = self.attribute(Semantic::Positions)? else {
            self.file
                .warn(format!("{}: has no positions: not drawn", self.name));
            return Ok(None);
        };
        positions.expect_shape(&[Type::Vec3])?;
        let positions = finite(
            self.file,
            &positions,
            positions.vectors(Vec3::from_array),
            Vec3::is_finite,
        );
        let (topology, indices) = self.indices(positions.len())?;
        if indices.is_empty() {
            self.file.warn(format!(
                "{}: has no whole {topology:?}: not drawn",
                self.name
            ));
            return Ok(None);
        }
        let vertices = positions.len();
        let mut primitive = Primitive {
            topology,
            indices,
            positions,
            material: Some(self.material(materials)?),
            ..Primitive::default()
        };
        let material = &materials.list[primitive.material.map_or(0, MaterialId::index)];
        self.read_attributes(&mut primitive, vertices)?;
        morph::read(self, &mut primitive)?;
        vertices::drop_unused(&mut primitive);
        if topology == Topology::Triangles {
            if primitive.normals.is_empty() {
                self.file
                    .reserve(primitive.indices.len() as u64 * 40, &self.name)?;
                normals::make_flat(&mut primitive);
            }
            tangents::complete(&mut primitive, material);
        } else {
            tangents::keep(&mut primitive, material);
        }
        self.complete_tex_coords(&mut primitive, material);
        Ok(Some(primitive))
    }

    fn material(&self, materials: &Materials) -> Result<MaterialId, LoadError> {
        let Some(index) = self.json.material else {
            return Ok(materials.default);
        };
        materials.ids.get(&index.value()).copied().ok_or_else(|| {
            let (index, count) = (index.value(), self.file.root.materials.len());
            LoadError::invalid(
                &*self.name,
                format!("refers to material {index} of {count}"),
            )
        })
    }

    fn indices(&self, vertices: usize) -> Result<(Topology, Vec<u32>), LoadError> {
        let Checked::Valid(mode) = self.json.mode else {
            return Err(LoadError::invalid(
                &*self.name,
                "its mode is none of 0 .. 6",
            ));
        };
        let indices = match self.json.indices {
            Some(index) => self.explicit_indices(index, vertices)?,
            None => (0..vertices.min(u32::MAX as usize) as u32).collect(),
        };
        let len = topology::list_len(mode, indices.len());
        self.file.reserve(len as u64 * 4, &self.name)?;
        let remainder = match mode {
            Mode::Triangles => indices.len() % 3,
            Mode::Lines => indices.len() % 2,
            _ => 0,
        };
        if remainder != 0 {
            self.file.warn(format!(
                "{}: {remainder} indices at its end are left out",
                self.name
            ));
        }
        Ok(topology::to_list(mode, indices))
    }

    fn explicit_indices(
        &self,
        index: Index<JsonAccessor>,
        vertices: usize,
    ) -> Result<Vec<u32>, LoadError> {
        let accessor = self.accessor(index, "indices")?;
        accessor.expect_shape(&[Type::Scalar])?;
        accessor.expect_component(&[ComponentType::U8, ComponentType::U16, ComponentType::U32])?;
        let indices = accessor.integers(|[index]| index);
        let outside = indices.iter().position(|&index| index as usize >= vertices);
        if let Some(at) = outside {
            let index = indices[at];
            let problem =
                format!("index {index} at position {at} lies outside the {vertices} vertices");
            return Err(accessor.error(problem));
        }
        Ok(indices)
    }

    fn read_attributes(&self, primitive: &mut Primitive, vertices: usize) -> Result<(), LoadError> {
        let file = self.file;
        if let Some(accessor) = self.stream(Semantic::Normals, vertices)? {
            accessor.expect_shape(&[Type::Vec3])?;
            primitive.normals = normals::unit(accessor.vectors(Vec3::from_array));
        }
        if let Some(accessor) = self.stream(Semantic::Tangents, vertices)? {
            accessor.expect_shape(&[Type::Vec4])?;
            primitive.tangents = accessor.vectors(Vec4::from_array);
        }
        for set in 0..MAX_TEX_COORDS as u32 {
            let Some(accessor) = self.stream(Semantic::TexCoords(set), vertices)? else {
                continue;
            };
            accessor.expect_shape(&[Type::Vec2])?;
            let stream = finite(
                file,
                &accessor,
                accessor.vectors(Vec2::from_array),
                Vec2::is_finite,
            );
            primitive.tex_coords.resize(set as usize, Vec::new());
            primitive.tex_coords.push(stream);
        }
        if let Some(accessor) = self.stream(Semantic::Colors(0), vertices)? {
            primitive.colors = colors(file, &accessor, 1.0)?;
        }
        let influences = skinning::read(self, vertices)?;
        (primitive.joints, primitive.weights) = (influences.joints, influences.weights);
        Ok(())
    }

    /// Fills texture coordinates that the material samples and the primitive lacks with (0, 0).
    fn complete_tex_coords(&self, primitive: &mut Primitive, material: &Material) {
        for slot in material.texture_slots().flatten() {
            let set = slot.tex_coord as usize;
            if primitive.tex_coords.get(set).is_none_or(Vec::is_empty) {
                self.file.warn(format!(
                    "{}: its material wants TEXCOORD_{set}, which it lacks",
                    self.name
                ));
                let sets = primitive.tex_coords.len().max(set + 1);
                primitive.tex_coords.resize(sets, Vec::new());
                primitive.tex_coords[set] = vec![Vec2::ZERO; primitive.positions.len()];
            }
        }
    }
}
