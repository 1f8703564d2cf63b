//! The picture: a scene at one moment through the tile pipeline to pixels.
//!
//! There is one way to draw: a [`DrawList`] goes through [`Renderer::draw`] to a [`Sink`]. The list is that of a scene
//! ([`FrameInput::draws`]) or holds draws with fragment programs of your own; the sink decides the output.
//!
//! ```
//! # mod azulejo { pub use azulejo_render as render; pub use azulejo_scene as scene; }
//! # use azulejo::render::{FrameInput, Recording, RenderSettings, Renderer, SimdLevel, Tracing};
//! # use azulejo::scene::{AnimationChoice, Scene};
//! # let scene = Scene::default();
//! # let state = scene.state_at(AnimationChoice::All, 0.0);
//! # let settings = RenderSettings { width: 64, height: 64, ..RenderSettings::default() };
//! # let view = scene.framing_camera(&state, 1.0).view(settings.width, settings.height);
//! let mut renderer = Renderer::new(1, SimdLevel::Auto)?;
//! let list = FrameInput::new(&scene, &state, &view, &settings).draws();
//! let frame = renderer.draw(&list, Recording::Counters); // picture and counters
//! let traced = renderer.draw(&list, Tracing::default()); // what a machine needs to execute the frame again
//! assert_eq!(frame.picture, traced.picture);
//! # Ok::<(), azulejo::render::RendererError>(())
//! ```
//!
//! [`Observing`] shows chosen tiles to an observer of yours, and [`elimination::Onto`] brings a frame buffer up to date.

pub mod geometry;

pub mod tiling;

pub mod shading;

pub mod raster;

pub mod output;

mod constants;
mod draw_list;
mod draw_state;
mod draws;
pub mod elimination;
mod identity;
mod passes;
mod recording;
mod renderer;
mod rgb9e5;
mod scene_draws;
mod sink;
mod tile_shares;

pub use draw_list::{BehindPass, DrawList, TextureSet};
pub use draws::{Draw, DrawIdentity, DrawName};
pub use recording::Recording;
pub use renderer::{Renderer, RendererError};
pub use sink::{FailedDraw, Observed, Observing, Sink, Traced, Tracing};

/// Which instruction set draws; part of the renderer's interface.
pub use azulejo_simd::SimdLevel;

use glam::Vec3;

use azulejo_grid::{Binning, SampleCount, TileGrid, TileOrder};
use azulejo_scene::{Environment, FrameState, Scene, View};
use azulejo_trace::FrameCounters;

/// Frame background, behind all draws.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub enum Background {
    /// Fully transparent: alpha 0 where nothing is drawn.
    #[default]
    Transparent,
    /// A linear RGB colour.
    Color(Vec3),
    /// Radiance of the environment in the direction of view.
    Environment,
}

/// Curve from scene-linear radiance to displayable colour.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub enum ToneMap {
    /// Khronos PBR Neutral, the default.
    #[default]
    Neutral,
    /// ACES RRT + ODT as fitted by Stephen Hill.
    Aces,
    /// Clamping to 0..1, without compression.
    None,
    /// [`Self::Aces`] after a factor of 1 / 0.6 on radiance, as three.js (`ACESFilmicToneMapping`) and the Khronos sample
    /// viewer ("ACES Hill, exposure boost") have it.
    AcesBoosted,
}

/// How a frame is drawn.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RenderSettings {
    /// Picture width in pixels.
    pub width: u32,
    /// Picture height in pixels.
    pub height: u32,
    /// Edge of a tile in pixels: 8, 16, 32, 64 or 128.
    pub tile_size: u32,
    /// Which tiles triangles are listed in.
    pub binning: Binning,
    /// Order in which the Raster Units take tiles; one that alternates turns with every frame that the renderer draws.
    pub tile_order: TileOrder,
    /// Number of the frame, as traces name it.
    pub frame: u64,
    /// Frame background, behind all draws.
    pub background: Background,
    /// Samples a pixel: four anti-alias edges (MSAA). They live in the tile buffers alone; the pixels that leave the chip
    /// are their mean in linear light, before exposure and tone map. In draws of
    /// [`FragmentMode::Masked`](raster::FragmentMode) alpha then becomes coverage: sample k of four is kept where alpha is
    /// above k / 4.
    pub samples: SampleCount,
    /// Applied after exposure, as the tile leaves the chip.
    pub tone_map: ToneMap,
    /// Linear factor on radiance.
    pub exposure: f32,
}

