//! Work along the paths of a frame: threads of each path's instructions, and the texture instructions that stand for quads in
//! the facts of tiles.

use azulejo_trace::{FrameTrace, InstructionClass, PathIdx, TileTrace};

/// Threads of the instructions of a path, and texture instructions of its quad.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct PathWork {
    pub(crate) threads: u64,
    pub(crate) transcendental_threads: u64,
    pub(crate) texture_threads: u64,
    pub(crate) n_samples: u32,
}

/// Work along each path of a frame.
pub(crate) fn path_works(trace: &FrameTrace) -> Vec<PathWork> {
    let programs = trace.programs.iter().filter(|_| !trace.paths.is_empty());
    let classes = [InstructionClass::Transcendental, InstructionClass::Texture];
    let before = programs.map(|program| classes.map(|class| program.counts_before(class)));
    let before: Vec<[Vec<u32>; 2]> = before.collect();
    let work = |(program, steps): (azulejo_trace::ProgramId, &[u8])| {
        let (program, before) = (program.0 as usize, &before[program.0 as usize]);
        let mut work = PathWork::default();
        let followed = trace.programs[program].follow(steps, |executed| {
            let (first, end) = (executed.instructions.start, executed.instructions.end);
            let [special, textures] = before
                .each_ref()
                .map(|before| u64::from(before[end as usize] - before[first as usize]));
            let threads = executed.times * u64::from(executed.lanes.count_ones());
            work.threads += threads * u64::from(end - first);
            work.transcendental_threads += threads * special;
            work.texture_threads += threads * textures;
            work.n_samples += (executed.times * textures) as u32;
        });
        debug_assert!(followed.is_ok(), "a valid frame: {followed:?}");
        work
    };
    trace.paths.iter().map(work).collect()
}

/// Texture instructions of the quads of each draw.
#[derive(Debug)]
pub(crate) struct SampleCounts {
    /// By draw: those of its program, or nothing if that branches.
    of_draws: Vec<Option<u32>>,
    of_paths: Vec<u32>,
}

impl SampleCounts {
    pub(crate) fn new(trace: &FrameTrace, paths: &[PathWork]) -> Self {
        let of_draw = |draw: &azulejo_trace::DrawTrace| {
            let program = &trace.programs[draw.fragment_program.0 as usize];
            (!program.branches()).then_some(draw.textures.len() as u32)
        };
        Self {
            of_draws: trace.draws.iter().map(of_draw).collect(),
            of_paths: paths.iter().map(|path| path.n_samples).collect(),
        }
    }

    /// Those of a draw's quads.
    pub(crate) fn of_draw(&self, draw: u32) -> QuadCounts<'_> {
        QuadCounts {
            all: self.of_draws[draw as usize],
            of_paths: &self.of_paths,
        }
    }
}

/// Texture instructions of a draw's quads.
#[derive(Debug, Clone, Copy)]
pub(crate) struct QuadCounts<'a> {
    all: Option<u32>,
    of_paths: &'a [u32],
}

impl QuadCounts<'_> {
    /// Those of a shaded quad; `path` is the position of its path in the tile, if it has one, and is moved behind it.
    #[inline]
    pub(crate) fn next(&self, tile: &TileTrace, path: &mut u32) -> u32 {
        self.all.unwrap_or_else(|| {
            let PathIdx(number) = tile.paths[*path as usize];
            *path += 1;
            self.of_paths[number as usize]
        })
    }
}
