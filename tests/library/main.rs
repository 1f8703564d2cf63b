//! Tests of the library: files and pictures, against invariants, references of others and second derivations.

#[path = "../common/bounded.rs"]
mod bounded;
#[path = "../common/mod.rs"]
mod common;
#[path = "../common/gltf_file.rs"]
mod gltf_file;
#[path = "../common/instance.rs"]
mod instance;
#[path = "../common/models.rs"]
mod models;
#[cfg(feature = "demos")]
#[path = "../path_tracer/mod.rs"]
mod path_tracer;
#[path = "../common/shared.rs"]
mod shared;
#[cfg(feature = "demos")]
mod spheres;
#[path = "../common/unlit.rs"]
mod unlit;

mod animation_pointers;
mod architecture;
mod compressed;
#[cfg(feature = "demos")]
mod content;
mod cutouts;
#[cfg(feature = "demos")]
mod elimination;
#[cfg(feature = "demos")]
mod frame_trace;
mod gltf_extensions;
mod gltf_pictures;
mod gltf_suite;
#[cfg(all(feature = "demos", feature = "model"))]
mod inspect;
#[cfg(all(feature = "demos", feature = "model"))]
mod layers;
mod painted;
#[cfg(feature = "demos")]
mod path_traced;
mod public_surface;
mod raster_invariants;
mod sprites;
mod texture_blocks;
#[cfg(all(feature = "demos", feature = "reference"))]
mod vulkan;
#[cfg(all(feature = "demos", feature = "model", feature = "shader"))]
mod wgsl;
#[cfg(feature = "shader")]
mod wgsl_modules;
