//! azulejo: a tile-based GPU in software.
//!
//! It draws glTF 2.0 scenes on the CPU the way a mobile GPU does: geometry is binned into a Parameter Buffer, and parallel
//! Raster Units take tile after tile through coverage, early-Z, shading and blending, in buffers of a tile's size. Beside
//! the picture it gives facts: what every frame, draw and tile cost. The picture is the same bytes for every number of
//! threads, tile order, tile size and instruction set.
//!
//! # File, machine, report
//!
//! ```
//! use azulejo::gpu::Gpu;
//! use azulejo::gpu::machine::MachineSpec;
//! use azulejo::render::output::png;
//! use azulejo::render::{Recording, Renderer, SimdLevel};
//! use azulejo::scene::gltf;
//! use azulejo::shot::Shot;
//!
//! // The file: a triangle, with its corners inside. `gltf::load_path` reads one from a folder, with all that it refers to.
//! let file = r#"{
//!   "asset": { "version": "2.0" },
//!   "scenes": [{ "nodes": [0] }], "nodes": [{ "mesh": 0 }],
//!   "meshes": [{ "primitives": [{ "attributes": { "POSITION": 0 } }] }],
//!   "accessors": [{
//!     "bufferView": 0, "componentType": 5126, "count": 3, "type": "VEC3", "min": [0, 0, 0], "max": [1, 1, 0]
//!   }],
//!   "bufferViews": [{ "buffer": 0, "byteLength": 36 }],
//!   "buffers": [{
//!     "byteLength": 36,
//!     "uri": "data:application/octet-stream;base64,AAAAAAAAAAAAAAAAAACAPwAAAAAAAAAAAAAAAAAAgD8AAAAA"
//!   }]
//! }"#;
//! let no_files = |_: &str| Err(std::io::ErrorKind::NotFound.into());
//! let scene = gltf::load(file.into(), &no_files, &gltf::LoadOptions::default())?;
//!
//! // The machine, LIBRA's GPU, and the scene on its screen.
//! let machine = MachineSpec::built_in("valhall-libra", &[])?;
//! let shot = Shot::scene(scene).on_machine(&machine)?;
//!
//! // The picture; counters are an `Option`, as `Recording::Off` records none.
//! let mut renderer = Renderer::new(0, SimdLevel::Auto)?;
//! let frame = shot.draw(&mut renderer, 0, Recording::Counters);
//! let picture = png::encode(&frame.picture, &[])?; // for `std::fs::write`
//! if let Some(counters) = &frame.counters {
//!     assert_eq!(counters.geometry.primitives_binned, 2, "the triangle, and the sky behind it");
//! }
//!
//! // The report: the frame's facts through the machine.
//! let trace = shot.trace(&mut renderer, &machine, 0)?;
//! let report = Gpu::new(&machine)?.run_frame(&trace)?;
//! println!("{} cycles, {} bytes over the DRAM's pins", report.cycles.0, report.dram.bytes().0);
//! assert!(report.cycles.0 > 0 && report.dram.bytes().0 > 0 && !picture.is_empty());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # First pages
//!
//! Each of these pages has an example that is compiled and run with the tests.
//!
//! | to ... | begin with |
//! |---|---|
//! | read the manual: commands, files, machines, studies | [`guide`] |
//! | draw a lit picture of a file | [`guide::library`] |
//! | load a scene, or build one | [`scene`] |
//! | draw a scene or a demo, and trace it for a machine | [`shot`] |
//! | draw with a shader program of your own | [`render::shading`], or in WGSL `shader` |
//! | draw passes as WebGPU has them | `pass` |
//! | draw only what changed since the frame before | [`render::elimination`] |
//! | watch tiles while they are drawn, or call the stages one by one | [`render::raster::observe`], [`render::raster`] |
//! | see why a pixel has its colour, and what each draw costs | [`inspect`] |
//! | know what a frame costs on a chip, as a table or CSV | [`gpu`], [`report`] |
//! | save what a renderer did, and execute it again | [`trace::TraceWriter`] |
//! | try a technique, or write one | [`technique`], [`technique::guide`] |
//! | run a study of a paper, or write one | [`study`], [`study::guide`] |
//! | compare with this machine's graphics driver | `reference` |
//!
//! # The map of the house
//!
//! Two wings with the same names for the same stages, and a contract between them. A room is a crate: `gpu` is
//! `azulejo-gpu`, lies in `src/gpu`, and names the rooms that its `Cargo.toml` lists, all of them above it here. This crate
//! hands all of them on, and is the one to depend on.
//!
//! | room | what is in it |
//! |---|---|
//! | **vocabulary** | |
//! | [`units`] | cycles, bytes, picojoules: numbers that cannot be mixed up |
//! | [`math`] | rectangles, fixed point, projections; knows no stage |
//! | [`simd`] | sixteen lanes, one source for AVX-512, AVX2, NEON and plain arrays; alone may hold `unsafe` |
//! | [`record`] | lanes that list the instructions of a program, or log the texels that it fetches |
//! | [`grid`] | the screen cut into tiles, and the orders in which they are walked |
//! | **what the picture is** | |
//! | [`scene`] | a glTF file becomes one immutable [`Scene`](scene::Scene); a time turns it into a [`FrameState`](scene::FrameState) |
//! | [`demo`] | the built-in scene, and small games that play themselves: seed and frame number become a [`FrameState`](scene::FrameState) |
//! | [`render`] | a [`DrawList`](render::DrawList), of a scene or made by hand, goes through one [`Renderer::draw`](render::Renderer::draw) to any [`Sink`](render::Sink): [geometry](render::geometry), [tiling](render::tiling), [shading](render::shading), [raster](render::raster), [output](render::output) |
//! | **the contract** | |
//! | [`trace`] | what the renderer says of a frame: facts, never verdicts; a Raster Unit reports them to a [`TileObserver`](render::raster::observe::TileObserver) |
//! | **programs that anybody wrote** | |
//! | `shader` | WGSL becomes a list of instructions with regions, runs on lanes in batches of 64, draws meshes, and gives the trace its program and paths (feature `shader`) |
//! | `pass` | frames as render, compute and copy passes over buffers and textures, in WebGPU's terms (feature `shader`) |
//! | **what the picture costs** | |
//! | [`gpu`] | the hardware, fed with these facts, cycle by cycle: a [`FrameTrace`](trace::FrameTrace) becomes a [`FrameReport`](gpu::FrameReport) |
//! | **what the papers change** | |
//! | [`technique`] | what may be left out of a frame, or done in another order, and how a chip would know; [how to write one](technique::guide) |
//! | **who else uses the memory** | |
//! | [`soc`] | a GPU among the cores and the display of a phone: frames with the time between them, bandwidth by agent |
//! | **out of the house** | |
//! | [`shot`] | content seen from an eye, at any moment: a [`Shot`](shot::Shot) draws pictures, and traces them for machines |
//! | [`inspect`] | a frozen frame taken apart: draw by draw, a tile primitive by primitive, a pixel fragment by fragment; hints |
//! | [`study`] | questions over many frames, machines and scenes, answered beside the papers' numbers; [how to write one](study::guide) |
//! | [`sweep`] | combinations of scenes, machines, techniques and changes, each known by a fingerprint of its inputs |
//! | [`report`] | counters and frame reports as tables, JSON and heat maps |
//! | `reference` | the same scene drawn by this machine's graphics driver, to compare pictures and times (feature `reference`) |
//! | [`guide`] | the manual, a topic a page; `azulejo help TOPIC` prints the same texts |
//! | [`app`] | the command line; alone prints and reads the clock |
//!
//! # Features
//!
//! Without any, azulejo is a renderer and a glTF loader: vocabulary, [`scene`], [`trace`], [`render`] and [`shot`]. `cli`,
//! `reference` and `window` are on by default.
//!
//! | feature | adds |
//! |---|---|
//! | `demos` | [`demo`] |
//! | `study` | [`study`]; with it `demos` and `model` |
//! | `shader` | `shader`, programs in WGSL, and draws with them; `pass` |
//! | `model` | [`gpu`], [`technique`], [`soc`], [`report`], [`inspect`], [`sweep`], traces on disk |
//! | `reference` | `reference` |
//! | `cli` | the program `azulejo`, [`app`], [`guide`]; with it `study` and `shader` |
//! | `window` | `azulejo view`, on Linux by X11; with it `cli` |
//! | `wayland` | the window on Wayland as well; with it `window` |
//! | `parquet` | tables as Apache Parquet too, with `cli` of sweeps and studies; with it `model` |
//!
//! # Rules of the house
//!
//! - The picture depends on its input alone: threads, tile order, tile size and instruction set change times, not bytes.
//! - [`render`] names no model of the hardware; the model is independent of how a pixel gets its colour.
//! - Whatever a file says, the answer is a picture or an error that names the element at fault.

