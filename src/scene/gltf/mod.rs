//! glTF 2.0 files to scenes: bytes in, [`Scene`](crate::Scene) or an error that names the element at fault out.
//!
//! [`load`] reads as a table of contents: take the container apart, type its JSON, fetch the raw buffers, flatten the
//! hierarchy of one scene, then read what that scene uses: materials, meshes, skins, animations, images. Nothing that a
//! file says is trusted: every reference and size is checked where it is followed, before memory is asked for. An oddity
//! is repaired, with a sentence in [`Scene::warnings`](crate::Scene::warnings).
//!
//! The files below form layers, each of which names earlier ones only: errors, warnings and URIs; container and JSON; raw
//! buffers; the opened file; accessors; what is read from them (attributes, images, textures, materials, meshes, nodes,
//! skins, animations); the scene as a whole.

mod accessor;
mod animation;
mod block_formats;
mod buffers;
mod container;
mod dds;
mod draco;
mod error;
mod extensions;
mod file;
mod files;
mod hierarchy;
mod image;
mod image_light;
mod instancing;
mod json;
mod ktx2;
mod layers;
mod load;
mod material;
mod mesh;
mod meshopt;
mod meshopt_stream;
mod morph;
mod normals;
mod open;
mod part;
mod places;
mod pointer;
mod pointer_layers;
mod pointer_values;
mod punctual;
mod references;
mod skin;
mod skinning;
mod slots;
mod specular_glossiness;
mod tangents;
mod texture;
mod topology;
mod uri;
mod variants;
mod vertices;
mod warnings;
mod zstandard;

pub use error::LoadError;
pub use extensions::{EXTENSIONS, Extension, SUPPORTED_EXTENSIONS, Viewer};
pub use files::load_path;
pub use load::{LoadOptions, load};
pub use references::referenced_files;
pub use uri::Resolve;
