//! A device: runs passes over a memory.

use azulejo_shader::Runner;
use azulejo_simd::{Backend, SimdLevel};
use azulejo_trace::FrameTrace;
use rayon::{ThreadPool, ThreadPoolBuilder};

use crate::attach::{TILE_BYTES, Targets};
use crate::bind::{Bound, Written};
use crate::copy::copy;
use crate::counters::PassCounters;
use crate::error::{Result, fault};
use crate::memory::Memory;
use crate::pass::{Dispatch, Pass, RenderPass};
use crate::prepare::bin;
use crate::tiles::TilePass;
use crate::trace::{Frame, trace_pass};

/// Runs passes: on so many threads, with one instruction set, in tiles that fit buffers of so many bytes. Their results are the
/// same for all of them.
#[derive(Debug)]
pub struct Device {
    pool: ThreadPool,
    backend: Backend,
    tile_bytes: u32,
}

impl Device {
    /// A device with so many threads, 0 for one a core.
    ///
    /// # Errors
    /// If the machine lacks the instruction set, or threads cannot be started.
    pub fn new(threads: usize, level: SimdLevel) -> Result<Self> {
        let backend = level.backend().map_err(|error| fault!("{error}"))?;
        let pool = ThreadPoolBuilder::new().num_threads(threads).build();
        Ok(Self {
            pool: pool.map_err(|error| fault!("{error}"))?,
            backend,
            tile_bytes: TILE_BYTES,
        })
    }

    /// Sets the bytes of a tile's buffers, [`TILE_BYTES`] unless set: tiles are the largest of 32, 16 and 8 pixels whose
    /// attachments fit, all samples included. A machine says how many it has (`MachineSpec::tile_bytes`).
    #[must_use]
    pub const fn with_tile_bytes(mut self, tile_bytes: u32) -> Self {
        self.tile_bytes = tile_bytes;
        self
    }

    /// Runs passes one after the other; returns the counts of each.
    ///
    /// # Errors
    /// If one of them is not valid, or a program has no end: pass and draw are named. Passes before it have run.
    pub fn run(&self, memory: &mut Memory, passes: &[Pass<'_>]) -> Result<Vec<PassCounters>> {
        let run = |(number, pass): (usize, &Pass<'_>)| {
            let counters = match pass {
                Pass::Render(pass) => self.render(memory, pass),
                Pass::Compute(dispatches) => self.compute(memory, dispatches),
                Pass::Copy(content) => copy(memory, content).map(|()| PassCounters::default()),
            };
            counters.map_err(|error| error.within(format!("pass {number}")))
        };
        passes.iter().enumerate().map(run).collect()
    }

    /// Runs passes as [`Self::run`] does and returns the facts that the hardware model executes: the trace of the last pass,
    /// which draws, with the others before it. The first colours that the last pass keeps are the frame buffer, if no draw samples
    /// them and no other pass draws or copies there; all other attachments are textures, at the same addresses for passes that
    /// sample them. A copy is a kernel, of which each quad loads 64 bytes and stores them.
    ///
    /// A draw whose program runs by sample has its quads once for each sample.
    ///
    /// # Errors
    /// As [`Self::run`]; if there is no pass, or the last one does not draw; if a vertex program accesses textures, for which traces
    /// have no facts.
    pub fn trace(
        &self,
        memory: &mut Memory,
        passes: &[Pass<'_>],
        frame: u64,
    ) -> Result<FrameTrace> {
        let mut traced = Vec::new();
        let all = Frame::new(passes, frame)?;
        for (number, pass) in passes.iter().enumerate() {
            if matches!(pass, Pass::Compute(dispatches) if dispatches.is_empty()) {
                continue;
            }
            let trace = self.pool.install(|| {
                let tile_bytes = self.tile_bytes;
                trace_pass(memory, (&all, number), (self.backend, tile_bytes))
            });
            let place = |error: crate::PassError| error.within(format!("pass {number}"));
            traced.push(trace.map_err(place)?);
        }
        let Some(last) = traced.pop() else {
            return Err(fault!("no pass; expected one"));
        };
        let whole = FrameTrace {
            before: traced,
            ..last
        };
        whole.validate().map_err(|error| fault!("{error}"))?;
        Ok(whole)
    }

    fn compute(&self, memory: &mut Memory, dispatches: &[Dispatch<'_>]) -> Result<PassCounters> {
        for (number, dispatch) in dispatches.iter().enumerate() {
            let code = &dispatch.pipeline.code;
            let place = || format!("dispatch {number} (`{}`)", code.entry);
            let run = |memory: &mut Memory| {
                dispatch.check()?;
                let bound = Bound::new(memory, code, &dispatch.groups)?;
                let mut written = bound.take(memory)?;
                let done = self.dispatch(memory, dispatch, (&bound, &mut written));
                written.give_back(memory)?;
                done
            };
            run(memory).map_err(|error| error.within(place()))?;
        }
        Ok(PassCounters::default())
    }

    fn dispatch(
        &self,
        memory: &Memory,
        dispatch: &Dispatch<'_>,
        (bound, written): (&Bound, &mut Written),
    ) -> Result<()> {
        let code = &dispatch.pipeline.code;
        let (buffers, textures) = written.parts();
        let images = bound.images(memory, code, textures)?;
        let mut resources = bound.resources(memory, code, (buffers, &images))?;
        let runner = Runner::new(code, self.backend, &mut resources)?;
        Ok(runner.dispatch(dispatch.workgroups, &mut resources)?)
    }

    fn render(&self, memory: &mut Memory, pass: &RenderPass<'_>) -> Result<PassCounters> {
        let targets = Targets::new(memory, pass, self.tile_bytes)?;
        self.pool.install(|| {
            let binned = bin(memory, pass, (&targets, self.backend), &None)?;
            let tiles = TilePass {
                backend: self.backend,
                binned: &binned,
                targets: &targets,
                traced: None,
            };
            let fragments = tiles.draw_all(memory, |_, _| {})?;
            Ok(PassCounters::new(&targets, &binned, fragments))
        })
    }
}
