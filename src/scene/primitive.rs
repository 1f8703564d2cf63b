//! Geometry: vertex streams and index lists, decoded to plain arrays.

use std::hash::{BuildHasher, Hasher};

use foldhash::quality::FixedState;
use glam::{Vec2, Vec3, Vec4};

use super::MaterialId;

/// Texture coordinate sets that a primitive can have; textures that sample sets beyond are left out at load, with a
/// warning.
pub const MAX_TEX_COORDS: usize = 4;

/// Meaning of three, two or one consecutive indices. Strips, fans and loops are turned into lists at load.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub enum Topology {
    /// One index a point.
    Points,
    /// Two indices a line.
    Lines,
    /// Three indices a triangle, counter-clockwise seen from the front.
    #[default]
    Triangles,
}

impl Topology {
    /// Indices of one primitive.
    #[must_use]
    pub const fn vertices(self) -> usize {
        match self {
            Self::Points => 1,
            Self::Lines => 2,
            Self::Triangles => 3,
        }
    }
}

/// Vertices and indices drawn with one material. All non-empty streams have as many elements as `positions`.
///
/// The loader guarantees: every index is below the vertex count and the index count is a multiple of
/// [`Topology::vertices`]; triangles have normals, and tangents where the material has a normal map; points and lines have
/// what the file gives them.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Primitive {
    /// Meaning of the indices.
    pub topology: Topology,
    /// Indices of vertices, as many for each primitive as [`Topology::vertices`] says.
    pub indices: Vec<u32>,
    /// Vertex positions, local space, metres.
    pub positions: Vec<Vec3>,
    /// Unit normals, local space; empty for unlit points and lines without normals.
    pub normals: Vec<Vec3>,
    /// Unit tangents, local space; w = ±1 is the bitangent's sign. Empty where no normal map needs them.
    pub tangents: Vec<Vec4>,
    /// Texture coordinate sets, `TEXCOORD_0` first; (0, 0) is the upper left corner of an image.
    pub tex_coords: Vec<Vec<Vec2>>,
    /// Linear RGBA vertex colours; empty means white. Files give 0 .. 1, or any numbers where morph targets move them: the
    /// sum is limited to 0 .. 1 (glTF 2.0, 3.7.2.2).
    pub colors: Vec<Vec4>,
    /// Joint indices into the skin, four an influence set, set 0 first.
    pub joints: Vec<Vec<[u16; 4]>>,
    /// Weights of the joints, as many sets as `joints`.
    pub weights: Vec<Vec<Vec4>>,
    /// Displacements, in the order of the morph weights.
    pub morph_targets: Vec<MorphTarget>,
    /// Material of the primitive; `None` is not drawn.
    pub material: Option<MaterialId>,
}

/// Displacements of a primitive's vertices at weight 1; an empty stream displaces nothing.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct MorphTarget {
    /// Displacements of positions, metres.
    pub positions: Vec<Vec3>,
    /// Displacements of normals, local space.
    pub normals: Vec<Vec3>,
    /// Added to the tangents' direction.
    pub tangents: Vec<Vec3>,
    /// Added to texture coordinates, by set.
    pub tex_coords: Vec<Vec<Vec2>>,
    /// Added to vertex colours.
    pub colors: Vec<Vec4>,
}

impl Primitive {
    /// Whether a morph target moves vertex colours.
    #[must_use]
    pub fn morphs_colors(&self) -> bool {
        let mut targets = self.morph_targets.iter();
        targets.any(|target| !target.colors.is_empty())
    }

    /// A 64-bit digest of topology, indices and all vertex streams, the same on every run; the material does not count.
    #[must_use]
    pub fn geometry_digest(&self) -> u64 {
        let mut hasher = FixedState::default().build_hasher();
        let topology = match self.topology {
            Topology::Points => 0,
            Topology::Lines => 1,
            Topology::Triangles => 2_u8,
        };
        put_stream(&mut hasher, &[topology]);
        put_stream(&mut hasher, &self.indices);
        put_stream(&mut hasher, &self.positions);
        put_stream(&mut hasher, &self.normals);
        put_stream(&mut hasher, &self.tangents);
        put_streams(&mut hasher, &self.tex_coords);
        put_stream(&mut hasher, &self.colors);
        put_streams(&mut hasher, &self.joints);
        put_streams(&mut hasher, &self.weights);
        for target in &self.morph_targets {
            let MorphTarget {
                positions,
                normals,
                tangents,
                tex_coords,
                colors,
            } = target;
            put_streams(&mut hasher, &[positions, normals, tangents]);
            put_streams(&mut hasher, tex_coords);
            put_stream(&mut hasher, colors);
        }
        hasher.finish()
    }
}

/// A stream with its length, so that what moves from one to the next is not the same.
#[doc(hidden)]
pub fn put_stream<T: bytemuck::NoUninit>(hasher: &mut impl Hasher, values: &[T]) {
    hasher.write_usize(values.len());
    hasher.write(bytemuck::cast_slice(values));
}

fn put_streams<T: bytemuck::NoUninit>(hasher: &mut impl Hasher, streams: &[impl AsRef<[T]>]) {
    hasher.write_usize(streams.len());
    for stream in streams {
        put_stream(hasher, stream.as_ref());
    }
}
