//! `azulejo render`: pictures of a scene, with the pipeline's counters and heat maps.

mod extras;
mod files;
mod report;
mod sequence;

use std::path::PathBuf;
use std::time::Instant;

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use indicatif::ProgressBar;

use extras::{Extras, FrameExtras};
use files::PlannedFiles;
use report::{FrameReport, RenderReport, StageTimes};
use sequence::Written;

use super::{Console, Outcome};
use crate::app::cli::args::{
    BufferArgs, Mapped, ScaleArg, ShotArgs, TileMap, count, frame_view, png_paths, tile_map,
};
use crate::app::cli::failure::Failure;
use crate::app::cli::shot::{self, Shot};
use crate::demo::FRAMES_PER_SECOND;
use crate::gpu::machine::Overlay;
use crate::inspect::FrameView;
use crate::render::elimination::{Onto, SwapChain};
use crate::render::{Picture, Recording, Renderer, Stage};
use crate::technique::{HostHook, TECHNIQUES, Technique};

/// Draw a scene to a PNG file or a sequence of them, and print the pipeline's counters
#[derive(Debug, Clone, clap::Args)]
pub(in crate::app::cli) struct RenderArgs {
    #[command(flatten)]
    shot: ShotArgs,
    #[command(flatten)]
    output: OutputArgs,
    #[command(flatten)]
    elimination: EliminationArgs,
}

/// What need not be drawn again.
#[derive(Debug, Clone, Copy, clap::Args)]
#[command(next_help_heading = "Sequences (the pictures are the same for each of these)")]
struct EliminationArgs {
    /// Leave out work that earlier frames have done
    #[arg(long, value_name = "TECHNIQUE", value_parser = host_techniques())]
    technique: Option<HostHook>,
    #[command(flatten)]
    buffers: BufferArgs,
}

/// Techniques of which the renderer itself does a part, by name.
fn host_techniques() -> impl TypedValueParser<Value = HostHook> {
    let able = TECHNIQUES
        .iter()
        .filter(|technique| technique.host.is_some());
    let values = able.map(|technique| PossibleValue::new(technique.name).help(technique.title));
    PossibleValuesParser::new(values).try_map(|name| {
        let found = Technique::find(&name).and_then(|technique| technique.host);
        found.ok_or_else(|| format!("the renderer does nothing of {name}"))
    })
}

/// What is written.
#[derive(Debug, Clone, clap::Args)]
#[command(next_help_heading = "Output")]
struct OutputArgs {
    /// The picture [default: the scene's name with .png, in the current directory]
    #[arg(short, long, value_name = "FILE.png", value_parser = png_paths())]
    output: Option<PathBuf>,
    /// Draw a sequence: FILE.0000.png and on, each 1/FPS seconds after the one before
    #[arg(long, value_name = "N", value_parser = count)]
    frames: Option<u64>,
    /// Frames of a second in the sequence [default: 30; for demos, 60]
    #[arg(long, value_name = "FPS", value_parser = frames_per_second)]
    fps: Option<f64>,
    /// Counters of the pipeline, by frame and draw, and in JSON also by tile
    #[arg(long, value_name = "FORMAT", default_value = "table", value_enum)]
    #[arg(num_args = 0..=1, require_equals = true, default_missing_value = "table")]
    stats: Stats,
    /// Short for --stats=json
    #[arg(long, conflicts_with = "stats")]
    json: bool,
    /// Also write a heat map of a counter or cost by tile, to FILE.COUNTER.png or the file named here; may be repeated.
    /// `azulejo list` names counters and costs; costs are of the frame on --machine
    #[arg(long, value_name = "COUNTER[=FILE.png]", value_parser = tile_map)]
    heatmap: Vec<Mapped<TileMap>>,
    /// From value to colour in heat maps
    #[arg(long, value_name = "SCALE", default_value = "linear", value_enum)]
    heatmap_scale: ScaleArg,
    /// Also write a picture of what lies in every pixel, to FILE.VIEW.png or the file named here; may be repeated. VIEW is
    /// wireframe, depth, overdraw, quad-overdraw, mip, primitive or draw
    #[arg(long, value_name = "VIEW[=FILE.png]", value_parser = frame_view)]
    view: Vec<Mapped<FrameView>>,
    /// The machine that heat maps of costs are about, by name or TOML file; it runs the frame at the picture's size
    #[arg(
        short,
        long,
        value_name = "NAME|FILE",
        default_value = "valhall-libra-baseline"
    )]
    machine: String,
    /// Change a value of the machine, such as l2.size=1MiB
    #[arg(long = "set", value_name = "KEY=VALUE")]
    set: Vec<Overlay>,
}

/// How counters are printed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Stats {
    /// For people
    Table,
    /// For programs
    Json,
    /// Not at all
    None,
}

pub(super) fn frames_per_second(text: &str) -> Result<f64, String> {
    let fps = text.parse().ok().filter(|fps| (0.001..=1e6).contains(fps));
    fps.ok_or_else(|| "expected a number from 0.001 to 1000000".to_owned())
}

