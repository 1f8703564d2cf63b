//! Rendering Elimination on the host never changes a pixel.

use std::collections::HashMap;

use crate::content::shows;
use crate::painted::Painted;
use crate::shared::shared;
use azulejo::grid::{Binning, SampleCount, TileOrder};
use azulejo::render::elimination::{Equality, FrameBuffer, Onto, Redrawn, SwapChain, TileReason};
use azulejo::render::{
    Background, Draw, DrawIdentity, DrawList, FrameInput, Picture, Recording, RenderSettings,
    Renderer, SimdLevel, ToneMap,
};
use azulejo::scene::gltf::{LoadError, LoadOptions, load_path};
use azulejo::scene::{
    AlphaMode, AnimationChoice, Clearcoat, DepthState, Encoding, Environment, Filter, FrameState,
    ImageId, Instance, Iridescence, LightInstance, LightKind, Material, MaterialId, Mesh, MeshId,
    Primitive, Sampler, Scene, Shading, Sheen, Texture, TextureId, TextureImage, TextureRef,
    ThroughView, Transmission, View, Volume,
};
use azulejo::shot::Shot;
use glam::{Mat3, Mat4, Vec2, Vec3, Vec4};

/// A renderer beside chains of one, two and three frame buffers.
struct Bench {
    renderer: Renderer,
    chains: [SwapChain; 3],
    kept: usize,
    reasons: HashMap<TileReason, usize>,
}

impl Bench {
    fn new() -> Self {
        Self {
            renderer: Renderer::new(2, SimdLevel::Auto).expect("two threads"),
            chains: [1, 2, 3].map(|buffers| SwapChain::new(buffers, None)),
            kept: 0,
            reasons: HashMap::new(),
        }
    }

    /// Draws a frame whole and onto each chain; all must agree.
    fn check(&mut self, input: &FrameInput<'_>, what: &str) {
        let whole = self.renderer.draw(&input.draws(), Recording::Off).picture;
        for chain in &mut self.chains {
            let buffer = chain.next_buffer();
            let redrawn = self.renderer.draw(&input.draws(), Onto::new(buffer));
            self.kept += redrawn.tiles.n_kept();
            for reason in redrawn.tiles.reasons {
                *self.reasons.entry(reason).or_default() += 1;
            }
            assert!(
                buffer.picture() == &whole,
                "{what}: {}",
                first_difference(buffer.picture(), &whole)
            );
        }
        self.renderer.recycle(whole);
    }
}

fn first_difference(a: &Picture, b: &Picture) -> String {
    let at = a.pixels.iter().zip(&b.pixels).position(|(a, b)| a != b);
    at.map_or_else(
        || format!("{}x{} for {}x{}", a.width, a.height, b.width, b.height),
        |at| {
            let width = b.width as usize;
            format!("pixel {}, {} is another", at % width, at / width)
        },
    )
}

#[test]
fn elimination_draws_every_demo_as_ever() {
    for (name, show) in shows() {
        let mut shot = Shot::show(show).sized(320, 180);
        shot.settings.tile_size = 16;
        let mut bench = Bench::new();
        for number in 0..60 {
            // The last third anti-aliased.
            if number == 40 {
                shot.settings.samples = SampleCount::Four;
            }
            let still = shot.at(number);
            bench.check(&still.input(), &format!("{name} frame {number}"));
        }
    }
}

/// A small xorshift: equal edits on every run.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u32 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 32) as u32
    }

    fn below(&mut self, n: usize) -> usize {
        self.next() as usize % n
    }

    /// 0 to 1 in steps that are often equal.
    fn unit(&mut self) -> f32 {
        self.below(5) as f32 / 4.0
    }
}

/// A scene that edits change.
struct Edited {
    scene: Scene,
    state: FrameState,
    view: View,
    settings: RenderSettings,
    random: Random,
}

fn image(random: &mut Random) -> TextureImage {
    let rgba: Vec<u8> = (0..8 * 8 * 4).map(|_| random.next() as u8 | 128).collect();
    TextureImage::from_rgba8("noise", Encoding::Srgb, 8, 8, &rgba).expect("64 texels")
}

/// A corner in clip space.
fn corner(random: &mut Random) -> Vec3 {
    let [x, y, z] = [0; 3].map(|_| random.unit());
    Vec3::new(2.0 * x - 1.0, 2.0 * y - 1.0, z)
}

