//! Engines that run points by commands of their own, a task each. A task skips what is done, so that it may be run again.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread;
use std::time::Duration;

use super::args::Place;
use super::store::Store;
use crate::cli::console::Console;
use crate::cli::failure::{Failure, Outcome};
use crate::cli::stamp::quoted;

/// Most tasks, unless the user chooses how many points are in each: a Slurm array has 1001 at most by default.
const MOST_TASKS: u64 = 500;
/// Interval between two looks at whether jobs have ended.
const LOOK_AGAIN: Duration = Duration::from_secs(2);

/// Points from `first` to `last`, which one task runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Task {
    pub(super) first: u64,
    pub(super) last: u64,
}

impl Task {
    /// Task of a single point.
    pub(super) const fn of(point: u64) -> Self {
        Self {
            first: point,
            last: point,
        }
    }
}

/// Tasks of `points`, which are in order: runs of numbers that follow each other, of at most `chunk`.
pub(super) fn tasks(points: &[u64], chunk: Option<u64>) -> Vec<Task> {
    let chunk = chunk.unwrap_or_else(|| (points.len() as u64).div_ceil(MOST_TASKS).max(1));
    let mut tasks: Vec<Task> = Vec::new();
    for &number in points {
        match tasks.last_mut() {
            Some(task) if task.last + 1 == number && number - task.first < chunk => {
                task.last = number
            }
            _ => tasks.push(Task::of(number)),
        }
    }
    tasks
}

/// Command line by which this program is called for a sweep.
#[derive(Debug)]
pub(super) struct Caller {
    words: Vec<String>,
}

impl Caller {
    /// Caller by whole paths, as tasks may start in another folder.
    ///
    /// # Errors
    /// Those of the system.
    pub(super) fn new(place: &Place) -> Outcome<Self> {
        let own = std::env::current_exe().map_err(Failure::new)?;
        let words = [
            text(&own)?,
            "sweep".to_owned(),
            text(&absolute(&place.file)?)?,
            "-o".to_owned(),
            text(&absolute(&place.folder)?)?,
        ];
        Ok(Self {
            words: words.into(),
        })
    }

    fn with(&self, more: &[&str]) -> Vec<String> {
        let more = more.iter().map(|word| (*word).to_owned());
        self.words.iter().cloned().chain(more).collect()
    }

    /// Line for a shell that runs points.
    pub(super) fn line(&self, task: Task) -> String {
        let words = self.task(task);
        let words: Vec<_> = words.iter().map(|word| quoted(word)).collect();
        words.join(" ")
    }

    fn task(&self, Task { first, last }: Task) -> Vec<String> {
        let numbers = match first == last {
            true => first.to_string(),
            false => format!("{first}-{last}"),
        };
        self.with(&["--threads", "1", "--quiet", "--point", &numbers])
    }
}

fn absolute(path: &Path) -> Outcome<PathBuf> {
    std::path::absolute(path).map_err(|error| Failure::of_file(path, error))
}

/// Text of a path, as scripts hold text.
fn text(path: &Path) -> Outcome<String> {
    let text = path.to_str().map(str::to_owned);
    text.ok_or_else(|| {
        Failure::of_file(
            path,
            "the name is no Unicode, which a script of tasks needs",
        )
    })
}

/// Submits an array job to Slurm and waits for its end.
///
/// # Errors
/// If Slurm is not there or refuses the job; the results say how single tasks ended.
pub(super) fn slurm(caller: &Caller, store: &Store, tasks: &[Task], console: Console) -> Outcome {
    let script = store.file("slurm.sh");
    store.write(&script, slurm_script(caller, store, tasks)?.as_bytes())?;
    let submitted = output(Command::new("sbatch").arg("--parsable").arg(&script))?;
    // With several clusters: `number;cluster`.
    let job = submitted
        .trim()
        .split(';')
        .next()
        .unwrap_or_default()
        .to_owned();
    console.note(&format!(
        "{}: job {job}, {} tasks; what is interrupted here goes on there",
        script.display(),
        tasks.len()
    ));
    let spinner = console.spinner(&format!("Slurm's job {job}"));
    while !output(Command::new("squeue").args(["--noheader", "--jobs", &job]))
        .unwrap_or_default()
        .trim()
        .is_empty()
    {
        thread::sleep(LOOK_AGAIN);
    }
    spinner.finish_and_clear();
    Ok(())
}

fn slurm_script(caller: &Caller, store: &Store, tasks: &[Task]) -> Outcome<String> {
    let log = text(&absolute(&store.file("slurm-%a.log"))?)?;
    let cases: String = tasks
        .iter()
        .enumerate()
        .map(|(number, task)| format!("{number}) exec {} ;;\n", caller.line(*task)))
        .collect();
    Ok(format!(
        "#!/bin/sh\n#SBATCH --job-name=azulejo-sweep\n#SBATCH --array=0-{}\n#SBATCH --cpus-per-task=1\n#SBATCH --output={log}\n\
        # Each task runs some points and skips what is done: submit it again as often as need be.\n\
        case \"$SLURM_ARRAY_TASK_ID\" in\n{cases}esac\n",
        tasks.len() - 1,
    ))
}

