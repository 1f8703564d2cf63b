//! Traces of compressed textures: the blocks that a square over the whole picture reads.

use std::collections::BTreeSet;

use azulejo::render::{FrameInput, RenderSettings, Renderer, Traced, Tracing};
use azulejo::scene::{
    AlphaMode, BlockFormat, Encoding, Filter, MaterialId, Primitive, Sampler, Scene, TextureImage,
    View,
};
use azulejo::simd::SimdLevel;
use azulejo::trace::{FrameTrace, TexelFormat};
use glam::{Mat3, Mat4, Vec2, Vec3};

use crate::instance::state_of_one;
use crate::unlit::unlit;

/// Edge of picture and texture: a multiple of every block's.
const EDGE: u32 = 240;

/// Scene with one unlit square, and a texture that is stored so.
fn scene(format: Option<BlockFormat>, sampler: Sampler) -> Scene {
    let texels: Vec<u8> = (0..EDGE * EDGE * 4).map(|at| (at % 251) as u8).collect();
    let image = TextureImage::from_rgba8("noise", Encoding::Srgb, EDGE, EDGE, &texels);
    let image = image.expect("a lawful size");
    let image = match format {
        Some(format) => image.stored_as(format),
        None => image,
    };
    let corners = [[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]];
    let primitive = Primitive {
        indices: vec![0, 1, 2, 0, 2, 3],
        positions: corners.map(|[x, y]| Vec3::new(x, y, 0.5)).to_vec(),
        tex_coords: vec![
            corners
                .map(|[x, y]| Vec2::new(x, y) * 0.5 + Vec2::splat(0.5))
                .to_vec(),
        ],
        material: Some(MaterialId(0)),
        ..Primitive::default()
    };
    unlit(
        primitive,
        AlphaMode::Opaque,
        (image, sampler),
        Mat3::IDENTITY,
    )
}

/// The square over the whole picture, one texel a pixel.
fn traced(scene: &Scene) -> Traced {
    let view = View {
        view_from_world: Mat4::IDENTITY,
        clip_from_view: Mat4::IDENTITY,
        eye_world: Vec3::ZERO,
    };
    let settings = RenderSettings {
        width: EDGE,
        height: EDGE,
        ..RenderSettings::default()
    };
    let mut renderer = Renderer::new(2, SimdLevel::Auto).expect("threads");
    let state = state_of_one();
    let list = FrameInput::new(scene, &state, &view, &settings).draws();
    let traced = renderer.draw(&list, Tracing::default());
    assert_eq!(traced.trace.validate(), Ok(()), "links hold");
    traced
}

fn blocks(trace: &FrameTrace) -> BTreeSet<u32> {
    let blocks = trace.tiles.iter().flat_map(|tile| &tile.blocks);
    blocks.copied().collect()
}

#[test]
fn trace_of_a_square_reads_every_block_of_its_compressed_texture() {
    let nearest = Sampler {
        mag: Filter::Nearest,
        min: Filter::Nearest,
        mip: None,
        ..Sampler::default()
    };
    let plain = traced(&scene(None, nearest));
    assert_eq!(blocks(&plain.trace).len() as u32, EDGE * EDGE / 16);
    for format in BlockFormat::all() {
        let scene = scene(Some(format), nearest);
        let Traced { picture, trace } = traced(&scene);
        assert_eq!(picture, plain.picture, "{format}: decoded before sampling");
        let shape = format.shape();
        let info = &trace.textures[0];
        let [width, height, bytes] =
            [shape.width, shape.height, shape.bytes].map(|size| size as u8);
        let expected = TexelFormat::Blocks {
            width,
            height,
            bytes,
        };
        assert_eq!(info.format, expected, "{format}");
        let touched = blocks(&trace);
        let n_blocks = EDGE / shape.width * (EDGE / shape.height);
        assert_eq!(touched.len() as u32, n_blocks, "{format}");
        let layout = scene.images[0].block_layout().expect("compressed");
        let level = &scene.images[0].levels[0];
        let places = (0..level.height).flat_map(|y| (0..level.width).map(move |x| (x, y)));
        let of_level: BTreeSet<u32> = places.map(|(x, y)| layout.block_at(0, x, y)).collect();
        assert_eq!(
            touched, of_level,
            "{format}: the blocks of the largest level"
        );
        assert_eq!(info.n_blocks, layout.n_blocks(), "{format}");
    }
}

#[test]
fn trace_of_4x4_texel_blocks_names_those_of_the_uncompressed_texture() {
    let plain = traced(&scene(None, Sampler::default())).trace;
    let trace = traced(&scene(Some(BlockFormat::Etc2Rgb), Sampler::default())).trace;
    assert_eq!(trace.tiles, plain.tiles, "trilinear: the same taps");
    assert_eq!(trace.textures[0].bytes() * 8, plain.textures[0].bytes());
}
