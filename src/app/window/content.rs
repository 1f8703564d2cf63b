//! Content of the window: a scene with its light and, for demos, its game. Immutable, shared by the threads that draw and
//! model.

use std::path::Path;
use std::sync::{Mutex, PoisonError};

use glam::{DVec3, Vec3};

use crate::demo::Game;
use crate::render::{Background, RenderSettings, ToneMap};
use crate::scene::gltf::LoadOptions;
use crate::scene::{
    AnimationChoice, Bounds, Environment, MAX_HDR_BYTES, PlacedCamera, Scene, load_path, read_file,
};

/// Program and version, as pictures name them.
const GENERATOR: &str = concat!("azulejo ", env!("CARGO_PKG_VERSION"));

/// Scene, ready to be drawn at any moment.
#[derive(Debug)]
pub(in crate::app) struct Content {
    /// Geometry, materials, textures and animations.
    pub(in crate::app) scene: Scene,
    /// Image-based light, if any.
    pub(in crate::app) environment: Option<Environment>,
    /// The rules of a demo; nothing for a scene.
    pub(in crate::app) game: Option<Box<dyn Game>>,
    /// Background, tone map, exposure, tile size and order.
    pub(in crate::app) settings: RenderSettings,
    /// Moment at which all of the scene is framed.
    pub(in crate::app) rest: Rest,
    /// Keywords and texts that pictures carry.
    pub(in crate::app) stamp: Vec<(String, String)>,
}

/// Moment for which a camera is put where it sees all of a scene, and the last such camera with its picture's shape: to
/// find it, every vertex is looked at.
#[derive(Debug)]
pub(in crate::app) struct Rest {
    animation: AnimationChoice,
    seconds: f32,
    last: Mutex<Option<(f32, PlacedCamera)>>,
}

impl Rest {
    /// Rest of the animations at a time.
    pub(in crate::app) const fn new(animation: AnimationChoice, seconds: f32) -> Self {
        Self {
            animation,
            seconds,
            last: Mutex::new(None),
        }
    }
}

impl Default for Rest {
    fn default() -> Self {
        Self::new(AnimationChoice::All, 0.0)
    }
}

impl Content {
    /// Content that a file dropped onto the window shows: a scene under the light of `before`, or the scene of `before`
    /// under another light.
    ///
    /// # Errors
    /// A sentence that names the file and the element at fault.
    pub(super) fn load(path: &Path, before: &Self) -> Result<Self, String> {
        let refused = |problem: String| format!("{}: {problem}", path.display());
        let ending = path.extension().unwrap_or_default().to_ascii_lowercase();
        let opened_by = match ending.to_str() {
            Some("hdr") => return before.with_light(path).map_err(refused),
            Some("toml") => Some(("a machine or a list of points", "view --machine")),
            Some("azt") => Some(("a trace", "simulate")),
            _ => None,
        };
        if let Some((what, command)) = opened_by {
            let file = path.file_name().unwrap_or_default().display();
            return Err(refused(format!(
                "holds {what}, no scene; expected a .glb, .gltf or .obj, or a light as .hdr; try `azulejo {command} {file}`"
            )));
        }
        let scene =
            load_path(path, &LoadOptions::default()).map_err(|error| refused(error.to_string()))?;
        // A demo has no light of its own to hand on.
        let of_demo = before.game.is_some();
        let (environment, settings) = if of_demo {
            let settings = RenderSettings {
                background: Background::Environment,
                tone_map: ToneMap::default(),
                ..before.settings
            };
            (Some(Environment::builtin()), settings)
        } else {
            (before.environment.clone(), before.settings)
        };
        let environment = scene.environment.clone().or(environment);
        let stamp = vec![
            ("Software".to_owned(), GENERATOR.to_owned()),
            ("Scene".to_owned(), scene.name.clone()),
        ];
        Ok(Self {
            scene,
            environment,
            game: None,
            settings,
            rest: Rest::default(),
            stamp,
        })
    }

