//! Counters of DASH: for accelerators their time as urgent and their bursts in each state, for cores their bursts in each
//! cluster. Every channel counts by itself; a report has the sums of all channels.

use azulejo_gpu::dram::AgentId;
use azulejo_gpu::{CounterUnit, TechniqueCounter, TechniqueReport};

/// Name on the command line, in machine files and in reports.
pub(crate) const NAME: &str = "dash";

/// Counters of the GPU or of the display.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct OfAccelerator {
    /// Bursts while it was urgent, and while it was not.
    urgent_bursts: u64,
    other_bursts: u64,
    /// Scheduling units at whose end it had work, and of them those at whose end it was urgent.
    working_units: u64,
    urgent_units: u64,
    /// Switching units that begin with cores before it, and how often that is another answer than before.
    cores_first_units: u64,
    switches: u64,
}

/// Counters of a single core, or of all from the last name on.
#[derive(Debug, Clone, Copy, Default)]
struct OfCore {
    /// Bursts while in the cluster with little traffic, and in the one with much.
    calm_bursts: u64,
    intensive_bursts: u64,
    /// Quanta at whose end it had little traffic.
    calm_quanta: u64,
}

/// All counters since the last report.
#[derive(Debug, Clone, Default)]
pub(super) struct Counters {
    accelerators: [OfAccelerator; 2],
    cores: Vec<OfCore>,
    pub(super) scheduling_units: u64,
    pub(super) switching_units: u64,
    pub(super) shuffles: u64,
    pub(super) quanta: u64,
    /// Rows closed for an agent of a higher rank than all that still had requests for them.
    pub(super) rows_taken: u64,
}

impl OfAccelerator {
    pub(super) fn serve(&mut self, is_urgent: bool) {
        match is_urgent {
            true => self.urgent_bursts += 1,
            false => self.other_bursts += 1,
        }
    }

    /// Counts a scheduling unit at whose end the accelerator had work.
    pub(super) fn judged(&mut self, is_urgent: bool) {
        self.working_units += 1;
        self.urgent_units += u64::from(is_urgent);
    }

    /// Counts a switching unit: the answer before it and the one after its coin.
    pub(super) fn switched(&mut self, was_first: bool, is_first: bool) {
        self.cores_first_units += u64::from(is_first);
        self.switches += u64::from(was_first != is_first);
    }

    const fn values(&self) -> [u64; 6] {
        [
            self.urgent_bursts,
            self.other_bursts,
            self.working_units,
            self.urgent_units,
            self.cores_first_units,
            self.switches,
        ]
    }
}

impl Counters {
    pub(super) fn accelerator(&mut self, at: usize) -> &mut OfAccelerator {
        &mut self.accelerators[at]
    }

    /// The counters of a core; those from the last name on count together.
    fn core(&mut self, number: usize) -> &mut OfCore {
        let number = number.min(OF_CORES.len() - 1);
        if self.cores.len() <= number {
            self.cores.resize(number + 1, OfCore::default());
        }
        &mut self.cores[number]
    }

    pub(super) fn serve_core(&mut self, number: usize, is_intensive: bool) {
        let core = self.core(number);
        match is_intensive {
            true => core.intensive_bursts += 1,
            false => core.calm_bursts += 1,
        }
    }

    /// Counts a quantum of the core by its cluster at the end.
    pub(super) fn clustered(&mut self, number: usize, is_intensive: bool) {
        self.core(number).calm_quanta += u64::from(!is_intensive);
    }

    /// Counter values by name, as the report of the technique.
    pub(super) fn report(&self) -> TechniqueReport {
        let mut counters = Vec::new();
        for (names, own) in OF_ACCELERATORS.iter().zip(&self.accelerators) {
            counters.extend(names.iter().zip(own.values()).map(named));
        }
        for (names, own) in OF_CORES.iter().zip(&self.cores) {
            let values = [own.calm_bursts, own.intensive_bursts, own.calm_quanta];
            counters.extend(names.iter().zip(values).map(named));
        }
        let units = [
            self.scheduling_units,
            self.switching_units,
            self.shuffles,
            self.quanta,
            self.rows_taken,
        ];
        counters.extend(UNITS.iter().zip(units).map(named));
        TechniqueReport {
            technique: NAME,
            counters,
            ..TechniqueReport::default()
        }
    }
}

fn named((name, value): (&Name, u64)) -> TechniqueCounter {
    TechniqueCounter {
        name: name.name,
        about: name.about,
        unit: CounterUnit::Events,
        value,
    }
}

/// Name of a counter, and its meaning.
#[derive(Debug, Clone, Copy)]
struct Name {
    name: &'static str,
    about: &'static str,
}

/// Names of counters of one agent.
macro_rules! names {
    ($agent:literal: $($name:literal, $about:literal);* $(;)?) => {
        [$(Name {
            name: concat!($agent, "_", $name),
            about: concat!($agent, ": ", $about),
        }),*]
    };
}

macro_rules! of_accelerators {
    ($($agent:literal)*) => {
        [$(names!($agent:
            "urgent_bursts", "bursts while urgent";
            "other_bursts", "bursts while not urgent";
            "working_units", "scheduling units with work";
            "urgent_units", "of these, urgent";
            "cores_first_units", "switching units behind cores with much traffic";
            "switches", "changes between before and behind them";
        )),*]
    };
}

macro_rules! of_cores {
    ($($agent:literal)*) => {
        [$(names!($agent:
            "calm_bursts", "bursts with little traffic";
            "intensive_bursts", "bursts with much traffic";
            "calm_quanta", "quanta with little traffic";
        )),*]
    };
}

/// Names in the order of agents: GPU, display.
const OF_ACCELERATORS: [[Name; 6]; 2] = of_accelerators!("gpu" "display");
const _: () = assert!(
    AgentId::GPU.idx() == 0 && AgentId::DISPLAY.idx() == 1,
    "names stand in the order of agents"
);

const OF_CORES: [[Name; 3]; 16] = of_cores!(
    "cpu0" "cpu1" "cpu2" "cpu3" "cpu4" "cpu5" "cpu6" "cpu7"
    "cpu8" "cpu9" "cpu10" "cpu11" "cpu12" "cpu13" "cpu14" "cpu15"
);

const UNITS: [Name; 5] = [
    Name {
        name: "scheduling_units",
        about: "scheduling units, of all channels",
    },
    Name {
        name: "switching_units",
        about: "switching units, of all channels",
    },
    Name {
        name: "shuffles",
        about: "shuffles of cores with much traffic, of all channels",
    },
    Name {
        name: "quanta",
        about: "clusterings, of all channels",
    },
    Name {
        name: "rows_taken",
        about: "rows closed although somebody of a lower rank wanted them",
    },
];
