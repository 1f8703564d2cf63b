//! Loop traces: a few lines used again and again, in the same order each time or there and back. The misses of policies on
//! them follow from formulas (Boustrophedonic Frames, PACT 2023, section III-B; Michaud, *Some mathematical facts about
//! optimal cache replacement*, TACO 13(4), 2016), with `s` lines and a fully associative cache of `j < s`:
//!
//! | order | LRU | OPT | OPT with bypass |
//! |---|---|---|---|
//! | the same each time | 1 | (s - j) / (s - 1) | (s - j) / s |
//! | there and back | (s - j) / s | (s - j) / s | (s - j) / s |

use std::num::NonZeroU8;

use super::offline::{AccessStream, OfflineOutcome, OfflinePolicy, StreamFull, simulate_offline};
use super::replacement::Victim;
use super::replay::CachePolicy;
use super::spec::{CacheSpec, CacheSpecError};
use super::tags::{CacheAccess, CacheTags};
use crate::access::AccessKind;
use azulejo_units::Bytes;

/// Bytes of a line; any would do.
const LINE: Bytes = Bytes(64);

/// A trace that goes over the same lines again and again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LoopTrace {
    /// Different lines of an iteration, each used once.
    pub lines: NonZeroU8,
    /// Every second iteration goes backwards.
    pub alternates: bool,
}

/// Counts of a policy on a loop trace once it repeats itself.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, serde::Serialize)]
pub struct SteadyState {
    /// Accesses of some iterations in the middle of a long trace.
    pub accesses: u64,
    /// Accesses that did not find their line.
    pub misses: u64,
    /// Misses whose line was left out of the cache.
    pub bypasses: u64,
}

