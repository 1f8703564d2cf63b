//! Materials with layers through the whole pipeline: equal bytes for any thread count, tile order, tile size and
//! instruction set, in a trace as in a picture, and kept by a frame buffer as long as nothing changes.

use crate::spheres::{scene, state, with_input, with_scene};
use azulejo::gpu::machine::MachineSpec;
use azulejo::gpu::{FrameReport, Gpu};
use azulejo::grid::{SampleCount, TileOrder};
use azulejo::render::elimination::{FrameBuffer, Onto};
use azulejo::render::{
    DrawIdentity, FrameInput, Picture, Recording, RenderSettings, Renderer, Tracing,
};
use azulejo::scene::{
    AlphaMode, Anisotropy, Clearcoat, FrameState, Iridescence, LightInstance, LightKind, Material,
    MeshId, Scene, Sheen, TextureRef, Transmission, Volume,
};
use azulejo::simd::SimdLevel;
use azulejo::trace::FrameTrace;
use glam::{Mat4, Quat, Vec3, Vec4};

fn coat(texture: Option<TextureRef>) -> Clearcoat {
    Clearcoat {
        factor: 0.9,
        texture,
        roughness: 0.2,
        roughness_texture: texture,
        normal_texture: texture,
        normal_scale: 0.3,
    }
}

fn sheen(texture: Option<TextureRef>) -> Sheen {
    Sheen {
        color: Vec3::new(0.2, 0.5, 1.0),
        color_texture: texture,
        roughness: 0.6,
        roughness_texture: texture,
    }
}

fn grain(texture: Option<TextureRef>) -> Anisotropy {
    Anisotropy {
        strength: 0.8,
        rotation: 0.5,
        texture,
    }
}

fn film(texture: Option<TextureRef>) -> Iridescence {
    Iridescence {
        factor: 0.9,
        texture,
        thickness_texture: texture,
        ..Iridescence::default()
    }
}

/// The spheres with a layer each, those of all materials on the first, and every kind of light.
fn layered() -> (Scene, FrameState) {
    let (mut scene, mut state) = (scene(), state());
    let sphere = &mut scene.meshes[0].primitives[0];
    let around = sphere.normals.iter().map(|normal| {
        let along = Vec3::Y.cross(*normal).try_normalize();
        along.unwrap_or(Vec3::X).extend(1.0)
    });
    sphere.tangents = around.collect::<Vec<Vec4>>();
    let texture = scene.materials[0].base_color_texture;
    let [first, second, third] = &mut scene.materials[..] else {
        panic!("three materials");
    };
    *first = Material {
        metallic: 0.3,
        clearcoat: Some(coat(texture)),
        sheen: Some(sheen(texture)),
        anisotropy: Some(grain(texture)),
        iridescence: Some(film(texture)),
        ..first.clone()
    };
    second.anisotropy = Some(grain(None));
    second.iridescence = Some(film(None));
    third.clearcoat = Some(coat(None));
    third.sheen = Some(sheen(None));
    let spot = LightKind::Spot {
        inner_angle: 0.2,
        outer_angle: 0.9,
    };
    let kinds = [LightKind::Directional, LightKind::Point, spot];
    state.lights = kinds
        .map(|kind| LightInstance {
            kind,
            radiance: Vec3::new(3.0, 2.0, 1.0),
            position_world: Vec3::new(2.0, 3.0, 4.0),
            direction_world: Vec3::new(-0.36, -0.48, -0.8),
            range: 40.0,
        })
        .into();
    (scene, state)
}

