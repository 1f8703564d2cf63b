//! A technique of your own, beside the baseline: `cargo run --release --example own_technique -- [DEMO]`.
//!
//! The tiles that moved most DRAM lines in the frame before come first, so that the frame does not end with a few slow
//! ones. The page `azulejo::technique::guide` explains every step.

use std::cmp::Reverse;
use std::error::Error;

use azulejo::gpu::machine::MachineSpec;
use azulejo::gpu::schedule::{FrameStart, TileScheduler, contract};
use azulejo::gpu::{FrameReport, Seams};
use azulejo::grid::TileId;
use azulejo::render::{Renderer, SimdLevel};
use azulejo::shot::Shot;
use azulejo::technique::{Technique, machine_with};

/// Description of the technique for the machine: names for people, and the constructor of the parts for its seams.
const HOT_FIRST: Technique = Technique {
    name: "hot-first",
    title: "Hot tiles first",
    about: "tiles with most DRAM lines in the frame before are drawn first",
    paper: "none",
    build: |_| Ok(Seams::of_scheduler(HotFirst::default())),
    maps: &[],
    host: None,
};

/// The tiles of the frame that have not been handed out, the next one at the end.
#[derive(Debug, Default)]
struct HotFirst {
    left: Vec<TileId>,
}

impl TileScheduler for HotFirst {
    fn begin_frame(&mut self, start: &FrameStart<'_>) {
        let mut order = start.walk();
        if let Some(previous) = start.previous {
            let lines = |tile: &TileId| previous.tiles[tile.0 as usize].cost.dram_lines.total();
            // Equal tiles stay in the machine's order: the sort is stable.
            order.sort_by_key(|tile| Reverse(lines(tile)));
        }
        order.reverse();
        self.left = order;
    }

    fn next_tile(&mut self, _unit: usize) -> Option<TileId> {
        self.left.pop()
    }

    fn is_done(&self) -> bool {
        self.left.is_empty()
    }
}

/// LIBRA's GPU: two Raster Units of four cores.
const MACHINE: &str = "valhall-libra";

/// Frames after each other from here on, in which something happens.
const FIRST: u64 = 120;
const FRAMES: u64 = 3;

#[expect(clippy::print_stdout, reason = "a program for people")]
fn main() -> Result<(), Box<dyn Error>> {
    contract::check(HotFirst::default)?;
    let name = std::env::args().nth(1).unwrap_or("match3".to_owned());
    let shot = Shot::demo(&name)?;
    let machine = MachineSpec::built_in(MACHINE, &[])?;
    let mut renderer = Renderer::new(0, SimdLevel::Auto)?;
    let mut baseline = machine_with(&machine, &[])?;
    let mut own = machine_with(&machine, &[&HOT_FIRST])?;
    println!("{name} on {MACHINE}, raster cycles");
    for number in FIRST..FIRST + FRAMES {
        let trace = shot.trace(&mut renderer, &machine, number)?;
        let (before, after) = (baseline.run_frame(&trace)?, own.run_frame(&trace)?);
        println!("{}", line(number, &before, &after));
    }
    Ok(())
}

fn line(number: u64, before: &FrameReport, after: &FrameReport) -> String {
    let (before, after) = (before.raster_cycles.0, after.raster_cycles.0);
    format!(
        "frame {number}: in turn {before:>9}, hot tiles first {after:>9}, speedup {:.3}",
        before as f64 / after as f64
    )
}
