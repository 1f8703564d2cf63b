//! Whole frames from and to a stream.

use std::io::{self, Read, Write};

use super::chunk::{
    self, ALLOWANCE_MIB, ALLOWANCE_RATIO, Chunk, ChunkReader, Kind, TraceFileError, up_to,
};
use super::wire::{Decoder, Encoder, Layout, Malformed, Parts, Version};
use super::{branching, dispatches, draws, passes, tiles};
use crate::validate::validate_grid;
use crate::{FrameTrace, PathTable, TargetInfo, TileTrace};
use azulejo_grid::{Binning, SampleCount, TileGrid};

const MAGIC: &[u8; 8] = b"azulejo\0";
/// 5 to 7, 9 to 12 and 15 are left out: no version is another one with a bit flipped.
const VERSION: u32 = 16;

/// Tiles are put together until a payload has this size.
const TILE_CHUNK: usize = 1 << 20;

/// Writes a trace, frame by frame. Without [`TraceWriter::finish`] the file counts as cut.
///
/// ```
/// # mod azulejo { pub use azulejo_grid as grid; pub use azulejo_trace as trace; }
/// use azulejo::grid::TileGrid;
/// use azulejo::trace::synthetic::{CoveredScreen, independent};
/// use azulejo::trace::{InstructionClass, TraceReader, TraceWriter};
///
/// let grid = TileGrid { width: 64, height: 64, tile_size: 32 };
/// let frame = CoveredScreen::new(grid, independent(InstructionClass::Alu, 8)).frame(0);
/// let mut writer = TraceWriter::new(Vec::new())?; // or a file
/// writer.write(&frame)?;
/// let bytes = writer.finish()?;
///
/// let mut reader = TraceReader::new(bytes.as_slice())?;
/// assert_eq!(reader.next_frame()?, Some(frame));
/// assert_eq!(reader.next_frame()?, None);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct TraceWriter<W: Write> {
    to: W,
    n_frames: u64,
}

impl<W: Write> TraceWriter<W> {
    /// Begins a trace.
    ///
    /// # Errors
    /// Errors of the stream.
    pub fn new(mut to: W) -> io::Result<Self> {
        to.write_all(MAGIC)?;
        to.write_all(&VERSION.to_le_bytes())?;
        Ok(Self { to, n_frames: 0 })
    }

    /// Appends a frame and flushes the stream; one that the stream refuses does not count, so that a caller that takes its
    /// bytes back can go on to [`Self::finish`].
    ///
    /// # Errors
    /// Errors of the stream; a draw or tile of more than 256 MiB; names, programs or lists of more than 16 MiB.
    pub fn write(&mut self, frame: &FrameTrace) -> io::Result<()> {
        for pass in &frame.before {
            self.write_pass(Kind::Behind, pass)?;
        }
        self.write_pass(Kind::Frame, frame)?;
        self.to.flush()?;
        self.n_frames += 1;
        Ok(())
    }

    fn write_pass(&mut self, kind: Kind, frame: &FrameTrace) -> io::Result<()> {
        let mut payload = Encoder::default();
        put_frame(&mut payload, frame);
        chunk::write(&mut self.to, kind, &payload)?;
        payload.bytes.clear();
        draws::put_resources(&mut payload, &frame.textures, &frame.buffers);
        chunk::write(&mut self.to, Kind::Resources, &payload)?;
        payload.bytes.clear();
        let parts = Parts::of(&frame.programs);
        if parts.branches {
            branching::put_programs(&mut payload, &frame.programs);
            chunk::write(&mut self.to, Kind::Branching, &payload)?;
            payload.bytes.clear();
            branching::put_paths(&mut payload, &frame.paths);
            chunk::write(&mut self.to, Kind::Paths, &payload)?;
        } else {
            draws::put_programs(&mut payload, &frame.programs);
            chunk::write(&mut self.to, Kind::Programs, &payload)?;
        }
        for draw in &frame.draws {
            payload.bytes.clear();
            draws::put_draw(&mut payload, draw, parts);
            chunk::write(&mut self.to, Kind::Draw, &payload)?;
        }
        payload.bytes.clear();
        if !passes::is_usual(frame) {
            passes::put_pass(&mut payload, frame);
            chunk::write(&mut self.to, Kind::Pass, &payload)?;
            payload.bytes.clear();
        }
        if frame.is_compute() {
            dispatches::put_dispatches(&mut payload, &frame.dispatches);
            chunk::write(&mut self.to, Kind::Dispatches, &payload)?;
            payload.bytes.clear();
        }
        for tile in &frame.tiles {
            tiles::put_tile(&mut payload, tile, parts);
            if payload.bytes.len() >= TILE_CHUNK {
                chunk::write(&mut self.to, Kind::Tiles, &payload)?;
                payload.bytes.clear();
            }
        }
        if !payload.bytes.is_empty() {
            chunk::write(&mut self.to, Kind::Tiles, &payload)?;
        }
        Ok(())
    }

