//! Overview that `azulejo` alone prints: what it is and what to type next.

use super::{Console, Outcome};

const TITLE: &str = "\
azulejo draws glTF scenes the way a mobile GPU does, tile by tile, in software, and counts what it costs.\n\n";

/// Lines on commands that need a display.
const WINDOW: &str = "\
  azulejo view                            open a window on the built-in scene: look around, see what it costs where
  azulejo view SCENE.glb --machine valhall-libra
                                          the same for a glTF 2.0 file, with what a chip would need for each frame\n";

const COMMANDS: &str = "\
  azulejo render -o out.png               draw the built-in scene and print the counters
  azulejo render SCENE.glb -o out.png     draw a glTF 2.0 file
  azulejo render SCENE.glb --heatmap overdraw
                                          also show where fragments were shaded more than once
  azulejo render SCENE.glb --animation all --frames 60 -o f.png
                                          draw a sequence: f.0000.png, f.0001.png, ...
  azulejo simulate SCENE.glb --machine valhall-libra
                                          what a frame would cost on a chip: cycles, stalls, DRAM traffic, energy
  azulejo sweep FILE.toml                 many machines, techniques and parameters at once; what is finished is kept
  azulejo inspect SCENE.glb               a frame taken apart: draws with hints; --tile X,Y or --pixel X,Y step by step
  azulejo compare SCENE.glb --bench       the same frame by this machine's Vulkan driver: difference and times
  azulejo diff A.json B.json              what changed between two results, two machines or two pictures, and by how much
  azulejo check BUDGET.toml SCENE.glb     hold a frame against a budget of overdraw, bytes, cycles and its picture; --bless makes one
  azulejo dram TRACE --config lpddr4_2ch  memory requests through a DRAM model: row hits, latency, bandwidth, energy
  azulejo cache TRACE --size 2MiB --policy lru,opt
                                          memory accesses through a cache, and the least misses any policy could have
  azulejo list                            what can be chosen: counters, tile orders, tone maps, ...

`azulejo COMMAND --help` explains every option, `azulejo help` lists guides; `--json` prints results for programs.
";

/// Prints the overview, with the window's commands where the program has one.
pub(in crate::cli) fn run(console: Console) -> Outcome {
    let window = if cfg!(feature = "window") { WINDOW } else { "" };
    console.print(&[TITLE, window, COMMANDS].concat())
}
