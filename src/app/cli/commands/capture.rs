//! `azulejo capture`: frames of a scene to a trace file, which holds all that the hardware model needs to know of them.

use std::cell::RefCell;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::rc::Rc;

use serde::Serialize;

use super::{Console, Outcome};
use crate::cli::args::{ShotArgs, count};
use crate::cli::failure::Failure;
use crate::cli::interrupt;
use crate::cli::output::{Growing, Inputs, Named, Outputs, unwritable};
use crate::cli::shot::{self, PreparedShot};
use azulejo_render::Renderer;
use azulejo_report::{Align, aligned, grouped};
use azulejo_shot::Shot;
use azulejo_shot::facts::TooManyFacts;
use azulejo_trace::{FrameTrace, TraceWriter};

/// Draw frames of a scene and write what the pipeline did to a trace file (.azt)
#[derive(Debug, Clone, clap::Args)]
pub(in crate::cli) struct CaptureArgs {
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

/// Totals over the captured frames.
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
    let unnamed = || PathBuf::from(format!("{}.azt", args.shot.scene.name()));
    let named = (args.output.as_ref()).map_or(Named::ByDefault, |_| Named::ByUser);
    let file = args.output.clone().unwrap_or_else(unnamed);
    let mut outputs = Outputs::of(Inputs::of_shot(&args.shot));
    outputs.plan(&file, "-o", named)?;
    let console = console.beside_file(outputs.take_standard_output());
    let mut renderer = shot::renderer(&args.shot.machine)?;
    let PreparedShot { shot, .. } = PreparedShot::new(&args.shot, console)?;
    let progress = console.progress(args.frames, "frames");
    let mut summary = Summary::default();
    let growing = Shared::new(outputs.begin(&file)?);
    let drawn = capture(args, &shot, &mut renderer, &growing, |trace| {
        summary.add(trace);
        progress.inc(1);
    });
    progress.finish_and_clear();
    let unwritable = |error: io::Error| unwritable(&file, &error);
    let cut = drawn.map_err(unwritable)?.map(|cut| match cut {
        Cut::Interrupted => interrupt::failure(&summary.so_far(args.frames)),
        Cut::Unwritable(error) => unwritable(error),
        Cut::TooLarge(error) => Failure::from(error),
    });
    summary.file_bytes = growing.length().map_err(unwritable)?;
    let growing = growing.into_inner().map_err(unwritable)?;
    match cut {
        None => {
            summary.file = outputs.finish(growing, &file)?;
        }
        Some(cut) => {
            summary.file = keep(growing, &file, &summary, cut.clone())?;
            let frames = summary.so_far(args.frames);
            console.note(&format!("{}: kept {frames}", summary.file.display()));
            summary.print(args.json, console)?;
            return Err(cut);
        }
    }
    summary.print(args.json, console)
}

/// Reason for fewer frames than asked for.
enum Cut {
    Interrupted,
    /// Frame that could not be written; the frames before are whole.
    Unwritable(io::Error),
    /// Frame too large to trace; the frames before are whole.
    TooLarge(TooManyFacts),
}

/// Draws all frames into the trace and closes it; also after a cut, so that it can be read.
fn capture(
    args: &CaptureArgs,
    shot: &Shot,
    renderer: &mut Renderer,
    growing: &Shared,
    mut done: impl FnMut(&FrameTrace),
) -> io::Result<Option<Cut>> {
    let mut writer = TraceWriter::new(growing.clone())?;
    let interrupted = (args.frames > 1).then(interrupt::finish_frames);
    let mut cut = None;
    let first = args.shot.scene.first_moment();
    for frame in 0..args.frames {
        if interrupted.is_some_and(interrupt::Flag::is_raised) {
            cut = Some(Cut::Interrupted);
            break;
        }
        let trace = match shot.facts(renderer, first.later(frame, args.fps)) {
            Ok(trace) => trace,
            Err(error) => {
                cut = Some(Cut::TooLarge(error));
                break;
            }
        };
        let whole = growing.length()?;
        // The system may refuse late: a frame is written when nothing of it waits in memory.
        if let Err(error) = writer.write(&trace).and_then(|()| growing.length()) {
            if frame == 0 || !growing.cut(whole)? {
                return Err(error);
            }
            cut = Some(Cut::Unwritable(error));
            break;
        }
        done(&trace);
    }
    writer.finish()?;
    Ok(cut)
}

/// Keeps the whole frames under a name that says that they are part; where there are none, or nothing can be kept, the
/// reason stays.
fn keep(growing: Growing, file: &Path, summary: &Summary, cut: Failure) -> Outcome<PathBuf> {
    match growing {
        Growing::Beside(growing) if summary.frames > 0 => {
            let kept = growing.finish_partial(file);
            kept.map_err(|error| cut.hint(format!("nothing could be kept: {error}")))
        }
        _ if cut.hint.is_some() => Err(cut),
        _ => Err(cut.hint("nothing was kept, and what was there before is unchanged")),
    }
}

/// File that the writer of frames and the command both hold.
#[derive(Debug, Clone)]
struct Shared(Rc<RefCell<Growing>>);

impl Shared {
    fn new(growing: Growing) -> Self {
        Self(Rc::new(RefCell::new(growing)))
    }

    /// Bytes written so far; 0 where that is not known.
    fn length(&self) -> io::Result<u64> {
        match &mut *self.0.borrow_mut() {
            Growing::Beside(growing) => growing.length(),
            direct @ Growing::Direct(_) => direct.flush().map(|()| 0),
        }
    }

    /// Forgets everything after the first `length` bytes, if that can be done.
    fn cut(&self, length: u64) -> io::Result<bool> {
        match &mut *self.0.borrow_mut() {
            Growing::Beside(growing) => growing.cut(length).map(|()| true),
            Growing::Direct(_) => Ok(false),
        }
    }

    fn into_inner(self) -> io::Result<Growing> {
        let inner = Rc::into_inner(self.0).map(RefCell::into_inner);
        inner.ok_or_else(|| io::Error::other("the trace is still being written"))
    }
}

impl Write for Shared {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.borrow_mut().write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.borrow_mut().flush()
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

    fn so_far(&self, asked: u64) -> String {
        format!("{} of {asked} frames", self.frames)
    }

    fn print(&self, json: bool, console: Console) -> Outcome {
        if json {
            console.print_json(self)
        } else {
            console.print(&self.text())
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
