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
pub(in crate::app::cli) use args::SimulateArgs;
use run::Modelled;
use source::Source;

pub(super) fn run(args: &SimulateArgs, console: Console) -> Outcome {
    let specs = machines::load(&args.hardware)?;
    let outputs = files::plan(args, &specs)?;
    let console = console.beside_file(outputs.take_standard_output());
    let mut source = Source::open(args, &specs, console)?;
    if !args.hardware.techniques.is_empty() && !source.is_sequence() {
        let lone = "a single frame has none before it: what leaves out work of earlier frames can only cost here; add --frames";
        console.warn("--technique", &[lone.to_owned()]);
    }
    let Modelled { runs, cut } = run::all(args, &specs, &mut source, &outputs, console)?;
    // Results are printed first: no file that cannot be written may cost them.
    let printed = output::print(args, source.stamp(), cut.as_ref(), &runs, console);
    let outputs = match cut {
        None => outputs,
        Some(_) => outputs.partial(),
    };
    let written = files::write(&args.output, &outputs, source.stamp(), &runs)?;
    output::say_written(args, &written, console)?;
    printed?;
    cut.map_or(Ok(()), Err)
}
