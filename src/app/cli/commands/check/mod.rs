//! `azulejo check`: a frame against a budget, so that a build can refuse what became too costly or looks different.

mod budget;
mod measure;
mod output;

use std::path::{Path, PathBuf};

use serde::Serialize;

use self::budget::{Budget, Subject};
use self::measure::Measured;
use self::output::Verdict;
use super::{Console, Outcome};
use crate::cli::args::{DEFAULT_MACHINE, ShotArgs, png_paths};
use crate::cli::failure::Failure;
use crate::cli::files::{picture_file, save};
use crate::cli::machine_input::load_machine;
use crate::cli::output::{Inputs, Named, Outputs};
use crate::cli::shot::{self, PreparedShot};
use crate::cli::stamp::Stamp;
use azulejo_render::output::{Difference, side_by_side};

/// Hold a frame against a budget of costs, here and on chips, and a picture
///
/// The budget is a TOML file: numbers of the frame at the top (`overdraw`, `parameter_buffer_bytes`, any counter of `render
/// --json`), numbers on a machine in `[machine.NAME]` (`cycles`, `dram_bytes_per_pixel`, `energy_pJ`, any number of
/// `simulate --json`), and in `[picture]` `golden`, a PNG beside it, with how far a picture may be from it: `pixels` that
/// differ in percent, `mean` and `max` difference of a channel, of 255, each 0 unless said. A number may be its limit and
/// no more; what is over ends the command with code 1.
#[derive(Debug, Clone, clap::Args)]
pub(in crate::cli) struct CheckArgs {
    /// TOML file of the budget
    #[arg(value_name = "BUDGET.toml")]
    budget: PathBuf,
    #[command(flatten)]
    shot: ShotArgs,
    /// Write the measured numbers into the budget, and its picture
    ///
    /// A budget that is not there is made, for overdraw, the Parameter Buffer, the picture and a machine.
    #[arg(long, help_heading = "Output")]
    bless: bool,
    /// With --bless, also cycles, DRAM traffic and energy on this machine
    ///
    /// A machine by name or TOML file beside the budget [default of a new budget: valhall-libra-baseline].
    #[arg(
        short,
        long = "machine",
        value_name = "NAME|FILE",
        requires = "bless",
        help_heading = "Output"
    )]
    machines: Vec<String>,
    /// Format of the verdicts: a table, or after it annotations for GitHub
    ///
    /// An annotation stands for each broken limit, as GitHub shows them beside a change.
    #[arg(
        long,
        value_name = "FORMAT",
        default_value = "plain",
        value_enum,
        help_heading = "Output"
    )]
    format: Format,
    /// Golden picture | ours | their difference, brightened 32 times
    #[arg(short, long, value_name = "FILE.png", value_parser = png_paths(), help_heading = "Output")]
    output: Option<PathBuf>,
    /// Print the verdicts as JSON
    #[arg(long, conflicts_with = "format", help_heading = "Output")]
    json: bool,
}

/// Format in which verdicts are printed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Format {
    /// Table of all limits
    Plain,
    /// Table, then an annotation for each broken limit
    Github,
}

/// JSON output; the same bytes for the same frame and budget.
#[derive(Debug, Serialize)]
struct CheckJson<'a> {
    generator: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    git: Option<&'static str>,
    scene: &'a str,
    scene_hash: &'a str,
    budget: String,
    holds: bool,
    verdicts: &'a [Verdict],
}

pub(super) fn run(args: &CheckArgs, console: Console) -> Outcome {
    let budget = args.budget()?;
    let picture = &args.shot.picture;
    let machines = measure::machines(&budget, picture.size, picture.look.msaa)?;
    let outputs = plan(args, &budget)?;
    let console = console.beside_file(outputs.take_standard_output());
    let mut renderer = shot::renderer(&args.shot.machine)?;
    let PreparedShot { shot, stamp, .. } = PreparedShot::new(&args.shot, console)?;
    let at = args.shot.scene.first_moment();
    let spinner = console.spinner("measuring");
    let measured = measure::measure(&shot, at, &mut renderer, &machines);
    spinner.finish_and_clear();
    let measured = measured?;
    if args.bless {
        return bless(&budget, &measured, &outputs, &stamp, console);
    }
    let verdicts = verdicts(args, &budget, &measured, &outputs, &stamp)?;
    say(args, &verdicts, &stamp, console)?;
    match verdicts.iter().filter(|verdict| !verdict.holds).count() {
        0 => Ok(()),
        broken => {
            let all = verdicts.len();
            let problem = format!("{broken} of {all} limits are not kept");
            Err(Failure::of_file(&budget.file, problem)
                .hint("`--bless` writes what is measured, if that is meant"))
        }
    }
}

