//! Sources of frames: a scene, drawn once for every grid that the machines have, or a trace file.

use std::fs::File;
use std::io::{BufReader, Read};
use std::path::Path;

use indicatif::ProgressBar;

use super::args::SimulateArgs;
use super::machines::NamedSpec;
use crate::cli::args::{MachineArgs, PictureArgs, ShotArgs};
use crate::cli::console::Console;
use crate::cli::failure::{Failure, Outcome};
use crate::cli::shot::{self, PreparedShot, is_trace};
use crate::cli::stamp::Stamp;
use crate::cli::standard_input;
use azulejo_demo::DEFAULT_SEED;
use azulejo_gpu::machine::{MachineSpec, SampleStorageError, ScreenSpec};
use azulejo_grid::{Binning, SampleCount, TileGrid, TileOrder};
use azulejo_render::{Renderer, SimdLevel};
use azulejo_shot::{Moment, Shot};
use azulejo_trace::{FrameTrace, TraceFileError, TraceReader};

/// Source of frames, one after the other.
pub(super) enum Source {
    /// Scene, drawn for the machines.
    Scene(Box<SceneSource>),
    /// Trace file, read frame by frame.
    File(Box<FileSource>),
}

/// Scene at several screens.
pub(super) struct SceneSource {
    renderer: Renderer,
    /// Shots, one for every screen and binning that the machines have.
    shots: Vec<Shot>,
    stamp: Stamp,
    first: Moment,
    fps: f64,
    n_frames: u64,
    next: u64,
}

/// Trace file as a source of frames.
pub(super) struct FileSource {
    path: std::path::PathBuf,
    reader: TraceReader<Box<dyn Read>>,
    length: u64,
    /// Count of the bytes that were read; `read_before` keeps how many were before the last frame.
    read: ProgressBar,
    read_before: u64,
    stamp: Stamp,
    left: u64,
    grid: Option<TileGrid>,
}

/// Part of a progress bar that a frame takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Span {
    before: u64,
    length: u64,
    tiles: u64,
}

impl Span {
    /// Position of the bar after so many tiles of the frame.
    pub(super) fn after(self, tiles: u64) -> u64 {
        let part = u128::from(self.length) * u128::from(tiles) / u128::from(self.tiles.max(1));
        // A part of a length of 64 bits, unless there were more tiles than the frame has.
        self.before + u64::try_from(part).unwrap_or(self.length)
    }
}

impl Source {
    /// Opens the scene or trace that the command line names.
    pub(super) fn open(
        args: &SimulateArgs,
        machines: &[NamedSpec],
        console: Console,
    ) -> Outcome<Self> {
        match &args.scene.file {
            Some(file) if is_trace(file)? => {
                refuse_for_traces(args)?;
                let source = FileSource::open(file, &args.scene.name(), args.output.frames)?;
                Ok(Self::File(Box::new(source)))
            }
            _ => {
                let source = SceneSource::prepare(args, machines, console)?;
                Ok(Self::Scene(Box::new(source)))
            }
        }
    }

    /// Provenance of the results.
    pub(super) fn stamp(&self) -> &Stamp {
        match self {
            Self::Scene(source) => &source.stamp,
            Self::File(source) => &source.stamp,
        }
    }

    /// Tiles of a frame on a machine.
    pub(super) fn tiles_of_frame(&self, machine: &MachineSpec) -> u64 {
        let grid = match self {
            Self::Scene(source) => source.shots[self.trace_of(machine)].settings.grid(),
            Self::File(_) => machine.screen.grid,
        };
        grid.n_tiles().into()
    }

    /// Index of the trace of a frame that the machine takes.
    pub(super) fn trace_of(&self, machine: &MachineSpec) -> usize {
        match self {
            Self::Scene(source) => {
                let own = source.shots[0].on_machine(machine).ok();
                let own = own.as_ref().map(screen_of);
                let mut screens = source.shots.iter().map(screen_of);
                screens
                    .position(|screen| Some(screen) == own)
                    .unwrap_or_default()
            }
            Self::File(_) => 0,
        }
    }

    /// Next frame, once for every different screen; none after the last.
    pub(super) fn next_frame(&mut self) -> Outcome<Vec<FrameTrace>> {
        match self {
            Self::Scene(source) => source.next_frame(),
            Self::File(source) => source.next_frame(),
        }
    }

