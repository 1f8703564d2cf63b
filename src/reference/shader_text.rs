//! The texts of shaders: everything that a pipeline is specialised by in, WGSL for the driver out.

use super::frame_kind::FrameKind;
use super::geometry::VertexStreams;
use super::specialize::{Values, specialize};
use super::surface::Surface;
use azulejo_grid::SampleCount;
use azulejo_scene::Topology;

const SCENE: &str = include_str!("../../shaders/reference.wgsl");
const SKY: &str = include_str!("../../shaders/reference_sky.wgsl");
const RESOLVE: &str = include_str!("../../shaders/reference_resolve.wgsl");
const RADIANCE: &str = include_str!("../../shaders/reference_radiance.wgsl");
const HALVE: &str = include_str!("../../shaders/reference_halve.wgsl");
const FRAME: &str = concat!(
    include_str!("../../shaders/reference_frame.wgsl"),
    include_str!("../../shaders/reference_tone_map.wgsl")
);
/// Part of the scene shader for materials with layers.
const LAYERS: &str = concat!(
    include_str!("../../shaders/reference_layers.wgsl"),
    include_str!("../../shaders/reference_grain.wgsl"),
    include_str!("../../shaders/reference_film.wgsl"),
    include_str!("../../shaders/reference_through.wgsl"),
    include_str!("../../shaders/reference_sheen.wgsl"),
    include_str!("../../shaders/reference_coat.wgsl")
);

/// Key of a pipeline of the scene shader.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) struct Program {
    pub(super) frame: FrameKind,
    pub(super) surface: Surface,
    pub(super) streams: VertexStreams,
    pub(super) topology: Topology,
    /// The placement mirrors, which turns the winding around.
    pub(super) mirrored: bool,
}

/// The text of the scene shader.
pub(super) fn scene_text(program: &Program) -> String {
    let Program {
        frame,
        surface,
        streams,
        ..
    } = program;
    let mut values = Values::default();
    frame.describe(&mut values);
    surface.describe(&mut values);
    let by_sample = frame.samples != SampleCount::One && surface.is_masked();
    values.flag("masks_samples", by_sample);
    values.count("vertex_tex_coords", streams.tex_coords);
    values.count("skin_sets", streams.skin_sets);
    values.flag("morph", streams.morph);
    values.flag("morph_color", streams.morph_color);
    values.count("morph_stride", streams.morph_stride());
    let layers = if surface.is_layered() { LAYERS } else { "" };
    specialize(&[FRAME, RADIANCE, SCENE, layers].concat(), &values)
}

pub(super) fn sky_text(frame: FrameKind) -> String {
    let mut values = Values::default();
    frame.describe(&mut values);
    specialize(&[FRAME, RADIANCE, SKY].concat(), &values)
}

pub(super) fn resolve_text(frame: FrameKind) -> String {
    let mut values = Values::default();
    frame.describe(&mut values);
    specialize(&[FRAME, RESOLVE].concat(), &values)
}

pub(super) fn halve_text(frame: FrameKind) -> String {
    let mut values = Values::default();
    frame.describe(&mut values);
    specialize(&[RADIANCE, HALVE].concat(), &values)
}

#[cfg(test)]
mod tests {
    use wgpu::naga;

    use super::*;
    use crate::slots::N_SLOTS;
    use azulejo_render::ToneMap;
    use azulejo_scene::{
        AlphaMode, Anisotropy, Clearcoat, DiffuseTransmission, Iridescence, Material, Shading,
        Sheen, TextureId, TextureRef, Transmission,
    };

    fn assert_valid(text: &str) {
        let module = naga::front::wgsl::parse_str(text)
            .unwrap_or_else(|error| panic!("{}\n{text}", error.emit_to_string(text)));
        let (flags, capabilities) = (
            naga::valid::ValidationFlags::all(),
            naga::valid::Capabilities::default(),
        );
        let valid = naga::valid::Validator::new(flags, capabilities).validate(&module);
        assert!(valid.is_ok(), "{:?}\n{text}", valid.err());
    }

    fn textured() -> Material {
        let texture = |id: u32| TextureRef {
            texture: TextureId(id),
            tex_coord: id % 3,
            transform: glam::Mat3::from_scale(glam::Vec2::splat((id + 1) as f32)),
        };
        Material {
            base_color_texture: Some(texture(0)),
            metallic_roughness_texture: Some(texture(1)),
            normal_texture: Some(texture(2)),
            occlusion_texture: Some(texture(1)),
            emissive_texture: Some(texture(0)),
            specular_texture: Some(texture(1)),
            specular_color_texture: Some(texture(0)),
            ..Material::default()
        }
    }

