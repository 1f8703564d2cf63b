//! Random DRAMs and traces: the model equals the plain implementation command by command, skipping equals ticking, and
//! everything that was asked is done.

use azulejo::gpu::access::AccessKind;
use azulejo::gpu::dram::{
    AgentId, ChannelGroup, Dram, DramCommand, DramCompletion, DramRequest, DramSpec, IssuedCommand,
    Replay, TraceRequest,
};
use azulejo::units::{DramCycles, Picoseconds};
use proptest::collection::vec;
use proptest::prelude::{Just, Strategy, any, prop_oneof, proptest};

use super::naive;

/// A small DRAM with any timing, so that rules which the shipped ones hide come to light.
fn any_spec() -> impl Strategy<Value = DramSpec> {
    let structure = (0..2_u32, 0..3_u32, 0..2_u32, 0..2_u32, 0..4_u32);
    let queues = (1..7_u32, 1..12_u32, 1..4_u32, 1..5_u32, 0..6_u32);
    (structure, vec(0..24_u64, 18), queues, 1..4_u64).prop_map(
        |(structure, times, queues, pace)| {
            let mut spec = DramSpec::named("lpddr3_1ch").expect("shipped");
            set_structure(&mut spec, structure);
            set_timing(&mut spec, &times, pace);
            let c = &mut spec.controller;
            (c.read_queue, c.write_buffer, c.bank_queue) = (queues.0, queues.1, queues.2);
            (c.row_hit_cap, c.drain_low) = (queues.3, queues.4);
            spec
        },
    )
}

fn set_structure(spec: &mut DramSpec, choice: (u32, u32, u32, u32, u32)) {
    let (groups, banks, ranks, channels, order) = choice;
    let s = &mut spec.structure;
    s.bankgroups = 1 << groups;
    s.banks_per_group = 1 << banks;
    s.channels = 1 << channels;
    s.columns = 64;
    // A rank of one MiB.
    s.rows = 2048 >> (groups + banks);
    s.channel_size_mib = 1 << ranks;
    let mapping = match order {
        0 => "rochrababgco",
        1 => "rorababgchco",
        2 => "rorababgcoch",
        _ => "rocorababgch",
    };
    s.mapping = mapping.parse().expect("valid");
    // Two and four bursts of 64 bytes.
    s.interleave = (order >= 2).then(|| 64 << (order - 1));
}

fn set_timing(spec: &mut DramSpec, times: &[u64], pace: u64) {
    let t = &mut spec.timing;
    let mut times = times.iter().map(|time| DramCycles(*time));
    let mut next = || times.next().expect("enough");
    t.al = DramCycles(next().0 % 4);
    t.cl = next() + DramCycles(1);
    t.cwl = next() + DramCycles(1);
    t.t_rcd = t.al + next();
    t.t_rp = next();
    t.t_ras = next() + DramCycles(1);
    t.t_rfc = DramCycles(next().0 * 4 + 1);
    t.t_rrd_s = next();
    t.t_rrd_l = next();
    t.t_wtr_s = next();
    t.t_wtr_l = next();
    t.t_faw = DramCycles(next().0 * 3);
    t.t_wr = next();
    t.t_rtp = next();
    t.t_ccd_s = DramCycles(next().0 / 2);
    t.t_ccd_l = DramCycles(next().0 / 2);
    t.t_rtrs = DramCycles(next().0 / 6);
    t.t_ppd = DramCycles(next().0 / 6);
    t.t_ck = Picoseconds(1000);
    t.t_refi = DramCycles(0);
    let too_short = spec.validate().expect_err("an interval of zero");
    let least = too_short.expected.split(' ').nth(1).expect("from N to M");
    let least: u64 = least.parse().expect("a number");
    spec.timing.t_refi = DramCycles(least * pace);
}

