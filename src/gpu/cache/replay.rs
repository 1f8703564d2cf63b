//! A trace through one cache shape under several policies at once: accesses in, one report out, with the names of the
//! reference files. Online policies keep tags only; the optima need the stream in memory.

use serde::Serialize;

use super::offline::{AccessStream, OfflinePolicy, StreamFull, simulate_offline};
use super::replacement::Victim;
use super::spec::{CacheSpec, CacheSpecError};
use super::tags::{CacheCounters, CacheTags};
use crate::access::AccessKind;
use crate::cache::ByAddress;

/// Policy that chooses the line to leave.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CachePolicy {
    /// The least recently used line leaves.
    Lru,
    /// The most recently used line leaves.
    Mru,
    /// Belady's optimum: the line used farthest in the future leaves; every miss allocates.
    Opt,
    /// Belady's optimum, which may leave the incoming line out.
    OptBypass,
}

/// Counts of one policy.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct PolicyReport {
    /// Counters as an online cache has them.
    #[serde(flatten)]
    pub counters: CacheCounters,
    /// Misses of both kinds.
    pub misses: u64,
    /// Lines written and still resident at the end; not counted as write-backs.
    pub dirty_lines_left: u64,
}

/// Counters of a run. Policies that were not requested are absent.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct CacheReport {
    /// Accesses of both kinds.
    pub accesses: u64,
    /// Accesses that are writes.
    pub writes: u64,
    /// Number of different lines touched.
    pub distinct_lines: u64,
    /// Sets of the cache.
    pub sets: u64,
    /// Lines in a set.
    pub ways: u32,
    /// Bytes in a line.
    pub line: u64,
    /// Counts of least recently used replacement.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lru: Option<PolicyReport>,
    /// Counts of most recently used replacement.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mru: Option<PolicyReport>,
    /// Belady's optimum, where every miss allocates.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub opt: Option<PolicyReport>,
    /// Misses of the optimum.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub opt_misses: Option<u64>,
    /// The optimum with bypass.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub opt_bypass: Option<PolicyReport>,
    /// Misses of the optimum with bypass, bypasses included.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub opt_bypass_misses: Option<u64>,
    /// Misses that it left out.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub opt_bypass_count: Option<u64>,
}

/// A run under way: [`offer`](Self::offer) each access, then [`finish`](Self::finish).
#[derive(Debug)]
pub struct CacheReplay {
    spec: CacheSpec,
    lru: Option<CacheTags>,
    mru: Option<CacheTags>,
    /// For the optima, which run at the end.
    stream: Option<AccessStream>,
    offline: Vec<OfflinePolicy>,
    lines: LineSet,
    accesses: u64,
    writes: u64,
}

impl CacheReplay {
    /// An empty cache under each of `policies`.
    ///
    /// # Errors
    /// If the specification does not validate.
    pub fn new(spec: CacheSpec, policies: &[CachePolicy]) -> Result<Self, CacheSpecError> {
        spec.validate()?;
        let tags = |policy, victim| {
            let wanted = policies.contains(&policy);
            wanted.then(|| CacheTags::new(spec, victim)).transpose()
        };
        let offline = [
            (CachePolicy::Opt, OfflinePolicy::Opt),
            (CachePolicy::OptBypass, OfflinePolicy::OptBypass),
        ];
        let offline = offline
            .iter()
            .filter(|(policy, _)| policies.contains(policy));
        let offline: Vec<_> = offline.map(|(_, offline)| *offline).collect();
        Ok(Self {
            spec,
            lru: tags(CachePolicy::Lru, Victim::Lru)?,
            mru: tags(CachePolicy::Mru, Victim::Mru)?,
            stream: (!offline.is_empty()).then(|| AccessStream::new(spec.line)),
            offline,
            lines: LineSet::default(),
            accesses: 0,
            writes: 0,
        })
    }

    /// Takes the next access of the trace, at a byte address.
    ///
    /// # Errors
    /// If an optimum is requested and the stream has become too long for it, or its lines lie too far apart to tell them
    /// apart.
    pub fn offer(&mut self, address: u64, kind: AccessKind) -> Result<(), StreamFull> {
        self.accesses += 1;
        self.writes += u64::from(kind.is_write());
        self.lines.insert(address / self.spec.line.0)?;
        for tags in [&mut self.lru, &mut self.mru].into_iter().flatten() {
            tags.access(address, kind);
        }
        match &mut self.stream {
            Some(stream) => stream.push(address, kind),
            None => Ok(()),
        }
    }

    /// All accesses so far only warm the cache: counting begins anew.
    pub fn count_from_here(&mut self) {
        (self.accesses, self.writes) = (0, 0);
        self.lines = LineSet::default();
        for tags in [&mut self.lru, &mut self.mru].into_iter().flatten() {
            tags.counters = CacheCounters::default();
        }
        if let Some(stream) = &mut self.stream {
            stream.count_from_here();
        }
    }

    /// Runs the optima and counts together.
    ///
    /// # Errors
    /// If the specification does not validate.
    pub fn finish(self) -> Result<CacheReport, CacheSpecError> {
        let mut report = CacheReport {
            accesses: self.accesses,
            writes: self.writes,
            distinct_lines: self.lines.len(),
            sets: self.spec.n_sets(),
            ways: self.spec.ways,
            line: self.spec.line.0,
            lru: self.lru.as_ref().map(online_report),
            mru: self.mru.as_ref().map(online_report),
            ..CacheReport::default()
        };
        for (policy, stream) in self.offline.iter().zip(self.stream.iter().cycle()) {
            let counters = simulate_offline(stream, &self.spec, *policy, |_| {})?;
            let policy_report = PolicyReport {
                counters: counters.cache,
                misses: counters.cache.misses(),
                dirty_lines_left: counters.dirty_lines_left,
            };
            if *policy == OfflinePolicy::Opt {
                report.opt = Some(policy_report);
                report.opt_misses = Some(policy_report.misses);
            } else {
                report.opt_bypass = Some(policy_report);
                report.opt_bypass_misses = Some(policy_report.misses);
                report.opt_bypass_count = Some(counters.bypasses);
            }
        }
        Ok(report)
    }
}

fn online_report(tags: &CacheTags) -> PolicyReport {
    PolicyReport {
        counters: tags.counters,
        misses: tags.counters.misses(),
        dirty_lines_left: tags.n_dirty_lines(),
    }
}

/// Most pages of lines: about 600 MB. Traces of 32-bit addresses stay below.
const MAX_PAGES: usize = 1 << 22;

/// Lines touched, a bit each, in pages of 512.
#[derive(Debug, Default)]
struct LineSet {
    pages: ByAddress<[u64; 8]>,
    len: u64,
}

impl LineSet {
    fn insert(&mut self, line: u64) -> Result<(), StreamFull> {
        let is_full = self.pages.len() >= MAX_PAGES;
        if is_full && !self.pages.contains_key(&(line / 512)) {
            return Err(StreamFull::Lines);
        }
        let page = self.pages.entry(line / 512).or_default();
        let word = usize::try_from(line / 64 % 8).unwrap_or(0);
        let bit = 1 << (line % 64);
        self.len += u64::from(page[word] & bit == 0);
        page[word] |= bit;
        Ok(())
    }

    const fn len(&self) -> u64 {
        self.len
    }
}
