//! Where everything lies: resources, Parameter Buffer and frame buffers get addresses as a driver would give them, one after the
//! other in pages, and keep them from frame to frame.

use crate::trace::{BufferInfo, FrameTrace, TextureInfo};

/// Allocations begin on a page of this size.
const PAGE: u64 = 4096;

/// Bytes of one traced texel block.
pub(crate) const BLOCK_BYTES: u64 = 64;

#[derive(Debug, Clone, PartialEq)]
enum Placed {
    Buffer(BufferInfo, u64),
    Texture(TextureInfo, u64),
}

/// Addresses of one machine's memory. Grows from frame to frame, never moves what is still there.
#[derive(Debug, Clone)]
pub struct MemoryMap {
    placed: Vec<Placed>,
    next: u64,
    /// Bases by [`crate::trace::TextureIdx`] of the current frame.
    pub(crate) textures: Vec<u64>,
    /// Bases by buffer of the current frame.
    pub(crate) buffers: Vec<u64>,
    /// Commands and constants of the current frame's draws.
    pub(crate) commands: u64,
    /// Attributes of the first primitive.
    pub(crate) attributes: u64,
    attribute_bytes: u64,
    /// First block of the tile lists.
    pub(crate) lists: u64,
    list_bytes: u64,
    /// Frame buffers, by target and buffer.
    frame_buffers: Vec<u64>,
    frame_buffer_bytes: u64,
}

impl Default for MemoryMap {
    fn default() -> Self {
        Self {
            placed: Vec::new(),
            // The first page stays free, as on every real machine.
            next: PAGE,
            textures: Vec::new(),
            buffers: Vec::new(),
            commands: 0,
            attributes: 0,
            attribute_bytes: 0,
            lists: 0,
            list_bytes: 0,
            frame_buffers: Vec::new(),
            frame_buffer_bytes: 0,
        }
    }
}

impl MemoryMap {
    fn allocate(&mut self, bytes: u64) -> u64 {
        let base = self.next;
        self.next = (base + bytes.max(1)).next_multiple_of(PAGE);
        base
    }

    /// Gives addresses to what the frame needs; what an earlier frame had keeps its own.
    pub(crate) fn place(&mut self, frame: &FrameTrace, needs: &FrameNeeds) {
        if self.commands == 0 {
            self.commands = self.allocate(COMMAND_AREA);
        }
        self.place_frame_buffers(frame, needs.frame_buffers);
        self.place_resources(frame);
        if needs.attribute_bytes > self.attribute_bytes {
            self.attribute_bytes = needs.attribute_bytes.next_power_of_two();
            self.attributes = self.allocate(self.attribute_bytes);
        }
        if needs.list_bytes > self.list_bytes {
            self.list_bytes = needs.list_bytes.next_power_of_two();
            self.lists = self.allocate(self.list_bytes);
        }
    }

    fn place_resources(&mut self, frame: &FrameTrace) {
        let mut known = std::mem::take(&mut self.placed);
        self.buffers.clear();
        self.textures.clear();
        for buffer in &frame.buffers {
            let old = known.iter().filter_map(|placed| match placed {
                Placed::Buffer(info, base) if info == buffer => Some(*base),
                _ => None,
            });
            let base = not_yet_given(old, &self.buffers).unwrap_or_else(|| {
                let base = self.allocate(buffer.bytes);
                known.push(Placed::Buffer(buffer.clone(), base));
                base
            });
            self.buffers.push(base);
        }
        for texture in &frame.textures {
            let old = known.iter().filter_map(|placed| match placed {
                Placed::Texture(info, base) if info == texture => Some(*base),
                _ => None,
            });
            let base = not_yet_given(old, &self.textures).unwrap_or_else(|| {
                let base = self.allocate(u64::from(texture.n_blocks) * BLOCK_BYTES);
                known.push(Placed::Texture(texture.clone(), base));
                base
            });
            self.textures.push(base);
        }
        self.placed = known;
    }

    fn place_frame_buffers(&mut self, frame: &FrameTrace, n_frame_buffers: u32) {
        let pitch = frame.grid.width.next_multiple_of(16);
        let widest = frame
            .targets
            .iter()
            .map(|target| target.bytes_per_pixel)
            .max();
        let bytes =
            u64::from(pitch) * u64::from(frame.grid.height) * u64::from(widest.unwrap_or(0));
        let wanted = frame.targets.len() * n_frame_buffers as usize;
        if self.frame_buffers.len() != wanted || self.frame_buffer_bytes != bytes {
            self.frame_buffer_bytes = bytes;
            self.frame_buffers = (0..wanted).map(|_| self.allocate(bytes)).collect();
        }
    }

    /// Base of a target in the frame buffer that frame number `frame` draws to.
    pub(crate) fn target(&self, target: usize, n_targets: usize, frame: u64) -> u64 {
        if self.frame_buffers.is_empty() {
            return 0;
        }
        let n_buffers = (self.frame_buffers.len() / n_targets.max(1)).max(1) as u64;
        let buffer = (frame % n_buffers) as usize;
        self.frame_buffers[buffer * n_targets + target]
    }
}

/// Bytes of a draw command: state and pointers. The draw's constants follow it.
pub(crate) const COMMAND_BYTES: u64 = 64;

/// Ring in which the driver puts commands.
pub(crate) const COMMAND_AREA: u64 = 1 << 22;

/// What a frame needs beside its resources.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct FrameNeeds {
    pub(crate) frame_buffers: u32,
    pub(crate) attribute_bytes: u64,
    pub(crate) list_bytes: u64,
}

/// The first of the known bases that the frame has not given out yet: equal resources keep their order.
fn not_yet_given(mut known: impl Iterator<Item = u64>, given: &[u64]) -> Option<u64> {
    known.find(|base| !given.contains(base))
}
