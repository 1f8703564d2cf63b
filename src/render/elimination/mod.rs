//! Rendering Elimination on the host: tiles whose inputs are those that a frame buffer's pixels were drawn from are not
//! drawn again (`rendering-elimination`, section III; the chip's savings are counted by the hardware model).
//!
//! A [`FrameBuffer`] keeps the inputs that each of its tiles was drawn from. Drawing alternately into two or three of them,
//! as a display's [`SwapChain`] does, compares with the frame that the buffer held, not with the one before.
//!
//! ```
//! # mod azulejo { pub use azulejo_render as render; pub use azulejo_scene as scene; pub use azulejo_simd as simd; }
//! use azulejo::render::elimination::{FrameBuffer, Onto};
//! # use azulejo::render::shading::{FragmentInputs, FragmentOutput, FragmentProgram, VaryingLayout};
//! # use azulejo::render::{Draw, DrawList, RenderSettings, Renderer, SimdLevel};
//! # use azulejo::scene::Primitive;
//! # use azulejo::simd::Lanes;
//! # use glam::Vec3;
//! # struct White;
//! # impl FragmentProgram for White {
//! #     fn varyings(&self) -> VaryingLayout {
//! #         VaryingLayout::default()
//! #     }
//! #     fn shade<L: Lanes>(&self, l: L, _: &FragmentInputs<L>) -> FragmentOutput<L> {
//! #         FragmentOutput { rgba: [l.f(1.0); 4], keep: l.mask(0xffff) }
//! #     }
//! # }
//! # let triangle = Primitive {
//! #     positions: [[-1.0, -1.0], [3.0, -1.0], [-1.0, 3.0]].map(|[x, y]| Vec3::new(x, y, 0.5)).into(),
//! #     indices: vec![0, 1, 2],
//! #     ..Primitive::default()
//! # };
//! # let settings = RenderSettings { width: 64, height: 32, ..RenderSettings::default() };
//! # let draw = Draw { double_sided: true, ..Draw::new(&triangle, White) };
//! # let list = DrawList::new(vec![draw], settings);
//! # let mut renderer = Renderer::new(1, SimdLevel::Auto)?;
//!
//! // `list` is any frame.
//! let mut buffer = FrameBuffer::default();
//! let first = renderer.draw(&list, Onto::new(&mut buffer));
//! let again = renderer.draw(&list, Onto::new(&mut buffer));
//! assert_eq!((first.tiles.n_kept(), again.tiles.n_kept()), (0, 2), "of two tiles");
//! assert_eq!(buffer.picture().pixels.len(), 64 * 32);
//! # Ok::<(), azulejo::render::RendererError>(())
//! ```
//!
//! | file | what it does |
//! |---|---|
//! | `frame_digest` | before any stage: is this the frame that the buffer holds? |
//! | `motion` | which draws have moved, so that all tiles that they reach have changed |
//! | `signature` | messages of draws, triangles and tiles, and their CRC32 |
//! | `signer` | signs draws, triangles while lists are filled, and tiles, on all threads |
//! | `frame_buffer` | compares signatures with those of the buffer |
//! | `outcomes` | which tiles were drawn or left out, and why |
//! | `onto` | the sink that puts it together |
//!
//! Stages do not depend on it: the frame loop has it sign the data that they leave.

mod frame_buffer;
mod frame_digest;
mod motion;
mod onto;
mod outcomes;
mod signature;
mod signer;

pub use frame_buffer::{FrameBuffer, SwapChain};
pub use onto::Onto;
pub use outcomes::{Equality, Redrawn, TileOutcomes, TileReason};
pub use signature::{Signature, sign_triangles};
pub(super) use signer::{Signer, Signing, signed_draws};