/// Hands the tasks to HyperQueue's Python package, which starts a server and a worker here and waits.
///
/// # Errors
/// If the package is not there or its cluster cannot be started.
pub(super) fn hyperqueue(
    caller: &Caller,
    store: &Store,
    tasks: &[Task],
    console: Console,
) -> Outcome {
    let script = store.file("tasks.py");
    store.write(&script, hyperqueue_script(caller, tasks)?.as_bytes())?;
    let python = std::env::var_os("AZULEJO_PYTHON").unwrap_or_else(|| "python3".into());
    let spinner = console.spinner(&format!("{} tasks by HyperQueue", tasks.len()));
    let ran = output(Command::new(python).arg(&script));
    spinner.finish_and_clear();
    ran.map(drop)
        .map_err(|failure| failure.hint("HyperQueue comes by `pip install hyperqueue`; AZULEJO_PYTHON names the Python that has it"))
}

fn hyperqueue_script(caller: &Caller, tasks: &[Task]) -> Outcome<String> {
    let commands: Vec<_> = tasks.iter().map(|task| caller.task(*task)).collect();
    let commands = serde_json::to_string_pretty(&commands).map_err(Failure::new)?;
    Ok(HYPERQUEUE.replace("@TASKS@", &commands))
}

/// Script that may be run by itself as well. A list of words is the same in JSON and in Python.
const HYPERQUEUE: &str = r#"# Runs the points of a sweep; each command skips what is done, so that this may be run again.
import os
import sys

from hyperqueue import Job
from hyperqueue.cluster import LocalCluster, WorkerConfig

TASKS = @TASKS@

with LocalCluster() as cluster:
    cluster.start_worker(WorkerConfig(cores=os.cpu_count()))
    client = cluster.client()
    job = Job()
    for command in TASKS:
        job.program(command, stdout=None, stderr=None)
    # Points that fail say so in the sweep's folder.
    client.wait_for_jobs([client.submit(job)], raise_on_error=False)
sys.exit(0)
"#;

/// Runs a program and returns its standard output.
fn output(command: &mut Command) -> Outcome<String> {
    let name = command.get_program().to_string_lossy().into_owned();
    let ran = command.stdin(Stdio::null()).output();
    let ran = ran.map_err(|error| Failure::new(format!("{name}: cannot be started: {error}")))?;
    if ran.status.success() {
        return Ok(String::from_utf8_lossy(&ran.stdout).into_owned());
    }
    let said = String::from_utf8_lossy(&ran.stderr);
    let last = said
        .lines()
        .rfind(|line| !line.trim().is_empty())
        .unwrap_or("it does not say why");
    Err(Failure::new(format!("{name}: {}: {last}", ran.status)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn task(first: u64, last: u64) -> Task {
        Task { first, last }
    }

    #[test]
    fn tasks_are_runs_of_points_that_are_left() {
        let points = [0, 1, 2, 3, 7, 8, 20];
        assert_eq!(
            tasks(&points, Some(3)),
            [task(0, 2), task(3, 3), task(7, 8), task(20, 20)]
        );
        assert_eq!(tasks(&[], None), []);
    }

    #[test]
    fn tasks_of_many_points_are_few() {
        let points: Vec<u64> = (0..10_001).collect();
        let tasks = tasks(&points, None);
        assert!(tasks.len() as u64 <= MOST_TASKS, "{}", tasks.len());
        let covered: u64 = tasks.iter().map(|task| task.last - task.first + 1).sum();
        assert_eq!(covered, 10_001, "every point");
    }

    fn caller() -> Caller {
        let words = ["az", "sweep", "a b.toml", "-o", "out"];
        Caller {
            words: words.map(str::to_owned).to_vec(),
        }
    }

    #[test]
    fn scripts_hold_every_task_once() {
        let tasks = [task(0, 4), task(5, 9)];
        let python = hyperqueue_script(&caller(), &tasks).expect("a script");
        let list = python.split_once("TASKS = ").map(|(_, rest)| rest);
        let list = list.and_then(|rest| rest.split_once("\n]"));
        let (list, _) = list.expect("a list of commands");
        let commands: Vec<Vec<String>> =
            serde_json::from_str(&format!("{list}\n]")).expect("lists of words");
        assert_eq!(commands, tasks.map(|task| caller().task(task)), "in order");
        let store = Store::new(Path::new("out"));
        let shell = slurm_script(&caller(), &store, &tasks).expect("a script");
        assert!(shell.contains("--array=0-1\n"), "{shell}");
        for case in [
            "0) exec az",
            "--point 0-4 ;;",
            "1) exec az",
            "--point 5-9 ;;",
        ] {
            assert_eq!(shell.matches(case).count(), 1, "{case} in {shell}");
        }
    }

    #[test]
    fn commands_of_tasks_name_their_points() {
        let caller = caller();
        assert_eq!(
            caller.line(task(3, 5)),
            "az sweep 'a b.toml' -o out --threads 1 --quiet --point 3-5"
        );
        assert!(caller.line(task(3, 3)).ends_with("--point 3"));
    }
}
