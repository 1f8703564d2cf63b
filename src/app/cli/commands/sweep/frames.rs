//! Frames that points share: drawn once for each scene and screen, kept as a trace, read by every point that needs them.

use std::collections::BTreeSet;
use std::fs::File;
use std::io::BufReader;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use super::inputs::Sweep;
use super::store::Store;
use crate::cli::console::Console;
use crate::cli::failure::{Failure, Outcome};
use crate::cli::output::{Outputs, unwritable};
use crate::cli::shot::{self, PreparedShot};
use azulejo_gpu::machine::MachineSpec;
use azulejo_sweep::Point;
use azulejo_trace::{FrameTrace, TraceReader, TraceWriter};

/// Frames that are drawn and handed out.
#[derive(Debug)]
pub(super) struct Frames<'s> {
    pub(super) sweep: &'s Sweep,
    pub(super) store: &'s Store,
    /// Threads that draw a trace.
    threads: u16,
    console: Console,
    /// Traces that have been found to be whole. One at a time is drawn, by all threads.
    whole: Mutex<BTreeSet<PathBuf>>,
}

impl<'s> Frames<'s> {
    pub(super) fn new(sweep: &'s Sweep, store: &'s Store, threads: u16, console: Console) -> Self {
        Self {
            sweep,
            store,
            threads,
            console: console.silent(),
            whole: Mutex::default(),
        }
    }

    /// Gives every frame of the point to `take`, in order.
    ///
    /// # Errors
    /// Those of the scene and the system, and the first that `take` gives.
    pub(super) fn each(
        &self,
        point: &Point<'_>,
        spec: &MachineSpec,
        mut take: impl FnMut(&FrameTrace) -> Outcome,
    ) -> Outcome {
        let file = self.prepared(point, spec)?;
        let mut reader = open(&file)?;
        while let Some(frame) = next(&mut reader, &file)? {
            take(&frame)?;
        }
        Ok(())
    }

    /// Trace with the frames of a point. It is drawn where it is not there, and anew where it is damaged.
    ///
    /// # Errors
    /// Those of the scene and of the system.
    pub(super) fn prepared(&self, point: &Point<'_>, spec: &MachineSpec) -> Outcome<PathBuf> {
        let file = self.store.frames(self.sweep.frames_print(point, spec));
        let mut whole = self.whole.lock().unwrap_or_else(PoisonError::into_inner);
        if whole.contains(&file) {
            return Ok(file);
        }
        let problem = match file.exists() {
            true => self.check(&file).err(),
            false => None,
        };
        if let Some(problem) = &problem {
            log::warn!("{}; it is drawn again", problem.message);
        }
        if problem.is_some() || !file.exists() {
            self.draw(&file, point, spec)?;
        }
        whole.insert(file.clone());
        Ok(file)
    }

    fn draw(&self, file: &Path, point: &Point<'_>, spec: &MachineSpec) -> Outcome {
        let args = self.sweep.shot(point, spec, self.threads);
        let PreparedShot { shot, .. } = PreparedShot::new(&args, self.console)?;
        let mut renderer = shot::renderer(&args.machine)?;
        let outputs = Outputs::default();
        let mut growing = outputs.begin(file)?;
        let mut writer =
            TraceWriter::new(&mut growing).map_err(|error| unwritable(file, &error))?;
        let first = u64::from(self.sweep.plan.first_frame);
        for frame in first..first + self.sweep.plan.frames {
            let trace = shot.facts(&mut renderer, frame)?;
            (writer.write(&trace)).map_err(|error| unwritable(file, &error))?;
        }
        (writer.finish()).map_err(|error| unwritable(file, &error))?;
        outputs.finish(growing, file).map(drop)
    }

    /// Checks that the trace is whole and has as many frames as it should.
    fn check(&self, file: &Path) -> Outcome {
        let mut reader = open(file)?;
        let mut n_frames = 0;
        while next(&mut reader, file)?.is_some() {
            n_frames += 1;
        }
        match n_frames == self.sweep.plan.frames {
            true => Ok(()),
            false => Err(Failure::of_file(file, format!("it has {n_frames} frames"))),
        }
    }
}

type Reader = TraceReader<BufReader<File>>;

fn open(file: &Path) -> Outcome<Reader> {
    let opened = File::open(file).map_err(|error| Failure::of_file(file, error))?;
    TraceReader::new(BufReader::new(opened)).map_err(|error| Failure::of_error(file, &error))
}

fn next(reader: &mut Reader, file: &Path) -> Outcome<Option<FrameTrace>> {
    reader
        .next_frame()
        .map_err(|error| Failure::of_error(file, &error))
}
