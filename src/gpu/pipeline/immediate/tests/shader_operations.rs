//! Depth tests and blending: their instructions in the shader, and Hi-Z in front of them.

use super::{ALU, hidden_layers, machine, run, screen};
use azulejo_trace::synthetic::{CoveredScreen, independent};
use azulejo_trace::{FixedFunction, Quad};

/// A warp of 8 x 4 pixels of one program instruction, drawn with this state by operations of `n` instructions.
fn cycles_of_a_warp(state: FixedFunction, hidden: bool, n: u32) -> u64 {
    let mut one = CoveredScreen::new(screen(8, 4), independent(ALU, 1));
    one.state = state;
    let mut trace = one.frame(0);
    if hidden {
        for quad in &mut trace.tiles[0].quads {
            *quad = Quad::new(quad.column(), quad.row(), quad.covered(), 0);
        }
    }
    let operations = format!("immediate.operation_instructions={n}");
    run(&machine(&["ideal_memory=true", &operations]), &trace)
        .cycles
        .0
}

#[test]
fn depth_test_and_blend_take_their_instructions_in_the_shader() {
    let depth_test = FixedFunction {
        depth_test: true,
        depth_write: true,
        ..FixedFunction::default()
    };
    let late = FixedFunction {
        late_depth: true,
        ..depth_test
    };
    let blend = FixedFunction {
        blend: true,
        ..depth_test
    };
    // Collected in 2 cycles, done 4 later; the next one reads it.
    let instruction = 2 + 4;
    for (state, hidden, operations, what) in [
        (FixedFunction::default(), false, 0, "neither"),
        (depth_test, false, 1, "an early test"),
        (late, false, 1, "a late test"),
        (blend, false, 2, "an early test and a blend"),
        (depth_test, true, 1, "a test that leaves nothing"),
    ] {
        let [few, many] = [2, 7].map(|n| cycles_of_a_warp(state, hidden, n));
        assert_eq!(many - few, 5 * operations * instruction, "{what}");
    }
}

#[test]
fn each_cache_of_depths_and_colours_takes_its_own_latency() {
    let depth_test = FixedFunction {
        depth_test: true,
        depth_write: true,
        ..FixedFunction::default()
    };
    for (state, cache, expected, what) in [
        (depth_test, "depth", 7, "an early test"),
        (depth_test, "color", 7, "colours behind the program"),
        (FixedFunction::default(), "depth", 0, "no test"),
        (FixedFunction::default(), "color", 7, "colours alone"),
    ] {
        let cycles = |latency: u32| {
            let mut one = CoveredScreen::new(screen(8, 4), independent(ALU, 1));
            one.state = state;
            let key = format!("immediate.{cache}_cache.latency={latency}");
            run(&machine(&["ideal_memory=true", &key]), &one.frame(0))
                .cycles
                .0
        };
        assert_eq!(cycles(9) - cycles(2), expected, "{what}: {cache}");
    }
}

#[test]
fn hi_z_keeps_what_one_stored_depth_does_not_tell() {
    let mut trace = hidden_layers(20, screen(96, 96));
    let quads = trace.tiles.iter_mut().flat_map(|tile| &mut tile.quads);
    quads.for_each(|quad| *quad = quad.with_behind(false));
    let counts = |trace| {
        let own = run(&machine(&[]), trace).immediate;
        let clusters = own.expect("renders immediately").clusters;
        clusters.iter().fold((0, 0), |sum, cluster| {
            let front = cluster.front;
            (sum.0 + front.hi_z_killed, sum.1 + front.hi_z_missed)
        })
    };
    let (killed, missed) = counts(&trace);
    assert_eq!(killed, 0, "no depth tells");
    assert!(missed > 0, "all fragments of the upper layers fail");
    let (killed, missed) = counts(&hidden_layers(20, screen(96, 96)));
    assert!(killed > 0 && missed == 0, "{killed} and {missed}");
}
