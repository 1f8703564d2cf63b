//! Invariants of every technique that leaves work out, alone and side by side.

mod breaches;
mod composition;
mod seams;

use proptest::prelude::*;

use super::rendering_elimination::ReSpec;
use super::*;
use azulejo_gpu::FrameReport;
use azulejo_gpu::elide::{Elider, Verdict};
use azulejo_grid::{TileGrid, TileId};
use azulejo_trace::synthetic::{CoveredScreen, fragment_program};
use azulejo_trace::{
    FrameTrace, Instruction, InstructionClass, TargetInfo, TargetTexture, TextureIdx,
};
use azulejo_units::Bytes;

const GRID: TileGrid = TileGrid {
    width: 128,
    height: 96,
    tile_size: 32,
};

/// The first texture of frames.
const TEXTURE: TargetTexture = TargetTexture {
    texture: TextureIdx(0),
    first_block: 0,
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
        // Inputs 5 and 6 collide, and have other colours.
        tile.digests.input_crc = if input == 6 { 5 } else { input };
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
    fn eliders_leave_out_only_what_the_frame_buffer_has(
        frames in frames(),
        buffers in 1_u32..4,
        in_texture in any::<bool>(),
    ) {
        // A texture is one buffer.
        let held_since = if in_texture { 1 } else { buffers };
        for technique in TECHNIQUES {
            let Some(mut elider) = seams(technique).elider else {
                continue;
            };
            for (number, inputs) in frames.iter().enumerate() {
                let mut now = frame(number as u64, inputs);
                now.targets[0].texture = in_texture.then_some(TEXTURE);
                elider.begin_frame(&now, buffers);
                let before = number.checked_sub(held_since as usize).map(|before| &frames[before]);
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

/// Seams of the technique on a machine that is made for it.
fn seams(technique: &Technique) -> Seams {
    let spec = match technique.name {
        "khepri" => MachineSpec::built_in("valhall-khepri", &[]).expect("shipped"),
        "dfsl" => MachineSpec::built_in("emerald-gpu", &[]).expect("shipped"),
        "dash" => MachineSpec::built_in("emerald-soc", &[]).expect("shipped"),
        _ => spec(),
    };
    (technique.build)(&spec).expect("shipped parameters are valid")
}

fn unit() -> ReSpec {
    spec().technique.part("re").get().expect("shipped")
}

fn run(techniques: &[&Technique], frames: &[FrameTrace]) -> Vec<FrameReport> {
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
    let reports = run(&[&RE], &mostly_still());
    let skipped: Vec<u64> = reports.iter().map(FrameReport::tiles_skipped).collect();
    assert_eq!(skipped, [0, 0, 12, 12, 12, 6], "two buffers must be filled");
}

#[test]
fn transaction_elimination_leaves_out_flushes_and_nothing_else() {
    let (frames, baseline) = (mostly_still(), run(&[], &mostly_still()));
    for (report, baseline) in run(&[&TE], &frames).iter().zip(&baseline) {
        let flushed = |report: &FrameReport| report.raster_units[0].flush_bytes;
        let skipped = report.flushes_skipped();
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
    let reports = run(&[&RE, &TE], &mostly_still());
    let last = reports.last().expect("six frames");
    assert_eq!(
        (last.tiles_skipped(), last.flushes_skipped()),
        (6, 0),
        "inputs 4"
    );
    let names: Vec<_> = last
        .techniques
        .iter()
        .map(|report| report.technique)
        .collect();
    assert_eq!(names, ["re", "te"], "each speaks for itself");
    for report in &last.techniques {
        let has_buffer = (report.memories.iter()).any(|memory| memory.name == "Signature Buffer");
        assert!(has_buffer, "{} has its own", report.technique);
    }
}

#[test]
fn transaction_elimination_keeps_a_signature_of_each_tile_for_each_frame_buffer() {
    let frames = mostly_still();
    for buffers in [1, 2, 3] {
        let mut elider = seams(&TE).elider.expect("an elider");
        elider.begin_frame(&frames[0], buffers);
        let report = elider.take_report().expect("on");
        let memories = &report.memories;
        let buffer = memories
            .iter()
            .find(|memory| memory.name == "Signature Buffer");
        let bytes = 4 * u64::from(GRID.n_tiles()) * u64::from(buffers);
        assert_eq!(
            buffer.expect("it has one").size,
            Bytes(bytes),
            "{buffers} buffers"
        );
    }
}

#[test]
fn rendering_elimination_is_off_with_several_render_targets() {
    let still = vec![1; GRID.n_tiles() as usize];
    let mut elider = seams(&RE).elider.expect("an elider");
    for number in 0..5 {
        let mut now = frame(number, &still);
        now.targets.push(TargetInfo::default());
        elider.begin_frame(&now, 1);
        let verdict = elider.tile(TileId(0), &now.tiles[0]);
        assert_eq!(verdict, Verdict::Keep, "frame {number}");
    }
}

#[test]
fn rendering_elimination_is_off_where_another_pass_draws_to_the_target() {
    let still = vec![1; GRID.n_tiles() as usize];
    let mut drawn = frame(0, &still);
    drawn.targets[0].texture = Some(TEXTURE);
    let twice = FrameTrace {
        before: vec![drawn.clone()],
        ..drawn.clone()
    };
    let verdicts = |frame: &FrameTrace| {
        let mut elider = seams(&RE).elider.expect("an elider");
        let mut verdict = Verdict::Keep;
        for _ in 0..3 {
            elider.begin_frame(frame, 2);
            verdict = elider.tile(TileId(0), &frame.tiles[0]);
        }
        verdict
    };
    assert_eq!(verdicts(&drawn), Verdict::Skip, "by one pass");
    assert_eq!(verdicts(&twice), Verdict::Keep, "by two");
}

#[test]
fn rendering_elimination_compares_frames_of_one_target() {
    let still = vec![1; GRID.n_tiles() as usize];
    let verdicts = |names: [&str; 4]| {
        let mut elider = seams(&RE).elider.expect("an elider");
        names.map(|name| {
            let mut now = frame(0, &still);
            now.targets[0].texture = Some(TEXTURE);
            name.clone_into(&mut now.textures[0].name);
            elider.begin_frame(&now, 2);
            elider.tile(TileId(0), &now.tiles[0])
        })
    };
    use Verdict::{Keep, Skip};
    assert_eq!(verdicts(["one"; 4]), [Keep, Skip, Skip, Skip]);
    let in_turn = verdicts(["one", "other", "one", "other"]);
    assert_eq!(in_turn, [Keep; 4], "each holds another frame");
}

#[test]
fn rendering_elimination_refreshes_on_request() {
    let still = vec![1; GRID.n_tiles() as usize];
    let mut elider = RenderingElimination::new(ReSpec {
        refresh: 4,
        ..unit()
    });
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

/// Counterpart of [`eliders_leave_out_only_what_the_frame_buffer_has`]: an elider that trusts equal CRCs.
#[test]
fn rendering_elimination_that_trusts_its_crc_leaves_out_a_tile_of_other_colours() {
    let n_tiles = GRID.n_tiles() as usize;
    let [first, second] =
        [(0, 5), (1, 6)].map(|(number, input)| frame(number, &vec![input; n_tiles]));
    let colors = [&first, &second].map(|frame| frame.tiles[0].digests.color_crc);
    assert_ne!(colors[0], colors[1], "other colours");
    let mut elider = RenderingElimination::new(ReSpec {
        trust_signatures: true,
        ..unit()
    });
    elider.begin_frame(&first, 1);
    elider.begin_frame(&second, 1);
    let verdict = elider.tile(TileId(0), &second.tiles[0]);
    assert_eq!(verdict, Verdict::Skip, "believed, as asked");
}

#[test]
fn rendering_elimination_counts_collisions_and_false_negatives() {
    let n_tiles = GRID.n_tiles() as usize;
    for (before, now, collisions, false_negatives) in [(5, 6, 1, 0), (2, 3, 0, 1), (1, 2, 0, 0)] {
        let mut elider = RenderingElimination::new(unit());
        elider.begin_frame(&frame(0, &vec![before; n_tiles]), 1);
        let second = frame(1, &vec![now; n_tiles]);
        elider.begin_frame(&second, 1);
        assert_eq!(elider.tile(TileId(0), &second.tiles[0]), Verdict::Keep);
        let report = elider.take_report().expect("on");
        assert_eq!(
            ["collisions", "false_negatives"].map(|name| report.counter(name)),
            [Some(collisions), Some(false_negatives)],
            "{before} to {now}"
        );
    }
}

/// Tiles left out of each of six equal frames on a machine with this change, over two buffers.
fn skipped_with(change: &str) -> Vec<u64> {
    let change = change.parse().expect("KEY=VALUE");
    let machine = MachineSpec::built_in("mali450-re", &[change]).expect("shipped");
    let mut gpu = machine_with(&machine, &[&RE]).expect("valid");
    let still = vec![1; GRID.n_tiles() as usize];
    let frames = (0..6).map(|number| frame(number, &still));
    let reports = frames.map(|frame| gpu.run_frame(&frame).expect("it runs"));
    reports.map(|report| report.tiles_skipped()).collect()
}

#[test]
fn refresh_of_a_machine_draws_both_buffers_whole_in_its_period() {
    let all = u64::from(GRID.n_tiles());
    let never = [0, 0, all, all, all, all];
    assert_eq!(skipped_with("technique.re.refresh=0"), never, "as shipped");
    let fourth = [0, 0, all, all, 0, 0];
    assert_eq!(skipped_with("technique.re.refresh=4"), fourth, "4 and 5");
    assert_eq!(skipped_with("technique.re.refresh=2"), [0; 6], "always one");
    assert_eq!(
        refused_parameter("technique.re.refresh=-1"),
        "--set: technique.re.refresh = -1: expected an integer from 0 to 1000000"
    );
}

#[test]
fn trust_in_signatures_is_a_parameter_of_the_machine() {
    let n_tiles = GRID.n_tiles() as usize;
    for (trusts, skipped) in [("false", 0), ("true", u64::from(GRID.n_tiles()))] {
        let change = format!("technique.re.trust_signatures={trusts}");
        let changes = [change, "display.frame_buffers=1".to_owned()];
        let changes = changes.map(|change| change.parse().expect("KEY=VALUE"));
        let machine = MachineSpec::built_in("mali450-re", &changes).expect("shipped");
        let mut gpu = machine_with(&machine, &[&RE]).expect("valid");
        gpu.run_frame(&frame(0, &vec![5; n_tiles]))
            .expect("it runs");
        let report = gpu
            .run_frame(&frame(1, &vec![6; n_tiles]))
            .expect("it runs");
        assert_eq!(report.tiles_skipped(), skipped, "CRCs collide: {trusts}");
        let own = report.technique("re").expect("on");
        assert_eq!(own.counter("collisions"), Some(u64::from(GRID.n_tiles())));
    }
    let odd = refused_parameter("technique.re.trust_signatures=maybe");
    assert!(odd.contains("technique.re.trust_signatures"), "{odd}");
}

/// Error for parameters that the machine refuses.
fn refused_parameter(change: &str) -> String {
    let change = change.parse().expect("KEY=VALUE");
    let spec = MachineSpec::built_in("mali450-re", &[change]).expect("the machine does not know");
    let error = check_parameters(&spec).expect_err("must be refused");
    error.to_string()
}

#[test]
fn parameters_of_shipped_machines_are_valid() {
    for machine in azulejo_gpu::machine::BUILT_IN {
        let spec = MachineSpec::built_in(machine.name, &[]).expect("shipped");
        assert_eq!(check_parameters(&spec), Ok(()), "{}", machine.name);
        for technique in TECHNIQUES {
            let is_immediate = machine.name.starts_with("emerald");
            let fits = match technique.name {
                "khepri" => machine.name == "valhall-khepri",
                "dfsl" => is_immediate,
                // No other agent shares the memory.
                "dash" => machine.name.starts_with("emerald-soc"),
                // There are no tiles to leave out, to hand out or to put in order.
                _ => !is_immediate,
            };
            let gpu = machine_with(&spec, &[technique]);
            assert_eq!(gpu.is_ok(), fits, "{}: {}", machine.name, technique.name);
        }
    }
}

#[test]
fn parameters_out_of_range_are_refused_with_file_key_value_and_range() {
    assert_eq!(
        refused_parameter("technique.re.shift_subunits=0"),
        "--set: technique.re.shift_subunits = 0: expected an integer from 1 to 256"
    );
    let error = refused_parameter("technique.re.ot_queue=many");
    assert!(error.contains("an integer from 1 to 65536"), "{error}");
}

#[test]
fn parameters_that_nobody_has_are_refused() {
    let misspelt = refused_parameter("technique.re.ot_qeue=3");
    assert!(misspelt.contains("technique.re.ot_qeue"), "{misspelt}");
    assert!(misspelt.contains("did you mean ot_queue?"), "{misspelt}");
    let unknown = refused_parameter("technique.er.ot_queue=3");
    assert!(unknown.contains("a technique by name: re, te"), "{unknown}");
    let none = refused_parameter("technique.te.size=3");
    assert!(none.contains("no parameters of technique te"), "{none}");
}

#[test]
fn parameters_reach_the_technique() {
    let change = "technique.re.shift_subunits=16".parse().expect("KEY=VALUE");
    let sixteen = MachineSpec::built_in("mali450-re", &[change]).expect("shipped");
    let busy = |spec: &MachineSpec| {
        let mut gpu = machine_with(spec, &[&RE]).expect("valid");
        let report = gpu.run_frame(&mostly_still()[0]).expect("it runs");
        let memories = &report.technique("re").expect("on").memories;
        let shift = memories
            .iter()
            .find(|memory| memory.name == "Accumulate CRC tables");
        shift.expect("it has").count
    };
    assert_eq!(
        (busy(&spec()), busy(&sixteen)),
        (4, 64),
        "tables of 1 and of 16"
    );
}