/// Requests that share banks, rows, bursts and addresses often; some misaligned, some beyond the capacity, some going back
/// in time.
fn any_trace() -> impl Strategy<Value = Vec<TraceRequest>> {
    let address = prop_oneof![
        4 => (0..4_u64).prop_map(|line| line * 64),
        4 => (0..16_u64, 0..3_u64).prop_map(|(line, row)| line * 512 + row * 0x1_0000),
        2 => (0..4096_u64).prop_map(|line| line * 64 * 7),
        1 => any::<u64>(),
    ];
    let gap = prop_oneof![
        8 => 0..3_i64,
        3 => 3..40_i64,
        1 => 40..400_i64,
        1 => -20..0_i64,
    ];
    let write_share = prop_oneof![Just(0_u8), Just(30), Just(70), Just(100)];
    write_share.prop_flat_map(move |share| {
        let request = (address.clone(), gap.clone(), 0..100_u8);
        vec(request, 0..200).prop_map(move |requests| {
            let mut now = 0_i64;
            let requests = requests.into_iter().map(|(address, gap, kind)| {
                now = (now + gap).max(0);
                TraceRequest {
                    address,
                    kind: match kind < share {
                        true => AccessKind::Write,
                        false => AccessKind::Read,
                    },
                    cycle: DramCycles(u64::try_from(now).expect("not negative")),
                }
            });
            requests.collect()
        })
    })
}

fn in_naive_terms(issued: &IssuedCommand) -> naive::Issued {
    let kind = match issued.command {
        DramCommand::Activate => naive::Kind::Act,
        DramCommand::Read => naive::Kind::Rd,
        DramCommand::Write => naive::Kind::Wr,
        DramCommand::Precharge => naive::Kind::Pre,
        DramCommand::Refresh => naive::Kind::Ref,
    };
    (issued.at.0, kind, issued.bank, issued.row, issued.column)
}

fn logged_replay(spec: &DramSpec) -> Replay {
    let mut dram = Dram::new(spec).expect("valid");
    dram.log_commands();
    Replay::on(dram)
}

fn assert_equals_naive(spec: &DramSpec, requests: &[TraceRequest]) {
    let expected = naive::run(spec, requests);
    let mut replay = logged_replay(spec);
    for request in requests {
        replay.offer(request);
    }
    let (outcome, dram) = replay.finish_with_dram();
    for (at, expected) in expected.channels.iter().enumerate() {
        let channel = u32::try_from(at).expect("few");
        let ours: Vec<_> = dram.commands(channel).iter().map(in_naive_terms).collect();
        assert_eq!(ours, expected.commands, "commands of channel {at}");
        let counters = &outcome.channels[at];
        let active: Vec<_> = counters.rank_active.iter().map(|cycles| cycles.0).collect();
        assert_eq!(active, expected.active, "active cycles of channel {at}");
        let hits = counters.read_row_hits + counters.write_row_hits;
        assert_eq!(hits, expected.hits, "row hits of channel {at}");
        assert_eq!(
            counters.writes_done, expected.writes_done,
            "writes of channel {at}"
        );
        assert_eq!(
            counters.reads_done,
            expected.read_latencies.len() as u64,
            "reads"
        );
        let sum = DramCycles(expected.read_latencies.iter().sum());
        assert_eq!(counters.read_latency.sum(), sum, "read latencies");
        let sum = DramCycles(expected.write_latencies.iter().sum());
        assert_eq!(counters.write_latency.sum(), sum, "write latencies");
    }
    assert_eq!(outcome.drain_tick.0, expected.drain_tick, "drain tick");
    assert_eq!(outcome.total_ticks.0, expected.total_ticks, "total ticks");
    assert_eq!(outcome.last_accept.0, expected.last_accept, "last accept");
    assert_eq!(
        outcome.stalled_requests, expected.stalled,
        "stalled requests"
    );
    assert_eq!(outcome.sum_accept_delay.0, expected.delay, "accept delay");
}

