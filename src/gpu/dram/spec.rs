//! The parameters of a DRAM: TOML in, a validated plain value out, with everything that follows from the parameters as a
//! method.
//!
//! Names are those of data sheets and of DRAMsim3's configuration files. Times are in cycles of the DRAM's clock unless
//! said.

use serde::{Deserialize, Serialize};

use super::groups::{ChannelGroups, Room, fault_of_groups, fault_of_interleave};
use super::mapping::Mapping;
use super::order::RequestOrder;
use super::ranges::{DramSpecError, MAX_CLOCK_PERIOD, check, distance, in_range, power_of_two};
use azulejo_units::{Bytes, DramCycles, Hertz, Picoseconds};

/// A DRAM: how it is built, how fast, what it draws, and how its controller queues.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DramSpec {
    /// Channels, ranks, banks, rows.
    pub structure: DramStructure,
    /// Clock and minimal distances of commands.
    pub timing: DramTiming,
    /// Supply voltage and currents of a device.
    pub current: DramCurrent,
    /// Queues of the memory controller.
    pub controller: DramController,
    /// Channels that only some agents use.
    #[serde(
        default,
        rename = "group",
        skip_serializing_if = "ChannelGroups::is_empty"
    )]
    pub groups: ChannelGroups,
}

/// How the DRAM is built. Counts are powers of two, because addresses are cut into bit fields.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DramStructure {
    /// Independent channels, each with its own controller.
    pub channels: u32,
    /// Capacity of a channel in MiB; with the size of a rank it gives the number of ranks.
    #[serde(rename = "channel_size_MB")]
    pub channel_size_mib: u32,
    /// Data bits of a channel.
    pub bus_width: u32,
    /// Data bits of a device.
    pub device_width: u32,
    /// Bank groups of a device.
    pub bankgroups: u32,
    /// Banks of a group.
    pub banks_per_group: u32,
    /// Rows of a bank.
    pub rows: u32,
    /// Columns of a row, each of `device_width` bits.
    pub columns: u32,
    /// Beats of a burst.
    #[serde(rename = "BL")]
    pub burst_length: u32,
    /// Order of the address fields, high to low. Groups of channels have their own.
    pub mapping: Mapping,
    /// Bytes that lie together in a row, below every field that the mapping orders: the low bits of the column. Without it,
    /// `co` has all bits of the column, and a burst is all that lies together where the channel's bits are the lowest.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub interleave: Option<u32>,
}

/// Clock and minimal distances of commands in cycles. `_S` holds between bank groups, `_L` within one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DramTiming {
    /// Clock period in ps.
    #[serde(rename = "tCK_ps")]
    pub t_ck: Picoseconds,
    /// Additive latency: cycles that a column command is held back in the DRAM.
    #[serde(rename = "AL")]
    pub al: DramCycles,
    /// Column command to read data.
    #[serde(rename = "CL")]
    pub cl: DramCycles,
    /// Column command to write data.
    #[serde(rename = "CWL")]
    pub cwl: DramCycles,
    /// Activate to column command.
    #[serde(rename = "tRCD")]
    pub t_rcd: DramCycles,
    /// Precharge to activate of a bank.
    #[serde(rename = "tRP")]
    pub t_rp: DramCycles,
    /// Activate to precharge of a bank.
    #[serde(rename = "tRAS")]
    pub t_ras: DramCycles,
    /// Refresh to activate of a rank.
    #[serde(rename = "tRFC")]
    pub t_rfc: DramCycles,
    /// Mean time between refreshes of one rank.
    #[serde(rename = "tREFI")]
    pub t_refi: DramCycles,
    /// Activate to activate, other group.
    #[serde(rename = "tRRD_S")]
    pub t_rrd_s: DramCycles,
    /// Activate to activate, same group.
    #[serde(rename = "tRRD_L")]
    pub t_rrd_l: DramCycles,
    /// End of write data to read, other group.
    #[serde(rename = "tWTR_S")]
    pub t_wtr_s: DramCycles,
    /// End of write data to read, same group.
    #[serde(rename = "tWTR_L")]
    pub t_wtr_l: DramCycles,
    /// Window that holds at most four activates of a rank.
    #[serde(rename = "tFAW")]
    pub t_faw: DramCycles,
    /// End of write data to precharge.
    #[serde(rename = "tWR")]
    pub t_wr: DramCycles,
    /// Read to precharge of a bank.
    #[serde(rename = "tRTP")]
    pub t_rtp: DramCycles,
    /// Column command to column command, other group.
    #[serde(rename = "tCCD_S")]
    pub t_ccd_s: DramCycles,
    /// Column command to column command, same group.
    #[serde(rename = "tCCD_L")]
    pub t_ccd_l: DramCycles,
    /// Bus turnaround between ranks, and between read and write.
    #[serde(rename = "tRTRS")]
    pub t_rtrs: DramCycles,
    /// Precharge to precharge within a rank (LPDDR4; 0 where there is no such rule).
    #[serde(rename = "tPPD")]
    pub t_ppd: DramCycles,
}

