//! Small report for tests.

use azulejo_gpu::machine::MachineSpec;
use azulejo_gpu::{FrameReport, Gpu};
use azulejo_grid::TileGrid;
use azulejo_trace::InstructionClass;
use azulejo_trace::synthetic::{CoveredScreen, TexelPattern, independent};

/// Returns the report of a small textured frame on LIBRA's GPU.
pub(crate) fn small_report() -> FrameReport {
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
