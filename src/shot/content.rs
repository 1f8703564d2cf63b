//! Content of a shot: a scene under its light, or a demo's show. Immutable, so that threads can share it.

use std::sync::{Mutex, PoisonError};

use glam::{DVec3, Vec3};

#[cfg(feature = "demos")]
use azulejo_demo::{Game, Screen, Show};
use azulejo_render::{Background, RenderSettings};
#[cfg(feature = "demos")]
use azulejo_scene::View;
use azulejo_scene::{AnimationChoice, Environment, FrameState, Orbit, PlacedCamera, Scene};

/// Most framing cameras to remember: the pictures of one scene have few shapes.
const MOST_FRAMED: usize = 8;

/// Scene with its light and, for demos, its game.
#[derive(Debug)]
pub struct Content {
    /// Geometry, materials, textures and animations.
    pub scene: Scene,
    /// Image-based light, if any.
    pub environment: Option<Environment>,
    rest: Rest,
    #[cfg(feature = "demos")]
    played: Option<Played>,
    /// Cameras that frame the scene at rest, by the picture's shape: to find one, every vertex is looked at.
    framed: Mutex<Vec<(f32, PlacedCamera)>>,
}

/// Time at which a scene is framed.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Rest {
    /// Animations that count.
    pub animation: AnimationChoice,
    /// Seconds since their start.
    pub seconds: f32,
}

/// Rules of a demo, and the colour that it is painted on.
#[cfg(feature = "demos")]
#[derive(Debug)]
struct Played {
    game: std::sync::Arc<dyn Game>,
    /// Linear RGB.
    background: Vec3,
}

impl Content {
    /// Scene under a light, framed as its animations start.
    #[must_use]
    pub fn scene(scene: Scene, environment: Option<Environment>) -> Self {
        Self {
            scene,
            environment,
            rest: Rest::default(),
            #[cfg(feature = "demos")]
            played: None,
            framed: Mutex::default(),
        }
    }

    /// Show of a demo, which needs no light from around.
    #[cfg(feature = "demos")]
    #[must_use]
    pub fn show(show: Show) -> Self {
        let Show {
            scene,
            background,
            game,
        } = show;
        Self {
            played: Some(Played { game, background }),
            ..Self::scene(scene, None)
        }
    }

    /// Frames the scene as it stands at `rest`.
    #[must_use]
    pub fn framed_at(self, rest: Rest) -> Self {
        Self {
            rest,
            framed: Mutex::default(),
            ..self
        }
    }

    /// Whether a game plays.
    #[must_use]
    pub const fn is_demo(&self) -> bool {
        #[cfg(feature = "demos")]
        return self.played.is_some();
        #[cfg(not(feature = "demos"))]
        false
    }

    /// These settings before the content's own background: a demo's colour and no tone map, as its colours were painted for
    /// the display; else the environment, or nothing where there is none.
    #[must_use]
    pub fn before_own_background(&self, settings: RenderSettings) -> RenderSettings {
        #[cfg(feature = "demos")]
        if let Some(played) = &self.played {
            return settings.of_game(played.background);
        }
        let background = match self.environment {
            Some(_) => Background::Environment,
            None => Background::Transparent,
        };
        RenderSettings {
            background,
            ..settings
        }
    }

    /// Draws and camera of a demo's frame, for a picture of these settings; `None` for a scene.
    #[cfg(feature = "demos")]
    pub(super) fn play(&self, frame: u64, settings: &RenderSettings) -> Option<(FrameState, View)> {
        let RenderSettings { width, height, .. } = *settings;
        let played = self.played.as_ref()?;
        let frame = (played.game).frame(&self.scene, frame, Screen { width, height });
        Some((frame.state, frame.view))
    }

    /// Seconds until the animations of a choice begin again; `None` if nothing moves, or for ever something new.
    #[must_use]
    pub fn duration(&self, animation: AnimationChoice) -> Option<f32> {
        if self.is_demo() {
            return None;
        }
        let animations = self.scene.animations.iter();
        let mut durations = animations.map(|animation| animation.duration);
        let longest = match animation {
            AnimationChoice::None => 0.0,
            AnimationChoice::All => durations.fold(0.0, f32::max),
            AnimationChoice::One(index) => durations.nth(index).unwrap_or(0.0),
        };
        (longest > 0.0).then_some(longest)
    }

    /// Whether anything changes with time.
    #[must_use]
    pub fn moves(&self, animation: AnimationChoice) -> bool {
        self.is_demo() || self.duration(animation).is_some()
    }

    /// Camera that sees all of the scene at rest in a picture of shape `aspect` (width / height).
    #[must_use]
    pub fn framing_camera(&self, aspect: f32) -> PlacedCamera {
        let mut framed = (self.framed.lock()).unwrap_or_else(PoisonError::into_inner);
        let known = framed
            .iter()
            .find(|(known, _)| known.to_bits() == aspect.to_bits());
        if let Some((_, camera)) = known {
            return *camera;
        }
        let camera = self.scene.framing_camera(&self.at_rest(), aspect);
        let camera = camera.with_origin_near();
        if framed.len() == MOST_FRAMED {
            framed.remove(0);
        }
        framed.push((aspect, camera));
        camera
    }

    /// Camera on an orbit around `target_world`, or around the middle of the scene at rest; `orbit` makes it of that point.
    pub fn orbit_camera(
        &self,
        target_world: Option<DVec3>,
        orbit: impl FnOnce(Vec3) -> Orbit,
    ) -> PlacedCamera {
        let state = self.at_rest();
        let bounds = self.scene.bounds(&state);
        let middle = bounds.map_or(Vec3::ZERO, |bounds| bounds.center());
        let target = target_world.map(|target| (target - state.origin_world).as_vec3());
        PlacedCamera {
            origin_world: state.origin_world,
            ..orbit(target.unwrap_or(middle)).camera(bounds)
        }
        .with_origin_near()
    }

    fn at_rest(&self) -> FrameState {
        let Rest { animation, seconds } = self.rest;
        self.scene.state_from_middle(animation, seconds)
    }
}

#[cfg(all(test, feature = "demos"))]
mod tests {
    use super::*;
    use azulejo_demo::{DEFAULT_SEED, DEMOS, courtyard};

    #[test]
    fn whole_scene_is_framed_for_each_shape_of_picture() {
        let content = Content::scene(courtyard(), None);
        let state = content.scene.state_at(AnimationChoice::All, 0.0);
        for aspect in [16.0 / 9.0, 0.5, 0.5, 16.0 / 9.0] {
            let framed = content.scene.framing_camera(&state, aspect);
            assert_eq!(content.framing_camera(aspect), framed, "{aspect}");
        }
        for width in 1..20 {
            let aspect = width as f32 / 4.0;
            let framed = content.scene.framing_camera(&state, aspect);
            assert_eq!(content.framing_camera(aspect), framed, "{aspect}");
        }
    }

    #[test]
    fn content_of_a_demo_never_ends() {
        let demo = Content::show(DEMOS[0].start(DEFAULT_SEED));
        assert!(demo.moves(AnimationChoice::All), "it plays");
        assert_eq!(demo.duration(AnimationChoice::All), None, "for ever");
    }
}