/// Pushes what there is room for, as a machine would: several a cycle, no order between channels. `jump` skips to the next
/// event.
fn drive(spec: &DramSpec, requests: &[TraceRequest], jump: bool) -> (Dram, Vec<DramCompletion>) {
    let mut dram = Dram::new(spec).expect("valid");
    dram.log_commands();
    let mut completions = Vec::new();
    let mut waiting: Vec<(usize, &TraceRequest)> = requests.iter().enumerate().collect();
    let mut now = DramCycles::ZERO;
    while !waiting.is_empty() || dram.no_completion_before() != DramCycles::MAX {
        assert!(now < DramCycles(300_000), "must come to an end");
        waiting.retain(|(tag, request)| {
            let asked = DramRequest {
                address: request.address,
                kind: request.kind,
                agent: AgentId::default(),
                tag: *tag as u64,
            };
            request.cycle > now || !dram.try_push(now, &asked)
        });
        let next_request = waiting.iter().map(|(_, request)| request.cycle);
        let next_request = next_request.filter(|cycle| *cycle > now).min();
        if jump {
            let event = dram.next_event().min(dram.no_completion_before());
            let next = next_request.map_or(event, |cycle| cycle.min(event + DramCycles(1)));
            now = next.max(now + DramCycles(1));
            dram.run_until(now, &mut completions);
        } else {
            now += DramCycles(1);
            dram.tick(&mut completions);
        }
    }
    (dram, completions)
}

/// Every eighth request comes up to thousands of refresh intervals later than it did.
fn with_rests(requests: &[TraceRequest], rests: &[u64], spec: &DramSpec) -> Vec<TraceRequest> {
    let mut late = 0;
    let requests = requests.iter().zip(rests).enumerate();
    requests
        .map(|(at, (request, rest))| {
            if at % 8 == 0 {
                late += rest * spec.refresh_interval().0 + rest;
            }
            TraceRequest {
                cycle: request.cycle + DramCycles(late),
                ..*request
            }
        })
        .collect()
}

/// One DRAM of four channels in which the CPU has two and all other agents the other two, with mappings of their own; and
/// each half as a DRAM of its own.
fn in_groups(spec: &DramSpec) -> (DramSpec, [DramSpec; 2]) {
    let group = |agents: &[AgentId], mapping: &str| ChannelGroup {
        agents: agents.to_vec(),
        channels: 2,
        mapping: mapping.parse().expect("valid"),
        interleave: None,
    };
    let groups = [
        group(&[AgentId::cpu(0), AgentId::cpu(1)], "rorababgcoch"),
        group(&[], "rocorababgch"),
    ];
    let alone = groups.clone().map(|group| {
        let mut alone = spec.clone();
        let s = &mut alone.structure;
        (s.channels, s.mapping, s.interleave) = (2, group.mapping, None);
        alone
    });
    let mut whole = spec.clone();
    whole.structure.channels = 4;
    let [cpu, others] = groups;
    whole.groups = [("cpu".to_owned(), cpu), ("others".to_owned(), others)].into();
    (whole, alone)
}

/// Runs cycle by cycle; `agent` gives the agent of a request's number.
fn completions(
    spec: &DramSpec,
    requests: &[(usize, TraceRequest)],
    agent: impl Fn(usize) -> AgentId,
) -> Vec<DramCompletion> {
    let mut dram = Dram::new(spec).expect("valid");
    let mut done = Vec::new();
    let mut waiting = requests.to_vec();
    let mut now = DramCycles::ZERO;
    while !waiting.is_empty() || dram.no_completion_before() != DramCycles::MAX {
        assert!(now < DramCycles(300_000), "must come to an end");
        waiting.retain(|(number, request)| {
            let asked = DramRequest {
                address: request.address,
                kind: request.kind,
                agent: agent(*number),
                tag: *number as u64,
            };
            request.cycle > now || !dram.try_push(now, &asked)
        });
        now += DramCycles(1);
        dram.tick(&mut done);
    }
    done
}

