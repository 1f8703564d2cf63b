//! Each rule of the DRAM on a trace made for it.

use azulejo::gpu::access::AccessKind::{self, Read, Write};
use azulejo::gpu::dram::{
    AgentId, Dram, DramCommand, DramReport, DramRequest, DramSpec, IssuedCommand, Replay,
    ReplayOutcome, TraceRequest,
};
use azulejo::units::DramCycles;

/// Address of a burst in the shipped mapping without channel bits: row, bank (with rank and group), column.
fn at(spec: &DramSpec, row: u64, bank: u64, column: u64) -> u64 {
    let row_bytes = spec.row_bytes().0;
    (row * u64::from(spec.n_banks()) + bank) * row_bytes + column * spec.request_bytes().0
}

fn request(address: u64, kind: AccessKind, cycle: u64) -> TraceRequest {
    TraceRequest {
        address,
        kind,
        cycle: DramCycles(cycle),
    }
}

fn spec(name: &str) -> DramSpec {
    DramSpec::named(name).expect(name)
}

fn run(spec: &DramSpec, requests: &[TraceRequest]) -> (ReplayOutcome, Vec<IssuedCommand>) {
    let mut dram = Dram::new(spec).expect("valid");
    dram.log_commands();
    let mut replay = Replay::on(dram);
    for request in requests {
        replay.offer(request);
    }
    let (outcome, dram) = replay.finish_with_dram();
    let commands = dram.commands(0).to_vec();
    (outcome, commands)
}

fn times_of(commands: &[IssuedCommand], wanted: DramCommand) -> Vec<u64> {
    let of_kind = commands.iter().filter(|issued| issued.command == wanted);
    of_kind.map(|issued| issued.at.0).collect()
}

#[test]
fn read_alone_has_the_unloaded_latency() {
    for (name, expected) in [("lpddr3_1ch", [32, 17, 47]), ("lpddr4_1ch", [41, 26, 56])] {
        let spec = spec(name);
        // A closed bank, then its open row, then another row of it; far apart.
        let trace = [
            request(at(&spec, 1, 0, 0), Read, 10),
            request(at(&spec, 1, 0, 1), Read, 200),
            request(at(&spec, 2, 0, 0), Read, 400),
        ];
        let mut latencies = Vec::new();
        for n in 1..=3 {
            let sum = run(&spec, &trace[..n]).0.channels[0].read_latency.sum().0;
            latencies.push(sum - latencies.iter().sum::<u64>());
        }
        assert_eq!(latencies, expected, "{name}: closed, hit, conflict");
    }
}

#[test]
fn read_of_a_pending_write_is_forwarded_after_one_cycle() {
    let spec = spec("lpddr3_1ch");
    let trace = [request(64, Write, 0), request(64, Read, 5)];
    let (outcome, commands) = run(&spec, &trace);
    let counters = &outcome.channels[0];
    assert_eq!(
        counters.read_latency.max(),
        Some(DramCycles(1)),
        "from the write buffer"
    );
    assert_eq!(counters.reads_forwarded, 1, "counted");
    assert_eq!(commands, [], "nothing went to the DRAM");
    assert_eq!(
        (counters.reads_done, counters.writes_done),
        (1, 1),
        "both done"
    );
}

#[test]
fn requests_of_one_address_merge_and_of_one_burst_do_not() {
    let spec = spec("lpddr4_1ch");
    let trace = [
        request(0, Read, 0),
        request(0, Read, 0),
        request(64, Read, 0),
        request(1 << 20, Write, 0),
        request(1 << 20, Write, 0),
    ];
    let counters = run(&spec, &trace).0.channels.remove(0);
    assert_eq!(counters.reads_done, 3, "all three");
    assert_eq!(
        counters.read_cmds, 2,
        "two halves of a 128-byte burst are two bursts"
    );
    assert_eq!(counters.reads_merged, 1, "the second read of address 0");
    assert_eq!(counters.writes_done, 2, "both acknowledged");
    assert_eq!(counters.writes_merged, 1, "one write remains");
}

