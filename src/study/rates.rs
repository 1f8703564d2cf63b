//! Rates of a machine per clock in small frames that one unit bounds: held against its own peaks, and against the rates
//! that makers of a GPU of these widths have published.
//!
//! Frames are made, not drawn: a screen that one triangle covers many times (pixels), the same screen under programs of
//! texture instructions (texels) or of arithmetic, and triangles of a quad each (triangles). The published numbers are
//! rates of shipped chips per clock, of a shader core where their unit is in each core. They are of tiled GPUs; of one that
//! renders immediately none is public per clock.

use serde::Serialize;

use super::elimination::StudyError;
use azulejo_gpu::Gpu;
use azulejo_gpu::machine::{MachineSpec, Peaks};
use azulejo_grid::TileGrid;
use azulejo_trace::InstructionClass;
use azulejo_trace::synthetic::{CoveredScreen, independent};

/// Published rate of a chip.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Published {
    /// Name of the chip.
    pub chip: &'static str,
    /// Rate per clock of the whole machine that was measured.
    pub per_clock: f64,
    /// Publication that states it.
    pub source: &'static str,
}

/// Rate of a machine, per clock.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Rate {
    /// Counted thing, in words: pixels, texels, operations, triangles.
    pub what: &'static str,
    /// Rate in the frame that is bound by it.
    pub measured: f64,
    /// Highest rate that the machine's widths allow.
    pub peak: f64,
    /// Published rate of a chip whose widths the machine has, if there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub published: Option<Published>,
    /// Reason for a known difference between machine and chip.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub why: Option<&'static str>,
}

impl Rate {
    /// Relative error of the measured rate against the published one: |chip - machine| / chip, as Emerald states errors
    /// (section 3.4).
    #[must_use]
    pub fn error(&self) -> Option<f64> {
        let chip = self.published?.per_clock;
        Some((chip - self.measured).abs() / chip)
    }
}

const MALI_450: &str = "Mali-450 MP8";
/// 3.8 Gpixel/s and 104 million triangles/s of eight cores at 480 MHz.
const LAUNCH: &str = "Arm's announcement of the Mali-450, 2012";
const MALI_G77: &str = "Mali-G77";
/// Per core and clock: 2 pixels, 4 texels, 64 operations on 32-bit floats.
const DATASHEET: &str = "Arm GPU datasheet 2021";
/// LIBRA names no lanes; the machine takes its core from KHEPRI's Table II.
const WIDE_WARPS: &str = "four arithmetic units a core (KHEPRI, Table II) of sixteen lanes, a warp's width that no paper states, \
     are 64 multiply-adds a clock; a core of the chip has 32";

/// Public rates of a chip: `machines` is the prefix of the machine's name; rates of one core, but triangles, which are the
/// chip's.
struct Chip {
    machines: &'static str,
    name: &'static str,
    source: &'static str,
    pixels: Option<f64>,
    texels: Option<f64>,
    operations: Option<f64>,
    triangles: Option<f64>,
    /// Reason for which the machine's operations differ from the chip's.
    operations_why: Option<&'static str>,
}

const CHIPS: [Chip; 2] = [
    Chip {
        machines: "mali450",
        name: MALI_450,
        source: LAUNCH,
        pixels: Some(3800.0 / 480.0 / 8.0),
        texels: None,
        operations: None,
        triangles: Some(104.0 / 480.0),
        operations_why: None,
    },
    Chip {
        machines: "valhall-libra",
        name: MALI_G77,
        source: DATASHEET,
        pixels: Some(2.0),
        texels: Some(4.0),
        operations: Some(64.0),
        triangles: None,
        operations_why: Some(WIDE_WARPS),
    },
];

/// Edge of the screen in pixels.
const EDGE: u32 = 256;
/// Layers that cover it.
const LAYERS: u32 = 12;
/// Length of a program that is bound by its instructions.
const INSTRUCTIONS: usize = 48;
/// Triangles of a quad each: so few that their vertices and lists stay in the smallest L2 (256 KiB), so that geometry and
/// not the memory bounds them.
const TRIANGLES: u32 = 1000;

