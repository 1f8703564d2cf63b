//! Which command must keep which distance from which other: the specification's times in, a table of constraints out.
//!
//! Each distance is one line of the table in Jacob, Ng and Wang, *Memory Systems: Cache, DRAM, Disk* (2007), chapter 11,
//! with DRAMsim3's choices: bank groups tell short (`_S`) from long (`_L`) distances, and a rank change costs `tRTRS` on
//! the data bus.

use super::spec::DramSpec;
use azulejo_units::DramCycles;

/// Commands on the command bus. The number indexes tables.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
#[repr(u8)]
pub enum DramCommand {
    /// Opens a row of a closed bank.
    Activate = 0,
    /// Reads a burst of the open row.
    Read = 1,
    /// Writes a burst to the open row.
    Write = 2,
    /// Closes the open row of a bank.
    Precharge = 3,
    /// Refreshes all banks of a rank.
    Refresh = 4,
}

/// A command as it went over the bus.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct IssuedCommand {
    /// Cycle in which it was on the command bus.
    pub at: DramCycles,
    /// Command that was issued.
    pub command: DramCommand,
    /// Bank of the channel over all ranks; for a refresh the first of its rank.
    pub bank: usize,
    /// Row, for an activate and a column command.
    pub row: u32,
    /// Burst within the row, for a column command.
    pub column: u32,
}

/// Later than every cycle.
pub(super) const NEVER: DramCycles = DramCycles::MAX;

/// Number of kinds of command.
pub(super) const N_COMMANDS: usize = 5;

/// All commands, by number.
pub(super) const COMMANDS: [DramCommand; N_COMMANDS] = [
    DramCommand::Activate,
    DramCommand::Read,
    DramCommand::Write,
    DramCommand::Precharge,
    DramCommand::Refresh,
];

/// Place of the later command, seen from the earlier one's bank. The four are disjoint.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Relation {
    SameBank,
    SameGroup,
    OtherGroup,
    OtherRank,
}

/// `next` must come at least `distance` after the command to which this belongs.
#[derive(Debug, Clone, Copy)]
struct Constraint {
    relation: Relation,
    next: DramCommand,
    distance: DramCycles,
}

/// All distances of one DRAM.
#[derive(Debug, Clone)]
pub(super) struct TimingTable {
    /// By the earlier command.
    after: [Vec<Constraint>; N_COMMANDS],
    /// Window that holds at most four activates of a rank.
    pub(super) four_activates: DramCycles,
    /// Read command to the end of its data.
    pub(super) read_done: DramCycles,
    /// Write command to the end of its data.
    pub(super) write_done: DramCycles,
}

impl TimingTable {
    pub(super) fn new(spec: &DramSpec) -> Self {
        Self {
            after: COMMANDS.map(|command| constraints_after(command, spec)),
            four_activates: spec.timing.t_faw,
            read_done: spec.read_latency() + spec.burst(),
            write_done: spec.write_latency() + spec.burst(),
        }
    }

    /// Least distance from `command` to `next` at a bank that stands so to the first; zero if there is no rule.
    pub(super) fn distance(
        &self,
        command: DramCommand,
        next: DramCommand,
        relation: Relation,
    ) -> DramCycles {
        let rows = self.after[command as usize].iter();
        let mut rules = rows.filter(|row| (row.relation, row.next) == (relation, next));
        rules.next().map_or(DramCycles::ZERO, |row| row.distance)
    }
}

fn constraints_after(command: DramCommand, spec: &DramSpec) -> Vec<Constraint> {
    let rows = match command {
        DramCommand::Activate => after_activate(spec),
        DramCommand::Read => after_read(spec),
        DramCommand::Write => after_write(spec),
        DramCommand::Precharge => after_precharge(spec),
        DramCommand::Refresh => after_refresh(spec),
    };
    rows.into_iter()
        .map(|(relation, next, distance)| Constraint {
            relation,
            next,
            distance,
        })
        .collect()
}

type Row = (Relation, DramCommand, DramCycles);

/// A distance within a group, which is the short one where there is only one group.
fn within_group(spec: &DramSpec, short: DramCycles, long: DramCycles) -> DramCycles {
    if spec.structure.bankgroups == 1 {
        short
    } else {
        long
    }
}

