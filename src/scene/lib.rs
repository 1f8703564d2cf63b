//! Scenes to draw: a glTF 2.0 file, an OBJ, or a builder, becomes one immutable [`Scene`]; a time turns it into a
//! [`FrameState`].
//!
//! Spaces: glTF's, right-handed, +Y up, metres. Vertex data are decoded to `f32` once at load, textures to RGBA8 blocks
//! with their mip chains, so that every consumer (renderer, reference driver, model) reads the same values. Textures that a
//! file holds in blocks of a GPU's format keep it as a fact ([`TextureImage::blocks`]), for the model's traffic.
//!
//! ```
//! # mod azulejo { pub use azulejo_scene as scene; }
//! use azulejo::scene::{AnimationChoice, gltf};
//!
//! let file = br#"{ "asset": { "version": "2.0" }, "scenes": [{ "nodes": [0] }], "nodes": [{ "name": "root" }] }"#;
//! let beside = |_: &str| Err(std::io::ErrorKind::NotFound.into());
//! let scene = gltf::load(file.to_vec(), &beside, &gltf::LoadOptions::default())?;
//! let state = scene.state_at(AnimationChoice::All, 0.5); // in seconds
//! assert!(state.instances.is_empty(), "nothing is drawn by a node without a mesh");
//! # Ok::<(), gltf::LoadError>(())
//! ```

mod animation;
mod blocks;
mod bounds;
mod camera;
mod changes;
mod encoded;
mod environment;
mod find;
mod framing;
pub mod gltf;
mod hash;
mod ids;
mod layers;
mod light;
mod material;
mod mesh;
mod mip_chain;
mod node;
pub mod obj;
mod open;
mod pose;
mod primitive;
mod primitives;
mod property;
mod read;
mod rotation;
mod sampling;
mod skin;
mod state;
mod texel_copies;
mod texel_layout;
mod texel_rows;
mod texture;
mod texture_ref;

pub use animation::{
    Animation, AnimationChoice, Channel, Interpolation, Keyframes, PropertyChannel, Target,
};
pub use blocks::{AstcSize, BlockFormat, BlockShape};
pub use bounds::Bounds;
pub use camera::{Camera, Projection, View};
pub use changes::Changes;
pub use encoded::{EncodedImage, StoredTextures};
pub use environment::{
    Environment, EnvironmentError, MAX_CUBE_EDGE, MAX_EQUIRECT_WIDTH, MAX_HDR_BYTES, RGB9E5_MAX,
};
pub use framing::{Orbit, PlacedCamera, frame};
pub use ids::{ImageId, MaterialId, MeshId, NodeId, TextureId};
pub use layers::{
    Anisotropy, Clearcoat, DiffuseTransmission, Iridescence, Sheen, Transmission, Volume,
};
pub use light::{Light, LightKind};
pub use material::{AlphaMode, DepthState, Material, Shading};
pub use mesh::Mesh;
pub(crate) use node::is_nearby;
pub use node::{Node, Transform};
pub use open::{load_path, referenced_files};
pub use pose::Pose;
pub use primitive::{MAX_TEX_COORDS, MorphTarget, Primitive, Topology};
pub use primitives::Primitives;
pub use property::{
    Emission, EmissionChange, EmissionPart, Property, TextureTransform, UvPart, UvTransform,
};
pub use skin::Skin;
pub use state::{FrameState, Instance, LightInstance, ThroughView};
pub use texel_layout::{Encoding, MipLevel};
pub use texture::{Filter, MAX_IMAGE_EDGE, Sampler, Texture, TextureError, TextureImage, Wrap};
pub use texture_ref::TextureRef;

// Read by other rooms, and none of a user's business.
#[doc(hidden)]
pub use blocks::BlockLayout;
#[doc(hidden)]
pub use environment::{IRRADIANCE_EDGE, linear_from_rgb9e5, rgb9e5_from_linear};
#[doc(hidden)]
pub use mip_chain::{level_table, srgb_byte};
#[doc(hidden)]
pub use primitive::put_stream;
#[doc(hidden)]
pub use read::read_file;
#[doc(hidden)]
pub use state::mirrors;
#[doc(hidden)]
pub use texel_layout::LAYOUT_TILE;
#[doc(hidden)]
pub use texel_rows::{Alphas, CELL, RowLevel, STRIP, STRIP_STRIDE, TexelRows, row_levels};
#[doc(hidden)]
pub use texture::digest;

/// Content of a file or a builder; nothing in it changes while frames are drawn.
#[derive(Debug, Clone, Default)]
pub struct Scene {
    /// Name for people: the file's stem or the builder's name.
    pub name: String,
    /// Meshes of the nodes, by [`MeshId`].
    pub meshes: Vec<Mesh>,
    /// Materials; a primitive without one uses glTF's default material, which the loader appends.
    pub materials: Vec<Material>,
    /// An image with the way to sample it.
    pub textures: Vec<Texture>,
    /// Texels with their mip chains, by [`ImageId`].
    pub images: Vec<TextureImage>,
    /// Node hierarchy, parents before children.
    pub nodes: Vec<Node>,
    /// Skins of the nodes.
    pub skins: Vec<Skin>,
    /// Punctual lights of the nodes.
    pub lights: Vec<Light>,
    /// Cameras of the nodes.
    pub cameras: Vec<Camera>,
    /// Animations by file order.
    pub animations: Vec<Animation>,
    /// Names of the choices of materials that the file offers (`KHR_materials_variants`); one can be made when it is
    /// loaded.
    pub variants: Vec<String>,
    /// The light from all around that the file brings (`EXT_lights_image_based`).
    pub environment: Option<Environment>,
    /// Omissions and repairs of the loader, one sentence each.
    pub warnings: Vec<String>,
}
