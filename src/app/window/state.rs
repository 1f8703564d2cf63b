//! State that a user can change, as plain values: the interface edits them, plans are made of them.

use std::time::Instant;

use glam::DVec3;

use super::camera::{CameraState, Rig, bounds_at_rest};
use super::opened::Opened;
use super::placement::{Area, Magnifier};
use super::plan::{Extras, FramePlan};
use super::playback::Playback;
use super::request::{Request, StartSize};
use super::tiles::TileView;
use azulejo_grid::SampleCount;
use azulejo_inspect::FrameView;
use azulejo_render::{RenderSettings, ToneMap};
use azulejo_scene::{AnimationChoice, Projection};
use azulejo_shot::{Content, Eye, Shot, Still};

/// Seconds for which a message stays on the window.
const NOTICE_SECONDS: f32 = 6.0;
/// Lens of a demo, of which only the place changes.
const DEMO_LENS: Projection = Projection::Perspective {
    y_fov: 1.0,
    aspect: None,
    near: 0.05,
    far: None,
};

/// State of the window: its content, and how it is shown.
#[derive(Debug)]
pub(super) struct State {
    /// Shot as it was opened.
    pub(super) opened: Opened,
    /// Time, and whether it passes.
    pub(super) playback: Playback,
    /// Camera, and where the user has moved it.
    pub(super) camera: CameraState,
    /// Factor on all light.
    pub(super) exposure: f32,
    /// Tone map from light to colour.
    pub(super) tone_map: ToneMap,
    /// Samples that coverage and depth are tested at in each pixel.
    pub(super) samples: SampleCount,
    /// Edge of the tiles where a pixel has four samples, pixels; else why there are none on this machine.
    tiles_of_four: Result<u32, String>,
    /// Size of the picture: fixed, or the window's.
    pub(super) size: StartSize,
    /// Size of the picture when a frame was planned last, pixels.
    pub(super) planned: [u32; 2],
    /// Amount of text in the overlay.
    pub(super) overlay: Overlay,
    /// Whether the bar with the controls is shown.
    pub(super) bar: bool,
    /// Whether the list of keys is shown.
    pub(super) help: bool,
    /// Whether the window fills the screen.
    pub(super) fullscreen: bool,
    /// Tile view over the picture.
    pub(super) tiles: TileView,
    /// Choices in the frozen frame.
    pub(super) inspector: InspectorState,
    /// Magnification of a frozen picture.
    pub(super) magnifier: Magnifier,
    /// Instant of the camera's last move.
    pub(super) camera_moved: Option<Instant>,
    /// Last message, and when it was shown first.
    pub(super) notice: Option<(String, Instant)>,
    /// Whether tiles that did not change are left out.
    pub(super) eliminates: bool,
    /// Factor on the size of letters and panels.
    pub(super) interface: f32,
    /// Name of what is being loaded, before there is anything to show.
    pub(super) loading: Option<String>,
}

/// Milliseconds of one painting of the window.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(super) struct PaintTimes {
    /// Time from the interface to its triangles.
    pub(super) interface_ms: f64,
    /// Time of upload, blit, triangles and handing over.
    pub(super) present_ms: f64,
}

/// Amount of text in the overlay.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Overlay {
    Off,
    Short,
    Full,
}

impl Overlay {
    /// Overlay that the key brings next.
    pub(super) fn next(self) -> Self {
        match self {
            Self::Off => Self::Short,
            Self::Short => Self::Full,
            Self::Full => Self::Off,
        }
    }
}

/// Choices in the frozen frame.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct InspectorState {
    /// Whether a frame is frozen.
    pub(super) on: bool,
    /// Tab that the panel shows.
    pub(super) tab: Tab,
    /// Picture in place of the frame's colours.
    pub(super) view: Option<FrameView>,
    /// Number of the chosen draw.
    pub(super) draw: Option<u32>,
    /// Column and row of the chosen tile.
    pub(super) tile: Option<[u32; 2]>,
    /// Steps of the tile that are done; all where none is chosen.
    pub(super) step: Option<usize>,
    /// Column and row of the chosen pixel.
    pub(super) pixel: Option<[u32; 2]>,
    /// Chosen texture, by its place in the scene.
    pub(super) texture: usize,
    /// Mip level of the texture; none for the one that was read most.
    pub(super) mip: Option<usize>,
    /// Whether blocks that were read stand out.
    pub(super) reads: bool,
    /// Size of the frozen picture, where it follows the window.
    pub(super) size: Option<[u32; 2]>,
    /// Whether time passed before, and shall again.
    pub(super) resumes: bool,
}

