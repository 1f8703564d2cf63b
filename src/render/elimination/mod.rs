//! Rendering Elimination on the host: tiles whose inputs are those that a frame buffer's pixels were drawn from are not drawn
//! again (`rendering-elimination`, section III; what the chip saves is the hardware model's business).
//!
//! A [`FrameBuffer`] keeps what each of its tiles was drawn from. Whoever draws alternately into two or three of them, as a
//! display's [`SwapChain`] does, compares with the frame that the buffer held, not with the one before.
//!
//! | file | what it does |
//! |---|---|
//! | `frame_digest` | before any stage: is this the frame that the buffer holds? |
//! | `signature` | messages of draws, triangles and tiles, and their CRC32 |
//! | `signer` | signs while triangles are binned and lists are filled, on all threads |
//! | `frame_buffer` | compares signatures with those of the buffer |
//! | `outcomes` | which tiles were drawn or left out, and why |
//! | `onto` | the sink that puts it together |
//!
//! Stages know nothing of it: the frame loop asks it to sign what they leave.

mod frame_buffer;
mod frame_digest;
mod onto;
mod outcomes;
mod signature;
mod signer;

pub use frame_buffer::{FrameBuffer, SwapChain};
pub use onto::Onto;
pub use outcomes::{Equality, Redrawn, TileOutcomes, TileReason};
pub use signature::{Signature, sign_triangles};
pub(super) use signer::{Signer, Signing};
