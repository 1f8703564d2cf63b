//! Small report for tests.

use crate::gpu::machine::MachineSpec;
use crate::gpu::{FrameReport, Gpu};
use crate::grid::TileGrid;
use crate::trace::InstructionClass;
use crate::trace::synthetic::{CoveredScreen, TexelPattern, independent};

/// Returns the report of a small textured frame on LIBRA's GPU.
pub(in crate::report) fn small_report() -> FrameReport {
    let grid = TileGrid {
        width: 96,
        height: 64,
        tile_size: 32,
    };
    let mut screen = CoveredScreen::new(grid, independent(InstructionClass::Texture, 2));
    screen.texels = TexelPattern::ScreenAligned;
    let spec = MachineSpec::built_in("valhall-libra", &[]).expect("a shipped machine");
    let mut gpu = Gpu::new(&spec).expect("a valid machine");
    gpu.run_frame(&screen.frame(0)).expect("no deadlock")
}
