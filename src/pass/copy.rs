//! Copies between buffers and textures.

use wgpu_types::{Extent3d, TexelCopyBufferLayout, TextureAspect};

use crate::error::{Result, fault};
use crate::memory::{BufferId, Memory, Pitch, TexturePlace};
use crate::pass::Copy;

pub(crate) fn copy(memory: &mut Memory, copy: &Copy) -> Result<()> {
    match *copy {
        Copy::Buffer { from, to, bytes } => {
            let content = part(memory, from, bytes)?.to_vec();
            memory.write_buffer(to.0, to.1, &content)
        }
        Copy::ToTexture { from, to, size } => {
            memory.check_aspect(to.texture, TextureAspect::All)?;
            let content = memory.read_buffer(from.0)?.to_vec();
            memory.write_texture(to, &content, from.1, size)
        }
        Copy::ToBuffer { from, to, size } => to_buffer(memory, from, to, size),
        Copy::Texture { from, to, size } => {
            let formats = [from, to].map(|place| memory.spec(place.texture));
            let [source, target] = [formats[0].clone()?, formats[1].clone()?];
            if source.format.remove_srgb_suffix() != target.format.remove_srgb_suffix()
                || source.samples != target.samples
            {
                return Err(fault!(
                    "copy from {:?} to {:?}; expected one format and number of samples",
                    source.format,
                    target.format
                ));
            }
            let rows: Vec<Vec<u8>> = memory
                .rows(from, size)?
                .iter()
                .map(|(_, row)| row.to_vec())
                .collect();
            for ((_, to), from) in memory.rows_mut(to, size)?.into_iter().zip(rows) {
                to.copy_from_slice(&from);
            }
            Ok(())
        }
    }
}

fn part(memory: &Memory, (buffer, offset): (BufferId, u64), bytes: u64) -> Result<&[u8]> {
    let whole = memory.read_buffer(buffer)?;
    let end = offset
        .checked_add(bytes)
        .filter(|&end| end <= whole.len() as u64);
    let end = end.ok_or_else(|| {
        fault!(
            "buffer {}: {bytes} bytes from {offset} on; expected them within {}",
            buffer.0,
            whole.len()
        )
    })?;
    Ok(&whole[offset as usize..end as usize])
}

fn to_buffer(
    memory: &mut Memory,
    from: TexturePlace,
    (buffer, layout): (BufferId, TexelCopyBufferLayout),
    size: Extent3d,
) -> Result<()> {
    memory.check_aspect(from.texture, TextureAspect::All)?;
    let row_bytes = size.width as usize * memory.texels(from.texture)?.format.bytes();
    let pitch = Pitch::new(layout, row_bytes, size);
    let rows: Vec<(usize, Vec<u8>)> = (memory.rows(from, size)?.iter())
        .map(|(at, row)| (pitch.of(*at), row.to_vec()))
        .collect();
    rows.iter()
        .try_for_each(|(at, row)| memory.write_buffer(buffer, *at as u64, row))
}
