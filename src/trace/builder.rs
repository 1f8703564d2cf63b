//! Collects what a tile's worker tells into a [`TileTrace`].
//!
//! Texel blocks arrive tap by tap, for several quads at once, and late. They are appended to a log as short runs of (quad,
//! instruction, blocks); `finish` gives each (quad, instruction) its place and drops repeats.

use super::{Quad, TileDigests, TilePrimitive, TileRecorder, TileTrace};

/// Position of a quad among the tile's rasterised quads.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct QuadIdx(u32);

/// A [`TileRecorder`] that keeps everything. Reusable: [`TileTraceBuilder::finish`] leaves it empty.
#[derive(Debug, Clone, Default)]
pub struct TileTraceBuilder {
    trace: TileTrace,
    /// First (quad, instruction) slot of each quad.
    first_slot: Vec<u32>,
    n_slots: u32,
    texture_instructions: u32,
    /// (slot, block), in order of arrival, adjacent repeats left out.
    touches: Vec<(u32, u32)>,
    hashes: Vec<(u32, u32)>,
}

impl TileTraceBuilder {
    /// The tile's facts in quad order.
    pub fn finish(&mut self) -> TileTrace {
        self.place_blocks();
        // Stable: the hashes of one quad stay in bit order.
        self.hashes.sort_by_key(|&(quad, _)| quad);
        self.trace.fragment_hashes = self.hashes.drain(..).map(|(_, hash)| hash).collect();
        self.first_slot.clear();
        self.n_slots = 0;
        std::mem::take(&mut self.trace)
    }

    fn place_blocks(&mut self) {
        // Slots arrive in order unless the worker shades out of order: then this sort moves nothing and is linear.
        self.touches.sort_by_key(|&(slot, _)| slot);
        let trace = &mut self.trace;
        trace.block_counts = vec![0; self.n_slots as usize];
        let mut start = 0;
        let mut current = u32::MAX;
        for (slot, block) in self.touches.drain(..) {
            if slot != current {
                (current, start) = (slot, trace.blocks.len());
            }
            let count = &mut trace.block_counts[slot as usize];
            // A quad touches at most 32 blocks with trilinear filtering; should a filter touch more than 255, the rest is
            // not told.
            if *count < u8::MAX && !trace.blocks[start..].contains(&block) {
                trace.blocks.push(block);
                *count += 1;
            }
        }
    }
}

impl TileRecorder for TileTraceBuilder {
    type QuadId = QuadIdx;
    const RECORDS: bool = true;

    fn primitive(&mut self, primitive: u32, texture_instructions: usize) {
        self.texture_instructions = u32::try_from(texture_instructions).unwrap_or(u32::MAX);
        self.trace.primitives.push(TilePrimitive {
            primitive,
            n_quads: 0,
        });
    }

    fn quad(&mut self, quad: Quad) -> QuadIdx {
        let idx = u32::try_from(self.trace.quads.len()).unwrap_or(u32::MAX);
        self.trace.quads.push(quad);
        if let Some(entry) = self.trace.primitives.last_mut() {
            entry.n_quads += 1;
        }
        self.first_slot.push(self.n_slots);
        if quad.is_shaded() {
            self.n_slots += self.texture_instructions;
        }
        QuadIdx(idx)
    }

    fn texels(&mut self, quad: QuadIdx, instruction: usize, blocks: &[u32]) {
        let slot =
            self.first_slot[quad.0 as usize] + u32::try_from(instruction).unwrap_or(u32::MAX);
        for &block in blocks {
            if self.touches.last() != Some(&(slot, block)) {
                self.touches.push((slot, block));
            }
        }
    }

    fn shaded(&mut self, quad: QuadIdx, written: u32, blended: bool) {
        let quad = &mut self.trace.quads[quad.0 as usize];
        *quad = quad.with_written(written, blended);
    }

    fn fragment_hashes(&mut self, quad: QuadIdx, hashes: &[u32]) {
        self.hashes
            .extend(hashes.iter().map(|&hash| (quad.0, hash)));
    }

    fn digests(&mut self, digests: TileDigests) {
        self.trace.digests = digests;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn builder_orders_blocks_by_quad_and_instruction() {
        let mut recorder = TileTraceBuilder::default();
        recorder.primitive(0, 2);
        let first = recorder.quad(Quad::new(0, 0, 15, 15));
        recorder.quad(Quad::new(1, 0, 15, 0));
        let last = recorder.quad(Quad::new(2, 0, 15, 1));
        recorder.texels(last, 1, &[9, 8]);
        recorder.texels(first, 1, &[5, 4, 5]);
        recorder.texels(first, 0, &[3]);
        recorder.texels(first, 1, &[4, 6]);
        let tile = recorder.finish();
        assert_eq!(
            tile.block_counts,
            [1, 3, 0, 2],
            "no slots for a killed quad"
        );
        assert_eq!(tile.blocks, [3, 5, 4, 6, 9, 8], "first touch first");
    }

    #[test]
    fn builder_is_empty_after_finish() {
        let mut recorder = TileTraceBuilder::default();
        recorder.primitive(0, 1);
        let quad = recorder.quad(Quad::new(0, 0, 15, 15));
        recorder.texels(quad, 0, &[1]);
        recorder.fragment_hashes(quad, &[1, 2, 3, 4]);
        assert_eq!(recorder.finish().fragment_hashes, [1, 2, 3, 4], "told");
        assert_eq!(
            recorder.finish(),
            TileTrace::default(),
            "nothing told since"
        );
    }
}