proptest! {
    #[test]
    fn groups_of_channels_are_drams_of_their_own(spec in any_spec(), requests in any_trace()) {
        let (whole, [cpu, others]) = in_groups(&spec);
        let requests: Vec<_> = requests.into_iter().enumerate().collect();
        let agents = [AgentId::cpu(0), AgentId::GPU, AgentId::cpu(1), AgentId::DISPLAY];
        let (of_cpu, of_others): (Vec<_>, Vec<_>) =
            requests.iter().copied().partition(|(number, _)| number % 2 == 0);
        let together = completions(&whole, &requests, |number| agents[number % 4]);
        let alone = |spec, part: &[_], first| {
            let done = completions(spec, part, |_| AgentId::default());
            done.into_iter().map(move |done| DramCompletion { channel: first + done.channel, ..done })
        };
        let mut apart: Vec<_> = alone(&cpu, &of_cpu, 0).chain(alone(&others, &of_others, 2)).collect();
        apart.sort_by_key(|done| (done.at, done.channel));
        proptest::prop_assert_eq!(together, apart);
    }

    #[test]
    fn model_equals_the_plain_rules(spec in any_spec(), requests in any_trace()) {
        assert_equals_naive(&spec, &requests);
    }

    #[test]
    fn shipped_models_equal_the_plain_rules(which in 0..8_usize, requests in any_trace()) {
        let name = azulejo::gpu::dram::shipped_names()[which];
        assert_equals_naive(&DramSpec::named(name).expect(name), &requests);
    }

    #[test]
    fn resting_equals_walking(spec in any_spec(), requests in any_trace(), rests in vec(0..3_000_u64, 200)) {
        let requests = with_rests(&requests, &rests, &spec);
        let mut walked = logged_replay(&spec);
        let mut rested = Replay::new(&spec).expect("valid");
        for request in &requests {
            walked.offer(request);
            rested.offer(request);
        }
        assert_eq!(rested.finish(), walked.finish(), "all counters and times");
    }

    #[test]
    fn skipping_equals_ticking(spec in any_spec(), requests in any_trace()) {
        let (mut skipped, skipped_done) = drive(&spec, &requests, true);
        let (mut ticked, ticked_done) = drive(&spec, &requests, false);
        assert_eq!(skipped_done, ticked_done, "completions and their order");
        for channel in 0..spec.structure.channels {
            assert_eq!(skipped.commands(channel), ticked.commands(channel), "commands");
        }
        let end = skipped.clock().max(ticked.clock());
        skipped.run_until(end, &mut Vec::new());
        ticked.run_until(end, &mut Vec::new());
        assert_eq!(skipped.take_counters(), ticked.take_counters(), "counters");
    }

    #[test]
    fn every_request_completes_once_and_no_rule_is_broken(spec in any_spec(), requests in any_trace()) {
        let (mut dram, mut completions) = drive(&spec, &requests, true);
        completions.sort_by_key(|done| done.tag);
        let tags: Vec<_> = completions.iter().map(|done| done.tag).collect();
        assert_eq!(tags, Vec::from_iter(0..requests.len() as u64), "each exactly once");
        for (done, request) in completions.iter().zip(&requests) {
            assert_eq!(done.kind, request.kind, "its own kind");
            assert!(done.arrival >= request.cycle && done.at > done.arrival, "in order of time");
        }
        for channel in 0..spec.structure.channels {
            let commands: Vec<_> = dram.commands(channel).iter().map(in_naive_terms).collect();
            for (at, (now, kind, bank, ..)) in commands.iter().enumerate() {
                let legal = naive::is_legal(&spec, &commands[..at], *kind, *bank, *now);
                assert!(legal, "{:?} after {:?}", commands[at], &commands[at.saturating_sub(9)..at]);
            }
        }
        let counters = dram.take_counters();
        let merged: u64 = counters.iter().map(|c| c.reads_merged + c.reads_forwarded).sum();
        let reads: u64 = counters.iter().map(|c| c.reads_done).sum();
        let commands: u64 = counters.iter().map(|c| c.read_cmds).sum();
        assert_eq!(reads, commands + merged, "a read is served, forwarded or merged");
    }
}
