//! Shading: programs that turn a quad's interpolated varyings into colours.
//!
//! A program is a value that implements [`FragmentProgram`]: its constants are resolved for one draw of one frame, so what
//! a material lacks is decided once for sixteen lanes. [`DrawProgram`] holds the built-in ones; the formulas stand in
//! [`pbr`].
//!
//! A program of your own, drawn over the whole picture; `examples/own_program.rs` also samples a texture and executes its
//! program on a machine:
//!
//! ```
//! # mod azulejo { pub use azulejo_render as render; pub use azulejo_scene as scene; pub use azulejo_simd as simd; }
//! use azulejo::render::shading::{FragmentInputs, FragmentOutput, FragmentProgram, VaryingLayout};
//! use azulejo::render::{Draw, DrawList, Recording, RenderSettings, Renderer, SimdLevel, ToneMap};
//! use azulejo::scene::Primitive;
//! use azulejo::simd::Lanes;
//! use glam::Vec3;
//!
//! /// Red grows to the right, from 0 to 1.
//! struct Ramp {
//!     width: f32,
//! }
//!
//! impl FragmentProgram for Ramp {
//!     fn varyings(&self) -> VaryingLayout {
//!         VaryingLayout::default() // none: the pixel's position is enough
//!     }
//!
//!     #[inline(always)]
//!     fn shade<L: Lanes>(&self, l: L, inputs: &FragmentInputs<L>) -> FragmentOutput<L> {
//!         let [x, _] = inputs.position_px;
//!         FragmentOutput {
//!             rgba: [x * l.f(1.0 / self.width), l.f(0.0), l.f(0.0), l.f(1.0)],
//!             keep: l.mask(0xffff),
//!         }
//!     }
//! }
//!
//! let triangle = Primitive {
//!     positions: [[-1.0, -1.0], [3.0, -1.0], [-1.0, 3.0]].map(|[x, y]| Vec3::new(x, y, 0.5)).into(),
//!     indices: vec![0, 1, 2],
//!     ..Primitive::default()
//! };
//! let draw = Draw { double_sided: true, ..Draw::new(&triangle, Ramp { width: 64.0 }) };
//! let settings = RenderSettings { width: 64, height: 32, tone_map: ToneMap::None, ..RenderSettings::default() };
//! let mut renderer = Renderer::new(1, SimdLevel::Auto)?;
//! let frame = renderer.draw(&DrawList::new(vec![draw], settings), Recording::Off);
//! assert_eq!(frame.picture.pixels[63], [254, 0, 0, 255]);
//! # Ok::<(), azulejo::render::RendererError>(())
//! ```

mod albedo;
mod behind;
mod brdf;
mod coat;
mod code;
#[cfg(test)]
mod exact;
mod film;
#[cfg(test)]
mod film_tests;
mod flat;
mod fragment;
mod frame_constants;
#[cfg(test)]
mod furnace_tests;
mod grain;
#[cfg(test)]
mod horizon_tests;
mod image_light;
mod layer_inputs;
#[cfg(test)]
mod layer_samples;
#[cfg(test)]
mod layer_tests;
mod layered;
mod light;
mod lobe;
pub mod pbr;
mod program;
mod radiance_sum;
mod roughness;
mod sheen;
mod sky;
mod source;
mod special;
mod surface_inputs;
pub mod texture;
mod through;
mod through_light;
#[cfg(test)]
mod through_tests;
mod unlit;
mod vector;

use azulejo_record::{Recorder, Tape, TapeLog, Unit, count_textures};
use azulejo_simd::Lanes;

pub use behind::Behind;
pub use code::{CODE_BLOCKS, CodeBatch, CodeQuad, CodeQuads, CodeRow, FragmentCode, shade_by_code};
pub use flat::FlatSurface;
pub(crate) use flat::{AffineTriangle, FlatTriangle, SlantedAlphas};
pub use fragment::{FragmentInputs, FragmentOutput};
pub use frame_constants::FrameConstants;
pub use layered::Layered;
pub use pbr::MetallicRoughness;
pub use program::DrawProgram;
pub use sky::Sky;
pub use source::ProgramSource;
pub(crate) use texture::{BlockCells, FlatMemo, FlatPlace, Reach, SlantedTriangle};
pub use through::BehindView;
pub use unlit::Unlit;

pub use super::geometry::{MAX_TEX_COORDS, MAX_VARYINGS, VaryingLayout};

/// The instruction list of a program: varyings, body, colour handed over. Texture instructions name what they sample, by
/// its position among `tables` ([`DrawList::tables`](crate::DrawList::tables)) or by content.
#[must_use]
pub fn record(program: &impl FragmentProgram, tables: &[&[u32]]) -> Tape {
    if let Some(code) = program.code() {
        return code.tape(tables);
    }
    Tape::record_knowing(tables, |recorder| run_on(program, recorder))
}

/// Texture instructions of a program: as many as [`record`] lists, found for a fraction of the work.
#[must_use]
pub(crate) fn count_texture_instructions(program: &impl FragmentProgram) -> u32 {
    if let Some(code) = program.code() {
        return code.tape(&[]).count(Unit::Texture) as u32;
    }
    count_textures(|recorder| run_on(program, recorder))
}

fn run_on<T: TapeLog>(program: &impl FragmentProgram, recorder: Recorder<'_, T>) {
    let layout = program.varyings();
    let mut inputs = FragmentInputs::zero(recorder);
    let mut offsets = layout.attribute_offsets().map(usize::from).peekable();
    while let Some(begin) = offsets.next() {
        let end = offsets.peek().copied().unwrap_or(usize::from(layout.len));
        recorder.varyings(&mut inputs.varyings[begin..end]);
    }
    let output = program.shade(recorder, &inputs);
    recorder.output(&output.rgba);
    recorder.decides(output.keep);
}

/// A fragment program: one source for every lane type.
///
/// Constants of the program are the fields of the value. Nothing else needs to be declared: the program runs once on
/// recording lanes where its instructions, textures or constants are asked for.
pub trait FragmentProgram {
    /// Varyings that it reads, with their positions.
    fn varyings(&self) -> VaryingLayout;
    /// Computation of the program as data, if that is a flat surface: then triangles without perspective are drawn by a
    /// shorter way, and blocks of others are not shaded where their texture is transparent all over. `None` promises
    /// nothing.
    fn flat(&self) -> Option<FlatSurface<'_>> {
        None
    }
    /// Whether there may be [code](Self::code); of programs without it no instruction asks for any.
    const HAS_CODE: bool = false;
    /// Code that executes itself, if the program is such: it then runs instead of [`Self::shade`].
    #[inline(always)]
    fn code(&self) -> Option<&dyn FragmentCode> {
        None
    }
    /// Shades sixteen lanes; helper lanes (outside the coverage) run too, so that derivatives exist.
    fn shade<L: Lanes>(&self, lanes: L, inputs: &FragmentInputs<L>) -> FragmentOutput<L>;
}
