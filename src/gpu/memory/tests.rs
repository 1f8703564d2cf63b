//! The memory below the units to the cycle: first-level line cache, banks of the L2, and the way to the DRAM and back.
//!
//! The machine's numbers: L2 latency 18 cycles, 4 banks of 8 waiting requests, one accepted by each bank a cycle; 33 cycles
//! to the DRAM and back; GPU cycles of 1250 ps.

use super::controller::Arrival;
use super::l2::{L2Counters, Response};
use super::{
    LineAccess, LineCache, LineRequest, MemorySystem, NOBODY, Requester, Source, Traffic, Waiter,
};
use crate::access::AccessKind;
use crate::machine::{CacheUnitSpec, MachineSpec};
use crate::test_support::{machine, memory};
use azulejo_units::Cycles;

const REQUESTER: Requester = Requester {
    traffic: Traffic::Texture,
    tile: NOBODY,
    draw: NOBODY,
};

/// Lines of 64 bytes, by number; every fourth lies in the same bank.
fn request(line: u64, source: u16) -> LineRequest {
    LineRequest {
        line: 64 * line,
        source: Source(source),
        requester: REQUESTER,
        is_write: false,
    }
}

/// A memory with the first sixteen lines in its L2.
fn warm(spec: &MachineSpec) -> MemorySystem {
    let mut memory = memory(spec);
    for line in 0..16 {
        memory.l2.fill(64 * line, Cycles(0), &mut memory.controller);
    }
    memory
}

/// Responses until cycle 200 to requests made in cycle 10: cycle, line number, source.
fn responses(memory: &mut MemorySystem, requests: &[LineRequest]) -> Vec<(u64, u64, u16)> {
    for request in requests {
        memory.push(*request);
    }
    let mut responses = Vec::new();
    for cycle in 10..200 {
        memory.tick(Cycles(cycle));
        while let Some(Response { at, line, source }) = memory.pop_response(Cycles(cycle)) {
            assert_eq!(at, Cycles(cycle), "neither early nor late");
            responses.push((cycle, line / 64, source.0));
        }
    }
    responses
}

#[test]
fn l2_hit_is_there_after_its_latency() {
    let came = responses(&mut warm(&machine()), &[request(1, 2)]);
    assert_eq!(came, [(28, 1, 2)], "10 + 18, where it was asked for");
}

#[test]
fn l2_request_is_on_its_way_before_a_bank_sees_it() {
    let mut spec = machine();
    spec.l2.request_latency = Cycles(7);
    let requests = [request(0, 0), request(4, 0), request(1, 0)];
    let came = responses(&mut warm(&spec), &requests);
    let expected = [(35, 0, 0), (35, 1, 0), (36, 4, 0)];
    assert_eq!(came, expected, "10 + 7 + 18, a bank's second a cycle later");
    let mut memory = warm(&spec);
    memory.push(request(0, 0));
    assert!(!memory.is_idle(), "on its way");
    memory.tick(Cycles(10));
    assert_eq!(
        memory.l2.next_wake(Cycles(10)),
        Cycles(17),
        "when it is there"
    );
    memory.tick(Cycles(16));
    assert_eq!(memory.l2.counters.accepted, 0, "not at 16");
    memory.tick(Cycles(17));
    assert_eq!(memory.l2.counters.accepted, 1, "at 17");
}

#[test]
fn l2_way_holds_a_request_a_cycle_beside_the_queue() {
    let mut spec = machine();
    spec.l2.request_latency = Cycles(7);
    let mut memory = warm(&spec);
    for _ in 0..15 {
        assert!(memory.has_room(0), "eight in the queue, seven on the way");
        memory.push(request(0, 0));
    }
    assert!(!memory.has_room(0), "all places are taken");
    memory.tick(Cycles(10));
    memory.tick(Cycles(16));
    assert!(!memory.has_room(0), "none has been accepted");
    memory.tick(Cycles(17));
    assert!(memory.has_room(0), "one has");
}

