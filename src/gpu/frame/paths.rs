//! Work along the paths of a frame: threads of each path's instructions, and the texture instructions and accesses to buffers
//! that stand for quads and vertices in the facts.

use azulejo_trace::{DrawTrace, FrameTrace, InstructionClass, PathIdx, TileTrace};

/// Threads of the instructions of a path, and texture instructions and accesses to buffers of its quad or vertex.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct PathWork {
    pub(crate) threads: u64,
    pub(crate) transcendental_threads: u64,
    pub(crate) texture_threads: u64,
    pub(crate) buffer_threads: u64,
    pub(crate) n_samples: u32,
    pub(crate) n_accesses: u32,
}

/// Work along each path of a frame.
pub(crate) fn path_works(trace: &FrameTrace) -> Vec<PathWork> {
    let programs = trace.programs.iter().filter(|_| !trace.paths.is_empty());
    let kinds: [fn(InstructionClass) -> bool; 3] = [
        |class| class == InstructionClass::Transcendental,
        InstructionClass::is_texture,
        InstructionClass::accesses_buffer,
    ];
    let before = programs.map(|program| kinds.map(|kind| program.counts_before(kind)));
    let before: Vec<[Vec<u32>; 3]> = before.collect();
    let work = |(program, steps): (azulejo_trace::ProgramId, &[u8])| {
        let (program, before) = (program.0 as usize, &before[program.0 as usize]);
        let mut work = PathWork::default();
        let followed = trace.programs[program].follow(steps, |executed| {
            let (first, end) = (executed.instructions.start, executed.instructions.end);
            let [special, textures, accesses] = before
                .each_ref()
                .map(|before| u64::from(before[end as usize] - before[first as usize]));
            let threads = executed.times * u64::from(executed.lanes.count_ones());
            work.threads += threads * u64::from(end - first);
            work.transcendental_threads += threads * special;
            work.texture_threads += threads * textures;
            work.buffer_threads += threads * accesses;
            work.n_samples += (executed.times * textures) as u32;
            work.n_accesses += (executed.times * accesses) as u32;
        });
        debug_assert!(followed.is_ok(), "a valid frame: {followed:?}");
        work
    };
    trace.paths.iter().map(work).collect()
}

/// Texture instructions, or accesses to buffers, of the quads of each draw.
#[derive(Debug)]
pub(crate) struct ExecutionCounts {
    /// By draw: those of its program, or nothing if that branches.
    of_draws: Vec<Option<u32>>,
    of_paths: Vec<u32>,
}

impl ExecutionCounts {
    /// Texture instructions.
    pub(crate) fn of_textures(trace: &FrameTrace, paths: &[PathWork]) -> Self {
        let of_draw = |draw: &DrawTrace| draw.textures.len();
        Self::new(trace, of_draw, paths.iter().map(|path| path.n_samples))
    }

    /// Accesses to buffers.
    pub(crate) fn of_buffers(trace: &FrameTrace, paths: &[PathWork]) -> Self {
        let of_draw = |draw: &DrawTrace| draw.fragment_buffers.len();
        Self::new(trace, of_draw, paths.iter().map(|path| path.n_accesses))
    }

    fn new(
        trace: &FrameTrace,
        of_draw: impl Fn(&DrawTrace) -> usize,
        of_paths: impl Iterator<Item = u32>,
    ) -> Self {
        let of_draw = |draw: &DrawTrace| {
            let program = &trace.programs[draw.fragment_program.0 as usize];
            (!program.branches()).then_some(of_draw(draw) as u32)
        };
        Self {
            of_draws: trace.draws.iter().map(of_draw).collect(),
            of_paths: of_paths.collect(),
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

/// Instructions of one kind of a draw's quads.
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
