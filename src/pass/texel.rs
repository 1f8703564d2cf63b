//! Texels: the bytes of a format, and the numbers that programs see, as bits: floats, or integers of integer formats.
//!
//! Conversions are those of Vulkan 1.3, 16.1 and 3.11 (fixed point and small floats); a component that a format lacks is 0,
//! and alpha 1.

use azulejo_scene::{linear_from_rgb9e5, rgb9e5_from_linear};
use azulejo_shader::ScalarType;
use half::f16;
use wgpu_types::{TextureFormat as Format, VertexFormat};

use crate::error::{Result, fault};
use crate::numbers::{LINEAR, small_float, srgb_byte, to_small_float, unorm};

/// Numbers of a texel, as bits.
pub(crate) type Texel = [u32; 4];

/// Meaning of a component.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Unorm,
    Snorm,
    Uint,
    Sint,
    Float,
}

/// Arrangement of a texel's bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Layout {
    /// Components of so many bytes each.
    Whole(Kind, usize, usize),
    /// Bytes of red, green, blue and alpha, colours encoded by sRGB; whether blue comes first.
    Bytes {
        srgb: bool,
        blue_first: bool,
    },
    Rgb10a2 {
        integer: bool,
    },
    Rg11b10,
    Rgb9e5,
    /// Depth in 16 bits, fixed point.
    Depth16,
    DepthFloat,
    Stencil,
    DepthStencil,
}

/// A format that textures can have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct TexelFormat {
    /// Its name in WebGPU.
    pub(crate) name: Format,
    layout: Layout,
}

/// Formats that textures can have.
const FORMATS: [(Format, Layout); 49] = [
    (Format::R8Unorm, Layout::Whole(Kind::Unorm, 1, 1)),
    (Format::R8Snorm, Layout::Whole(Kind::Snorm, 1, 1)),
    (Format::R8Uint, Layout::Whole(Kind::Uint, 1, 1)),
    (Format::R8Sint, Layout::Whole(Kind::Sint, 1, 1)),
    (Format::Rg8Unorm, Layout::Whole(Kind::Unorm, 1, 2)),
    (Format::Rg8Snorm, Layout::Whole(Kind::Snorm, 1, 2)),
    (Format::Rg8Uint, Layout::Whole(Kind::Uint, 1, 2)),
    (Format::Rg8Sint, Layout::Whole(Kind::Sint, 1, 2)),
    (
        Format::Rgba8Unorm,
        Layout::Bytes {
            srgb: false,
            blue_first: false,
        },
    ),
    (
        Format::Rgba8UnormSrgb,
        Layout::Bytes {
            srgb: true,
            blue_first: false,
        },
    ),
    (
        Format::Bgra8Unorm,
        Layout::Bytes {
            srgb: false,
            blue_first: true,
        },
    ),
    (
        Format::Bgra8UnormSrgb,
        Layout::Bytes {
            srgb: true,
            blue_first: true,
        },
    ),
    (Format::Rgba8Snorm, Layout::Whole(Kind::Snorm, 1, 4)),
    (Format::Rgba8Uint, Layout::Whole(Kind::Uint, 1, 4)),
    (Format::Rgba8Sint, Layout::Whole(Kind::Sint, 1, 4)),
    (Format::R16Unorm, Layout::Whole(Kind::Unorm, 2, 1)),
    (Format::R16Snorm, Layout::Whole(Kind::Snorm, 2, 1)),
    (Format::R16Uint, Layout::Whole(Kind::Uint, 2, 1)),
    (Format::R16Sint, Layout::Whole(Kind::Sint, 2, 1)),
    (Format::R16Float, Layout::Whole(Kind::Float, 2, 1)),
    (Format::Rg16Unorm, Layout::Whole(Kind::Unorm, 2, 2)),
    (Format::Rg16Snorm, Layout::Whole(Kind::Snorm, 2, 2)),
    (Format::Rg16Uint, Layout::Whole(Kind::Uint, 2, 2)),
    (Format::Rg16Sint, Layout::Whole(Kind::Sint, 2, 2)),
    (Format::Rg16Float, Layout::Whole(Kind::Float, 2, 2)),
    (Format::Rgba16Unorm, Layout::Whole(Kind::Unorm, 2, 4)),
    (Format::Rgba16Snorm, Layout::Whole(Kind::Snorm, 2, 4)),
    (Format::Rgba16Uint, Layout::Whole(Kind::Uint, 2, 4)),
    (Format::Rgba16Sint, Layout::Whole(Kind::Sint, 2, 4)),
    (Format::Rgba16Float, Layout::Whole(Kind::Float, 2, 4)),
    (Format::R32Uint, Layout::Whole(Kind::Uint, 4, 1)),
    (Format::R32Sint, Layout::Whole(Kind::Sint, 4, 1)),
    (Format::R32Float, Layout::Whole(Kind::Float, 4, 1)),
    (Format::Rg32Uint, Layout::Whole(Kind::Uint, 4, 2)),
    (Format::Rg32Sint, Layout::Whole(Kind::Sint, 4, 2)),
    (Format::Rg32Float, Layout::Whole(Kind::Float, 4, 2)),
    (Format::Rgba32Uint, Layout::Whole(Kind::Uint, 4, 4)),
    (Format::Rgba32Sint, Layout::Whole(Kind::Sint, 4, 4)),
    (Format::Rgba32Float, Layout::Whole(Kind::Float, 4, 4)),
    (Format::Rgb10a2Unorm, Layout::Rgb10a2 { integer: false }),
    (Format::Rgb10a2Uint, Layout::Rgb10a2 { integer: true }),
    (Format::Rg11b10Ufloat, Layout::Rg11b10),
    (Format::Rgb9e5Ufloat, Layout::Rgb9e5),
    (Format::Depth16Unorm, Layout::Depth16),
    // "At least 24 bits" are those of a float.
    (Format::Depth24Plus, Layout::DepthFloat),
    (Format::Depth32Float, Layout::DepthFloat),
    (Format::Stencil8, Layout::Stencil),
    (Format::Depth24PlusStencil8, Layout::DepthStencil),
    (Format::Depth32FloatStencil8, Layout::DepthStencil),
];