#[test]
fn l2_accepts_as_many_requests_a_cycle_as_it_has_ports() {
    let mut spec = machine();
    let requests = [0, 4, 1, 5, 2, 3].map(|line| request(line, 0));
    let lines_at = |spec: &MachineSpec| {
        let came = responses(&mut warm(spec), &requests);
        came.into_iter()
            .map(|(cycle, line, _)| (cycle, line))
            .collect::<Vec<_>>()
    };
    let all = [(28, 0), (28, 1), (28, 2), (28, 3), (29, 4), (29, 5)];
    assert_eq!(lines_at(&spec), all, "each bank one");
    spec.l2.ports = 2;
    let two = [(28, 0), (28, 1), (29, 2), (29, 3), (30, 4), (30, 5)];
    assert_eq!(lines_at(&spec), two, "banks in turn");
    spec.l2.ports = 1;
    let one = [(28, 0), (29, 1), (30, 2), (31, 3), (32, 4), (33, 5)];
    assert_eq!(lines_at(&spec), one, "one a cycle");
    let mut memory = warm(&spec);
    requests.iter().for_each(|request| memory.push(*request));
    for cycle in 10..16 {
        assert_eq!(
            memory.l2.next_wake(Cycles(cycle - 1)),
            Cycles(cycle),
            "goes on"
        );
        memory.tick(Cycles(cycle));
    }
    assert_eq!(memory.l2.counters.accepted, 6, "all of them");
    // 3 banks wait for the port from 10 to 12, 2 at 13, 1 at 14.
    assert_eq!(memory.l2.counters.stalled, 12, "bank-cycles");
}

#[test]
fn l2_bank_accepts_one_request_a_cycle() {
    let requests = [request(0, 0), request(4, 0), request(1, 0)];
    let came = responses(&mut warm(&machine()), &requests);
    let expected = [(28, 0, 0), (28, 1, 0), (29, 4, 0)];
    assert_eq!(came, expected, "lines 0 and 4 share a bank");
}

#[test]
fn l2_bank_has_room_when_it_has_accepted_one() {
    let mut memory = warm(&machine());
    for _ in 0..8 {
        assert!(memory.has_room(0), "up to eight");
        memory.push(request(0, 0));
    }
    assert!(!memory.has_room(0), "the queue is full");
    assert!(memory.has_room(64), "another bank's is not");
    memory.tick(Cycles(10));
    assert!(memory.has_room(0), "one has been accepted");
}

#[test]
fn l2_line_goes_to_all_that_wait_a_cycle_after_it_came() {
    let mut memory = memory(&machine());
    memory.push(request(0, 1));
    memory.push(request(0, 3));
    memory.tick(Cycles(10));
    memory.tick(Cycles(11));
    assert_eq!(memory.l2.transfers.len(), 1, "asked for once");
    memory.l2.fill(0, Cycles(50), &mut memory.controller);
    assert_eq!(
        memory.pop_response(Cycles(50)),
        None,
        "not in the same cycle"
    );
    let sources: Vec<u16> = std::iter::from_fn(|| memory.pop_response(Cycles(51)))
        .map(|response| response.source.0)
        .collect();
    assert_eq!(sources, [1, 3], "both, a cycle later");
}

/// A memory with one miss register and one place aside a bank, where lines 100 and more miss.
fn one_register() -> MemorySystem {
    let mut spec = machine();
    spec.l2.mshrs_per_bank = 1;
    warm(&spec)
}

#[test]
fn l2_hit_passes_a_miss_without_a_register() {
    let mut memory = one_register();
    for line in [100, 104, 0] {
        memory.push(request(line, 0));
    }
    for cycle in 10..=12 {
        memory.l2.tick(Cycles(cycle), &mut memory.controller);
    }
    let hit = memory
        .pop_response(Cycles(30))
        .map(|response| (response.at, response.line));
    assert_eq!(
        hit,
        Some((Cycles(30), 0)),
        "accepted at 12, behind two misses of its bank"
    );
    assert_eq!(memory.l2.transfers.len(), 1, "line 104 waits aside");
}

