//! The sink that keeps a frame in full: the facts that the hardware model executes again.

use super::{FrameJob, Sink};
use crate::render::elimination::Signing;
use crate::render::raster::TraceObserver;
use crate::render::renderer::tile_order;
use crate::render::shading::FragmentProgram;
use crate::render::{Picture, Stage, facts};
use crate::trace::{FrameTrace, TargetInfo, TileDigests};

/// Draws a frame and writes down all that the hardware model needs to execute it again.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Tracing {
    /// With a hash of every fragment's shader inputs, which memoization asks for: four bytes a fragment.
    pub fragment_hashes: bool,
}

/// A frame with its facts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Traced {
    /// The picture.
    pub picture: Picture,
    /// What a machine would have to do for it.
    pub trace: FrameTrace,
}

impl Sink for Tracing {
    type Output = Traced;

    fn draw<P: FragmentProgram + Sync>(self, job: FrameJob<'_, P>) -> Traced {
        let FrameJob {
            renderer,
            list,
            done,
        } = job;
        let grid = renderer.prepare_tiles(list, Signing::On, done);
        let facts = facts::collect(list, &renderer.chunks);
        let signatures = renderer.signer.take_tiles();
        let mut picture = renderer.picture(&grid);
        let order = tile_order(&grid, &list.settings);
        let observer = |_| TraceObserver::new(self.fragment_hashes);
        let observed = renderer.run_raster(list, &order, &mut picture, &observer);
        let tiles = (observed.into_iter().zip(signatures))
            .map(|((tile, observer), inputs)| {
                observer.finish(TileDigests {
                    input_crc: inputs.crc,
                    inputs: inputs.digest,
                    color_crc: facts::pixel_digest(&picture, grid.rect(tile)),
                })
            })
            .collect();
        done(Stage::Raster);
        let trace = FrameTrace {
            frame: list.settings.frame,
            grid,
            targets: vec![TargetInfo::default()],
            textures: facts.textures,
            buffers: facts.buffers,
            programs: facts.programs,
            draws: facts.draws,
            tiles,
        };
        Traced { picture, trace }
    }
}
