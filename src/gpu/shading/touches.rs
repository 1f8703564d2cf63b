//! The lines of the texture cache that a warp's sample needs: blocks of its quads in, distinct lines out.

use super::job::WarpJob;
use crate::frame::{PlacedTexture, PreparedFrame};

/// A line that a warp's sample touches.
#[derive(Debug, Clone, Copy)]
pub(super) struct Touch {
    pub(super) line: u64,
    /// How many quads do.
    pub(super) quads: u32,
}

/// The distinct lines that the warp's next texture instruction touches, in order of first touch; returns how many they are
/// counted for each quad by itself. It is number `texture` of the program, and these quads execute it.
pub(super) fn gather_lines(
    job: &mut WarpJob,
    (texture, quads): (u32, u32),
    facts: &PreparedFrame<'_>,
    line_mask: u64,
    touches: &mut Vec<Touch>,
) -> u64 {
    touches.clear();
    job.next_texture += 1;
    let PlacedTexture { base, block_bytes } = facts.texture(job.draw, texture as usize);
    let (counts, all_blocks) = facts.texels((job.tile, job.draw));
    let line_of = |block: u32| (base + u64::from(block) * block_bytes) & line_mask;
    let several_blocks = !line_mask >= block_bytes;
    let mut touched = 0;
    // Neighbouring quads touch the same lines in the same order: the next one is most often where the last one was found, and one.
    let mut guess = 0;
    let n_quads = job.n_quads as usize;
    for (quad, cursor) in job.quads[..n_quads].iter_mut().enumerate() {
        if quads >> quad & 1 == 0 {
            continue;
        }
        let count = counts[cursor.count as usize];
        let first = cursor.block as usize;
        let end = first + usize::from(count);
        cursor.count += 1;
        cursor.block = end as u32;
        let blocks = &all_blocks[first..end];
        for (nth, block) in blocks.iter().enumerate() {
            let line = line_of(*block);
            // A quad's blocks differ, its lines need not.
            if several_blocks && blocks[..nth].iter().any(|other| line_of(*other) == line) {
                continue;
            }
            touched += 1;
            if touches.get(guess).is_none_or(|touch| touch.line != line) {
                let known = touches.iter().position(|touch| touch.line == line);
                guess = known.unwrap_or(touches.len());
            }
            match touches.get_mut(guess) {
                Some(touch) => touch.quads += 1,
                None => touches.push(Touch { line, quads: 1 }),
            }
            guess += 1;
        }
        guess = 0;
    }
    touched
}
