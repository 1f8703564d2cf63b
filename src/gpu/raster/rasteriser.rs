//! The rasteriser: takes primitives from the FIFO and emits their quads, interpolating a number of attributes per cycle
//! over the four fragments of a quad; the set-up of a primitive costs the attributes of its three vertices.

use std::collections::VecDeque;

use super::early_z::EarlyZ;
use super::tiles::{PipeQuad, Tiles};
use super::walk::WalkMap;
use crate::frame::PreparedFrame;
use crate::machine::{RasterSpec, Traversal};
use crate::shading::TexelCursor;
use crate::statistics::State;
use azulejo_trace::Quad;
use azulejo_units::Cycles;

/// Entries that the Tile Fetcher puts into a unit's FIFO.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum FifoEntry {
    /// A tile of this number on the screen begins.
    Begin(u32),
    /// Its next primitive: draw, quads in this tile.
    Primitive(u32, u32),
    /// The tile has no more primitives.
    End,
}

/// The primitive that is being rasterised.
#[derive(Debug, Clone, Copy)]
struct Current {
    draw: u32,
    /// Attributes of a quad.
    cost: i64,
}

/// State of the rasteriser: its FIFO, the primitive under way and its credit of attributes.
#[derive(Debug, Default)]
pub(super) struct Rasteriser {
    pub(super) fifo: VecDeque<FifoEntry>,
    pub(super) primitives_in_fifo: u32,
    current: Option<Current>,
    /// Its quads that have not been emitted, last first, with the cursors to their texels.
    left: Vec<(Quad, TexelCursor)>,
    /// Empty but while they are put in order.
    unordered: Vec<(Quad, TexelCursor)>,
    walk: WalkMap,
    /// Number of the tile in this unit, and on the screen.
    tile: Option<(u32, u32)>,
    next_quad: usize,
    cursor: TexelCursor,
    /// Attributes that may still be interpolated; negative = a debt to be paid by the coming cycles.
    credit: i64,
    paid_to: Cycles,
    pub(super) primitives: u64,
    pub(super) attributes_set_up: u64,
    pub(super) quads: u64,
    pub(super) attributes: u64,
}

impl Rasteriser {
    pub(super) fn has_room(&self, spec: &RasterSpec) -> bool {
        self.primitives_in_fifo < spec.fifo
    }

    pub(super) fn push(&mut self, entry: FifoEntry) {
        if matches!(entry, FifoEntry::Primitive(..)) {
            self.primitives_in_fifo += 1;
        }
        self.fifo.push_back(entry);
    }

    pub(super) fn is_empty(&self) -> bool {
        self.fifo.is_empty() && self.current.is_none()
    }

    pub(super) fn tick(
        &mut self,
        now: Cycles,
        spec: &RasterSpec,
        facts: &PreparedFrame<'_>,
        tiles: &mut Tiles,
        early_z: &mut EarlyZ,
    ) -> State {
        let rate = i64::from(spec.attributes_per_cycle);
        // The product is bounded: a debt is at most some hundred cycles, a longer absence only fills the credit.
        let elapsed = now.since(self.paid_to).0.min(1 << 20).cast_signed();
        self.credit = rate.min(self.credit + rate * elapsed);
        self.paid_to = now;
        let mut left = spec.quads_per_cycle;
        let mut may_begin = true;
        let mut state = State::Idle;
        loop {
            if self.current.is_none() {
                if !self.next_entry(spec, facts, tiles, &mut may_begin) {
                    break;
                }
                state = State::Busy;
                continue;
            }
            if left == 0 || self.credit <= 0 {
                state = State::Busy;
                break;
            }
            if !self.emit(now, spec, tiles, early_z) {
                state = state.max(State::Stalled);
                break;
            }
            state = State::Busy;
            left -= 1;
        }
        if state == State::Idle && self.credit < 0 {
            state = State::Busy;
        }
        state
    }