impl TexelFormat {
    /// The format of a name.
    pub(crate) fn new(name: Format) -> Result<Self> {
        let layout = FORMATS.iter().find(|(of, _)| *of == name);
        let Some(&(_, layout)) = layout else {
            return Err(fault!(
                "format {name:?}: not supported; expected one that is not compressed, of 8, 16 or 32 bits a component, \
                 or packed into 32"
            ));
        };
        Ok(Self { name, layout })
    }

    /// Numbers of an attribute, and its components' type.
    pub(crate) fn of_attribute(name: VertexFormat) -> Result<(Self, ScalarType)> {
        use Kind::{Float, Sint, Snorm, Uint, Unorm};
        use VertexFormat as V;
        let (kind, bytes) = match name {
            V::Uint8 | V::Uint8x2 | V::Uint8x4 => (Uint, 1),
            V::Sint8 | V::Sint8x2 | V::Sint8x4 => (Sint, 1),
            V::Unorm8 | V::Unorm8x2 | V::Unorm8x4 => (Unorm, 1),
            V::Snorm8 | V::Snorm8x2 | V::Snorm8x4 => (Snorm, 1),
            V::Uint16 | V::Uint16x2 | V::Uint16x4 => (Uint, 2),
            V::Sint16 | V::Sint16x2 | V::Sint16x4 => (Sint, 2),
            V::Unorm16 | V::Unorm16x2 | V::Unorm16x4 => (Unorm, 2),
            V::Snorm16 | V::Snorm16x2 | V::Snorm16x4 => (Snorm, 2),
            V::Float16 | V::Float16x2 | V::Float16x4 => (Float, 2),
            V::Float32 | V::Float32x2 | V::Float32x3 | V::Float32x4 => (Float, 4),
            V::Uint32 | V::Uint32x2 | V::Uint32x3 | V::Uint32x4 => (Uint, 4),
            V::Sint32 | V::Sint32x2 | V::Sint32x3 | V::Sint32x4 => (Sint, 4),
            V::Unorm10_10_10_2 => return Ok((Self::new(Format::Rgb10a2Unorm)?, ScalarType::F32)),
            V::Unorm8x4Bgra => return Ok((Self::new(Format::Bgra8Unorm)?, ScalarType::F32)),
            V::Float64 | V::Float64x2 | V::Float64x3 | V::Float64x4 => {
                return Err(fault!(
                    "attribute of {name:?}; expected at most 32 bits a component"
                ));
            }
        };
        let components = name.size() as usize / bytes;
        let scalar = match kind {
            Uint => ScalarType::U32,
            Sint => ScalarType::I32,
            _ => ScalarType::F32,
        };
        let layout = Layout::Whole(kind, bytes, components);
        // Attributes with three components are like no texel: the name is that of the type.
        let name = match kind {
            Uint => Format::Rgba32Uint,
            Sint => Format::Rgba32Sint,
            _ => Format::Rgba32Float,
        };
        Ok((Self { name, layout }, scalar))
    }

