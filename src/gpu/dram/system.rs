//! The whole DRAM: requests go to the channel that their address selects; channels share nothing.

use super::address::Location;
use super::channel::Channel;
use super::counters::ChannelCounters;
use super::first_ready::FirstReady;
use super::fr_fcfs::FrFcfs;
use super::order::RequestOrder;
use super::ranges::DramSpecError;
use super::request::{AgentId, DramCompletion, DramRequest};
use super::routes::Routes;
use super::schedule::{AgentNotice, RequestScheduler};
use super::spec::DramSpec;
use super::timing::IssuedCommand;
use crate::report::TechniqueReport;
use azulejo_units::DramCycles;

/// A DRAM with its memory controllers, in its own clock domain.
///
/// Use: [`run_until`](Self::run_until) cycle `c`, then [`try_push`](Self::try_push) at `c`, and so on; cycles must not go
/// back. [`next_event`](Self::next_event) says how far one may jump.
#[derive(Debug)]
pub struct Dram {
    spec: DramSpec,
    routes: Routes,
    channels: Vec<Channel>,
    /// Done, but not yet fetched by the user.
    completions: Vec<DramCompletion>,
}

impl Dram {
    /// An empty DRAM that serves in the specification's own order.
    ///
    /// # Errors
    /// If the specification does not [validate](DramSpec::validate).
    pub fn new(spec: &DramSpec) -> Result<Self, DramSpecError> {
        match spec.controller.order.unwrap_or_default() {
            RequestOrder::BanksInTurn => Self::with_schedulers(spec, |_| Box::<FrFcfs>::default()),
            RequestOrder::FirstReady => Self::with_schedulers(spec, |_| Box::new(FirstReady)),
        }
    }

    /// An empty DRAM; `scheduler` makes one for each channel.
    ///
    /// # Errors
    /// If the specification does not [validate](DramSpec::validate).
    pub fn with_schedulers(
        spec: &DramSpec,
        mut scheduler: impl FnMut(u32) -> Box<dyn RequestScheduler>,
    ) -> Result<Self, DramSpecError> {
        spec.validate()?;
        let channels = 0..spec.structure.channels;
        Ok(Self {
            spec: spec.clone(),
            routes: Routes::new(spec),
            channels: channels
                .map(|index| Channel::new(index, spec, scheduler(index)))
                .collect(),
            completions: Vec::new(),
        })
    }

    /// The parameters, as checked at construction.
    #[must_use]
    pub const fn spec(&self) -> &DramSpec {
        &self.spec
    }

    /// Locates an address for an agent.
    #[must_use]
    pub fn locate(&self, agent: AgentId, address: u64) -> Location {
        self.routes.locate(agent, address)
    }

    /// Offers a request that arrives at `now`: the controller sees it in cycle `now`. False if the channel has no room;
    /// nothing has changed then, and the next event is the earliest cycle after which another try can succeed.
    pub fn try_push(&mut self, now: DramCycles, request: &DramRequest) -> bool {
        let location = self.locate(request.agent, request.address);
        let channel = &mut self.channels[location.channel as usize];
        channel.run_until(now, &mut self.completions);
        channel.try_push(request, &location)
    }

    /// Says to the schedulers of all channels that the agent uses what it says of itself at `now`.
    pub fn notice(&mut self, now: DramCycles, notice: &AgentNotice) {
        let channels = self.routes.channels(notice.agent());
        let notice = notice.of_channel(channels.len() as u32);
        for channel in &mut self.channels[channels.start as usize..channels.end as usize] {
            channel.run_until(now, &mut self.completions);
            channel.notice(&notice);
        }
    }

    /// Whether [`try_push`](Self::try_push) would take it, as things stand at the last cycle run.
    #[must_use]
    pub fn has_room(&self, request: &DramRequest) -> bool {
        let location = self.locate(request.agent, request.address);
        self.channels[location.channel as usize].has_room(request.kind)
    }

    /// Runs all cycles before `end` and appends what completed in them, ordered by cycle and channel.
    pub fn run_until(&mut self, end: DramCycles, completions: &mut Vec<DramCompletion>) {
        for channel in &mut self.channels {
            channel.run_until(end, &mut self.completions);
        }
        self.hand_over(completions);
    }

    /// Runs the next cycle of every channel, whether or not something happens in it: what [`run_until`](Self::run_until)
    /// must equal. The channels must be at the same cycle, as they are after `run_until`.
    pub fn tick(&mut self, completions: &mut Vec<DramCompletion>) {
        for channel in &mut self.channels {
            channel.tick(&mut self.completions);
        }
        self.hand_over(completions);
    }

    /// The first cycle not yet run in which a controller does something; never later than the next refresh. Completions are
    /// apart: see [`no_completion_before`](Self::no_completion_before).
    #[must_use]
    pub fn next_event(&self) -> DramCycles {
        let events = self.channels.iter().map(Channel::next_event);
        events.min().unwrap_or(DramCycles::ZERO)
    }

    /// Next event of one channel alone; `DramCycles::MAX` for a channel that does not exist.
    #[must_use]
    pub fn next_event_of(&self, channel: u32) -> DramCycles {
        let channel = self.channels.get(channel as usize);
        channel.map_or(DramCycles::MAX, Channel::next_event)
    }

    /// A cycle before which nothing completes unless something is pushed; `DramCycles::MAX` when nothing is under way.
    /// Often far later than [`next_event`](Self::next_event), and the one to wait for where only data are awaited.
    #[must_use]
    pub fn no_completion_before(&self) -> DramCycles {
        let fetched = self.completions.iter().map(|done| done.at);
        let channels = self.channels.iter().map(Channel::no_completion_before);
        fetched.chain(channels).min().unwrap_or(DramCycles::MAX)
    }

    /// The first cycle that has not run, of the channel that is farthest behind.
    #[must_use]
    pub fn clock(&self) -> DramCycles {
        let clocks = self.channels.iter().map(Channel::clock);
        clocks.min().unwrap_or(DramCycles::ZERO)
    }

    /// Counters of every channel since the last call, up to its clock; call [`run_until`](Self::run_until) first to bring
    /// all to one cycle.
    pub fn take_counters(&mut self) -> Vec<ChannelCounters> {
        let channels = self.channels.iter_mut();
        channels.map(Channel::take_counters).collect()
    }

    /// Counters of techniques' schedulers since the last call, channel by channel.
    pub(crate) fn take_reports(&mut self) -> impl Iterator<Item = TechniqueReport> {
        self.channels.iter_mut().filter_map(Channel::take_report)
    }

    /// From now on notes every command, without bound: for tests and for finding the first difference to another simulator.
    pub fn log_commands(&mut self) {
        for channel in &mut self.channels {
            channel.log_commands();
        }
    }

    /// Commands of a channel since [`log_commands`](Self::log_commands).
    #[must_use]
    pub fn commands(&self, channel: u32) -> &[IssuedCommand] {
        let channel = self.channels.get(channel as usize);
        channel.map_or(&[], Channel::commands)
    }

    fn hand_over(&mut self, completions: &mut Vec<DramCompletion>) {
        if self.channels.len() > 1 {
            self.completions.sort_by_key(|done| (done.at, done.channel));
        }
        completions.append(&mut self.completions);
    }
}
