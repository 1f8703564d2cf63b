//! Peak rates of a machine: its widths times its clock, in the units in which makers describe GPUs, to be held against a
//! data sheet.

use serde::Serialize;

use super::immediate::Pipeline;
use super::spec::{CoreType, MachineSpec};

/// Rates that no frame exceeds, each bound by one unit alone.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Peaks {
    /// Triangles that are assembled, in millions a second.
    #[serde(rename = "triangles_M/s")]
    pub triangles: f64,
    /// Pixels of quads that the Raster Units rasterise and test, in thousands of millions a second.
    #[serde(rename = "rasterised_Gpixel/s")]
    pub rasterised: f64,
    /// Pixels that are blended, in thousands of millions a second: the fill rate.
    #[serde(rename = "blended_Gpixel/s")]
    pub blended: f64,
    /// Bilinear texels (Arm's word for a filtered sample), in thousands of millions a second.
    #[serde(rename = "textured_Gtexel/s")]
    pub textured: f64,
    /// Arithmetic on 32-bit floats, a multiply-add as two, in thousands of millions a second.
    #[serde(rename = "arithmetic_GFLOPS")]
    pub arithmetic: f64,
    /// Bytes that hits of the L2 bring, in GB/s.
    #[serde(rename = "l2_GB/s")]
    pub l2: f64,
    /// Bytes between the L2 and the DRAM, in GB/s.
    #[serde(rename = "dram_GB/s")]
    pub dram: f64,
    /// Threads that can be resident in all shader cores.
    pub threads: u64,
}

impl Peaks {
    /// Peak rates of a machine: per cycle what its file says, times the clock.
    ///
    /// - pixels: four a quad, `quads_per_cycle` or `blend_quads_per_cycle` in each Raster Unit;
    ///   without tiles on the chip, a row of a TC tile in each core, which its data cache takes in a cycle;
    /// - texels: four a quad, one quad in `texture_cycles_per_quad` cycles in each of a core's `memory_pipelines`;
    /// - arithmetic: `alus` of `warp_threads` lanes, each starting a multiply-add in `alu_interval` cycles;
    /// - L2: a line a cycle and bank; DRAM: the data bus of all channels, or `memory_bytes_per_cycle` where that is less.
    ///
    /// Vertex processors of their own are not counted.
    #[must_use]
    pub fn of(machine: &MachineSpec) -> Self {
        let (raster, l2, clock) = (&machine.raster, &machine.l2, machine.clock.0 as f64);
        let n_units = raster.units.len() as f64;
        let billions = |per_cycle: f64| per_cycle * clock / 1e9;
        let channels = f64::from(machine.dram.structure.channels);
        let pins = machine.dram.peak_gbps_per_channel() * channels;
        let link = match l2.memory_bytes_per_cycle {
            0 => f64::INFINITY,
            bytes => billions(f64::from(bytes)),
        };
        Self {
            triangles: f64::from(machine.geometry.primitives_per_cycle) * clock / 1e6,
            rasterised: billions(4.0 * f64::from(raster.quads_per_cycle) * n_units),
            blended: billions(blended_pixels(machine)),
            textured: billions(machine.sum_over_cores(|CoreType { core, .. }| {
                4.0 * f64::from(core.memory_pipelines) / core.texture_cycles_per_quad.0 as f64
            })),
            arithmetic: billions(machine.sum_over_cores(|CoreType { core, .. }| {
                let lanes = f64::from(core.alus * core.warp_threads);
                2.0 * lanes / core.alu_interval.0 as f64
            })),
            l2: billions(f64::from(l2.banks) * l2.tags.line.0 as f64),
            dram: pins.min(link),
            threads: machine
                .sum_over_cores(|CoreType { core, .. }| f64::from(core.warps * core.warp_threads))
                as u64,
        }
    }