#[test]
fn l2_miss_aside_goes_when_a_register_is_free() {
    let mut memory = one_register();
    memory.push(request(100, 0));
    memory.push(request(104, 0));
    for cycle in 10..50 {
        memory.l2.tick(Cycles(cycle), &mut memory.controller);
    }
    assert_eq!(memory.l2.transfers.len(), 1, "no register");
    assert_eq!(memory.l2.counters.stalled, 0, "the bank is not held");
    memory.l2.fill(6400, Cycles(50), &mut memory.controller);
    memory.l2.tick(Cycles(50), &mut memory.controller);
    assert_eq!(memory.l2.transfers.len(), 2, "in the cycle of the fill");
}

#[test]
fn l2_waiting_room_is_as_deep_as_there_are_registers() {
    let mut memory = one_register();
    for line in [100, 104, 108, 0, 1] {
        memory.push(request(line, 0));
    }
    for cycle in 10..50 {
        memory.l2.tick(Cycles(cycle), &mut memory.controller);
    }
    // Line 100 at 10, line 104 aside at 11; line 108 holds line 0 up.
    assert_eq!(memory.l2.counters.accepted, 3, "and line 1 of another bank");
    assert_eq!(memory.l2.counters.stalled, 37, "cycles 12 to 48");
    memory.l2.fill(6400, Cycles(50), &mut memory.controller);
    for cycle in 50..53 {
        memory.l2.tick(Cycles(cycle), &mut memory.controller);
    }
    // Line 104 goes on at 50, 108 steps aside at 51, and line 0 is accepted at 52.
    assert_eq!(memory.l2.counters.accepted, 6, "one thing a cycle");
    let hits: Vec<u64> = std::iter::from_fn(|| memory.pop_response(Cycles(70)))
        .map(|response| response.line)
        .collect();
    assert!(hits.contains(&0), "{hits:?}");
}

#[test]
fn l2_miss_does_not_pass_an_older_one_for_its_line() {
    let mut memory = one_register();
    let write = LineRequest {
        is_write: true,
        ..request(104, 0)
    };
    for request in [request(100, 0), request(104, 1), write] {
        memory.push(request);
    }
    for cycle in 10..20 {
        memory.l2.tick(Cycles(cycle), &mut memory.controller);
    }
    assert_eq!(
        memory.l2.counters.writes.total(),
        1,
        "it has been looked up"
    );
    assert_eq!(
        memory.l2.counters.stalled, 7,
        "and waits behind the read from 12 on"
    );
}

/// Reads and writes through the L2 and writes around it, as many as there is room for, in bursts and pauses: what came back
/// when, and what was counted. `forgetful` lets every bank try in every cycle.
fn run_of_many(forgetful: bool) -> (Vec<Response>, L2Counters, u64) {
    let mut memory = one_register();
    let mut responses = Vec::new();
    let mut random = 1_u64;
    for cycle in 10..30_000 {
        if forgetful {
            memory.l2.try_all_banks();
        }
        memory.tick(Cycles(cycle));
        responses.extend(std::iter::from_fn(|| memory.pop_response(Cycles(cycle))));
        for _ in 0..4 * u64::from(cycle % 1000 < 600) {
            random = random
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            let line = random >> 33 & 0xff;
            if random >> 60 == 0 {
                let _ = memory.push_direct(
                    Cycles(cycle),
                    64 * (line + 0x10_000),
                    AccessKind::Write,
                    REQUESTER,
                );
            } else if memory.has_room(64 * line) {
                memory.push(LineRequest {
                    is_write: random >> 58 & 3 == 0,
                    ..request(line, (random >> 50 & 3) as u16)
                });
            }
        }
    }
    let n_transfers = memory.l2.transfers.len() as u64;
    (responses, memory.l2.counters, n_transfers)
}

#[test]
fn l2_banks_that_are_stuck_miss_no_cycle_in_which_they_could_go_on() {
    let (responses, counters, n_transfers) = run_of_many(false);
    assert!(counters.stalled > 1000, "{counters:?}");
    assert!(responses.len() > 1000, "{} responses", responses.len());
    assert_eq!(
        (responses, counters, n_transfers),
        run_of_many(true),
        "as when all banks try"
    );
}

