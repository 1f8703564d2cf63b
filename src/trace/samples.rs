//! Samples of a frame's quads: which texture each of their texture instructions read, and which blocks of it.

use std::collections::BTreeSet;
use std::ops::Range;

use super::{FrameTrace, InstructionClass, PathIdx, TextureIdx, TileTrace};

/// Texture instructions along the paths of a frame, which must be [valid](FrameTrace::validate).
#[derive(Debug)]
pub struct QuadSamples<'f> {
    trace: &'f FrameTrace,
    draw_of_primitive: Vec<u32>,
    /// Numbers of texture instructions, by path.
    of_paths: Vec<Vec<u32>>,
}

impl<'f> QuadSamples<'f> {
    /// Follows each path that a quad took.
    #[must_use]
    pub fn new(trace: &'f FrameTrace) -> Self {
        let mut of_paths = vec![Vec::new(); trace.paths.len()];
        let programs = trace.programs.iter().filter(|_| trace.branches());
        let numbers: Vec<Vec<u32>> = programs
            .map(|program| program.counts_before(InstructionClass::is_texture))
            .collect();
        let taken: BTreeSet<PathIdx> = trace
            .tiles
            .iter()
            .flat_map(|tile| tile.paths.iter().copied())
            .collect();
        for path in taken {
            if let Some((program, steps)) = trace.paths.get(path) {
                let program = program.0 as usize;
                let samples = trace.programs[program].executions(&numbers[program], steps);
                of_paths[path.0 as usize] = samples.unwrap_or_default();
            }
        }
        Self {
            trace,
            draw_of_primitive: trace.draw_of_primitive(),
            of_paths,
        }
    }

    /// Calls `visit` with texture and blocks of each sample of a tile's quads, in order.
    pub fn of_tile(&self, tile: &TileTrace, mut visit: impl FnMut(TextureIdx, &[u32])) {
        let (mut counts, mut blocks) = (tile.block_counts.iter(), tile.blocks.as_slice());
        let mut paths = tile.paths.iter();
        let mut read = |texture: TextureIdx| {
            let count = counts.next().copied().unwrap_or(0);
            let (own, rest) = blocks.split_at(usize::from(count).min(blocks.len()));
            blocks = rest;
            visit(texture, own);
        };
        for (entry, quads) in tile.entries() {
            let draw = self.draw_of_primitive[entry.primitive as usize];
            let draw = &self.trace.draws[draw as usize];
            let branches = self.trace.programs[draw.fragment_program.0 as usize].branches();
            for _ in quads.iter().filter(|quad| quad.is_shaded()) {
                if !branches {
                    draw.textures.iter().for_each(|texture| read(*texture));
                } else if let Some(path) = paths.next() {
                    let samples = self.of_paths[path.0 as usize].iter();
                    samples.for_each(|number| read(draw.textures[*number as usize]));
                }
            }
        }
    }
}

impl FrameTrace {
    /// Instructions that a quad executes on each path, and texture samples among them; a block counts whichever of its lanes
    /// execute it. The trace must be [valid](FrameTrace::validate).
    #[must_use]
    pub fn path_lengths(&self) -> Vec<[u64; 2]> {
        let programs = self.programs.iter().filter(|_| !self.paths.is_empty());
        let before = programs.map(|program| program.counts_before(InstructionClass::is_texture));
        let before: Vec<Vec<u32>> = before.collect();
        let lengths = self.paths.iter().map(|(id, steps)| {
            let before = &before[id.0 as usize];
            let mut length = [0; 2];
            let followed = self.programs[id.0 as usize].follow(steps, |executed| {
                let Range { start, end } = executed.instructions;
                let samples = before[end as usize] - before[start as usize];
                length[0] += executed.times * u64::from(end - start);
                length[1] += executed.times * u64::from(samples);
            });
            followed.map_or([0; 2], |_| length)
        });
        lengths.collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::synthetic::{CoveredScreen, TexelPattern, fragment_program};
    use crate::{Instruction, Region};
    use azulejo_grid::TileGrid;

    #[test]
    fn quad_samples_follow_each_quads_path() {
        let texture = Instruction::new(InstructionClass::Texture, &[]);
        let mut program = fragment_program("two textures", vec![texture; 2]);
        let [first, second] = [0, 1].map(|at| Region::Block(at..at + 1));
        program.regions = vec![
            Region::Loop(vec![first]),
            Region::If([vec![second], vec![]]),
        ];
        let grid = TileGrid {
            width: 4,
            height: 2,
            tile_size: 8,
        };
        let mut screen = CoveredScreen::new(grid, program);
        screen.texels = TexelPattern::AlwaysNew;
        screen.paths = vec![vec![2, 15, 0, 15, 15], vec![1, 3, 0, 0]];
        let mut frame = screen.frame(0);
        frame.draws[0].textures = vec![TextureIdx(1), TextureIdx(0)];
        assert_eq!(frame.validate(), Ok(()), "the frame's facts");
        let mut read = Vec::new();
        let samples = QuadSamples::new(&frame);
        samples.of_tile(&frame.tiles[0], |texture, blocks| {
            read.push((texture.0, blocks.to_vec()));
        });
        let expected = [(1, 0), (1, 1), (0, 2), (1, 3)];
        let expected = expected.map(|(texture, block)| (texture, vec![block]));
        assert_eq!(read, expected, "two trips and the arm; one trip");
        assert_eq!(frame.path_lengths(), [[3, 3], [1, 1]], "all are samples");
    }
}