    /// Writes the end mark and gives the stream back.
    ///
    /// # Errors
    /// Errors of the stream.
    pub fn finish(mut self) -> io::Result<W> {
        let mut payload = Encoder::default();
        payload.unsigned(self.n_frames);
        chunk::write(&mut self.to, Kind::Done, &payload)?;
        self.to.flush()?;
        Ok(self.to)
    }
}

fn put_frame(to: &mut Encoder, frame: &FrameTrace) {
    to.unsigned(frame.frame);
    to.unsigned(frame.grid.width.into());
    to.unsigned(frame.grid.height.into());
    to.unsigned(frame.grid.tile_size.into());
    to.count(frame.targets.len());
    for target in &frame.targets {
        to.unsigned(target.bytes_per_pixel.into());
        to.flag(target.load);
        to.flag(target.store);
    }
    to.count(frame.draws.len());
    to.count(frame.tiles.len());
    to.flag(frame.binning == Binning::BoundingBox);
    to.unsigned(frame.samples.get().into());
}

/// Header of a frame: its first chunk.
struct FrameStart {
    frame: u64,
    grid: TileGrid,
    binning: Binning,
    samples: SampleCount,
    targets: Vec<TargetInfo>,
    n_draws: usize,
    n_tiles: usize,
}

fn take_frame(from: &mut Decoder<'_>, version: Version) -> Result<FrameStart, Malformed> {
    let frame = from.unsigned("the frame's number")?;
    let grid = TileGrid {
        width: from.small("the screen's width")?,
        height: from.small("the screen's height")?,
        tile_size: from.small("the tile size")?,
    };
    let n_targets = from.count(3, "the targets")?;
    from.reserve::<TargetInfo>(n_targets, "the targets")?;
    let targets = (0..n_targets)
        .map(|_| {
            Ok(TargetInfo {
                bytes_per_pixel: from.small("a target")?,
                load: from.flag("a target")?,
                store: from.flag("a target")?,
                texture: None,
            })
        })
        .collect::<Result<_, Malformed>>()?;
    let n_draws = from.small("the number of draws")?;
    let n_tiles = from.small("the number of tiles")?;
    let by_bounding_box = version > Version::BeforeBinning && from.flag("the binning")?;
    let samples = if version > Version::BeforeSamples {
        let number: u32 = from.small("the samples of a pixel")?;
        SampleCount::try_from(number).map_err(|_| Malformed::Content("the samples of a pixel"))?
    } else {
        SampleCount::One
    };
    Ok(FrameStart {
        frame,
        grid,
        binning: if by_bounding_box {
            Binning::BoundingBox
        } else {
            Binning::Exact
        },
        samples,
        targets,
        n_draws,
        n_tiles,
    })
}

/// Bytes before the first chunk.
const HEAD: u64 = 12;

/// The version of the format, from the first bytes of a trace.
fn version_of(head: &[u8]) -> Result<Version, TraceFileError> {
    let version = head.strip_prefix(MAGIC.as_slice());
    let version = version.and_then(|version| version.try_into().ok());
    let found = u32::from_le_bytes(version.ok_or(TraceFileError::NotATrace)?);
    match found {
        2 => Ok(Version::BeforeBinning),
        3 => Ok(Version::BeforeSamples),
        4 => Ok(Version::BeforeDepths),
        // No texture of format 8 is compressed, no frame of 13 has more passes than one, and no program of 14 accesses
        // buffers.
        8 | 13 | 14 | VERSION => Ok(Version::Newest),
        _ => Err(TraceFileError::Version {
            found,
            expected: VERSION,
        }),
    }
}

