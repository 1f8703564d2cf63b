//! A frame told in full: the facts that the hardware model executes again.

use super::draws::draws_of;
use super::facts;
use super::raster::TraceObserver;
use super::renderer::{Renderer, tile_order};
use super::signing::Signing;
use super::{FrameInput, Picture};
use crate::trace::{FrameTrace, TargetInfo, TileDigests};

impl Renderer {
    /// Draws one frame and tells everything that the hardware model needs to execute it again.
    pub fn trace(&mut self, input: &FrameInput<'_>) -> (Picture, FrameTrace) {
        self.trace_with(input, false)
    }

    /// [`Self::trace`] with a hash of every fragment's shader inputs, which memoization asks for: four bytes a fragment.
    pub fn trace_fragments(&mut self, input: &FrameInput<'_>) -> (Picture, FrameTrace) {
        self.trace_with(input, true)
    }

    fn trace_with(&mut self, input: &FrameInput<'_>, hashes: bool) -> (Picture, FrameTrace) {
        let draws = draws_of(input);
        let grid = self.prepare_tiles(&draws, input.settings, Signing::On, &mut |_| {});
        let facts = facts::collect(&draws, &self.chunks, Some(input.scene), input.environment);
        let signatures = self.signer.take_tiles();
        let mut picture = self.picture(&grid);
        let order = tile_order(&grid, input.settings);
        let observer = |_| TraceObserver::new(hashes);
        let told = self.run_raster(&draws, input.settings, &order, &mut picture, &observer);
        let tiles = (told.into_iter().zip(signatures))
            .map(|((tile, observer), inputs)| {
                observer.finish(TileDigests {
                    input_crc: inputs.crc,
                    inputs: inputs.digest,
                    color_crc: facts::pixel_digest(&picture, grid.rect(tile)),
                })
            })
            .collect();
        let trace = FrameTrace {
            frame: input.settings.frame,
            grid,
            targets: vec![TargetInfo::default()],
            textures: facts.textures,
            buffers: facts.buffers,
            programs: facts.programs,
            draws: facts.draws,
            tiles,
        };
        (picture, trace)
    }
}
