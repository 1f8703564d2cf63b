//! Parameters of the table `[technique.dash]` of a machine file.

use serde::Deserialize;

use azulejo_gpu::parameters::in_range;

/// Bandwidth of which cores with little traffic may use a share.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Bandwidth {
    /// Traffic of all cores: Emerald's DCB.
    Cpu,
    /// Traffic of all agents: Emerald's DTB.
    System,
}

/// Rule that moves the probability of cores before accelerators.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Balance {
    /// The accelerators' progress, as in the authors' simulator.
    Progress,
    /// Requests served, as Emerald writes.
    Served,
}

/// Parameters; units are cycles of the CPU, as in Emerald's Table 3.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DashSpec {
    /// The clock of the units below, in MHz.
    #[serde(deserialize_with = "in_range::<1, 10_000, _, _>")]
    pub cpu_mhz: u64,
    /// Cycles between two judgements of urgency.
    #[serde(deserialize_with = "in_range::<1, 1_000_000_000, _, _>")]
    pub scheduling_unit: u64,
    /// Cycles between two coins.
    #[serde(deserialize_with = "in_range::<1, 1_000_000_000, _, _>")]
    pub switching_unit: u64,
    /// Cycles between two orders of cores with much traffic.
    #[serde(deserialize_with = "in_range::<1, 1_000_000_000, _, _>")]
    pub shuffling_interval: u64,
    /// Cycles between two clusterings.
    #[serde(deserialize_with = "in_range::<1, 1_000_000_000, _, _>")]
    pub quantum: u64,
    /// Per cent of the bandwidth for cores with little traffic.
    #[serde(deserialize_with = "in_range::<0, 100, _, _>")]
    pub cluster_percent: u64,
    /// Bandwidth that `cluster_percent` is a share of.
    pub bandwidth: Bandwidth,
    /// Per cent of the display's period from which on it is urgent.
    #[serde(deserialize_with = "in_range::<0, 100, _, _>")]
    pub urgent_percent: u64,
    /// Per cent of the GPU's period from which on it is urgent.
    #[serde(deserialize_with = "in_range::<0, 100, _, _>")]
    pub urgent_percent_gpu: u64,
    /// The display's period in microseconds.
    #[serde(deserialize_with = "in_range::<1, 10_000_000, _, _>")]
    pub display_period_us: u64,
    /// The GPU's period in microseconds.
    #[serde(deserialize_with = "in_range::<1, 10_000_000, _, _>")]
    pub gpu_period_us: u64,
    /// Rule that moves the probability.
    pub balance: Balance,
    /// Seed of the coins' random numbers.
    #[serde(deserialize_with = "in_range::<0, { u64::MAX >> 1 }, _, _>")]
    pub seed: u64,
}
