//! Morph targets: displacements of positions, normals, tangents, texture coordinates and colours (glTF 2.0, 3.7.2.2).

use glam::{Vec2, Vec3, Vec4};
use gltf::json::Index;
use gltf::json::accessor::{Accessor as JsonAccessor, Type};
use gltf::json::mesh::MorphTarget as Json;

use super::accessor::Accessor;
use super::error::LoadError;
use super::part::{Part, colors, finite, of_count};
use crate::{MorphTarget, Primitive};

/// Reads the targets of a primitive whose own attributes have been read. Colours that no target moves are limited to 0 .. 1 for
/// good; those of the others are limited once they are morphed.
pub(super) fn read(part: &Part<'_>, primitive: &mut Primitive) -> Result<(), LoadError> {
    let targets = part.json.targets.iter().flatten().enumerate();
    for (number, json) in targets {
        let reader = Reader {
            part,
            number,
            primitive,
        };
        let target = reader.read(json)?;
        primitive.morph_targets.push(target);
    }
    if !primitive.morphs_colors() {
        for color in &mut primitive.colors {
            *color = color.clamp(Vec4::ZERO, Vec4::ONE);
        }
    }
    Ok(())
}

/// Weights that JSON could write but no picture can hold become 0.
pub(super) fn finite_weights(weights: &[f32]) -> Vec<f32> {
    let finite = |&weight: &f32| if weight.is_finite() { weight } else { 0.0 };
    weights.iter().map(finite).collect()
}

/// One target of one primitive.
struct Reader<'a> {
    part: &'a Part<'a>,
    number: usize,
    primitive: &'a Primitive,
}

impl<'a> Reader<'a> {
    fn read(&self, json: &Json) -> Result<MorphTarget, LoadError> {
        let mut target = MorphTarget {
            positions: self.shifts(json.positions, "POSITION")?,
            ..MorphTarget::default()
        };
        // Without normals of its own the primitive gets flat ones, here as at rest, and tangents follow the normals.
        if !self.primitive.normals.is_empty() {
            target.normals = self.shifts(json.normals, "NORMAL")?;
            if !self.primitive.tangents.is_empty() {
                target.tangents = self.shifts(json.tangents, "TANGENT")?;
            }
        }
        let (mesh, primitive) = self.part.at;
        let extra = self
            .part
            .file
            .extra_morphs
            .get(&(mesh, primitive, self.number));
        for (semantic, accessor) in extra.into_iter().flatten() {
            self.read_extra(&mut target, semantic, Index::new(*accessor))?;
        }
        Ok(target)
    }

    fn shifts(
        &self,
        index: Option<Index<JsonAccessor>>,
        semantic: &str,
    ) -> Result<Vec<Vec3>, LoadError> {
        let Some(index) = index else {
            return Ok(Vec::new());
        };
        let accessor = self.accessor(index, semantic)?;
        accessor.expect_shape(&[Type::Vec3])?;
        let shifts = accessor.vectors(Vec3::from_array);
        Ok(unless_zero(finite(
            self.part.file,
            &accessor,
            shifts,
            Vec3::is_finite,
        )))
    }

    fn accessor(
        &self,
        index: Index<JsonAccessor>,
        semantic: &str,
    ) -> Result<Accessor<'a>, LoadError> {
        let purpose = format!(
            "{semantic} of morph target {} of {}",
            self.number, self.part.name
        );
        let accessor = Accessor::new(self.part.file, index.value(), &purpose)?;
        of_count(accessor, self.primitive.positions.len())
    }

    fn read_extra(
        &self,
        target: &mut MorphTarget,
        semantic: &str,
        index: Index<JsonAccessor>,
    ) -> Result<(), LoadError> {
        let file = self.part.file;
        let set = semantic
            .split_once('_')
            .and_then(|(_, set)| set.parse::<usize>().ok());
        let is_color = semantic.starts_with("COLOR_");
        let has_base = |set: usize| match is_color {
            true => set == 0 && !self.primitive.colors.is_empty(),
            false => self
                .primitive
                .tex_coords
                .get(set)
                .is_some_and(|set| !set.is_empty()),
        };
        let Some(set) = set.filter(|&set| has_base(set)) else {
            let name = &self.part.name;
            file.warn(format!(
                "{name}: a morph target's {semantic} has nothing to move: left out"
            ));
            return Ok(());
        };
        let accessor = self.accessor(index, semantic)?;
        if is_color {
            target.colors = unless_zero(colors(file, &accessor, 0.0)?);
            return Ok(());
        }
        accessor.expect_shape(&[Type::Vec2])?;
        let shifts = finite(
            file,
            &accessor,
            accessor.vectors(Vec2::from_array),
            Vec2::is_finite,
        );
        target
            .tex_coords
            .resize(target.tex_coords.len().max(set + 1), Vec::new());
        target.tex_coords[set] = unless_zero(shifts);
        Ok(())
    }
}

/// A stream that displaces nothing is empty.
fn unless_zero<T: PartialEq + Default>(shifts: Vec<T>) -> Vec<T> {
    if shifts.iter().all(|shift| *shift == T::default()) {
        return Vec::new();
    }
    shifts
}
