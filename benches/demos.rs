//! How fast the demos run on the host: each is started, then a second of its frames is built and drawn at 1280x720, on all
//! cores. Names after `--` choose demos.

use std::time::Instant;

use azulejo::demo::{DEFAULT_SEED, DEMOS, Demo, FRAMES_PER_SECOND};
use azulejo::render::{Recording, Renderer, SimdLevel};
use azulejo::shot::Shot;
use mimalloc::MiMalloc;

/// Allocator of the program.
#[global_allocator]
static ALLOCATOR: MiMalloc = MiMalloc;

/// Width and height of the pictures.
const SIZE: (u32, u32) = (1280, 720);

/// Frames that warm up.
const WARM_UP: u64 = 3;

/// Seconds since `start`, which begins anew.
fn lap(start: &mut Instant) -> f64 {
    let now = Instant::now();
    let seconds = (now - *start).as_secs_f64();
    *start = now;
    seconds
}

fn median(mut seconds: Vec<f64>) -> f64 {
    seconds.sort_by(f64::total_cmp);
    seconds[seconds.len() / 2]
}

#[expect(clippy::print_stdout, reason = "what a bench is for")]
fn time(demo: &Demo, renderer: &mut Renderer) {
    let mut clock = Instant::now();
    let shot = Shot::show(demo.start(DEFAULT_SEED)).sized(SIZE.0, SIZE.1);
    let started = lap(&mut clock);
    let (mut built, mut drawn, mut both) = (Vec::new(), Vec::new(), Vec::new());
    for number in 0..WARM_UP + u64::from(FRAMES_PER_SECOND) {
        clock = Instant::now();
        let still = shot.at(number);
        let building = lap(&mut clock);
        let picture = renderer.draw(&still.draws(), Recording::Off).picture;
        let drawing = lap(&mut clock);
        renderer.recycle(picture);
        if number >= WARM_UP {
            built.push(building);
            drawn.push(drawing);
            both.push(building + drawing);
        }
    }
    println!(
        "{:9} {:7.0} {:8.2} {:8.2} {:8.1}",
        demo.name,
        1e3 * started,
        1e3 * median(built),
        1e3 * median(drawn),
        1.0 / median(both)
    );
}

#[expect(clippy::print_stdout, reason = "what a bench is for")]
fn main() {
    let asked: Vec<String> = std::env::args().skip(1).collect();
    let names: Vec<_> = asked.iter().filter(|word| !word.starts_with('-')).collect();
    let mut renderer = Renderer::new(0, SimdLevel::Auto).expect("this machine has lanes");
    println!("demo     start ms build ms  draw ms      fps   (medians of a second's frames)");
    for demo in DEMOS {
        if names.is_empty() || names.iter().any(|name| *name == demo.name) {
            time(demo, &mut renderer);
        }
    }
}
