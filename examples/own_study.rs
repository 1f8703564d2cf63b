//! A study of your own: `cargo run --release --example own_study -- [DEMO]`; `azulejo::study::guide` explains each step.

use azulejo::gpu::Gpu;
use azulejo::study::{DemoWorkload, FigureSpec, Measure, Measurement, Problem};
use azulejo::study::{Study, StudyOptions};

const STUDY: Study = Study::new("own", &MEASUREMENT);

/// Measurement of a game: cycles of the Raster Pipeline, and of whole frames.
const MEASUREMENT: Measurement<[u64; 2]> = Measurement::new(FIGURES, |setup| {
    let machine = setup.machine.clone();
    Ok(Measure::whole(move |frames| {
        let (mut gpu, mut sums) = (Gpu::new(&machine)?, [0; 2]);
        for number in 0..frames.n_frames() {
            let report = gpu.run_frame(&frames.draw(number))?;
            sums[0] += report.raster_cycles.0;
            sums[1] += report.cycles.0;
        }
        Ok::<_, Problem>(sums)
    }))
});

const FIGURES: &[FigureSpec<[u64; 2]>] = &[FigureSpec {
    id: "own.raster",
    title: "cycles of the Raster Pipeline, of a frame's",
    columns: &["raster"],
    bars: |[raster, all]| vec![(*all > 0).then(|| *raster as f64 / *all as f64)],
    ..FigureSpec::BARS
}];

#[expect(clippy::print_stdout, reason = "a program for people")]
fn main() -> Result<(), Problem> {
    let name = std::env::args().nth(1).unwrap_or("match3".to_owned());
    let demo = DemoWorkload::find(&name).ok_or("no such demo; `azulejo list` names them")?;
    let findings = STUDY.run(&StudyOptions::quick().over(&[&demo]), &())?;
    print!("{}", findings.figures[0].text(1));
    Ok(())
}