    /// Bytes of a texel.
    pub(crate) const fn bytes(self) -> usize {
        match self.layout {
            Layout::Whole(_, bytes, components) => bytes * components,
            Layout::Depth16 => 2,
            Layout::Stencil => 1,
            Layout::DepthStencil => 8,
            _ => 4,
        }
    }

    /// Bytes of a texel's depth or colour, or of its stencil, where a format has both.
    pub(crate) const fn plane_bytes(self, is_stencil: bool) -> usize {
        match self.depth_stencil() {
            [true, true] if is_stencil => 1,
            [true, true] => 4,
            _ => self.bytes(),
        }
    }

    /// Whether programs see integers.
    pub(crate) const fn is_integer(self) -> bool {
        matches!(
            self.layout,
            Layout::Whole(Kind::Uint | Kind::Sint, ..)
                | Layout::Rgb10a2 { integer: true }
                | Layout::Stencil
        )
    }

    /// Whether programs see signed integers.
    pub(crate) const fn is_signed_integer(self) -> bool {
        matches!(self.layout, Layout::Whole(Kind::Sint, ..))
    }

    /// Range of fixed-point colours, to which blending clamps what it reads.
    pub(crate) const fn fixed_point(self) -> Option<[f32; 2]> {
        match self.layout {
            Layout::Whole(Kind::Unorm, ..)
            | Layout::Bytes { .. }
            | Layout::Rgb10a2 { integer: false } => Some([0.0, 1.0]),
            Layout::Whole(Kind::Snorm, ..) => Some([-1.0, 1.0]),
            _ => None,
        }
    }

    /// Whether depths are fixed point, of 16 bits.
    pub(crate) const fn has_fixed_depth(self) -> bool {
        matches!(self.layout, Layout::Depth16)
    }

    /// Whether a texel has a depth, and whether a stencil value.
    pub(crate) const fn depth_stencil(self) -> [bool; 2] {
        match self.layout {
            Layout::Depth16 | Layout::DepthFloat => [true, false],
            Layout::Stencil => [false, true],
            Layout::DepthStencil => [true, true],
            _ => [false, false],
        }
    }

    /// Numbers of a texel; depth, then stencil.
    pub(crate) fn decode(self, bytes: &[u8]) -> Texel {
        let one = if self.is_integer() {
            1
        } else {
            1.0_f32.to_bits()
        };
        let mut texel = [0, 0, 0, one];
        match self.layout {
            Layout::Whole(kind, size, components) => {
                for (number, component) in texel
                    .iter_mut()
                    .zip(bytes.chunks_exact(size))
                    .take(components)
                {
                    *number = component_bits(kind, component);
                }
            }
            Layout::Bytes { srgb, blue_first } => {
                for (channel, number) in texel.iter_mut().enumerate() {
                    let byte = bytes[place_of(channel, blue_first)];
                    *number = if srgb && channel < 3 {
                        LINEAR[usize::from(byte)].to_bits()
                    } else {
                        (f32::from(byte) / 255.0).to_bits()
                    };
                }
            }
            Layout::Rgb10a2 { integer } => {
                let packed = word(bytes);
                texel = [0, 10, 20, 30].map(|first| packed >> first & 0x3ff);
                if !integer {
                    for (number, most) in texel.iter_mut().zip([1023.0, 1023.0, 1023.0, 3.0]) {
                        *number = (*number as f32 / most).to_bits();
                    }
                }
            }
            Layout::Rg11b10 => {
                let packed = word(bytes);
                texel[0] = small_float(packed & 0x7ff, 6).to_bits();
                texel[1] = small_float(packed >> 11 & 0x7ff, 6).to_bits();
                texel[2] = small_float(packed >> 22, 5).to_bits();
            }
            Layout::Rgb9e5 => {
                let color = linear_from_rgb9e5(word(bytes)).to_array();
                texel[..3].copy_from_slice(&color.map(f32::to_bits));
            }
            Layout::Depth16 => texel[0] = component_bits(Kind::Unorm, bytes),
            Layout::DepthFloat => texel[0] = word(bytes),
            Layout::Stencil => texel[0] = bytes[0].into(),
            Layout::DepthStencil => {
                texel[0] = word(bytes);
                texel[1] = bytes[4].into();
            }
        }
        texel
    }