    /// Bar of the run: by tiles of a scene on machines, `tiles_of_frame` of each frame; by bytes of a file.
    pub(super) fn progress(&self, tiles_of_frame: u64, console: Console) -> ProgressBar {
        match self {
            Self::Scene(source) => {
                console.tiles(source.n_frames.saturating_mul(tiles_of_frame), "simulating")
            }
            Self::File(source) => console.reading(source.length, "simulating"),
        }
    }

    /// Part of the bar of [`Self::progress`] that the frame read last takes while it is simulated; the frame has
    /// `tiles_of_frame` tiles on all machines.
    pub(super) fn span(&self, tiles_of_frame: u64) -> Span {
        let (before, length) = match self {
            Self::Scene(source) => {
                let frames = source.next.saturating_sub(1);
                (frames.saturating_mul(tiles_of_frame), tiles_of_frame)
            }
            Self::File(source) => {
                let before = source.read_before;
                (before, source.read.position() - before)
            }
        };
        Span {
            before,
            length,
            tiles: tiles_of_frame,
        }
    }

    /// Whether more than one frame may come.
    pub(super) fn is_sequence(&self) -> bool {
        match self {
            Self::Scene(source) => source.n_frames > 1,
            Self::File(source) => source.left > 1,
        }
    }
}

/// Refuses options of drawing for a trace, which holds what was drawn: nothing of it can be drawn another way.
fn refuse_for_traces(args: &SimulateArgs) -> Outcome {
    let (scene, camera, look) = (&args.scene, &args.camera, &args.look);
    let given = [
        ("--scene", scene.choice.is_some()),
        ("--animation", scene.animation != "all"),
        ("--time", scene.time != 0.0),
        ("--frame", scene.frame.is_some()),
        ("--seed", scene.seed != DEFAULT_SEED),
        ("--textures", scene.textures.is_some()),
        ("--camera", camera.camera.is_some()),
        ("--orbit", camera.orbit.is_some()),
        ("--env", look.env.is_some()),
        ("--exposure", look.exposure != 1.0),
        ("--tonemap", look.tonemap.is_some()),
        ("--background", look.background.is_some()),
        ("--msaa", look.msaa != SampleCount::One),
        ("--fps", args.output.fps != 60.0),
        ("--size", args.hardware.size.is_some()),
    ];
    let Some((option, _)) = given.into_iter().find(|(_, given)| *given) else {
        return Ok(());
    };
    let problem = format!("{option} is for scenes: a trace holds frames that are drawn already");
    let hint = format!("leave it out, or capture the scene again with {option}");
    Err(Failure::usage(problem).hint(hint))
}

impl SceneSource {
    fn prepare(args: &SimulateArgs, machines: &[NamedSpec], console: Console) -> Outcome<Self> {
        let samples = args.look.msaa;
        let refused =
            |error: SampleStorageError| Failure::usage(format!("--msaa {samples}: {error}"));
        let [first, others @ ..] = machines else {
            return Err(Failure::usage("no machine to draw for"));
        };
        let tile_size = first.spec.tile_size_for(samples).map_err(refused)?;
        let options = shot_args(args, &first.spec.screen, tile_size);
        let PreparedShot { shot, stamp, .. } = PreparedShot::new(&options, console)?;
        let mut shots = vec![shot];
        for machine in others {
            let shot = shots[0].on_machine(&machine.spec).map_err(refused)?;
            if !shots
                .iter()
                .any(|known| screen_of(known) == screen_of(&shot))
            {
                shots.push(shot);
            }
        }
        Ok(Self {
            renderer: shot::renderer(&options.machine)?,
            shots,
            stamp,
            first: args.scene.first_moment(),
            fps: args.output.fps,
            n_frames: args.output.frames.unwrap_or(1),
            next: 0,
        })
    }

    fn next_frame(&mut self) -> Outcome<Vec<FrameTrace>> {
        if self.next == self.n_frames {
            return Ok(Vec::new());
        }
        let moment = self.first.later(self.next, self.fps);
        self.next += 1;
        let shots = self.shots.iter();
        let traces = shots.map(|shot| shot.facts(&mut self.renderer, moment));
        Ok(traces.collect::<Result<_, _>>()?)
    }
}

/// Key by which a machine takes its trace of a frame.
fn screen_of(shot: &Shot) -> (TileGrid, Binning) {
    (shot.settings.grid(), shot.settings.binning)
}

