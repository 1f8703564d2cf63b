//! The plain sink: a picture, and counters by frame, draw and tile if asked for.

use super::{FrameJob, Sink};
use crate::render::Frame;
use crate::render::Stage;
use crate::render::elimination::Signing;
use crate::render::renderer::tile_order;
use crate::render::shading::FragmentProgram;

/// What is recorded while a picture is drawn. As a [`Sink`] it gives a [`Frame`].
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Recording {
    /// Nothing: the observer's calls are compiled away.
    #[default]
    Off,
    /// Counters by frame, draw and tile.
    Counters,
}

impl Sink for Recording {
    type Output = Frame;

    fn draw<P: FragmentProgram + Sync>(self, job: FrameJob<'_, P>) -> Frame {
        let FrameJob {
            renderer,
            list,
            done,
        } = job;
        let grid = renderer.prepare_tiles(list, Signing::Off, done);
        let mut picture = renderer.picture(&grid);
        let order = tile_order(&grid, &list.settings);
        let counters = renderer.draw_tiles(list, self, &order, &mut picture);
        done(Stage::Raster);
        Frame { picture, counters }
    }
}
