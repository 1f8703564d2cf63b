//! Cost of a program on a core before anything is drawn: instructions by unit, shortest and longest path, a warp alone and
//! many of them.
//!
//! A path's instructions issue in order, one a cycle; an instruction waits for its operands and its unit, and a branch for
//! all that came before it. Textures and buffers hit the first cache. Full occupancy is bounded by the unit that is busy
//! longest for a warp, or by the time of a warp alone over the warps that are there to hide it.

mod paths;

use serde::Serialize;

use super::table::{Align, aligned};
use azulejo_gpu::machine::{CoreSpec, MachineSpec, VertexCores};
use azulejo_shader::{Code, Op, Stage, Unit};
use paths::{Cost, Paths};

/// Costs of a program on a machine.
#[derive(Debug, Clone, Serialize)]
pub struct ProgramReport {
    /// Entry point.
    pub entry: String,
    /// Stage.
    pub stage: &'static str,
    /// Machine.
    pub machine: String,
    /// Most registers of a thread that are alive at once.
    pub registers: u32,
    /// Instructions that run once for all threads.
    pub prologue: usize,
    /// Instructions of the source after inlining, each once, by unit.
    pub instructions: Vec<UnitCount>,
    /// Whether some loop has no number of trips in the source; the longest path then takes it once.
    pub unbounded: bool,
    /// Types of the machine's cores.
    pub cores: Vec<CoreCost>,
}

/// Instructions of a unit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct UnitCount {
    /// Unit.
    pub unit: &'static str,
    /// Instructions.
    pub count: u64,
}

/// Costs of a program on a type of core.
#[derive(Debug, Clone, Serialize)]
pub struct CoreCost {
    /// Type of core.
    pub core: String,
    /// Threads of a warp.
    pub warp_threads: u32,
    /// Warps that are there at once, as registers allow.
    pub warps: u32,
    /// Shortest path.
    pub shortest: PathCost,
    /// Longest path.
    pub longest: PathCost,
}

/// Costs of a path.
#[derive(Debug, Clone, Serialize)]
pub struct PathCost {
    /// Instructions by unit.
    pub instructions: Vec<UnitCount>,
    /// Cycles of a warp that has the core for itself.
    pub cycles_alone: u64,
    /// Cycles from one warp to the next at full occupancy.
    pub cycles_full: f64,
    /// Bound of full occupancy: a unit, or latency.
    pub bound: &'static str,
}

impl ProgramReport {
    /// Prices a program on a machine.
    #[must_use]
    pub fn new(code: &Code, machine: &MachineSpec) -> Self {
        let raster = &machine.raster;
        let mut types: Vec<usize> = raster.units.clone();
        types.sort_unstable();
        types.dedup();
        let cores = match (code.stage, &machine.geometry.cores) {
            (Stage::Vertex, VertexCores::Dedicated(_, core)) => {
                vec![CoreCost::new(code, "vertex", core)]
            }
            _ => types
                .into_iter()
                .map(|position| {
                    let kind = &raster.core_types[position];
                    CoreCost::new(code, &kind.name, &kind.core)
                })
                .collect(),
        };
        let mut once = [0; Unit::ALL.len()];
        for unit in code
            .instructions
            .iter()
            .filter_map(|instruction| instruction.op.unit())
        {
            once[unit as usize] += 1;
        }
        Self {
            entry: code.entry.clone(),
            stage: code.stage.name(),
            machine: machine.name.clone(),
            registers: code.alive,
            prologue: code.prologue.len(),
            instructions: counts(&once),
            unbounded: code
                .instructions
                .iter()
                .any(|instruction| instruction.op == Op::Loop { trips: 0 }),
            cores,
        }
    }

    /// The report as text.
    #[must_use]
    pub fn text(&self) -> String {
        let plural = |n: u64, what: &str| format!("{n} {what}{}", if n == 1 { "" } else { "s" });
        let mut text = format!(
            "{} `{}` on {}: {} of a thread, {} once for all\n",
            self.stage,
            self.entry,
            self.machine,
            plural(self.registers.into(), "register"),
            plural(self.prologue as u64, "instruction"),
        );
        for core in &self.cores {
            text.push_str(&format!(
                "\n{} cores, {} of {} threads at once:\n",
                core.core,
                plural(core.warps.into(), "warp"),
                core.warp_threads
            ));
            text.push_str(&core.table(&self.instructions));
        }
        if self.unbounded {
            text.push_str("\nA loop has no number of trips in the source: paths take it once.\n");
        }
        text
    }
}

impl CoreCost {
    fn new(code: &Code, name: &str, core: &CoreSpec) -> Self {
        let threads = code.alive.max(1) * core.warp_threads;
        let warps = match core.registers {
            0 => core.warps,
            registers => (registers / threads).clamp(1, core.warps),
        };
        let path = |longest: bool| {
            PathCost::new(
                &Paths {
                    code,
                    core,
                    longest,
                }
                .cost(),
                core,
                warps,
            )
        };
        Self {
            core: name.to_owned(),
            warp_threads: core.warp_threads,
            warps,
            shortest: path(false),
            longest: path(true),
        }
    }