/// Supply voltage and currents of one device.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DramCurrent {
    /// Supply voltage in volts.
    #[serde(rename = "VDD")]
    pub vdd: f64,
    /// One activate-precharge cycle after the other, in mA.
    #[serde(rename = "IDD0")]
    pub idd0: f64,
    /// Precharged standby, in mA.
    #[serde(rename = "IDD2N")]
    pub idd2n: f64,
    /// Active standby, in mA.
    #[serde(rename = "IDD3N")]
    pub idd3n: f64,
    /// Read burst, in mA.
    #[serde(rename = "IDD4R")]
    pub idd4r: f64,
    /// Write burst, in mA.
    #[serde(rename = "IDD4W")]
    pub idd4w: f64,
    /// All-bank refresh burst, in mA.
    #[serde(rename = "IDD5AB")]
    pub idd5ab: f64,
}

/// Queues of a channel's controller.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DramController {
    /// Reads that wait for a place in a bank queue.
    pub read_queue: u32,
    /// Writes that wait for a place in a bank queue.
    pub write_buffer: u32,
    /// Requests queued at one bank.
    pub bank_queue: u32,
    /// Column commands after which a row may be closed although requests for it wait.
    pub row_hit_cap: u32,
    /// With more writes than this and nothing else to do, writes drain.
    pub drain_low: u32,
    /// Order among requests of different banks; without it, banks take turns.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub order: Option<RequestOrder>,
}

/// Banks of one channel, over all ranks; bank sets are 64-bit masks.
pub(super) const MAX_BANKS: u32 = 64;
/// Requests that the queues of all channels may hold together: fifty times what a GPU has.
const MAX_QUEUED: u64 = 1 << 20;

impl DramSpec {
    /// Checks every parameter.
    ///
    /// # Errors
    /// The first that is out of its range, with the range.
    pub fn validate(&self) -> Result<(), DramSpecError> {
        self.validate_structure()?;
        self.validate_timing()?;
        self.validate_current()?;
        self.validate_controller()?;
        self.validate_groups()
    }

    fn validate_structure(&self) -> Result<(), DramSpecError> {
        let s = &self.structure;
        if self.groups.is_empty() {
            power_of_two("structure.channels", s.channels, 1, 64)?;
        } else {
            in_range("structure.channels", u64::from(s.channels), 1, 64)?;
        }
        in_range(
            "structure.channel_size_MB",
            u64::from(s.channel_size_mib),
            1,
            1 << 24,
        )?;
        power_of_two("structure.device_width", s.device_width, 4, 128)?;
        power_of_two(
            "structure.bus_width",
            s.bus_width,
            s.device_width.max(8),
            1024,
        )?;
        power_of_two("structure.bankgroups", s.bankgroups, 1, 16)?;
        power_of_two("structure.banks_per_group", s.banks_per_group, 1, 32)?;
        power_of_two("structure.rows", s.rows, 1, 1 << 24)?;
        power_of_two("structure.BL", s.burst_length, 2, 64)?;
        power_of_two("structure.columns", s.columns, s.burst_length, 1 << 16)?;
        power_of_two(
            "structure.channel_size_MB / rank size",
            self.n_ranks(),
            1,
            16,
        )?;
        let expected = format!("at most {MAX_BANKS} banks in all ranks of a channel");
        let banks = self.n_banks();
        check(banks <= MAX_BANKS, "structure banks", banks, expected)?;
        let expected = fault_of_interleave(s.interleave, self.room());
        let bytes = s.interleave.unwrap_or(0);
        let fits = expected.is_none();
        check(
            fits,
            "structure.interleave",
            bytes,
            expected.unwrap_or_default(),
        )
    }

