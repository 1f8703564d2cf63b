//! `azulejo simulate`: what frames would cost on chips. A scene is drawn once for each screen that the machines have, and what
//! the pipeline did goes through every machine; or a captured trace does.

mod args;
mod files;
mod kept;
mod machines;
mod output;
mod run;
mod source;
mod stream;

use super::{Console, Outcome};
pub(in crate::cli) use args::SimulateArgs;
use output::Results;
use run::Modelled;
use source::Source;

pub(super) fn run(args: &SimulateArgs, console: Console) -> Outcome {
    let lineup = machines::load(&args.hardware)?;
    let machines = &lineup.machines;
    let outputs = files::plan(args, machines)?;
    let console = console.beside_file(outputs.take_standard_output());
    let mut source = Source::open(args, machines, console)?;
    if !args.hardware.techniques.is_empty() && !source.is_sequence() {
        let lone = "a single frame has none before it: what leaves out work of earlier frames can only cost here; add --frames";
        console.warn("--technique", &[lone.to_owned()]);
    }
    let Modelled { runs, cut } = run::all(args, machines, &mut source, &outputs, console)?;
    // Results are printed first: no file that cannot be written may cost them.
    let results = Results {
        stamp: source.stamp(),
        left_out: &lineup.left_out,
        runs: &runs,
        cut: cut.as_ref(),
    };
    let printed = output::print(args, &results, console);
    let outputs = match cut {
        None => outputs,
        Some(_) => outputs.partial(),
    };
    let written = files::write(&args.output, &outputs, source.stamp(), &runs)?;
    output::say_written(args, &written, console)?;
    printed?;
    cut.map_or(Ok(()), Err)
}
