//! Fixed functions of the Raster Units: quads and attributes in, energy of the arithmetic that they need out; leakage of as many lanes as
//! the machine's rates ask for.

use super::account::Account;
use super::report::EnergyPart;
use crate::gpu::raster::RasterUnitCounters;
use crate::units::{Milliwatts, Picojoules};

/// Multiply-adds for one attribute of four components at one fragment: value = a x + b y + c.
const INTERPOLATION: f64 = 8.0;
/// Fragments of a quad.
const FRAGMENTS: f64 = 4.0;
/// Edge functions of a triangle, each stepped from fragment to fragment by an addition.
const EDGES: f64 = 3.0;
/// Multiply-adds for the depth of a fragment.
const DEPTH: f64 = 2.0;
/// Colour components of a fragment.
const COMPONENTS: f64 = 4.0;

/// Energy or area of one unit of each kind of arithmetic.
#[derive(Debug, Clone, Copy)]
struct Arithmetic {
    multiply_add: f64,
    add: f64,
    int_add: f64,
    half_multiply: f64,
    half_add: f64,
}

/// Energy or area of one item at each stage.
#[derive(Debug, Clone, Copy)]
struct Work {
    /// An attribute at a fragment.
    attribute: f64,
    /// A quad in the rasteriser: edge functions and depth.
    quad: f64,
    /// A quad in the depth test: a comparison for each fragment, which is a subtraction.
    test: f64,
    /// A quad in the blend stage: source times a factor plus destination times another.
    blend: f64,
}

impl Work {
    fn of(arithmetic: Arithmetic) -> Self {
        let Arithmetic {
            multiply_add,
            add,
            int_add,
            half_multiply,
            half_add,
        } = arithmetic;
        Self {
            attribute: INTERPOLATION * multiply_add,
            quad: FRAGMENTS * (EDGES * int_add + DEPTH * multiply_add),
            test: FRAGMENTS * add,
            blend: FRAGMENTS * COMPONENTS * (2.0 * half_multiply + half_add),
        }
    }
}

impl Account<'_> {
    /// Interpolation, rasterisers, depth test and blending.
    pub(super) fn fixed_functions(&self) -> [EnergyPart; 3] {
        let (energy, area) = (self.work_energy(), self.work_area());
        let raster = &self.machine.raster;
        let n_units = raster.units.len() as f64;
        let units = |count: fn(&RasterUnitCounters) -> u64| {
            self.report.raster_units.iter().map(count).sum::<u64>() as f64
        };
        let attributes = units(|unit| unit.attributes_interpolated);
        let quads = units(|unit| unit.quads_rasterised);
        let tested = units(|unit| unit.early_z_tested + unit.late_z_tested);
        let blended = units(|unit| unit.quads_blended - unit.late_killed);
        let attribute_lanes = f64::from(raster.attributes_per_cycle);
        let quad_lanes = f64::from(raster.quads_per_cycle);
        let blend_lanes = f64::from(raster.blend_quads_per_cycle);
        let part = |name, energy: f64, area: f64| {
            self.part(name, Picojoules(energy), self.leaking(n_units * area))
        };
        [
            part(
                "interpolation",
                attributes * energy.attribute,
                attribute_lanes * area.attribute,
            ),
            part("rasterisers", quads * energy.quad, quad_lanes * area.quad),
            part(
                "depth and blend",
                tested * energy.test + blended * energy.blend,
                quad_lanes * area.test + blend_lanes * area.blend,
            ),
        ]
    }

    /// In pJ.
    fn work_energy(&self) -> Work {
        let of = self.energies.operations();
        Work::of(Arithmetic {
            multiply_add: of.alu.0,
            add: of.add.0,
            int_add: of.int_add.0,
            half_multiply: of.half_multiply.0,
            half_add: of.half_add.0,
        })
    }

    /// In mm2.
    fn work_area(&self) -> Work {
        let of = self.energies.areas();
        Work::of(Arithmetic {
            multiply_add: of.alu,
            add: of.add,
            int_add: of.int_add,
            half_multiply: of.half_multiply,
            half_add: of.half_add,
        })
    }

    /// Leakage of so much arithmetic, in mm2.
    pub(super) fn leaking(&self, area: f64) -> Milliwatts {
        self.energies.arithmetic_leakage() * area
    }
}
