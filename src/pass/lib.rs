//! Frames as passes: what an application records with WebGPU, drawn by the tile pipeline with programs in WGSL.
//!
//! A [`Memory`] has buffers and textures; [`Pass`]es draw, compute and copy in it. Formats, blending, tests, samplers and
//! topologies bear the names of WebGPU (they are those of [`types`]). A [`Device`] runs passes: vertices through their
//! program, triangles into tiles' lists, and each tile's attachments loaded or cleared, drawn in buffers of its own,
//! resolved and stored. Colours are rounded to their format after every blend. The bytes are the same for every number of
//! threads and every instruction set.
//!
//! Left out, and said by an error: compressed formats, queries, indirect draws, blending by a second source. Anisotropy is
//! taken as 1.
//!
//! ```
//! # mod azulejo { pub use azulejo_pass as pass; pub use azulejo_shader as shader; pub use azulejo_simd as simd; }
//! use azulejo::pass::types::{Color, LoadOp, Operations, StoreOp, TextureFormat};
//! use azulejo::pass::{
//!     ColorAttachment, Device, Memory, Pass, PassDraw, RenderPass, RenderPipeline, RenderPipelineSpec, TexturePlace,
//!     TextureSpec, TextureView,
//! };
//! use azulejo::shader::Module;
//! use azulejo::simd::SimdLevel;
//!
//! let module = Module::parse("
//!     @vertex fn corner(@builtin(vertex_index) i: u32) -> @builtin(position) vec4f {
//!         return vec4f(f32(i / 2) * 4 - 1, f32(i % 2) * 4 - 1, 0, 1);
//!     }
//!     @fragment fn red() -> @location(0) vec4f { return vec4f(1, 0, 0, 1); }")?;
//! let (vertex, fragment) = (module.compile("corner", &[])?, module.compile("red", &[])?);
//! let format = TextureFormat::Rgba8Unorm;
//! let pipeline = RenderPipeline::new(RenderPipelineSpec::new(vertex, fragment, format.into()))?;
//!
//! let mut memory = Memory::default();
//! let spec = TextureSpec::of_2d(format, 64, 48);
//! let target = memory.texture(spec)?;
//! let ops = Operations { load: LoadOp::Clear(Color::BLACK), store: StoreOp::Store };
//! let pass = RenderPass {
//!     colors: vec![Some(ColorAttachment { view: TextureView::of(target), ops, resolve: None })],
//!     draws: vec![PassDraw::new(&pipeline, 3)],
//!     ..RenderPass::default()
//! };
//! let device = Device::new(1, SimdLevel::Auto)?;
//! let counters = device.run(&mut memory, &[Pass::Render(pass)])?;
//! let picture = memory.read_texture(TexturePlace::start(target), spec.size)?;
//! assert_eq!(picture[..4], [255, 0, 0, 255]);
//! assert_eq!(counters[0].stored_bytes, 64 * 48 * 4);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod assembled;
mod attach;
mod bind;
mod blocks;
mod compute;
mod copy;
mod counters;
mod cube;
mod device;
mod elements;
mod error;
mod fixed;
mod images;
mod lines;
mod memory;
mod moves;
mod numbers;
mod observe;
mod pass;
mod pipeline;
mod prepare;
mod raster;
mod run;
mod sample;
mod shade;
mod submit;
mod texel;
mod tile;
mod tiles;
mod trace;
mod vertex;
mod view;

#[cfg(test)]
mod tests;

/// WebGPU's words for formats, states and operations.
pub use wgpu_types as types;

pub use attach::TILE_BYTES;
pub use bind::{BindGroup, Binding};
pub use counters::PassCounters;
pub use device::Device;
pub use error::PassError;
pub use memory::{BufferId, Memory, TextureId, TexturePlace, TextureSpec};
pub use pass::{
    ColorAttachment, Copy, DepthStencilAttachment, Dispatch, IndexBuffer, Pass, PassDraw,
    RenderPass, ViewportRect,
};
pub use pipeline::{ComputePipeline, RenderPipeline, RenderPipelineSpec, VertexBuffer};
pub use sample::Sampler;
pub use view::TextureView;