    /// Limits for groups of channels.
    fn room(&self) -> Room {
        Room {
            channels: self.structure.channels,
            burst: self.request_bytes().0,
            row: self.row_bytes().0,
        }
    }

    fn validate_groups(&self) -> Result<(), DramSpecError> {
        let fault = (!self.groups.is_empty()).then(|| fault_of_groups(&self.groups, self.room()));
        match fault.flatten() {
            None => Ok(()),
            Some((key, expected)) => Err(DramSpecError {
                value: format!("{:?}", self.groups.keys()),
                key: format!("group.{key}").trim_end_matches('.').to_owned(),
                expected,
                instead: None,
            }),
        }
    }

    fn validate_timing(&self) -> Result<(), DramSpecError> {
        let t = &self.timing;
        in_range("timing.tCK_ps", t.t_ck.0, 1, MAX_CLOCK_PERIOD)?;
        let any = [
            ("timing.AL", t.al),
            ("timing.tRP", t.t_rp),
            ("timing.tRRD_S", t.t_rrd_s),
            ("timing.tRRD_L", t.t_rrd_l),
            ("timing.tWTR_S", t.t_wtr_s),
            ("timing.tWTR_L", t.t_wtr_l),
            ("timing.tFAW", t.t_faw),
            ("timing.tWR", t.t_wr),
            ("timing.tRTP", t.t_rtp),
            ("timing.tCCD_S", t.t_ccd_s),
            ("timing.tCCD_L", t.t_ccd_l),
            ("timing.tRTRS", t.t_rtrs),
            ("timing.tPPD", t.t_ppd),
        ];
        for (key, value) in any {
            distance(key, value.0, 0, t.t_ck)?;
        }
        for (key, value) in [
            ("timing.CL", t.cl),
            ("timing.CWL", t.cwl),
            ("timing.tRAS", t.t_ras),
            ("timing.tRFC", t.t_rfc),
        ] {
            distance(key, value.0, 1, t.t_ck)?;
        }
        distance("timing.tRCD", t.t_rcd.0, t.al.0, t.t_ck)?;
        let least = self.least_refresh_interval().0 * u64::from(self.n_ranks());
        in_range("timing.tREFI", t.t_refi.0, least, 1 << 40)
    }

    /// Between two refreshes of a rank there must be time for one access at the worst moment: shorter, and refreshes would
    /// close every row before it is used, or pile up without end. A bound from above, by the sum of all that may have to be
    /// waited for.
    fn least_refresh_interval(&self) -> DramCycles {
        let t = &self.timing;
        let closing = t.t_ras + t.t_wr + t.t_rtp + t.t_rp;
        let turnaround = t.t_wtr_s.max(t.t_wtr_l) + t.t_ccd_s.max(t.t_ccd_l) + t.t_rtrs;
        let opening = t.t_rcd + t.t_faw + t.t_rrd_s.max(t.t_rrd_l);
        let data = self.read_latency() + self.write_latency() + self.burst() * 3;
        let commands = DramCycles(u64::from(self.n_banks()) * (t.t_ppd.0 + 1));
        t.t_rfc + closing + turnaround + opening + data + commands
    }

    fn validate_current(&self) -> Result<(), DramSpecError> {
        let c = &self.current;
        for (key, value) in [
            ("current.VDD", c.vdd),
            ("current.IDD0", c.idd0),
            ("current.IDD2N", c.idd2n),
            ("current.IDD3N", c.idd3n),
            ("current.IDD4R", c.idd4r),
            ("current.IDD4W", c.idd4w),
            ("current.IDD5AB", c.idd5ab),
        ] {
            let expected = "a number from 0 to 10000".to_owned();
            check((0.0..=10_000.0).contains(&value), key, value, expected)?;
        }
        for (key, burst) in [
            ("current.IDD4R", c.idd4r),
            ("current.IDD4W", c.idd4w),
            ("current.IDD5AB", c.idd5ab),
        ] {
            let expected = format!("at least current.IDD3N, {}, which is part of it", c.idd3n);
            check(burst >= c.idd3n, key, burst, expected)?;
        }
        let least = self.least_activate_current();
        let expected = format!(
            "at least {least}, the mean of current.IDD3N over tRAS and current.IDD2N over tRP, which is part of it"
        );
        check(c.idd0 >= least, "current.IDD0", c.idd0, expected)
    }

