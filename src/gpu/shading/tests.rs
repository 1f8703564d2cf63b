//! Cores to the cycle: in which cycle warps are through, and not one before. Each bench runs twice, with a cycle for the
//! core at each of its wakes and with one always, to show that sleeping changes nothing.
//!
//! The core's numbers: operands collected 2 cycles after issue, arithmetic 4, special functions 8 (one every 4), texture
//! cache 2, filter 8, a quad for 2 cycles in a memory pipeline. A warp that is launched in cycle 0 issues in cycle 1.

mod data;
mod divergence;
mod misses;

use super::{Core, MAX_QUADS, TexelCursor, TexturePorts, WarpJob};
use crate::cache::{CacheSpecError, PolicyTags, Victim};
use crate::frame::PreparedFrame;
use crate::machine::{CoreSpec, IdealSpec, MachineSpec};
use crate::memory::{MemorySystem, Source};
use crate::shading::CoreCounters;
use crate::statistics::Attribution;
use crate::test_support::{Placed, machine, memory, one_tile};
use azulejo_trace::synthetic::{CoveredScreen, TexelPattern, chain, fragment_program, independent};
use azulejo_trace::{BLOCK_BYTES, Instruction, InstructionClass, Program};
use azulejo_units::Cycles;

const ALU: InstructionClass = InstructionClass::Alu;
const SPECIAL: InstructionClass = InstructionClass::Transcendental;
const TEXTURE: InstructionClass = InstructionClass::Texture;

impl Core {
    /// A core with the machine's own replacement in its texture cache.
    pub(crate) fn new(
        spec: &CoreSpec,
        source: Source,
        ideal: bool,
    ) -> Result<Self, CacheSpecError> {
        let tags = PolicyTags::of_machine(spec.texture_cache.tags, Victim::Lru)?;
        let ideal = IdealSpec {
            texture_caches: ideal,
            data_caches: ideal,
            ..IdealSpec::default()
        };
        Self::with_tags(spec, tags, source, &ideal)
    }
}

/// Warps of one quad launched in cycle 0.
struct Bench {
    spec: MachineSpec,
    core: CoreSpec,
    program: Program,
    texels: TexelPattern,
    n_warps: u32,
    n_quads: u32,
    /// Paths of the quads in turn, of a program that branches.
    paths: Vec<Vec<u8>>,
    /// Each warp has texels of its own.
    apart: bool,
    /// Every texel is in the cache, or every line of the buffer; else lines come as `fills` says: in this cycle the line of this block. With `warm` blocks
    /// in the L2, they come from there as well.
    ideal: bool,
    fills: Vec<(u64, u64)>,
    warm: u64,
    /// Cycle in which it ends.
    end: u64,
}

impl Bench {
    fn new(program: Program) -> Self {
        let spec = machine();
        Self {
            core: spec.raster.core_types[0].core,
            spec,
            program,
            texels: TexelPattern::SameBlock,
            n_warps: 1,
            n_quads: 1,
            paths: Vec::new(),
            apart: false,
            ideal: true,
            fills: Vec::new(),
            warm: 0,
            end: 100,
        }
    }

    /// The cycles in which the warps are through, oldest first, and the counters up to the end.
    fn run(&self) -> (Vec<u64>, CoreCounters) {
        let when_due = self.run_cycles(|core, cycle| core.wake.0 <= cycle);
        let always = self.run_cycles(|_, _| true);
        assert_eq!(when_due, always, "sleeping changes nothing");
        when_due
    }

    fn finished(&self) -> Vec<u64> {
        self.run().0
    }

