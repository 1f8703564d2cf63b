//! Texels of both sides, component by component.

use azulejo::pass::types::TextureFormat as Format;
use azulejo::pass::{Memory, TexturePlace};

use super::twin::Content;

/// Share of texels that may differ by more than a component's tolerance: where a depth or a level is decided by the last
/// bit.
const OFF_SHARE: f64 = 0.002;

/// Components of a texel in the format's own steps (floats as they are).
fn components(format: Format, texel: &[u8]) -> Vec<f64> {
    let word =
        |at: usize| u32::from_le_bytes([texel[at], texel[at + 1], texel[at + 2], texel[at + 3]]);
    let name = format!("{format:?}");
    let bits = |shift: u32, n: u32| f64::from(word(0) >> shift & ((1 << n) - 1));
    match format {
        Format::Rgb10a2Unorm | Format::Rgb10a2Uint => {
            vec![bits(0, 10), bits(10, 10), bits(20, 10), bits(30, 2)]
        }
        Format::Rg11b10Ufloat => {
            let float = |at: u32, mantissa: u32| {
                let bits = word(0) >> at & ((32 << mantissa) - 1);
                let (exponent, fraction) =
                    (bits >> mantissa, f64::from(bits & ((1 << mantissa) - 1)));
                let steps = f64::from(1 << mantissa);
                match exponent {
                    0 => fraction / steps * 2_f64.powi(-14),
                    _ => (1.0 + fraction / steps) * 2_f64.powi(exponent.cast_signed() - 15),
                }
            };
            vec![float(0, 6), float(11, 6), float(22, 5)]
        }
        Format::Depth32Float => vec![f32::from_bits(word(0)).into()],
        Format::Depth16Unorm => vec![f64::from(u16::from_le_bytes([texel[0], texel[1]]))],
        Format::Stencil8 => vec![texel[0].into()],
        _ if name.contains("16") => {
            let number = |bytes: [u8; 2]| match name.contains("Float") {
                true => half(u16::from_le_bytes(bytes)),
                false if name.contains("Sint") || name.contains("Snorm") => {
                    i16::from_le_bytes(bytes).into()
                }
                false => u16::from_le_bytes(bytes).into(),
            };
            texel
                .as_chunks::<2>()
                .0
                .iter()
                .map(|bytes| number(*bytes))
                .collect()
        }
        _ if name.contains("32") => {
            let number = |bytes: [u8; 4]| match name.contains("Float") {
                true => f32::from_le_bytes(bytes).into(),
                false if name.contains("Sint") => i32::from_le_bytes(bytes).into(),
                false => u32::from_le_bytes(bytes).into(),
            };
            texel
                .as_chunks::<4>()
                .0
                .iter()
                .map(|bytes| number(*bytes))
                .collect()
        }
        _ if name.contains("Sint") || name.contains("Snorm") => texel
            .iter()
            .map(|byte| f64::from(byte.cast_signed()))
            .collect(),
        _ => texel.iter().map(|byte| f64::from(*byte)).collect(),
    }
}

fn half(bits: u16) -> f64 {
    let sign = if bits >> 15 == 1 { -1.0 } else { 1.0 };
    let (exponent, fraction) = (i32::from(bits >> 10 & 31), f64::from(bits & 0x3ff) / 1024.0);
    sign * match exponent {
        0 => fraction * 2_f64.powi(-14),
        _ => (1.0 + fraction) * 2_f64.powi(exponent - 15),
    }
}

/// Difference that a component may have.
fn tolerance(format: Format, value: f64) -> f64 {
    let name = format!("{format:?}");
    match format {
        Format::Rg11b10Ufloat => value.abs() / 16.0 + 1e-3,
        Format::Depth32Float => 2e-6,
        _ if name.contains("Float") && name.contains("16") => value.abs() / 256.0 + 2e-3,
        _ if name.contains("Float") => value.abs() * 1e-4 + 1e-4,
        _ if name.contains("Uint") || name.contains("Sint") || name.contains("Stencil") => 0.0,
        // An eighth bit that blending or filtering rounds the other way; of sixteen bits what eight bits of weights leave.
        _ if name.contains("16") => 300.0,
        _ if name.contains("10") => 5.0,
        _ => 2.0,
    }
}

/// Compares the memories; a sentence on the first texture that differs.
pub(super) fn compare(name: &str, ours: &Memory, theirs: &Content) -> Result<(), String> {
    for (id, theirs) in ours.buffers().zip(&theirs.buffers) {
        let ours = ours.read_buffer(id).expect("it exists");
        if ours != theirs {
            let at = ours.iter().zip(theirs).position(|(a, b)| a != b);
            return Err(format!("{name}: buffer {} differs at byte {at:?}", id.0));
        }
    }
    for (id, theirs) in ours.textures().zip(&theirs.textures) {
        let Some(theirs) = theirs else { continue };
        let spec = ours.spec(id).expect("it exists");
        let ours = ours
            .read_texture(TexturePlace::start(id), spec.size)
            .expect("all of it");
        let bytes = spec.format.block_copy_size(None).expect("a plain format") as usize;
        let (mut off, mut first) = (0, None);
        for (at, (a, b)) in ours
            .chunks_exact(bytes)
            .zip(theirs.chunks_exact(bytes))
            .enumerate()
        {
            let (a, b) = (components(spec.format, a), components(spec.format, b));
            let is_off = |(a, b): (&f64, &f64)| (a - b).abs() > tolerance(spec.format, *b);
            if a.iter().zip(&b).any(is_off) {
                off += 1;
                first.get_or_insert((at, a, b));
            }
        }
        let texels = ours.len() / bytes;
        if f64::from(off) > OFF_SHARE * texels as f64 {
            let (at, a, b) = first.expect("one is off");
            let place = (at % spec.size.width as usize, at / spec.size.width as usize);
            return Err(format!(
                "{name}: {:?}: {off} of {texels} texels; at {place:?} {a:?} for the driver's {b:?}",
                spec.format
            ));
        }
    }
    Ok(())
}