impl Default for RenderSettings {
    fn default() -> Self {
        Self {
            width: 1920,
            height: 1080,
            tile_size: 32,
            binning: Binning::default(),
            tile_order: TileOrder::default(),
            frame: 0,
            background: Background::default(),
            samples: SampleCount::default(),
            tone_map: ToneMap::default(),
            exposure: 1.0,
        }
    }
}

impl RenderSettings {
    /// Pictures of a screen, in its tiles.
    #[must_use]
    pub fn of_screen(screen: TileGrid) -> Self {
        Self {
            width: screen.width,
            height: screen.height,
            tile_size: screen.tile_size,
            ..Self::default()
        }
    }

    /// The picture, cut into tiles.
    #[must_use]
    pub const fn grid(&self) -> TileGrid {
        TileGrid {
            width: self.width,
            height: self.height,
            tile_size: self.tile_size,
        }
    }

    /// These settings for a game such as the demos: before a linear RGB colour, and no tone map, as its colours were
    /// painted for the display.
    #[must_use]
    pub fn of_game(self, background: Vec3) -> Self {
        Self {
            background: Background::Color(background),
            tone_map: ToneMap::None,
            ..self
        }
    }
}

/// All that one frame is made of.
#[derive(Debug, Clone, Copy)]
pub struct FrameInput<'a> {
    /// Geometry, materials and textures that all frames share.
    pub scene: &'a Scene,
    /// Instances, lights and switches of this frame.
    pub state: &'a FrameState,
    /// The eye and its projection.
    pub view: &'a View,
    /// Image-based light, if any.
    pub environment: Option<&'a Environment>,
    /// Size, tiles, background, tone map.
    pub settings: &'a RenderSettings,
}

impl<'a> FrameInput<'a> {
    /// A frame without image-based light, as demos are drawn.
    #[must_use]
    pub fn new(
        scene: &'a Scene,
        state: &'a FrameState,
        view: &'a View,
        settings: &'a RenderSettings,
    ) -> Self {
        Self {
            scene,
            state,
            view,
            environment: None,
            settings,
        }
    }
}

/// A finished picture: sRGB-encoded RGBA8 with straight alpha, rows from top to bottom.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Picture {
    /// Columns of pixels, from the left.
    pub width: u32,
    /// Rows of pixels, from the top.
    pub height: u32,
    /// `width * height` pixels.
    pub pixels: Vec<[u8; 4]>,
}

impl Picture {
    /// Makes it as large as the grid; pixels of another size are of no use.
    fn resize(&mut self, grid: &TileGrid) {
        (self.width, self.height) = (grid.width, grid.height);
        self.pixels
            .resize(grid.width as usize * grid.height as usize, [0; 4]);
    }
}

/// A picture with what was recorded while it was drawn.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Frame {
    /// Pixels of the frame after exposure, tone map and sRGB encoding.
    pub picture: Picture,
    /// Present if counters were asked for.
    pub counters: Option<FrameCounters>,
}

/// A triangle in a tile's list.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ListedTriangle {
    /// Number of its draw.
    pub draw: u32,
    /// Number in the Parameter Buffer.
    pub primitive: u32,
    /// Number among the triangles of its draw there.
    pub of_draw: u32,
    /// Corners on the screen, clockwise as seen.
    pub corners: [geometry::ScreenVertex; 3],
    /// Seen from the front.
    pub front_facing: bool,
}

/// The stages of a frame on the host, in order; [`Renderer::draw_by_stages`] says when each is done.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Stage {
    /// Programs and their constants: [`FrameInput::draws`].
    Preparation,
    /// Vertex shading, assembly, culling and clipping.
    Geometry,
    /// Triangles sorted into tiles.
    Tiling,
    /// Tiles: coverage, depth, shading, blending, resolve.
    Raster,
}
