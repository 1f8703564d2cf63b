//! Unit that bounds the Raster Pipeline: the least time that each needs for what passed it, at its rate and never idle.
//!
//! A unit whose time is that of the pipeline bounds it. If all are far from it, what is left is latency: tiles wait for
//! their own lines, since the next one enters the fragment stage when the one before has left it (LIBRA, section III-A).

use serde::{Deserialize, Serialize};

use azulejo_gpu::FrameReport;
use azulejo_gpu::machine::{CoreSpec, MachineSpec};
use azulejo_gpu::memory::Traffic;

/// Least cycles of units, summed over frames, on average over units of a kind.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
pub struct Bounds {
    /// Raster Units: their quads through rasteriser or blending, whichever takes longer.
    pub quads: f64,
    /// Cores: issue or arithmetic of fragments, whichever takes longer.
    pub instructions: f64,
    /// Texture pipelines: look-ups, or filtering of quads, whichever takes longer.
    pub samples: f64,
    /// DRAM: lines of the Raster Pipeline over all pins.
    pub pins: f64,
    /// Cycles in which a texture pipeline was held: no register was free, or the L2 had no room.
    pub held: f64,
}

impl Bounds {
    /// Adds a frame of the machine that stands for `times`.
    pub(super) fn add(&mut self, machine: &MachineSpec, report: &FrameReport, times: u64) {
        let over =
            |of_core: fn(&CoreSpec) -> f64| machine.sum_over_cores(|kind| of_core(&kind.core));
        let issue = over(|core| f64::from(core.issue_width));
        let alus = over(|core| f64::from(core.alus) / core.alu_interval.0 as f64);
        let pipelines = over(|core| f64::from(core.memory_pipelines));
        let filtered =
            over(|core| f64::from(core.memory_pipelines) / core.texture_cycles_per_quad.0 as f64);
        let raster = &machine.raster;
        let units = raster.units.len() as f64;
        let of_units = |of: fn(&azulejo_gpu::raster::RasterUnitCounters) -> u64| -> f64 {
            report.raster_units.iter().map(of).sum::<u64>() as f64 / units
        };
        let rasterised = of_units(|unit| unit.quads_rasterised) / f64::from(raster.quads_per_cycle);
        let blended = of_units(|unit| unit.quads_blended) / f64::from(raster.blend_quads_per_cycle);
        let texture = |of: fn(&azulejo_gpu::shading::TextureCounters) -> u64| -> f64 {
            let sum: u64 = report.cores.iter().map(|core| of(&core.texture)).sum();
            sum as f64
        };
        let samples: u64 = report
            .tiles
            .iter()
            .map(|own| own.cost.texture_threads)
            .sum();
        let issued: u64 = report.tiles.iter().map(|own| own.cost.instructions).sum();
        let arithmetic = issued as f64 - texture(|texture| texture.instructions);
        let looked_up = texture(|texture| texture.accesses) / pipelines;
        let lines = Traffic::OF_THE_RASTER_PIPELINE
            .map(|kind| report.dram.reads[kind] + report.dram.writes[kind]);
        let bytes = lines.iter().sum::<u64>() * machine.l2.tags.line.0;
        let peak =
            machine.dram.peak_gbps_per_channel() * f64::from(machine.dram.structure.channels);
        for (sum, cycles) in [
            (&mut self.quads, rasterised.max(blended)),
            (
                &mut self.instructions,
                (issued as f64 / issue).max(arithmetic / alus),
            ),
            (
                &mut self.samples,
                looked_up.max(samples as f64 / 4.0 / filtered),
            ),
            (
                &mut self.pins,
                bytes as f64 / peak * machine.clock.0 as f64 / 1e9,
            ),
            (
                &mut self.held,
                texture(|texture| texture.stalled) / pipelines,
            ),
        ] {
            *sum += cycles * times as f64;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use azulejo_gpu::Gpu;
    use azulejo_grid::TileGrid;
    use azulejo_trace::InstructionClass;
    use azulejo_trace::synthetic::{CoveredScreen, TexelPattern, independent};

    /// Two tiles of 128 x 128 pixels under forty layers, their colours kept, on two Raster Units of four baseline cores: 4096
    /// quads a layer and unit, two of them a cycle; warps of four quads over eight cores of four instructions and units.
    fn layers(class: InstructionClass, n: usize) -> (Bounds, f64) {
        let grid = TileGrid {
            width: 256,
            height: 128,
            tile_size: 128,
        };
        let mut screen = CoveredScreen::new(grid, independent(class, n));
        screen.layers = 40;
        screen.targets[0].store = false;
        screen.texels = TexelPattern::SameBlock;
        let spec = MachineSpec::built_in("valhall-khepri-baseline", &[]).expect("shipped");
        let mut gpu = Gpu::new(&spec).expect("valid");
        let report = gpu.run_frame(&screen.frame(0)).expect("no deadlock");
        let mut bounds = Bounds::default();
        bounds.add(&spec, &report, 1);
        (bounds, report.raster_cycles.0 as f64)
    }

    #[test]
    fn bounds_are_least_times_by_hand() {
        let (bounds, _) = layers(InstructionClass::Alu, 12);
        assert_eq!(bounds.quads, 40.0 * 4096.0 / 2.0);
        let warps = 2.0 * 40.0 * 1024.0;
        assert_eq!(bounds.instructions, warps * 12.0 / 4.0 / 8.0);
        assert_eq!((bounds.samples, bounds.held), (0.0, 0.0), "no texture");
        let (bounds, _) = layers(InstructionClass::Texture, 3);
        let quads = 2.0 * 40.0 * 4096.0;
        assert_eq!(bounds.samples, quads * 3.0 * 2.0 / 16.0);
    }

    /// The time of the pipeline is that of its slowest unit here, to a hundredth.
    #[test]
    fn bounds_name_the_unit_that_bounds() {
        use InstructionClass::{Alu, Texture};
        let unit: [fn(&Bounds) -> f64; 3] = [
            |bounds| bounds.quads,
            |bounds| bounds.instructions,
            |bounds| bounds.samples,
        ];
        let programs = [(Alu, 12), (Alu, 60), (Texture, 8)];
        for ((class, n), unit) in programs.into_iter().zip(unit) {
            let (bounds, cycles) = layers(class, n);
            let share = unit(&bounds) / cycles;
            assert!((0.99..=1.0).contains(&share), "{n}: {share:.4} {bounds:?}");
        }
    }
}