fn with_layers<T>(use_input: impl FnOnce(&FrameInput<'_>) -> T) -> T {
    let (scene, state) = layered();
    with_scene(&scene, &state, use_input)
}

/// Two balls of glass, one thin and one thick, before the layered sphere.
fn glassy() -> (Scene, FrameState) {
    let (mut scene, state) = layered();
    let texture = scene.materials[0].base_color_texture;
    let [_, second, third] = &mut scene.materials[..] else {
        panic!("three materials");
    };
    for (material, roughness) in [(second, 0.1), (third, 0.5)] {
        *material = Material {
            base_color: Vec4::new(0.9, 1.0, 0.8, 1.0),
            metallic: 0.0,
            roughness,
            alpha_mode: AlphaMode::Opaque,
            transmission: Some(Transmission {
                factor: 0.9,
                texture: None,
            }),
            ..Material::default()
        };
    }
    scene.materials[2].volume = Some(Volume {
        thickness: 0.7,
        thickness_texture: texture,
        attenuation_distance: 1.0,
        attenuation_color: Vec3::new(0.5, 0.9, 0.7),
        dispersion: 2.0,
    });
    (scene, state)
}

fn with_glass<T>(use_input: impl FnOnce(&FrameInput<'_>) -> T) -> T {
    let (scene, state) = glassy();
    with_scene(&scene, &state, use_input)
}

fn picture(threads: usize, simd: SimdLevel, input: &FrameInput<'_>) -> Picture {
    let mut renderer = Renderer::new(threads, simd).expect("threads");
    renderer.draw(&input.draws(), Recording::Off).picture
}

#[test]
fn layers_are_the_same_bytes_however_they_are_drawn() {
    with_layers(check_all_ways);
}

#[test]
fn glass_is_the_same_bytes_however_it_is_drawn() {
    with_glass(check_all_ways);
}

/// Draws share what they are made of with others of their mesh and material, but not what is their own: here, how thick
/// glass is.
#[test]
fn instances_of_one_material_look_as_if_each_had_a_copy_of_it() {
    let (mut scene, mut state) = glassy();
    for number in 0..3 {
        let mut instance = state.instances[number].clone();
        instance.world_from_local *= Mat4::from_scale_rotation_translation(
            Vec3::new(0.4, 0.5, 0.6),
            Quat::from_rotation_x(0.5),
            Vec3::new(0.2, 1.3, 0.4),
        );
        state.instances.push(instance);
    }
    let mut copied = state.clone();
    scene.meshes.push(scene.meshes[0].clone());
    let materials = scene.materials.clone();
    scene.materials.extend(materials);
    for instance in &mut copied.instances[3..] {
        instance.mesh = MeshId(1);
        instance.material.0 += 3;
    }
    for samples in SampleCount::ALL {
        let [shared, copied] = [&state, &copied].map(|state| {
            with_scene(&scene, state, |input| {
                let settings = RenderSettings {
                    samples,
                    ..*input.settings
                };
                let input = FrameInput {
                    settings: &settings,
                    ..*input
                };
                picture(2, SimdLevel::Auto, &input)
            })
        });
        assert!(shared == copied, "{samples:?} samples");
    }
}

fn check_all_ways(input: &FrameInput<'_>) {
    let expected = picture(1, SimdLevel::Scalar, input);
    for simd in SimdLevel::available() {
        let found = picture(3, simd, input);
        assert!(found == expected, "{simd}, three threads");
    }
    for tile_size in [8, 16, 128] {
        let settings = RenderSettings {
            tile_size,
            tile_order: TileOrder::BOUSTROPHEDONIC,
            ..*input.settings
        };
        let input = FrameInput {
            settings: &settings,
            ..*input
        };
        let found = picture(2, SimdLevel::Auto, &input);
        assert!(found == expected, "tiles of {tile_size}");
    }
}

#[test]
fn layers_show() {
    let (scene, state) = layered();
    let mut bare = scene.clone();
    for material in &mut bare.materials {
        *material = Material {
            clearcoat: None,
            sheen: None,
            anisotropy: None,
            iridescence: None,
            ..material.clone()
        };
    }
    let [with, without] = [&scene, &bare]
        .map(|scene| with_scene(scene, &state, |input| picture(2, SimdLevel::Auto, input)));
    with_input(|input| assert!(picture(2, SimdLevel::Auto, input) != without, "lights show"));
    let changed = with.pixels.iter().zip(&without.pixels);
    let changed = changed.filter(|(a, b)| a != b).count();
    assert!(changed > 3000, "{changed} pixels of 30000 changed");
}

#[test]
fn layers_are_traced_with_every_texture_and_instruction() {
    with_layers(|input| {
        let mut renderer = Renderer::new(2, SimdLevel::Auto).expect("threads");
        let list = input.draws();
        let traced = renderer.draw(&list, Tracing::default());
        assert_eq!(
            traced.picture,
            renderer.draw(&list, Recording::Off).picture,
            "the same picture"
        );
        traced.trace.validate().expect("links hold");
        let textures = |draw: usize| traced.trace.draws[draw].textures.len();
        // Base colour; eight of the layers; the environment once for each of eight facets, for the coat and for the ground.
        assert_eq!(textures(0), 19, "{:?}", traced.trace.draws[0].textures);
    });
}

#[test]
fn layers_that_stand_still_are_kept_whatever_says_so() {
    with_layers(|input| {
        let mut renderer = Renderer::new(2, SimdLevel::Auto).expect("threads");
        let list = input.draws();
        let mut recorded = list.clone();
        for draw in &mut recorded.draws {
            draw.identity = DrawIdentity::default();
        }
        for list in [list, recorded] {
            let mut buffer = FrameBuffer::default();
            let first = renderer.draw(&list, Onto::new(&mut buffer)).tiles;
            let again = renderer.draw(&list, Onto::new(&mut buffer)).tiles;
            assert_eq!((first.n_kept(), again.n_kept()), (0, first.reasons.len()));
        }
    });
}

#[test]
fn glass_shows_what_lies_behind_it() {
    let (scene, mut state) = glassy();
    let draw =
        |state: &FrameState| with_scene(&scene, state, |input| picture(2, SimdLevel::Auto, input));
    let before = draw(&state);
    // The layered sphere, behind both balls, moves to the left where neither of them is.
    state.instances[0].world_from_local.w_axis.x -= 0.4;
    let after = draw(&state);
    // Right of the middle of the picture it cannot be seen but through the glass.
    let right = |picture: &Picture| -> Vec<[u8; 4]> {
        let rows = picture.pixels.chunks(picture.width as usize);
        rows.flat_map(|row| row[115..].to_vec()).collect()
    };
    let changed = right(&before)
        .iter()
        .zip(right(&after))
        .filter(|(a, b)| *a != b)
        .count();
    assert!(changed > 100, "{changed} pixels changed behind the glass");
}

#[test]
fn glass_is_drawn_again_where_its_background_changes() {
    let (mut scene, state) = glassy();
    let mut renderer = Renderer::new(2, SimdLevel::Auto).expect("threads");
    let mut buffers = [FrameBuffer::default(), FrameBuffer::default()];
    let mut n_kept = 0;
    for step in 0..6 {
        // Every second frame, only what lies behind changes.
        scene.materials[0].base_color.x = 0.2 + 0.3 * (step / 2) as f32;
        with_scene(&scene, &state, |input| {
            let whole = picture(1, SimdLevel::Auto, input);
            let list = input.draws();
            let mut recorded = list.clone();
            for draw in &mut recorded.draws {
                draw.identity = DrawIdentity::default();
            }
            for (list, buffer) in [list, recorded].iter().zip(&mut buffers) {
                let tiles = renderer.draw(list, Onto::new(buffer)).tiles;
                n_kept += tiles.n_kept();
                assert!(*buffer.picture() == whole, "step {step}");
                let expected = if step % 2 == 1 {
                    tiles.reasons.len()
                } else {
                    0
                };
                assert!(tiles.n_kept() >= expected, "step {step}: nothing changed");
            }
        });
    }
    assert!(n_kept > 0, "tiles without glass stay");
}

#[test]
fn glass_is_traced_with_the_pass_behind_it() {
    with_glass(|input| {
        let mut renderer = Renderer::new(2, SimdLevel::Auto).expect("threads");
        let list = input.draws();
        let frame = renderer.draw(&list, Recording::Counters);
        let traced = renderer.draw(&list, Tracing::default());
        assert_eq!(traced.picture, frame.picture, "the same picture");
        traced.trace.validate().expect("links hold");
        let behind = traced.trace.before.first().expect("a pass");
        assert_eq!(behind.draws.len(), 2, "the layered sphere and the sky");
        let name = |draw: usize, nth: usize| {
            let texture = traced.trace.draws[draw].textures[nth];
            traced.trace.textures[texture.0 as usize].name.as_str()
        };
        assert_eq!(name(1, 0), "behind", "a thin wall samples it once");
        let samples = traced.trace.draws[2].textures.len();
        let of_behind = (0..samples).filter(|nth| name(2, *nth) == "behind");
        assert_eq!(of_behind.count(), 3, "dispersion samples it by channel");
        let quads = |trace: &FrameTrace| -> u64 {
            let tiles = trace.tiles.iter().map(azulejo::trace::TileTrace::counters);
            tiles.map(|counters| counters.quads_rasterised).sum()
        };
        let counters = frame.counters.expect("asked for");
        let drawn = counters.draws.iter().zip(&list.draws);
        for (counted, draw) in drawn {
            assert_eq!(
                counted.name,
                draw.name.to_string(),
                "draws keep their numbers"
            );
        }
        assert_eq!(counters.draws.len(), list.draws.len() + 2, "and two behind");
        assert_eq!(
            counters.raster.quads_rasterised,
            quads(&traced.trace) + quads(behind),
            "counters are of both passes"
        );
    });
}

#[test]
fn glass_costs_a_machine_both_passes() {
    with_glass(|input| {
        let mut renderer = Renderer::new(2, SimdLevel::Auto).expect("threads");
        let mut trace = renderer.draw(&input.draws(), Tracing::default()).trace;
        let spec = MachineSpec::built_in("mali450-re", &[]).expect("a machine");
        let cost = |trace: &FrameTrace| {
            Gpu::new(&spec)
                .expect("valid")
                .run_frame(trace)
                .expect("runs")
        };
        let both = cost(&trace);
        let behind = cost(&trace.before.pop().expect("a pass"));
        let shown = cost(&trace);
        let sum = |of: fn(&FrameReport) -> u64| (of(&both), of(&behind) + of(&shown));
        let (all, parts) = sum(FrameReport::instructions);
        assert_eq!(all, parts, "instructions");
        let (all, parts) = sum(|report| report.raster_units.iter().map(|unit| unit.tiles).sum());
        assert_eq!(all, parts, "tiles");
        let both_names = both.draws.iter().map(|draw| draw.name.as_str());
        let shown_names = shown.draws.iter().map(|draw| draw.name.clone());
        let behind_names = behind.draws.iter();
        let behind_names = behind_names.map(|draw| format!("behind: {}", draw.name));
        let names: Vec<String> = shown_names.chain(behind_names).collect();
        assert!(both_names.eq(names.iter().map(String::as_str)), "{names:?}");
        let (all, parts) = sum(|report| report.cycles.0);
        // The second pass finds some of its data in the caches.
        assert!(
            all > parts / 2 && all < parts + parts / 10,
            "{all} cycles of {parts}"
        );
    });
}