/// Options of `render` for a machine's screen, in tiles of another size.
fn shot_args(args: &SimulateArgs, screen: &ScreenSpec, tile_size: u32) -> ShotArgs {
    ShotArgs {
        scene: args.scene.clone(),
        camera: args.camera.clone(),
        picture: PictureArgs {
            size: (screen.grid.width, screen.grid.height),
            look: args.look.clone(),
        },
        machine: MachineArgs {
            threads: args.hardware.threads,
            tile_size,
            binning: screen.binning,
            // The order changes nothing in a trace: machines have their own.
            tile_order: TileOrder::SCAN_LINE,
            simd: SimdLevel::Auto,
        },
    }
}

impl FileSource {
    fn open(path: &Path, name: &str, frames: Option<u64>) -> Outcome<Self> {
        let unreadable =
            |error: std::io::Error| Failure::of_file(path, format!("cannot read it: {error}"));
        let (file, length): (Box<dyn Read>, u64) = if standard_input::is_meant(path) {
            let bytes = standard_input::bytes()?;
            (Box::new(bytes), bytes.len() as u64)
        } else {
            let length = regular_length(path)?;
            (Box::new(File::open(path).map_err(unreadable)?), length)
        };
        let hash = match standard_input::is_meant(path) {
            true => hash(standard_input::bytes()?),
            false => hash(File::open(path).map_err(unreadable)?.take(length)),
        };
        let read = ProgressBar::hidden();
        let file = read.wrap_read(file.take(length));
        let reader = TraceReader::new(Box::new(BufReader::new(file)) as Box<dyn Read>)
            .map_err(|error| refused(path, &error))?;
        Ok(Self {
            path: path.to_owned(),
            reader,
            length,
            read,
            read_before: 0,
            stamp: Stamp::new(name, hash.map_err(unreadable)?),
            left: frames.unwrap_or(u64::MAX),
            grid: None,
        })
    }

    fn next_frame(&mut self) -> Outcome<Vec<FrameTrace>> {
        if self.left == 0 {
            return Ok(Vec::new());
        }
        self.left -= 1;
        self.read_before = self.read.position();
        let frame = (self.reader.next_frame()).map_err(|error| refused(&self.path, &error))?;
        if let Some(frame) = &frame {
            self.check_grid(frame)?;
        }
        Ok(frame.into_iter().collect())
    }

    /// Refuses a frame of another screen than the first: machines keep state by tile, so a trace whose screen changes is
    /// several traces.
    fn check_grid(&mut self, frame: &FrameTrace) -> Outcome {
        let first = *self.grid.get_or_insert(frame.grid);
        if first == frame.grid {
            return Ok(());
        }
        let problem = format!(
            "frame {} has another screen or tile size than those before it",
            frame.frame
        );
        Err(Failure::of_file(&self.path, problem))
    }
}

fn refused(path: &Path, error: &TraceFileError) -> Failure {
    Failure::of_error(path, error).hint("`azulejo capture` writes traces")
}

/// Length of a regular file in bytes: a pipe cannot be read twice, and a device could go on for ever.
fn regular_length(path: &Path) -> Outcome<u64> {
    let metadata = std::fs::metadata(path)
        .map_err(|error| Failure::of_file(path, format!("cannot read it: {error}")))?;
    if metadata.is_file() {
        return Ok(metadata.len());
    }
    let failure = Failure::of_file(path, "is not a regular file; expected a trace");
    Err(failure.hint("a trace can come through standard input: azulejo simulate - < PIPE"))
}

/// CRC-32 of a file.
fn hash(mut file: impl Read) -> std::io::Result<u32> {
    let mut hasher = crc32fast::Hasher::new();
    let mut block = vec![0; 1 << 16];
    loop {
        let n = file.read(&mut block)?;
        if n == 0 {
            return Ok(hasher.finalize());
        }
        hasher.update(&block[..n]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn span_of_a_frame_is_gone_through_by_its_tiles() {
        let span = Span {
            before: 1000,
            length: 500,
            tiles: 200,
        };
        let places = [0, 1, 100, 200].map(|tiles| span.after(tiles));
        assert_eq!(places, [1000, 1002, 1250, 1500], "in parts of the frame");
        let huge = Span {
            before: 0,
            length: u64::MAX,
            tiles: u64::MAX,
        };
        assert_eq!(huge.after(u64::MAX), u64::MAX, "no overflow");
        let empty = Span { tiles: 0, ..span };
        assert_eq!(empty.after(0), 1000, "a frame without tiles");
    }
}