/// Cycles in which lines come that are requested directly in cycle 0.
fn arrivals(spec: &MachineSpec, lines: &[u64]) -> Vec<(u64, u64)> {
    let mut controller = memory(spec).controller;
    for line in lines {
        controller.push(Cycles(0), 64 * line, AccessKind::Read, Traffic::ColorLoad);
    }
    let mut came = Vec::new();
    let mut arrivals = Vec::new();
    for cycle in 0..300 {
        controller.tick(Cycles(cycle), &mut arrivals);
        came.extend(
            arrivals
                .drain(..)
                .map(|Arrival { line, .. }| (cycle, line / 64)),
        );
    }
    came
}

#[test]
fn controller_brings_a_line_after_the_way_and_the_time_of_the_dram() {
    let mut spec = machine();
    let timing = spec.dram.timing;
    let read = (timing.t_rcd + timing.cl + spec.dram.burst()).0;
    assert_eq!((read, timing.t_ck.0), (40, 830), "the DRAM's own");
    for way in 25..45 {
        spec.l2.memory_latency = Cycles(way);
        // The DRAM sees the line in the cycle after the one that has begun, and activates its row in the next.
        let activates = way * 1250 / 830 + 2;
        let at = ((activates + read) * 830).div_ceil(1250);
        assert_eq!(arrivals(&spec, &[0]), [(at, 0)], "way of {way} cycles");
    }
}

#[test]
fn controller_link_lets_a_line_pass_in_its_cycles() {
    let mut spec = machine();
    let free = arrivals(&spec, &[0])[0].0;
    spec.l2.memory_bytes_per_cycle = 16;
    let limited = arrivals(&spec, &[0])[0].0;
    assert_eq!(limited, free + 3, "four cycles a line instead of one");
}

#[test]
fn controller_takes_as_many_reads_as_the_l2_has_registers() {
    let mut controller = memory(&machine()).controller;
    for line in 0..4 * 64 {
        assert!(controller.has_room(AccessKind::Read), "line {line}");
        controller.push(Cycles(0), 64 * line, AccessKind::Read, Traffic::Texture);
    }
    assert!(!controller.has_room(AccessKind::Read), "no more reads");
    assert!(controller.has_room(AccessKind::Write), "but writes");
    let mut arrivals = Vec::new();
    controller.tick(Cycles(32), &mut arrivals);
    assert!(!controller.has_room(AccessKind::Read), "still on the way");
    controller.tick(Cycles(33), &mut arrivals);
    assert!(controller.has_room(AccessKind::Read), "the DRAM takes some");
}

#[test]
fn controller_takes_sixty_four_writes() {
    let mut controller = memory(&machine()).controller;
    for line in 0..64 {
        assert!(controller.has_room(AccessKind::Write), "line {line}");
        controller.push(Cycles(0), 64 * line, AccessKind::Write, Traffic::ColorFlush);
    }
    assert!(!controller.has_room(AccessKind::Write), "no more");
}

/// Cycle in which the read of line 1 comes, requested in cycle 8 behind writes of the given lines in cycle 0, over a link
/// of 16 cycles a line.
fn read_behind_writes(writes: &[u64]) -> u64 {
    let mut spec = machine();
    spec.l2.memory_bytes_per_cycle = 4;
    let mut controller = memory(&spec).controller;
    for line in writes {
        controller.push(Cycles(0), 64 * line, AccessKind::Write, Traffic::ColorFlush);
    }
    let mut arrivals = Vec::new();
    for cycle in 0..2000 {
        if cycle == 8 {
            controller.push(Cycles(8), 64, AccessKind::Read, Traffic::Texture);
        }
        controller.tick(Cycles(cycle), &mut arrivals);
        if !arrivals.is_empty() {
            return cycle;
        }
    }
    panic!("the read never comes");
}

