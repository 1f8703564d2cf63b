//! Cost and savings of Rendering Elimination on the host: each frame is drawn whole and onto a frame buffer, in turn, so
//! that the ratio holds when the machine's speed drifts. A still scene saves all it can; in corridor nothing stays, and
//! only the cost of signing is left.

mod courtyard;

use std::time::Instant;

use azulejo::render::elimination::{Onto, SwapChain};
use azulejo::render::{FrameInput, Picture, Recording, RenderSettings, Renderer, SimdLevel};
use azulejo::shot::Shot;
use mimalloc::MiMalloc;

use courtyard::Courtyard;

/// Allocator of the program.
#[global_allocator]
static ALLOCATOR: MiMalloc = MiMalloc;

/// Frames drawn each way, after a few that warm up.
const FRAMES: u64 = 600;
const WARM_UP: u64 = 4;

/// Width and height of the pictures.
const SIZE: (u32, u32) = (1280, 720);

/// Seconds of each frame.
#[derive(Default)]
struct Times {
    shown: Picture,
    whole: Vec<f64>,
    eliminated: Vec<f64>,
    tiles_kept: usize,
    tiles: usize,
}

fn median(seconds: &[f64]) -> f64 {
    let mut sorted = seconds.to_vec();
    sorted.sort_by(f64::total_cmp);
    sorted[sorted.len() / 2]
}

impl Times {
    fn draw(&mut self, renderer: &mut Renderer, chain: &mut SwapChain, input: &FrameInput<'_>) {
        let frame = input.settings.frame;
        let mut seconds = [0.0; 2];
        // Neither of the two is always the one that finds warm caches.
        for turn in [frame % 2, 1 - frame % 2] {
            let start = Instant::now();
            if turn == 0 {
                let picture = renderer.draw(&input.draws(), Recording::Off).picture;
                seconds[0] = start.elapsed().as_secs_f64();
                // Two buffers in turn on this side too.
                renderer.recycle(std::mem::replace(&mut self.shown, picture));
            } else {
                let redrawn = renderer.draw(&input.draws(), Onto::new(chain.next_buffer()));
                seconds[1] = start.elapsed().as_secs_f64();
                if frame >= WARM_UP {
                    self.tiles_kept += redrawn.tiles.n_kept();
                    self.tiles += redrawn.tiles.reasons.len();
                }
            }
        }
        if frame >= WARM_UP {
            self.whole.push(seconds[0]);
            self.eliminated.push(seconds[1]);
        }
    }

    #[expect(clippy::print_stdout, reason = "what a bench is for")]
    fn print(&self, name: &str) {
        // The second of a pair finds warmer caches, so the two orders are looked at apart: every other pair.
        let pairs = self.whole.iter().zip(&self.eliminated);
        let ratios: Vec<f64> = pairs
            .map(|(whole, eliminated)| eliminated / whole)
            .collect();
        let [even, odd] = [0, 1].map(|first| {
            let same_order = ratios.iter().skip(first).step_by(2).copied();
            median(&same_order.collect::<Vec<_>>())
        });
        let ratio = (even * odd).sqrt();
        println!(
            "{name:12} whole {:8.3} ms, with elimination {:8.3} ms, ratio of pairs {ratio:.4} ({:.1} times as fast), {:.1} % of tiles kept",
            1e3 * median(&self.whole),
            1e3 * median(&self.eliminated),
            1.0 / ratio,
            100.0 * self.tiles_kept as f64 / self.tiles as f64,
        );
    }
}

fn settings(frame: u64) -> RenderSettings {
    RenderSettings {
        width: SIZE.0,
        height: SIZE.1,
        frame,
        ..RenderSettings::default()
    }
}

/// The courtyard, standing still.
fn still(renderer: &mut Renderer) {
    let courtyard = Courtyard::new(SIZE.0, SIZE.1);
    let (mut times, mut chain) = (Times::default(), SwapChain::new(2, None));
    for frame in 0..WARM_UP + FRAMES {
        let settings = Courtyard::before_sky(settings(frame));
        times.draw(renderer, &mut chain, &courtyard.input(&settings));
    }
    times.print("still");
}

fn demo(name: &str, renderer: &mut Renderer) {
    let shot = Shot::demo(name).expect("shipped");
    let shot = shot.sized(SIZE.0, SIZE.1);
    let (mut times, mut chain) = (Times::default(), SwapChain::new(2, None));
    for number in 0..WARM_UP + FRAMES {
        let still = shot.at(number);
        times.draw(renderer, &mut chain, &still.input());
    }
    times.print(name);
}

fn main() {
    let asked: Vec<String> = std::env::args().skip(1).collect();
    let is_asked = |name: &str| {
        let mut names = asked.iter().filter(|word| !word.starts_with('-'));
        names.clone().next().is_none() || names.any(|word| word == name)
    };
    let mut renderer = Renderer::new(0, SimdLevel::Auto).expect("this machine has lanes");
    if is_asked("still") {
        still(&mut renderer);
    }
    for name in ["corridor", "match3"] {
        if is_asked(name) {
            demo(name, &mut renderer);
        }
    }
}