pub(super) fn run(args: &RenderArgs, console: Console) -> Outcome {
    let OutputArgs { json, stats, .. } = args.output;
    let stats = if json { Stats::Json } else { stats };
    check_heat_maps(args)?;
    // Before anything slow: a wrong name should not cost a loaded scene.
    let files = PlannedFiles::plan(args)?;
    let console = console.beside_file(files.take_standard_output());
    let mut extras = Extras::new(&args.output)?;
    let mut renderer = shot::renderer(&args.shot.machine)?;
    let shot = Shot::prepare(&args.shot, console)?;
    let recording = if stats == Stats::None && args.output.heatmap.is_empty() {
        Recording::Off
    } else {
        Recording::Counters
    };
    let n_frames = args.output.frames.unwrap_or(1);
    // Of a single frame, which takes long where it is large, the stages are named.
    let progress = console.progress(n_frames, "frames");
    let stages = (n_frames == 1).then_some(&progress);
    let fps = (args.output.fps).unwrap_or(if args.shot.scene.demo().is_some() {
        f64::from(FRAMES_PER_SECOND)
    } else {
        30.0
    });
    let elimination = &args.elimination;
    let mut chain =
        (elimination.technique).map(|HostHook::KeepEqualTiles| elimination.buffers.chain());
    let first = args.shot.scene.first_frame();
    let draw_frame = |frame, spare: Option<Picture>| {
        let time = args.shot.scene.start() + (frame - first) as f64 / fps;
        let with = (&mut renderer, chain.as_mut(), spare, stages);
        let drawn = draw(with, &shot, (frame, time), recording, &mut extras);
        progress.inc(1);
        drawn
    };
    let frames = first..first + n_frames;
    let written = sequence::draw_and_write(frames, draw_frame, &files, &shot.stamp);
    progress.finish_and_clear();
    let Written { frames, cut } = written?;
    if let Some(cut) = cut.clone().filter(|_| frames.is_empty()) {
        return Err(cut);
    }
    let report = RenderReport::new(&shot, &renderer, frames);
    match stats {
        Stats::Table => console.print(&report.text())?,
        Stats::Json => console.print_json(&report)?,
        Stats::None => {}
    }
    cut.map_or(Ok(()), Err)
}

/// A frame that is not yet written.
struct Drawn {
    picture: Picture,
    extras: FrameExtras,
    report: FrameReport,
}

/// Refuses the map of what was left out where nothing can be.
fn check_heat_maps(args: &RenderArgs) -> Outcome {
    let mut maps = args.output.heatmap.iter();
    let asked = maps.any(|map| matches!(map.what, TileMap::Skipped));
    if asked && args.elimination.technique.is_none() {
        let problem = "--heatmap skipped shows which tiles a technique left out, and there is none";
        return Err(Failure::new(problem).hint(
            "add `--technique re`; `azulejo simulate --technique re --heatmap skipped` shows it on a chip",
        ));
    }
    Ok(())
}

/// What goes on when `stage` is done.
const fn after(stage: Stage) -> &'static str {
    match stage {
        Stage::Preparation => "geometry",
        Stage::Geometry => "tiling",
        Stage::Tiling => "raster: tiles are shaded",
        Stage::Raster => "writing",
    }
}

fn draw(
    (renderer, chain, spare, bar): (
        &mut Renderer,
        Option<&mut SwapChain>,
        Option<Picture>,
        Option<&ProgressBar>,
    ),
    shot: &Shot,
    (frame, time): (u64, f64),
    recording: Recording,
    extras: &mut Extras,
) -> Outcome<Drawn> {
    let mut settings = shot.settings;
    settings.frame = frame;
    let moment = shot.at(time as f32);
    let input = shot.input(&moment, &settings);
    let mut stages = StageTimes::default();
    let start = Instant::now();
    let mut done = |stage| {
        stages.done(stage, start.elapsed());
        bar.iter().for_each(|bar| bar.set_message(after(stage)));
    };
    let list = input.draws();
    done(Stage::Preparation);
    let Some(chain) = chain else {
        spare
            .into_iter()
            .for_each(|picture| renderer.recycle(picture));
        let drawn = renderer.draw_by_stages(&list, recording, &mut done);
        let draw_ms = start.elapsed().as_secs_f64() * 1e3;
        return Ok(Drawn {
            extras: extras.of_frame(renderer, &list, input.view)?,
            picture: drawn.picture,
            report: FrameReport::new((frame, time), draw_ms, stages, drawn.counters, None),
        });
    };
    let buffer = chain.next_buffer();
    let onto = Onto {
        recording,
        ..Onto::new(buffer)
    };
    let redrawn = renderer.draw_by_stages(&list, onto, &mut done);
    let draw_ms = start.elapsed().as_secs_f64() * 1e3;
    let mut picture = spare.unwrap_or_default();
    picture.clone_from(buffer.picture());
    let kept = Some(redrawn.tiles);
    Ok(Drawn {
        extras: extras.of_frame(renderer, &list, input.view)?,
        picture,
        report: FrameReport::new((frame, time), draw_ms, stages, redrawn.counters, kept),
    })
}
