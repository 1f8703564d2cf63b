//! Fragment programs of frames: their lengths and texture samples, by the fragments that run them.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use azulejo_trace::{FrameTrace, InstructionClass, Quad};

/// Fragment programs of one length, and the share of the fragments that run them. In a program that branches, a fragment's
/// length is that of its quad's path.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct ProgramShare {
    /// Instructions of a fragment.
    pub instructions: u64,
    /// Texture samples among them.
    pub samples: u64,
    /// Share of all fragments.
    pub share: f64,
}

/// Sums over the fragments of frames.
#[derive(Debug, Default)]
pub(super) struct Programs {
    /// Fragments by instructions and samples of their program.
    fragments: BTreeMap<(u64, u64), u64>,
    /// Distinct programs that fragments of a frame ran, summed over frames.
    pub(super) programs: u64,
}

impl Programs {
    pub(super) fn add(&mut self, frame: &FrameTrace) {
        let draw_of_primitive = frame.draw_of_primitive();
        let of_paths = frame.path_lengths();
        let mut by_program = vec![0_u64; frame.programs.len()];
        for tile in &frame.tiles {
            let mut paths = tile.paths.iter();
            for (entry, quads) in tile.entries() {
                let draw = &frame.draws[draw_of_primitive[entry.primitive as usize] as usize];
                let program = draw.fragment_program.0 as usize;
                let live = |quad: &Quad| u64::from(quad.live().count_ones());
                by_program[program] += quads.iter().map(live).sum::<u64>();
                if frame.programs[program].branches() {
                    let shaded = quads.iter().filter(|quad| quad.is_shaded());
                    for (quad, path) in shaded.zip(&mut paths) {
                        let [length, samples] = of_paths[path.0 as usize];
                        *self.fragments.entry((length, samples)).or_insert(0) += live(quad);
                    }
                }
            }
        }
        let run = frame.programs.iter().zip(by_program);
        for (program, fragments) in run.filter(|(_, fragments)| *fragments > 0) {
            self.programs += 1;
            if !program.branches() {
                let samples = program.count(InstructionClass::Texture) as u64;
                let length = (program.instructions.len() as u64, samples);
                *self.fragments.entry(length).or_insert(0) += fragments;
            }
        }
    }

    pub(super) fn n_fragments(&self) -> u64 {
        self.fragments.values().sum()
    }

    /// Instructions and texture samples that all fragments run.
    pub(super) fn work(&self) -> (u64, u64) {
        let each = self.fragments.iter();
        each.fold((0, 0), |(all, samples), ((length, own), fragments)| {
            (all + length * fragments, samples + own * fragments)
        })
    }

    /// Lengths with their shares, the most seen first.
    pub(super) fn shares(&self) -> Vec<ProgramShare> {
        let all = self.n_fragments() as f64;
        let each = self.fragments.iter();
        let share = |((instructions, samples), fragments): (&(u64, u64), &u64)| ProgramShare {
            instructions: *instructions,
            samples: *samples,
            share: *fragments as f64 / all,
        };
        let mut shares: Vec<_> = each.map(share).collect();
        shares.sort_by(|a, b| b.share.total_cmp(&a.share));
        shares
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use azulejo_grid::TileGrid;
    use azulejo_trace::Region;
    use azulejo_trace::synthetic::{CoveredScreen, independent};

    #[test]
    fn programs_that_branch_are_as_long_as_the_paths_of_their_quads() {
        let mut program = independent(InstructionClass::Alu, 6);
        program.regions = vec![Region::Block(0..1), Region::Loop(vec![Region::Block(1..6)])];
        let grid = TileGrid {
            width: 32,
            height: 32,
            tile_size: 32,
        };
        let mut screen = CoveredScreen::new(grid, program);
        screen.paths = vec![vec![15, 3, 15, 0], vec![15, 1, 15, 0]];
        let mut programs = Programs::default();
        programs.add(&screen.frame(0));
        let half = 32 * 32 / 2;
        let expected = BTreeMap::from([((16, 0), half), ((6, 0), half)]);
        assert_eq!(programs.fragments, expected, "three trips of five, or one");
    }
}
