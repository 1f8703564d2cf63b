//! What is drawn: a glTF 2.0 file, or a builder, becomes one immutable [`Scene`]; a time turns it into a [`FrameState`].
//!
//! Spaces: glTF's, right-handed, +Y up, metres. Vertex data are decoded to `f32` once at load, textures to RGBA8 blocks
//! with their mip chains, so that every consumer (renderer, reference driver, model) reads the same values.

mod animation;
mod bounds;
mod camera;
mod environment;
mod framing;
pub mod gltf;
mod light;
mod material;
mod mesh;
mod mip_chain;
mod pose;
mod read;
mod sampling;
mod skin;
mod state;
mod texture;

pub use animation::{Animation, AnimationChoice, Channel, Interpolation, Keyframes, Target};
pub use bounds::Bounds;
pub use camera::{Camera, Projection, View};
pub use environment::{
    Environment, EnvironmentError, MAX_EQUIRECT_WIDTH, MAX_HDR_BYTES, RGB9E5_MAX,
    linear_from_rgb9e5, rgb9e5_from_linear,
};
pub use framing::{Orbit, PlacedCamera, frame};
pub use light::{Light, LightKind};
pub use material::{AlphaMode, DepthState, Material, Shading, TextureRef};
pub use mesh::{MAX_TEX_COORDS, Mesh, MorphTarget, Primitive, Topology};
pub(crate) use mip_chain::srgb_byte;
pub use pose::Pose;
pub use read::read_file;
pub use skin::Skin;
pub use state::{FrameState, Instance, LightInstance, ThroughView};
pub use texture::{
    Encoding, Filter, MAX_IMAGE_EDGE, MipLevel, Sampler, Texture, TextureError, TextureImage, Wrap,
};

use glam::Mat4;

macro_rules! index {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(pub u32);

        impl $name {
            /// As an index into the scene's list.
            #[must_use]
            pub const fn index(self) -> usize {
                self.0 as usize
            }
        }
    };
}

index!(
    /// Position of a mesh in [`Scene::meshes`].
    MeshId
);
index!(
    /// Position of a material in [`Scene::materials`].
    MaterialId
);
index!(
    /// Position of a texture in [`Scene::textures`].
    TextureId
);
index!(
    /// Position of an image in [`Scene::images`].
    ImageId
);
index!(
    /// Position of a node in [`Scene::nodes`].
    NodeId
);

/// Everything that a file or a builder describes; nothing in it changes while frames are drawn.
#[derive(Debug, Clone, Default)]
pub struct Scene {
    /// Name for people: the file's stem or the builder's name.
    pub name: String,
    /// Geometry.
    pub meshes: Vec<Mesh>,
    /// Materials; a primitive without one uses glTF's default material, which the loader appends.
    pub materials: Vec<Material>,
    /// An image with the way to sample it.
    pub textures: Vec<Texture>,
    /// Texels.
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
    /// What the loader had to leave out or repair, one sentence each.
    pub warnings: Vec<String>,
}

/// One node of the hierarchy of the chosen glTF scene.
#[derive(Debug, Clone, Default)]
pub struct Node {
    /// Name from the file; may be empty.
    pub name: String,
    /// `None` for a root. Always a smaller index than the node's own.
    pub parent: Option<NodeId>,
    /// Local transform at rest.
    pub transform: Transform,
    /// Geometry drawn here.
    pub mesh: Option<MeshId>,
    /// Index into [`Scene::skins`].
    pub skin: Option<u32>,
    /// Index into [`Scene::cameras`].
    pub camera: Option<u32>,
    /// Index into [`Scene::lights`].
    pub light: Option<u32>,
    /// Morph weights at rest; overrides the mesh's where not empty.
    pub morph_weights: Vec<f32>,
}

/// `parent_from_local` of a node.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Transform {
    /// A matrix as the file gives it; such nodes cannot be animated (glTF 2.0, 3.5.3).
    Matrix(Mat4),
    /// Translation, rotation and scale, applied in the order scale, rotation, translation.
    Trs {
        /// Metres.
        translation: glam::Vec3,
        /// Unit quaternion.
        rotation: glam::Quat,
        /// Factors by axis; may be negative.
        scale: glam::Vec3,
    },
}

impl Default for Transform {
    fn default() -> Self {
        Self::Trs {
            translation: glam::Vec3::ZERO,
            rotation: glam::Quat::IDENTITY,
            scale: glam::Vec3::ONE,
        }
    }
}

impl Transform {
    /// `parent_from_local` as a matrix.
    #[must_use]
    pub fn matrix(&self) -> Mat4 {
        match *self {
            Self::Matrix(matrix) => matrix,
            Self::Trs {
                translation,
                rotation,
                scale,
            } => Mat4::from_scale_rotation_translation(scale, rotation, translation),
        }
    }
}