#[test]
fn refresh_comes_at_each_multiple_of_the_interval() {
    for (name, interval) in [("lpddr3_1ch", 7800), ("lpddr4_1ch", 4330)] {
        let spec = spec(name);
        let mut dram = Dram::new(&spec).expect("valid");
        dram.log_commands();
        dram.run_until(DramCycles(interval * 5 + 1), &mut Vec::new());
        let times = times_of(dram.commands(0), DramCommand::Refresh);
        let expected: Vec<_> = (1..=5).map(|n| n * interval).collect();
        assert_eq!(times, expected, "{name}: idle banks are refreshed at once");
        let per_rank = spec.n_banks_per_rank() as usize;
        let ranks = dram.commands(0).iter().map(|issued| issued.bank / per_rank);
        let n_ranks = spec.n_ranks() as usize;
        let turns: Vec<_> = (0..5).map(|n| n % n_ranks).collect();
        assert_eq!(ranks.collect::<Vec<_>>(), turns, "{name}: ranks in turn");
    }
}

#[test]
fn refresh_closes_open_rows_first_and_blocks_its_rank() {
    let spec = spec("lpddr3_1ch");
    let trace = [
        request(at(&spec, 0, 3, 0), Read, 0),
        request(at(&spec, 0, 3, 1), Read, 7799),
    ];
    let (_, commands) = run(&spec, &trace);
    let tail: Vec<_> = commands[2..5].iter().map(|c| (c.at.0, c.command)).collect();
    let expected = [
        (7800, DramCommand::Precharge),
        (7815, DramCommand::Refresh),
        (7983, DramCommand::Activate),
    ];
    assert_eq!(tail, expected, "tRP, then tRFC, then the read goes on");
}

#[test]
fn sequential_reads_reach_the_peak_less_refresh() {
    for (name, step) in [
        ("lpddr3_1ch", 64),
        ("lpddr4_1ch", 128),
        ("lpddr4_b32_1ch", 64),
    ] {
        let spec = spec(name);
        let trace: Vec<_> = (0..40_000).map(|n| request(n * step, Read, 0)).collect();
        let report = DramReport::new(&run(&spec, &trace).0);
        let measured = report.total.bandwidth_gbps * report.total_ticks as f64
            / (report.total_ticks - 1000) as f64;
        let refresh = spec.timing.t_rfc.0 as f64 / spec.timing.t_refi.0 as f64;
        let bound = spec.peak_gbps_per_channel() * (1.0 - refresh);
        assert!(
            measured > 0.97 * bound,
            "{name}: {measured} of {bound} GB/s"
        );
        assert!(
            measured <= spec.peak_gbps_per_channel(),
            "{name}: {measured}"
        );
    }
}

#[test]
fn conflict_waits_for_four_column_commands_of_the_open_row() {
    let spec = spec("lpddr3_1ch");
    // One read opens row 0; then a conflict, and behind it more hits than the cap.
    let mut trace = vec![request(at(&spec, 0, 0, 0), Read, 0)];
    trace.push(request(at(&spec, 1, 0, 0), Read, 0));
    trace.extend((1..6).map(|column| request(at(&spec, 0, 0, column), Read, 0)));
    let (_, commands) = run(&spec, &trace);
    let close = commands
        .iter()
        .position(|c| c.command == DramCommand::Precharge);
    let before = &commands[1..close.expect("a conflict closes the row")];
    let columns: Vec<_> = before.iter().map(|c| c.column).collect();
    assert!(columns.len() >= 4, "the row is kept for four: {columns:?}");
    assert!(columns.is_sorted(), "oldest first: {columns:?}");
    // tRAS and tRTP hold the precharge back, so hits pass the conflict beyond the cap; then it goes before those that are
    // left.
    let last_read = before.last().expect("reads").at;
    let precharge = commands[close.expect("found")].at;
    assert_eq!(
        precharge,
        (last_read + DramCycles(6)).max(DramCycles(36)),
        "as soon as tRTP allows"
    );
}

