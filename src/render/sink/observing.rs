//! Sink for a close look at tiles: each of some tiles is drawn under an observer of its own.

use super::{FrameJob, Sink};
use crate::elimination::Signing;
use crate::raster::observe::{ObservedTile, TileObserver};
use crate::shading::FragmentProgram;
use crate::{Picture, Recording};
use azulejo_grid::TileId;

/// Draws these tiles of a frame, each under an observer of its own. [`observe`](crate::raster::observe) has an
/// example.
#[derive(Debug, Clone, Copy)]
pub struct Observing<'a, F> {
    /// The tiles to draw, each once; pixels of others mean nothing.
    pub tiles: &'a [TileId],
    /// Makes the observer of a tile; called on the thread that draws it.
    pub observer: F,
}

/// Some tiles of a frame, and what their observers saw.
#[derive(Debug, Clone)]
pub struct Observed<O> {
    /// Picture as wide and high as the settings say; pixels of tiles that were not drawn mean nothing.
    pub picture: Picture,
    /// Observed tiles, in rising order of their numbers.
    pub tiles: Vec<ObservedTile<O>>,
}

impl<F, O> Sink for Observing<'_, F>
where
    F: Fn(TileId) -> O + Sync,
    O: TileObserver,
{
    type Output = Observed<O>;

    fn draw<P: FragmentProgram + Sync>(self, job: FrameJob<'_, P>) -> Observed<O> {
        let list = job.list;
        job.renderer.draw_behind(list, Recording::Off);
        job.run(Signing::Off, |renderer| {
            let mut picture = renderer.picture(&list.settings.grid());
            let tiles = renderer.run_raster(list, self.tiles, &mut picture, &self.observer);
            Observed { picture, tiles }
        })
    }
}
