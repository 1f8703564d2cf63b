//! Collects what a tile's worker saw into a [`TileTrace`].
//!
//! Texel blocks arrive tap by tap, for several quads at once, and late. They are appended to a log as short runs of (quad,
//! instruction, block) in which nothing repeats; `finish` gives each (quad, instruction) its place, and drops what several
//! of its runs have.

use super::{BufferAccesses, PathIdx, Quad, TileDigests, TilePrimitive, TileTrace};

/// Position of a quad among the tile's rasterised quads.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct QuadIdx(u32);

/// Builds the trace of one tile; the room's page has the order of calls. Reusable: [`TileTraceBuilder::finish`] leaves it
/// empty.
#[derive(Debug, Clone, Default)]
pub struct TileTraceBuilder {
    trace: TileTrace,
    /// Slots of each quad, one for each texture instruction.
    slots: Vec<Slots>,
    n_slots: u32,
    texture_instructions: u32,
    /// (slot, block), in order of arrival, repeats within a run of one slot left out.
    touches: Vec<(u32, u32)>,
    /// Start of the last run in `touches`.
    last_run: usize,
    hashes: Vec<(u32, u32)>,
    /// Quads of programs that branch with their paths, in order of arrival.
    paths: Vec<(u32, PathIdx)>,
    /// Quads that accessed buffers, in order of arrival.
    accesses: Vec<(u32, BufferAccesses)>,
}

/// Places of a quad's texture instructions.
#[derive(Debug, Clone, Copy)]
struct Slots {
    first: u32,
    n: u32,
}

impl TileTraceBuilder {
    /// The next entry of the tile's list begins: its primitive number, and how many texture instructions its program has;
    /// 0 of one that branches, where [`TileTraceBuilder::path`] says it for each quad.
    pub fn primitive(&mut self, primitive: u32, texture_instructions: usize) {
        self.texture_instructions = u32::try_from(texture_instructions).unwrap_or(u32::MAX);
        self.trace.primitives.push(TilePrimitive {
            primitive,
            n_quads: 0,
        });
    }

    /// The current primitive has a quad with at least one covered fragment; called in raster order.
    pub fn quad(&mut self, quad: Quad) -> QuadIdx {
        let idx = u32::try_from(self.trace.quads.len()).unwrap_or(u32::MAX);
        self.trace.quads.push(quad);
        if let Some(entry) = self.trace.primitives.last_mut() {
            entry.n_quads += 1;
        }
        let n = if quad.is_shaded() {
            self.texture_instructions
        } else {
            0
        };
        let first = self.n_slots;
        self.slots.push(Slots { first, n });
        self.n_slots += n;
        QuadIdx(idx)
    }

    /// The path of a quad whose program branches, and how many texture instructions it executed on it.
    pub fn path(&mut self, quad: QuadIdx, path: PathIdx, texture_instructions: usize) {
        let n = u32::try_from(texture_instructions).unwrap_or(u32::MAX);
        let first = self.n_slots;
        self.slots[quad.0 as usize] = Slots { first, n };
        self.n_slots += n;
        self.paths.push((quad.0, path));
    }

    /// Texture instruction number `instruction` of those that the quad executed reads texels of these blocks: live lanes only,
    /// repeats allowed, one call a tap or one for all.
    pub fn texels(&mut self, quad: QuadIdx, instruction: usize, blocks: &[u32]) {
        let first = self.slots[quad.0 as usize].first;
        let slot = first + u32::try_from(instruction).unwrap_or(u32::MAX);
        if self.touches.last().is_none_or(|&(last, _)| last != slot) {
            self.last_run = self.touches.len();
        }
        let mut last = None;
        for &block in blocks {
            // Neighbours mostly lie in one block.
            if last != Some(block) && !self.touches[self.last_run..].contains(&(slot, block)) {
                self.touches.push((slot, block));
            }
            last = Some(block);
        }
    }

    /// The quad executed loads, stores or atomics: all of them, in order.
    pub fn accesses(&mut self, quad: QuadIdx, accesses: BufferAccesses) {
        self.accesses.push((quad.0, accesses));
    }

    /// The quad was shaded; `written` are the fragments that changed the colour buffer.
    pub fn shaded(&mut self, quad: QuadIdx, written: u32, blended: bool) {
        let quad = &mut self.trace.quads[quad.0 as usize];
        *quad = quad.with_written(written, blended);
    }

    /// Adds, on demand, hashes of the shader inputs of the quad's live fragments, lowest bit first.
    pub fn fragment_hashes(&mut self, quad: QuadIdx, hashes: &[u32]) {
        self.hashes
            .extend(hashes.iter().map(|&hash| (quad.0, hash)));
    }