#[test]
fn controller_link_lets_reads_go_before_posted_writes() {
    let alone = read_behind_writes(&[]);
    let behind: Vec<u64> = (1000..1010).collect();
    let came = read_behind_writes(&behind);
    assert_eq!(came, alone + 8, "only the write under way, until cycle 16");
}

#[test]
fn controller_link_keeps_a_read_behind_the_write_of_its_line() {
    // Three writes of 16 cycles, its own, the way of 33; the DRAM's controller has the line in its queue still and forwards
    // it.
    let came = read_behind_writes(&[1000, 1001, 1]);
    assert_eq!(came, 3 * 16 + 15 + 33 + 1, "all writes first");
}

#[test]
fn controller_counts_the_wait_in_front_of_the_dram() {
    let spec = machine();
    let mut controller = memory(&spec).controller;
    controller.push(Cycles(0), 0, AccessKind::Read, Traffic::Texture);
    for cycle in 0..100 {
        controller.tick(Cycles(cycle), &mut Vec::new());
    }
    let counters = controller.counters;
    let way = spec.l2.memory_latency;
    assert_eq!(
        (counters.read_wait_sum, counters.read_bursts),
        (way, 1),
        "the way"
    );
}

/// The vertex cache: 32 sets of two ways, here with 8 miss registers.
fn line_cache(spec: &MachineSpec) -> LineCache {
    let cache = CacheUnitSpec {
        mshrs: 8,
        ..spec.geometry.vertex_cache
    };
    LineCache::new(&cache, Source(0), false).expect("a valid cache")
}

#[test]
fn line_cache_miss_is_a_hit_from_its_fill_on() {
    let spec = machine();
    let (mut memory, mut cache) = (memory(&spec), line_cache(&spec));
    let mut read = |cache: &mut LineCache| cache.read(0, REQUESTER, Waiter(7), &mut memory);
    assert_eq!(read(&mut cache), LineAccess::Pending, "asked for");
    assert_eq!(read(&mut cache), LineAccess::Pending, "joined");
    let mut waiters = Vec::new();
    cache.fill(0, &mut waiters);
    assert_eq!(waiters, [Waiter(7); 2], "both hear");
    assert_eq!(read(&mut cache), LineAccess::Hit, "it is there");
    assert_eq!(
        cache.latency(),
        Cycles(1),
        "a cycle later for the requester"
    );
}

#[test]
fn line_cache_refuses_until_a_miss_register_is_free() {
    let spec = machine();
    let (mut memory, mut cache) = (memory(&spec), line_cache(&spec));
    let mut read = |cache: &mut LineCache, line: u64| {
        cache.read(64 * line, REQUESTER, Waiter(line), &mut memory)
    };
    for line in 0..8 {
        assert_eq!(read(&mut cache, line), LineAccess::Pending, "line {line}");
    }
    assert_eq!(read(&mut cache, 8), LineAccess::Refused, "no ninth");
    cache.fill(0, &mut Vec::new());
    assert_eq!(read(&mut cache, 8), LineAccess::Pending, "one is free");
}

#[test]
fn line_cache_gives_one_dirty_line_back_a_cycle() {
    let spec = machine();
    let (mut memory, mut cache) = (memory(&spec), line_cache(&spec));
    // All in one set of two ways: ten lines push eight out, as many as may wait.
    let write = |cache: &mut LineCache, memory: &mut MemorySystem, nth: u64| {
        cache.write(32 * 64 * nth, true, REQUESTER, memory)
    };
    for nth in 0..10 {
        let access = write(&mut cache, &mut memory, nth);
        assert_eq!(access, LineAccess::Hit, "line {nth}");
    }
    let refused = write(&mut cache, &mut memory, 10);
    assert_eq!(refused, LineAccess::Refused, "a ninth cannot wait");
    cache.tick(&mut memory);
    let taken = write(&mut cache, &mut memory, 10);
    assert_eq!(taken, LineAccess::Hit, "one has left");
    let refused = write(&mut cache, &mut memory, 11);
    assert_eq!(refused, LineAccess::Refused, "only one");
}
