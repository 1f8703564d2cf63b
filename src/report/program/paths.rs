//! Shortest and longest path through a program's regions: what each costs until it falls through or jumps.

use azulejo_gpu::machine::CoreSpec;
use azulejo_shader::{Code, Instruction, NONE, Op, Unit};

/// Sum of a path.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Cost {
    pub(super) units: [u64; Unit::ALL.len()],
    pub(super) cycles: u64,
}

impl Cost {
    fn and(mut self, other: Self) -> Self {
        for (sum, count) in self.units.iter_mut().zip(other.units) {
            *sum = sum.saturating_add(count);
        }
        self.cycles = self.cycles.saturating_add(other.cycles);
        self
    }

    fn times(mut self, trips: u64) -> Self {
        for count in &mut self.units {
            *count = count.saturating_mul(trips);
        }
        self.cycles = self.cycles.saturating_mul(trips);
        self
    }
}

/// Ways out of a region; none where no path leads there.
#[derive(Debug, Clone, Copy, Default)]
struct Ways {
    through: Option<Cost>,
    broken: Option<Cost>,
    continued: Option<Cost>,
    returned: Option<Cost>,
}

/// Walk over a program.
pub(super) struct Paths<'a> {
    pub(super) code: &'a Code,
    pub(super) core: &'a CoreSpec,
    pub(super) longest: bool,
}

