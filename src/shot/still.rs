//! Stills of a shot: one frame with all that it is drawn from.

use std::sync::Arc;

use super::content::Content;
use azulejo_render::shading::DrawProgram;
use azulejo_render::{DrawList, FrameInput, RenderSettings};
use azulejo_scene::{FrameState, View};

/// Frame that can be drawn as often as needed; blended draws of a scene are in order for the eye.
#[derive(Debug, Clone)]
pub struct Still {
    /// Scene and light.
    pub content: Arc<Content>,
    /// Settings, with the number of the frame.
    pub settings: RenderSettings,
    /// Instances, lights and switches.
    pub state: FrameState,
    /// Eye and projection.
    pub view: View,
}

impl Still {
    /// Input of the renderer.
    #[must_use]
    pub fn input(&self) -> FrameInput<'_> {
        FrameInput {
            scene: &self.content.scene,
            state: &self.state,
            view: &self.view,
            environment: self.content.environment.as_ref(),
            settings: &self.settings,
        }
    }

    /// Draws of the frame, with their programs.
    #[must_use]
    pub fn draws(&self) -> DrawList<'_, DrawProgram<'_>> {
        self.input().draws()
    }
}