fn triangle(random: &mut Random) -> Primitive {
    Primitive {
        indices: vec![0, 1, 2],
        positions: (0..3).map(|_| corner(random)).collect(),
        normals: vec![Vec3::Z; 3],
        tex_coords: vec![
            (0..3)
                .map(|_| Vec2::new(random.unit(), random.unit()))
                .collect(),
        ],
        ..Primitive::default()
    }
}

/// Puts a layer over a material, changes it or takes it away.
fn edit_layers(random: &mut Random, material: &mut Material) -> &'static str {
    let texture = (random.below(2) > 0).then(|| TextureRef {
        texture: TextureId(random.below(3) as u32),
        tex_coord: 0,
        transform: Mat3::IDENTITY,
    });
    let [factor, other] = [0; 2].map(|_| random.unit());
    let present = random.below(3) > 0;
    match random.below(4) {
        3 => {
            let transmission = Transmission { factor, texture };
            material.transmission = present.then_some(transmission);
            material.volume = (random.below(2) > 0).then(|| Volume {
                thickness: other,
                ..Volume::default()
            });
            "changed transmission"
        }
        0 => {
            let coat = Clearcoat {
                factor,
                texture,
                roughness: other,
                ..Clearcoat::default()
            };
            material.clearcoat = present.then_some(coat);
            "changed coat"
        }
        1 => {
            let sheen = Sheen {
                color: Vec3::new(factor, other, 1.0),
                color_texture: texture,
                roughness: other,
                ..Sheen::default()
            };
            material.sheen = present.then_some(sheen);
            "changed sheen"
        }
        _ => {
            let film = Iridescence {
                factor,
                texture,
                thickness_maximum: 200.0 + 400.0 * other,
                ..Iridescence::default()
            };
            material.iridescence = present.then_some(film);
            "changed film"
        }
    }
}

impl Edited {
    const MESHES: usize = 6;

    fn new() -> Self {
        let mut random = Random(0x5eed_1234);
        let mut scene = Scene::default();
        let mut state = FrameState::default();
        for nth in 0..3 {
            scene.images.push(image(&mut random));
            scene.textures.push(Texture {
                image: ImageId(nth),
                sampler: Sampler::default(),
            });
        }
        for nth in 0..Self::MESHES as u32 {
            scene.materials.push(Material {
                shading: Shading::Unlit,
                double_sided: true,
                ..Material::default()
            });
            scene.meshes.push(Mesh {
                name: format!("triangle {nth}"),
                primitives: vec![triangle(&mut random)].into(),
                morph_weights: Vec::new(),
            });
            state.instances.push(Instance {
                mesh: MeshId(nth),
                primitive: 0,
                material: MaterialId(nth),
                world_from_local: Mat4::IDENTITY,
                joints: 0..0,
                morph_weights: 0..0,
                through: ThroughView::Camera,
            });
        }
        state.lights.push(LightInstance {
            kind: LightKind::Directional,
            radiance: Vec3::splat(2.0),
            position_world: Vec3::ZERO,
            direction_world: Vec3::new(0.6, 0.0, -0.8),
            range: f32::INFINITY,
        });
        Self {
            scene,
            state,
            view: View {
                view_from_world: Mat4::IDENTITY,
                clip_from_view: Mat4::IDENTITY,
                eye_world: Vec3::Z,
            },
            settings: RenderSettings {
                width: 96,
                height: 64,
                tile_size: 16,
                ..RenderSettings::default()
            },
            random,
        }
    }

