//! Small reports for tests.

use azulejo_gpu::machine::MachineSpec;
use azulejo_gpu::{FrameReport, Gpu};
use azulejo_grid::TileGrid;
use azulejo_trace::synthetic::{CoveredScreen, TexelPattern, independent};
use azulejo_trace::{FrameTrace, InstructionClass};

/// Returns the report of a small textured frame on LIBRA's GPU.
pub(crate) fn small_report() -> FrameReport {
    let grid = TileGrid {
        width: 96,
        height: 64,
        tile_size: 32,
    };
    let mut screen = CoveredScreen::new(grid, independent(InstructionClass::Texture, 2));
    screen.texels = TexelPattern::ScreenAligned;
    report_of(&screen.frame(0))
}

/// Returns the report of a frame of two passes: the first is a smaller screen.
pub(crate) fn report_of_passes() -> FrameReport {
    let of = |width| {
        let grid = TileGrid {
            width,
            height: 64,
            tile_size: 32,
        };
        CoveredScreen::new(grid, independent(InstructionClass::Alu, 4)).frame(0)
    };
    let first = FrameTrace {
        name: "first".to_owned(),
        ..of(64)
    };
    report_of(&FrameTrace {
        name: "last".to_owned(),
        before: vec![first],
        ..of(96)
    })
}

fn report_of(frame: &FrameTrace) -> FrameReport {
    let spec = MachineSpec::built_in("valhall-libra", &[]).expect("a shipped machine");
    let mut gpu = Gpu::new(&spec).expect("a valid machine");
    gpu.run_frame(frame).expect("no deadlock")
}
