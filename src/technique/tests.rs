//! What every technique that leaves work out must hold, alone and side by side.

use proptest::prelude::*;

use super::*;
use crate::gpu::FrameReport;
use crate::gpu::elide::Verdict;
use crate::grid::{TileGrid, TileId};
use crate::trace::synthetic::{CoveredScreen, fragment_program};
use crate::trace::{FrameTrace, Instruction, InstructionClass, TargetInfo};

const GRID: TileGrid = TileGrid {
    width: 128,
    height: 96,
    tile_size: 32,
};

fn spec() -> MachineSpec {
    MachineSpec::built_in("mali450-re", &[]).expect("shipped")
}

/// A frame whose tiles have these inputs; colours follow from them, two inputs to a colour.
fn frame(number: u64, inputs: &[u32]) -> FrameTrace {
    let alu = Instruction::new(InstructionClass::Alu, &[]);
    let mut frame = CoveredScreen::new(GRID, fragment_program("alu", vec![alu])).frame(number);
    for (tile, &input) in frame.tiles.iter_mut().zip(inputs) {
        tile.digests.inputs = input.into();
        // Inputs 6 and 7 collide.
        tile.digests.input_crc = input.min(6);
        tile.digests.color_crc = input / 2;
    }
    frame
}

fn frames() -> impl Strategy<Value = Vec<Vec<u32>>> {
    let inputs = prop::collection::vec(0_u32..8, GRID.n_tiles() as usize);
    prop::collection::vec(inputs, 1..7)
}

proptest! {
    #[test]
    fn eliders_leave_out_only_what_the_frame_buffer_has(frames in frames(), buffers in 1_u32..4) {
        for technique in TECHNIQUES {
            let mut elider = (technique.elider)(&spec());
            for (number, inputs) in frames.iter().enumerate() {
                let now = frame(number as u64, inputs);
                elider.begin_frame(&now, buffers);
                let before = number.checked_sub(buffers as usize).map(|before| &frames[before]);
                for (id, facts) in (0..).zip(&now.tiles) {
                    let verdicts = [elider.tile(TileId(id), facts), elider.flush(TileId(id), facts)];
                    let held = before.map(|inputs| inputs[id as usize] / 2);
                    prop_assert!(
                        !verdicts.contains(&Verdict::Skip) || held == Some(facts.digests.color_crc),
                        "{}: tile {id} of frame {number} has other colours", technique.name
                    );
                }
                prop_assert!(elider.take_report().is_some(), "{}", technique.name);
            }
        }
    }
}

fn run(techniques: &[&'static Technique], frames: &[FrameTrace]) -> Vec<FrameReport> {
    let mut gpu = machine_with(&spec(), techniques).expect("valid");
    let reports = frames.iter().map(|frame| {
        let report = gpu.run_frame(frame).expect("it runs");
        assert_eq!(report.check(frame), Ok(()), "conservation");
        report
    });
    reports.collect()
}

/// Five equal frames, then one in which half of the tiles are others.
fn mostly_still() -> Vec<FrameTrace> {
    let still = vec![1; GRID.n_tiles() as usize];
    let mut changed = still.clone();
    changed[..6].fill(4);
    let mut frames: Vec<_> = (0..5).map(|number| frame(number, &still)).collect();
    frames.push(frame(5, &changed));
    frames
}

fn all() -> Vec<&'static Technique> {
    TECHNIQUES.iter().collect()
}

#[test]
fn techniques_have_names_of_their_own() {
    for technique in TECHNIQUES {
        let found = Technique::find(technique.name).expect("listed");
        assert_eq!(found.title, technique.title, "found by name");
    }
}

#[test]
fn machine_without_techniques_is_the_baseline() {
    let mut baseline = Gpu::new(&spec()).expect("valid");
    let frames = mostly_still();
    for (report, frame) in run(&[], &frames).into_iter().zip(&frames) {
        let expected = baseline.run_frame(frame).expect("it runs");
        assert_eq!(report, expected, "frame {}", frame.frame);
    }
}

#[test]
fn rendering_elimination_skips_from_the_third_frame_on() {
    let re = Technique::find("re").expect("listed");
    let skipped: Vec<u64> = run(&[re], &mostly_still())
        .iter()
        .map(|report| report.elision.as_ref().expect("on").tiles_skipped)
        .collect();
    assert_eq!(skipped, [0, 0, 12, 12, 12, 6], "two buffers must be filled");
}

#[test]
fn transaction_elimination_leaves_out_flushes_and_nothing_else() {
    let te = Technique::find("te").expect("listed");
    let (frames, baseline) = (mostly_still(), run(&[], &mostly_still()));
    for (report, baseline) in run(&[te], &frames).iter().zip(&baseline) {
        let flushed = |report: &FrameReport| report.raster_units[0].flush_bytes;
        let skipped = report.elision.as_ref().expect("on").flushes_skipped;
        assert_eq!(
            flushed(report) + skipped * 32 * 32 * 4,
            flushed(baseline),
            "frame {}",
            report.frame
        );
        assert_eq!(report.instructions(), baseline.instructions(), "all shaded");
    }
}

#[test]
fn techniques_side_by_side_leave_out_what_either_does() {
    let reports = run(&all(), &mostly_still());
    let last = reports.last().and_then(|report| report.elision.clone());
    let last = last.expect("on");
    assert_eq!(
        (last.tiles_skipped, last.flushes_skipped),
        (6, 0),
        "inputs 4"
    );
    assert!(
        last.arrays
            .iter()
            .filter(|array| array.name == "Signature Buffer")
            .count()
            == 2,
        "each has its own: {:?}",
        last.arrays
    );
}

#[test]
fn rendering_elimination_is_off_with_several_render_targets() {
    let re = Technique::find("re").expect("listed");
    let still = vec![1; GRID.n_tiles() as usize];
    let mut elider = (re.elider)(&spec());
    for number in 0..5 {
        let mut now = frame(number, &still);
        now.targets.push(TargetInfo::default());
        elider.begin_frame(&now, 1);
        let verdict = elider.tile(TileId(0), &now.tiles[0]);
        assert_eq!(verdict, Verdict::Keep, "frame {number}");
    }
}

#[test]
fn rendering_elimination_refreshes_on_request() {
    let still = vec![1; GRID.n_tiles() as usize];
    let mut elider = RenderingElimination::new(spec().signature_unit, Some(4), false);
    let mut drawn = Vec::new();
    for number in 0..9 {
        let now = frame(number, &still);
        elider.begin_frame(&now, 2);
        if elider.tile(TileId(0), &now.tiles[0]) == Verdict::Keep {
            drawn.push(number);
        }
    }
    assert_eq!(drawn, [0, 1, 4, 5, 8], "both buffers, every four frames");
}

#[test]
fn rendering_elimination_counts_collisions_and_false_negatives() {
    let n_tiles = GRID.n_tiles() as usize;
    for (before, now, collisions, false_negatives) in [(6, 7, 1, 1), (2, 3, 0, 1), (1, 2, 0, 0)] {
        let mut elider = RenderingElimination::new(spec().signature_unit, None, false);
        elider.begin_frame(&frame(0, &vec![before; n_tiles]), 1);
        let second = frame(1, &vec![now; n_tiles]);
        elider.begin_frame(&second, 1);
        assert_eq!(elider.tile(TileId(0), &second.tiles[0]), Verdict::Keep);
        let report = elider.take_report().expect("on");
        assert_eq!(
            (report.collisions, report.false_negatives),
            (collisions, false_negatives),
            "{before} to {now}"
        );
    }
}