    /// For people: name, value, unit.
    #[must_use]
    pub fn rows(&self) -> [(&'static str, f64, &'static str); 8] {
        [
            ("triangles", self.triangles, "million/s"),
            ("rasterised and depth-tested", self.rasterised, "Gpixel/s"),
            ("blended", self.blended, "Gpixel/s"),
            ("textured, bilinear", self.textured, "Gtexel/s"),
            ("arithmetic, 32 bits", self.arithmetic, "GFLOPS"),
            ("L2 hits", self.l2, "GB/s"),
            ("DRAM", self.dram, "GB/s"),
            ("resident threads", self.threads as f64, ""),
        ]
    }
}

/// Pixels that are blended a cycle.
fn blended_pixels(machine: &MachineSpec) -> f64 {
    let raster = &machine.raster;
    match machine.pipeline {
        Pipeline::Tiled => {
            4.0 * f64::from(raster.blend_quads_per_cycle) * raster.units.len() as f64
        }
        Pipeline::Immediate(own) => f64::from(own.tc_pixels()) * machine.n_cores() as f64,
    }
}

impl MachineSpec {
    /// Sum over the cores of all Raster Units.
    #[doc(hidden)]
    #[must_use]
    pub fn sum_over_cores(&self, of_core: impl Fn(&CoreType) -> f64) -> f64 {
        let raster = &self.raster;
        let units = raster.units.iter();
        let by_unit = units.map(|kind| of_core(&raster.core_types[*kind]));
        by_unit.sum::<f64>() * f64::from(raster.cores_per_unit)
    }

    /// Shader cores of all Raster Units.
    #[must_use]
    pub fn n_cores(&self) -> usize {
        self.raster.units.len() * self.raster.cores_per_unit as usize
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::machine::Overlay;

    fn machine(name: &str, changes: &[(&str, &str)]) -> MachineSpec {
        let overlays: Vec<Overlay> = changes
            .iter()
            .map(|(key, value)| format!("{key}={value}").parse().expect("a change"))
            .collect();
        MachineSpec::built_in(name, &overlays).expect("a machine")
    }

    #[test]
    fn peaks_of_eight_cores_of_valhall_are_those_of_the_data_sheet() {
        // Arm GPU datasheet 2021, Mali-G77 and G78, per core and clock: 2 pixels, 4 texels, 64 operations on 32-bit floats,
        // which is every second cycle for four arithmetic units of 16 lanes; 1024 threads.
        let peaks = Peaks::of(&machine(
            "valhall-libra-baseline",
            &[("core.baseline.alu_interval", "2"), ("clock_mhz", "1000")],
        ));
        let expected = [
            (peaks.blended, 8.0 * 2.0),
            (peaks.textured, 8.0 * 4.0),
            (peaks.arithmetic, 8.0 * 64.0),
            (peaks.threads as f64, 8.0 * 1024.0),
        ];
        for (ours, sheet) in expected {
            assert!((ours - sheet).abs() < 1e-9, "{ours} {sheet}");
        }
    }

    #[test]
    fn dram_peak_is_the_pins_unless_the_link_is_narrower() {
        // LPDDR4 with a cycle of 0.83 ns: two transfers in it on 64 bits in all.
        let wide = Peaks::of(&machine("valhall-libra-baseline", &[]));
        assert!((wide.dram - 2.0 * 8.0 / 0.83).abs() < 0.01, "{}", wide.dram);
        let narrow = Peaks::of(&machine(
            "valhall-libra-baseline",
            &[("l2.memory_bytes_per_cycle", "8")],
        ));
        assert!((narrow.dram - 6.4).abs() < 0.01, "{}", narrow.dram);
    }

    #[test]
    fn peaks_count_each_unit_by_its_type_of_cores() {
        let khepri = machine("valhall-khepri", &[]);
        let peaks = Peaks::of(&khepri);
        let by_hand: f64 = (khepri.raster.units.iter())
            .map(|kind| {
                let core = khepri.raster.core_types[*kind].core;
                f64::from(core.warps * core.warp_threads * khepri.raster.cores_per_unit)
            })
            .sum();
        assert!((peaks.threads as f64 - by_hand).abs() < 1e-9);
    }
}
