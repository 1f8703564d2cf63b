//! `azulejo capture`: frames of a scene to a trace file, which holds all that the hardware model needs to know of them.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::PathBuf;

use serde::Serialize;

use super::{Console, Outcome};
use crate::app::cli::args::{ShotArgs, count};
use crate::app::cli::failure::Failure;
use crate::app::cli::files::check_directory;
use crate::app::cli::shot::{self, Shot};
use crate::report::{Align, aligned, grouped};
use crate::trace::{FrameTrace, TraceWriter};

/// Draw frames of a scene and write everything that the pipeline did to a trace file (.azt)
#[derive(Debug, Clone, clap::Args)]
pub(in crate::app::cli) struct CaptureArgs {
    #[command(flatten)]
    shot: ShotArgs,
    /// The trace [default: the scene's name with .azt, in the current directory]
    #[arg(short, long, value_name = "FILE.azt", help_heading = "Output")]
    output: Option<PathBuf>,
    /// Frames to capture, each 1/FPS seconds after the one before
    #[arg(long, value_name = "N", default_value = "1", value_parser = count, help_heading = "Output")]
    frames: u64,
    /// Frames of a second
    #[arg(long, value_name = "FPS", default_value_t = 60.0, value_parser = super::render::frames_per_second)]
    #[arg(help_heading = "Output")]
    fps: f64,
    /// The summary as JSON
    #[arg(long, help_heading = "Output")]
    json: bool,
}

/// What was captured.
#[derive(Debug, Default, Serialize)]
struct Summary {
    file: PathBuf,
    frames: u64,
    draws: u64,
    primitives: u64,
    tile_entries: u64,
    quads: u64,
    shaded_quads: u64,
    texel_blocks: u64,
    file_bytes: u64,
}

pub(super) fn run(args: &CaptureArgs, console: Console) -> Outcome {
    if let Some(file) = &args.output {
        check_directory(file)?;
    }
    let mut renderer = shot::renderer(&args.shot.machine)?;
    let shot = Shot::prepare(&args.shot, console)?;
    let name = || PathBuf::from(format!("{}.azt", shot.scene.name));
    let file = args.output.clone().unwrap_or_else(name);
    let failed =
        |error: std::io::Error| Failure::of_file(&file, format!("cannot be written: {error}"));
    let mut writer =
        TraceWriter::new(BufWriter::new(File::create(&file).map_err(failed)?)).map_err(failed)?;
    let progress = console.progress(args.frames, "frames");
    let mut summary = Summary {
        file: file.clone(),
        ..Summary::default()
    };
    for frame in 0..args.frames {
        let time = args.shot.scene.start() + frame as f64 / args.fps;
        let trace = shot.trace(&mut renderer, frame, time);
        summary.add(&trace);
        writer.write(&trace).map_err(failed)?;
        progress.inc(1);
    }
    writer
        .finish()
        .and_then(|mut to| to.flush())
        .map_err(failed)?;
    progress.finish_and_clear();
    summary.file_bytes = std::fs::metadata(&file).map_err(failed)?.len();
    if args.json {
        console.print_json(&summary)
    } else {
        console.print(&summary.text())
    }
}

impl Summary {
    fn add(&mut self, trace: &FrameTrace) {
        self.frames += 1;
        self.draws += trace.draws.len() as u64;
        self.primitives += trace.n_primitives();
        for tile in &trace.tiles {
            self.tile_entries += tile.primitives.len() as u64;
            self.quads += tile.quads.len() as u64;
            self.shaded_quads += tile.n_shaded() as u64;
            self.texel_blocks += tile.blocks.len() as u64;
        }
    }

    fn text(&self) -> String {
        let rows = [
            ("frames", self.frames, "in the trace"),
            ("draws", self.draws, "of all frames"),
            (
                "primitives",
                self.primitives,
                "triangles in the Parameter Buffer",
            ),
            (
                "tile entries",
                self.tile_entries,
                "a triangle counts once for each tile it overlaps",
            ),
            ("quads", self.quads, "2x2 pixels, at least one covered"),
            (
                "shaded quads",
                self.shaded_quads,
                "passed the early depth test",
            ),
            (
                "texel blocks",
                self.texel_blocks,
                "4x4 texels, once for each quad and texture instruction",
            ),
            ("file bytes", self.file_bytes, "compressed"),
        ];
        let rows = rows.map(|(name, value, meaning)| {
            vec![format!("  {name}"), grouped(value), format!("  {meaning}")]
        });
        format!(
            "{}wrote {}\n",
            aligned(&rows, &[Align::Left, Align::Right, Align::Left]),
            self.file.display()
        )
    }
}
