//! An accelerator with a deadline: what was due and served in, whether it is urgent, and whether cores with much traffic go before it.

use super::spec::Balance;
use crate::units::Picoseconds;

/// Hundredths that the probability rises by while the accelerator is ahead, and falls by while it is not.
const RISE: u64 = 1;
const FALL: u64 = 5;

/// The GPU or the display.
#[derive(Debug, Clone)]
pub(super) struct Accelerator {
    period: Picoseconds,
    /// Share of the period from which on it is urgent, in per cent.
    urgent_percent: u64,
    /// When its work began, while it has some.
    began: Option<Picoseconds>,
    due: Option<u64>,
    served: u64,
    /// What its last work needed, where that is how it knows.
    last: Option<u64>,
    is_urgent: bool,
    /// Hundredths.
    cores_first_percent: u64,
    are_cores_first: bool,
    /// Served in the switching unit under way.
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

    /// Work begins; `due` where the accelerator knows.
    pub(super) fn begin(&mut self, now: Picoseconds, due: Option<u64>) {
        self.began = Some(now);
        self.due = due.or(self.last);
        self.is_urgent = false;
    }

    /// The work is over. What is served from here on belongs to the next.
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

    /// Whether more of the work is done than of the period has elapsed; without work, or as long as nobody knows how much it is, it is.
    fn is_ahead(&self, now: Picoseconds) -> bool {
        let (Some(began), Some(due)) = (self.began, self.due) else {
            return true;
        };
        let elapsed = u128::from(now.saturating_sub(began).0);
        u128::from(self.served) * u128::from(self.period.0) > elapsed * u128::from(due)
    }

    /// A scheduling unit is over.
    pub(super) fn judge(&mut self, now: Picoseconds) {
        let is_late = self.began.is_some_and(|began| {
            let elapsed = u128::from(now.saturating_sub(began).0);
            elapsed * 100 > u128::from(self.period.0) * u128::from(self.urgent_percent)
        });
        self.is_urgent = self.began.is_some() && (is_late || !self.is_ahead(now));
    }

    /// A switching unit is over: `coin` is from 0 to 99, `of_cores` what cores with much traffic were served.
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

    /// When its work is to be done; never without work.
    pub(super) fn deadline(&self) -> Picoseconds {
        self.began
            .map_or(Picoseconds::MAX, |began| began + self.period)
    }
}
