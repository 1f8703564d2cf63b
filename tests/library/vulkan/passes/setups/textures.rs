//! Sampled and stored textures of every dimension.

use azulejo::pass::types::{
    AddressMode, Extent3d, FilterMode, MipmapFilterMode, TexelCopyBufferLayout, TextureDimension,
    TextureFormat, TextureViewDimension,
};
use azulejo::pass::{
    BindGroup, Binding, Memory, PassDraw, Sampler, TextureId, TexturePlace, TextureSpec,
    TextureView,
};

use super::super::{Plain, Setup};

/// A texture with noise in all levels.
pub(super) fn noisy(memory: &mut Memory, spec: TextureSpec) -> TextureId {
    let id = memory.texture(spec).expect("room");
    let bytes = spec.format.block_copy_size(None).expect("a plain format") as usize;
    for mip in 0..spec.mips {
        let size = spec.level(mip);
        let texels = (size.width * size.height * size.depth_or_array_layers) as usize;
        let content: Vec<u8> = (0..(texels * bytes) as u32)
            .map(|at| ((at + 977 * mip).wrapping_mul(0x9e37_79b9) >> 19) as u8)
            .collect();
        let place = TexturePlace {
            mip,
            ..TexturePlace::start(id)
        };
        memory
            .write_texture(place, &content, TexelCopyBufferLayout::default(), size)
            .expect("all of a level");
    }
    id
}

pub(super) fn sampler(filter: FilterMode, mode: AddressMode) -> Sampler {
    Sampler {
        address_mode_u: mode,
        address_mode_v: mode,
        address_mode_w: mode,
        mag_filter: filter,
        min_filter: filter,
        mipmap_filter: match filter {
            FilterMode::Nearest => MipmapFilterMode::Nearest,
            FilterMode::Linear => MipmapFilterMode::Linear,
        },
        ..Sampler::default()
    }
}

/// Everything covered by one program that samples one texture.
fn sampled(
    name: String,
    fragment: &'static str,
    spec: TextureSpec,
    view: Option<TextureViewDimension>,
    sampler: Option<Sampler>,
) -> Setup {
    let mut memory = Memory::default();
    let texture = noisy(&mut memory, spec);
    let view = TextureView {
        dimension: view,
        ..TextureView::of(texture)
    };
    let mut group = vec![(0, Binding::Texture(view))];
    group.extend(sampler.map(|sampler| (1, Binding::Sampler(sampler))));
    let with = Plain {
        vertex: "everywhere",
        fragment: Some(fragment),
        targets: vec![match fragment {
            "of_numbers" => TextureFormat::Rgba8Uint.into(),
            _ => TextureFormat::Rgba8Unorm.into(),
        }],
        groups: vec![BindGroup(group)],
        memory,
        draws: Box::new(|draw| {
            vec![PassDraw {
                elements: 0..3,
                ..draw
            }]
        }),
        ..Plain::default()
    };
    with.setup(name)
}

const FORMAT: TextureFormat = TextureFormat::Rgba8Unorm;

fn plane(mips: u32) -> TextureSpec {
    TextureSpec {
        mips,
        ..TextureSpec::of_2d(FORMAT, 24, 16)
    }
}

fn layered(layers: u32, edge: u32) -> TextureSpec {
    let size = Extent3d {
        width: edge,
        height: edge,
        depth_or_array_layers: layers,
    };
    TextureSpec {
        size,
        ..TextureSpec::of_2d(FORMAT, edge, edge)
    }
}

/// Dimensions, levels, wrapping, formats of sampled textures.
pub(in super::super) fn textures() -> Vec<Setup> {
    let mut setups = dimensions(FilterMode::Nearest);
    setups.extend(dimensions(FilterMode::Linear));
    let linear = || Some(sampler(FilterMode::Linear, AddressMode::Repeat));
    for fragment in ["of_gather", "of_gradient"] {
        setups.push(sampled(fragment.into(), fragment, plane(4), None, linear()));
    }
    for format in [
        TextureFormat::Rgba8UnormSrgb,
        TextureFormat::Rgb9e5Ufloat,
        TextureFormat::Rg8Snorm,
        TextureFormat::Bgra8Unorm,
    ] {
        let spec = TextureSpec { format, ..plane(1) };
        let name = format!("of_plane, {format:?}");
        setups.push(sampled(name, "of_plane", spec, None, linear()));
    }
    let numbers = TextureSpec::of_2d(TextureFormat::Rgba8Uint, 24, 16);
    setups.push(sampled(
        "of_numbers".into(),
        "of_numbers",
        numbers,
        None,
        None,
    ));
    setups
}

fn dimensions(filter: FilterMode) -> Vec<Setup> {
    use TextureViewDimension as Dimension;
    let volume = TextureSpec {
        dimension: TextureDimension::D3,
        ..layered(6, 8)
    };
    let mut setups = Vec::new();
    for mode in [
        AddressMode::ClampToEdge,
        AddressMode::Repeat,
        AddressMode::MirrorRepeat,
    ] {
        for (fragment, spec) in [
            ("of_plane", plane(1)),
            ("of_volume", volume),
            ("of_offset", plane(1)),
        ] {
            let name = format!("{fragment}, {filter:?}, {mode:?}");
            let sampler = Some(sampler(filter, mode));
            setups.push(sampled(name, fragment, spec, None, sampler));
        }
    }
    for (fragment, spec, view) in [
        ("of_level", plane(4), None),
        ("of_layer", layered(4, 16), None),
        ("of_sky", layered(6, 8), Some(Dimension::Cube)),
        ("of_skies", layered(12, 8), Some(Dimension::CubeArray)),
    ] {
        let name = format!("{fragment}, {filter:?}");
        let sampler = Some(sampler(filter, AddressMode::Repeat));
        setups.push(sampled(name, fragment, spec, view, sampler));
    }
    setups
}
