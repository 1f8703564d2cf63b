//! The files that a run reads, so that none of its outputs goes over one of them.

use std::fs::{self, File};
use std::io::Read;
use std::path::{Path, PathBuf};

use super::place::Place;
use crate::cli::args::{EnvironmentArg, SceneArgs, ShotArgs};
use crate::cli::standard_input;
use azulejo_scene::referenced_files;

/// Most bytes that are read of a machine file.
const MAX_MACHINE: u64 = 1 << 20;
/// Most files that include each other; more is a circle or a mistake, which loading the machine names.
const MAX_INCLUDES: usize = 64;

/// File that a run reads, and its role.
#[derive(Debug)]
pub(super) struct Input {
    pub(super) place: Place,
    pub(super) role: String,
}

/// All files that a run reads.
#[derive(Debug, Default)]
pub(in crate::cli) struct Inputs(Vec<Input>);

impl Inputs {
    /// Files that a shot reads: its scene and its environment.
    pub(in crate::cli) fn of_shot(shot: &ShotArgs) -> Self {
        Self::default()
            .scene(&shot.scene)
            .environment(shot.picture.look.env.as_ref())
    }

    /// Adds a file; one that is not there cannot be overwritten.
    pub(in crate::cli) fn file(mut self, file: &Path, role: &str) -> Self {
        self.0.extend(Place::of(file).ok().map(|place| Input {
            place,
            role: format!("{role} {}", file.display()),
        }));
        self
    }

    /// Adds a scene or trace with all files that it refers to.
    pub(in crate::cli) fn scene(self, scene: &SceneArgs) -> Self {
        let is_file = |file: &&Path| scene.demo().is_none() && !standard_input::is_meant(file);
        let Some(file) = scene.file.as_deref().filter(is_file) else {
            return self;
        };
        let role = format!("a file of the scene {}:", file.display());
        let inputs = self.file(file, "the input");
        let referenced = referenced_files(file);
        (referenced.iter()).fold(inputs, |inputs, file| inputs.file(file, &role))
    }

    /// Adds the environment, where it is a file.
    pub(in crate::cli) fn environment(self, choice: Option<&EnvironmentArg>) -> Self {
        match choice {
            Some(EnvironmentArg::File(file)) => self.file(file, "the environment"),
            _ => self,
        }
    }

    /// Adds machines by name or file, with what they include.
    pub(in crate::cli) fn machines(
        self,
        names: impl IntoIterator<Item = impl AsRef<Path>>,
    ) -> Self {
        let names = names.into_iter();
        let files = names.map(|name| name.as_ref().to_owned()).collect();
        let machines = with_includes(files);
        (machines.iter()).fold(self, |inputs, file| inputs.file(file, "the machine"))
    }

    /// Input that `place` would go over.
    pub(super) fn overwritten_by(&self, place: &Place) -> Option<&Input> {
        self.0.iter().find(|input| input.place.is(place))
    }
}

/// Machine files and all that they include, as far as they can be read.
fn with_includes(mut files: Vec<PathBuf>) -> Vec<PathBuf> {
    let mut at = 0;
    while let Some(file) = files.get(at).filter(|_| at < MAX_INCLUDES) {
        let folder = file.parent().unwrap_or(Path::new("")).to_owned();
        let included = includes(file);
        files.extend(included.iter().map(|include| folder.join(include)));
        at += 1;
    }
    files.retain(|file| file.is_file());
    files
}

fn includes(machine: &Path) -> Vec<String> {
    let is_file = fs::metadata(machine).is_ok_and(|metadata| metadata.is_file());
    let mut text = String::new();
    let read = |file: File| file.take(MAX_MACHINE).read_to_string(&mut text);
    if !is_file || File::open(machine).and_then(read).is_err() {
        return Vec::new();
    }
    let table = text.parse::<toml::Table>().unwrap_or_default();
    match table.get("include") {
        Some(toml::Value::String(include)) => vec![include.clone()],
        Some(toml::Value::Array(includes)) => (includes.iter())
            .filter_map(|include| include.as_str().map(str::to_owned))
            .collect(),
        _ => Vec::new(),
    }
}
