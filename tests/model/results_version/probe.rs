//! A scene of everything that is drawn in its own way: small balls beside each other, each with another material, placement
//! or topology, before an environment. Its contents are listed from the scene and from the draws made of it, so that
//! nothing is forgotten.

use std::collections::BTreeSet;

use azulejo::demo::procedural::{Patch, ellipsoid};
use azulejo::grid::{SampleCount, TileGrid};
use azulejo::render::shading::DrawProgram;
use azulejo::render::{Background, FrameInput, RenderSettings};
use azulejo::scene::{
    AlphaMode, Anisotropy, Clearcoat, DepthState, DiffuseTransmission, Encoding, Environment,
    FrameState, ImageId, Instance, Iridescence, LightInstance, LightKind, Material, MaterialId,
    Mesh, MeshId, MorphTarget, Primitive, Projection, Sampler, Scene, Shading, Sheen, Texture,
    TextureId, TextureImage, TextureRef, ThroughView, Topology, Transmission, View, Volume,
};
use glam::{Mat3, Mat4, Vec3, Vec4};

/// Balls of a row.
const COLUMNS: usize = 7;

/// The scene, its frame and its light.
pub(crate) struct Probe {
    pub(crate) scene: Scene,
    pub(crate) state: FrameState,
    environment: Environment,
}

impl Probe {
    pub(crate) fn new() -> Self {
        let mut scene = Scene {
            meshes: meshes(),
            textures: [ImageId(0), ImageId(1)]
                .map(|image| Texture {
                    image,
                    sampler: Sampler::default(),
                })
                .to_vec(),
            images: [Encoding::Srgb, Encoding::Linear].map(image).to_vec(),
            materials: materials(),
            ..Scene::default()
        };
        scene.name = "probe".to_owned();
        let state = state(&scene);
        let radiance: Vec<Vec3> = (0..32 * 16)
            .map(|at| Vec3::new((at % 32) as f32 / 16.0, 0.5, (at / 32) as f32 / 8.0))
            .collect();
        let environment = Environment::from_equirect(32, 16, &radiance);
        Self {
            scene,
            state,
            environment: environment.expect("a small picture"),
        }
    }

