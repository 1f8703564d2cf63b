//! Workloads of a suite: a demo, or a file that the command line names. Each has a name, under which its numbers stand, and
//! draws its frames at a machine's screen.

use std::path::{Path, PathBuf};

use super::scene_input::{at_screen, of_scene};
use crate::cli::args::{DemoChoice, SceneArgs};
use crate::cli::console::Console;
use crate::cli::failure::{Failure, Outcome};
use crate::cli::shot::PreparedShot;
use azulejo_demo::Demo;
use azulejo_gpu::machine::ScreenSpec;
use azulejo_shot::Shot;
use azulejo_study::DemoWorkload;

/// Workload of a suite: a demo or a file.
#[derive(Debug, Clone)]
pub(super) struct SuiteWorkload {
    /// Name of its numbers; no two of a suite share it.
    pub(super) name: String,
    /// Key of its kept measurements: the name, and for a file also its content.
    pub(super) key: String,
    source: Source,
}

#[derive(Debug, Clone)]
enum Source {
    Demo(&'static Demo),
    File(PathBuf),
}

impl SuiteWorkload {
    fn of_demo(demo: &'static Demo) -> Self {
        Self {
            name: demo.name.to_owned(),
            key: demo.name.to_owned(),
            source: Source::Demo(demo),
        }
    }

    /// Workloads of the demos that are named, in their order.
    pub(super) fn of_demos(choices: &[DemoChoice]) -> Vec<Self> {
        let demos = choices.iter().flat_map(|choice| &choice.0);
        demos.map(|demo| Self::of_demo(demo)).collect()
    }

    /// Workloads of files, each called by its name without its ending, or by its path where two would share that.
    ///
    /// # Errors
    /// Names the first file that cannot be read, or that is named twice.
    pub(super) fn of_files(files: &[PathBuf]) -> Outcome<Vec<Self>> {
        let mut workloads: Vec<Self> = Vec::new();
        for file in files {
            let stem = |file: &Path| file.file_stem().map(|stem| stem.to_owned());
            let alike = files.iter().filter(|other| stem(other) == stem(file));
            let name = match alike.count() {
                1 => SceneArgs::of_file(file).name(),
                _ => file.display().to_string(),
            };
            if workloads.iter().any(|known| known.name == name) {
                let problem = format!("--scene names {} twice", file.display());
                return Err(Failure::usage(problem));
            }
            workloads.push(Self {
                key: format!("{name} {}", of_scene(file)?),
                name,
                source: Source::File(file.clone()),
            });
        }
        Ok(workloads)
    }

    /// Demo that it is, if it is one.
    pub(super) const fn demo(&self) -> Option<&'static Demo> {
        match self.source {
            Source::Demo(demo) => Some(demo),
            Source::File(_) => None,
        }
    }

    /// Shot that is ready to be drawn at the screen; `seed` is of demos.
    ///
    /// # Errors
    /// A file that cannot be loaded.
    pub(super) fn shot(&self, screen: &ScreenSpec, seed: u32, console: Console) -> Outcome<Shot> {
        match &self.source {
            Source::Demo(demo) => Ok(DemoWorkload { demo, seed }.shot(screen)),
            Source::File(file) => {
                let args = at_screen(SceneArgs::of_file(file), screen, None, 0);
                Ok(PreparedShot::new(&args, console)?.shot)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn workloads_of_files_have_names_of_their_own() {
        let folder = tempfile::tempdir().expect("a folder");
        let write = |name: &str, content: &str| {
            let file = folder.path().join(name);
            std::fs::create_dir_all(file.parent().expect("a folder")).expect("writable");
            std::fs::write(&file, content).expect("writable");
            file
        };
        let files = [
            write("cube.gltf", "{}"),
            write("a/helmet.gltf", "{}"),
            write("b/helmet.gltf", "{ }"),
        ];
        let workloads = SuiteWorkload::of_files(&files).expect("readable");
        let names: Vec<_> = workloads.iter().map(|own| own.name.clone()).collect();
        let path = |at: usize| files[at].display().to_string();
        assert_eq!(names, ["cube".to_owned(), path(1), path(2)], "told apart");
        write("cube.gltf", "{  }");
        let changed = SuiteWorkload::of_files(&files[..1]).expect("readable");
        assert_eq!(changed[0].name, workloads[0].name, "the same file");
        assert_ne!(changed[0].key, workloads[0].key, "with other content");
        let twice = SuiteWorkload::of_files(&[files[0].clone(), files[0].clone()]);
        assert!(twice.expect_err("twice").message.contains("twice"), "named");
        let absent = SuiteWorkload::of_files(&[folder.path().join("none.glb")]);
        let message = absent.expect_err("absent").message;
        assert!(message.contains("none.glb"), "{message}");
    }
}
