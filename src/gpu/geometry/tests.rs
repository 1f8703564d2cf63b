//! The Geometry Pipeline to the cycle: command processor, vertex fetch, vertex programs and assembly of one draw that
//! begins in cycle 0.
//!
//! The machine's numbers: 100 cycles a draw, one access of the vertex cache a cycle with data a cycle later, assembly one
//! triangle a cycle and 10 deep. The vertex program is two dependent instructions: through 13 cycles after its dispatch.

use super::{GeometryPipeline, GeometryPorts};
use crate::elide::KeepAll;
use crate::machine::MachineSpec;
use crate::memory::{LineCache, Source};
use crate::shading::{Core, TexturePorts};
use crate::statistics::Attribution;
use crate::test_support::{Placed, machine, memory, one_tile};
use crate::tiling::PolygonListBuilder;
use azulejo_trace::InstructionClass;
use azulejo_trace::synthetic::{CoveredScreen, independent};
use azulejo_units::Cycles;

/// Commands (two lines) and vertices (16 bytes each) come in these cycles; without, all are in the vertex cache.
type Fills = Option<(u64, u64)>;

/// In which cycle each thing happened, in order.
#[derive(Debug, Default)]
struct Timeline {
    draws: Vec<u64>,
    warps: Vec<u64>,
    /// A triangle was assembled, and when the Polygon List Builder may take it.
    triangles: Vec<(u64, u64)>,
}

/// Runs a draw of so many triangles; the Polygon List Builder takes them when they are there, from cycle `taken_from` on.
fn run(spec: &MachineSpec, triangles: u32, fills: Fills, taken_from: u64) -> Timeline {
    let mut screen = CoveredScreen::new(one_tile(2, 2), independent(InstructionClass::Alu, 1));
    screen.layers = triangles;
    let placed = Placed::new(spec, screen.frame(0));
    let facts = placed.facts();
    let cache = LineCache::new(&spec.geometry.vertex_cache, Source(1), fills.is_none());
    let cache = cache.expect("a valid cache");
    let mut pipeline = GeometryPipeline::new(spec.command, spec.geometry, cache);
    let core = Core::new(&spec.raster.core_types[0].core, Source(0), true);
    let mut cores = [core.expect("a valid core")];
    let mut memory = memory(spec);
    let mut attribution = Attribution::new(1, 1);
    let mut builder = PolygonListBuilder::default();
    let mut timeline = Timeline::default();
    for cycle in 0..300 {
        if let Some((commands, vertices)) = fills {
            if cycle == commands {
                pipeline.fill(placed.map.commands, Cycles(cycle));
                pipeline.fill(placed.map.commands + 64, Cycles(cycle));
            }
            if cycle == vertices {
                for line in 0..(48 * u64::from(triangles)).div_ceil(64) {
                    pipeline.fill(placed.map.buffers[0] + 64 * line, Cycles(cycle));
                }
            }
        }
        let mut ports = TexturePorts {
            facts: &facts,
            memory: &mut memory,
            attribution: &mut attribution,
        };
        cores[0].tick(Cycles(cycle), &facts.programs, &mut ports);
        if cycle >= taken_from {
            builder.queue.pop_front_if(|(at, _)| at.0 <= cycle);
        }
        let mut ports = GeometryPorts {
            facts: &facts,
            map: &placed.map,
            memory: &mut memory,
            cores: &mut cores,
            eligible: &[0],
            attribution: &mut attribution,
            triangles: &mut builder.queue,
            vertices_ahead: None,
            elider: &mut KeepAll,
        };
        pipeline.tick(Cycles(cycle), &mut ports);
        let counters = pipeline.take_counters(Cycles(cycle + 1));
        timeline
            .draws
            .extend((0..counters.command.draws).map(|_| cycle));
        timeline
            .warps
            .extend((0..counters.vertices.warps).map(|_| cycle));
        for _ in 0..counters.assembly.primitives_out {
            let at = builder.queue.back().map_or(0, |(at, _)| at.0);
            timeline.triangles.push((cycle, at));
        }
    }
    assert!(pipeline.is_done(&facts), "all draws are triangles");
    timeline
}

#[test]
fn command_processor_hands_a_draw_on_after_its_cycles() {
    let timeline = run(&machine(), 1, None, 0);
    assert_eq!(timeline.draws, [100], "parsing is longer than two accesses");
}

#[test]
fn command_processor_waits_for_its_constants() {
    let timeline = run(&machine(), 1, Some((150, 200)), 0);
    assert_eq!(timeline.draws, [150], "in the cycle of the last line");
}

#[test]
fn vertex_fetch_makes_one_access_a_cycle() {
    // Three accesses from 101 on, the draw's end at 104, then the warp goes although it is not full.
    assert_eq!(run(&machine(), 1, None, 0).warps, [105], "3 vertices");
    assert_eq!(run(&machine(), 3, None, 0).warps, [111], "9 vertices");
}

#[test]
fn vertex_fetch_sends_a_full_warp_when_its_last_vertex_is_there() {
    // 18 vertices, one a cycle from 101 on: the sixteenth is requested at 116 and there at 117, the last is requested at
    // 118, and at 119 the draw is at its end.
    let warps = run(&machine(), 6, None, 0).warps;
    assert_eq!(warps, [117, 120], "16 and 2 vertices");
}

#[test]
fn vertex_fetch_waits_for_its_line() {
    let timeline = run(&machine(), 1, Some((150, 200)), 0);
    assert_eq!(timeline.warps, [200], "in the cycle of the line");
}

#[test]
fn vertex_fetch_asks_for_more_while_a_warp_waits() {
    // 18 vertices, requested from 151 on; their lines come at 200.
    let fills = Some((150, 200));
    let warps = run(&machine(), 6, fills, 0).warps;
    assert_eq!(warps, [200, 201], "both warps are there, one goes a cycle");
    let mut spec = machine();
    spec.geometry.vertex_queue = 16;
    let warps = run(&spec, 6, fills, 0).warps;
    // Requested at 200 and 201, the draw's end at 202.
    assert_eq!(warps, [200, 203], "two vertices had no place before");
}

#[test]
fn assembly_follows_the_vertices_at_a_triangle_a_cycle() {
    let timeline = run(&machine(), 3, None, 0);
    // Dispatched at 111, through at 124; ten cycles of assembly.
    let expected = [(125, 135), (126, 136), (127, 137)];
    assert_eq!(timeline.triangles, expected, "a cycle after the vertices");
}

#[test]
fn assembly_waits_for_room_in_the_triangle_queue() {
    let mut spec = machine();
    spec.geometry.triangle_queue = 1;
    let triangles = run(&spec, 3, None, 0).triangles;
    let expected = [(125, 135), (135, 145), (145, 155)];
    assert_eq!(triangles, expected, "taken when through");
    let triangles = run(&spec, 2, None, 200).triangles;
    assert_eq!(triangles, [(122, 132), (200, 210)], "taken at 200");
}
