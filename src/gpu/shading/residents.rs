//! Lines that the texture caches of a machine hold, to tell whether a line that comes is a copy without a search of all
//! caches.

use super::core::Core;
use crate::cache::bucket;

/// Summary of the lines of one hash.
#[derive(Debug, Clone, Copy, Default)]
struct Entry {
    /// How many of them are held, each counted for each cache.
    n_held: u32,
    /// The core with the cache that took one last.
    last: u32,
}

/// Lines in the texture caches of all cores, by hash.
#[derive(Debug)]
pub(crate) struct Residents {
    entries: Vec<Entry>,
}

impl Residents {
    /// Residents of empty caches.
    pub(crate) fn new(cores: &[Core]) -> Self {
        let lines = cores
            .iter()
            .map(|core| core.spec().texture_cache.tags.n_lines());
        // Twice as many entries as lines: most hashes are those of one line.
        let n_entries = (2 * lines.sum::<u64>())
            .next_power_of_two()
            .clamp(2, 1 << 16);
        Self {
            entries: vec![Entry::default(); n_entries as usize],
        }
    }

    /// Whether the cache of any core holds a line.
    pub(crate) fn any_holds(&self, line: u64, cores: &[Core]) -> bool {
        let entry = self.entries[self.place(line)];
        let last = cores.get(entry.last as usize);
        let any = entry.n_held > 0
            && (last.is_some_and(|core| core.holds(line)) || any_holds(line, cores));
        debug_assert_eq!(any, any_holds(line, cores), "no line is forgotten");
        any
    }

    /// A line has come for the cache of this core, where another had to leave.
    pub(crate) fn moved(&mut self, core: usize, came: u64, left: Option<u64>) {
        if let Some(left) = left {
            let place = self.place(left);
            self.entries[place].n_held -= 1;
        }
        let place = self.place(came);
        self.entries[place].n_held += 1;
        self.entries[place].last = core as u32;
    }

    /// Empties all caches, in which nothing is under way.
    pub(crate) fn empty(&mut self, cores: &mut [Core]) {
        for core in cores {
            core.texture.tags.flush();
        }
        self.entries.fill(Entry::default());
    }

    fn place(&self, line: u64) -> usize {
        bucket(line, self.entries.len())
    }
}

fn any_holds(line: u64, cores: &[Core]) -> bool {
    cores.iter().any(|core| core.holds(line))
}
