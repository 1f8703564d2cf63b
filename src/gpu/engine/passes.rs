//! Costs of a frame's passes while it is under way, and their reports.

use crate::report::{DrawCost, Interval, PassReport, TargetReport};
use crate::statistics::{Attribution, TileCost};
use azulejo_trace::FrameTrace;
use azulejo_units::Cycles;

/// Cost of one pass.
#[derive(Debug)]
pub(super) struct PassCost {
    pub(super) cycles: Cycles,
    pub(super) geometry: Cycles,
    /// Counts of the time that it took.
    pub(super) activity: Interval,
    pub(super) attribution: Attribution,
}

/// Costs of the passes so far, in their order.
#[derive(Debug, Default)]
pub(super) struct PassCosts(Vec<PassCost>);

/// Costs of a whole frame.
#[derive(Debug, Default)]
pub(super) struct FrameCosts {
    pub(super) geometry: Cycles,
    pub(super) draws: Vec<DrawCost>,
    pub(super) tiles: Vec<TileCost>,
    /// None of a frame of one pass.
    pub(super) passes: Vec<PassReport>,
}

impl PassCosts {
    pub(super) fn push(&mut self, pass: PassCost) {
        self.0.push(pass);
    }

    /// The frame's costs: draws of its last pass first, tiles of its last pass with those of passes that have the same.
    pub(super) fn of_frame(self, trace: &FrameTrace) -> FrameCosts {
        let Self(mut costs) = self;
        let mut frame = FrameCosts {
            geometry: costs.iter().map(|pass| pass.geometry).sum(),
            ..FrameCosts::default()
        };
        let Some(last) = costs.pop() else {
            return frame;
        };
        frame.tiles.clone_from(&last.attribution.tiles);
        // Draws of a frame of one pass have their own names.
        let name = |pass: &FrameTrace| match trace.before.is_empty() {
            true => String::new(),
            false => pass.name.clone(),
        };
        frame.add_draws(trace, &name(trace), &last.attribution);
        for (pass, cost) in trace.before.iter().zip(costs) {
            let first_draw = frame.draws.len();
            frame.add_draws(pass, &name(pass), &cost.attribution);
            if pass.grid == trace.grid {
                add_tiles(&mut frame.tiles, &cost.attribution.tiles);
            }
            frame.passes.push(report(pass, cost, first_draw));
        }
        if !frame.passes.is_empty() {
            frame.passes.push(report(trace, last, 0));
        }
        frame
    }
}

/// Adds the costs of the same tiles in a pass before.
fn add_tiles(tiles: &mut [TileCost], before: &[TileCost]) {
    for (tile, before) in tiles.iter_mut().zip(before) {
        tile.cost += before.cost;
        tile.fragment_cycles += before.fragment_cycles;
    }
}

impl FrameCosts {
    fn add_draws(&mut self, pass: &FrameTrace, name: &str, attribution: &Attribution) {
        let name = |draw: &String| match name {
            "" => draw.clone(),
            pass => format!("{pass}: {draw}"),
        };
        let dispatches = pass.dispatches.iter().map(|dispatch| &dispatch.name);
        let names = pass.draws.iter().map(|draw| &draw.name).chain(dispatches);
        let draws = names.zip(&attribution.draws);
        self.draws.extend(draws.map(|(draw, cost)| DrawCost {
            name: name(draw),
            cost: *cost,
        }));
    }
}

fn report(trace: &FrameTrace, cost: PassCost, first_draw: usize) -> PassReport {
    PassReport {
        name: match trace.name.as_str() {
            "" => "frame".to_owned(),
            name => name.to_owned(),
        },
        grid: trace.grid,
        samples: trace.samples,
        pixel_bytes: trace.pixel_bytes,
        cycles: cost.cycles,
        geometry_cycles: cost.geometry,
        activity: cost.activity,
        targets: TargetReport::of_pass(trace, &cost.attribution.tiles),
        draws: [first_draw, trace.draws.len() + trace.dispatches.len()],
        tiles: cost.attribution.tiles,
    }
}
