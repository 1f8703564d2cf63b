//! Boustrophedonic Frames (Joseph et al., PACT 2023): every second frame goes over its tiles backwards.
//!
//! A frame uses nearly the textures of the frame before, in nearly the same order, and all of them together are more than
//! the L2 holds: least recently used lines leave just before they would be used again. Begun at the other end, a frame
//! finds in the L2 what the frame before used last. The Tile Fetcher counts down instead of up, which costs nothing
//! (section III-F).
//!
//! Seam: the walk over the tiles, which is the machine's own, there and back. Frames are counted as the machine draws them:
//! in a study that leaves frames out, those that it draws still alternate. Schedulers that walk by themselves turn around
//! with it: LIBRA its supertiles, but for their ranking, and KHEPRI its regions.
//!
//! Differences: none is known; the paper's tiles are in Z-order, as those of its machine `boustrophedonic` are here.

use azulejo_gpu::Seams;
use azulejo_gpu::machine::MachineSpec;

/// Name on the command line, in machine files and in reports.
pub const NAME: &str = "boustro";

/// The machine's walk, backwards in every second frame.
pub(super) fn seams(spec: &MachineSpec) -> Seams {
    Seams {
        order: Some(spec.screen.order.alternating()),
        ..Seams::default()
    }
}

#[cfg(test)]
mod tests {
    use crate::{BOUSTRO, RE, Technique, machine_with};
    use azulejo_gpu::FrameReport;
    use azulejo_gpu::machine::{MachineSpec, Overlay};
    use azulejo_gpu::memory::Traffic;
    use azulejo_grid::TileGrid;
    use azulejo_trace::InstructionClass;
    use azulejo_trace::synthetic::{CoveredScreen, TexelPattern, independent};

    fn machine(changes: &[&str]) -> MachineSpec {
        let overlays: Vec<Overlay> = (changes.iter())
            .map(|change| change.parse().expect("KEY=VALUE"))
            .collect();
        MachineSpec::built_in("boustrophedonic", &overlays).expect("a valid machine")
    }

    /// Frames of these numbers, of 8 x 8 tiles with 1 MiB of texels.
    fn play(
        spec: &MachineSpec,
        techniques: &[&Technique],
        numbers: impl IntoIterator<Item = u64>,
    ) -> Vec<FrameReport> {
        let grid = TileGrid {
            width: 256,
            height: 256,
            tile_size: 32,
        };
        let program = independent(InstructionClass::Texture, 1);
        let mut screen = CoveredScreen::new(grid, program);
        screen.texels = TexelPattern::AlwaysNew;
        let mut gpu = machine_with(spec, techniques).expect("valid");
        let frames = numbers
            .into_iter()
            .map(|number| gpu.run_frame(&screen.frame(number)));
        frames.collect::<Result<_, _>>().expect("it runs")
    }

    fn order_of(report: &FrameReport) -> Vec<usize> {
        let mut tiles: Vec<usize> = (0..report.tiles.len()).collect();
        tiles.sort_by_key(|tile| report.tiles[*tile].start);
        tiles
    }

    #[test]
    fn frames_go_there_and_back_as_they_are_drawn_whatever_their_numbers() {
        let spec = machine(&[]);
        let forward = order_of(&play(&spec, &[], [0])[0]);
        let mut backward = forward.clone();
        backward.reverse();
        let expected = [&forward, &backward, &forward, &backward];
        let reports = play(&spec, &[&BOUSTRO], [0, 2, 10, 11]);
        for (report, expected) in reports.iter().zip(expected) {
            assert_eq!(&order_of(report), expected, "frame {}", report.frame);
        }
        for report in play(&spec, &[], [0, 1, 2]) {
            assert_eq!(order_of(&report), forward, "without: the same each time");
        }
    }

    #[test]
    fn frame_finds_in_the_l2_what_the_frame_before_used_last() {
        let spec = machine(&["l2.size=512KiB", "core.baseline.texture_cache.size=4KiB"]);
        let lines = 64 * 64 * 4;
        let reads = |techniques: &[&Technique]| {
            let reports = play(&spec, techniques, 0..4);
            reports[3].dram.reads[Traffic::Texture]
        };
        assert_eq!(
            reads(&[]),
            lines,
            "a circular trace of twice the size: no hits"
        );
        let reversed = reads(&[&BOUSTRO]);
        // Half of the lines are there, less what tiles of 16 KiB do within themselves in the order of the frame before.
        let half = lines / 2;
        assert!(
            (half..half * 21 / 20).contains(&reversed),
            "{reversed} of {lines}, half of which must come"
        );
    }

    #[test]
    fn reversal_works_beside_rendering_elimination() {
        let spec = machine(&["display.frame_buffers=1"]);
        let reports = play(&spec, &[&BOUSTRO, &RE], 0..3);
        let skipped: Vec<u64> = reports.iter().map(FrameReport::tiles_skipped).collect();
        assert_eq!(
            skipped,
            [0, 64, 64],
            "tiles that stay are left out in any order"
        );
    }
}