    /// Input of the probe's frame on a screen.
    pub(crate) fn with_input<T>(
        &self,
        grid: TileGrid,
        samples: SampleCount,
        then: impl FnOnce(&FrameInput<'_>) -> T,
    ) -> T {
        let settings = RenderSettings {
            background: Background::Environment,
            samples,
            ..RenderSettings::of_screen(grid)
        };
        let lens = Projection::Perspective {
            y_fov: 0.8,
            aspect: None,
            near: 0.1,
            far: None,
        };
        let eye = Mat4::from_translation(Vec3::new(0.0, 0.0, 10.0));
        let view = View::through(&lens, eye, grid.width, grid.height);
        then(&FrameInput {
            scene: &self.scene,
            state: &self.state,
            view: &view,
            environment: Some(&self.environment),
            settings: &settings,
        })
    }
}

fn image(encoding: Encoding) -> TextureImage {
    let texels: Vec<u8> = (0..32 * 32)
        .flat_map(|at| {
            [
                (at % 32) as u8 * 8,
                (at / 32) as u8 * 8,
                200,
                (at % 7) as u8 * 40,
            ]
        })
        .collect();
    TextureImage::from_rgba8("ramp", encoding, 32, 32, &texels).expect("32 x 32 texels")
}

/// A ball; one with colours; one that bends and swells; points; lines.
fn meshes() -> Vec<Mesh> {
    let ball = ellipsoid(Patch::new(10, 6), Vec3::splat(0.55));
    let n = ball.positions.len();
    let coloured = Primitive {
        colors: (0..n)
            .map(|at| Vec4::new(at as f32 / n as f32, 0.5, 1.0, 1.0))
            .collect(),
        ..ball.clone()
    };
    let bent = Primitive {
        joints: vec![(0..n).map(|at| [(at % 2) as u16, 0, 0, 0]).collect()],
        weights: vec![vec![Vec4::X; n]],
        ..ball.clone()
    };
    let swollen = Primitive {
        morph_targets: vec![MorphTarget {
            positions: ball.normals.clone(),
            ..MorphTarget::default()
        }],
        ..ball.clone()
    };
    let strokes = |topology: Topology| Primitive {
        topology,
        indices: (0..n as u32 / 2 * 2).collect(),
        normals: Vec::new(),
        tangents: Vec::new(),
        ..ball.clone()
    };
    let points = strokes(Topology::Points);
    let lines = strokes(Topology::Lines);
    [ball, coloured, bent, swollen, points, lines]
        .map(|primitive| Mesh {
            primitives: vec![primitive].into(),
            ..Mesh::default()
        })
        .to_vec()
}

/// Each layer by itself, then with all its textures, and all layers at once; every state of fixed functions.
fn materials() -> Vec<Material> {
    let texture = |number| {
        Some(TextureRef {
            texture: TextureId(number),
            tex_coord: 0,
            transform: Mat3::IDENTITY,
        })
    };
    let (colour, linear) = (texture(0), texture(1));
    let plain = Material {
        base_color: Vec4::new(0.9, 0.7, 0.5, 0.8),
        metallic: 0.2,
        roughness: 0.4,
        ..Material::default()
    };
    let textured = Material {
        base_color_texture: colour,
        metallic_roughness_texture: linear,
        normal_texture: linear,
        occlusion_texture: linear,
        emissive: Vec3::splat(0.2),
        emissive_texture: colour,
        specular_texture: linear,
        specular_color_texture: colour,
        ..plain.clone()
    };
    let mut all = vec![plain.clone(), textured.clone()];
    all.extend([
        Material {
            shading: Shading::Unlit,
            base_color_texture: colour,
            ..plain.clone()
        },
        Material {
            alpha_mode: AlphaMode::Mask { cutoff: 0.4 },
            double_sided: true,
            base_color_texture: colour,
            ..plain.clone()
        },
        Material {
            alpha_mode: AlphaMode::Blend,
            ..textured.clone()
        },
        Material {
            depth: DepthState::Test,
            ..plain.clone()
        },
        Material {
            depth: DepthState::Off,
            shading: Shading::Unlit,
            alpha_mode: AlphaMode::Blend,
            base_color_texture: colour,
            ..plain.clone()
        },
    ]);
    for (colour, linear) in [(None, None), (colour, linear)] {
        all.extend(layers(&plain, colour, linear));
    }
    all
}

/// Extensions of a material that lets light pass.
fn through(
    colour: Option<TextureRef>,
    linear: Option<TextureRef>,
) -> (Transmission, DiffuseTransmission, Volume) {
    let transmission = Transmission {
        factor: 0.9,
        texture: linear,
    };
    let diffuse = DiffuseTransmission {
        factor: 0.6,
        texture: linear,
        color: Vec3::new(0.9, 0.4, 0.2),
        color_texture: colour,
    };
    let volume = Volume {
        thickness: 0.7,
        thickness_texture: linear,
        attenuation_distance: 1.0,
        attenuation_color: Vec3::new(0.5, 0.9, 0.7),
        dispersion: 2.0,
    };
    (transmission, diffuse, volume)
}

fn layers(
    plain: &Material,
    colour: Option<TextureRef>,
    linear: Option<TextureRef>,
) -> Vec<Material> {
    let clearcoat = Clearcoat {
        factor: 0.9,
        texture: linear,
        roughness: 0.2,
        roughness_texture: linear,
        normal_texture: linear,
        normal_scale: 0.3,
    };
    let sheen = Sheen {
        color: Vec3::new(0.2, 0.5, 1.0),
        color_texture: colour,
        roughness: 0.6,
        roughness_texture: linear,
    };
    let anisotropy = Anisotropy {
        strength: 0.8,
        rotation: 0.5,
        texture: linear,
    };
    let iridescence = Iridescence {
        factor: 0.9,
        texture: linear,
        thickness_texture: linear,
        ..Iridescence::default()
    };
    let (transmission, diffuse, volume) = through(colour, linear);
    let of = |change: &dyn Fn(&mut Material)| {
        let mut material = plain.clone();
        change(&mut material);
        material
    };
    vec![
        of(&|material| material.clearcoat = Some(clearcoat)),
        of(&|material| material.sheen = Some(sheen)),
        of(&|material| material.anisotropy = Some(anisotropy)),
        of(&|material| material.iridescence = Some(iridescence)),
        of(&|material| material.transmission = Some(transmission)),
        of(&|material| {
            material.transmission = Some(transmission);
            material.volume = Some(volume);
        }),
        of(&|material| material.diffuse_transmission = Some(diffuse)),
        of(&|material| {
            material.diffuse_transmission = Some(diffuse);
            material.volume = Some(volume);
            material.clearcoat = Some(clearcoat);
            material.sheen = Some(sheen);
            material.anisotropy = Some(anisotropy);
            material.iridescence = Some(iridescence);
        }),
    ]
}

/// A ball of each material, then the other meshes, then one on a layer of its own; blended ones last.
fn state(scene: &Scene) -> FrameState {
    let mut instances: Vec<Instance> = (0..scene.materials.len())
        .map(|material| instance(0, material, material))
        .collect();
    for mesh in 1..scene.meshes.len() {
        let at = instances.len();
        instances.push(instance(mesh, 0, at));
    }
    let (bent, swollen) = (scene.materials.len() + 1, scene.materials.len() + 2);
    instances[bent].joints = 0..2;
    instances[swollen].morph_weights = 0..1;
    let place = std::mem::replace(&mut instances[bent].world_from_local, Mat4::IDENTITY);
    let on_layer = Instance {
        through: ThroughView::Layer(0),
        ..instance(0, 2, instances.len())
    };
    instances.push(on_layer);
    instances.sort_by_key(|instance| {
        scene.materials[instance.material.index()].alpha_mode == AlphaMode::Blend
    });
    let spot = LightKind::Spot {
        inner_angle: 0.2,
        outer_angle: 0.9,
    };
    let lights = [LightKind::Directional, LightKind::Point, spot].map(|kind| LightInstance {
        kind,
        radiance: Vec3::new(3.0, 2.0, 1.0),
        position_world: Vec3::new(2.0, 3.0, 4.0),
        direction_world: Vec3::new(-0.36, -0.48, -0.8),
        range: 40.0,
    });
    let lens = Projection::Perspective {
        y_fov: 1.0,
        aspect: None,
        near: 0.1,
        far: None,
    };
    let above = Mat4::from_translation(Vec3::new(0.0, 0.0, 9.0));
    FrameState {
        instances,
        joints: vec![place, place * Mat4::from_translation(Vec3::Y * 0.2)],
        morph_weights: vec![0.3],
        lights: lights.to_vec(),
        layers: vec![View::through(&lens, above, 96, 64)],
        ..FrameState::default()
    }
}

fn instance(mesh: usize, material: usize, place: usize) -> Instance {
    let (column, row) = ((place % COLUMNS) as f32, (place / COLUMNS) as f32);
    let at = Vec3::new(1.5 * (column - 3.0), 3.2 - 1.6 * row, 0.0);
    Instance {
        mesh: MeshId(mesh as u32),
        primitive: 0,
        material: MaterialId(material as u32),
        world_from_local: Mat4::from_translation(at),
        joints: 0..0,
        morph_weights: 0..0,
        through: ThroughView::Camera,
    }
}

/// Kinds of programs; a new one does not compile here before it has a place.
const PROGRAMS: [&str; 4] = ["metallic-roughness", "layered", "unlit", "sky"];

fn program_kind(program: &DrawProgram<'_>) -> &'static str {
    match program {
        DrawProgram::MetallicRoughness(_) => PROGRAMS[0],
        DrawProgram::Layered(_) => PROGRAMS[1],
        DrawProgram::Unlit(_) => PROGRAMS[2],
        DrawProgram::Sky(_) => PROGRAMS[3],
    }
}

/// Names of the settings of the material's enumerations.
fn states(shading: Shading, alpha_mode: AlphaMode, depth: DepthState) -> [&'static str; 3] {
    let shading = match shading {
        Shading::MetallicRoughness => "lit",
        Shading::Unlit => "unlit",
    };
    let alpha = match alpha_mode {
        AlphaMode::Opaque => "opaque",
        AlphaMode::Mask { .. } => "mask",
        AlphaMode::Blend => "blend",
    };
    let depth = match depth {
        DepthState::TestAndWrite => "depth",
        DepthState::Test => "depth test",
        DepthState::Off => "no depth",
    };
    [shading, alpha, depth]
}

/// Optional parts of a material, and whether each is there; a new field does not compile here before it has a place.
fn parts(material: &Material) -> Vec<(&'static str, bool)> {
    let Material {
        name: _,
        shading,
        base_color: _,
        base_color_texture,
        metallic: _,
        roughness: _,
        metallic_roughness_texture,
        normal_texture,
        normal_scale: _,
        occlusion_texture,
        occlusion_strength: _,
        emissive: _,
        emissive_texture,
        ior: _,
        specular: _,
        specular_texture,
        specular_color: _,
        specular_color_texture,
        clearcoat,
        sheen,
        anisotropy,
        iridescence,
        transmission,
        diffuse_transmission,
        volume,
        alpha_mode,
        depth,
        double_sided,
    } = material;
    let [shading, alpha, depth] = states(*shading, *alpha_mode, *depth);
    vec![
        (shading, true),
        (alpha, true),
        (depth, true),
        ("base colour texture", base_color_texture.is_some()),
        ("roughness texture", metallic_roughness_texture.is_some()),
        ("normal texture", normal_texture.is_some()),
        ("occlusion texture", occlusion_texture.is_some()),
        ("emissive texture", emissive_texture.is_some()),
        ("specular texture", specular_texture.is_some()),
        ("specular colour texture", specular_color_texture.is_some()),
        ("clearcoat", clearcoat.is_some()),
        ("sheen", sheen.is_some()),
        ("anisotropy", anisotropy.is_some()),
        ("iridescence", iridescence.is_some()),
        ("transmission", transmission.is_some()),
        ("diffuse transmission", diffuse_transmission.is_some()),
        ("volume", volume.is_some()),
        ("double sided", *double_sided),
    ]
}

/// The values of the enumerations above.
const STATES: [&str; 8] = [
    "lit",
    "unlit",
    "opaque",
    "mask",
    "blend",
    "depth",
    "depth test",
    "no depth",
];

#[test]
fn probe_has_every_kind_of_program_and_the_pass_behind() {
    let probe = Probe::new();
    let grid = TileGrid {
        width: 96,
        height: 64,
        tile_size: 32,
    };
    probe.with_input(grid, SampleCount::One, |input| {
        let list = input.draws();
        let kinds: BTreeSet<_> = (list.draws.iter())
            .map(|draw| program_kind(&draw.program))
            .collect();
        assert_eq!(kinds, BTreeSet::from(PROGRAMS));
        let behind = list.behind.as_deref().expect("glass looks through itself");
        let layered = |program: &DrawProgram<'_>| program_kind(program) == PROGRAMS[1];
        let has_layers = behind.list.draws.iter().any(|draw| layered(&draw.program));
        assert!(has_layers, "layers behind glass");
    });
}

#[test]
fn probe_has_every_part_of_a_material_and_every_stream_of_a_mesh() {
    let Probe { scene, state, .. } = Probe::new();
    let all: Vec<_> = scene.materials.iter().flat_map(parts).collect();
    let there: BTreeSet<_> = all
        .iter()
        .filter(|part| part.1)
        .map(|part| part.0)
        .collect();
    let known: BTreeSet<_> = all.iter().map(|part| part.0).chain(STATES).collect();
    assert_eq!(there, known, "all that a material may have");
    for layer in scene
        .materials
        .iter()
        .filter(|material| material.has_layers())
    {
        let mut bare = parts(layer);
        bare.retain(|part| part.1);
        assert!(bare.len() > 3, "a layer: {bare:?}");
    }
    let primitives = || scene.meshes.iter().flat_map(|mesh| mesh.primitives.iter());
    let topologies: BTreeSet<usize> = primitives()
        .map(|primitive| primitive.topology.vertices())
        .collect();
    assert_eq!(
        topologies,
        BTreeSet::from([1, 2, 3]),
        "points, lines, triangles"
    );
    let has = |is: fn(&Primitive) -> bool| primitives().any(is);
    assert!(has(|primitive| !primitive.colors.is_empty()), "colours");
    let instances = || state.instances.iter();
    assert!(
        instances().any(|instance| !instance.joints.is_empty()),
        "skin"
    );
    assert!(
        instances().any(|instance| !instance.morph_weights.is_empty()),
        "morph"
    );
    assert!(
        instances().any(|instance| instance.through != ThroughView::Camera),
        "layer"
    );
    let lights: BTreeSet<_> = (state.lights.iter())
        .map(|light| match light.kind {
            LightKind::Directional => "directional",
            LightKind::Point => "point",
            LightKind::Spot { .. } => "spot",
        })
        .collect();
    assert_eq!(lights.len(), 3, "{lights:?}");
}

#[test]
fn probe_shows_each_of_its_balls() {
    use azulejo::render::{Recording, Renderer, SimdLevel};
    let probe = Probe::new();
    let grid = TileGrid {
        width: 192,
        height: 128,
        tile_size: 32,
    };
    let mut renderer = Renderer::new(1, SimdLevel::Auto).expect("this machine has lanes");
    probe.with_input(grid, SampleCount::One, |input| {
        let list = input.draws();
        let counters = renderer.draw(&list, Recording::Counters).counters;
        let draws = counters.expect("counted").draws;
        assert!(draws.len() >= list.draws.len(), "a count for each pass");
        for (number, draw) in draws.iter().enumerate() {
            assert!(
                draw.raster.quads_shaded > 0,
                "draw {number} is in the picture"
            );
        }
    });
}
