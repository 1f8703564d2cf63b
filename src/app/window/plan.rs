//! Plan of one frame: everything that decides its pixels, as a value that threads hand over and compare.

use std::sync::Arc;

use glam::{Mat4, Vec3};

use super::content::Content;
use crate::demo::{FRAMES_PER_SECOND, Screen};
use crate::render::{FrameInput, RenderSettings};
use crate::scene::{AnimationChoice, FrameState, NodeId, PlacedCamera, View, frame};

/// Plan of a frame to draw.
#[derive(Debug, Clone)]
pub(super) struct FramePlan {
    /// Scene, light and game to draw.
    pub(super) content: Arc<Content>,
    /// Viewpoint of the frame.
    pub(super) eye: Eye,
    /// Choice of the animations that play.
    pub(super) animation: AnimationChoice,
    /// Time of the scene in seconds.
    pub(super) seconds: f64,
    /// Settings of the renderer, size included.
    pub(super) settings: RenderSettings,
    /// Measurements to take beside the picture.
    pub(super) extras: Extras,
}

/// Measurements of a frame; its pixels are the same.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Extras {
    /// Counters that the renderer keeps.
    pub(super) counters: bool,
    /// Facts of its tiles that only a trace has, for which the frame is drawn a second time.
    pub(super) facts: bool,
}

/// Viewpoint that a frame is seen from.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Eye {
    /// A demo's own camera.
    Own,
    /// A demo's lens at another place: view from world, and the place.
    Moved(Mat4, Vec3),
    /// A camera of the scene, which may move.
    Node(NodeId),
    /// A camera that stands where it is put.
    Placed(PlacedCamera),
    /// A camera that stands where it sees all of the scene.
    Whole,
}

/// Scene at one moment, seen from one place.
#[derive(Debug, Clone)]
pub(super) struct Moment {
    pub(super) state: FrameState,
    pub(super) view: View,
}

impl PartialEq for FramePlan {
    fn eq(&self, other: &Self) -> bool {
        self.is_same_frame(other) && self.extras == other.extras
    }
}

impl FramePlan {
    /// Whether both have the same pixels.
    pub(super) fn is_same_frame(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.content, &other.content)
            && (self.eye, self.animation) == (other.eye, other.animation)
            && self.seconds.to_bits() == other.seconds.to_bits()
            && self.settings == other.settings
    }

    /// Whether both are moments of one shot: the same pictures but for the time, and for the place of the eye.
    pub(super) fn is_of_shot(&self, other: &Self) -> bool {
        let settings = RenderSettings {
            frame: self.settings.frame,
            ..other.settings
        };
        Arc::ptr_eq(&self.content, &other.content)
            && self.animation == other.animation
            && self.settings == settings
    }

    /// Whether a display that showed `last` shows this frame next: time has gone on by one frame.
    pub(super) fn is_next_after(&self, last: &Self) -> bool {
        let frames = (self.seconds - last.seconds) * f64::from(FRAMES_PER_SECOND);
        self.is_of_shot(last) && self.eye == last.eye && (frames - 1.0).abs() < 1e-6
    }

    /// Frame that a display shows `n` frames earlier from the same viewpoint; `None` before the first one.
    pub(super) fn earlier(&self, n: u32) -> Option<Self> {
        let seconds = self.seconds - f64::from(n) / f64::from(FRAMES_PER_SECOND);
        let settings = RenderSettings {
            frame: frame_number(seconds),
            ..self.settings
        };
        (seconds >= 0.0).then(|| Self {
            seconds,
            settings,
            ..self.clone()
        })
    }

    /// Whether a frame drawn so has everything that `other` asks for.
    pub(super) fn covers(&self, other: &Self) -> bool {
        let (has, wants) = (self.extras, other.extras);
        self.is_same_frame(other)
            && (has.counters || !wants.counters)
            && (has.facts || !wants.facts)
    }

    /// Moment of the frame for people: demos count frames, scenes have seconds.
    pub(super) fn name(&self) -> String {
        if self.content.game.is_some() {
            format!("frame {}", frame_number(self.seconds))
        } else {
            let span = self.content.duration(self.animation);
            let seconds = span.map_or(self.seconds, |span| self.seconds % f64::from(span));
            format!("the frame at {seconds:.2} s")
        }
    }

    /// Number of pixels to draw.
    pub(super) fn pixels(&self) -> u64 {
        u64::from(self.settings.width) * u64::from(self.settings.height)
    }

    /// Aspect ratio of the picture, width / height.
    pub(super) fn aspect(&self) -> f32 {
        self.settings.width as f32 / self.settings.height as f32
    }

    /// State and view at the time of the plan.
    pub(super) fn moment(&self) -> Moment {
        let RenderSettings { width, height, .. } = self.settings;
        let content = &self.content;
        let Some(game) = &content.game else {
            return self.scene_moment();
        };
        let screen = Screen { width, height };
        let frame = game.frame(&content.scene, frame_number(self.seconds), screen);
        let mut view = frame.view;
        if let Eye::Moved(view_from_world, eye_world) = self.eye {
            view.view_from_world = view_from_world;
            view.eye_world = eye_world;
        }
        Moment {
            state: frame.state,
            view,
        }
    }

    fn scene_moment(&self) -> Moment {
        let RenderSettings { width, height, .. } = self.settings;
        let scene = &self.content.scene;
        let mut pose = scene.pose_at(self.animation, self.seconds as f32);
        let placed = match self.eye {
            Eye::Placed(camera) => Some(camera),
            Eye::Node(node) => scene.look_through(&mut pose, node),
            Eye::Whole => Some(self.content.whole(self.aspect())),
            Eye::Own | Eye::Moved(..) => None,
        };
        let camera = placed.unwrap_or_else(|| {
            let (bounds, origin_world) = self.content.bounds();
            PlacedCamera {
                origin_world,
                ..frame(bounds, self.aspect())
            }
        });
        pose.origin_world = camera.origin_world;
        let view = camera.view(width, height);
        let mut state = scene.state_of(&pose);
        state.sort_blended(scene, view.eye_world);
        Moment { state, view }
    }

    /// Input of the renderer for a moment.
    pub(super) fn input<'a>(&'a self, moment: &'a Moment) -> FrameInput<'a> {
        FrameInput {
            scene: &self.content.scene,
            state: &moment.state,
            view: &moment.view,
            environment: self.content.environment.as_ref(),
            settings: &self.settings,
        }
    }
}

/// Number of the frame that demos show after `seconds`.
pub(super) fn frame_number(seconds: f64) -> u64 {
    (seconds.max(0.0) * f64::from(FRAMES_PER_SECOND)).round() as u64
}