    /// Share of the standby in a cycle of activate and precharge, in mA: the least that such a cycle can draw.
    fn least_activate_current(&self) -> f64 {
        let (c, t) = (&self.current, &self.timing);
        let (open, closed) = (t.t_ras.0 as f64, t.t_rp.0 as f64);
        (c.idd3n * open + c.idd2n * closed) / (open + closed)
    }

    fn validate_controller(&self) -> Result<(), DramSpecError> {
        let c = &self.controller;
        for (key, value) in [
            ("controller.read_queue", c.read_queue),
            ("controller.write_buffer", c.write_buffer),
            ("controller.bank_queue", c.bank_queue),
            ("controller.row_hit_cap", c.row_hit_cap),
        ] {
            in_range(key, u64::from(value), 1, 4096)?;
        }
        in_range("controller.drain_low", u64::from(c.drain_low), 0, 4096)?;
        let at_banks = u64::from(c.bank_queue) * u64::from(self.n_banks());
        let of_channel = at_banks + u64::from(c.read_queue) + u64::from(c.write_buffer);
        let queued = of_channel * u64::from(self.structure.channels);
        let expected = format!(
            "queues of at most {MAX_QUEUED} requests in all channels; bank_queue, read_queue and write_buffer come to {queued}"
        );
        check(
            queued <= MAX_QUEUED,
            "controller.bank_queue",
            c.bank_queue,
            expected,
        )
    }

    /// Devices that answer together.
    #[must_use]
    pub const fn n_devices_per_rank(&self) -> u32 {
        self.structure.bus_width / self.structure.device_width
    }

    /// Ranks of a channel: capacities divided, at least one.
    #[must_use]
    pub fn n_ranks(&self) -> u32 {
        let banks =
            u64::from(self.structure.bankgroups) * u64::from(self.structure.banks_per_group);
        let rank = self.row_bytes().0 * u64::from(self.structure.rows) * banks;
        let channel = u64::from(self.structure.channel_size_mib) << 20;
        u32::try_from((channel / rank.max(1)).max(1)).unwrap_or(u32::MAX)
    }

    /// Banks of one rank.
    #[must_use]
    pub const fn n_banks_per_rank(&self) -> u32 {
        self.structure.bankgroups * self.structure.banks_per_group
    }

    /// Banks of a channel, over all ranks.
    #[must_use]
    pub fn n_banks(&self) -> u32 {
        self.n_banks_per_rank().saturating_mul(self.n_ranks())
    }

    /// Bytes of one row over the devices of a rank.
    #[must_use]
    pub const fn row_bytes(&self) -> Bytes {
        Bytes(self.structure.columns as u64 * self.structure.bus_width as u64 / 8)
    }

    /// Bytes that one column command moves.
    #[must_use]
    pub const fn request_bytes(&self) -> Bytes {
        Bytes(self.structure.bus_width as u64 / 8 * self.structure.burst_length as u64)
    }

    /// Cycles that the data bus is busy with one burst: two beats a cycle.
    #[must_use]
    pub const fn burst(&self) -> DramCycles {
        DramCycles(self.structure.burst_length as u64 / 2)
    }

    /// Read command to first data.
    #[must_use]
    pub fn read_latency(&self) -> DramCycles {
        self.timing.al + self.timing.cl
    }

    /// Write command to first data.
    #[must_use]
    pub fn write_latency(&self) -> DramCycles {
        self.timing.al + self.timing.cwl
    }

    /// Cycles from one refresh to the next rank's.
    #[must_use]
    pub fn refresh_interval(&self) -> DramCycles {
        DramCycles(self.timing.t_refi.0 / u64::from(self.n_ranks()))
    }

    /// Clock frequency, rounded down.
    #[must_use]
    pub const fn clock(&self) -> Hertz {
        Hertz(1_000_000_000_000 / self.timing.t_ck.0)
    }

    /// Clock period in ns.
    #[must_use]
    pub fn t_ck_ns(&self) -> f64 {
        self.timing.t_ck.0 as f64 / 1000.0
    }

    /// Most that a channel's data bus can move, in GB/s.
    #[must_use]
    pub fn peak_gbps_per_channel(&self) -> f64 {
        self.request_bytes().0 as f64 / (self.burst().0 as f64 * self.t_ck_ns())
    }
}