    /// The tile's facts in quad order, with the digests of its inputs and of its final pixels.
    pub fn finish(&mut self, digests: TileDigests) -> TileTrace {
        self.trace.digests = digests;
        self.place_paths();
        self.place_blocks();
        self.accesses.sort_by_key(|(quad, _)| *quad);
        for (_, accesses) in self.accesses.drain(..) {
            self.trace.accesses.append(&accesses);
        }
        // Stable: the hashes of one quad stay in bit order.
        self.hashes.sort_by_key(|&(quad, _)| quad);
        let hashes = self.hashes.drain(..).map(|(_, hash)| hash);
        self.trace.fragment_hashes.extend(hashes);
        self.slots.clear();
        self.n_slots = 0;
        // A frame's tiles are kept, and lists that grew have up to half of their memory unused: a copy has none.
        std::mem::take(&mut self.trace).clone()
    }

    /// Paths in quad order; so the slots that came with them.
    fn place_paths(&mut self) {
        if self.paths.is_empty() {
            return;
        }
        let mut places = vec![0; self.n_slots as usize];
        let mut next = 0;
        for slots in &self.slots {
            for place in &mut places[slots.first as usize..][..slots.n as usize] {
                *place = next;
                next += 1;
            }
        }
        for (slot, _) in &mut self.touches {
            *slot = places[*slot as usize];
        }
        self.paths.sort_by_key(|&(quad, _)| quad);
        let paths = self.paths.drain(..).map(|(_, path)| path);
        self.trace.paths.extend(paths);
    }

    fn place_blocks(&mut self) {
        // Slots arrive in order unless the worker shades out of order.
        if !self.touches.is_sorted_by_key(|&(slot, _)| slot) {
            self.touches.sort_by_key(|&(slot, _)| slot);
        }
        let trace = &mut self.trace;
        trace.block_counts.resize(self.n_slots as usize, 0);
        let mut start = 0;
        let mut current = u32::MAX;
        for (slot, block) in self.touches.drain(..) {
            if slot != current {
                (current, start) = (slot, trace.blocks.len());
            }
            let count = &mut trace.block_counts[slot as usize];
            // A quad touches at most 32 blocks with trilinear filtering; should a filter touch more than 255, the rest is
            // left out.
            if *count < u8::MAX && !trace.blocks[start..].contains(&block) {
                trace.blocks.push(block);
                *count += 1;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn builder_orders_blocks_by_quad_and_instruction() {
        let mut builder = TileTraceBuilder::default();
        builder.primitive(0, 2);
        let first = builder.quad(Quad::new(0, 0, 15, 15));
        builder.quad(Quad::new(1, 0, 15, 0));
        let last = builder.quad(Quad::new(2, 0, 15, 1));
        builder.texels(last, 1, &[9, 8]);
        builder.texels(first, 1, &[5, 4, 5]);
        builder.texels(first, 0, &[3]);
        builder.texels(first, 1, &[4, 6]);
        let tile = builder.finish(TileDigests::default());
        assert_eq!(
            tile.block_counts,
            [1, 3, 0, 2],
            "no slots for a killed quad"
        );
        assert_eq!(tile.blocks, [3, 5, 4, 6, 9, 8], "first touch first");
    }

    #[test]
    fn builder_puts_paths_and_their_blocks_into_quad_order() {
        let mut builder = TileTraceBuilder::default();
        builder.primitive(0, 1);
        let straight = builder.quad(Quad::new(0, 0, 15, 15));
        builder.primitive(1, 0);
        let first = builder.quad(Quad::new(1, 0, 15, 15));
        let last = builder.quad(Quad::new(2, 0, 15, 15));
        builder.path(last, PathIdx(4), 1);
        builder.texels(last, 0, &[9]);
        builder.path(first, PathIdx(7), 2);
        builder.texels(first, 1, &[5, 6]);
        builder.texels(straight, 0, &[3]);
        let tile = builder.finish(TileDigests::default());
        assert_eq!(tile.paths, [PathIdx(7), PathIdx(4)], "none of the straight");
        assert_eq!(tile.block_counts, [1, 0, 2, 1], "by quad and execution");
        assert_eq!(tile.blocks, [3, 5, 6, 9], "as counted");
    }

    #[test]
    fn builder_is_empty_after_finish() {
        let mut builder = TileTraceBuilder::default();
        builder.primitive(0, 1);
        let quad = builder.quad(Quad::new(0, 0, 15, 15));
        builder.texels(quad, 0, &[1]);
        builder.fragment_hashes(quad, &[1, 2, 3, 4]);
        assert_eq!(
            builder.finish(TileDigests::default()).fragment_hashes,
            [1, 2, 3, 4],
            "kept"
        );
        assert_eq!(
            builder.finish(TileDigests::default()),
            TileTrace::default(),
            "nothing since"
        );
    }
}