impl Default for InspectorState {
    fn default() -> Self {
        Self {
            on: false,
            tab: Tab::Draws,
            view: None,
            draw: None,
            tile: None,
            step: None,
            pixel: None,
            texture: 0,
            mip: None,
            reads: true,
            size: None,
            resumes: false,
        }
    }
}

/// Tab of the inspector's panel.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Tab {
    Draws,
    Tile,
    Pixel,
    Textures,
    Hints,
}

impl Tab {
    /// Tabs, each with its name.
    pub(super) const ALL: [(Self, &'static str); 5] = [
        (Self::Draws, "Draws"),
        (Self::Tile, "Tile"),
        (Self::Pixel, "Pixel"),
        (Self::Textures, "Textures"),
        (Self::Hints, "Hints"),
    ];
}

/// Request of the interface to the window, beyond changing [`State`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Action {
    /// Write the picture to a file.
    Screenshot,
    /// Freeze the frame and take it apart, or let it go.
    Inspect,
    /// Fill the screen, or no longer.
    Fullscreen,
}

impl State {
    /// State as the command line asks for it.
    pub(super) fn new(request: &Request) -> Self {
        let shot = &request.opened.shot;
        let settings = &shot.settings;
        let (exposure, tone_map) = (settings.exposure, settings.tone_map);
        Self {
            opened: request.opened.clone(),
            playback: Playback {
                playing: !request.paused,
                speed: 1.0,
                seconds: request.seconds,
                animation: shot.animation,
            },
            camera: CameraState::new(shot.eye),
            exposure,
            tone_map,
            samples: settings.samples,
            tiles_of_four: match &request.machine {
                Some(machine) => (machine.spec.tile_size_for(SampleCount::Four))
                    .map_err(|error| error.to_string()),
                None => Ok(settings.tile_size),
            },
            size: request.size,
            overlay: Overlay::Off,
            bar: true,
            help: false,
            fullscreen: request.fullscreen,
            tiles: TileView::default(),
            inspector: InspectorState::default(),
            magnifier: Magnifier::default(),
            camera_moved: None,
            planned: [1280, 720],
            notice: None,
            eliminates: request.chain.is_some(),
            interface: 1.0,
            loading: None,
        }
    }

    /// Shows another scene, from its start; the same scene under another light stays where it is.
    pub(super) fn show(&mut self, opened: Opened) {
        let (content, shot) = (&opened.shot.content, &opened.shot);
        let same = content.scene.name == self.content().scene.name
            && !content.is_demo()
            && !self.content().is_demo();
        if !same {
            self.playback = Playback {
                playing: true,
                speed: 1.0,
                seconds: 0.0,
                animation: AnimationChoice::All,
            };
            self.camera = CameraState::new(shot.eye);
            self.inspector = InspectorState::default();
            self.exposure = shot.settings.exposure;
            self.tone_map = shot.settings.tone_map;
        }
        self.opened = opened;
    }

    /// Scene, light and game that are shown.
    pub(super) fn content(&self) -> &Content {
        &self.opened.shot.content
    }

    /// Shows a message for a while.
    pub(super) fn say(&mut self, text: impl Into<String>) {
        self.notice = Some((text.into(), Instant::now()));
    }

    /// Message that is shown now, or the name of what is being loaded.
    pub(super) fn notice(&self) -> Option<&str> {
        if let Some(what) = &self.loading {
            return Some(what);
        }
        let (text, since) = self.notice.as_ref()?;
        (since.elapsed().as_secs_f32() < NOTICE_SECONDS).then_some(text)
    }

    /// Takes one sample a pixel instead of four, or four where the machine's tile buffers hold them; else shows why they do
    /// not.
    pub(super) fn toggle_samples(&mut self) {
        match (self.samples, &self.tiles_of_four) {
            (SampleCount::Four, _) => self.samples = SampleCount::One,
            (SampleCount::One, Ok(_)) => self.samples = SampleCount::Four,
            (SampleCount::One, Err(problem)) => self.say(problem.clone()),
        }
    }

    /// Edge of the tiles that frames are drawn in, pixels.
    fn tile_size(&self) -> u32 {
        match (self.samples, &self.tiles_of_four) {
            (SampleCount::Four, Ok(edge)) => *edge,
            _ => self.opened.shot.settings.tile_size,
        }
    }

