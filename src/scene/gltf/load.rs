//! A file to a scene, step by step: open it, flatten the hierarchy of one scene, then read what that scene uses: materials,
//! meshes, skins, animations, images.

use std::collections::{BTreeMap, BTreeSet};

use super::animation::Stage;
use super::error::{LoadError, element};
use super::file::File;
use super::hierarchy::{FlatNode, Hierarchy};
use super::mesh::Materials;
use super::open::open;
use super::pointer::Places;
use super::texture::TextureTable;
use super::uri::Resolve;
use super::{draco, hierarchy, image_light, instancing, material, mesh, punctual, skin, variants};
use crate::{Material, MaterialId, Mesh, MeshId, MorphTarget, Primitive, Scene, Skin};

/// How a file is loaded.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LoadOptions {
    /// Which scene of the file, by its name or else its position; `None` takes the file's default, else its first.
    pub scene: Option<String>,
    /// Which of the file's choices of materials, by its name or else its position; `None` leaves every primitive its own.
    pub variant: Option<String>,
    /// Most bytes that meshes, animations and textures may take decoded, with about what a frame takes of each mesh for
    /// every place where it is drawn; a file of a few kilobytes can ask for terabytes.
    pub memory_limit: u64,
}

impl Default for LoadOptions {
    fn default() -> Self {
        Self {
            scene: None,
            variant: None,
            memory_limit: 8 << 30,
        }
    }
}

/// Loads the .gltf or .glb in `bytes`; buffers and images beside it come through `resolve`.
///
/// ```
/// # mod azulejo { pub use azulejo_scene as scene; }
/// use azulejo::scene::gltf::{LoadOptions, load};
///
/// let text = br#"{ "asset": { "version": "2.0" }, "scenes": [{ "nodes": [0] }], "nodes": [{ "name": "here" }] }"#;
/// let nothing_beside = |_: &str| Err(std::io::ErrorKind::NotFound.into());
/// let scene = load(text.to_vec(), &nothing_beside, &LoadOptions::default())?;
/// assert_eq!(scene.nodes[0].name, "here");
/// # Ok::<(), azulejo::scene::gltf::LoadError>(())
/// ```
///
/// # Errors
/// If the bytes are no glTF 2.0, require an extension beyond [`SUPPORTED_EXTENSIONS`](super::SUPPORTED_EXTENSIONS), break
/// the format where no repair is possible, refer to a file that cannot be read, need more memory than `options` allows, or
/// would read morph targets for more than some ten seconds a frame.
pub fn load(
    bytes: Vec<u8>,
    resolve: &Resolve<'_>,
    options: &LoadOptions,
) -> Result<Scene, LoadError> {
    let mut file = open(bytes, resolve, options.memory_limit)?;
    let variants = variants::names(&file)?;
    if let Some(choice) = &options.variant {
        variants::choose(&mut file, &variants, choice)?;
    }
    let mut hierarchy = hierarchy::read(&file, options.scene.as_deref())?;
    let used = Used::of(&file, &hierarchy)?;
    draco::decode_meshes(&mut file, used.meshes.keys().copied())?;
    let mut scene = Scene {
        variants,
        ..Scene::default()
    };
    let mut table = TextureTable::default();
    let materials = read_materials(&file, &used, &mut table)?;
    for &index in used.meshes.keys() {
        scene.meshes.push(mesh::read(&file, index, &materials)?);
    }
    let material_ids = materials.ids;
    scene.materials = materials.list;
    for &index in used.skins.keys() {
        scene.skins.push(skin::read(&file, index, &hierarchy)?);
    }
    let placed = furnish(&file, &mut hierarchy, &used, &mut scene)?;
    let stage = Stage {
        file: &file,
        hierarchy: &hierarchy,
        meshes: &scene.meshes,
        places: Places {
            materials: material_ids,
            meshes: used.meshes,
            lights: placed.lights,
            cameras: placed.cameras,
        },
    };
    let animations = 0..file.root.animations.len();
    scene.animations = animations
        .map(|index| stage.read(index))
        .collect::<Result<_, _>>()?;
    let chosen = hierarchy::scene(&file, options.scene.as_deref())?;
    scene.environment = image_light::read(&file, chosen, resolve);
    // Last, as the meshes' scratch memory is free by now and textures are the largest.
    let failed = table.load(&file, resolve, &mut scene);
    for material in &mut scene.materials {
        material::drop_textures(material, &scene.textures, &failed);
    }
    let nodes = hierarchy.nodes.into_iter();
    scene.nodes = nodes.map(|flat| flat.node).collect();
    scene.warnings = file.warnings.into_list();
    Ok(scene)
}

