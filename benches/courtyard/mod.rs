//! The built-in scene, standing still, seen by its own camera.

use azulejo::demo::courtyard;
use azulejo::render::{Background, FrameInput, RenderSettings};
use azulejo::scene::{AnimationChoice, Environment, FrameState, Scene, View};

/// All that a frame of it needs but for the settings.
#[derive(Debug)]
pub(crate) struct Courtyard {
    scene: Scene,
    environment: Environment,
    state: FrameState,
    view: View,
}

impl Courtyard {
    /// Courtyard on a screen of so many pixels.
    pub(crate) fn new(width: u32, height: u32) -> Self {
        let scene = courtyard();
        let pose = scene.pose_at(AnimationChoice::All, 0.0);
        let mut state = scene.state_of(&pose);
        let (camera, _) = scene.camera_nodes().next().expect("the courtyard has one");
        let camera = scene.placed_camera(&pose, camera).expect("it is placed");
        let view = camera.view(width, height);
        state.sort_blended(&scene, view.eye_world);
        Self {
            scene,
            environment: Environment::builtin(),
            state,
            view,
        }
    }

    /// Replaces the background of these settings by the sky.
    pub(crate) const fn before_sky(settings: RenderSettings) -> RenderSettings {
        RenderSettings {
            background: Background::Environment,
            ..settings
        }
    }

    /// Input of a frame of the courtyard.
    pub(crate) const fn input<'a>(&'a self, settings: &'a RenderSettings) -> FrameInput<'a> {
        FrameInput {
            scene: &self.scene,
            state: &self.state,
            view: &self.view,
            environment: Some(&self.environment),
            settings,
        }
    }
}