impl CheckArgs {
    /// Reads the budget, and adds the limits that are to be blessed in it for the first time.
    fn budget(&self) -> Outcome<Budget> {
        let exists = self.budget.exists();
        if !exists && !self.bless {
            let failure = Failure::of_file(&self.budget, "there is no such budget");
            return Err(failure.hint("`--bless` makes one of what is measured"));
        }
        let usual = [DEFAULT_MACHINE.to_owned()];
        let machines = match &self.machines[..] {
            [] if !exists => &usual[..],
            named => named,
        };
        let mut limits = Vec::new();
        if !exists {
            limits
                .extend(["overdraw", "parameter_buffer_bytes"].map(|name| (Subject::Frame, name)));
        }
        for machine in machines {
            let spec = load_machine(&budget::machine_file(&self.budget, machine), &[])?;
            let energy = spec.energy.map(|_| "energy_pJ");
            let numbers = ["cycles", "dram_bytes_per_pixel"].into_iter().chain(energy);
            limits.extend(numbers.map(|name| (Subject::Machine(machine.clone()), name)));
        }
        let golden = self.budget.with_extension("png");
        let golden = golden.file_name().unwrap_or_default().to_string_lossy();
        let proposal = Budget::proposal(&self.budget, limits, &golden);
        if !exists {
            return Ok(proposal);
        }
        let mut budget = Budget::read(&self.budget)?;
        budget.add(proposal);
        Ok(budget)
    }
}

/// Plans the files of the run, before anything slow. A budget and its picture are read and, blessed, written again.
fn plan(args: &CheckArgs, budget: &Budget) -> Outcome<Outputs> {
    let machines = budget.machines().into_iter();
    let machines = machines.map(|name| budget::machine_file(&budget.file, name));
    let mut inputs = Inputs::of_shot(&args.shot).machines(machines);
    if !args.bless {
        inputs = inputs.file(&budget.file, "the budget");
        if let Some(golden) = &budget.golden {
            inputs = inputs.file(&golden.file, "the golden picture");
        }
    }
    let mut outputs = Outputs::of(inputs);
    if args.bless {
        outputs.plan(&budget.file, "--bless", Named::ByUser)?;
        if let Some(golden) = &budget.golden {
            outputs.plan(&golden.file, "--bless", Named::ByUser)?;
        }
        if args.output.is_some() {
            return Err(Failure::usage(
                "-o shows a difference, and --bless leaves none",
            ));
        }
    }
    if let Some(file) = &args.output {
        outputs.plan(file, "-o", Named::ByUser)?;
    }
    outputs.check()?;
    Ok(outputs)
}

/// Writes the picture, and the measured numbers into the budget.
fn bless(
    budget: &Budget,
    measured: &Measured,
    outputs: &Outputs,
    stamp: &Stamp,
    console: Console,
) -> Outcome {
    let text = budget.blessed(&measured.of_limits(budget)?)?;
    let mut files = Vec::new();
    if let Some(golden) = &budget.golden {
        files.push(save(outputs, &golden.file, &measured.picture, stamp)?);
    }
    // Last: the budget never names a picture that is not there.
    files.push(outputs.write(&budget.file, text.as_bytes())?);
    let lines = files
        .iter()
        .map(|file| format!("wrote {}\n", file.display()));
    console.print(&lines.collect::<String>())
}

fn verdicts(
    args: &CheckArgs,
    budget: &Budget,
    measured: &Measured,
    outputs: &Outputs,
    stamp: &Stamp,
) -> Outcome<Vec<Verdict>> {
    let mut verdicts = output::of_limits(budget, &measured.of_limits(budget)?);
    let Some(golden) = &budget.golden else {
        return match args.output {
            Some(_) => Err(Failure::usage(
                "-o shows the golden picture, and the budget has none",
            )),
            None => Ok(verdicts),
        };
    };
    let wanted = picture_file(&golden.file)
        .map_err(|failure| failure.hint("`--bless` writes it; the budget names it"))?;
    let ours = &measured.picture;
    check_size(
        &golden.file,
        [(wanted.width, wanted.height), (ours.width, ours.height)],
    )?;
    let difference = Difference::between(&wanted, ours);
    verdicts.extend(output::of_picture(golden, &difference));
    if let Some(file) = &args.output {
        save(outputs, file, &side_by_side(&wanted, ours), stamp)?;
    }
    Ok(verdicts)
}

/// Refuses pictures of two sizes.
fn check_size(golden: &Path, [wanted, ours]: [(u32, u32); 2]) -> Outcome {
    if wanted == ours {
        return Ok(());
    }
    let problem = format!(
        "has {}x{} pixels, and {}x{} were drawn",
        wanted.0, wanted.1, ours.0, ours.1
    );
    Err(Failure::of_file(golden, problem).hint("say the size by --size, or bless the new one"))
}

fn say(args: &CheckArgs, verdicts: &[Verdict], stamp: &Stamp, console: Console) -> Outcome {
    if args.json {
        return console.print_json(&CheckJson {
            generator: &stamp.generator,
            git: stamp.git,
            scene: &stamp.scene,
            scene_hash: &stamp.scene_hash,
            budget: args.budget.display().to_string(),
            holds: verdicts.iter().all(|verdict| verdict.holds),
            verdicts,
        });
    }
    let table = output::table(&stamp.scene, &args.budget, verdicts);
    let annotations = match args.format {
        Format::Plain => String::new(),
        Format::Github => output::annotations(&stamp.scene, &args.budget, verdicts),
    };
    console.print(&(table + &annotations))
}
