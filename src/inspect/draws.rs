//! Cost of each draw of a frame: counters of the renderer, instructions of its programs, and cycles and traffic on a
//! machine.

use std::collections::BTreeMap;

use serde::Serialize;

use azulejo_gpu::FrameReport;
use azulejo_record::{Tape, Unit};
use azulejo_render::geometry::Placement;
use azulejo_render::shading::FragmentProgram;
use azulejo_render::{Draw, DrawList};
use azulejo_trace::{FrameCounters, GeometryCounters, RasterCounters};
use azulejo_units::Picojoules;

/// One draw of a frame.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct DrawCost {
    /// Number in submission order.
    pub draw: u32,
    /// Mesh and material names.
    pub name: String,
    /// `opaque`, `masked` or `blended`.
    #[serde(rename = "fate")]
    pub mode: &'static str,
    /// Back faces are drawn too.
    pub double_sided: bool,
    /// All corners lie at the far plane, behind everything else: a sky.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub at_far_plane: bool,
    /// Instructions of the vertex program, which each shaded vertex runs.
    pub vertex_instructions: u32,
    /// Instructions of the fragment program, which each shaded fragment runs.
    pub fragment_instructions: u32,
    /// Texture samples among these.
    pub texture_instructions: u32,
    /// Instructions of all its shaded vertices and fragments.
    pub shader_instructions: u64,
    /// Counters up to the Parameter Buffer.
    pub geometry: GeometryCounters,
    /// Counters from the tile fetch on.
    pub raster: RasterCounters,
    /// Cost on a machine, where one ran.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub modelled: Option<ModelledCost>,
}

/// Cost of a draw on a machine.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ModelledCost {
    /// Warps run, of vertices and fragments.
    pub warps: u64,
    /// Cycles from a warp's launch to its last result, summed over warps.
    pub warp_cycles: u64,
    /// Warp instructions issued, of vertices and fragments.
    pub instructions: u64,
    /// Accesses to texture caches, merged within a warp.
    pub texture_accesses: u64,
    /// Misses among these accesses.
    pub texture_misses: u64,
    /// Bytes over the DRAM's pins on its behalf, by kind of traffic; kinds without any are left out.
    pub dram_bytes: BTreeMap<&'static str, u64>,
    /// Sum over all kinds of traffic.
    pub dram_bytes_total: u64,
    /// Energy of its programs: instruction control, arithmetic, texture filters; nothing where the machine has no such
    /// figure.
    #[serde(rename = "programs_pJ", skip_serializing_if = "Option::is_none")]
    pub programs: Option<Picojoules>,
    /// Energy of these bytes at the memory's pins, without what the DRAM takes.
    #[serde(rename = "pins_pJ", skip_serializing_if = "Option::is_none")]
    pub pins: Option<Picojoules>,
}

/// The cost of each draw of a frame; `counters` are of this frame, and so is `report`, if a machine ran it.
#[must_use]
pub fn draw_costs<P: FragmentProgram>(
    list: &DrawList<'_, P>,
    counters: &FrameCounters,
    report: Option<&FrameReport>,
) -> Vec<DrawCost> {
    let rows = (0..).zip(list.draws.iter().zip(&counters.draws));
    rows.map(|(number, (draw, counted))| {
        let vertex = draw.vertex_program().record();
        let fragment = list.record(draw);
        let (n_vertex, n_fragment) = (length(&vertex), length(&fragment));
        let shaded = &counted.geometry.vertices_shaded;
        DrawCost {
            draw: number,
            name: counted.name.clone(),
            mode: draw.mode.name(),
            double_sided: draw.double_sided,
            at_far_plane: is_at_far_plane(draw),
            vertex_instructions: n_vertex,
            fragment_instructions: n_fragment,
            texture_instructions: fragment.count(Unit::Texture) as u32,
            shader_instructions: u64::from(n_vertex) * shaded
                + u64::from(n_fragment) * counted.raster.fragments_shaded,
            geometry: counted.geometry,
            raster: counted.raster,
            modelled: report.and_then(|report| modelled(report, number as usize)),
        }
    })
    .collect()
}

/// Whether each corner has the depth 1 in clip space, to rounding.
fn is_at_far_plane<P>(draw: &Draw<'_, P>) -> bool {
    let Placement::Rigid(world_from_local) = draw.placement else {
        return false;
    };
    let clip_from_local = draw.clip_from_world * world_from_local;
    let positions = &draw.primitive.positions;
    let mut corners = positions.iter().map(|at| clip_from_local * at.extend(1.0));
    !positions.is_empty() && corners.all(|clip| (clip.w - clip.z).abs() <= 1e-6 * clip.w.abs())
}

fn length(tape: &Tape) -> u32 {
    tape.instructions.len() as u32
}

fn modelled(report: &FrameReport, draw: usize) -> Option<ModelledCost> {
    let cost = &report.draws.get(draw)?.cost;
    let line = report.dram.line_bytes.0;
    let events = report.energy.as_ref().map(|energy| energy.events);
    let whole = |energy: Picojoules| Picojoules(energy.0.round());
    let kinds = cost.dram_lines.entries().filter(|(_, lines)| *lines > 0);
    Some(ModelledCost {
        warps: cost.warps,
        warp_cycles: cost.warp_cycles.0,
        instructions: cost.instructions,
        texture_accesses: cost.texture_accesses,
        texture_misses: cost.texture_misses,
        dram_bytes: kinds.map(|(kind, lines)| (kind, lines * line)).collect(),
        dram_bytes_total: cost.dram_lines.total() * line,
        programs: events.map(|events| whole(events.of_programs(cost))),
        pins: events.map(|events| whole(events.of_pins(cost))),
    })
}

impl DrawCost {
    /// Tiles that a binned triangle overlaps, on average; nothing without triangles.
    #[must_use]
    pub fn tiles_per_primitive(&self) -> Option<f64> {
        quotient(self.geometry.tile_entries, self.geometry.primitives_binned)
    }

    /// Covered pixels of a binned triangle, on average and before any test; nothing without triangles.
    #[must_use]
    pub fn pixels_per_primitive(&self) -> Option<f64> {
        quotient(
            self.raster.fragments_rasterised,
            self.geometry.primitives_binned,
        )
    }

    /// Vertices shaded for each primitive that came in; nothing without any.
    #[must_use]
    pub fn vertices_per_primitive(&self) -> Option<f64> {
        quotient(self.geometry.vertices_shaded, self.geometry.primitives_in)
    }

    /// Primitives dropped before the Parameter Buffer, all causes.
    #[must_use]
    pub const fn primitives_culled(&self) -> u64 {
        let geometry = &self.geometry;
        geometry.primitives_culled_frustum
            + geometry.primitives_culled_facing
            + geometry.primitives_culled_sample
    }
}

/// `part / whole`, nothing of nothing.
pub(super) fn quotient(part: u64, whole: u64) -> Option<f64> {
    (whole > 0).then(|| part as f64 / whole as f64)
}