    fn run_cycles(&self, is_due: fn(&Core, u64) -> bool) -> (Vec<u64>, CoreCounters) {
        let mut screen = CoveredScreen::new(one_tile(32, 32), self.program.clone());
        screen.texels = self.texels;
        screen.paths = self.paths.clone();
        let placed = Placed::new(&self.spec, screen.frame(0));
        let facts = placed.facts();
        let of_buffer = self.program.count_of_buffers() > 0;
        let line_of = |block: u64| {
            let base = match of_buffer {
                true => facts.buffer((0, 0), 0),
                false => facts.texture(0, 0).base,
            };
            base + block * BLOCK_BYTES
        };
        let mut memory = memory(&self.spec);
        for block in 0..self.warm {
            let MemorySystem { l2, controller, .. } = &mut memory;
            l2.fill(line_of(block), Cycles::ZERO, controller);
        }
        let mut attribution = Attribution::new(1, 1);
        let mut core = Core::new(&self.core, Source(0), self.ideal).expect("a valid core");
        core.begin_pass(&facts.programs);
        for ticket in 0..self.n_warps {
            let job = self.job(ticket, &facts);
            core.launch(job, &job.paths(&facts), Cycles::ZERO, &facts);
        }
        let mut finished = vec![0; self.n_warps as usize];
        for cycle in 1..self.end {
            for (_, block) in self.fills.iter().filter(|(at, _)| *at == cycle) {
                let line = line_of(*block);
                match of_buffer {
                    true => core.fill_data(line, false, Cycles(cycle)),
                    false => _ = core.fill(line, false, Cycles(cycle)),
                }
            }
            if self.warm > 0 {
                memory.tick(Cycles(cycle));
                while let Some(response) = memory.pop_response(Cycles(cycle)) {
                    match response.source.core_of_data() {
                        Some((_, is_atomic)) => {
                            core.fill_data(response.line, is_atomic, Cycles(cycle));
                        }
                        None => _ = core.fill(response.line, false, Cycles(cycle)),
                    }
                }
            }
            if !is_due(&core, cycle) {
                continue;
            }
            let mut ports = TexturePorts {
                facts: &facts,
                memory: &mut memory,
                attribution: &mut attribution,
            };
            core.tick(Cycles(cycle), &facts.programs, &mut ports);
            for slot in std::mem::take(&mut core.finished) {
                finished[core.job(slot).ticket as usize] = cycle;
                core.release(slot, Cycles(cycle));
            }
        }
        (finished, core.take_counters(Cycles(self.end)))
    }

    fn job(&self, ticket: u32, facts: &PreparedFrame<'_>) -> WarpJob {
        let mut quads = [TexelCursor::default(); MAX_QUADS];
        let mut next = TexelCursor::default();
        let first = if self.apart { ticket * self.n_quads } else { 0 };
        for _ in 0..first {
            next.pass_quad(facts.tile(0), facts.quad_counts(0));
        }
        for cursor in &mut quads[..self.n_quads as usize] {
            *cursor = next;
            next.pass_quad(facts.tile(0), facts.quad_counts(0));
        }
        WarpJob::of_quads(1, (0, 0), (quads, self.n_quads), ticket)
    }
}

#[test]
fn core_arithmetic_is_through_after_issue_collection_and_latency() {
    let bench = Bench::new(independent(ALU, 1));
    assert_eq!(bench.finished(), [7], "1 + 2 + 4");
}

#[test]
fn core_dependent_instruction_issues_when_its_operand_is_there() {
    let bench = Bench::new(chain(ALU, 3));
    assert_eq!(bench.finished(), [19], "issued at 1, 7 and 13");
}

#[test]
fn core_issues_its_width_a_cycle() {
    let bench = Bench::new(independent(ALU, 5));
    let (finished, counters) = bench.run();
    assert_eq!(finished, [8], "four at 1, the fifth at 2");
    assert_eq!(counters.activity.busy, Cycles(2), "cycles that issue");
    assert_eq!(counters.instructions, 5, "all of them");
}

#[test]
fn core_issues_greedily_then_from_the_oldest() {
    let mut bench = Bench::new(independent(ALU, 2));
    bench.core.issue_width = 1;
    bench.n_warps = 3;
    let finished = bench.finished();
    assert_eq!(finished, [8, 10, 12], "issued at 1 2, 3 4, 5 6");
}