/// Measures the rates of a machine. `name` is that of the machine, by which a chip of its widths is found.
///
/// # Errors
/// If the machine cannot be built, or stands still.
pub fn rates(name: &str, machine: &MachineSpec) -> Result<Vec<Rate>, StudyError> {
    let (peaks, clock) = (Peaks::of(machine), machine.clock.0 as f64);
    let chip = CHIPS.iter().find(|chip| name.starts_with(chip.machines));
    let n_cores = machine.n_cores() as f64;
    let published = |rate: fn(&Chip) -> Option<f64>, n: f64| {
        let chip = chip?;
        Some(Published {
            chip: chip.name,
            per_clock: rate(chip)? * n,
            source: chip.source,
        })
    };
    let covered = |layers: u32, class: InstructionClass, n: usize| CoveredScreen {
        layers,
        ..CoveredScreen::new(grid(machine, EDGE), independent(class, n))
    };
    let alu = InstructionClass::Alu;
    let pixels = f64::from(EDGE * EDGE);
    let of_screen = |layers: u32, class, n: usize| {
        let frame = covered(layers, class, n);
        Ok::<_, StudyError>(pixels * f64::from(layers) / cycles(machine, &frame)?)
    };
    let texture = InstructionClass::Texture;
    let small = CoveredScreen {
        layers: TRIANGLES,
        ..CoveredScreen::new(grid(machine, 2), independent(alu, 1))
    };
    let many = INSTRUCTIONS as f64;
    Ok(vec![
        Rate {
            what: "pixels",
            measured: of_screen(LAYERS, alu, 1)?,
            peak: peaks.blended * 1e9 / clock,
            published: published(|chip| chip.pixels, n_cores),
            why: None,
        },
        Rate {
            what: "texels, bilinear",
            measured: many * of_screen(1, texture, INSTRUCTIONS)?,
            peak: peaks.textured * 1e9 / clock,
            published: published(|chip| chip.texels, n_cores),
            why: None,
        },
        Rate {
            // A multiply-add counts as two.
            what: "operations, 32 bits",
            measured: 2.0 * 4.0 * many * of_screen(1, alu, 4 * INSTRUCTIONS)?,
            peak: peaks.arithmetic * 1e9 / clock,
            published: published(|chip| chip.operations, n_cores),
            why: chip.and_then(|chip| chip.operations_why),
        },
        Rate {
            what: "triangles of a quad",
            measured: f64::from(TRIANGLES) / cycles(machine, &small)?,
            peak: peaks.triangles * 1e6 / clock,
            published: published(|chip| chip.triangles, 1.0),
            why: None,
        },
    ])
}

fn grid(machine: &MachineSpec, edge: u32) -> TileGrid {
    TileGrid {
        width: edge,
        height: edge,
        ..machine.screen.grid
    }
}

/// Cycles of the second of two equal frames: the first fills the caches.
fn cycles(machine: &MachineSpec, screen: &CoveredScreen) -> Result<f64, StudyError> {
    let mut gpu = Gpu::new(machine)?;
    gpu.run_frame(&screen.frame(0))?;
    let report = gpu.run_frame(&screen.frame(1))?;
    Ok(report.cycles.0 as f64)
}

#[cfg(test)]
mod tests {
    use super::*;
    use azulejo_gpu::machine::Overlay;

    fn of(name: &str) -> Vec<Rate> {
        let immediate = || "pipeline=immediate".parse().expect("KEY=VALUE");
        let changes = name.starts_with("emerald").then(immediate);
        let changes: Vec<Overlay> = changes.into_iter().collect();
        let machine = MachineSpec::built_in(name, &changes).expect("shipped");
        rates(name, &machine).expect("it runs")
    }

    /// Both front ends fill at half their peak at least and never beyond it; the chips' rates are as far as is said, and
    /// where they are farther than a fifth it is said why.
    #[test]
    fn rates_are_below_the_peaks_and_near_the_chips() {
        // Share of the peak of pixels at least, and errors at most where a chip is known: pixels, texels, operations,
        // triangles.
        let expected = [
            ("mali450-re", [Some(0.1), None, None, Some(0.1)]),
            (
                "valhall-libra-baseline",
                [Some(0.2), Some(0.2), Some(1.2), None],
            ),
            ("emerald-gpu", [None; 4]),
        ];
        for (name, bounds) in expected {
            let rates = of(name);
            for (rate, bound) in rates.iter().zip(bounds) {
                let (what, share) = (rate.what, rate.measured / rate.peak);
                assert!(
                    share <= 1.0 + 1e-9 && share > 0.0,
                    "{name}, {what}: {rate:?}"
                );
                assert_eq!(rate.error().is_some(), bound.is_some(), "{name}, {what}");
                let error = rate.error().unwrap_or(0.0);
                assert!(error <= bound.unwrap_or(0.0), "{name}, {what}: {rate:?}");
                assert_eq!(rate.why.is_some(), error > 0.2, "{name}, {what}: {rate:?}");
            }
            let pixels = rates[0].measured / rates[0].peak;
            assert!(pixels > 0.5, "{name}: {:?}", rates[0]);
        }
    }

    /// A frame that the memory bounds would be faster on ideal memory.
    #[test]
    fn triangles_are_bound_by_the_geometry() {
        for name in ["mali450-re", "valhall-libra-baseline", "boustrophedonic"] {
            let mut machine = MachineSpec::built_in(name, &[]).expect("shipped");
            let of = |machine: &MachineSpec| rates(name, machine).expect("it runs")[3].measured;
            let real = of(&machine);
            machine.ideal = azulejo_gpu::machine::IdealSpec::ALL;
            let ideal = of(&machine);
            assert!(real > 0.9 * ideal, "{name}: {real} of {ideal}");
        }
    }

    #[test]
    fn error_is_of_the_chip() {
        let rate = Rate {
            what: "pixels",
            measured: 3.0,
            peak: 4.0,
            published: Some(Published {
                chip: MALI_G77,
                per_clock: 2.0,
                source: DATASHEET,
            }),
            why: None,
        };
        assert_eq!(rate.error(), Some(0.5));
    }
}