/// Distance of two column commands of a kind: the burst must fit.
fn column_distances(spec: &DramSpec) -> (DramCycles, DramCycles) {
    let (t, burst) = (&spec.timing, spec.burst());
    let long = within_group(spec, t.t_ccd_s, t.t_ccd_l);
    (t.t_ccd_s.max(burst), long.max(burst))
}

fn after_activate(spec: &DramSpec) -> Vec<Row> {
    let t = &spec.timing;
    let to_column = t.t_rcd.saturating_sub(t.al);
    let same_group = within_group(spec, t.t_rrd_s, t.t_rrd_l);
    vec![
        (Relation::SameBank, DramCommand::Activate, t.t_ras + t.t_rp),
        (Relation::SameBank, DramCommand::Read, to_column),
        (Relation::SameBank, DramCommand::Write, to_column),
        (Relation::SameBank, DramCommand::Precharge, t.t_ras),
        (Relation::SameGroup, DramCommand::Activate, same_group),
        (Relation::OtherGroup, DramCommand::Activate, t.t_rrd_s),
    ]
}

fn after_read(spec: &DramSpec) -> Vec<Row> {
    let (t, burst) = (&spec.timing, spec.burst());
    let (short, long) = column_distances(spec);
    let (rl, wl) = (spec.read_latency(), spec.write_latency());
    let to_write = (rl + burst + t.t_rtrs).saturating_sub(wl);
    let to_write_other_rank = (rl + burst + burst + t.t_rtrs).saturating_sub(wl + burst);
    vec![
        (Relation::SameBank, DramCommand::Read, long),
        (Relation::SameBank, DramCommand::Write, to_write),
        (Relation::SameBank, DramCommand::Precharge, t.al + t.t_rtp),
        (Relation::SameGroup, DramCommand::Read, long),
        (Relation::SameGroup, DramCommand::Write, to_write),
        (Relation::OtherGroup, DramCommand::Read, short),
        (Relation::OtherGroup, DramCommand::Write, to_write),
        (Relation::OtherRank, DramCommand::Read, burst + t.t_rtrs),
        (Relation::OtherRank, DramCommand::Write, to_write_other_rank),
    ]
}

fn after_write(spec: &DramSpec) -> Vec<Row> {
    let (t, burst) = (&spec.timing, spec.burst());
    let (short, long) = column_distances(spec);
    let (rl, wl) = (spec.read_latency(), spec.write_latency());
    let data_end = wl + burst;
    let to_read_in_group = data_end + within_group(spec, t.t_wtr_s, t.t_wtr_l);
    let to_read_other_rank = (data_end + burst + t.t_rtrs).saturating_sub(rl + burst);
    vec![
        (Relation::SameBank, DramCommand::Read, to_read_in_group),
        (Relation::SameBank, DramCommand::Write, long),
        (
            Relation::SameBank,
            DramCommand::Precharge,
            data_end + t.t_wr,
        ),
        (Relation::SameGroup, DramCommand::Read, to_read_in_group),
        (Relation::SameGroup, DramCommand::Write, long),
        (
            Relation::OtherGroup,
            DramCommand::Read,
            data_end + t.t_wtr_s,
        ),
        (Relation::OtherGroup, DramCommand::Write, short),
        (Relation::OtherRank, DramCommand::Read, to_read_other_rank),
        (Relation::OtherRank, DramCommand::Write, burst),
    ]
}

fn after_precharge(spec: &DramSpec) -> Vec<Row> {
    let t = &spec.timing;
    vec![
        (Relation::SameBank, DramCommand::Activate, t.t_rp),
        (Relation::SameBank, DramCommand::Refresh, t.t_rp),
        (Relation::SameGroup, DramCommand::Precharge, t.t_ppd),
        (Relation::OtherGroup, DramCommand::Precharge, t.t_ppd),
    ]
}

fn after_refresh(spec: &DramSpec) -> Vec<Row> {
    let t_rfc = spec.timing.t_rfc;
    [
        Relation::SameBank,
        Relation::SameGroup,
        Relation::OtherGroup,
    ]
    .into_iter()
    .flat_map(|relation| {
        [
            (relation, DramCommand::Activate, t_rfc),
            (relation, DramCommand::Refresh, t_rfc),
        ]
    })
    .collect()
}