#[test]
fn row_cap_of_one_closes_the_row_after_one_hit() {
    let mut spec = spec("lpddr3_1ch");
    spec.controller.row_hit_cap = 1;
    spec.timing.t_ras = DramCycles(15);
    spec.timing.t_rtp = DramCycles(4);
    let trace = [
        request(at(&spec, 0, 0, 0), Read, 0),
        request(at(&spec, 1, 0, 0), Read, 0),
        request(at(&spec, 0, 0, 1), Read, 0),
    ];
    let (_, commands) = run(&spec, &trace);
    let names: Vec<_> = commands.iter().map(|c| (c.command, c.row)).collect();
    assert_eq!(names[1], (DramCommand::Read, 0), "the first");
    // At the first cycle at which either may go, tCCD = tRTP = 4, the conflict is older.
    assert_eq!(names[2], (DramCommand::Precharge, 0), "the cap is reached");
    assert_eq!(
        names[4],
        (DramCommand::Read, 1),
        "the older conflict before the hit"
    );
}

#[test]
fn eight_writes_stay_and_nine_drain() {
    let spec = spec("lpddr3_1ch");
    let writes = |n| {
        (0..n)
            .map(|n| request(n * 64, Write, 0))
            .collect::<Vec<_>>()
    };
    let (outcome, commands) = run(&spec, &writes(8));
    assert_eq!(commands, [], "eight may stay for ever");
    assert_eq!(
        outcome.channels[0].writes_done, 8,
        "yet all are acknowledged"
    );
    let (outcome, _) = run(&spec, &writes(9));
    assert_eq!(outcome.channels[0].write_cmds, 9, "nine go");
}

#[test]
fn reads_wait_while_writes_drain() {
    let spec = spec("lpddr3_1ch");
    let mut trace: Vec<_> = (0..9).map(|n| request(n * 64, Write, 0)).collect();
    // Offered in cycle 9, seen in cycle 10, in which the drain of nine starts.
    trace.push(request(at(&spec, 0, 5, 0), Read, 9));
    let (_, commands) = run(&spec, &trace);
    let opened = commands
        .iter()
        .find(|c| c.command == DramCommand::Activate && c.bank == 5);
    // Moves in cycles 9 to 16 fill bank 0's queue with eight; the ninth write moves when the first has been issued.
    let first_write = times_of(&commands, DramCommand::Write)[0];
    let opened = opened.expect("the read is served").at.0;
    assert!(
        opened > first_write,
        "the read moves after the ninth write: {opened} {first_write}"
    );
}

#[test]
fn write_waits_for_the_pending_read_of_its_address() {
    let spec = spec("lpddr3_1ch");
    let mut trace = vec![request(0, Read, 0), request(0, Write, 0)];
    trace.extend((1..40).map(|n| request(n * 64, Write, 0)));
    let (_, commands) = run(&spec, &trace);
    let column_0 = |wanted| {
        let mut all = commands.iter();
        let found = all.find(|c| c.command == wanted && c.column == 0 && c.row == 0);
        found.map(|c| c.at)
    };
    let (read, write) = (column_0(DramCommand::Read), column_0(DramCommand::Write));
    assert!(read.is_some() && read < write, "{read:?} before {write:?}");
}

#[test]
fn drain_that_waits_for_a_read_behind_it_comes_to_an_end() {
    // The drain of the first two writes is held up at bank 0. Meanwhile a read waits, and behind it a write to its address,
    // which is the oldest when the buffer is full again: the rules alone would start and stop that drain for ever.
    let mut spec = spec("lpddr3_1ch");
    (spec.controller.write_buffer, spec.controller.bank_queue) = (2, 1);
    let trace = [
        request(at(&spec, 0, 0, 0), Write, 0),
        request(at(&spec, 1, 0, 0), Write, 0),
        request(at(&spec, 0, 2, 0), Read, 0),
        request(at(&spec, 0, 2, 0), Write, 0),
        request(at(&spec, 0, 3, 0), Write, 0),
        request(at(&spec, 0, 4, 0), Write, 0),
    ];
    let outcome = run(&spec, &trace).0;
    assert_eq!(outcome.channels[0].requests_done(), 6, "all done");
    assert!(
        outcome.drain_tick < DramCycles(1000),
        "soon: {}",
        outcome.drain_tick
    );
}

#[test]
fn trace_without_requests_is_a_thousand_idle_cycles() {
    let (outcome, commands) = run(&spec("lpddr4_2ch"), &[]);
    assert_eq!(outcome.total_ticks, DramCycles(1000), "the margin");
    assert_eq!(
        outcome.channels[0].rank_idle,
        [DramCycles(1000); 2],
        "both ranks"
    );
    assert_eq!(commands, [], "nothing to do");
    let json = serde_json::to_value(DramReport::new(&outcome)).expect("JSON");
    assert!(
        json["total"]["read_latency"]["mean"].is_null(),
        "no mean of nothing"
    );
}

