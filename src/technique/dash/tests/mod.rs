//! DASH by sequences worked out by hand: urgency, clusters, probability, shuffling, counters; `channel` has the rest.

mod channel;

use super::clusters::{Clusters, insertion};
use super::progress::Accelerator;
use super::scheduler::Dash;
use super::{Balance, Bandwidth, DashSpec};
use crate::{DASH, machine_with};
use azulejo_gpu::dram::{AgentId, AgentNotice, RequestScheduler};
use azulejo_gpu::machine::{MachineSpec, Overlay};
use azulejo_units::{DramCycles, Picoseconds};

/// Units of nanoseconds, and periods of a microsecond.
const SPEC: DashSpec = DashSpec {
    cpu_mhz: 1000,
    scheduling_unit: 10,
    switching_unit: 5,
    shuffling_interval: 8,
    quantum: 100,
    cluster_percent: 15,
    bandwidth: Bandwidth::Cpu,
    urgent_percent: 80,
    urgent_percent_gpu: 90,
    display_period_us: 1,
    gpu_period_us: 1,
    balance: Balance::Progress,
    seed: 1,
};

const NANOSECOND: Picoseconds = Picoseconds(1000);

fn accelerator() -> Accelerator {
    Accelerator::new(NANOSECOND * 1000, 80)
}

fn serve(accelerator: &mut Accelerator, n: u64) {
    for _ in 0..n {
        accelerator.serve();
    }
}

#[test]
fn urgency_begins_where_progress_is_not_ahead_or_the_threshold_is_passed() {
    let mut display = accelerator();
    display.begin(Picoseconds::ZERO, Some(100));
    assert!(!display.is_urgent(), "before the first judgement");
    serve(&mut display, 1);
    display.judge(NANOSECOND * 10);
    assert!(
        display.is_urgent(),
        "1 % of the work in 1 % of the period is not ahead"
    );
    serve(&mut display, 1);
    display.judge(NANOSECOND * 19);
    assert!(!display.is_urgent(), "2 % in 1.9 %");
    serve(&mut display, 88);
    display.judge(NANOSECOND * 800);
    assert!(
        !display.is_urgent(),
        "90 % in 80 %, which is not above the threshold"
    );
    display.judge(NANOSECOND * 801);
    assert!(display.is_urgent(), "above it");
    display.end();
    display.judge(NANOSECOND * 802);
    assert!(!display.is_urgent(), "no work");
}

#[test]
fn work_due_is_what_the_last_took_where_nobody_knows() {
    let mut gpu = accelerator();
    gpu.begin(Picoseconds::ZERO, None);
    gpu.judge(NANOSECOND * 700);
    assert!(!gpu.is_urgent(), "the first is in time");
    serve(&mut gpu, 40);
    gpu.end();
    gpu.begin(NANOSECOND * 1000, None);
    serve(&mut gpu, 20);
    gpu.judge(NANOSECOND * 1499);
    assert!(!gpu.is_urgent(), "20 of 40 in 49.9 %");
    gpu.judge(NANOSECOND * 1500);
    assert!(gpu.is_urgent(), "in 50 %");
}

#[test]
fn probability_rises_by_one_ahead_and_falls_by_five_behind() {
    let mut gpu = accelerator();
    gpu.begin(Picoseconds::ZERO, Some(100));
    serve(&mut gpu, 50);
    let mut percents = Vec::new();
    let mut switch = |gpu: &mut Accelerator, at: u64, coin| {
        gpu.switch(NANOSECOND * at, Balance::Progress, 0, coin);
        percents.push(gpu.cores_first_percent());
    };
    for at in 1..=7 {
        switch(&mut gpu, at, 6);
    }
    assert!(gpu.are_cores_first(), "a coin of 6 is below 7");
    switch(&mut gpu, 500, 1);
    assert!(gpu.are_cores_first(), "1 is below 2");
    switch(&mut gpu, 501, 0);
    assert!(!gpu.are_cores_first(), "0 is not below 0");
    assert_eq!(percents, [1, 2, 3, 4, 5, 6, 7, 2, 0], "clamped at 0");
    for _ in 0..150 {
        gpu.switch(NANOSECOND, Balance::Progress, 0, 99);
    }
    assert_eq!(gpu.cores_first_percent(), 100, "and at 100");
    assert!(gpu.are_cores_first(), "always, then");
}

