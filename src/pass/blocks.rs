//! Blocks of texels in which a trace counts what programs read: 64 bytes each, row by row, layer by layer, level by level.

use std::cell::RefCell;

use azulejo_shader::{LANES_OF_BATCH, SampleRequest};
use azulejo_trace::{BLOCK_BYTES, TexelFormat};

use crate::memory::TextureSpec;

/// Quads that run together.
pub(crate) const QUADS: usize = LANES_OF_BATCH / 4;

/// Lanes of a quad.
const LANES: usize = LANES_OF_BATCH / QUADS;

/// One level of a texture in blocks.
#[derive(Debug, Clone, Copy)]
struct LevelBlocks {
    /// Blocks of all levels before.
    first: u32,
    wide: u32,
    high: u32,
}

/// Blocks of a texture.
#[derive(Debug, Clone)]
pub(crate) struct TexelBlocks {
    pub(crate) format: TexelFormat,
    size: [u32; 2],
    levels: Vec<LevelBlocks>,
    pub(crate) n_blocks: u32,
}

impl TexelBlocks {
    /// Blocks of a texture, or of a plane of it, with so many bytes for each sample of a texel.
    pub(crate) fn new(spec: &TextureSpec, sample_bytes: usize) -> Self {
        let bytes = sample_bytes as u64 * u64::from(spec.samples);
        let bytes = bytes.next_power_of_two().min(BLOCK_BYTES) as u8;
        let format = TexelFormat::Plain { bytes };
        let size = format.block_size();
        let (mut levels, mut n_blocks) = (Vec::new(), 0);
        for mip in 0..spec.mips {
            let level = spec.level(mip);
            let [wide, high] = [
                level.width.div_ceil(size[0]),
                level.height.div_ceil(size[1]),
            ];
            let first = n_blocks;
            n_blocks += wide * high * level.depth_or_array_layers;
            levels.push(LevelBlocks { first, wide, high });
        }
        Self {
            format,
            size,
            levels,
            n_blocks,
        }
    }

    /// Block of a texel.
    pub(crate) fn of(&self, mip: u32, [x, y, z]: [u32; 3]) -> u32 {
        let LevelBlocks { first, wide, high } = self.levels[mip as usize];
        let [width, height] = self.size;
        first + (z * high + y / height) * wide + x / width
    }
}

/// Blocks that the quads of a batch read: of each quad, by texture instruction that it executed.
#[derive(Debug)]
pub(crate) struct TexelNotes {
    /// Images of the code that are texture instructions of its program.
    noted: Vec<bool>,
    quads: Vec<Vec<Vec<u32>>>,
    /// Quad of the lane that reads, if it counts.
    quad: Option<usize>,
}

impl TexelNotes {
    /// Notes of these images, for so many batches at a time.
    pub(crate) fn new(noted: Vec<bool>, batches: usize) -> Self {
        Self {
            noted,
            quads: vec![Vec::new(); batches * QUADS],
            quad: None,
        }
    }

    /// Another batch begins.
    pub(crate) fn clear(&mut self) {
        self.quads.iter_mut().for_each(Vec::clear);
        self.quad = None;
    }

    /// Blocks of a quad so far.
    pub(crate) fn of_quad(&self, quad: usize) -> &[Vec<u32>] {
        &self.quads[quad]
    }
}

/// Notes of an image's reads.
#[derive(Debug)]
pub(crate) struct ImageNotes<'a> {
    pub(crate) notes: &'a RefCell<TexelNotes>,
    pub(crate) blocks: TexelBlocks,
}

impl ImageNotes<'_> {
    /// An instruction accesses the image.
    pub(crate) fn execute(&self, request: &SampleRequest<'_>) {
        let mut notes = self.notes.borrow_mut();
        notes.quad = None;
        if !notes.noted[request.image as usize] {
            return;
        }
        let own = &mut notes.quads[request.batch as usize * QUADS..][..QUADS];
        for (number, quad) in own.iter_mut().enumerate() {
            if request.lanes >> (LANES * number) & 0xf != 0 {
                quad.push(Vec::new());
            }
        }
    }

    /// A lane is next; what helpers and lanes of images that are not noted access does not count.
    pub(crate) fn lane(&self, request: &SampleRequest<'_>, lane: usize) {
        let mut notes = self.notes.borrow_mut();
        let counts = request.alive >> lane & 1 == 1 && notes.noted[request.image as usize];
        notes.quad = counts.then_some(request.batch as usize * QUADS + lane / LANES);
    }

    /// The lane reads a texel.
    pub(crate) fn read(&self, mip: u32, place: [u32; 3]) {
        let mut notes = self.notes.borrow_mut();
        if let Some(quad) = notes.quad
            && let Some(blocks) = notes.quads[quad].last_mut()
        {
            blocks.push(self.blocks.of(mip, place));
        }
    }
}
