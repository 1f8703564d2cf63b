//! Scenes and demos that the window shows, with the texts that their pictures carry; files dropped onto it.

use std::path::Path;
use std::sync::Arc;

use azulejo_render::{Background, RenderSettings, ToneMap};
use azulejo_scene::gltf::LoadOptions;
use azulejo_scene::{Environment, MAX_HDR_BYTES, load_path, read_file};
use azulejo_shot::{Content, Shot};

/// Program and version, as pictures name them.
const GENERATOR: &str = concat!("azulejo ", env!("CARGO_PKG_VERSION"));

/// Keywords and texts that pictures carry.
pub(crate) type Texts = Arc<[(String, String)]>;

/// Shot as it was opened, before its user moves anything.
#[derive(Debug, Clone)]
pub(crate) struct Opened {
    /// Content, first eye, animations, look and tiles.
    pub(crate) shot: Shot,
    /// Keywords and texts of its pictures.
    pub(crate) texts: Texts,
}

impl Opened {
    /// Opens a file that was dropped onto the window: a scene under the light of `before`, or the scene of `before`
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
        let last = &before.shot;
        let (environment, settings) = if last.content.is_demo() {
            let settings = RenderSettings {
                background: Background::Environment,
                tone_map: ToneMap::default(),
                ..last.settings
            };
            (Some(Environment::builtin()), settings)
        } else {
            (last.content.environment.clone(), last.settings)
        };
        let environment = scene.environment.clone().or(environment);
        let texts = [("Software", GENERATOR), ("Scene", &scene.name)];
        let texts = texts.map(|(key, text)| (key.to_owned(), text.to_owned()));
        Ok(Self {
            shot: Shot {
                settings,
                ..Shot::new(Content::scene(scene, environment))
            },
            texts: Arc::new(texts),
        })
    }

    fn with_light(&self, path: &Path) -> Result<Self, String> {
        let content = &self.shot.content;
        if content.is_demo() {
            return Err("a demo has its own light; open a scene first".to_owned());
        }
        let bytes =
            read_file(path, MAX_HDR_BYTES).map_err(|error| format!("cannot read it: {error}"))?;
        let environment = Environment::from_hdr_bytes(&bytes).map_err(|error| error.to_string())?;
        let content = Content::scene(content.scene.clone(), Some(environment));
        Ok(Self {
            shot: Shot {
                settings: RenderSettings {
                    background: Background::Environment,
                    ..self.shot.settings
                },
                ..Shot::new(content)
            },
            texts: Arc::clone(&self.texts),
        })
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use azulejo_demo::{DEFAULT_SEED, DEMOS};

    /// A demo without texts.
    pub(in crate::window) fn demo() -> Opened {
        Opened {
            shot: Shot::show(DEMOS[0].start(DEFAULT_SEED)),
            texts: Arc::default(),
        }
    }

    #[test]
    fn content_that_cannot_be_loaded_names_the_file() {
        let error = Opened::load(Path::new("nowhere/a.glb"), &demo());
        let error = error.map(|_| ()).unwrap_err();
        assert!(error.starts_with("nowhere/a.glb: "), "{error}");
        let error = Opened::load(Path::new("sky.HDR"), &demo());
        let error = error.map(|_| ()).unwrap_err();
        assert!(error.contains("own light"), "no light for a demo: {error}");
    }

    #[test]
    fn file_of_another_kind_is_refused_with_the_command_that_opens_it() {
        for (file, said) in [
            ("a/mine.toml", "azulejo view --machine mine.toml"),
            ("FRAMES.AZT", "azulejo simulate FRAMES.AZT"),
        ] {
            let error = Opened::load(Path::new(file), &demo());
            let error = error.map(|_| ()).unwrap_err();
            assert!(error.starts_with(file) && error.contains(said), "{error}");
        }
    }
}
