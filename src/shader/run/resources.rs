//! Buffers and textures of a draw or a dispatch.

use std::fmt;

use super::super::code::Code;
use super::batch::LANES_OF_BATCH;
use super::textures::Textures;

/// Load, store or atomic of a batch.
#[derive(Debug)]
pub struct BufferAccess<'a> {
    /// Position of the buffer in [`Code::bindings`].
    pub buffer: u32,
    /// Number of the batch in its workgroup; 0 in other stages.
    pub batch: u32,
    /// Lanes that execute it, a bit each.
    pub lanes: u64,
    /// Lanes that are neither discarded nor helpers, a bit each.
    pub alive: u64,
    /// First word of each lane, from the beginning of what is bound, none beyond its end.
    pub words: &'a [u32; LANES_OF_BATCH],
    /// Words of each lane, one after the other.
    pub n_words: u32,
}

/// Takes note of accesses to storage buffers, in the order of execution.
pub trait BufferLog: fmt::Debug {
    /// A batch makes an access.
    fn access(&self, access: &BufferAccess<'_>);
}

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
    pub(super) log: Option<&'a dyn BufferLog>,
}

impl<'a> Resources<'a> {
    /// Nothing bound yet.
    #[must_use]
    pub fn new(code: &Code, textures: &'a dyn Textures) -> Self {
        Self {
            buffers: code.bindings.iter().map(|_| Buffer::None).collect(),
            textures,
            log: None,
        }
    }

    /// Tells of each access to a storage buffer, if a log is given.
    #[must_use]
    pub fn with_log(mut self, log: Option<&'a dyn BufferLog>) -> Self {
        self.log = log;
        self
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
