//! Payload of a frame's facts that only passes of applications have: a frame that is drawn by one pass to a frame buffer, with
//! the renderer's own tile buffers and without instances, has none.

use super::wire::{Decoder, Encoder, Malformed};
use crate::{FrameTrace, TargetTexture, TextureIdx};

/// Bytes of a pixel in the renderer's tile buffers, by its samples: a colour and a depth each.
fn usual_pixel_bytes(frame: &FrameTrace) -> u32 {
    8 * frame.samples.get()
}

/// Whether a frame is one of the usual kind.
pub(super) fn is_usual(frame: &FrameTrace) -> bool {
    let is_usual = |draw: &crate::DrawTrace| {
        draw.instances == 1 && !draw.vertex_streams.iter().any(|s| s.per_instance)
    };
    frame.name.is_empty()
        && frame.pixel_bytes == usual_pixel_bytes(frame)
        && frame.targets.iter().all(|target| target.texture.is_none())
        && frame.draws.iter().all(is_usual)
        && frame.buffers.iter().all(|buffer| buffer.texture.is_none())
}

pub(super) fn put_pass(to: &mut Encoder, frame: &FrameTrace) {
    to.text(&frame.name);
    to.unsigned(frame.pixel_bytes.into());
    for target in &frame.targets {
        to.flag(target.texture.is_some());
        if let Some(place) = target.texture {
            to.unsigned(place.texture.0.into());
            to.unsigned(place.first_block.into());
        }
    }
    for draw in &frame.draws {
        to.unsigned(draw.instances.into());
        for stream in &draw.vertex_streams {
            to.flag(stream.per_instance);
        }
    }
    // Files of version 14 end here.
    for buffer in &frame.buffers {
        to.unsigned(buffer.texture.map_or(0, |texture| u64::from(texture.0) + 1));
    }
}

/// Fills in the facts that [`put_pass`] has written.
pub(super) fn take_pass(from: &mut Decoder<'_>, frame: &mut FrameTrace) -> Result<(), Malformed> {
    const TARGET: &str = "a target's texture";
    frame.name = from.text("the pass's name")?;
    frame.pixel_bytes = from.small("the bytes of a pixel")?;
    for target in &mut frame.targets {
        if from.flag(TARGET)? {
            target.texture = Some(TargetTexture {
                texture: TextureIdx(from.small(TARGET)?),
                first_block: from.small(TARGET)?,
            });
        }
    }
    for draw in &mut frame.draws {
        draw.instances = from.small("a draw's instances")?;
        for stream in &mut draw.vertex_streams {
            stream.per_instance = from.flag("a vertex stream")?;
        }
    }
    if from.is_empty() {
        return Ok(());
    }
    for buffer in &mut frame.buffers {
        let number: u32 = from.small("a buffer's texture")?;
        buffer.texture = number.checked_sub(1).map(TextureIdx);
    }
    Ok(())
}

/// Sets them to those of the usual kind.
pub(super) fn set_usual(frame: &mut FrameTrace) {
    frame.pixel_bytes = usual_pixel_bytes(frame);
}