#[test]
fn core_waits_for_a_collector_unit() {
    let mut bench = Bench::new(independent(ALU, 4));
    bench.core.collector_units = 2;
    assert_eq!(
        bench.finished(),
        [9],
        "two at 1, two when these have left at 3"
    );
}

#[test]
fn core_slow_arithmetic_unit_starts_one_an_interval() {
    let mut bench = Bench::new(independent(ALU, 3));
    bench.core.alus = 1;
    bench.core.alu_interval = Cycles(3);
    assert_eq!(bench.finished(), [13], "started at 3, 6 and 9");
}

#[test]
fn core_narrow_arithmetic_starts_as_many_as_it_has_units() {
    let mut bench = Bench::new(independent(ALU, 3));
    bench.core.alus = 1;
    assert_eq!(bench.finished(), [9], "started at 3, 4 and 5");
}

#[test]
fn core_special_functions_start_one_a_unit_and_interval() {
    let one = Bench::new(independent(SPECIAL, 4));
    assert_eq!(one.finished(), [11], "four units: 1 + 2 + 8");
    let five = Bench::new(independent(SPECIAL, 5));
    assert_eq!(five.finished(), [15], "the fifth starts at 7");
}

#[test]
fn core_counts_a_waiting_warp_as_stalled_and_none_as_idle() {
    let (_, counters) = Bench::new(independent(ALU, 1)).run();
    let activity = counters.activity;
    assert_eq!(activity.busy, Cycles(1), "cycle 1");
    assert_eq!(activity.stalled, Cycles(6), "2 to 7");
    assert_eq!(activity.idle, Cycles(93), "0, and 8 to 99");
}

#[test]
fn texture_hit_is_there_after_cache_and_filter() {
    let bench = Bench::new(independent(TEXTURE, 1));
    assert_eq!(
        bench.finished(),
        [14],
        "looked up at 3, there at 13, its warp is through a cycle later"
    );
}

#[test]
fn texture_access_takes_its_quads_as_long_as_the_cache_where_it_hits() {
    let mut bench = Bench::new(independent(TEXTURE, 1));
    bench.n_quads = 4;
    let (_, counters) = bench.run();
    let texture = counters.texture;
    assert_eq!(
        (texture.quad_accesses, texture.quad_latency_sum),
        (4, 8),
        "two cycles each"
    );
}

#[test]
fn texture_pipeline_is_kept_two_cycles_a_quad() {
    let mut bench = Bench::new(independent(TEXTURE, 2));
    bench.core.memory_pipelines = 1;
    assert_eq!(bench.finished(), [16], "the second one enters at 5");
    bench.n_quads = 4;
    assert_eq!(bench.finished(), [22], "the second one enters at 11");
    bench.core.memory_pipelines = 2;
    assert_eq!(bench.finished(), [14], "both at 3");
}

#[test]
fn texture_pipeline_looks_up_one_line_a_cycle() {
    let mut bench = Bench::new(independent(TEXTURE, 1));
    bench.texels = TexelPattern::AlwaysNew;
    bench.n_quads = 4;
    let (finished, counters) = bench.run();
    assert_eq!(finished, [17], "four lines, at 3 to 6");
    assert_eq!(counters.texture.accesses, 4, "no two quads share one");
}

#[test]
fn texture_miss_is_there_after_its_line_and_filter() {
    let mut bench = Bench::new(independent(TEXTURE, 1));
    bench.ideal = false;
    bench.fills = vec![(40, 0)];
    let (finished, counters) = bench.run();
    assert_eq!(finished, [51], "40 + 2 + 8, and a cycle for the warp");
    assert_eq!(counters.texture.misses, 1, "a line asked for");
    assert_eq!(counters.texture.latency_sum, 47, "from 3 to 50");
    assert_eq!(counters.texture.quad_latency_sum, 39, "from 3 to 42");
}