#[test]
fn probability_can_follow_requests_served() {
    let mut gpu = accelerator();
    let mut switch = |served, of_cores| {
        serve(&mut gpu, served);
        gpu.switch(NANOSECOND, Balance::Served, of_cores, 0);
        gpu.cores_first_percent()
    };
    assert_eq!(switch(3, 2), 1, "cores got less");
    assert_eq!(switch(3, 0), 2, "again");
    assert_eq!(switch(3, 3), 2, "as much");
    assert_eq!(switch(0, 1), 1, "more");
}

/// Four cores of 1, 2, 10 and 20 bursts for each hundred instructions.
fn clusters() -> Clusters {
    let mut clusters = Clusters::new(8);
    for (core, bursts) in [10, 20, 100, 200].into_iter().enumerate() {
        clusters.retire(core, 1000);
        for _ in 0..bursts {
            clusters.serve(core);
        }
    }
    clusters
}

fn calm(clusters: &Clusters) -> Vec<usize> {
    (0..4)
        .filter(|core| !clusters.is_intensive(*core))
        .collect()
}

#[test]
fn clusters_fill_the_share_of_the_bandwidth_from_the_least_misses_on() {
    let mut of_cores = clusters();
    assert!(calm(&of_cores).is_empty(), "nothing is known yet");
    // 15 % of 330 are 49.5: 10 and 20 fit, 100 does not.
    of_cores.cluster(15, 0);
    assert_eq!(calm(&of_cores), [0, 1], "of the cores' bandwidth");
    assert!(of_cores.rank(0) < of_cores.rank(1), "fewer misses go first");
    // 15 % of 1330 are 199.5: 130 fit.
    let mut of_all = clusters();
    of_all.cluster(15, 1000);
    assert_eq!(calm(&of_all), [0, 1, 2], "of everybody's");
}

#[test]
fn clusters_smooth_misses_over_quanta() {
    let mut clusters = clusters();
    clusters.cluster(15, 0);
    // Core 3 misses once in a quantum, and stays the one that misses most: 7/8 of what it was.
    for (core, bursts) in [(0, 1), (1, 1), (2, 100), (3, 1)] {
        clusters.retire(core, 1000);
        for _ in 0..bursts {
            clusters.serve(core);
        }
    }
    clusters.cluster(15, 0);
    // 15 % of 103 are 15.4: 1 and 1 fit, then comes core 3 (0.0219) before core 2 (0.0234).
    assert_eq!(calm(&clusters), [0, 1, 3], "by smoothed misses");
}

#[test]
fn insertion_shuffling_is_the_published_order() {
    let orders: Vec<Vec<usize>> = (0..=6).map(|step| insertion(3, step)).collect();
    assert_eq!(
        orders,
        [
            [0, 1, 2],
            [0, 1, 2],
            [0, 2, 1],
            [2, 1, 0],
            [2, 1, 0],
            [1, 2, 0],
            [0, 1, 2]
        ],
        "turned around from the end, put in order from the beginning"
    );
    assert!(insertion(0, 5).is_empty(), "nobody");
}

/// Ranks of cores 2 and 3 after each of three shuffles, where core 3 could be served in so many banks.
fn shuffled(banks: u32) -> Vec<[usize; 2]> {
    let mut clusters = clusters();
    clusters.see(2, 1);
    clusters.see(3, banks);
    clusters.cluster(15, 0);
    let ranks = |clusters: &Clusters| [clusters.rank(2), clusters.rank(3)];
    let mut all = vec![ranks(&clusters)];
    for _ in 0..3 {
        clusters.shuffle();
        all.push(ranks(&clusters));
    }
    all
}

#[test]
fn shuffling_rotates_cores_that_are_alike_and_inserts_others() {
    let rotated = shuffled(2);
    assert_eq!(rotated, [[1, 0], [0, 1], [1, 0], [0, 1]], "each interval");
    // Smoothed, 8 banks beside 1 are 7/8 apart, more than a tenth of 8.
    let inserted = shuffled(8);
    assert_eq!(inserted, [[1, 0], [1, 0], [0, 1], [0, 1]], "nicest first");
}

/// The scheduler of a channel whose cycle is a nanosecond.
fn dash(spec: DashSpec) -> Dash {
    Dash::new(&spec, NANOSECOND, 8, 0)
}

