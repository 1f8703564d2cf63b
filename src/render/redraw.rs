//! A frame over what a frame buffer holds: signatures after tiling, and of the tiles only those whose inputs changed.

use std::sync::atomic::Ordering;

use super::draws::{Draw, draws_of};
use super::elimination::{Equality, FrameBuffer, Kept, Redrawn};
use super::inputs;
use super::renderer::{Renderer, grid_of, no_counters, tile_order};
use super::shading::FragmentProgram;
use super::signing::Signing;
use super::{FrameInput, Recording, RenderSettings, Stage};

impl Renderer {
    /// Draws one frame over what `buffer` holds, and leaves out the tiles that it holds already; the picture is that of
    /// [`Self::render`]. `done` is called as each stage ends; signatures belong to tiling.
    pub fn render_onto(
        &mut self,
        input: &FrameInput<'_>,
        (buffer, equality): (&mut FrameBuffer, Equality),
        recording: Recording,
        done: &mut dyn FnMut(Stage),
    ) -> Redrawn {
        let draws = draws_of(input);
        done(Stage::Preparation);
        self.redraw(&draws, input.settings, (buffer, equality), recording, done)
    }

    /// [`Self::render_onto`] of draws with fragment programs of any kind, whose constants and bindings must say all that
    /// their programs read.
    pub fn redraw<P: FragmentProgram + Sync>(
        &mut self,
        draws: &[Draw<'_, P>],
        settings: &RenderSettings,
        (buffer, equality): (&mut FrameBuffer, Equality),
        recording: Recording,
        done: &mut dyn FnMut(Stage),
    ) -> Redrawn {
        let grid = grid_of(settings);
        let state = inputs::state(draws, settings);
        let pool = &self.pool;
        let geometry =
            (buffer.has_state(grid, state)).then(|| pool.install(|| inputs::geometry(draws)));
        if buffer.holds(grid, state, geometry) {
            return Redrawn {
                counters: (recording == Recording::Counters).then(|| no_counters(draws, grid)),
                kept: Kept::all(&grid),
            };
        }
        self.prepare_tiles(draws, settings, Signing::On, done);
        let kept = buffer.begin(grid, self.signer.take_tiles(), equality);
        let mut order = tile_order(&grid, settings);
        order.retain(|&tile| !kept.contains(tile));
        let picture = buffer.target();
        picture.resize(&grid);
        let counters = self.draw_tiles(draws, settings, recording, (&order, picture));
        if self.interrupt.load(Ordering::Relaxed) {
            // Some tiles were not drawn.
            buffer.invalidate();
        }
        done(Stage::Raster);
        Redrawn { counters, kept }
    }
}
