//! Resources that cores and Raster Units share: rates in total, the DRAM, tiles in flight, and which core shades what.

use super::{ALU, grid, machine, run};
use crate::Gpu;
use crate::shading::TextureCounters;
use azulejo_trace::InstructionClass;
use azulejo_trace::synthetic::{CoveredScreen, TexelPattern, independent};

/// The mappings of quads to cores that go by a quad's place, with edges in pixels.
const BY_PLACE: [&str; 4] = [
    "interleave-4",
    "interleave-8",
    "interleave-16",
    "interleave-32",
];

/// Rates that bound the eight cores, in tiles that are all alike: one Raster Unit of eight takes as long as two of four.
#[test]
fn rates_are_the_same_in_one_unit_of_eight_cores_and_two_of_four() {
    let with_attributes = |n_attributes| CoveredScreen {
        n_attributes,
        ..CoveredScreen::new(grid(512, 512, 128), independent(ALU, 1))
    };
    let computing = CoveredScreen::new(grid(128, 128, 32), independent(ALU, 2000));
    let interpolating = CoveredScreen {
        layers: 16,
        ..with_attributes(16)
    };
    let filling = CoveredScreen {
        layers: 40,
        ..with_attributes(1)
    };
    let textures = independent(InstructionClass::Texture, 64);
    let sampling = CoveredScreen::new(grid(512, 512, 64), textures);
    for (what, screen) in [
        ("computing", computing),
        ("interpolating", interpolating),
        ("filling", filling),
        ("sampling", sampling),
    ] {
        let cycles = ["valhall-libra-baseline", "valhall-libra"].map(|name| {
            let report = run(&machine(name, &["ideal_memory=true"]), &screen);
            report.raster_cycles.0 as f64
        });
        let ratio = cycles[0] / cycles[1];
        assert!((0.98..=1.02).contains(&ratio), "{what}: {cycles:?}");
    }
}

#[test]
fn vertex_fetch_is_bound_by_the_dram() {
    // A line for each vertex: more than the DRAM can bring in a cycle.
    let n_vertices = 9000;
    let mut screen = CoveredScreen::new(grid(32, 32, 32), independent(ALU, 1));
    screen.layers = n_vertices / 3;
    let mut trace = screen.frame(0);
    trace.buffers[0].bytes = 64 * u64::from(n_vertices);
    let stream = &mut trace.draws[0].vertex_streams[0];
    (stream.stride, stream.bytes) = (64, 64);
    let ratio_to_peak = |changes: &[&str]| {
        let spec = machine("valhall-libra-baseline", changes);
        let mut gpu = Gpu::new(&spec).expect("a valid machine");
        let report = gpu.run_frame(&trace).expect("no deadlock");
        let peak = 2.0 * spec.dram.peak_gbps_per_channel();
        let cycles = f64::from(64 * n_vertices) / peak * 0.8;
        report.geometry_cycles.0 as f64 / cycles
    };
    let shipped = ratio_to_peak(&[]);
    assert!((1.0..1.7).contains(&shipped), "{shipped:.3}");
    let registers = "geometry.vertex_cache.mshrs=128";
    let deep = ratio_to_peak(&["geometry.vertex_queue=512", registers]);
    assert!((1.0..1.25).contains(&deep), "{deep:.3} with more under way");
}

#[test]
fn raster_unit_begins_a_tile_when_it_holds_fewer_than_it_may() {
    for layers in [0, 3] {
        let mut screen = CoveredScreen::new(grid(256, 256, 32), independent(ALU, 4));
        screen.layers = layers;
        for bound in [1, 2, 5] {
            let bounded = format!("raster.tiles_in_flight={bound}");
            let changes = ["screen.tile_order=scanline", &bounded];
            let tiles = run(&machine("valhall-libra-baseline", &changes), &screen).tiles;
            for (nth, early) in tiles.iter().enumerate() {
                let Some(late) = tiles.get(nth + bound) else {
                    break;
                };
                // A tile ends with the cycle of its last line, and in that cycle the next one may begin.
                assert!(
                    late.start.0 + 1 >= early.end.0,
                    "{layers} layers: {bound} tiles after tile {nth}"
                );
            }
        }
    }
}

/// Two layers of one texel a pixel: a core that shades a place again finds its texels where it left them.
#[test]
fn quads_by_place_find_the_texels_of_the_layer_below() {
    // Four warps a layer and tile: in turn, the second layer's go to the other four cores.
    let mut screen =
        CoveredScreen::new(grid(256, 256, 8), independent(InstructionClass::Texture, 1));
    screen.layers = 2;
    screen.texels = TexelPattern::ScreenAligned;
    // Lines requested, and those that another core held when they came.
    let asked = |mapping: &str| {
        let mapping = format!("raster.quad_mapping={mapping}");
        let report = run(&machine("valhall-libra-baseline", &[&mapping]), &screen);
        let sum = |of: fn(&TextureCounters) -> u64| {
            report.cores.iter().map(|c| of(&c.texture)).sum::<u64>()
        };
        [sum(|texture| texture.misses), sum(|texture| texture.copies)]
    };
    let n_blocks: u64 = 64 * 64;
    for mapping in BY_PLACE {
        assert_eq!(
            asked(mapping),
            [n_blocks, 0],
            "{mapping}: each block by one core, once"
        );
    }
    assert_eq!(
        asked("round-robin"),
        [2 * n_blocks, n_blocks],
        "each by two cores"
    );
}

#[test]
fn machine_draws_the_same_quads_by_any_mapping() {
    let mut screen = CoveredScreen::new(
        grid(301, 203, 16),
        independent(InstructionClass::Texture, 2),
    );
    screen.layers = 3;
    screen.texels = TexelPattern::AlwaysNew;
    screen.state.depth_test = true;
    for late_depth in [false, true] {
        screen.state.late_depth = late_depth;
        for mapping in ["round-robin"].iter().chain(&BY_PLACE) {
            for name in ["mali450-re", "valhall-libra", "emerald-gpu"] {
                let mapping = format!("raster.quad_mapping={mapping}");
                let report = run(&machine(name, &[&mapping]), &screen);
                let shaded: u64 = report
                    .raster_units
                    .iter()
                    .map(|unit| unit.quads_shaded)
                    .sum();
                assert_eq!(shaded, 3 * 151 * 102, "{name}, {mapping}");
            }
        }
    }
}

#[test]
fn texture_hits_by_quad_count_each_quad_of_a_warp() {
    let mut screen =
        CoveredScreen::new(grid(64, 64, 32), independent(InstructionClass::Texture, 1));
    screen.texels = TexelPattern::ScreenAligned;
    let report = run(&machine("valhall-libra-baseline", &[]), &screen);
    let sum = |f: fn(&TextureCounters) -> u64| {
        report
            .cores
            .iter()
            .map(|core| f(&core.texture))
            .sum::<u64>()
    };
    // 256 blocks, each of the four quads of one warp: one access after merging, four before, of which three find it under
    // way.
    assert_eq!(
        (sum(|t| t.accesses), sum(|t| t.misses)),
        (256, 256),
        "merged"
    );
    assert_eq!(
        (sum(|t| t.quad_accesses), sum(|t| t.quad_pending_hits)),
        (1024, 768),
        "by quad"
    );
    assert_eq!(report.texture_hit_ratio(), Some(0.0), "none was there");
    assert_eq!(report.texture_quad_hit_ratio(), Some(0.75), "three of four");
}
