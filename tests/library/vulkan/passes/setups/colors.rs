//! Blending, write masks and the formats of colour targets.

use azulejo::pass::PassDraw;
use azulejo::pass::types::{
    BlendComponent, BlendFactor, BlendOperation, BlendState, Color, ColorTargetState, ColorWrites,
    TextureFormat,
};

use super::super::{Plain, Setup};
use super::multisample;

const FACTORS: [BlendFactor; 13] = [
    BlendFactor::Zero,
    BlendFactor::One,
    BlendFactor::Src,
    BlendFactor::OneMinusSrc,
    BlendFactor::SrcAlpha,
    BlendFactor::OneMinusSrcAlpha,
    BlendFactor::Dst,
    BlendFactor::OneMinusDst,
    BlendFactor::DstAlpha,
    BlendFactor::OneMinusDstAlpha,
    BlendFactor::SrcAlphaSaturated,
    BlendFactor::Constant,
    BlendFactor::OneMinusConstant,
];

const OPERATIONS: [BlendOperation; 5] = [
    BlendOperation::Add,
    BlendOperation::Subtract,
    BlendOperation::ReverseSubtract,
    BlendOperation::Min,
    BlendOperation::Max,
];

fn component(
    src_factor: BlendFactor,
    dst_factor: BlendFactor,
    operation: BlendOperation,
) -> BlendComponent {
    BlendComponent {
        src_factor,
        dst_factor,
        operation,
    }
}

fn blending(
    format: TextureFormat,
    color: BlendComponent,
    alpha: BlendComponent,
) -> Vec<ColorTargetState> {
    vec![ColorTargetState {
        format,
        blend: Some(BlendState { color, alpha }),
        write_mask: ColorWrites::ALL,
    }]
}

fn layered(samples: u32, targets: Vec<ColorTargetState>) -> Plain {
    Plain {
        targets,
        multisample: multisample(samples),
        draws: Box::new(|draw| {
            let blend_constant = Color {
                r: 0.2,
                g: 0.9,
                b: 0.4,
                a: 0.6,
            };
            // Few layers: blending with a factor above one doubles what the driver's eight bits have lost.
            vec![PassDraw {
                blend_constant,
                elements: 0..15,
                ..draw
            }]
        }),
        ..Plain::default()
    }
}

/// Each factor on either side, each operation, masks.
pub(in super::super) fn blends(samples: u32) -> Vec<Setup> {
    let plain = |targets| layered(samples, targets);
    let (zero, one, add) = (BlendFactor::Zero, BlendFactor::One, BlendOperation::Add);
    let format = TextureFormat::Rgba8Unorm;
    let mut setups = Vec::new();
    for factor in FACTORS {
        let of_source = blending(
            format,
            component(factor, one, add),
            component(factor, zero, add),
        );
        setups.push(plain(of_source).setup(format!("source times {factor:?}")));
        let of_target = blending(
            format,
            component(one, factor, add),
            component(zero, factor, add),
        );
        setups.push(plain(of_target).setup(format!("target times {factor:?}")));
    }
    for operation in OPERATIONS {
        let both = component(one, one, operation);
        setups.push(plain(blending(format, both, both)).setup(format!("{operation:?}")));
    }
    for write_mask in [
        ColorWrites::RED,
        ColorWrites::GREEN | ColorWrites::ALPHA,
        ColorWrites::COLOR,
    ] {
        let target = ColorTargetState {
            write_mask,
            ..format.into()
        };
        setups.push(plain(vec![target]).setup(format!("writes of {write_mask:?}")));
    }
    for format in [
        TextureFormat::Rgba8UnormSrgb,
        TextureFormat::Rgba16Float,
        TextureFormat::Rgb10a2Unorm,
    ] {
        let over = BlendState::ALPHA_BLENDING;
        setups.push(
            plain(blending(format, over.color, over.alpha)).setup(format!("over in {format:?}")),
        );
    }
    setups
}

/// Each colour format.
pub(in super::super) fn formats(samples: u32) -> Vec<Setup> {
    use TextureFormat as F;
    let floats = [
        (F::R8Unorm, "wide"),
        (F::Rg8Unorm, "wide"),
        (F::Rgba8Unorm, "wide"),
        (F::Rgba8UnormSrgb, "wide"),
        (F::Bgra8Unorm, "wide"),
        (F::Bgra8UnormSrgb, "colored"),
        (F::Rgb10a2Unorm, "wide"),
        (F::Rg11b10Ufloat, "wide"),
        (F::R16Float, "wide"),
        (F::Rg16Float, "wide"),
        (F::Rgba16Float, "wide"),
    ];
    // One sample a pixel: the driver resolves none of these.
    let single = [
        (F::R32Float, "wide"),
        (F::Rg32Float, "wide"),
        (F::Rgba32Float, "wide"),
        (F::R8Uint, "unsigned_integers"),
        (F::R8Sint, "signed_integers"),
        (F::Rg8Uint, "unsigned_integers"),
        (F::Rgba8Uint, "unsigned_integers"),
        (F::Rgba8Sint, "signed_integers"),
        (F::R16Uint, "unsigned_integers"),
        (F::Rg16Sint, "signed_integers"),
        (F::Rgba16Uint, "unsigned_integers"),
        (F::R32Uint, "unsigned_integers"),
        (F::R32Sint, "signed_integers"),
        (F::Rgba32Sint, "signed_integers"),
        (F::Rgb10a2Uint, "unsigned_integers"),
        (F::R16Unorm, "wide"),
        (F::Rgba16Snorm, "wide"),
    ];
    let mut all = floats.to_vec();
    all.extend(single.iter().filter(|_| samples == 1));
    let setup = |(format, fragment): (TextureFormat, &'static str)| {
        let plain = Plain {
            fragment: Some(fragment),
            targets: vec![format.into()],
            multisample: multisample(samples),
            clear: Color {
                r: 1.0,
                g: 0.0,
                b: 0.5,
                a: 1.0,
            },
            ..Plain::default()
        };
        plain.setup(format!("{format:?}"))
    };
    all.into_iter().map(setup).collect()
}
