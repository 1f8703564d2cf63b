//! Laws of reports of frames one after the other, whatever the machine's numbers are.

use super::{ALU, TexelPattern, grid, machine};
use crate::memory::Traffic;
use crate::{FrameReport, Gpu};
use azulejo_trace::InstructionClass;
use azulejo_trace::synthetic::{CoveredScreen, independent};
use azulejo_units::Hertz;

/// Frames of the same screen, one after the other.
fn frames(name: &str, changes: &[&str], screen: &CoveredScreen, n: u64) -> Vec<FrameReport> {
    let mut gpu = Gpu::new(&machine(name, changes)).expect("a valid machine");
    let frame = |number| gpu.run_frame(&screen.frame(number)).expect("no deadlock");
    (0..n).map(frame).collect()
}

#[test]
fn units_are_busy_in_each_frame_of_a_standing_scene_as_in_the_first() {
    let screen = CoveredScreen::new(grid(96, 64, 32), independent(ALU, 3));
    for name in ["mali450-re", "valhall-libra-baseline"] {
        let frames = frames(name, &["ideal_memory=true"], &screen, 3);
        for frame in &frames[1..] {
            let pairs = frame.raster_units.iter().zip(&frames[0].raster_units);
            for (unit, first) in pairs {
                assert_eq!(unit.flush.busy, first.flush.busy, "{name}: flush");
                assert_eq!(unit.blend.busy, first.blend.busy, "{name}: blend");
            }
            let fetcher = frame.tile_fetcher.activity.busy;
            let first = frames[0].tile_fetcher.activity.busy;
            assert_eq!(fetcher, first, "{name}: Tile Fetcher");
        }
    }
}

#[test]
fn dram_takes_the_time_of_the_frame_at_any_clock() {
    let mut screen =
        CoveredScreen::new(grid(64, 64, 32), independent(InstructionClass::Texture, 1));
    screen.texels = TexelPattern::AlwaysNew;
    for mhz in [1, 3, 7, 333, 600, 950, 1234, 5000, 7000, 9999, 10_000] {
        let clock = format!("clock_mhz={mhz}");
        for frame in frames("valhall-libra-baseline", &[&clock], &screen, 2) {
            let of_dram = frame.dram.period * frame.dram.cycles.0;
            let of_gpu = Hertz::from_mhz(mhz).time_of(frame.cycles);
            let off = of_dram.0.abs_diff(of_gpu.0);
            assert!(off <= 2 * frame.dram.period.0 + 1, "{mhz} MHz: {off} ps");
        }
    }
}

#[test]
fn color_lines_are_written_once_whatever_tile_and_line_are() {
    for (tile, line, bytes_per_pixel) in [
        (8, 64, 4),
        (8, 128, 4),
        (8, 256, 4),
        (16, 128, 4),
        (16, 512, 4),
        (32, 256, 4),
        (8, 64, 8),
        (16, 128, 2),
        (32, 64, 1),
    ] {
        let mut screen = CoveredScreen::new(grid(128, 64, tile), independent(ALU, 1));
        screen.targets[0].bytes_per_pixel = bytes_per_pixel;
        let changes = [format!("line={line}B"), format!("screen.tile_size={tile}")];
        let changes = [&*changes[0], &*changes[1]];
        let frame = &frames("mali450-re", &changes, &screen, 1)[0];
        let written = frame.dram.writes[Traffic::ColorFlush] * line;
        let pixels = 128 * 64 * u64::from(bytes_per_pixel);
        assert_eq!(written, pixels, "tiles of {tile}, lines of {line}");
    }
}

#[test]
fn bursts_are_moved_merged_or_still_waiting() {
    let mut screen =
        CoveredScreen::new(grid(64, 96, 32), independent(InstructionClass::Texture, 1));
    screen.texels = TexelPattern::AlwaysNew;
    for line in ["line=64B", "line=256B"] {
        let changes = [line, "display.refresh=0"];
        let dram = &frames("valhall-libra-baseline", &changes, &screen, 1)[0].dram;
        let apart = dram.column_commands + dram.bursts_merged + dram.bursts_waiting;
        assert_eq!(apart, dram.bursts, "{line}: each burst is one of these");
        let moved = dram.column_commands * dram.burst_bytes.0;
        assert_eq!(dram.bytes().0, moved, "{line}: and commands alone move");
    }
}