    fn table(&self, source: &[UnitCount]) -> String {
        let row = |cells: [String; 4]| cells.to_vec();
        let head = ["", "source", "shortest path", "longest path"].map(str::to_owned);
        let mut rows = vec![row(head)];
        let in_path = |path: &PathCost, unit: &str| {
            let found = path.instructions.iter().find(|count| count.unit == unit);
            found.map_or(0, |count| count.count).to_string()
        };
        for count in source {
            rows.push(row([
                count.unit.to_owned(),
                count.count.to_string(),
                in_path(&self.shortest, count.unit),
                in_path(&self.longest, count.unit),
            ]));
        }
        let both = |of: &dyn Fn(&PathCost) -> String| [of(&self.shortest), of(&self.longest)];
        let lines = [
            (
                "cycles, a warp alone",
                both(&|path| path.cycles_alone.to_string()),
            ),
            (
                "cycles, full occupancy",
                both(&|path| format!("{:.1}", path.cycles_full)),
            ),
            ("bounded by", both(&|path| path.bound.to_owned())),
        ];
        for (name, [shortest, longest]) in lines {
            rows.push(row([name.to_owned(), String::new(), shortest, longest]));
        }
        aligned(
            &rows,
            &[Align::Left, Align::Right, Align::Right, Align::Right],
        )
    }
}

impl PathCost {
    fn new(cost: &Cost, core: &CoreSpec, warps: u32) -> Self {
        let n = |unit: Unit| cost.units[unit as usize] as f64;
        let all: u64 = cost.units.iter().sum();
        let alus = f64::from(core.alus);
        let quads = core.quads_per_warp() as f64;
        let texture = n(Unit::Texture) * core.texture_cycles_per_quad.0 as f64;
        let others = n(Unit::Load) + n(Unit::Store) + n(Unit::Atomic) + n(Unit::Shared);
        let bounds = [
            ("issue", all as f64 / f64::from(core.issue_width)),
            (
                "alu",
                (n(Unit::Alu) + n(Unit::Control)) * core.alu_interval.0 as f64 / alus,
            ),
            (
                "transcendental",
                n(Unit::Transcendental) * core.transcendental_interval.0 as f64 / alus,
            ),
            (
                "texture",
                texture * quads / f64::from(core.memory_pipelines),
            ),
            ("load/store", others),
            ("latency", cost.cycles as f64 / f64::from(warps)),
        ];
        let slowest = bounds
            .into_iter()
            .reduce(|a, b| if b.1 > a.1 { b } else { a });
        let (bound, cycles_full) = slowest.unwrap_or(("issue", 0.0));
        Self {
            instructions: counts(&cost.units),
            cycles_alone: cost.cycles,
            cycles_full,
            bound,
        }
    }
}

/// Units with instructions.
fn counts(by_unit: &[u64; Unit::ALL.len()]) -> Vec<UnitCount> {
    let units = Unit::ALL.into_iter().zip(by_unit);
    units
        .filter(|&(_, &count)| count > 0)
        .map(|(unit, &count)| UnitCount {
            unit: unit.name(),
            count,
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use azulejo_shader::Module;

    /// Costs on Emerald's core of a fragment program with this body, which returns a number made of `v`.
    fn priced(body: &str) -> (ProgramReport, CoreSpec) {
        let source = format!(
            "@fragment fn main(@location(0) v: vec4<f32>) -> @location(0) f32 {{ {body} }}"
        );
        let code = Module::parse(&source).and_then(|module| module.compile("main", &[]));
        let code = code.expect("a valid program");
        let machine = MachineSpec::built_in("emerald-gpu", &[]).expect("built in");
        let core = machine.raster.core_types[machine.raster.units[0]].core;
        (ProgramReport::new(&code, &machine), core)
    }

    fn in_path(path: &PathCost, unit: &str) -> u64 {
        let found = path.instructions.iter().find(|count| count.unit == unit);
        found.map_or(0, |count| count.count)
    }

    #[test]
    fn chain_waits_for_each_result() {
        let (report, core) = priced("return v.x * v.y + v.z;");
        let each = core.collect_latency.0 + core.alu_latency.0;
        let path = &report.cores[0].longest;
        assert_eq!(in_path(path, "alu"), 2, "a product and a sum");
        assert_eq!(path.cycles_alone, 2 * each, "the sum waits for the product");
        assert!(!report.unbounded, "no loop");
    }

    #[test]
    fn paths_take_branches_and_trips() {
        let (report, _) = priced(
            "var x = v.x; if v.y > 0.5 { x = x * 2.0 + v.z * v.w; } for (var i = 0; i < 3; i++) { x = sqrt(x); } return x;",
        );
        let core = &report.cores[0];
        assert_eq!(
            in_path(&core.shortest, "transcendental"),
            3,
            "three trips on every path"
        );
        assert_eq!(
            in_path(&core.longest, "transcendental"),
            3,
            "three trips on every path"
        );
        let branch = in_path(&core.longest, "alu") - in_path(&core.shortest, "alu");
        assert_eq!(branch, 3, "two products and a sum");
    }

    #[test]
    fn loop_without_an_end_in_the_source_counts_once() {
        let (report, _) = priced("var x = v.x; while x > 1.0 { x = sqrt(x); } return x;");
        assert!(report.unbounded, "says so");
        assert_eq!(
            in_path(&report.cores[0].shortest, "transcendental"),
            0,
            "left at once"
        );
        assert_eq!(
            in_path(&report.cores[0].longest, "transcendental"),
            1,
            "taken once"
        );
    }
}
