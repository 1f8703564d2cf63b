//! Beginnings of what quads and vertices access in a frame's lists of lines and blocks.

use super::paths::{ExecutionCounts, PathWork};
use azulejo_trace::{BufferAccesses, DispatchTrace, DrawTrace, FrameTrace, PathIdx, TileTrace};

/// Place of an access in the facts' lists: counts and lines before it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct LineCursor {
    pub(crate) count: u32,
    pub(crate) line: u32,
}

impl LineCursor {
    /// Lines of the access; goes on behind it.
    pub(crate) fn next<'a>(&mut self, accesses: &'a BufferAccesses) -> &'a [u32] {
        let first = self.line as usize;
        self.line += u32::from(accesses.counts[self.count as usize]);
        self.count += 1;
        &accesses.lines[first..self.line as usize]
    }

    /// Goes on behind so many accesses, of which these are the counts.
    fn skip(&mut self, counts: &[u8], n: u32) {
        let first = self.count as usize;
        self.count += n;
        let counts = &counts[first..self.count as usize];
        self.line += counts.iter().map(|&n| u32::from(n)).sum::<u32>();
    }
}

/// Cursors of the first access of each shaded quad by tile, and of each vertex by draw, or of each quad by dispatch; empty in
/// frames whose programs access no buffer.
#[derive(Debug, Default)]
pub(crate) struct AccessStarts {
    of_tiles: Vec<Vec<LineCursor>>,
    of_draws: Vec<Vec<LineCursor>>,
}

/// Cursors of the first texture instruction of each quad by dispatch; none where its program has no such.
pub(super) fn texels_of_dispatches(trace: &FrameTrace, works: &[PathWork]) -> Vec<Vec<LineCursor>> {
    let of_dispatch = |dispatch: &DispatchTrace| {
        if dispatch.textures.is_empty() {
            return Vec::new();
        }
        let n_of = n_of(&dispatch.paths, dispatch.textures.len(), |path| {
            works[path].n_samples
        });
        starts(dispatch.n_quads() as usize, &dispatch.block_counts, n_of)
    };
    trace.dispatches.iter().map(of_dispatch).collect()
}

/// Executions of a group by its path, or, where none has a path, those of a straight program.
fn n_of(
    paths: &[PathIdx],
    straight: usize,
    of_path: impl Fn(usize) -> u32,
) -> impl Fn(usize) -> u32 {
    move |group| match paths.get(group) {
        Some(path) => of_path(path.0 as usize),
        None => straight as u32,
    }
}

/// Beginnings of groups one after the other; `n_of` says how many accesses each makes.
fn starts(groups: usize, counts: &[u8], n_of: impl Fn(usize) -> u32) -> Vec<LineCursor> {
    let mut next = LineCursor::default();
    let starts = (0..groups).map(|group| {
        let start = next;
        next.skip(counts, n_of(group));
        start
    });
    starts.collect()
}

impl AccessStarts {
    pub(crate) fn new(trace: &FrameTrace, works: &[PathWork], draw_of_primitive: &[u32]) -> Self {
        if trace
            .programs
            .iter()
            .all(|program| program.count_of_buffers() == 0)
        {
            return Self::default();
        }
        let counts = ExecutionCounts::of_buffers(trace, works);
        let of_tile = |tile| of_tile(tile, &counts, draw_of_primitive);
        Self {
            of_tiles: trace.tiles.iter().map(of_tile).collect(),
            of_draws: match trace.is_compute() {
                true => (trace.dispatches.iter())
                    .map(|dispatch| of_dispatch(dispatch, works))
                    .collect(),
                false => (trace.draws.iter())
                    .map(|draw| of_vertices(draw, works))
                    .collect(),
            },
        }
    }

    /// Beginning of a tile's shaded quad, by number.
    pub(crate) fn quad(&self, tile: u32, number: u32) -> LineCursor {
        self.of_tiles[tile as usize][number as usize]
    }

    /// Beginning of a draw's vertex, or of a dispatch's quad, by number.
    pub(crate) fn vertex(&self, draw: u32, number: u32) -> LineCursor {
        self.of_draws[draw as usize][number as usize]
    }
}

fn of_tile(
    tile: &TileTrace,
    counts: &ExecutionCounts,
    draw_of_primitive: &[u32],
) -> Vec<LineCursor> {
    let (mut starts, mut next, mut path) = (Vec::new(), LineCursor::default(), 0);
    for (entry, quads) in tile.entries() {
        let counts = counts.of_draw(draw_of_primitive[entry.primitive as usize]);
        for _ in quads.iter().filter(|quad| quad.is_shaded()) {
            starts.push(next);
            next.skip(&tile.accesses.counts, counts.next(tile, &mut path));
        }
    }
    starts
}

fn of_vertices(draw: &DrawTrace, works: &[PathWork]) -> Vec<LineCursor> {
    let n_of = n_of(&draw.vertex_paths, draw.vertex_buffers.len(), |path| {
        works[path].n_accesses
    });
    starts(draw.vertices.len(), &draw.vertex_accesses.counts, n_of)
}

fn of_dispatch(dispatch: &DispatchTrace, works: &[PathWork]) -> Vec<LineCursor> {
    let n_of = n_of(&dispatch.paths, dispatch.buffers.len(), |path| {
        works[path].n_accesses
    });
    starts(dispatch.n_quads() as usize, &dispatch.accesses.counts, n_of)
}
