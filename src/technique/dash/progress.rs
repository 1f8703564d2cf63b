//! Accelerator with a deadline: bursts due and served in, its urgency and whether cores with much traffic go before it out.

use super::spec::Balance;
use azulejo_units::Picoseconds;

/// Hundredths that the probability rises by while the accelerator is ahead, and falls by while it is not.
const RISE: u64 = 1;
const FALL: u64 = 5;

/// Progress of the GPU or of the display.
#[derive(Debug, Clone)]
pub(super) struct Accelerator {
    period: Picoseconds,
    /// Share of the period from which on the accelerator is urgent, in per cent.
    urgent_percent: u64,
    /// Start of its work, while it has some.
    began: Option<Picoseconds>,
    due: Option<u64>,
    served: u64,
    /// Bursts of its last work, where `due` is taken from them.
    last: Option<u64>,
    is_urgent: bool,
    /// Probability of cores before it, in hundredths.
    cores_first_percent: u64,
    are_cores_first: bool,
    /// Bursts served in the switching unit under way.
    served_in_unit: u64,
}

impl Accelerator {
    pub(super) const fn new(period: Picoseconds, urgent_percent: u64) -> Self {
        Self {
            period,
            urgent_percent,
            began: None,
            due: None,
            served: 0,
            last: None,
            is_urgent: false,
            cores_first_percent: 0,
            are_cores_first: false,
            served_in_unit: 0,
        }
    }

    /// Begins work; `due` are its bursts where their number is known.
    pub(super) fn begin(&mut self, now: Picoseconds, due: Option<u64>) {
        self.began = Some(now);
        self.due = due.or(self.last);
        self.is_urgent = false;
    }

    /// Ends the work. Bursts served from here on belong to the next.
    pub(super) fn end(&mut self) {
        if self.began.take().is_some() {
            self.last = Some(self.served);
        }
        self.served = 0;
        self.is_urgent = false;
    }

    pub(super) fn serve(&mut self) {
        self.served += 1;
        self.served_in_unit += 1;
    }

    /// Whether more of the work is done than of the period has elapsed; true without work, and while its bursts are not
    /// known.
    fn is_ahead(&self, now: Picoseconds) -> bool {
        let (Some(began), Some(due)) = (self.began, self.due) else {
            return true;
        };
        let elapsed = u128::from(now.saturating_sub(began).0);
        u128::from(self.served) * u128::from(self.period.0) > elapsed * u128::from(due)
    }

    /// Ends a scheduling unit: judges urgency.
    pub(super) fn judge(&mut self, now: Picoseconds) {
        let is_late = self.began.is_some_and(|began| {
            let elapsed = u128::from(now.saturating_sub(began).0);
            elapsed * 100 > u128::from(self.period.0) * u128::from(self.urgent_percent)
        });
        self.is_urgent = self.began.is_some() && (is_late || !self.is_ahead(now));
    }

    /// Ends a switching unit: `coin` is from 0 to 99, `of_cores` the bursts served to cores with much traffic.
    pub(super) fn switch(&mut self, now: Picoseconds, balance: Balance, of_cores: u64, coin: u64) {
        let own = std::mem::take(&mut self.served_in_unit);
        let percent = self.cores_first_percent;
        self.cores_first_percent = match balance {
            Balance::Progress if self.is_ahead(now) => (percent + RISE).min(100),
            Balance::Progress => percent.saturating_sub(FALL),
            Balance::Served => match of_cores.cmp(&own) {
                std::cmp::Ordering::Less => (percent + 1).min(100),
                std::cmp::Ordering::Equal => percent,
                std::cmp::Ordering::Greater => percent.saturating_sub(1),
            },
        };
        self.are_cores_first = coin < self.cores_first_percent;
    }

    pub(super) const fn has_work(&self) -> bool {
        self.began.is_some()
    }

    pub(super) const fn is_urgent(&self) -> bool {
        self.is_urgent
    }

    pub(super) const fn are_cores_first(&self) -> bool {
        self.are_cores_first
    }

    #[cfg(test)]
    pub(super) const fn cores_first_percent(&self) -> u64 {
        self.cores_first_percent
    }

    /// Time at which its work is due; never without work.
    pub(super) fn deadline(&self) -> Picoseconds {
        self.began
            .map_or(Picoseconds::MAX, |began| began + self.period)
    }
}
