//! The reference: the same scene and the same shading drawn by this machine's graphics driver through wgpu, without a
//! window, to compare pictures and times with.
//!
//! In: what [`azulejo_render`] gets. Out: pictures, the time of a frame, and a [`CompareReport`] of both sides. The one
//! idea: everything that could differ for reasons other than drawing is shared (decoded vertices, texels with their mip
//! levels, prefiltered light), and the driver is set up as favourably as wgpu allows: shaders specialised for each
//! material, light set and vertex layout, data uploaded before, no validation layers, depth thrown away, no resolve pass
//! where the picture does not need one.
//!
//! It is not a second renderer to ship pictures from: it reads no files, and draws prepared scenes.
//!
//! ```no_run
//! # mod azulejo { pub use azulejo_reference as reference; pub use azulejo_render as render; pub use azulejo_scene as scene; }
//! use azulejo::reference::{AdapterChoice, Difference, Reference};
//! use azulejo::render::{FrameInput, Recording, RenderSettings, Renderer, SimdLevel};
//! use azulejo::scene::{AnimationChoice, gltf};
//!
//! let scene = gltf::load_path("helmet.glb".as_ref(), &gltf::LoadOptions::default())?;
//! let state = scene.state_at(AnimationChoice::All, 0.0);
//! let settings = RenderSettings::default();
//! let view = scene.framing_camera(&state, 16.0 / 9.0).view(settings.width, settings.height);
//! let input = FrameInput::new(&scene, &state, &view, &settings);
//!
//! let ours = Renderer::new(0, SimdLevel::Auto)?.draw(&input.draws(), Recording::Off).picture;
//! let driver = Reference::new(AdapterChoice::Best)?;
//! let difference = Difference::between(&ours, &driver.draw(&input)?);
//! println!("{}: {} pixels are off by more than 2 of 255", driver.driver(), difference.off_by_more_than_2);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod adapter;
mod behind;
mod compare;
mod error;
mod frame;
mod frame_kind;
mod geometry;
mod layers;
mod layouts;
mod pass;
mod program;
mod quality;
mod shader_text;
mod slots;
mod specialize;
mod surface;
mod target;
mod texture;
mod upload;

pub use adapter::AdapterChoice;
pub use azulejo_render::output::{Difference, TOLERANCE, coverage_mismatch, side_by_side};
pub use compare::{CompareReport, Comparison, Schedule, Times, compare};
pub use error::ReferenceError;
pub use quality::Quality;
pub use target::PreparedFrame;
pub use upload::UploadedScene;

use std::cell::RefCell;

use adapter::Gpu;
use azulejo_render::{FrameInput, Picture};
use azulejo_scene::{Environment, Scene};
use frame::DrawList;
use layouts::Layouts;
use program::Pipelines;

/// An open driver with the pipelines built so far.
#[derive(Debug)]
pub struct Reference {
    gpu: Gpu,
    layouts: Layouts,
    pipelines: RefCell<Pipelines>,
}

impl Reference {
    /// Opens a driver.
    ///
    /// # Errors
    /// If there is none, or it does not open.
    pub fn new(choice: AdapterChoice) -> Result<Self, ReferenceError> {
        let gpu = Gpu::open(choice)?;
        let layouts = gpu.checked("the bindings", || Ok(Layouts::new(&gpu)))?;
        Ok(Self {
            gpu,
            layouts,
            pipelines: RefCell::default(),
        })
    }

    /// Device, driver and version.
    #[must_use]
    pub fn driver(&self) -> &str {
        &self.gpu.driver
    }

    /// Gives the driver all that no frame changes: geometry, textures, materials, the environment.
    ///
    /// # Errors
    /// If the scene is beyond the driver's limits.
    pub fn upload(
        &self,
        scene: &Scene,
        environment: Option<&Environment>,
        quality: Quality,
    ) -> Result<UploadedScene, ReferenceError> {
        let gpu = &self.gpu;
        gpu.checked("the scene", || {
            UploadedScene::upload(gpu, scene, environment, quality)
        })
    }

    /// Builds the pipelines of a frame of `scene`, which `input.scene` and `input.environment` were uploaded to, and gives
    /// the driver the frame's values: transforms, joints, morph weights, lights, streamed geometry.
    ///
    /// # Errors
    /// If the driver refuses a shader, the picture or a material is beyond its limits.
    pub fn prepare(
        &self,
        scene: &UploadedScene,
        input: &FrameInput<'_>,
    ) -> Result<PreparedFrame<'_>, ReferenceError> {
        let Self { gpu, layouts, .. } = self;
        gpu.checked("the frame", || {
            let mut pipelines = self.pipelines.borrow_mut();
            let list = DrawList::build(gpu, layouts, &mut pipelines, scene, input)?;
            let settings = input.settings;
            PreparedFrame::new(gpu, layouts, list, settings.width, settings.height)
        })
    }

    /// One picture, everything uploaded for it alone.
    ///
    /// # Errors
    /// If the driver refuses the scene or the frame.
    pub fn draw(&self, input: &FrameInput<'_>) -> Result<Picture, ReferenceError> {
        let scene = self.upload(input.scene, input.environment, Quality::Exact)?;
        self.prepare(&scene, input)?.picture()
    }
}