/// Reads a trace, frame by frame; see [`TraceWriter`] for an example.
#[derive(Debug)]
pub struct TraceReader<R: Read> {
    chunks: ChunkReader<R>,
    version: Version,
    done: bool,
    /// Frames of the traces that lie before in the file.
    frames_before: u64,
    /// Bytes of memory that the frame under way may still take.
    allowance: u64,
}

impl<R: Read> TraceReader<R> {
    /// Looks at the first bytes.
    ///
    /// # Errors
    /// If the stream is not a trace of this version.
    pub fn new(mut from: R) -> Result<Self, TraceFileError> {
        let head = up_to(&mut from, HEAD)?;
        let version = version_of(&head)?;
        Ok(Self {
            chunks: ChunkReader::new(from, HEAD),
            version,
            done: false,
            frames_before: 0,
            allowance: 0,
        })
    }

    /// Frames read so far, all of them whole and valid.
    #[must_use]
    pub const fn n_frames(&self) -> u64 {
        self.chunks.n_frames
    }

    /// The next frame, checked; `None` after the last. Traces that lie one behind the other in a file are read as one.
    /// A file that was cut gives the frames before the cut first, and then the error, [`TraceFileError::Cut`].
    ///
    /// # Errors
    /// If the file is cut, damaged, contradicts itself, goes on behind its end with something else, or asks for more
    /// memory than its size justifies.
    pub fn next_frame(&mut self) -> Result<Option<FrameTrace>, TraceFileError> {
        if self.done {
            return Ok(None);
        }
        self.allowance = ALLOWANCE_MIB << 20;
        let mut chunk = self.chunks.next()?;
        while chunk.kind == Kind::Done {
            self.check_number_of_frames(&chunk)?;
            if !self.begin_next_trace()? {
                self.done = true;
                return Ok(None);
            }
            chunk = self.chunks.next()?;
        }
        let mut before = Vec::new();
        while chunk.kind == Kind::Behind {
            before.push(self.pass(&chunk)?);
            chunk = self.chunks.next()?;
        }
        match chunk.kind {
            Kind::Frame => {
                let frame = FrameTrace {
                    before,
                    ..self.pass(&chunk)?
                };
                let number = self.chunks.n_frames;
                frame.validate().map_err(|source| TraceFileError::Invalid {
                    frame: number,
                    source,
                })?;
                self.chunks.n_frames += 1;
                Ok(Some(frame))
            }
            _ if !before.is_empty() => Err(self
                .chunks
                .damaged("a frame should come after the passes before it")),
            _ => Err(self.chunks.damaged("a frame should begin here")),
        }
    }

    /// The end mark of a trace says how many frames it has.
    fn check_number_of_frames(&mut self, end: &Chunk) -> Result<(), TraceFileError> {
        let written = self.decode(end, |from| from.unsigned("the number of frames"))?;
        let found = self.chunks.n_frames - self.frames_before;
        if written == found {
            return Ok(());
        }
        let problem = format!("{written} frames were written, {found} found");
        Err(self.chunks.damaged(problem))
    }

    /// Whether another trace lies behind the end mark; the end of the file is the only other thing that may.
    fn begin_next_trace(&mut self) -> Result<bool, TraceFileError> {
        let (offset, head) = self.chunks.skip(HEAD)?;
        if head.is_empty() {
            return Ok(false);
        }
        self.version = version_of(&head).map_err(|error| match error {
            TraceFileError::NotATrace => TraceFileError::Behind { offset },
            other => other,
        })?;
        self.frames_before = self.chunks.n_frames;
        Ok(true)
    }

    /// The pass that begins with this chunk.
    fn pass(&mut self, chunk: &Chunk) -> Result<FrameTrace, TraceFileError> {
        let version = self.version;
        let start = self.decode(chunk, |from| take_frame(from, version))?;
        let frame = self.chunks.n_frames;
        if start.n_tiles == 0 && [start.grid.width, start.grid.height] == [0; 2] {
            // One that computes.
            return self.rest_of_frame(start);
        }
        validate_grid(&start.grid, start.n_tiles)
            .map_err(|source| TraceFileError::Invalid { frame, source })?;
        self.rest_of_frame(start)
    }