    /// Takes an entry of the FIFO; false if there is none that may begin.
    fn next_entry(
        &mut self,
        spec: &RasterSpec,
        facts: &PreparedFrame<'_>,
        tiles: &mut Tiles,
        may_begin: &mut bool,
    ) -> bool {
        match self.fifo.front() {
            None => return false,
            Some(FifoEntry::Begin(tile)) => {
                self.tile = Some((tiles.begin(*tile), *tile));
                self.next_quad = 0;
                self.cursor = TexelCursor::default();
            }
            Some(FifoEntry::Primitive(draw, quads)) => {
                if !*may_begin || self.credit <= 0 {
                    return false;
                }
                *may_begin = false;
                let (draw, quads) = (*draw, *quads);
                let attributes = i64::from(facts.trace.draws[draw as usize].n_attributes);
                self.credit -= 3 * attributes;
                self.primitives += 1;
                self.attributes_set_up += attributes.unsigned_abs();
                self.primitives_in_fifo -= 1;
                self.current = (quads > 0).then_some(Current {
                    draw,
                    cost: 4 * attributes,
                });
                self.take_quads(quads as usize, spec.traversal, facts, draw);
            }
            Some(FifoEntry::End) => {
                if let Some((number, _)) = self.tile.take() {
                    tiles.get(number).raster_done = true;
                }
            }
        }
        self.fifo.pop_front();
        true
    }

    /// Hands the next quad to the early depth test, if that takes it.
    fn emit(
        &mut self,
        now: Cycles,
        spec: &RasterSpec,
        tiles: &mut Tiles,
        early_z: &mut EarlyZ,
    ) -> bool {
        let (Some(current), Some((number, _))) = (self.current, self.tile) else {
            return false;
        };
        if tiles.early_z != number || !early_z.has_room(spec) {
            return false;
        }
        let Some((quad, cursor)) = self.left.pop() else {
            return false;
        };
        early_z.push(PipeQuad {
            quad,
            draw: current.draw,
            tile: number,
            cursor,
            at: now.after(spec.early_z_latency),
        });
        tiles.get(number).in_early_z += 1;
        self.quads += 1;
        self.attributes += current.cost.unsigned_abs();
        self.credit -= current.cost;
        if self.left.is_empty() {
            self.current = None;
        }
        true
    }

    /// The next quads of the tile's facts, in the order in which the hardware walks over a primitive.
    fn take_quads(&mut self, n: usize, traversal: Traversal, facts: &PreparedFrame<'_>, draw: u32) {
        let Some((_, tile)) = self.tile else {
            return;
        };
        let trace = facts.tile(tile);
        let counts = facts.quad_counts(draw);
        let quads = &trace.quads[self.next_quad..self.next_quad + n];
        self.next_quad += n;
        for quad in quads {
            self.unordered.push((*quad, self.cursor));
            if quad.is_shaded() {
                self.cursor.pass_quad(trace, counts);
            }
        }
        let (from, to) = (&mut self.unordered, &mut self.left);
        // Last first: quads are popped.
        match traversal {
            Traversal::Rows => {
                let place = |quad: Quad| quad.row() << 6 | quad.column();
                self.walk
                    .move_last_first(from, to, |(quad, _)| place(*quad));
            }
            Traversal::Morton => {
                let place = |quad: Quad| spread(quad.column()) | spread(quad.row()) << 1;
                self.walk
                    .move_last_first(from, to, |(quad, _)| place(*quad));
            }
        }
    }

    /// The first cycle after `now` at which time alone lets it go on.
    pub(super) fn next_wake(&self, now: Cycles, spec: &RasterSpec) -> Cycles {
        if self.credit > 0 || self.is_empty() {
            return Cycles::MAX;
        }
        let rate = i64::from(spec.attributes_per_cycle);
        let cycles = (-self.credit / rate + 1).unsigned_abs();
        self.paid_to.after(Cycles(cycles)).max(now.next())
    }
}

/// Spreads six bits to the even places.
fn spread(bits: u32) -> u32 {
    let bits = (bits | bits << 4) & 0x30f;
    let bits = (bits | bits << 2) & 0x333;
    (bits | bits << 1) & 0x555
}