    fn with_light(&self, path: &Path) -> Result<Self, String> {
        if self.game.is_some() {
            return Err("a demo has its own light; open a scene first".to_owned());
        }
        let bytes =
            read_file(path, MAX_HDR_BYTES).map_err(|error| format!("cannot read it: {error}"))?;
        let environment = Environment::from_hdr_bytes(&bytes).map_err(|error| error.to_string())?;
        Ok(Self {
            scene: self.scene.clone(),
            environment: Some(environment),
            game: None,
            settings: RenderSettings {
                background: Background::Environment,
                ..self.settings
            },
            rest: Rest::default(),
            stamp: self.stamp.clone(),
        })
    }

    /// Camera that sees all of the scene in a picture of shape `aspect`, as `render` does.
    pub(super) fn whole(&self, aspect: f32) -> PlacedCamera {
        let mut last = (self.rest.last.lock()).unwrap_or_else(PoisonError::into_inner);
        match *last {
            Some((known, camera)) if known.to_bits() == aspect.to_bits() => camera,
            _ => {
                let Rest {
                    animation, seconds, ..
                } = self.rest;
                let state = self.scene.state_from_middle(animation, seconds);
                let camera = self.scene.framing_camera(&state, aspect);
                let camera = camera.with_origin_near();
                *last = Some((aspect, camera));
                camera
            }
        }
    }

    /// Box around everything at rest, of a metre where nothing is drawn, and its origin in the world.
    pub(super) fn bounds(&self) -> (Bounds, DVec3) {
        let state = self.scene.state_from_middle(AnimationChoice::All, 0.0);
        let drawn = self.game.is_none().then(|| self.scene.bounds(&state));
        let bounds = drawn.flatten().unwrap_or(Bounds {
            min: Vec3::splat(-0.5),
            max: Vec3::splat(0.5),
        });
        (bounds, state.origin_world)
    }

    /// Seconds until the animations of a choice begin again; nothing if nothing moves, or for ever something new.
    pub(super) fn duration(&self, animation: AnimationChoice) -> Option<f32> {
        if self.game.is_some() {
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
    pub(super) fn moves(&self, animation: AnimationChoice) -> bool {
        self.game.is_some() || self.duration(animation).is_some()
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::demo::{DEFAULT_SEED, DEMOS};

    /// A demo as content.
    pub(in crate::app::window) fn demo() -> Content {
        let show = DEMOS[0].start(DEFAULT_SEED);
        Content {
            scene: show.scene,
            environment: None,
            game: Some(show.game),
            settings: RenderSettings {
                background: Background::Color(show.background),
                tone_map: ToneMap::None,
                ..RenderSettings::default()
            },
            rest: Rest::default(),
            stamp: Vec::new(),
        }
    }

    #[test]
    fn whole_scene_is_framed_for_each_shape_of_picture() {
        let content = Content {
            scene: crate::demo::courtyard(),
            game: None,
            ..demo()
        };
        let state = content.scene.state_at(AnimationChoice::All, 0.0);
        for aspect in [16.0 / 9.0, 0.5, 0.5, 16.0 / 9.0] {
            let framed = content.scene.framing_camera(&state, aspect);
            assert_eq!(content.whole(aspect), framed, "{aspect}");
        }
    }

    #[test]
    fn content_that_cannot_be_loaded_names_the_file() {
        let error = Content::load(Path::new("nowhere/a.glb"), &demo());
        let error = error.map(|_| ()).unwrap_err();
        assert!(error.starts_with("nowhere/a.glb: "), "{error}");
        let error = Content::load(Path::new("sky.HDR"), &demo());
        let error = error.map(|_| ()).unwrap_err();
        assert!(error.contains("own light"), "no light for a demo: {error}");
    }

    #[test]
    fn file_of_another_kind_is_refused_with_the_command_that_opens_it() {
        for (file, said) in [
            ("a/mine.toml", "azulejo view --machine mine.toml"),
            ("FRAMES.AZT", "azulejo simulate FRAMES.AZT"),
        ] {
            let error = Content::load(Path::new(file), &demo());
            let error = error.map(|_| ()).unwrap_err();
            assert!(error.starts_with(file) && error.contains(said), "{error}");
        }
    }

    #[test]
    fn content_of_a_demo_never_ends() {
        let demo = demo();
        assert!(demo.moves(AnimationChoice::All), "it plays");
        assert_eq!(demo.duration(AnimationChoice::All), None, "for ever");
    }
}