/// Parts of the file that the chosen scene uses; values are positions in the scene's lists.
#[derive(Debug, Default)]
struct Used {
    meshes: BTreeMap<usize, MeshId>,
    skins: BTreeMap<usize, u32>,
    /// Materials of the file.
    materials: BTreeSet<usize>,
    /// Whether a primitive names no material.
    needs_default_material: bool,
}

impl Used {
    fn of(file: &File, hierarchy: &Hierarchy) -> Result<Self, LoadError> {
        let mut used = Self::default();
        for FlatNode { index, .. } in &hierarchy.nodes[..hierarchy.drawn] {
            let json = &file.root.nodes[*index];
            let name = || element("node", *index, json.name.as_deref());
            let Some(mesh) = json.mesh else { continue };
            let primitives = file.root.get(mesh).map(|mesh| &mesh.primitives);
            let primitives = primitives.ok_or_else(|| {
                let problem = format!("refers to mesh {mesh} of {}", file.root.meshes.len());
                LoadError::invalid(name(), problem)
            })?;
            used.meshes.insert(mesh.value(), MeshId(0));
            if let Some(skin) = json.skin {
                if file.root.get(skin).is_none() {
                    let problem = format!("refers to skin {skin} of {}", file.root.skins.len());
                    return Err(LoadError::invalid(name(), problem));
                }
                used.skins.insert(skin.value(), 0);
            }
            let materials = primitives.iter().map(|primitive| primitive.material);
            used.needs_default_material |= materials.clone().any(|material| material.is_none());
            used.materials
                .extend(materials.flatten().map(|material| material.value()));
        }
        (0..)
            .zip(used.meshes.values_mut())
            .for_each(|(id, mesh)| *mesh = MeshId(id));
        (0..)
            .zip(used.skins.values_mut())
            .for_each(|(id, skin)| *skin = id);
        Ok(used)
    }
}

/// The materials that the scene uses; their textures join `table`.
fn read_materials(
    file: &File,
    used: &Used,
    table: &mut TextureTable,
) -> Result<Materials, LoadError> {
    let (mut list, mut ids) = (Vec::new(), BTreeMap::new());
    let count = file.root.materials.len();
    for &index in used.materials.iter().filter(|&&index| index < count) {
        ids.insert(index, MaterialId(list.len() as u32));
        list.push(material::read(file, index, table)?);
    }
    let default = MaterialId(list.len() as u32);
    if used.needs_default_material {
        list.push(Material::default());
    }
    Ok(Materials { list, ids, default })
}

/// Gives the nodes their meshes, skins, lights and cameras.
fn furnish(
    file: &File,
    hierarchy: &mut Hierarchy,
    used: &Used,
    scene: &mut Scene,
) -> Result<Furnished, LoadError> {
    let (lights, cameras) = (
        Kept::new(punctual::lights(file)),
        Kept::new(punctual::cameras(file)),
    );
    let max_joints: Vec<Option<u16>> = scene.meshes.iter().map(skin::max_joint).collect();
    let morph_bytes: Vec<u64> = scene.meshes.iter().map(morph_bytes).collect();
    let mut morphed = 0_u64;
    for FlatNode { node, index } in &mut hierarchy.nodes[..hierarchy.drawn] {
        let json = &file.root.nodes[*index];
        let name = element("node", *index, json.name.as_deref());
        if let Some(mesh) = json.mesh.and_then(|mesh| used.meshes.get(&mesh.value())) {
            node.mesh = Some(*mesh);
            let skin = json.skin.and_then(|skin| used.skins.get(&skin.value()));
            node.skin = skin.copied();
            let skin = node.skin.map(|skin| &scene.skins[skin as usize]);
            skin::check_joints(max_joints[mesh.index()], skin, &name)?;
            node.copies = instancing::read(file, json, &name)?;
            let copies = node.copies.as_ref().map_or(1, Vec::len) as u64;
            let bytes = frame_bytes(&scene.meshes[mesh.index()], skin);
            file.reserve(bytes.saturating_mul(copies), &name)?;
            let of_node = morph_bytes[mesh.index()].saturating_mul(copies);
            morphed = morphed.saturating_add(of_node);
            if morphed > MOST_MORPH_BYTES {
                let problem = format!(
                    "brings what morph targets add to vertices to {morphed} bytes a frame; at most {MOST_MORPH_BYTES} are read: place its mesh less often or leave out targets"
                );
                return Err(LoadError::invalid(name, problem));
            }
        }
        if let Some(camera) = json.camera {
            node.camera = cameras.get(camera.value(), "camera", &name)?;
        }
        let extensions = json.extensions.as_ref();
        let light = extensions.and_then(|extensions| extensions.khr_lights_punctual.as_ref());
        if let Some(light) = light {
            node.light = lights.get(light.light.value(), "light", &name)?;
        }
    }
    (scene.lights, scene.cameras) = (lights.items, cameras.items);
    Ok(Furnished {
        lights: lights.positions,
        cameras: cameras.positions,
    })
}