#[test]
fn address_beyond_the_capacity_wraps_and_keeps_its_identity() {
    let spec = spec("lpddr3_1ch");
    let beyond = 1 << 31;
    for address in [beyond, u64::MAX - 63, u64::MAX] {
        let mut dram = Dram::new(&spec).expect("valid");
        let request = DramRequest {
            address,
            kind: Read,
            agent: AgentId::default(),
            tag: 7,
        };
        assert!(dram.try_push(DramCycles(0), &request), "taken");
        let mut done = Vec::new();
        dram.run_until(DramCycles(100), &mut done);
        assert_eq!(done.len(), 1, "{address:#x} is served");
    }
    // Equal row and column, but another address: no forwarding.
    let trace = [request(0, Write, 0), request(beyond, Read, 1)];
    let counters = run(&spec, &trace).0.channels.remove(0);
    assert_eq!(
        (counters.reads_forwarded, counters.read_cmds),
        (0, 1),
        "two addresses"
    );
}

#[test]
fn burst_of_requests_in_one_cycle_is_accepted_one_a_cycle() {
    let spec = spec("lpddr3_1ch");
    let trace: Vec<_> = (0..100).map(|n| request(n << 16, Read, 0)).collect();
    let outcome = run(&spec, &trace).0;
    assert_eq!(outcome.stalled_requests, 99, "all but the first wait");
    assert_eq!(outcome.channels[0].reads_done, 100, "and all are served");
}

#[test]
fn request_that_goes_back_in_time_waits_for_its_turn() {
    let spec = spec("lpddr3_1ch");
    let trace = [request(0, Read, 500), request(1 << 20, Read, 3)];
    let outcome = run(&spec, &trace).0;
    assert_eq!(outcome.last_accept, DramCycles(501), "strictly in order");
    assert_eq!(
        outcome.sum_accept_delay,
        DramCycles(498),
        "against its own cycle"
    );
}

#[test]
fn full_queue_refuses_and_has_room_again_after_an_event() {
    let mut spec = spec("lpddr3_1ch");
    (spec.controller.read_queue, spec.controller.bank_queue) = (1, 1);
    let mut dram = Dram::new(&spec).expect("valid");
    let mut push = |now: u64, row: u64| {
        let request = DramRequest {
            address: at(&spec, row, 0, 0),
            kind: Read,
            agent: AgentId::default(),
            tag: row,
        };
        dram.try_push(DramCycles(now), &request)
    };
    assert!(push(0, 0), "an empty queue");
    assert!(!push(0, 1), "one place only");
    assert!(push(1, 1), "the first has moved to its bank");
    assert!(
        !push(16, 2),
        "and stays there until its read command in cycle 16"
    );
    assert!(push(17, 2), "in which the second could move");
}

#[test]
fn rest_of_a_thousand_milliards_of_cycles_is_one_step() {
    let spec = spec("lpddr4_1ch");
    let mut replay = Replay::new(&spec).expect("valid");
    let far = DramCycles(1 << 40);
    for (address, kind, cycle) in [
        (0, Write, DramCycles(0)),
        (1 << 20, Read, DramCycles(100)),
        (2 << 20, Read, far),
    ] {
        replay.offer(&TraceRequest {
            address,
            kind,
            cycle,
        });
    }
    let outcome = replay.finish();
    // Two ranks take turns; each interval that has passed refreshed one.
    let refreshes = (outcome.total_ticks.0 - 1) / (spec.timing.t_refi.0 / 2);
    assert_eq!(outcome.channels[0].refreshes, refreshes, "all of them");
    let idle: u64 = outcome.channels[0]
        .rank_idle
        .iter()
        .map(|cycles| cycles.0)
        .sum();
    let active: u64 = outcome.channels[0]
        .rank_active
        .iter()
        .map(|cycles| cycles.0)
        .sum();
    assert_eq!(
        idle + active,
        2 * outcome.total_ticks.0,
        "every cycle of both ranks"
    );
}