    /// Freezes the frame, which is `size` pixels large, or lets it go; then time passes again if it did before. A tile or
    /// pixel that was chosen of a larger picture is forgotten.
    pub(super) fn toggle_inspector(&mut self, size: [u32; 2]) {
        let (on, resumes) = (!self.inspector.on, self.inspector.resumes);
        let is_inside = |[x, y]: &[u32; 2]| *x < size[0] && *y < size[1];
        let edge = self.tile_size();
        let tile = self.inspector.tile;
        self.inspector = InspectorState {
            tile: tile.filter(|tile| is_inside(&tile.map(|at| at.saturating_mul(edge)))),
            pixel: self.inspector.pixel.filter(is_inside),
            on,
            size: on.then_some(size),
            resumes: on && self.playback.playing,
            ..self.inspector
        };
        self.playback.playing = match on {
            true => false,
            false => self.playback.playing || resumes,
        };
        self.magnifier = Magnifier::default();
    }

    /// Size of the picture in pixels when `area` is there for it and for what stands beside it.
    pub(super) fn picture_size(&self, area: Area) -> [u32; 2] {
        if let Some(size) = self.inspector.size {
            return size;
        }
        match self.size {
            StartSize::Window => {
                [area.width, area.height].map(|edge| (edge.round() as u32).clamp(1, 16_384))
            }
            StartSize::Fixed(width, height) => [width, height],
        }
    }

    /// Plan of a frame for a picture of `size`; its edges divided by `divisor`.
    pub(super) fn plan(&self, [width, height]: [u32; 2], divisor: u32) -> FramePlan {
        let Opened { shot, texts } = self.opened.clone();
        FramePlan {
            shot: Shot {
                eye: self.camera.eye(),
                animation: self.playback.animation,
                settings: RenderSettings {
                    width: width.div_ceil(divisor),
                    height: height.div_ceil(divisor),
                    exposure: self.exposure,
                    tone_map: self.tone_map,
                    samples: self.samples,
                    tile_size: self.tile_size(),
                    ..shot.settings
                },
                ..shot
            },
            texts,
            seconds: self.playback.frame_seconds(self.content()),
            extras: Extras {
                counters: divisor == 1 && self.shows_counters(),
                facts: divisor == 1 && self.tiles.on && self.tiles.shows_facts(),
            },
        }
    }

    /// Whether anything shows counters of the renderer. If tiles are left out, counters are always kept: a frame that is
    /// drawn again only to be counted would find all its tiles drawn.
    fn shows_counters(&self) -> bool {
        let panels = self.overlay != Overlay::Off || self.tiles.on || self.inspector.on;
        panels || self.eliminates
    }

    /// Camera in the user's hand; taken from where the frame is seen if it was not.
    pub(super) fn rig(&mut self) -> &mut Rig {
        self.camera_moved = Some(Instant::now());
        let taken = match self.camera.rig {
            Some(rig) => rig,
            None => self.take_camera(),
        };
        self.camera.rig.insert(taken)
    }

    fn take_camera(&self) -> Rig {
        let plan = self.plan(self.planned, 1);
        let Still { state, view, .. } = plan.still();
        let content = self.content();
        let scene = &content.scene;
        let lens = match plan.shot.eye {
            Eye::Own | Eye::Moved(..) => return Rig::of(&view, DEMO_LENS, None, DVec3::ZERO),
            Eye::Placed(camera) => camera.projection,
            Eye::Whole => content.framing_camera(plan.shot.aspect()).projection,
            Eye::Node(node) => {
                let camera = scene.nodes[node.index()].camera;
                let camera = camera.and_then(|camera| scene.cameras.get(camera as usize));
                camera.map_or(DEMO_LENS, |camera| camera.projection)
            }
        };
        let (bounds, told_from) = bounds_at_rest(content);
        let bounds = bounds.shifted((told_from - state.origin_world).as_vec3());
        Rig::of(&view, lens, Some(bounds), state.origin_world)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::window::opened::tests::demo;
    use crate::window::request::tests::request;

    #[test]
    fn inspector_forgets_what_lies_outside_of_a_smaller_picture() {
        let mut state = State::new(&request(demo()));
        let edge = state.tile_size();
        let chosen = |state: &State| (state.inspector.tile, state.inspector.pixel);
        (state.inspector.tile, state.inspector.pixel) = (Some([5, 3]), Some([600, 100]));
        state.toggle_inspector([6 * edge, 4 * edge].map(|size| size.max(601)));
        assert_eq!(chosen(&state), (Some([5, 3]), Some([600, 100])), "inside");
        state.toggle_inspector([640, 400]);
        state.toggle_inspector([5 * edge, 300]);
        assert_eq!(chosen(&state), (None, None), "beyond its right edge");
    }
}