// In the order in which the rooms build on each other; the blank lines keep it so. Items that a room shows as
// `#[doc(hidden)]` are for other rooms.

#[doc(inline)]
pub use azulejo_units as units;

#[doc(inline)]
pub use azulejo_math as math;

#[doc(inline)]
pub use azulejo_simd as simd;

#[doc(inline)]
pub use azulejo_record as record;

#[doc(inline)]
pub use azulejo_grid as grid;

#[doc(inline)]
pub use azulejo_scene as scene;

#[cfg(feature = "demos")]
#[doc(inline)]
pub use azulejo_demo as demo;

#[doc(inline)]
pub use azulejo_trace as trace;

#[cfg(feature = "shader")]
#[doc(inline)]
pub use azulejo_shader as shader;

#[doc(inline)]
pub use azulejo_render as render;

#[cfg(feature = "shader")]
#[doc(inline)]
pub use azulejo_pass as pass;

#[cfg(feature = "model")]
#[doc(inline)]
pub use azulejo_gpu as gpu;

#[cfg(feature = "model")]
#[doc(inline)]
pub use azulejo_technique as technique;

#[cfg(feature = "model")]
#[doc(inline)]
pub use azulejo_soc as soc;

#[cfg(feature = "model")]
#[doc(inline)]
pub use azulejo_report as report;

#[doc(inline)]
pub use azulejo_shot as shot;

#[cfg(feature = "model")]
#[doc(inline)]
pub use azulejo_inspect as inspect;

#[cfg(feature = "study")]
#[doc(inline)]
pub use azulejo_study as study;

#[cfg(feature = "model")]
#[doc(inline)]
pub use azulejo_sweep as sweep;

#[cfg(feature = "reference")]
#[doc(inline)]
pub use azulejo_reference as reference;

#[cfg(feature = "cli")]
#[doc(inline)]
pub use azulejo_guide as guide;

#[cfg(feature = "cli")]
#[doc(inline)]
pub use azulejo_app as app;