    /// Changes one thing; returns its name, for messages.
    fn edit(&mut self) -> &'static str {
        match self.random.below(14) {
            0..=2 => {
                let (nth, vertex) = (self.random.below(Self::MESHES), self.random.below(3));
                let at = corner(&mut self.random);
                self.scene.meshes[nth].primitives[0].positions[vertex] = at;
                "moved vertex"
            }
            3..=8 => self.edit_material(),
            9 => {
                self.scene.images[self.random.below(3)] = image(&mut self.random);
                "uploaded texels"
            }
            10 => {
                let sampler = &mut self.scene.textures[self.random.below(3)].sampler;
                sampler.mag = [Filter::Nearest, Filter::Linear][self.random.below(2)];
                "changed sampler"
            }
            11 => {
                let (one, other) = (
                    self.random.below(Self::MESHES),
                    self.random.below(Self::MESHES),
                );
                self.state.instances.swap(one, other);
                "changed order"
            }
            _ => self.edit_settings(),
        }
    }

    fn edit_material(&mut self) -> &'static str {
        let random = &mut self.random;
        let material = &mut self.scene.materials[random.below(Self::MESHES)];
        match random.below(6) {
            0 => {
                material.base_color = Vec4::from_array([0; 4].map(|_| random.unit()));
                "changed constant"
            }
            1 => {
                let texture = TextureRef {
                    texture: TextureId(random.below(3) as u32),
                    tex_coord: 0,
                    transform: Mat3::from_scale(Vec2::splat(1.0 + random.unit())),
                };
                material.base_color_texture = (random.below(4) > 0).then_some(texture);
                "swapped texture"
            }
            2 => {
                let cutoff = random.unit();
                let modes = [
                    AlphaMode::Opaque,
                    AlphaMode::Mask { cutoff },
                    AlphaMode::Blend,
                ];
                material.alpha_mode = modes[random.below(3)];
                "changed blend state"
            }
            3 => {
                let states = [DepthState::TestAndWrite, DepthState::Test, DepthState::Off];
                material.depth = states[random.below(3)];
                "changed depth state"
            }
            4 => edit_layers(random, material),
            _ => {
                material.shading = [Shading::Unlit, Shading::MetallicRoughness][random.below(2)];
                "changed program"
            }
        }
    }

    fn edit_settings(&mut self) -> &'static str {
        let random = &mut self.random;
        match random.below(8) {
            0 => {
                self.settings.width = 80 + 16 * random.below(3) as u32;
                self.settings.height = 60 + random.below(8) as u32;
                "resized"
            }
            1 => {
                self.settings.exposure = 0.5 + random.unit();
                "changed exposure"
            }
            5 => {
                self.settings.samples = SampleCount::ALL[random.below(2)];
                "changed samples"
            }
            2..=4 => {
                self.settings.background = match random.below(3) {
                    0 => Background::Transparent,
                    _ => Background::Color(Vec3::splat(random.unit())),
                };
                "changed clear colour"
            }
            _ => "nothing",
        }
    }

    fn input(&self) -> FrameInput<'_> {
        FrameInput::new(&self.scene, &self.state, &self.view, &self.settings)
    }
}

#[test]
fn elimination_survives_ten_thousand_random_edits() {
    let mut edited = Edited::new();
    let mut bench = Bench::new();
    for number in 0..10_000 {
        let edit = edited.edit();
        edited.settings.frame = number;
        bench.check(&edited.input(), &format!("frame {number}, {edit}"));
    }
    assert!(
        bench.kept > 10_000,
        "edits leave most tiles alone: {} kept",
        bench.kept
    );
}

/// The camera moves for some frames and stands for some, while things change in the world and on a display that moves with
/// it.
#[test]
fn elimination_survives_a_camera_that_moves_and_stands() {
    let mut edited = Edited::new();
    edited.state.layers.push(edited.view);
    for display in &mut edited.state.instances[4..] {
        display.through = ThroughView::Layer(0);
    }
    let mut bench = Bench::new();
    let (mut moving, mut left) = (false, 1);
    for number in 0..4_000 {
        left -= 1;
        if left == 0 {
            (moving, left) = (!moving, 1 + edited.random.below(8));
        }
        if moving {
            let step = Vec3::new(edited.random.unit() - 0.5, 0.01, 0.0);
            edited.view.view_from_world *= Mat4::from_translation(0.2 * step);
        }
        let edit = match edited.random.below(3) {
            0 => edited.edit(),
            _ => "nothing else",
        };
        edited.settings.frame = number;
        bench.check(&edited.input(), &format!("frame {number}, {edit}"));
    }
    let seen = |reason| bench.reasons.get(&reason).copied().unwrap_or(0);
    assert!(bench.kept > 10_000, "{} kept", bench.kept);
    assert!(seen(TileReason::Unsigned) > 100, "{:?}", bench.reasons);
}

/// A frame that stands still keeps all tiles after two frames more, however long the camera moved.
#[test]
fn elimination_keeps_all_again_once_the_camera_stands() {
    let mut edited = Edited::new();
    let mut renderer = Renderer::new(2, SimdLevel::Auto).expect("two threads");
    let mut buffer = FrameBuffer::default();
    let mut kept = Vec::new();
    for frame in 0..8 {
        if frame < 5 {
            edited.view.view_from_world *= Mat4::from_translation(0.01 * Vec3::X);
        }
        let list = edited.input();
        let redrawn = renderer.draw(&list.draws(), Onto::new(&mut buffer));
        let n_tiles = redrawn.tiles.reasons.len();
        kept.push(redrawn.tiles.n_kept() == n_tiles);
    }
    assert_eq!(kept[..5], [false; 5], "in motion");
    assert_eq!(kept[6..], [true; 2], "it stands, drawn once more at most");
}

