//! DRAM energy from currents: a specification gives the energy of every event, counters give the sum.
//!
//! Micron TN-41-01, *Calculating Memory System Power for DDR3* (2007), in DRAMsim3's form: each event costs what it draws
//! above the standby that is counted anyway, V n (event current - standby current) t, for n devices of a rank. No
//! power-down, no I/O or termination energy, one supply. Precharges are inside activates.

use serde::Serialize;

use super::counters::ChannelCounters;
use super::spec::DramSpec;
use azulejo_units::DramCycles;

/// Energies of a channel by cause, or of one event each. The unit is the owner's: pJ, or V x mA x cycles, which DRAMsim3
/// prints.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize)]
pub struct DramEnergy {
    /// Activate and the precharge that ends it.
    pub act: f64,
    /// Read bursts, without the standby that runs on beside them.
    pub read: f64,
    /// Write bursts, without the standby that runs on beside them.
    pub write: f64,
    /// All-bank refreshes, without the standby that runs on beside them.
    pub refresh: f64,
    /// Standby while a bank of the rank is open.
    pub act_standby: f64,
    /// Standby while all banks of the rank are closed.
    pub pre_standby: f64,
}

impl DramEnergy {
    /// One event of each kind, and one rank's standby for one cycle, in V x mA x cycles.
    #[must_use]
    pub fn of_events(spec: &DramSpec) -> Self {
        let (i, t) = (&spec.current, &spec.timing);
        let rank = i.vdd * f64::from(spec.n_devices_per_rank());
        let cycles = |cycles: DramCycles| cycles.0 as f64;
        let row_standby = i.idd3n * cycles(t.t_ras) + i.idd2n * cycles(t.t_rp);
        Self {
            act: rank * (i.idd0 * cycles(t.t_ras + t.t_rp) - row_standby),
            read: rank * (i.idd4r - i.idd3n) * cycles(spec.burst()),
            write: rank * (i.idd4w - i.idd3n) * cycles(spec.burst()),
            refresh: rank * (i.idd5ab - i.idd3n) * cycles(t.t_rfc),
            act_standby: rank * i.idd3n,
            pre_standby: rank * i.idd2n,
        }
    }

    /// Energy of a channel's activity, in V x mA x cycles.
    #[must_use]
    pub fn of_activity(spec: &DramSpec, counters: &ChannelCounters) -> Self {
        let event = Self::of_events(spec);
        let sum = |cycles: &[DramCycles]| cycles.iter().copied().sum::<DramCycles>().0 as f64;
        Self {
            act: event.act * counters.activates as f64,
            read: event.read * counters.read_cmds as f64,
            write: event.write * counters.write_cmds as f64,
            refresh: event.refresh * counters.refreshes as f64,
            act_standby: event.act_standby * sum(&counters.rank_active),
            pre_standby: event.pre_standby * sum(&counters.rank_idle),
        }
    }

    /// Converts V x mA x cycles to pJ: V x mA x ns.
    #[must_use]
    pub fn in_picojoules(&self, spec: &DramSpec) -> Self {
        self.map(|energy| energy * spec.t_ck_ns())
    }

    /// Standby of both kinds.
    #[must_use]
    pub fn background(&self) -> f64 {
        self.act_standby + self.pre_standby
    }

    /// Sum over all causes, standby included.
    #[must_use]
    pub fn total(&self) -> f64 {
        self.act + self.read + self.write + self.refresh + self.background()
    }

    /// The sum of two, part by part.
    #[must_use]
    pub fn plus(&self, other: &Self) -> Self {
        Self {
            act: self.act + other.act,
            read: self.read + other.read,
            write: self.write + other.write,
            refresh: self.refresh + other.refresh,
            act_standby: self.act_standby + other.act_standby,
            pre_standby: self.pre_standby + other.pre_standby,
        }
    }

    /// Applies `f` to every part.
    #[must_use]
    pub fn map(&self, f: impl Fn(f64) -> f64) -> Self {
        Self {
            act: f(self.act),
            read: f(self.read),
            write: f(self.write),
            refresh: f(self.refresh),
            act_standby: f(self.act_standby),
            pre_standby: f(self.pre_standby),
        }
    }
}
