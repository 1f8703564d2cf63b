//! `--l2-stream`: the texture accesses that a machine's L2 sees, to a file as they come.

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::machines::NamedSpec;
use crate::cli::failure::Outcome;
use crate::cli::output::{Growing, Outputs, unwritable, with_infix};
use azulejo_gpu::Gpu;
use azulejo_gpu::cache::StreamEncoder;
use azulejo_gpu::memory::{L2Access, L2Observer, Traffic};
use azulejo_grid::TileGrid;

/// File of a machine's stream, of several whose base name is `file`.
pub(super) fn name(file: &Path, machines: &[NamedSpec], label: &str) -> PathBuf {
    match machines.len() {
        1 => file.to_owned(),
        _ => with_infix(file, label),
    }
}

/// Plans the files of the machines' streams.
pub(super) fn plan(file: &Path, machines: &[NamedSpec], outputs: &mut Outputs) -> Outcome {
    use crate::cli::output::Named;
    if machines.len() > 1 {
        Outputs::check_sequence(file)?;
    }
    let mut names = machines
        .iter()
        .map(|machine| name(file, machines, &machine.label));
    names.try_for_each(|name| outputs.plan(&name, "--l2-stream", Named::ByUser))
}

/// Stream that a machine writes and the command closes.
#[derive(Debug)]
pub(super) struct StreamFile {
    file: PathBuf,
    writer: Arc<Mutex<Writer>>,
}

#[derive(Debug)]
struct Writer {
    encoder: StreamEncoder,
    /// Output file until it is closed.
    to: Option<Growing>,
    /// First error of writing, which the machine cannot report.
    error: Option<io::Error>,
}

impl StreamFile {
    /// Lets `gpu` write the stream `file`, which has begun as `to`.
    pub(super) fn begin(file: PathBuf, to: Growing, gpu: &mut Gpu) -> Self {
        let encoder = StreamEncoder::new(gpu.l2_stream_header());
        let mut writer = Writer {
            encoder,
            to: Some(to),
            error: None,
        };
        for word in encoder.header() {
            writer.put(word);
        }
        let writer = Arc::new(Mutex::new(writer));
        gpu.observe_l2(Arc::clone(&writer));
        Self { file, writer }
    }

    fn writer(&self) -> MutexGuard<'_, Writer> {
        self.writer.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether all accesses so far could be written.
    pub(super) fn check(&self) -> Outcome {
        match self.writer().error.take() {
            Some(error) => Err(unwritable(&self.file, &error)),
            None => Ok(()),
        }
    }

    /// Closes the file; returns the name that it got, unless it is closed already.
    pub(super) fn finish(&self, outputs: &Outputs) -> Outcome<Option<PathBuf>> {
        let to = self.writer().to.take();
        to.map(|to| outputs.finish(to, &self.file)).transpose()
    }
}

impl Writer {
    fn put(&mut self, word: u32) {
        if let (Some(to), None) = (&mut self.to, &self.error) {
            self.error = to.write_all(&word.to_le_bytes()).err();
        }
    }
}

impl L2Observer for Writer {
    fn begin_frame(&mut self, number: u64, grid: TileGrid) {
        for word in self.encoder.frame(number, grid) {
            self.put(word);
        }
    }

    fn access(&mut self, access: &L2Access) {
        if access.traffic == Traffic::Texture {
            let mut encoder = self.encoder;
            encoder.access(&access.access, |word| self.put(word));
            self.encoder = encoder;
        }
    }
}
