//! Cores in two clusters: those with little traffic, in a fixed order, and those with much, which change places.

/// Old and new parts of eight of a smoothed value.
const OLD: f64 = 0.875;

/// State of a core.
#[derive(Debug, Clone, Copy, Default)]
struct Core {
    /// Counts of the quantum under way.
    bursts: u64,
    instructions: u64,
    /// Bursts for each instruction, smoothed.
    intensity: f64,
    /// Banks in which it could be served, summed over choices, and number of choices.
    banks: u64,
    choices: u64,
    /// Bank parallelism: banks for each choice, smoothed.
    parallelism: f64,
    is_intensive: bool,
    /// Place in its cluster: 0 goes first.
    rank: usize,
}

/// Cores of a system, in the order of their numbers.
#[derive(Debug, Clone)]
pub(super) struct Clusters {
    cores: Vec<Core>,
    n_banks: u32,
    /// Cores with much traffic, from the least to the most bank parallelism.
    intensive: Vec<usize>,
    by_insertion: bool,
    step: usize,
}

impl Clusters {
    pub(super) const fn new(n_banks: u32) -> Self {
        Self {
            cores: Vec::new(),
            n_banks,
            intensive: Vec::new(),
            by_insertion: false,
            step: 0,
        }
    }

    /// Returns the core; all of a lower number are added with it, with much traffic until a quantum is over.
    fn core(&mut self, number: usize) -> &mut Core {
        while self.cores.len() <= number {
            let rank = self.cores.len();
            self.cores.push(Core {
                is_intensive: true,
                rank,
                ..Core::default()
            });
            self.intensive.push(rank);
        }
        &mut self.cores[number]
    }

    pub(super) fn serve(&mut self, number: usize) {
        self.core(number).bursts += 1;
    }

    pub(super) fn retire(&mut self, number: usize, instructions: u64) {
        self.core(number).instructions += instructions;
    }

    /// Records a choice at which the core could be served in this many banks.
    pub(super) fn see(&mut self, number: usize, banks: u32) {
        let core = self.core(number);
        core.banks += u64::from(banks);
        core.choices += 1;
    }

    /// Cores seen so far.
    pub(super) const fn n_cores(&self) -> usize {
        self.cores.len()
    }

    pub(super) fn is_intensive(&self, number: usize) -> bool {
        self.cores.get(number).is_none_or(|core| core.is_intensive)
    }

    /// Place of the core in its cluster.
    pub(super) fn rank(&self, number: usize) -> usize {
        self.cores.get(number).map_or(number, |core| core.rank)
    }

    /// Ends a quantum: cores with little traffic are those that together used no more than `percent` of the bandwidth,
    /// theirs or with that of `others` as well.
    pub(super) fn cluster(&mut self, percent: u64, others: u64) {
        for core in &mut self.cores {
            core.learn();
        }
        let mut order: Vec<usize> = (0..self.cores.len()).collect();
        order.sort_by(|a, b| {
            let intensity = |core: &usize| self.cores[*core].intensity;
            intensity(a).total_cmp(&intensity(b))
        });
        let of_cores: u64 = self.cores.iter().map(|core| core.bursts).sum();
        let most = u128::from(of_cores + others) * u128::from(percent);
        let (mut used, mut n_calm) = (0, 0);
        for core in &order {
            used += u128::from(self.cores[*core].bursts);
            if used * 100 > most {
                break;
            }
            n_calm += 1;
        }
        let (calm, intensive) = order.split_at(n_calm);
        for (rank, core) in calm.iter().enumerate() {
            let core = &mut self.cores[*core];
            (core.is_intensive, core.rank) = (false, rank);
        }
        self.begin_shuffle(intensive.to_vec());
        for core in &mut self.cores {
            (core.bursts, core.instructions) = (0, 0);
        }
    }

    fn begin_shuffle(&mut self, mut intensive: Vec<usize>) {
        let parallelism = |core: &usize| self.cores[*core].parallelism;
        intensive.sort_by(|a, b| parallelism(a).total_cmp(&parallelism(b)).then(a.cmp(b)));
        let spread = match (intensive.first(), intensive.last()) {
            (Some(least), Some(most)) => parallelism(most) - parallelism(least),
            _ => 0.0,
        };
        self.by_insertion = spread * 10.0 > f64::from(self.n_banks);
        (self.intensive, self.step) = (intensive, 0);
        self.rank_intensive();
    }

    /// Ends a shuffling interval: the next order of cores with much traffic.
    pub(super) fn shuffle(&mut self) {
        self.step += 1;
        self.rank_intensive();
    }

    fn rank_intensive(&mut self) {
        let n = self.intensive.len();
        let order = match self.by_insertion {
            true => insertion(n, self.step),
            false => (0..n).map(|place| (place + self.step) % n).collect(),
        };
        // The order is from the last to the first.
        for (place, nth) in order.into_iter().enumerate() {
            let core = self.intensive[nth];
            self.cores[core].is_intensive = true;
            self.cores[core].rank = n - 1 - place;
        }
    }
}

impl Core {
    /// Smooths in the counts of the quantum that is over; a core that did nothing keeps its values.
    fn learn(&mut self) {
        if self.instructions > 0 {
            let seen = self.bursts as f64 / self.instructions as f64;
            self.intensity = OLD * self.intensity + (1.0 - OLD) * seen;
        }
        if self.choices > 0 {
            let seen = self.banks as f64 / self.choices as f64;
            self.parallelism = OLD * self.parallelism + (1.0 - OLD) * seen;
        }
        (self.banks, self.choices) = (0, 0);
    }
}

/// Order after `step` steps of insertion shuffling, of `n` cores numbered from the least nice to the nicest; the last place
/// goes first. Downwards from the last place on, all cores behind it are turned around, then upwards from the first on, all
/// cores before it are put in order again (Thread Cluster Memory Scheduling, Algorithm 3).
pub(super) fn insertion(n: usize, step: usize) -> Vec<usize> {
    let mut places: Vec<usize> = (0..n).collect();
    for step in 0..step % (2 * n).max(1) {
        if step < n {
            places[n - 1 - step..].sort_by(|a, b| b.cmp(a));
        } else {
            places[..=step - n].sort_unstable();
        }
    }
    places
}