    /// Bytes of a texel with these numbers, rounded to what the format holds.
    pub(crate) fn encode(self, texel: Texel, bytes: &mut [u8]) {
        let float = |channel: usize| f32::from_bits(texel[channel]);
        match self.layout {
            Layout::Whole(kind, size, components) => {
                let numbers = texel.into_iter().take(components);
                for (number, component) in numbers.zip(bytes.chunks_exact_mut(size)) {
                    put_component(kind, number, component);
                }
            }
            Layout::Bytes { srgb, blue_first } => {
                for channel in 0..4 {
                    bytes[place_of(channel, blue_first)] = if srgb && channel < 3 {
                        srgb_byte(float(channel))
                    } else {
                        unorm(float(channel), 255.0) as u8
                    };
                }
            }
            Layout::Rgb10a2 { integer } => {
                let most = [1023, 1023, 1023, 3];
                let number = |channel: usize| {
                    let most: u16 = most[channel];
                    match integer {
                        true => texel[channel].min(most.into()),
                        false => unorm(float(channel), most.into()),
                    }
                };
                put(
                    bytes,
                    number(0) | number(1) << 10 | number(2) << 20 | number(3) << 30,
                );
            }
            Layout::Rg11b10 => {
                let [r, g, b] = [(0, 6), (1, 6), (2, 5)]
                    .map(|(channel, mantissa)| to_small_float(float(channel), mantissa));
                put(bytes, r | g << 11 | b << 22);
            }
            Layout::Rgb9e5 => put(bytes, rgb9e5_from_linear([0, 1, 2].map(float).into())),
            Layout::Depth16 => put_component(Kind::Unorm, texel[0], bytes),
            Layout::DepthFloat => put(bytes, texel[0]),
            Layout::Stencil => bytes[0] = texel[0] as u8,
            Layout::DepthStencil => {
                put(&mut bytes[..4], texel[0]);
                put(&mut bytes[4..], texel[1] & 0xff);
            }
        }
    }

    /// Numbers that are left of these when the format has held them.
    pub(crate) fn rounded(self, texel: Texel) -> Texel {
        let mut bytes = [0; 16];
        let bytes = &mut bytes[..self.bytes()];
        self.encode(texel, bytes);
        self.decode(bytes)
    }
}

/// Byte of a channel.
const fn place_of(channel: usize, blue_first: bool) -> usize {
    match blue_first && channel < 3 {
        true => 2 - channel,
        false => channel,
    }
}

fn word(bytes: &[u8]) -> u32 {
    u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]])
}

fn put(bytes: &mut [u8], word: u32) {
    bytes.copy_from_slice(&word.to_le_bytes());
}

fn component_bits(kind: Kind, bytes: &[u8]) -> u32 {
    let number = match *bytes {
        [a] => a.into(),
        [a, b] => u16::from_le_bytes([a, b]).into(),
        _ => word(bytes),
    };
    let bits = 8 * bytes.len() as u32;
    let signed = (number << (32 - bits)).cast_signed() >> (32 - bits);
    match kind {
        Kind::Uint => number,
        Kind::Sint => signed.cast_unsigned(),
        Kind::Unorm => (number as f32 / most(bits)).to_bits(),
        Kind::Snorm => (signed as f32 / most(bits - 1)).max(-1.0).to_bits(),
        Kind::Float if bits == 16 => f16::from_bits(number as u16).to_f32().to_bits(),
        Kind::Float => number,
    }
}

fn put_component(kind: Kind, number: u32, bytes: &mut [u8]) {
    let bits = 8 * bytes.len() as u32;
    let float = f32::from_bits(number);
    let stored = match kind {
        Kind::Uint if bits < 32 => number.min((1 << bits) - 1),
        Kind::Sint if bits < 32 => {
            let most = (1 << (bits - 1)) - 1;
            number.cast_signed().clamp(-most - 1, most).cast_unsigned()
        }
        Kind::Unorm => unorm(float, most(bits)),
        Kind::Snorm => {
            let scaled = if float.is_nan() {
                0.0
            } else {
                float.clamp(-1.0, 1.0) * most(bits - 1)
            };
            (scaled.round_ties_even() as i32).cast_unsigned()
        }
        Kind::Float if bits == 16 => f16::from_f32(float).to_bits().into(),
        Kind::Uint | Kind::Sint | Kind::Float => number,
    };
    bytes.copy_from_slice(&stored.to_le_bytes()[..bytes.len()]);
}

/// Largest number of so many bits, at most 16.
const fn most(bits: u32) -> f32 {
    ((1_u32 << bits) - 1) as f32
}

