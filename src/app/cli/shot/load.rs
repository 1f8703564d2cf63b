//! Loading of files and built-in content into memory.

use std::io;
use std::path::Path;

use super::{Console, EnvironmentArg, Failure, Outcome};
use crate::cli::args::SceneArgs;
use crate::cli::likeness::did_you_mean;
use crate::cli::standard_input;
use azulejo_demo::{Demo, Show, courtyard};
use azulejo_scene::gltf::{LoadError, LoadOptions, load};
use azulejo_scene::{BlockFormat, Environment, MAX_HDR_BYTES, Scene, load_path, read_file};

/// Values of `--stats`, which are taken for scenes where its `=` is forgotten.
const STATS: [&str; 3] = ["table", "json", "none"];

/// File name ending of every trace.
const TRACE_ENDING: &str = "azt";

/// Whether `path` holds a trace, not a scene.
pub(in crate::cli) fn is_trace(path: &Path) -> Outcome<bool> {
    if standard_input::is_meant(path) {
        return standard_input::is_trace();
    }
    let ending = path.extension();
    Ok(ending.is_some_and(|ending| ending.eq_ignore_ascii_case(TRACE_ENDING)))
}

/// Loads the scene of the file, or builds the built-in one.
pub(super) fn scene(args: &SceneArgs, console: Console) -> Outcome<Scene> {
    let Some(path) = &args.file else {
        let spinner = console.spinner("building the courtyard");
        let mut scene = courtyard();
        spinner.finish_and_clear();
        store_textures(&mut scene, args.textures, console);
        return Ok(scene);
    };
    let spinner = console.spinner(&format!("loading {}", path.display()));
    let options = LoadOptions {
        scene: args.choice.clone(),
        variant: args.variant.clone(),
        ..LoadOptions::default()
    };
    let loaded = if standard_input::is_meant(path) {
        from_standard_input(&options)
    } else {
        load_path(path, &options).map_err(|error| load_failure(path, &error))
    };
    spinner.finish_and_clear();
    let mut scene = loaded?;
    store_textures(&mut scene, args.textures, console);
    Ok(scene)
}

/// Loads a scene that refers to no other files.
fn from_standard_input(options: &LoadOptions) -> Outcome<Scene> {
    let nothing_beside = |_: &str| {
        let problem = "there are no files beside standard input; name the scene's file instead";
        Err(io::Error::other(problem))
    };
    let name = Path::new(standard_input::NAME);
    let bytes = standard_input::bytes()?.to_vec();
    let scene = load(bytes, &nothing_beside, options);
    let scene = scene.map_err(|error| load_failure(name, &error))?;
    Ok(Scene {
        name: standard_input::NAME.to_owned(),
        ..scene
    })
}

fn load_failure(path: &Path, error: &LoadError) -> Failure {
    let failure = Failure::of_file(path, error);
    match error {
        LoadError::NotGltf(_) if is_trace(path).unwrap_or(false) => failure
            .hint("a trace holds what a pipeline did, not a scene: `azulejo simulate` reads it"),
        LoadError::NotGltf(_) => {
            failure.hint("scenes are glTF 2.0 files that end in .gltf or .glb, Wavefront files that end in .obj, or demos that `azulejo list` names")
        }
        LoadError::Unreadable { element, .. } if element == "scene" => no_scene(path, failure),
        LoadError::RequiredExtensions(_) => {
            failure.hint("`azulejo list` names the extensions that are supported")
        }
        _ => failure,
    }
}

/// Failure of a scene that is no file, with what may have been meant.
fn no_scene(path: &Path, failure: Failure) -> Failure {
    let name = path.to_string_lossy();
    if STATS.contains(&&*name) {
        return failure.hint(format!("`--stats={name}` takes its value after `=`"));
    }
    // A name without ending is that of a demo, which the command line has wrong.
    let is_name = path.extension().is_none() && path.components().count() == 1 && !path.exists();
    let meant = did_you_mean(&name, Demo::all().map(|demo| demo.name));
    let hint =
        "`azulejo list` names the demos; `azulejo render` without a scene draws the built-in one";
    if is_name {
        let problem = format!("{name}: no demo of this name and no such file{meant}");
        return Failure::usage(problem).hint(hint);
    }
    failure.hint(hint)
}

/// Stores textures in the format of the option.
fn store_textures(scene: &mut Scene, format: Option<BlockFormat>, console: Console) {
    let Some(format) = format else { return };
    let spinner = console.spinner("encoding textures");
    let stored = scene.store_textures(format);
    spinner.finish_and_clear();
    console.note(&stored.to_string());
}

/// Starts a demo with a seed and builds its scene.
pub(super) fn show(demo: &Demo, args: &SceneArgs, console: Console) -> Show {
    let spinner = console.spinner(&format!("building {}", demo.name));
    let mut show = demo.start(args.seed);
    spinner.finish_and_clear();
    store_textures(&mut show.scene, args.textures, console);
    show
}

/// Loads the environment of the option and prefilters it.
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
