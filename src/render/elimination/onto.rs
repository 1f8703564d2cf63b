//! A frame over what a frame buffer holds: signatures after tiling, and of the tiles only those whose inputs changed.

use std::sync::atomic::Ordering;

use super::frame_buffer::{FrameBuffer, FrameInputs};
use super::frame_digest;
use super::outcomes::{Equality, Redrawn, TileOutcomes};
use super::signature::DrawState;
use super::signer::{Signing, signed_before_passes, signed_draws, signed_unless_moved};
use crate::passes::of_both_passes;
use crate::renderer::no_counters;
use crate::shading::FragmentProgram;
use crate::sink::{FrameJob, Sink};
use crate::{DrawList, Recording};

/// Draws a frame over what a buffer holds, and leaves out the tiles that it holds already; the picture is that of any other
/// sink.
#[derive(Debug)]
pub struct Onto<'a> {
    /// Frame buffer whose tiles are brought up to date.
    pub buffer: &'a mut FrameBuffer,
    /// When inputs count as unchanged.
    pub equality: Equality,
    /// Measurements recorded of the tiles that are drawn.
    pub recording: Recording,
}

impl<'a> Onto<'a> {
    /// Inputs count as unchanged where they are equal, and nothing is recorded.
    #[must_use]
    pub fn new(buffer: &'a mut FrameBuffer) -> Self {
        Self {
            buffer,
            equality: Equality::default(),
            recording: Recording::default(),
        }
    }
}

impl Sink for Onto<'_> {
    type Output = Redrawn;

    fn draw<P: FragmentProgram + Sync>(self, job: FrameJob<'_, P>) -> Redrawn {
        let list = job.list;
        let Self {
            buffer,
            equality,
            recording,
        } = self;
        let grid = list.settings.grid();
        let mut moved = buffer.moved(grid, &list.draws);
        if equality == Equality::Signature || list.behind.is_some() {
            // The CRC32 of every tile decides, or a picture that is not drawn yet.
            moved.clear();
        }
        let (mut draws, inputs) = if moved.is_empty() {
            job.renderer.pool.install(|| signed_whole(list, buffer))
        } else {
            (signed_unless_moved(list, &moved), FrameInputs::default())
        };
        if buffer.holds(grid, inputs) {
            return Redrawn {
                counters: (recording == Recording::Counters)
                    .then(|| no_counters(&list.draws, grid)),
                tiles: TileOutcomes::all(&grid),
            };
        }
        let behind = job.renderer.draw_behind(list, recording);
        if list.behind.is_some() {
            // Its picture is an input of the tiles that look at it.
            draws = signed_draws(&list.draws, &list.states());
        }
        job.run(Signing::On(&draws), |renderer| {
            let tiles = buffer.begin(grid, renderer.signer.take_tiles(), equality);
            let mut order = renderer.begin_order(&list.settings);
            order.retain(|&tile| !tiles.is_kept(tile));
            let picture = buffer.target();
            picture.resize(&grid);
            let counters = renderer.draw_tiles(list, recording, &order, picture);
            if renderer.interrupt.load(Ordering::Relaxed) {
                // Some tiles were not drawn.
                buffer.invalidate();
            }
            let counters = counters.map(|counters| of_both_passes(behind, counters));
            Redrawn { counters, tiles }
        })
    }
}

/// All draws signed, with the digests of the whole frame; vertex data are looked at if the buffer may hold it.
fn signed_whole<P: FragmentProgram + Sync>(
    list: &DrawList<'_, P>,
    buffer: &FrameBuffer,
) -> (Vec<Option<DrawState>>, FrameInputs) {
    let draws = signed_before_passes(list);
    let state = frame_digest::state(list, &draws);
    let may_be_held = buffer.has_state(list.settings.grid(), state);
    let inputs = FrameInputs {
        state: Some(state),
        geometry: may_be_held.then(|| frame_digest::geometry(list)),
    };
    (draws, inputs)
}
