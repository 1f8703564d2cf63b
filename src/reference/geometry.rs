//! A scene's primitives in, vertex and index buffers out: one interleaved vertex buffer a primitive, as GPUs like it,
//! with skin influences and morph displacements in storage buffers beside it.

use glam::{Vec2, Vec3, Vec4};

use super::adapter::Gpu;
use super::layouts::{buffer, storage_buffer};
use azulejo_scene::{MorphTarget, Primitive, Topology};

/// Which streams a primitive's vertices have, interleaved in the order of the fields after the position.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub(super) struct VertexStreams {
    pub(super) normal: bool,
    pub(super) tangent: bool,
    pub(super) color: bool,
    pub(super) tex_coords: usize,
    /// Sets of four joints.
    pub(super) skin_sets: usize,
    pub(super) morph: bool,
    /// Morph targets move colours.
    pub(super) morph_color: bool,
}

impl VertexStreams {
    fn of(primitive: &Primitive) -> Self {
        Self {
            normal: !primitive.normals.is_empty(),
            tangent: !primitive.tangents.is_empty(),
            color: !primitive.colors.is_empty(),
            tex_coords: primitive.tex_coords.len(),
            skin_sets: primitive.joints.len().min(primitive.weights.len()),
            morph: !primitive.morph_targets.is_empty(),
            morph_color: primitive.morphs_colors(),
        }
    }

    /// Floats of one vertex.
    pub(super) fn stride(&self) -> usize {
        self.tex_coord_offset(self.tex_coords)
    }

    /// Offset of the normal in a vertex, in floats.
    pub(super) const NORMAL_OFFSET: usize = 3;

    pub(super) fn tangent_offset(&self) -> usize {
        Self::NORMAL_OFFSET + 3 * usize::from(self.normal)
    }

    pub(super) fn color_offset(&self) -> usize {
        self.tangent_offset() + 4 * usize::from(self.tangent)
    }

    pub(super) fn tex_coord_offset(&self, set: usize) -> usize {
        self.color_offset() + 4 * usize::from(self.color) + 2 * set
    }

    /// Floats of one vertex's displacements in one morph target, where every stream has its place.
    pub(super) fn morph_stride(&self) -> usize {
        13 + 2 * self.tex_coords
    }
}

/// A primitive that the driver holds.
#[derive(Debug)]
pub(super) struct PrimitiveBuffers {
    pub(super) streams: VertexStreams,
    pub(super) topology: Topology,
    pub(super) vertices: wgpu::Buffer,
    pub(super) n_vertices: u32,
    pub(super) indices: wgpu::Buffer,
    pub(super) n_indices: u32,
    pub(super) n_morph_targets: u32,
    pub(super) influences: wgpu::Buffer,
    pub(super) displacements: wgpu::Buffer,
}

impl PrimitiveBuffers {
    pub(super) fn upload(gpu: &Gpu, primitive: &Primitive) -> Self {
        let streams = VertexStreams::of(primitive);
        let vertices = interleaved(primitive, &streams);
        let influences = influences(primitive, &streams);
        let displacements = displacements(primitive, &streams);
        Self {
            streams,
            topology: primitive.topology,
            vertices: buffer(gpu, wgpu::BufferUsages::VERTEX, &vertices),
            n_vertices: primitive.positions.len() as u32,
            indices: buffer(gpu, wgpu::BufferUsages::INDEX, &primitive.indices),
            n_indices: primitive.indices.len() as u32,
            n_morph_targets: primitive.morph_targets.len() as u32,
            influences: storage_buffer(gpu, &influences, INFLUENCE_WORDS),
            displacements: storage_buffer(gpu, &displacements, 1),
        }
    }
}

/// 32-bit words of four joints and their weights.
const INFLUENCE_WORDS: usize = 8;

fn interleaved(primitive: &Primitive, streams: &VertexStreams) -> Vec<f32> {
    let mut out = Vec::with_capacity(primitive.positions.len() * streams.stride());
    for (vertex, position) in primitive.positions.iter().enumerate() {
        out.extend(position.to_array());
        if streams.normal {
            out.extend(primitive.normals[vertex].to_array());
        }
        if streams.tangent {
            out.extend(primitive.tangents[vertex].to_array());
        }
        if streams.color {
            out.extend(primitive.colors[vertex].to_array());
        }
        for set in &primitive.tex_coords {
            out.extend(set[vertex].to_array());
        }
    }
    out
}

fn influences(primitive: &Primitive, streams: &VertexStreams) -> Vec<u32> {
    let n_vertices = primitive.positions.len();
    let mut out = Vec::with_capacity(n_vertices * streams.skin_sets * INFLUENCE_WORDS);
    for vertex in 0..n_vertices {
        for (joints, weights) in primitive.joints.iter().zip(&primitive.weights) {
            out.extend(joints[vertex].map(u32::from));
            out.extend(weights[vertex].to_array().map(f32::to_bits));
        }
    }
    out
}

/// Displacements by target, then vertex: position, normal, tangent, colour and texture coordinates, zeros where a target
/// has none.
fn displacements(primitive: &Primitive, streams: &VertexStreams) -> Vec<u32> {
    let n_vertices = primitive.positions.len();
    let n_targets = primitive.morph_targets.len();
    let mut out = Vec::with_capacity(n_targets * n_vertices * streams.morph_stride());
    for target in &primitive.morph_targets {
        for vertex in 0..n_vertices {
            out.extend(displacement(target, vertex, streams.tex_coords));
        }
    }
    out
}

fn displacement(
    target: &MorphTarget,
    vertex: usize,
    n_tex_coords: usize,
) -> impl Iterator<Item = u32> {
    fn at<T: Copy + Default>(stream: &[T], vertex: usize) -> T {
        stream.get(vertex).copied().unwrap_or_default()
    }
    let position: Vec3 = at(&target.positions, vertex);
    let normal: Vec3 = at(&target.normals, vertex);
    let tangent: Vec3 = at(&target.tangents, vertex);
    let color: Vec4 = at(&target.colors, vertex);
    let tex_coords = (0..n_tex_coords).flat_map(move |set| {
        let of_set: Vec2 = target
            .tex_coords
            .get(set)
            .map_or(Vec2::ZERO, |stream| at(stream, vertex));
        of_set.to_array()
    });
    let fixed = [position, normal, tangent].map(|v| v.to_array());
    fixed
        .into_iter()
        .flatten()
        .chain(color.to_array())
        .chain(tex_coords)
        .map(f32::to_bits)
}