/// Positions of the file's lights and cameras in the scene; `None` for those left out.
struct Furnished {
    lights: Vec<Option<u32>>,
    cameras: Vec<Option<u32>>,
}

/// About what drawing and tracing take of each draw: its constants, its state, and what a trace says of it. Measured on
/// 40,000 and 160,000 triangles, each a draw: 1.6 KB a draw more to draw them, 2.6 to trace them.
const DRAWN_PRIMITIVE_BYTES: u64 = 2400;

/// About what drawing takes of each vertex: its place on the screen, its clip position and a few varyings.
const DRAWN_VERTEX_BYTES: u64 = 64;

/// About what drawing takes of each index: a triangle, and its place in a tile's list.
const DRAWN_INDEX_BYTES: u64 = 16;

/// About what a frame holds of a mesh that is drawn once, its node's part of the state included: few bytes of a file can
/// place a large mesh very often.
fn frame_bytes(mesh: &Mesh, skin: Option<&Skin>) -> u64 {
    let of_primitive = |primitive: &Primitive| {
        let targets = primitive.morph_targets.len() as u64;
        let (vertices, indices) = (primitive.positions.len(), primitive.indices.len());
        DRAWN_PRIMITIVE_BYTES
            + 4 * targets
            + DRAWN_VERTEX_BYTES * vertices as u64
            + DRAWN_INDEX_BYTES * indices as u64
    };
    let joints = skin.map_or(0, |skin| skin.joints.len() as u64);
    mesh.primitives.iter().map(of_primitive).sum::<u64>() + 64 * joints
}

/// Most bytes of morph targets that a frame reads, at all places where meshes are drawn: about ten seconds' work for a
/// desktop machine, and far more than scenes have. Without a bound, a file of a megabyte could keep the vertex stage busy
/// for hours.
const MOST_MORPH_BYTES: u64 = 256 << 30;

/// Bytes read of a mesh's morph targets where it is drawn once.
fn morph_bytes(mesh: &Mesh) -> u64 {
    let of_target = |target: &MorphTarget| {
        let tex_coords = target
            .tex_coords
            .iter()
            .map(|set| size_of_val(set.as_slice()));
        size_of_val(target.positions.as_slice())
            + size_of_val(target.normals.as_slice())
            + size_of_val(target.tangents.as_slice())
            + tex_coords.sum::<usize>()
            + size_of_val(target.colors.as_slice())
    };
    let targets = mesh
        .primitives
        .iter()
        .flat_map(|primitive| &primitive.morph_targets);
    targets.map(|target| of_target(target) as u64).sum()
}

/// The usable items of a list of the file, and where they went.
struct Kept<T> {
    items: Vec<T>,
    positions: Vec<Option<u32>>,
}

impl<T> Kept<T> {
    fn new(list: Vec<Option<T>>) -> Self {
        let (mut items, mut positions) = (Vec::new(), Vec::new());
        for item in list {
            positions.push(item.is_some().then_some(items.len() as u32));
            items.extend(item);
        }
        Self { items, positions }
    }

    /// The new position of item `index` of the file, if it is usable.
    fn get(&self, index: usize, kind: &str, user: &str) -> Result<Option<u32>, LoadError> {
        self.positions.get(index).copied().ok_or_else(|| {
            let count = self.positions.len();
            LoadError::invalid(user, format!("refers to {kind} {index} of {count}"))
        })
    }
}
