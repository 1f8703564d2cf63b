//! Passes: lists of draws over attachments, dispatches, copies.

use std::ops::Range;

use wgpu_types::{Color, Extent3d, IndexFormat, Operations, TexelCopyBufferLayout};

use crate::bind::{BindGroup, Binding};
use crate::error::{Result, fault};
use crate::memory::{BufferId, TextureId, TexturePlace};
use crate::pipeline::{ComputePipeline, RenderPipeline};
use crate::view::TextureView;

/// Colour target of a pass.
#[derive(Debug, Clone, Copy)]
pub struct ColorAttachment {
    /// One level and layer of a texture.
    pub view: TextureView,
    /// First content of the tile, and whether it is kept.
    pub ops: Operations<Color>,
    /// Target of the mean of a pixel's samples.
    pub resolve: Option<TextureView>,
}

impl ColorAttachment {
    /// Whether its colours, or their means, are kept in a texture.
    pub(crate) fn is_in(&self, texture: TextureId) -> bool {
        let resolved = self.resolve.map(|view| view.texture);
        self.view.texture == texture || resolved == Some(texture)
    }
}

/// Depth and stencil of a pass.
#[derive(Debug, Clone, Copy)]
pub struct DepthStencilAttachment {
    /// One level and layer of a texture.
    pub view: TextureView,
    /// First depths, and whether they are kept; `None` where they are only read.
    pub depth: Option<Operations<f32>>,
    /// Likewise of the stencil.
    pub stencil: Option<Operations<u32>>,
}

/// Indices of a draw.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct IndexBuffer {
    /// The buffer.
    pub buffer: BufferId,
    /// First byte.
    pub offset: u64,
    /// Bits of an index.
    pub format: IndexFormat,
}

/// Rectangle of pixels that clip space is mapped to, and its range of depths.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ViewportRect {
    /// Left and upper edge, pixels.
    pub origin: [f32; 2],
    /// Width and height, pixels.
    pub size: [f32; 2],
    /// Depths of the near and the far plane.
    pub depth: [f32; 2],
}

/// One draw: vertices or indices, instances, and the state that is set for it.
#[derive(Debug, Clone)]
pub struct PassDraw<'a> {
    /// Programs and fixed state.
    pub pipeline: &'a RenderPipeline,
    /// Resources by group.
    pub groups: Vec<BindGroup>,
    /// Buffers with the first byte of each; [`VertexBuffer`](crate::VertexBuffer) says how they lie.
    pub vertex_buffers: Vec<Option<(BufferId, u64)>>,
    /// Indices, if vertices are not simply counted.
    pub indices: Option<IndexBuffer>,
    /// Vertices, or positions in the index buffer.
    pub elements: Range<u32>,
    /// Added to each index.
    pub base_vertex: i32,
    /// Instances.
    pub instances: Range<u32>,
    /// The whole target, unless it is given.
    pub viewport: Option<ViewportRect>,
    /// First column and row, width and height of the pixels that may change.
    pub scissor: Option<[u32; 4]>,
    /// Colour of [`BlendFactor::Constant`](wgpu_types::BlendFactor).
    pub blend_constant: Color,
    /// Reference of the stencil test.
    pub stencil_reference: u32,
}

impl<'a> PassDraw<'a> {
    /// So many vertices, one instance.
    #[must_use]
    pub fn new(pipeline: &'a RenderPipeline, vertices: u32) -> Self {
        Self {
            pipeline,
            groups: Vec::new(),
            vertex_buffers: Vec::new(),
            indices: None,
            elements: 0..vertices,
            base_vertex: 0,
            instances: 0..1,
            viewport: None,
            scissor: None,
            blend_constant: Color::TRANSPARENT,
            stencil_reference: 0,
        }
    }

    /// Whether a group has a view of a texture.
    pub(crate) fn binds(&self, texture: TextureId) -> bool {
        binds(&self.groups, texture)
    }
}

/// Draws over attachments.
#[derive(Debug, Clone, Default)]
pub struct RenderPass<'a> {
    /// Name in reports.
    pub label: String,
    /// Colour targets by location.
    pub colors: Vec<Option<ColorAttachment>>,
    /// Depth and stencil.
    pub depth_stencil: Option<DepthStencilAttachment>,
    /// Draws, in order.
    pub draws: Vec<PassDraw<'a>>,
}

/// Workgroups of a compute program.
#[derive(Debug, Clone)]
pub struct Dispatch<'a> {
    /// Its program.
    pub pipeline: &'a ComputePipeline,
    /// Resources by group.
    pub groups: Vec<BindGroup>,
    /// Workgroups along x, y, z.
    pub workgroups: [u32; 3],
}

/// Most workgroups along an axis, as WebGPU has them by default.
const MOST_ALONG: u32 = 65_535;

/// Most workgroups of a dispatch.
const MOST_WORKGROUPS: u64 = 1 << 24;

impl Dispatch<'_> {
    /// Refuses more workgroups than can be dispatched.
    pub(crate) fn check(&self) -> Result<()> {
        let workgroups = self.workgroups;
        let all = workgroups.map(u64::from).iter().product::<u64>();
        if workgroups.iter().any(|&along| along > MOST_ALONG) || all > MOST_WORKGROUPS {
            return Err(fault!(
                "workgroups {workgroups:?}; expected at most {MOST_ALONG} along an axis, and {MOST_WORKGROUPS} in all"
            ));
        }
        Ok(())
    }

    /// Whether a group has a view of a texture.
    pub(crate) fn binds(&self, texture: TextureId) -> bool {
        binds(&self.groups, texture)
    }
}

/// Whether a group has a view of a texture.
fn binds(groups: &[BindGroup], texture: TextureId) -> bool {
    let mut bindings = groups.iter().flat_map(|group| &group.0);
    bindings
        .any(|(_, binding)| matches!(binding, Binding::Texture(view) if view.texture == texture))
}

/// Content that moves.
#[derive(Debug, Clone, Copy)]
pub enum Copy {
    /// From buffer to buffer: buffers with their first bytes, and how many.
    Buffer {
        /// Source.
        from: (BufferId, u64),
        /// Target.
        to: (BufferId, u64),
        /// Bytes.
        bytes: u64,
    },
    /// From a buffer to a texture.
    ToTexture {
        /// Source, and how its rows lie.
        from: (BufferId, TexelCopyBufferLayout),
        /// Target.
        to: TexturePlace,
        /// Texels.
        size: Extent3d,
    },
    /// From a texture to a buffer.
    ToBuffer {
        /// Source.
        from: TexturePlace,
        /// Target, and how its rows lie.
        to: (BufferId, TexelCopyBufferLayout),
        /// Texels.
        size: Extent3d,
    },
    /// From texture to texture, of one format but for sRGB.
    Texture {
        /// Source.
        from: TexturePlace,
        /// Target.
        to: TexturePlace,
        /// Texels.
        size: Extent3d,
    },
}

impl Copy {
    /// Textures at its ends.
    pub(crate) fn textures(&self) -> [Option<TextureId>; 2] {
        match self {
            Self::Buffer { .. } => [None; 2],
            Self::ToTexture { to, .. } => [None, Some(to.texture)],
            Self::ToBuffer { from, .. } => [Some(from.texture), None],
            Self::Texture { from, to, .. } => [Some(from.texture), Some(to.texture)],
        }
    }
}

/// A part of a frame.
#[derive(Debug, Clone)]
pub enum Pass<'a> {
    /// Draws.
    Render(RenderPass<'a>),
    /// Dispatches, in order.
    Compute(Vec<Dispatch<'a>>),
    /// A copy.
    Copy(Copy),
}
