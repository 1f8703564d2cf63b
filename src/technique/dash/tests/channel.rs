//! DASH in front of a real channel of the DRAM.

use super::{SPEC, clustered, dash};
use crate::dash::DashSpec;
use azulejo_gpu::access::AccessKind;
use azulejo_gpu::dram::{
    AgentId, AgentNotice, Dram, DramCommand, DramCompletion, DramRequest, DramSpec, FirstReady,
    RequestScheduler,
};
use azulejo_units::DramCycles;

/// A channel with this scheduler in front of it.
fn dram(scheduler: impl Fn() -> Box<dyn RequestScheduler>) -> Dram {
    let spec = "base = \"lpddr3_b32_2ch_fine\"\nstructure.channels = 1";
    let spec = DramSpec::from_toml("file", spec).expect("valid");
    Dram::with_schedulers(&spec, |_| scheduler()).expect("valid")
}

fn read(agent: AgentId, address: u64) -> DramRequest {
    DramRequest {
        address,
        kind: AccessKind::Read,
        agent,
        tag: address,
    }
}

#[test]
fn calm_core_overtakes_the_gpu_in_a_real_channel() {
    let order = |spec: DashSpec| -> Vec<u64> {
        let mut dram = dram(|| Box::new(dash(spec)));
        let now = DramCycles(0);
        // 32 reads of one row, of which a burst is read every 4 cycles; the core's is the last of the queue.
        for burst in 0..31 {
            assert!(dram.try_push(now, &read(AgentId::GPU, burst * 32)), "room");
        }
        assert!(dram.try_push(now, &read(AgentId::cpu(0), 31 * 32)), "room");
        let mut done: Vec<DramCompletion> = Vec::new();
        dram.run_until(DramCycles(400), &mut done);
        done.iter().map(|done| done.tag / 32).collect()
    };
    let in_turn = order(DashSpec {
        quantum: 1_000_000,
        ..SPEC
    });
    let place = |order: &[u64]| order.iter().position(|tag| *tag == 31).expect("served");
    assert_eq!(in_turn.len(), 32, "all are served once");
    // At first the core counts as one with much traffic, and the GPU, which has no work that is due, as ahead: the core
    // goes before it once the probability lets it. In a channel without DASH it is the last.
    assert!(place(&in_turn) < 31, "it need not wait for all");
}

/// Reads of a bank's rows in the order of their commands: eight of row 0 by the GPU, and one of row 1 by a core that comes
/// in cycle 20.
fn rows_read(scheduler: impl Fn() -> Box<dyn RequestScheduler>) -> Vec<u32> {
    let mut dram = dram(scheduler);
    dram.log_commands();
    for burst in 0..8 {
        assert!(
            dram.try_push(DramCycles(0), &read(AgentId::GPU, burst * 32)),
            "room"
        );
    }
    let mut done = Vec::new();
    dram.run_until(DramCycles(20), &mut done);
    let rows_apart = (1..)
        .map(|row| row * 4096)
        .find(|address| {
            let at = |address| dram.locate(AgentId::GPU, address);
            let (first, other) = (at(0), at(*address));
            (first.bank, first.row + 1) == (other.bank, other.row)
        })
        .expect("the next row of the bank");
    let core = AgentId::cpu(0);
    assert!(
        dram.try_push(DramCycles(20), &read(core, rows_apart)),
        "room"
    );
    dram.run_until(DramCycles(300), &mut done);
    assert_eq!(done.len(), 9, "all are served");
    let commands = dram.commands(0).iter();
    let reads = commands.filter(|issued| issued.command == DramCommand::Read);
    reads.map(|issued| issued.row).collect()
}

#[test]
fn row_is_closed_for_a_core_that_ranks_before_those_who_want_it() {
    // The row is opened in cycle 1 and read in 16 and 20. The core's request is at the bank from cycle 21 on, so the next
    // thing that happens there is that the row is closed, in 35.
    let by_rank = rows_read(|| Box::new(clustered()));
    assert_eq!(by_rank, [0, 0, 1, 0, 0, 0, 0, 0, 0], "rank before row hits");
    let first_ready = rows_read(|| Box::new(FirstReady));
    assert_eq!(first_ready, [0, 0, 0, 0, 0, 0, 0, 0, 1], "row hits first");
    // Before any count of the core: it goes behind the GPU, which is ahead of its time.
    let unknown = rows_read(|| {
        Box::new(dash(DashSpec {
            switching_unit: 1_000_000,
            ..SPEC
        }))
    });
    assert_eq!(unknown, first_ready, "a lower rank closes nothing");
}

#[test]
fn dash_with_one_agent_serves_as_its_baseline() {
    let run = |scheduler: fn() -> Box<dyn RequestScheduler>| -> Vec<DramCompletion> {
        let mut dram = dram(scheduler);
        let (mut done, mut random) = (Vec::new(), 5_u64);
        for cycle in 0..30_000 {
            random = random
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1);
            let number = random >> 33;
            if number % 6 == 0 {
                let mut request = read(AgentId::GPU, number / 6 % 4096 * 32);
                request.tag = cycle;
                if number / 64 % 3 == 0 {
                    request.kind = AccessKind::Write;
                }
                let _ = dram.try_push(DramCycles(cycle), &request);
            }
        }
        dram.run_until(DramCycles(60_000), &mut done);
        done
    };
    let alone = run(|| Box::new(dash(SPEC)));
    assert!(alone.len() > 2000, "much is served");
    assert!(alone == run(|| Box::new(FirstReady)), "nobody to rank");
}

#[test]
fn dash_in_jumps_equals_dash_cycle_by_cycle() {
    let agents = [
        AgentId::GPU,
        AgentId::DISPLAY,
        AgentId::cpu(0),
        AgentId::cpu(3),
    ];
    let run = |by_tick: bool| -> Vec<DramCompletion> {
        let mut dram = dram(|| Box::new(dash(SPEC)));
        let (mut done, mut random) = (Vec::new(), 9_u64);
        for cycle in 0..20_000 {
            random = random
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1);
            let number = random >> 33;
            if number % 9 == 0 {
                let agent = agents[(number / 9 % 4) as usize];
                let mut request = read(agent, number / 36 % 4096 * 32);
                request.tag = cycle;
                if number / 64 % 3 == 0 {
                    request.kind = AccessKind::Write;
                }
                let _ = dram.try_push(DramCycles(cycle), &request);
            }
            if cycle % 1000 == 0 {
                let bursts = Some(30);
                let agent = agents[(cycle / 1000 % 2) as usize];
                dram.notice(
                    DramCycles(cycle),
                    &AgentNotice::PeriodBegins { agent, bursts },
                );
            }
            if by_tick {
                dram.tick(&mut done);
            } else if cycle % 17 == 0 {
                dram.run_until(DramCycles(cycle), &mut done);
            }
        }
        dram.run_until(DramCycles(40_000), &mut done);
        done
    };
    let all = run(true);
    assert!(all.len() > 1000, "much is served");
    assert_eq!(all, run(false), "nothing depends on how time jumps");
}
