//! A frame's passes: the scene behind surfaces that let light through is drawn first, into a picture that the
//! frame's own draws sample.

use std::sync::atomic::Ordering;

use glam::Vec3;

use super::draw_list::{BehindPass, DrawList};
use super::elimination::Signing;
use super::output::{RadianceTarget, fill_radiance_levels};
use super::raster::observe::{CountingObserver, NullObserver, ObservedTile, TileObserver};
use super::renderer::Renderer;
use super::shading::FragmentProgram;
use super::sink::FrameJob;
use super::{Background, Recording};
use azulejo_grid::TileId;
use azulejo_trace::{DrawCounters, FrameCounters};

impl Renderer {
    /// Draws the pass behind, if the list has one, with its counters if they are recorded: its own sums alone.
    pub(super) fn draw_behind<P: FragmentProgram + Sync>(
        &mut self,
        list: &DrawList<'_, P>,
        recording: Recording,
    ) -> Option<FrameCounters> {
        let pass = list.behind.as_deref()?;
        let list = &pass.list;
        let job = FrameJob {
            renderer: self,
            list,
            done: &mut |_| {},
        };
        job.run(Signing::Off, |renderer| match recording {
            Recording::Off => {
                renderer.run_behind(pass, &|_| NullObserver);
                None
            }
            Recording::Counters => {
                let tiles = renderer.run_behind(pass, &|_| CountingObserver::default());
                Some(renderer.collect(&list.draws, list.settings.grid(), &tiles))
            }
        })
    }

    /// Draws the tiles of the pass behind, whose tile lists are ready, into its target.
    pub(super) fn run_behind<P: FragmentProgram + Sync, O: TileObserver>(
        &self,
        pass: &BehindPass<'_, P>,
        observer: &(impl Fn(TileId) -> O + Sync),
    ) -> Vec<ObservedTile<O>> {
        let BehindPass { list, target } = pass;
        let (settings, grid) = (&list.settings, list.settings.grid());
        let levels = &target.levels[..];
        let Some(&level) = levels.first() else {
            return Vec::new();
        };
        // A colour behind everything is as it was chosen once exposed.
        let backdrop = match settings.background {
            Background::Color(color) if settings.exposure > 0.0 => color / settings.exposure,
            _ => Vec3::ZERO,
        };
        let mut words = vec![0; target.n_words];
        let radiance = RadianceTarget::new(level, &mut words);
        let order = settings.tile_order.walk(&grid, self.frames_drawn);
        let observed = self.run_tiles(list, &order, observer, &|_| {}, &|tile, unit, _| {
            radiance.store(self.backend, &unit.buffers, grid.rect(tile), backdrop);
        });
        drop(radiance);
        if !self.interrupt.load(Ordering::Relaxed) {
            (self.pool).install(|| fill_radiance_levels(self.backend, levels, &mut words));
            target.fill(words);
        }
        observed
    }
}

/// The counters of a frame's passes: sums, the draws of the first behind those of the second, which keep their numbers.
pub(super) fn of_both_passes(
    first: Option<FrameCounters>,
    mut second: FrameCounters,
) -> FrameCounters {
    let Some(first) = first else {
        return second;
    };
    second.geometry += first.geometry;
    second.raster += first.raster;
    for (tile, behind) in second.tiles.iter_mut().zip(first.tiles) {
        tile.primitives += behind.primitives;
        tile.parameter_buffer_bytes += behind.parameter_buffer_bytes;
        tile.pixels_resolved += behind.pixels_resolved;
        tile.raster += behind.raster;
    }
    let behind = first.draws.into_iter().map(|draw| DrawCounters {
        name: format!("behind: {}", draw.name),
        ..draw
    });
    second.draws.extend(behind);
    second
}