impl Paths<'_> {
    /// Cost of the path.
    pub(super) fn cost(&self) -> Cost {
        let mut at = 0;
        let ways = self.region(&mut at);
        self.better(ways.through, ways.returned).unwrap_or_default()
    }

    fn better(&self, a: Option<Cost>, b: Option<Cost>) -> Option<Cost> {
        match (a, b) {
            (Some(a), Some(b)) => {
                let key = |cost: &Cost| (cost.cycles, cost.units.iter().sum::<u64>());
                let first = (key(&a) >= key(&b)) == self.longest;
                Some(if first { a } else { b })
            }
            (a, b) => a.or(b),
        }
    }

    fn either(&self, a: Ways, b: Ways) -> Ways {
        Ways {
            through: self.better(a.through, b.through),
            broken: self.better(a.broken, b.broken),
            continued: self.better(a.continued, b.continued),
            returned: self.better(a.returned, b.returned),
        }
    }

    /// Ways through instructions up to the marker that ends their region; `at` stops there.
    fn region(&self, at: &mut usize) -> Ways {
        let mut ways = Ways {
            through: Some(Cost::default()),
            ..Ways::default()
        };
        let mut start = *at;
        while let Some(instruction) = self.code.instructions.get(*at) {
            if is_straight(instruction.op) {
                *at += 1;
                continue;
            }
            let straight = self.block(start, *at);
            self.then(&mut ways, Ways::only(straight));
            if ends_region(instruction.op) {
                return ways;
            }
            *at += 1;
            let next = self.construct(instruction, at);
            self.then(&mut ways, next);
            start = *at;
        }
        let straight = self.block(start, *at);
        self.then(&mut ways, Ways::only(straight));
        ways
    }

    /// Appends the ways of the part that comes next.
    fn then(&self, ways: &mut Ways, next: Ways) {
        let Some(before) = ways.through else {
            return;
        };
        let behind = |way: Option<Cost>| way.map(|way| before.and(way));
        ways.through = behind(next.through);
        ways.broken = self.better(ways.broken, behind(next.broken));
        ways.continued = self.better(ways.continued, behind(next.continued));
        ways.returned = self.better(ways.returned, behind(next.returned));
    }

    fn construct(&self, instruction: &Instruction, at: &mut usize) -> Ways {
        let marker = self.marker(instruction.op);
        let op_at = |at: usize| {
            self.code
                .instructions
                .get(at)
                .map(|instruction| instruction.op)
        };
        let mut head = Ways::only(marker);
        let ways = match instruction.op {
            Op::If => {
                let mut ways = self.region(at);
                let mut other = Ways::only(Cost::default());
                if op_at(*at) == Some(Op::Else) {
                    *at += 1;
                    other = self.region(at);
                }
                ways = self.either(ways, other);
                ways
            }
            Op::Switch => {
                let mut all: Option<Ways> = None;
                while let Some(Op::Case(_)) = op_at(*at) {
                    *at += 1;
                    let case = self.region(at);
                    all = Some(all.map_or(case, |all| self.either(all, case)));
                }
                let mut ways = all.unwrap_or(Ways::only(Cost::default()));
                ways.through = self.better(ways.through, ways.broken.take());
                ways
            }
            Op::Scope => {
                let mut ways = self.region(at);
                ways.through = self.better(ways.through, ways.returned.take());
                ways
            }
            Op::Loop { trips } => self.repeated(at, trips),
            Op::Break => {
                return Ways {
                    broken: Some(marker),
                    ..Ways::default()
                };
            }
            Op::Continue => {
                return Ways {
                    continued: Some(marker),
                    ..Ways::default()
                };
            }
            Op::Return => {
                return Ways {
                    returned: Some(marker),
                    ..Ways::default()
                };
            }
            _ => return head,
        };
        *at += 1;
        self.then(&mut head, ways);
        head
    }

    /// A loop: as often as the source tells, else as few times as it can be left, or once.
    fn repeated(&self, at: &mut usize, trips: u32) -> Ways {
        let body_start = *at;
        let body = self.region(at);
        let breaks = self.code.instructions[body_start..*at].iter();
        let breaks = breaks
            .filter(|instruction| instruction.op == Op::Break)
            .count();
        *at += 1;
        let continuing = self.region(at);
        let back = self.marker(Op::EndLoop);
        let again = self.better(body.through, body.continued);
        let trip = again.and_then(|again| Some(again.and(continuing.through?).and(back)));
        let leaves_behind = self.code.instructions[*at - 1].op == Op::BreakIf;
        let fixed = trips > 0 && (self.longest || breaks == 1);
        let through = match (fixed, trip, body.broken) {
            (true, Some(trip), Some(last)) => Some(trip.times(trips.into()).and(last)),
            (false, Some(trip), Some(last)) if self.longest => Some(trip.and(last)),
            (false, Some(trip), last) if leaves_behind => self.better(Some(trip), last),
            (_, trip, last) => last.or(trip),
        };
        Ways {
            through,
            returned: body.returned,
            ..Ways::default()
        }
    }

    fn marker(&self, op: Op) -> Cost {
        let mut cost = Cost::default();
        if let Some(unit) = op.unit() {
            cost.units[unit as usize] = 1;
            cost.cycles = self.core.collect_latency.0 + self.core.alu_latency.0;
        }
        cost
    }

    /// Instructions without a branch: each issues when its operands and its unit are ready.
    fn block(&self, start: usize, end: usize) -> Cost {
        let core = self.core;
        let quads = core.quads_per_warp() as u64;
        let mut cost = Cost::default();
        let mut ready = vec![0_u64; self.code.registers as usize];
        let mut free = [0_u64; Unit::ALL.len()];
        let (mut issue, mut done) = (0_u64, 0_u64);
        for instruction in &self.code.instructions[start..end] {
            let Some(unit) = instruction.op.unit() else {
                continue;
            };
            cost.units[unit as usize] += 1;
            let (interval, latency) = match unit {
                Unit::Transcendental => (
                    core.transcendental_interval.0,
                    core.transcendental_latency.0,
                ),
                Unit::Texture => {
                    let interval = quads * core.texture_cycles_per_quad.0;
                    let l1 = core.texture_cache.latency.0;
                    (interval, interval + l1 + core.filter_latency.0)
                }
                // Threads of a warp stay in one line.
                Unit::Load | Unit::Atomic | Unit::Shared => (1, core.data_cache.latency.0),
                Unit::Store | Unit::Barrier => (1, 1),
                _ => (core.alu_interval.0, core.alu_latency.0),
            };
            let image = match instruction.op {
                Op::Image(image) => Some(&self.code.images[image as usize]),
                _ => None,
            };
            let of_image = image.into_iter().flat_map(|image| image.read());
            let reads = instruction
                .read()
                .chain(of_image)
                .filter(|&register| register != NONE);
            let operands = reads
                .map(|register| ready[register as usize])
                .max()
                .unwrap_or(0);
            let shared = match unit {
                Unit::Store | Unit::Atomic | Unit::Shared => Unit::Load,
                unit => unit,
            };
            let begin = issue.max(operands).max(free[shared as usize]);
            free[shared as usize] = begin + interval;
            issue = begin + 1;
            let result = begin + core.collect_latency.0 + latency;
            for register in instruction.written() {
                ready[register as usize] = result;
            }
            done = done.max(result);
        }
        cost.cycles = done;
        cost
    }
}

impl Ways {
    fn only(through: Cost) -> Self {
        Self {
            through: Some(through),
            ..Self::default()
        }
    }
}

fn ends_region(op: Op) -> bool {
    matches!(
        op,
        Op::Else
            | Op::EndIf
            | Op::Continuing
            | Op::EndLoop
            | Op::Case(_)
            | Op::EndSwitch
            | Op::EndScope
    )
}

fn is_straight(op: Op) -> bool {
    match op {
        Op::If | Op::Loop { .. } | Op::Switch | Op::Scope => false,
        Op::Break | Op::Continue | Op::Return => false,
        other => !ends_region(other),
    }
}