#[test]
fn priorities_are_urgent_then_calm_cores_then_the_rest() {
    let mut dash = dash(SPEC);
    let (calm, intensive) = (AgentId::cpu(0), AgentId::cpu(1));
    for (core, bursts) in [(calm, 1), (intensive, 99)] {
        dash.serve_bursts(core, bursts);
        let instructions = 1000;
        let agent = core;
        dash.notice(
            DramCycles(0),
            &AgentNotice::Retired {
                agent,
                instructions,
            },
        );
    }
    let begins = |agent, bursts| AgentNotice::PeriodBegins { agent, bursts };
    dash.notice(DramCycles(100), &begins(AgentId::DISPLAY, Some(1000)));
    dash.notice(DramCycles(100), &begins(AgentId::GPU, Some(10)));
    dash.serve_bursts(AgentId::GPU, 10);
    // At 110 the display, of which nothing is done, is urgent; the GPU is ahead, and its probability is at 2 of 100.
    let order = |dash: &Dash| {
        let mut agents = [AgentId::GPU, intensive, AgentId::DISPLAY, calm];
        agents.sort_by_key(|agent| dash.priority(*agent));
        agents
    };
    dash.at(DramCycles(110));
    assert!(dash.accelerator(AgentId::DISPLAY).is_urgent(), "late");
    let [first, second, ..] = order(&dash);
    assert_eq!(
        (first, second),
        (AgentId::DISPLAY, calm),
        "urgent, then calm"
    );
    // 100 switching units on, cores always go before the GPU; and at 91 % of its period it is urgent.
    dash.at(DramCycles(700));
    let last = [AgentId::DISPLAY, calm, intensive, AgentId::GPU];
    assert_eq!(order(&dash), last, "by probability");
    dash.at(DramCycles(1010));
    let [first, second, third, _] = order(&dash);
    assert_eq!(
        (first, second, third),
        (AgentId::GPU, AgentId::DISPLAY, calm),
        "both urgent: of one deadline"
    );
}

/// A scheduler that has core 0 clustered as one with little traffic and core 1 as one with much.
fn clustered() -> Dash {
    let mut dash = dash(SPEC);
    for (core, bursts) in [(0, 1), (1, 99)] {
        let agent = AgentId::cpu(core);
        dash.serve_bursts(agent, bursts);
        let instructions = 1000;
        let retired = AgentNotice::Retired {
            agent,
            instructions,
        };
        dash.notice(DramCycles(0), &retired);
    }
    dash.at(DramCycles(100));
    dash
}

#[test]
fn counters_say_who_got_what_in_which_state_and_begin_anew() {
    let mut dash = clustered();
    let gpu = AgentId::GPU;
    let begins = AgentNotice::PeriodBegins {
        agent: gpu,
        bursts: Some(10),
    };
    dash.notice(DramCycles(100), &begins);
    dash.serve_bursts(gpu, 3);
    // Judged at 110: 3 of 10 in 1 % of the period. At 500 it is behind.
    dash.at(DramCycles(110)).serve_bursts(gpu, 1);
    dash.at(DramCycles(700)).serve_bursts(gpu, 2);
    let report = dash.take_report().expect("a technique's");
    let counted = |name: &str| report.counter(name).expect(name);
    assert_eq!(counted("gpu_other_bursts"), 4, "in time");
    assert_eq!(counted("gpu_urgent_bursts"), 2, "late");
    // 60 units from 110 to 700; 4 of 10 are not ahead of 40 % at 500, nor after it.
    assert_eq!(counted("gpu_working_units"), 60, "with work");
    assert_eq!(counted("gpu_urgent_units"), 21, "from 500 to 700");
    assert_eq!(counted("display_working_units"), 0, "no work");
    assert_eq!(
        (counted("quanta"), counted("scheduling_units")),
        (7, 70),
        "units"
    );
    assert_eq!(counted("cpu0_calm_quanta"), 7, "each");
    assert_eq!(counted("cpu1_intensive_bursts"), 99, "all that it got");
    let again = dash.take_report().expect("a technique's");
    assert!(
        again.counters.iter().all(|counter| counter.value == 0),
        "anew"
    );
}

#[test]
fn dash_needs_its_parameters_and_says_which() {
    let plain = MachineSpec::built_in("mali450-re", &[]).expect("shipped");
    let error = machine_with(&plain, &[&DASH]).expect_err("no table");
    assert!(error.to_string().contains("technique.dash."), "{error}");
    let overlay = Overlay {
        key: "technique.dash.bandwidth".to_owned(),
        value: "gpu".to_owned(),
    };
    let odd = MachineSpec::built_in("emerald-soc", &[overlay]).expect("read");
    let error = machine_with(&odd, &[&DASH])
        .expect_err("no such")
        .to_string();
    assert!(error.contains("cpu") && error.contains("system"), "{error}");
}
