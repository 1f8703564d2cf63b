//! One primitive of the file and its attributes as checked accessors: what mesh, morph targets and skinning read through.

use glam::Vec4;
use gltf::json::Index;
use gltf::json::accessor::{Accessor as JsonAccessor, Type};
use gltf::json::mesh::{Primitive as Json, Semantic};
use gltf::json::validation::Checked;

use super::accessor::Accessor;
use super::error::LoadError;
use super::file::File;

/// One primitive of the file.
pub(super) struct Part<'a> {
    pub file: &'a File,
    pub json: &'a Json,
    /// Indices of mesh and primitive.
    pub at: (usize, usize),
    /// Name of the primitive in messages.
    pub name: String,
}

impl Part<'_> {
    /// The accessor of an attribute, if the primitive has it.
    pub(super) fn attribute(&self, semantic: Semantic) -> Result<Option<Accessor<'_>>, LoadError> {
        let name = semantic.to_string();
        let index = self.json.attributes.get(&Checked::Valid(semantic));
        index.map(|&index| self.accessor(index, &name)).transpose()
    }

    /// The accessor `index`; `purpose` is what messages say it is read for, such as `indices`.
    pub(super) fn accessor(
        &self,
        index: Index<JsonAccessor>,
        purpose: &str,
    ) -> Result<Accessor<'_>, LoadError> {
        let purpose = format!("{purpose} of {}", self.name);
        Accessor::new(self.file, index.value(), &purpose)
    }

    /// The accessor of an attribute with one element a vertex.
    pub(super) fn stream(
        &self,
        semantic: Semantic,
        vertices: usize,
    ) -> Result<Option<Accessor<'_>>, LoadError> {
        let accessor = self.attribute(semantic)?;
        accessor
            .map(|accessor| of_count(accessor, vertices))
            .transpose()
    }
}

/// Refuses an accessor that has not one element a vertex.
pub(super) fn of_count(accessor: Accessor<'_>, vertices: usize) -> Result<Accessor<'_>, LoadError> {
    if accessor.count == vertices {
        return Ok(accessor);
    }
    let problem = format!("has {} elements for {vertices} vertices", accessor.count);
    Err(accessor.error(problem))
}

/// Linear RGBA of a COLOR attribute; three components get `alpha`.
pub(super) fn colors(
    file: &File,
    accessor: &Accessor<'_>,
    alpha: f32,
) -> Result<Vec<Vec4>, LoadError> {
    accessor.expect_shape(&[Type::Vec3, Type::Vec4])?;
    let mut colors = finite(
        file,
        accessor,
        accessor.vectors(Vec4::from_array),
        Vec4::is_finite,
    );
    if accessor.shape == Type::Vec3 {
        colors.iter_mut().for_each(|color| color.w = alpha);
    }
    Ok(colors)
}

/// Elements that are no numbers or infinite become zero, with a warning.
pub(super) fn finite<T: Copy + Default>(
    file: &File,
    accessor: &Accessor<'_>,
    mut values: Vec<T>,
    is_finite: fn(T) -> bool,
) -> Vec<T> {
    let mut repaired = 0;
    for value in values.iter_mut().filter(|value| !is_finite(**value)) {
        *value = T::default();
        repaired += 1;
    }
    if repaired > 0 {
        let element = &accessor.element;
        file.warn(format!(
            "{element}: {repaired} elements are not finite and taken as 0"
        ));
    }
    values
}