/// A trace that could not be replayed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum LoopTraceError {
    /// The cache has no shape.
    #[error(transparent)]
    Cache(#[from] CacheSpecError),
    /// The trace is too long.
    #[error(transparent)]
    Stream(#[from] StreamFull),
}

impl LoopTrace {
    /// Line numbers of an iteration, counted from 0.
    pub fn iteration(self, nth: u64) -> impl Iterator<Item = u64> {
        let n = u64::from(self.lines.get());
        let backwards = self.alternates && nth % 2 == 1;
        (0..n).map(move |at| if backwards { n - 1 - at } else { at })
    }

    /// Misses of a fully associative cache of `ways` lines in the long run, counted over whole periods: the policies repeat
    /// themselves after an even number of iterations that `lines - 1` divides.
    ///
    /// # Errors
    /// None that a loop of so few lines could give; they are those of caches and streams.
    pub fn steady_state(
        self,
        ways: NonZeroU8,
        policy: CachePolicy,
    ) -> Result<SteadyState, LoopTraceError> {
        let period = 2 * u64::from(self.lines.get() - 1).max(1);
        // A period to get into step, one to count, and one so that optima do not see the end.
        let accesses: Vec<u64> = (0..3 * period)
            .flat_map(|nth| self.iteration(nth))
            .collect();
        let outcomes = outcomes(&accesses, ways, policy)?;
        let counted = &outcomes[accesses.len() / 3..2 * accesses.len() / 3];
        let n = |kind: fn(&OfflineOutcome) -> bool| counted.iter().filter(|o| kind(o)).count();
        Ok(SteadyState {
            accesses: counted.len() as u64,
            misses: n(|outcome| *outcome != OfflineOutcome::Hit) as u64,
            bypasses: n(|outcome| *outcome == OfflineOutcome::Bypass) as u64,
        })
    }
}

impl SteadyState {
    /// Misses of all accesses.
    #[must_use]
    pub fn miss_ratio(&self) -> f64 {
        self.misses as f64 / self.accesses as f64
    }
}

fn outcomes(
    lines: &[u64],
    ways: NonZeroU8,
    policy: CachePolicy,
) -> Result<Vec<OfflineOutcome>, LoopTraceError> {
    let ways = u32::from(ways.get());
    let spec = CacheSpec {
        size: Bytes(LINE.0 * u64::from(ways)),
        ways,
        line: LINE,
    };
    match policy {
        CachePolicy::Lru => online(lines, CacheTags::new(spec, Victim::Lru)?),
        CachePolicy::Mru => online(lines, CacheTags::new(spec, Victim::Mru)?),
        CachePolicy::Opt => offline(lines, &spec, OfflinePolicy::Opt),
        CachePolicy::OptBypass => offline(lines, &spec, OfflinePolicy::OptBypass),
    }
}

fn online(lines: &[u64], mut tags: CacheTags) -> Result<Vec<OfflineOutcome>, LoopTraceError> {
    let mut access = |line: &u64| match tags.access(LINE.0 * line, AccessKind::Read) {
        CacheAccess::Hit => OfflineOutcome::Hit,
        CacheAccess::Miss(_) => OfflineOutcome::Miss,
    };
    Ok(lines.iter().map(&mut access).collect())
}

fn offline(
    lines: &[u64],
    spec: &CacheSpec,
    policy: OfflinePolicy,
) -> Result<Vec<OfflineOutcome>, LoopTraceError> {
    let mut stream = AccessStream::new(LINE);
    for line in lines {
        stream.push(LINE.0 * line, AccessKind::Read)?;
    }
    let mut outcomes = Vec::with_capacity(lines.len());
    simulate_offline(&stream, spec, policy, |outcome| outcomes.push(outcome))?;
    Ok(outcomes)
}

#[cfg(test)]
mod tests {
    use super::*;

    const POLICIES: [CachePolicy; 4] = [
        CachePolicy::Lru,
        CachePolicy::Mru,
        CachePolicy::Opt,
        CachePolicy::OptBypass,
    ];

    /// Misses and bypasses of as many accesses.
    fn steady(lines: u8, ways: u8, alternates: bool, policy: CachePolicy) -> (u64, u64, u64) {
        let lines = NonZeroU8::new(lines).expect("not 0");
        let ways = NonZeroU8::new(ways).expect("not 0");
        let SteadyState {
            accesses,
            misses,
            bypasses,
        } = LoopTrace { lines, alternates }
            .steady_state(ways, policy)
            .expect("small");
        (misses, bypasses, accesses)
    }

    /// Whether `misses / accesses` is `part / whole`.
    fn is((misses, _, accesses): (u64, u64, u64), part: u64, whole: u64) -> bool {
        misses * whole == accesses * part
    }

    #[test]
    fn loop_of_seven_lines_in_three_misses_as_figure_4_of_the_paper_says() {
        let circular = |policy| steady(7, 3, false, policy);
        let reversed = |policy| steady(7, 3, true, policy);
        assert!(is(circular(CachePolicy::Lru), 1, 1), "LRU gives no hits");
        assert!(is(circular(CachePolicy::Opt), 4, 6), "(s - j) / (s - 1)");
        assert!(is(circular(CachePolicy::Mru), 4, 6), "as OPT");
        let bypass = circular(CachePolicy::OptBypass);
        assert!(is(bypass, 4, 7), "(s - j) / s");
        assert_eq!(bypass.0, bypass.1, "by leaving out every miss");
        for policy in [CachePolicy::Lru, CachePolicy::Opt, CachePolicy::OptBypass] {
            let found = reversed(policy);
            assert!(
                is(found, 4, 7),
                "{policy:?}: all reach (s - j) / s, {found:?}"
            );
            assert_eq!(found.1, 0, "{policy:?}: and leave nothing out");
        }
    }

    #[test]
    fn loops_of_any_length_miss_as_the_theorems_say() {
        for ways in 1..=9_u8 {
            for lines in 1..=20_u8 {
                let (s, j) = (u64::from(lines), u64::from(ways));
                let left = s.saturating_sub(j);
                let circular = |policy| steady(lines, ways, false, policy);
                let reversed = |policy| steady(lines, ways, true, policy);
                let what = format!("s {s}, j {j}");
                assert!(is(circular(CachePolicy::Lru), left.min(1), 1), "LRU {what}");
                let optimum = circular(CachePolicy::Opt);
                assert!(is(optimum, left, (s - 1).max(1)), "OPT {what}: {optimum:?}");
                assert!(
                    is(circular(CachePolicy::OptBypass), left, s),
                    "bypass {what}"
                );
                for policy in [CachePolicy::Lru, CachePolicy::Opt, CachePolicy::OptBypass] {
                    assert!(is(reversed(policy), left, s), "{policy:?} reversed {what}");
                }
                for policy in POLICIES {
                    let least = |found: (u64, u64, u64)| found.0 * s >= found.2 * left;
                    assert!(least(circular(policy)), "{policy:?} {what}: theorem 1");
                    assert!(least(reversed(policy)), "{policy:?} {what}: theorem 1");
                }
            }
        }
    }

    #[test]
    fn reversal_saves_as_figure_9_of_the_paper_says() {
        // The fraction of LRU's misses that reversal saves in a cache of 8.
        for lines in 1..=64_u8 {
            let forward = steady(lines, 8, false, CachePolicy::Lru);
            let reversed = steady(lines, 8, true, CachePolicy::Lru);
            let (saved, of) = (forward.0 - reversed.0, forward.0);
            if lines <= 8 {
                assert_eq!((saved, of), (0, 0), "{lines} lines fit");
            } else {
                assert_eq!(saved * u64::from(lines), 8 * of, "j / s with {lines} lines");
            }
        }
        let at_nine = steady(9, 8, true, CachePolicy::Lru);
        assert_eq!(at_nine.0 * 9, at_nine.2, "the most, 8 of 9, at nine lines");
    }
}
