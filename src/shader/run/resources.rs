//! Buffers and textures of a draw or a dispatch.

use super::super::code::Code;
use super::textures::Textures;

/// A buffer's words, as the caller lends them.
#[derive(Debug)]
pub enum Buffer<'a> {
    /// Nothing is bound.
    None,
    /// Uniforms, or storage for reading.
    Read(&'a [u32]),
    /// Storage for reading and writing.
    Write(&'a mut [u32]),
}

impl Buffer<'_> {
    pub(super) fn words(&self) -> &[u32] {
        match self {
            Buffer::None => &[],
            Buffer::Read(words) => words,
            Buffer::Write(words) => words,
        }
    }
}

/// Buffers and textures that a program reads and writes.
#[derive(Debug)]
pub struct Resources<'a> {
    pub(super) buffers: Vec<Buffer<'a>>,
    pub(super) textures: &'a dyn Textures,
}

impl<'a> Resources<'a> {
    /// Nothing bound yet.
    #[must_use]
    pub fn new(code: &Code, textures: &'a dyn Textures) -> Self {
        Self {
            buffers: code.bindings.iter().map(|_| Buffer::None).collect(),
            textures,
        }
    }

    /// Binds a buffer; one that the program does not name is ignored.
    #[must_use]
    pub fn with(mut self, code: &Code, (group, binding): (u32, u32), buffer: Buffer<'a>) -> Self {
        if let Some(position) = code.binding(group, binding) {
            self.buffers[position] = buffer;
        }
        self
    }
}