#[test]
fn elimination_draws_animated_models_as_ever() {
    let Some(folder) = shared("gltf") else { return };
    let environment = Environment::builtin();
    let mut animated = 0;
    for path in crate::models::models(&folder) {
        let scene = match load_path(&path, &LoadOptions::default()) {
            Ok(scene) => scene,
            Err(error) => {
                assert!(
                    matches!(error, LoadError::RequiredExtensions(_)),
                    "{}: {error}",
                    path.display()
                );
                crate::common::skipped(&format!("{}: {error}", path.display()));
                continue;
            }
        };
        if scene.animations.is_empty() {
            continue;
        }
        animated += 1;
        let mut bench = Bench::new();
        let settings = RenderSettings {
            width: 160,
            height: 120,
            tile_size: 16,
            background: Background::Environment,
            ..RenderSettings::default()
        };
        let state = scene.state_at(AnimationChoice::All, 0.0);
        let camera = scene.framing_camera(&state, 4.0 / 3.0);
        for number in 0..60 {
            let state = scene.state_at(AnimationChoice::All, number as f32 / 60.0);
            let input = FrameInput {
                scene: &scene,
                state: &state,
                view: &camera.view(settings.width, settings.height),
                environment: Some(&environment),
                settings: &settings,
            };
            bench.check(&input, &format!("{} frame {number}", path.display()));
        }
    }
    assert!(animated > 0, "{} has animated models", folder.display());
}

/// One colour everywhere: these components of red and green, blue at 1.
const fn plain([red, green]: [f32; 2]) -> Painted<'static> {
    Painted::Color([red, green, 1.0])
}

const ONE_TILE: RenderSettings = RenderSettings {
    width: 32,
    height: 32,
    tile_size: 32,
    binning: Binning::Exact,
    tile_order: TileOrder::SCAN_LINE,
    frame: 0,
    background: Background::Transparent,
    samples: SampleCount::One,
    tone_map: ToneMap::None,
    exposure: 1.0,
};

/// A triangle over the whole picture, drawn by a program of any kind.
fn draw_onto(buffer: &mut FrameBuffer, equality: Equality, program: Painted<'_>) -> Redrawn {
    let primitive = Primitive {
        indices: vec![0, 1, 2],
        positions: vec![
            Vec3::new(-1.0, -1.0, 0.5),
            Vec3::new(3.0, -1.0, 0.5),
            Vec3::new(-1.0, 3.0, 0.5),
        ],
        ..Primitive::default()
    };
    let draw = Draw {
        double_sided: true,
        ..Draw::new(&primitive, program)
    };
    let mut renderer = Renderer::new(1, SimdLevel::Auto).expect("a thread");
    let onto = Onto {
        equality,
        ..Onto::new(buffer)
    };
    renderer.draw(&DrawList::new(vec![draw], ONE_TILE), onto)
}

/// Two pairs of clearly different colours whose eight bytes have one CRC32: among a million random ones there are over a
/// hundred such pairs.
fn colliding_colors() -> [[f32; 2]; 2] {
    let mut random = Random(7);
    let mut seen = HashMap::new();
    for _ in 0..1 << 22 {
        let color =
            [random.next(), random.next()].map(|bits| 0.1 + 0.8 * (bits as f32 / u32::MAX as f32));
        let bytes: [u8; 8] = bytemuck::cast(color);
        if let Some(other) = seen.insert(crc32fast::hash(&bytes), color) {
            let [red, green] = [0, 1].map(|k: usize| f32::abs(color[k] - other[k]));
            if red > 0.3 && green > 0.3 {
                return [other, color];
            }
        }
    }
    panic!("no two of four million messages collide");
}

