//! Files and built-in content into memory.

use std::path::Path;

use super::{Console, EnvironmentArg, Failure, Outcome};
use crate::app::cli::args::SceneArgs;
use crate::demo::{Demo, Show, courtyard};
use crate::scene::gltf::{LoadError, LoadOptions, load_path};
use crate::scene::{Environment, MAX_HDR_BYTES, Scene, read_file};

/// The scene of the file, or the built-in one.
pub(super) fn scene(args: &SceneArgs, console: Console) -> Outcome<Scene> {
    let Some(path) = &args.file else {
        let spinner = console.spinner("building the courtyard");
        let scene = courtyard();
        spinner.finish_and_clear();
        return Ok(scene);
    };
    let spinner = console.spinner(&format!("loading {}", path.display()));
    let options = LoadOptions {
        scene: args.choice.clone(),
        ..LoadOptions::default()
    };
    let loaded = load_path(path, &options).map_err(|error| load_failure(path, &error));
    spinner.finish_and_clear();
    loaded
}

fn load_failure(path: &Path, error: &LoadError) -> Failure {
    let failure = Failure::of_file(path, error);
    match error {
        LoadError::NotGltf(_) => {
            failure.hint("scenes are glTF 2.0 files that end in .gltf or .glb, or demos that `azulejo list` names")
        }
        LoadError::Unreadable { element, .. } if element == "scene" => {
            failure.hint("`azulejo list` names the demos; `azulejo render` without a scene draws the built-in one")
        }
        LoadError::RequiredExtensions(_) => {
            failure.hint("`azulejo list` names the extensions that are supported")
        }
        _ => failure,
    }
}

/// A demo, built.
pub(super) fn show(demo: &Demo, seed: u32, console: Console) -> Show {
    let spinner = console.spinner(&format!("building {}", demo.name));
    let show = demo.start(seed);
    spinner.finish_and_clear();
    show
}

/// The environment of the option, prefiltered.
pub(super) fn environment(
    choice: &EnvironmentArg,
    console: Console,
) -> Outcome<Option<Environment>> {
    let spinner = console.spinner("prefiltering the environment");
    let environment = match choice {
        EnvironmentArg::None => Ok(None),
        EnvironmentArg::Builtin => Ok(Some(Environment::builtin())),
        EnvironmentArg::File(path) => read_environment(path).map(Some),
    };
    spinner.finish_and_clear();
    environment
}

fn read_environment(path: &Path) -> Outcome<Environment> {
    let hint = "--env takes an equirectangular Radiance .hdr file, `builtin` or `none`";
    let bytes = read_file(path, MAX_HDR_BYTES)
        .map_err(|error| Failure::of_file(path, format!("cannot read it: {error}")).hint(hint))?;
    Environment::from_hdr_bytes(&bytes).map_err(|error| Failure::of_file(path, error).hint(hint))
}
