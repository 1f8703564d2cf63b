//! `azulejo shader`: what a program in WGSL costs on a machine, before anything is drawn.

use std::path::{Path, PathBuf};

use serde::Serialize;

use super::scene_input::of_file;
use super::{Console, Outcome};
use crate::cli::failure::Failure;
use crate::cli::likeness::did_you_mean;
use crate::cli::machine_input::{load_machine, machine_text};
use crate::cli::stamp::Provenance;
use azulejo_gpu::machine::Overlay;
use azulejo_report::program::ProgramReport;
use azulejo_shader::{Code, Module, listing_line};
use azulejo_sweep::Fingerprint;

/// Price a program in WGSL on a machine: instructions by unit, paths, registers
///
/// Functions are inlined, and work that is the same for all threads is taken out. Textures and buffers hit the first cache;
/// a loop counts as often as the source tells.
#[derive(Debug, Clone, clap::Args)]
pub(in crate::cli) struct ShaderArgs {
    /// Source of the program
    #[arg(value_name = "FILE.wgsl")]
    file: PathBuf,
    /// Entry point; without it all of them
    #[arg(long, value_name = "NAME")]
    entry: Option<String>,
    /// Machine by name, or a TOML file
    #[arg(
        long,
        value_name = "NAME or FILE.toml",
        default_value = "valhall-libra"
    )]
    machine: String,
    /// Change a key of the machine, such as core.cluster.registers=65536
    #[arg(long, value_name = "KEY=VALUE")]
    set: Vec<Overlay>,
    /// Give a pipeline constant of the source a value (may be repeated)
    #[arg(long, value_name = "NAME=VALUE", value_parser = constant)]
    constant: Vec<(String, f64)>,
    /// Print the instructions too, with lines of the source
    #[arg(long)]
    listing: bool,
    /// Print the report as JSON
    #[arg(long)]
    json: bool,
}

/// Reads `NAME=VALUE`.
fn constant(text: &str) -> Result<(String, f64), String> {
    let (name, value) = text
        .split_once('=')
        .ok_or("expected NAME=VALUE, such as scale=2")?;
    let value = value
        .parse()
        .map_err(|_| format!("`{value}` is no number"))?;
    Ok((name.to_owned(), value))
}

/// JSON output: provenance, then a report for each entry point.
#[derive(Debug, Serialize)]
struct ShaderJson {
    #[serde(flatten)]
    made: Provenance,
    file: String,
    programs: Vec<ProgramJson>,
}

#[derive(Debug, Serialize)]
struct ProgramJson {
    #[serde(flatten)]
    report: ProgramReport,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    listing: Vec<ListedJson>,
}

#[derive(Debug, Serialize)]
struct ListedJson {
    line: u32,
    text: String,
}

pub(super) fn run(args: &ShaderArgs, console: Console) -> Outcome {
    let path = args.file.as_path();
    let source = std::fs::read_to_string(path).map_err(|error| Failure::of_error(path, &error))?;
    let at = |error: azulejo_shader::ShaderError| match error.line {
        0 => Failure::of_file(path, error),
        _ => Failure::new(format!("{}:{error}", path.display())),
    };
    let module = Module::parse(&source).map_err(at)?;
    let machine = load_machine(&args.machine, &args.set)?;
    let constants: Vec<(&str, f64)> = args
        .constant
        .iter()
        .map(|(name, value)| (name.as_str(), *value))
        .collect();
    let mut codes = Vec::new();
    for name in entries(path, &module, args.entry.as_deref())? {
        codes.push(module.compile(&name, &constants).map_err(at)?);
    }
    let reports = codes.iter().map(|code| ProgramReport::new(code, &machine));
    if args.json {
        let overlays = format!("{:?} {:?}", args.set, args.constant);
        let inputs = Fingerprint::of([
            ("shader", &of_file(path)?.bytes()[..]),
            ("machine", machine_text(&args.machine)?.as_bytes()),
            ("changes", overlays.as_bytes()),
        ]);
        let listed = |code: &Code| match args.listing {
            true => listing(code),
            false => Vec::new(),
        };
        let programs = reports.zip(&codes).map(|(report, code)| ProgramJson {
            report,
            listing: listed(code),
        });
        return console.print_json(&ShaderJson {
            made: Provenance::of(inputs),
            file: path.display().to_string(),
            programs: programs.collect(),
        });
    }
    let texts = reports
        .zip(&codes)
        .map(|(report, code)| match args.listing {
            true => format!("{}\n{}", report.text(), listing_text(code)),
            false => report.text(),
        });
    console.print(&texts.collect::<Vec<_>>().join("\n"))
}

/// Names of the entry points to price.
fn entries(path: &Path, module: &Module, chosen: Option<&str>) -> Outcome<Vec<String>> {
    let all: Vec<String> = module
        .entry_points()
        .into_iter()
        .map(|entry| entry.name)
        .collect();
    match chosen {
        Some(name) if all.iter().any(|known| known == name) => Ok(vec![name.to_owned()]),
        Some(name) => {
            let meant = did_you_mean(name, all.iter().map(String::as_str));
            let message = format!(
                "no entry point `{name}`{meant}; the source has {}",
                all.join(", ")
            );
            Err(Failure::of_file(path, message))
        }
        None if all.is_empty() => Err(Failure::of_file(
            path,
            "no entry point; expected a function with @vertex, @fragment or @compute",
        )),
        None => Ok(all),
    }
}

/// Instructions, those of the prologue first.
fn listing(code: &Code) -> Vec<ListedJson> {
    let all = code.prologue.iter().chain(&code.instructions);
    all.map(|instruction| ListedJson {
        line: instruction.line,
        text: listing_line(code, instruction),
    })
    .collect()
}

fn listing_text(code: &Code) -> String {
    let mut text = String::from("line  instruction\n");
    for (number, listed) in listing(code).into_iter().enumerate() {
        if number == code.prologue.len() && number > 0 {
            text.push('\n');
        }
        text.push_str(&format!("{:>4}  {}\n", listed.line, listed.text));
    }
    text
}
