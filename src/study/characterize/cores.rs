//! Sensitivities of a game to the cores: its speed on eight in place of four, and on KHEPRI's two types. Each frame goes
//! through four more machines.

use rayon::prelude::*;

use super::error::SurveyError;
use crate::figures::ratio;
use crate::scheduling::{homogeneous, shaped};
use azulejo_gpu::machine::MachineSpec;
use azulejo_gpu::{FrameReport, Gpu};
use azulejo_trace::FrameTrace;

/// Machine whose types of cores are compared.
const TYPES: &str = "valhall-khepri";

/// Machines by position.
const FOUR: usize = 0;
const EIGHT: usize = 1;
const COMPUTE: usize = 2;
const MEMORY: usize = 3;

/// Sums over frames on four machines.
#[derive(Debug)]
pub(super) struct Cores {
    machines: Vec<Gpu>,
    raster_cycles: [u64; 4],
    /// Tiles that take other times on the two types of cores, and those among them that take less on memory cores.
    tiles: u64,
    memory_tiles: u64,
}

impl Cores {
    /// Returns one Raster Unit of the machine with four cores and with eight; and KHEPRI's machine of each type of cores,
    /// at the same screen.
    pub(super) fn new(machine: &MachineSpec) -> Result<Self, SurveyError> {
        let mut types = MachineSpec::built_in(TYPES, &[])?;
        types.screen = machine.screen;
        let specs = [
            shaped(machine, 1, 4),
            shaped(machine, 1, 8),
            homogeneous(&types, "compute")?.spec,
            homogeneous(&types, "memory")?.spec,
        ];
        let machines = specs.iter().map(Gpu::new);
        Ok(Self {
            machines: machines.collect::<Result<_, _>>()?,
            raster_cycles: [0; 4],
            tiles: 0,
            memory_tiles: 0,
        })
    }

    pub(super) fn model(&mut self, frame: &FrameTrace, times: u64) -> Result<(), SurveyError> {
        let machines = self.machines.par_iter_mut();
        let reports = machines.map(|machine| machine.run_frame(frame));
        let reports: Vec<FrameReport> = reports.collect::<Result<_, _>>()?;
        for (sum, report) in self.raster_cycles.iter_mut().zip(&reports) {
            *sum += times * report.raster_cycles.0;
        }
        let both = reports[COMPUTE].tiles.iter().zip(&reports[MEMORY].tiles);
        for (compute, memory) in both {
            let (compute, memory) = (compute.fragment_cycles, memory.fragment_cycles);
            self.tiles += times * u64::from(compute != memory);
            self.memory_tiles += times * u64::from(memory < compute);
        }
        Ok(())
    }

    fn speed(&self, from: usize, to: usize) -> Option<f64> {
        let [from, to] = [from, to].map(|machine| self.raster_cycles[machine] as f64);
        ratio(from, to)
    }

    pub(super) fn eight_core_speed(&self) -> Option<f64> {
        self.speed(FOUR, EIGHT)
    }

    pub(super) fn memory_core_speed(&self) -> Option<f64> {
        self.speed(COMPUTE, MEMORY)
    }

    pub(super) fn memory_core_tiles(&self) -> Option<f64> {
        ratio(self.memory_tiles as f64, self.tiles as f64)
    }
}
