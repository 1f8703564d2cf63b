//! A draw: what the command processor gets, and what became of its vertices and primitives up to the Parameter Buffer.

use super::{BufferAccesses, GeometryCounters};

/// Index of a program in [`super::FrameTrace::programs`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ProgramId(pub u32);

/// Index of a texture in [`super::FrameTrace::textures`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TextureIdx(pub u32);

/// Index of a path in [`super::FrameTrace::paths`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PathIdx(pub u32);

/// State that no program sees.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct FixedFunction {
    /// Fragments are tested against the depth buffer.
    pub depth_test: bool,
    /// Fragments that pass replace the depth.
    pub depth_write: bool,
    /// The test comes after the fragment program, because that may discard.
    pub late_depth: bool,
    /// The colour is mixed with the one in the tile buffer.
    pub blend: bool,
}

/// One array of vertex attributes that the vertex program reads: vertex v reads
/// `bytes` bytes at `offset + v * stride` of the buffer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct VertexStream {
    /// Index of the buffer in [`super::FrameTrace::buffers`].
    pub buffer: u32,
    /// Offset of vertex 0, in bytes.
    pub offset: u64,
    /// Distance from one vertex to the next, in bytes.
    pub stride: u32,
    /// Read for each vertex.
    pub bytes: u32,
    /// Elements are instances: each vertex of instance i reads element i.
    pub per_instance: bool,
}

/// The index array of a draw, read once from front to back.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct IndexFetch {
    /// Index of the buffer in [`super::FrameTrace::buffers`].
    pub buffer: u32,
    /// Offset of the first index, in bytes.
    pub offset: u64,
    /// 1, 2 or 4.
    pub bytes_per_index: u32,
    /// How many indices are read.
    pub count: u32,
}

/// Assembly result of one primitive that came in.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, bytemuck::Pod, bytemuck::Zeroable)]
#[repr(C)]
pub struct Assembled {
    /// Vertex program runs that it had to wait for: as many of the next entries of [`DrawTrace::vertices`].
    pub new_vertices: u8,
    /// Triangles of it in the Parameter Buffer: 0 = culled, above 1 = clipped, or a line or point.
    pub binned: u8,
}

/// One draw of a frame.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DrawTrace {
    /// Mesh and material names.
    pub name: String,
    /// Runs once for each entry of `vertices`.
    pub vertex_program: ProgramId,
    /// Runs once for each shaded fragment.
    pub fragment_program: ProgramId,
    /// Size of the draw's constants (uniforms of both programs) in bytes.
    pub constant_bytes: u32,
    /// Bytes of the constants that a driver sets for this draw: the words that differ from those which the frame's last
    /// draw with the same two programs read, all of them where there is none. At most `constant_bytes`.
    pub set_constant_bytes: u32,
    /// CRC32 of the constants.
    pub constant_digest: u32,
    /// Depth test and blending.
    pub state: FixedFunction,
    /// Textures that the fragment program's texture instructions sample, in program order.
    pub textures: Vec<TextureIdx>,
    /// Buffers that the vertex program's loads, stores and atomics access, in program order: indices in
    /// [`super::FrameTrace::buffers`].
    pub vertex_buffers: Vec<u32>,
    /// Likewise of the fragment program's.
    pub fragment_buffers: Vec<u32>,
    /// `None` where vertices are taken in storage order.
    pub indices: Option<IndexFetch>,
    /// Vertex attributes that the vertex program reads.
    pub vertex_streams: Vec<VertexStream>,
    /// Vertex indices in the order in which the vertex program runs, after reuse of transformed vertices.
    pub vertices: Vec<u32>,
    /// Instances, at least one: as many equal parts of `vertices`, each of which reads the indices once.
    pub instances: u32,
    /// Path of each of these where the vertex program branches, else empty.
    pub vertex_paths: Vec<PathIdx>,
    /// Lines that each of these vertices accessed.
    pub vertex_accesses: BufferAccesses,
    /// One for each primitive that came in, in order.
    pub assembled: Vec<Assembled>,
    /// Triangles in the Parameter Buffer; their numbers follow those of the draw before.
    pub n_primitives: u32,
    /// Attributes of each of these triangles: the position and every varying, each padded to three vec4 = 48 bytes
    /// (Rendering Elimination, section III-G).
    pub n_attributes: u8,
    /// Counters from the input assembly to the Parameter Buffer.
    pub counters: GeometryCounters,
}

/// Bytes of one attribute of one triangle in the Parameter Buffer: 3 vertices x 4 components x 4 bytes.
pub const ATTRIBUTE_BYTES: u64 = 48;

impl DrawTrace {
    /// Bytes of attributes of one triangle in the Parameter Buffer.
    #[must_use]
    pub fn primitive_bytes(&self) -> u64 {
        ATTRIBUTE_BYTES * u64::from(self.n_attributes)
    }
}
