//! The sink that keeps a frame in full: the facts that the hardware model executes again.

use super::submission::Submission;
use super::{FrameJob, Sink};
use crate::math::PixelRect;
use crate::render::elimination::Signing;
use crate::render::raster::TraceObserver;
use crate::render::raster::observe::ObservedTile;
use crate::render::shading::FragmentProgram;
use crate::render::{Picture, Stage};
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
    /// The same picture as of any other sink.
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
        let states = list.states();
        let grid = renderer.prepare_tiles(list, Signing::On(&states), done);
        let submission = Submission::new(list, &states, &renderer.chunks);
        let signatures = renderer.signer.take_tiles();
        let mut picture = renderer.picture(&grid);
        let order = renderer.begin_order(&list.settings);
        let observer = |_| TraceObserver::new(self.fragment_hashes);
        let observed = renderer.run_raster(list, &order, &mut picture, &observer);
        let tiles = (observed.into_iter().zip(signatures))
            .map(|(ObservedTile { tile, observer }, inputs)| {
                observer.finish(TileDigests {
                    input_crc: inputs.crc,
                    inputs: inputs.digest,
                    color_crc: pixel_digest(&picture, grid.rect(tile)),
                })
            })
            .collect();
        done(Stage::Raster);
        let trace = FrameTrace {
            frame: list.settings.frame,
            grid,
            binning: list.settings.binning,
            targets: vec![TargetInfo::default()],
            textures: submission.textures,
            buffers: submission.buffers,
            programs: submission.programs,
            draws: submission.draws,
            tiles,
        };
        Traced { picture, trace }
    }
}

/// CRC32 of the pixels of a tile, row by row.
fn pixel_digest(picture: &Picture, tile: PixelRect) -> u32 {
    let mut hasher = crc32fast::Hasher::new();
    for y in tile.y0..tile.y1 {
        let row = y as usize * picture.width as usize;
        hasher.update(bytemuck::cast_slice(
            &picture.pixels[row + tile.x0 as usize..row + tile.x1 as usize],
        ));
    }
    hasher.finalize()
}
