//! Lines of buffers that quads or vertices access: at the end of draws and tiles, where some program of the frame accesses
//! buffers.

use super::wire::{Decoder, Encoder, Malformed};
use crate::{BufferAccesses, DrawTrace};

pub(super) fn put_accesses(to: &mut Encoder, accesses: &BufferAccesses) {
    to.count(accesses.counts.len());
    to.bytes.extend_from_slice(&accesses.counts);
    to.count(accesses.lines.len());
    to.deltas(accesses.lines.iter().copied());
}

pub(super) fn take_accesses(from: &mut Decoder<'_>) -> Result<BufferAccesses, Malformed> {
    let count = from.count(1, "counts of lines")?;
    from.reserve::<u8>(count, "counts of lines")?;
    let counts = from.take(count, "counts of lines")?.to_vec();
    let count = from.count(1, "lines of buffers")?;
    let lines = from.deltas(count, "lines of buffers")?;
    Ok(BufferAccesses { counts, lines })
}

pub(super) fn put_of_draw(to: &mut Encoder, draw: &DrawTrace) {
    for buffers in [&draw.vertex_buffers, &draw.fragment_buffers] {
        to.count(buffers.len());
        to.deltas(buffers.iter().copied());
    }
    put_accesses(to, &draw.vertex_accesses);
}

/// Fills in what [`put_of_draw`] has written.
pub(super) fn take_of_draw(from: &mut Decoder<'_>, draw: &mut DrawTrace) -> Result<(), Malformed> {
    for buffers in [&mut draw.vertex_buffers, &mut draw.fragment_buffers] {
        let count = from.count(1, "a draw's buffers")?;
        *buffers = from.deltas(count, "a draw's buffers")?;
    }
    draw.vertex_accesses = take_accesses(from)?;
    Ok(())
}
