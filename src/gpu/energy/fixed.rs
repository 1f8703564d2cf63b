//! Fixed functions: draws, vertices, triangles, quads and attributes in, energy of the arithmetic that they need out;
//! leakage of as many lanes as the machine's rates ask for.

use super::account::Account;
use super::report::EnergyPart;
use crate::raster::RasterUnitCounters;
use azulejo_units::{Milliwatts, Picojoules};

/// Multiply-adds for one attribute of four components at one fragment: value = a x + b y + c.
const INTERPOLATION: f64 = 8.0;
/// Set-up of a value over a triangle, from two differences and the edges: a, b and c take two multiply-adds each.
const PLANE: f64 = 6.0;
/// Additions for these differences.
const DIFFERENCES: f64 = 2.0;
/// Additions and multiply-adds of the three edge functions of a triangle: two differences, and c = x0 y1 - x1 y0.
const EDGE_SET_UP: f64 = 6.0;
/// Multiply-adds for a vertex in assembly: three coordinates by one over w, then to the viewport; its special function is
/// one over w.
const VIEWPORT: f64 = 6.0;
/// Additions for a vertex in assembly: a comparison with each plane of the frustum.
const PLANES: f64 = 6.0;
/// Additions and multiply-adds for the signed area of a triangle, by which it is culled.
const CULL: (f64, f64) = (4.0, 2.0);
/// Fragments of a quad.
const FRAGMENTS: f64 = 4.0;
/// Edge functions of a triangle, each stepped from fragment to fragment by an addition.
const EDGES: f64 = 3.0;
/// Multiply-adds for the depth of a fragment.
const DEPTH: f64 = 2.0;
/// Multiply-adds in the area that gives a special function a cycle: as many as its passes.
const SPECIAL_PASSES: f64 = 4.0;
/// Colour components of a fragment, and components of an attribute.
const COMPONENTS: f64 = 4.0;

/// Energy or area of one unit of each kind of arithmetic.
#[derive(Debug, Clone, Copy)]
struct Arithmetic {
    multiply_add: f64,
    /// As many lanes as give one result a cycle.
    special: f64,
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
    /// A vertex in assembly: clipping's comparisons, division, viewport.
    vertex: f64,
    /// A primitive in assembly: on which side it is seen.
    primitive: f64,
    /// A triangle in the rasteriser: edges, depth, and one over its area.
    triangle: f64,
    /// An attribute of a triangle.
    plane: f64,
}

impl Work {
    fn of(arithmetic: Arithmetic) -> Self {
        let Arithmetic {
            multiply_add,
            special,
            add,
            int_add,
            half_multiply,
            half_add,
        } = arithmetic;
        let plane = PLANE * multiply_add + DIFFERENCES * add;
        Self {
            attribute: INTERPOLATION * multiply_add,
            quad: FRAGMENTS * (EDGES * int_add + DEPTH * multiply_add),
            test: FRAGMENTS * add,
            blend: FRAGMENTS * COMPONENTS * (2.0 * half_multiply + half_add),
            vertex: special + VIEWPORT * multiply_add + PLANES * add,
            primitive: CULL.0 * add + CULL.1 * multiply_add,
            triangle: special + EDGE_SET_UP * (add + multiply_add) + plane,
            plane: COMPONENTS * plane,
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

    /// Assembly, and what begins a triangle in a Raster Unit, at the rates of the machine. Attributes are set up in the
    /// interpolators' lanes, three attributes of a fragment's for one.
    pub(super) fn triangle_set_up(&self) -> EnergyPart {
        let (energy, area) = (self.work_energy(), self.work_area());
        let geometry = &self.report.geometry;
        let (mut triangles, mut planes) = (0, 0);
        for unit in &self.report.raster_units {
            triangles += unit.primitives;
            planes += unit.attributes_set_up;
        }
        let dynamic = geometry.vertices.vertices as f64 * energy.vertex
            + geometry.assembly.primitives_in as f64 * energy.primitive
            + triangles as f64 * energy.triangle
            + planes as f64 * energy.plane;
        let assembly = f64::from(self.machine.geometry.primitives_per_cycle);
        let units = self.machine.raster.units.len() as f64;
        let lanes = assembly * (area.vertex + area.primitive) + units * area.triangle;
        self.part("triangle setup", Picojoules(dynamic), self.leaking(lanes))
    }

    /// An instruction for every cycle in which a draw is parsed; what it reads is charged to the vertex cache.
    pub(super) fn command_processor(&self) -> EnergyPart {
        let of = self.energies.operations();
        let instructions =
            self.report.geometry.command.draws * self.machine.command.cycles_per_draw.0;
        let dynamic = (of.fetch + of.control + of.int_add) * instructions as f64;
        self.part(
            "command processor",
            dynamic,
            self.energies.command_leakage(),
        )
    }

    /// Energy of one item at each stage, in pJ.
    fn work_energy(&self) -> Work {
        let of = self.energies.operations();
        Work::of(Arithmetic {
            multiply_add: of.alu.0,
            special: of.transcendental.0,
            add: of.add.0,
            int_add: of.int_add.0,
            half_multiply: of.half_multiply.0,
            half_add: of.half_add.0,
        })
    }

    /// Area for one item a cycle at each stage, in mm2.
    fn work_area(&self) -> Work {
        let of = self.energies.areas();
        Work::of(Arithmetic {
            multiply_add: of.alu,
            special: SPECIAL_PASSES * of.alu,
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
