//! Fragment programs of frames: their lengths and texture samples, by the fragments that run them.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use azulejo_trace::{FrameTrace, InstructionClass};

/// Fragment programs of one length, and the share of the fragments that run them.
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
        let mut by_program = vec![0_u64; frame.programs.len()];
        for tile in &frame.tiles {
            for (entry, quads) in tile.entries() {
                let draw = &frame.draws[draw_of_primitive[entry.primitive as usize] as usize];
                let live = quads.iter().map(|quad| u64::from(quad.live().count_ones()));
                by_program[draw.fragment_program.0 as usize] += live.sum::<u64>();
            }
        }
        let run = frame.programs.iter().zip(by_program);
        for (program, fragments) in run.filter(|(_, fragments)| *fragments > 0) {
            let samples = program.count(InstructionClass::Texture) as u64;
            let length = (program.instructions.len() as u64, samples);
            *self.fragments.entry(length).or_insert(0) += fragments;
            self.programs += 1;
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
