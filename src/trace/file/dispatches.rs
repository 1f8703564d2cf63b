//! Payload of a compute pass's dispatches.

use super::accesses::{put_accesses, take_accesses};
use super::wire::{Decoder, Encoder, Malformed};
use crate::{DispatchTrace, PathIdx, ProgramId, TextureIdx};

pub(super) fn put_dispatches(to: &mut Encoder, dispatches: &[DispatchTrace]) {
    to.count(dispatches.len());
    for dispatch in dispatches {
        to.text(&dispatch.name);
        to.unsigned(dispatch.program.0.into());
        to.unsigned(dispatch.constant_bytes.into());
        to.unsigned(dispatch.group_threads.into());
        to.unsigned(dispatch.n_groups.into());
        put_numbers(to, dispatch.textures.iter().map(|texture| texture.0));
        put_numbers(to, dispatch.buffers.iter().copied());
        put_numbers(to, dispatch.paths.iter().map(|path| path.0));
        to.count(dispatch.block_counts.len());
        to.bytes.extend_from_slice(&dispatch.block_counts);
        put_numbers(to, dispatch.blocks.iter().copied());
        put_accesses(to, &dispatch.accesses);
    }
}

fn put_numbers(to: &mut Encoder, numbers: impl ExactSizeIterator<Item = u32>) {
    to.count(numbers.len());
    to.deltas(numbers);
}

pub(super) fn take_dispatches(from: &mut Decoder<'_>) -> Result<Vec<DispatchTrace>, Malformed> {
    let n = from.count(1, "the dispatches")?;
    from.reserve::<DispatchTrace>(n, "the dispatches")?;
    (0..n).map(|_| take_dispatch(from)).collect()
}

fn take_dispatch(from: &mut Decoder<'_>) -> Result<DispatchTrace, Malformed> {
    Ok(DispatchTrace {
        name: from.text("a dispatch's name")?,
        program: ProgramId(from.small("a dispatch's program")?),
        constant_bytes: from.small("a dispatch's constants")?,
        group_threads: from.small("a workgroup")?,
        n_groups: from.small("the workgroups")?,
        textures: (take_numbers(from, "a dispatch's textures")?.into_iter())
            .map(TextureIdx)
            .collect(),
        buffers: take_numbers(from, "a dispatch's buffers")?,
        paths: (take_numbers(from, "a dispatch's paths")?.into_iter())
            .map(PathIdx)
            .collect(),
        block_counts: {
            let count = from.count(1, "a dispatch's block counts")?;
            from.reserve::<u8>(count, "a dispatch's block counts")?;
            from.take(count, "a dispatch's block counts")?.to_vec()
        },
        blocks: take_numbers(from, "a dispatch's blocks")?,
        accesses: take_accesses(from)?,
    })
}

fn take_numbers(from: &mut Decoder<'_>, what: &'static str) -> Result<Vec<u32>, Malformed> {
    let count = from.count(1, what)?;
    from.deltas(count, what)
}