#[test]
fn elimination_draws_tiles_whose_signature_collides() {
    let [first, second] = colliding_colors();
    let mut alone = FrameBuffer::default();
    draw_onto(&mut alone, Equality::Inputs, plain(second));
    let mut careful = FrameBuffer::default();
    draw_onto(&mut careful, Equality::Inputs, plain(first));
    let before = careful.picture().clone();
    let redrawn = draw_onto(&mut careful, Equality::Inputs, plain(second));
    assert_eq!(redrawn.tiles.n_collisions(), 1, "seen");
    assert_eq!(careful.picture(), alone.picture(), "and drawn");
    let mut trusting = FrameBuffer::default();
    draw_onto(&mut trusting, Equality::Signature, plain(first));
    let redrawn = draw_onto(&mut trusting, Equality::Signature, plain(second));
    assert_eq!(redrawn.tiles.n_collisions(), 1, "seen as well");
    assert_eq!(trusting.picture(), &before, "and believed, as asked");
    assert_ne!(trusting.picture(), alone.picture(), "which one sees");
}

#[test]
fn elimination_knows_constants_and_tables_of_programs_of_any_kind() {
    let (ramp, steps) = (
        [0.1_f32, 0.4, 0.9, 0.3].map(f32::to_bits),
        [0.5_f32; 4].map(f32::to_bits),
    );
    let striped = |table: &'static [u32], shift| Painted::Striped { table, shift };
    let (ramp, steps): (&'static [u32], &'static [u32]) =
        (Box::leak(Box::new(ramp)), Box::leak(Box::new(steps)));
    let mut buffer = FrameBuffer::default();
    let mut reason = |program: Painted<'static>| {
        let mut alone = FrameBuffer::default();
        let again = program;
        draw_onto(&mut alone, Equality::Inputs, program);
        let redrawn = draw_onto(&mut buffer, Equality::Inputs, again);
        assert_eq!(buffer.picture(), alone.picture(), "never a wrong pixel");
        redrawn.tiles.reasons[0]
    };
    assert_eq!(reason(striped(ramp, 0)), TileReason::FirstFrame);
    assert_eq!(reason(striped(ramp, 0)), TileReason::EqualInputs);
    assert_eq!(
        reason(striped(ramp, 1)),
        TileReason::ChangedInputs,
        "a constant inside a texture unit"
    );
    assert_eq!(
        reason(striped(steps, 1)),
        TileReason::ChangedInputs,
        "contents of a table"
    );
    assert_eq!(reason(striped(steps, 1)), TileReason::EqualInputs);
}

/// State bytes of a scene's draws hold at least as much as recording their programs gives: no tile is left out that
/// recording would draw.
#[test]
fn elimination_of_scenes_leaves_out_nothing_that_recording_draws() {
    let mut renderer = Renderer::new(2, SimdLevel::Auto).expect("two threads");
    let mut n_kept = 0;
    for (name, show) in shows() {
        let shot = Shot::show(show).sized(320, 180);
        let mut buffers = [FrameBuffer::default(), FrameBuffer::default()];
        for number in 100..104 {
            let still = shot.at(number);
            let list = still.draws();
            let mut recorded = list.clone();
            for draw in &mut recorded.draws {
                draw.identity = DrawIdentity::default();
            }
            let [known, by_recording] = &mut buffers;
            let known = renderer.draw(&list, Onto::new(known)).tiles;
            let by_recording = renderer.draw(&recorded, Onto::new(by_recording)).tiles;
            for (tile, reasons) in known.reasons.iter().zip(&by_recording.reasons).enumerate() {
                let (known, by_recording) = reasons;
                let left_out = !known.is_kept() || by_recording.is_kept();
                assert!(left_out, "{name} {number}, tile {tile}: {by_recording:?}");
                n_kept += usize::from(known.is_kept());
            }
        }
    }
    assert!(n_kept > 1000, "{n_kept} tiles were left out");
}

#[test]
fn elimination_of_a_still_frame_counts_nothing() {
    let edited = Edited::new();
    let input = edited.input();
    let mut renderer = Renderer::new(1, SimdLevel::Auto).expect("a thread");
    let mut buffer = FrameBuffer::default();
    let mut quads = Vec::new();
    for _ in 0..4 {
        let onto = Onto {
            recording: Recording::Counters,
            ..Onto::new(&mut buffer)
        };
        let redrawn = renderer.draw(&input.draws(), onto);
        let counters = redrawn.counters.expect("asked for");
        quads.push((
            counters.raster.quads_rasterised,
            counters.geometry.vertices_in,
        ));
    }
    assert!(quads[0].0 > 0, "the first frame is drawn");
    assert_eq!(
        quads[1],
        (0, quads[0].1),
        "the second only as far as tiling"
    );
    assert_eq!(quads[2..], [(0, 0); 2], "the others not at all");
}