#[test]
fn texture_second_miss_of_a_line_joins_the_first() {
    let mut bench = Bench::new(independent(TEXTURE, 2));
    bench.ideal = false;
    bench.fills = vec![(40, 0)];
    let (finished, counters) = bench.run();
    assert_eq!(finished, [51], "both with the one line");
    let texture = counters.texture;
    assert_eq!(
        (texture.misses, texture.pending_hits),
        (1, 1),
        "asked for once"
    );
}

#[test]
fn texture_miss_that_may_not_join_waits_for_the_line() {
    let mut bench = Bench::new(independent(TEXTURE, 2));
    bench.ideal = false;
    bench.fills = vec![(40, 0)];
    bench.core.mshr_waiters = 2;
    let (together, counters) = bench.run();
    assert_eq!(
        (together, counters.texture.stalled),
        (vec![51], 0),
        "room for both"
    );
    bench.core.mshr_waiters = 1;
    let (_, counters) = bench.run();
    let texture = counters.texture;
    assert_eq!(texture.stalled, 37, "the second pipeline, 3 to 39");
    assert_eq!(
        (texture.misses, texture.pending_hits),
        (1, 1),
        "it hits at 40"
    );
    assert_eq!(texture.quad_latency_sum, 39 + 39, "as long as the first");
    assert_eq!(texture.latency_sum, 47 + 47, "both results at 50");
}

#[test]
fn texture_pipeline_is_held_up_by_a_miss_that_may_not_join() {
    let mut bench = Bench::new(independent(TEXTURE, 3));
    bench.ideal = false;
    bench.fills = vec![(40, 0)];
    bench.core.memory_pipelines = 1;
    assert_eq!(bench.finished(), [51], "looked up at 3, 5 and 7");
    bench.core.mshr_waiters = 1;
    assert_eq!(bench.finished(), [52], "the third is looked up at 41");
}

#[test]
fn texture_miss_waits_for_a_miss_register() {
    let mut bench = Bench::new(independent(TEXTURE, 2));
    bench.texels = TexelPattern::AlwaysNew;
    bench.ideal = false;
    bench.core.texture_cache.mshrs = 1;
    bench.fills = vec![(40, 0), (60, 1)];
    let (finished, counters) = bench.run();
    assert_eq!(finished, [71], "the second line, at 60");
    assert_eq!(
        counters.texture.stalled, 37,
        "of the second pipeline, 3 to 39"
    );
    let latency = counters.texture.quad_latency_sum;
    assert_eq!(latency, 39 + 59, "both from their look-up at 3 on");
}

#[test]
fn warps_are_resident_while_there_are_registers_for_them() {
    let alu = |sources: &[u32]| Instruction::new(InstructionClass::Alu, sources);
    let three = vec![alu(&[]), alu(&[]), alu(&[]), alu(&[0, 1, 2])];
    let bench = Bench::new(fragment_program("three values", three));
    let screen = CoveredScreen::new(one_tile(32, 32), bench.program.clone());
    let placed = Placed::new(&bench.spec, screen.frame(0));
    let facts = placed.facts();
    let with = |registers| {
        let spec = CoreSpec {
            registers,
            ..bench.core
        };
        Core::new(&spec, Source(0), true).expect("a valid core")
    };
    let (shape, each) = (facts.programs.programs[1], 3 * bench.core.warp_threads);
    let mut core = with(2 * each + 1);
    assert_eq!(core.n_free_warps_for(&shape), 2, "and one left over");
    for ticket in 0..2 {
        assert!(core.has_room_for(&shape), "warp {ticket}");
        core.launch(bench.job(ticket, &facts), &[], Cycles::ZERO, &facts);
    }
    assert!(!core.has_room_for(&shape), "one is too few");
    assert_eq!(core.n_free_warps_for(&shape), 0);
    core.release(0, Cycles(1));
    assert_eq!(core.n_free_warps_for(&shape), 1, "those of the first");
    let few = with(each - 1);
    assert_eq!(few.n_free_warps_for(&shape), 1, "all that there are");
    let warps = bench.core.warps as usize;
    assert_eq!(with(0).n_free_warps_for(&shape), warps, "no limit");
}