    fn program(material: &Material, streams: VertexStreams, frame: FrameKind) -> Program {
        Program {
            frame,
            surface: Surface::of(material, &streams).0,
            streams,
            topology: Topology::Triangles,
            mirrored: false,
        }
    }

    #[test]
    fn scene_shader_is_valid_with_everything_and_with_nothing() {
        let everything = VertexStreams {
            normal: true,
            tangent: true,
            color: true,
            tex_coords: 2,
            skin_sets: 2,
            morph: true,
            morph_color: true,
        };
        let lit = FrameKind {
            lights: [1, 2, 1],
            environment: true,
            exposed: true,
            tone_map: ToneMap::Neutral,
            displayed: true,
            behind: false,
            exact: true,
            samples: SampleCount::Four,
        };
        let blended = Material {
            alpha_mode: AlphaMode::Blend,
            ..textured()
        };
        assert_valid(&scene_text(&program(&blended, everything, lit)));
        let unlit = Material {
            shading: Shading::Unlit,
            ..Material::default()
        };
        let nothing = VertexStreams::default();
        assert_valid(&scene_text(&program(&unlit, nothing, FrameKind::default())));
    }

    #[test]
    fn scene_shader_is_valid_with_each_texture_alone() {
        let streams = VertexStreams {
            normal: true,
            tangent: true,
            tex_coords: 1,
            ..VertexStreams::default()
        };
        let all = textured();
        let one = |keep: usize| Material {
            base_color_texture: all.base_color_texture.filter(|_| keep == 0),
            metallic_roughness_texture: all.metallic_roughness_texture.filter(|_| keep == 1),
            normal_texture: all.normal_texture.filter(|_| keep == 2),
            occlusion_texture: all.occlusion_texture.filter(|_| keep == 3),
            emissive_texture: all.emissive_texture.filter(|_| keep == 4),
            specular_texture: all.specular_texture.filter(|_| keep == 5),
            specular_color_texture: all.specular_color_texture.filter(|_| keep == 6),
            alpha_mode: AlphaMode::Mask { cutoff: 0.5 },
            ..Material::default()
        };
        let frame = FrameKind {
            environment: true,
            ..FrameKind::default()
        };
        for slot in 0..N_SLOTS {
            for samples in SampleCount::ALL {
                let frame = FrameKind { samples, ..frame };
                assert_valid(&scene_text(&program(&one(slot), streams, frame)));
            }
        }
    }

    #[test]
    fn scene_shader_is_valid_with_each_layer_alone_in_both_passes() {
        let streams = VertexStreams {
            normal: true,
            tangent: true,
            tex_coords: 1,
            ..VertexStreams::default()
        };
        let layer: [fn(&mut Material); 6] = [
            |material| material.clearcoat = Some(Clearcoat::default()),
            |material| material.sheen = Some(Sheen::default()),
            |material| material.anisotropy = Some(Anisotropy::default()),
            |material| material.iridescence = Some(Iridescence::default()),
            |material| {
                material.transmission = Some(Transmission {
                    factor: 1.0,
                    texture: None,
                });
            },
            |material| {
                material.diffuse_transmission = Some(DiffuseTransmission {
                    factor: 1.0,
                    ..DiffuseTransmission::default()
                });
            },
        ];
        let frame = FrameKind {
            environment: true,
            exact: true,
            ..FrameKind::default()
        };
        for add in layer {
            let mut material = textured();
            add(&mut material);
            assert!(program(&material, streams, frame).surface.is_layered());
            assert_valid(&scene_text(&program(&material, streams, frame)));
            let behind = frame.lies_behind();
            assert_valid(&scene_text(&program(&material, streams, behind)));
        }
    }

    #[test]
    fn shaders_of_what_lies_behind_are_valid() {
        for exact in [false, true] {
            let frame = FrameKind {
                exact,
                ..FrameKind::default()
            };
            assert_valid(&sky_text(frame.lies_behind()));
            assert_valid(&halve_text(frame.lies_behind()));
        }
    }

    #[test]
    fn sky_and_resolve_shaders_are_valid() {
        assert_valid(&sky_text(FrameKind::default()));
        for tone_map in [
            ToneMap::None,
            ToneMap::Neutral,
            ToneMap::Aces,
            ToneMap::AcesBoosted,
        ] {
            let frame = FrameKind {
                tone_map,
                exposed: true,
                ..FrameKind::default()
            };
            assert_valid(&resolve_text(frame));
        }
    }
}