    fn rest_of_frame(&mut self, start: FrameStart) -> Result<FrameTrace, TraceFileError> {
        let (textures, buffers) = self.payload(Kind::Resources, draws::take_resources)?;
        let chunk = self.chunks.next()?;
        let branches = chunk.kind == Kind::Branching;
        let (programs, paths) = if branches {
            let programs = self.decode(&chunk, branching::take_programs)?;
            (programs, self.payload(Kind::Paths, branching::take_paths)?)
        } else {
            let programs = self.content(&chunk, Kind::Programs, draws::take_programs)?;
            (programs, PathTable::default())
        };
        let layout = Layout {
            version: self.version,
            parts: Parts {
                branches,
                ..Parts::of(&programs)
            },
        };
        let mut frame = FrameTrace {
            name: String::new(),
            frame: start.frame,
            grid: start.grid,
            binning: start.binning,
            samples: start.samples,
            pixel_bytes: 0,
            targets: start.targets,
            textures,
            buffers,
            programs,
            paths,
            draws: Vec::new(),
            tiles: Vec::new(),
            dispatches: Vec::new(),
            before: Vec::new(),
        };
        for _ in 0..start.n_draws {
            let draw = self.payload(Kind::Draw, |from| draws::take_draw(from, layout))?;
            frame.draws.push(draw);
        }
        passes::set_usual(&mut frame);
        let mut chunk = self.chunks.next()?;
        if chunk.kind == Kind::Pass {
            self.decode(&chunk, |from| passes::take_pass(from, &mut frame))?;
            chunk = self.chunks.next()?;
        }
        if start.n_tiles == 0 {
            frame.dispatches =
                self.content(&chunk, Kind::Dispatches, dispatches::take_dispatches)?;
            return Ok(frame);
        }
        loop {
            let left = start.n_tiles - frame.tiles.len();
            let tiles = self.content(&chunk, Kind::Tiles, |from| take_tiles(from, left, layout))?;
            frame.tiles.extend(tiles);
            if frame.tiles.len() == start.n_tiles {
                break;
            }
            chunk = self.chunks.next()?;
        }
        Ok(frame)
    }

    fn payload<T>(
        &mut self,
        expected: Kind,
        take: impl FnOnce(&mut Decoder<'_>) -> Result<T, Malformed>,
    ) -> Result<T, TraceFileError> {
        let chunk = self.chunks.next()?;
        self.content(&chunk, expected, take)
    }

    /// Decodes the content of a chunk that should be of this kind.
    fn content<T>(
        &mut self,
        chunk: &Chunk,
        expected: Kind,
        take: impl FnOnce(&mut Decoder<'_>) -> Result<T, Malformed>,
    ) -> Result<T, TraceFileError> {
        if chunk.kind != expected {
            return Err(self.chunks.damaged(format!("{expected:?} should be here")));
        }
        self.decode(chunk, take)
    }

    /// Decodes the content of a chunk that just came.
    fn decode<T>(
        &mut self,
        chunk: &Chunk,
        take: impl FnOnce(&mut Decoder<'_>) -> Result<T, Malformed>,
    ) -> Result<T, TraceFileError> {
        self.allowance += ALLOWANCE_RATIO * chunk.stored;
        let mut from = Decoder::new(&chunk.bytes, self.allowance);
        let value = take(&mut from).map_err(|error| self.chunks.malformed(error))?;
        if !from.is_empty() {
            return Err(self.chunks.damaged("bytes are left over"));
        }
        self.allowance = from.allowance();
        Ok(value)
    }
}

/// All tiles of a payload, at least one and at most `left`.
fn take_tiles(
    from: &mut Decoder<'_>,
    left: usize,
    layout: Layout,
) -> Result<Vec<TileTrace>, Malformed> {
    let mut tiles = Vec::new();
    while tiles.is_empty() || !from.is_empty() {
        if tiles.len() == left {
            return Err(Malformed::Content("a tile beyond the last of the screen"));
        }
        tiles.push(tiles::take_tile(from, layout)?);
    }
    Ok(tiles)
}
