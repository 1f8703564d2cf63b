//! Programs that anybody wrote: WGSL becomes a list of instructions over registers, and runs on lanes in batches of 64.
//!
//! naga parses and validates. [`Module::compile`] inlines functions, splits values into numbers, moves what is the same in
//! all lanes to a prologue, and leaves regions (if, loop, switch) as markers; a [`Runner`] executes that with a stack of
//! lane masks. An error names an unsupported construct and its line.
//!
//! Out-of-bounds accesses are clamped; division by zero and shifts are WGSL's. Lanes that are discarded go on as helpers while
//! another lane of their quad is left. [`TracedCode`] runs as well, and gives the program and the paths that a trace has.
//! The results are the same bytes for every instruction set.
//!
//! ```
//! # mod azulejo { pub use azulejo_shader as shader; pub use azulejo_simd as simd; }
//! use azulejo::shader::{Buffer, Module, NoTextures, Resources, Runner};
//! use azulejo::simd::SimdLevel;
//!
//! let source = "
//!     @group(0) @binding(0) var<storage, read_write> numbers: array<u32>;
//!     @compute @workgroup_size(64) fn double(@builtin(global_invocation_id) id: vec3<u32>) {
//!         numbers[id.x] = numbers[id.x] * 2u;
//!     }";
//! let code = Module::parse(source)?.compile("double", &[])?;
//! let mut numbers: Vec<u32> = (0..128).collect();
//! let mut resources =
//!     Resources::new(&code, &NoTextures).with(&code, (0, 0), Buffer::Write(&mut numbers));
//! let runner = Runner::new(&code, SimdLevel::Auto.backend()?, &mut resources)?;
//! runner.dispatch([2, 1, 1], &mut resources)?;
//! assert_eq!(numbers[100], 200);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod code;
mod draw;
mod error;
mod layout;
mod listing;
mod lower;
mod operation;
mod run;
mod source;
#[cfg(test)]
mod tests;
mod traced;

pub use code::{
    BindingCode, BindingKind, Code, ImageAccess, ImageCode, Instruction, Interface, Interpolation,
    NONE, Register, Sampling, ScalarType, Slot, Stage, TextureContent, TextureKind,
};
pub use draw::{Bindings, BoundFragment, FragmentShader};
pub use error::{RunError, ShaderError};
pub use listing::listing_line;
/// Axes of a texture and formats of one that is stored, by naga's names.
pub use naga::{ImageDimension, StorageFormat};
pub use operation::{
    Alu, AtomicOp, BitOp, CompareOp, ConvertOp, Derivative, FloatOp, IntegerOp, Memory, Op,
    Special, Unit,
};
pub use run::{
    BUDGET, Batch, Buffer, BufferAccess, BufferLog, LANES_OF_BATCH, NoTextures, Resources, Runner,
    SampleRequest, Texels, Textures,
};
pub use source::{EntryPoint, Module};
pub use traced::{TracedCode, Untraceable};