#[cfg(test)]
mod tests {
    use super::*;

    fn formats() -> Vec<TexelFormat> {
        let names = [
            Format::R8Unorm,
            Format::R8Snorm,
            Format::R8Uint,
            Format::R8Sint,
            Format::Rg8Unorm,
            Format::Rg8Snorm,
            Format::Rgba8Unorm,
            Format::Rgba8UnormSrgb,
            Format::Bgra8Unorm,
            Format::Bgra8UnormSrgb,
            Format::Rgba8Snorm,
            Format::Rgba8Uint,
            Format::Rgba8Sint,
            Format::R16Unorm,
            Format::R16Snorm,
            Format::R16Uint,
            Format::R16Sint,
            Format::R16Float,
            Format::Rg16Float,
            Format::Rgba16Float,
            Format::Rgba16Sint,
            Format::R32Uint,
            Format::R32Float,
            Format::Rgba32Float,
            Format::Rgb10a2Unorm,
            Format::Rgb10a2Uint,
            Format::Rg11b10Ufloat,
            Format::Rgb9e5Ufloat,
            Format::Depth16Unorm,
            Format::Depth24Plus,
            Format::Depth32Float,
            Format::Stencil8,
            Format::Depth24PlusStencil8,
        ];
        names
            .map(|name| TexelFormat::new(name).expect("a format"))
            .into()
    }

    #[test]
    fn texel_bytes_come_back_from_their_numbers() {
        for format in formats() {
            let n = format.bytes();
            for seed in 0_u32..40_000 {
                let scrambled = seed.wrapping_mul(0x9e37_79b9) ^ seed << 7;
                let mut bytes = [0; 16];
                for (at, byte) in bytes.iter_mut().enumerate() {
                    *byte = (scrambled.rotate_left(5 * at as u32) >> 3) as u8;
                }
                let numbers = format.decode(&bytes[..n]);
                let has_nan = !format.is_integer()
                    && numbers.iter().any(|&bits| f32::from_bits(bits).is_nan());
                let mut back = [0; 16];
                format.encode(numbers, &mut back[..n]);
                // Other bytes may mean the same numbers: -128 and -127, zero with any shared exponent.
                let again = format.decode(&back[..n]);
                assert!(
                    again == numbers || has_nan,
                    "{:?}: {numbers:?} became {again:?}",
                    format.name
                );
            }
        }
    }

    #[test]
    fn texel_is_the_nearest_that_the_format_holds() {
        let step = |format: Format, value: f32| {
            let format = TexelFormat::new(format).expect("a format");
            f32::from_bits(format.rounded([value.to_bits(); 4])[0])
        };
        for k in 0..=1000 {
            let value = k as f32 / 1000.0;
            let error = |format, exact: f32| (step(format, value) - value).abs() <= exact;
            assert!(error(Format::R8Unorm, 0.5001 / 255.0), "{value} in 8 bits");
            assert!(
                error(Format::R8Snorm, 0.5001 / 127.0),
                "{value} in 8 bits with a sign"
            );
            assert!(
                error(Format::Rgb10a2Unorm, 0.5001 / 1023.0),
                "{value} in 10 bits"
            );
            assert!(
                error(Format::Depth16Unorm, 0.5001 / 65535.0),
                "{value} in 16 bits"
            );
            assert!(
                error(Format::Rg11b10Ufloat, value / 127.9 + 1e-6),
                "{value} in 11 bits"
            );
            assert!(
                error(Format::Rgb9e5Ufloat, value / 511.0 + 1e-7),
                "{value} with a shared exponent"
            );
        }
        assert_eq!(
            step(Format::Rg11b10Ufloat, 1e9),
            65024.0,
            "the largest float of 11 bits"
        );
        assert_eq!(
            step(Format::Rgb9e5Ufloat, 1e9),
            65408.0,
            "the largest with a shared exponent"
        );
        assert_eq!(step(Format::R8Unorm, f32::NAN), 0.0, "no number");
    }

    #[test]
    fn texel_of_srgb_is_the_nearest_byte() {
        for byte in 0..=255_u8 {
            assert_eq!(srgb_byte(LINEAR[usize::from(byte)]), byte, "byte {byte}");
        }
        assert_eq!(
            [srgb_byte(-1.0), srgb_byte(2.0), srgb_byte(f32::NAN)],
            [0, 255, 0],
            "beyond the range"
        );
        assert_eq!(srgb_byte(0.214), 127, "middle grey, 0.4985 encoded");
    }
}
