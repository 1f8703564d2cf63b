//! Compute passes as traces: dispatches with the paths of their invocations, and what these access.

use std::cell::RefCell;

use azulejo_shader::{Batch, Code, LANES_OF_BATCH, Runner, TracedCode};
use azulejo_simd::Backend;
use azulejo_trace::{
    BufferAccesses, DispatchTrace, FrameTrace, MAX_DISPATCH_QUADS, PathInterner, PathTable,
};

use crate::bind::{Bound, Written};
use crate::blocks::TexelNotes;
use crate::error::{Result, fault};
use crate::lines::LineNotes;
use crate::memory::Memory;
use crate::pass::Dispatch;
use crate::submit::{Resources, Submission};
use crate::vertex::TRACED_BUDGET;

/// A dispatch with the program that notes its paths.
struct Traced<'p> {
    dispatch: &'p Dispatch<'p>,
    code: TracedCode,
    bound: Bound,
    /// Images of the code that are texture instructions.
    noted: Vec<bool>,
}

/// Runs the dispatches of a pass and returns their facts.
pub(crate) fn trace_compute(
    memory: &mut Memory,
    (dispatches, frame): (&[Dispatch<'_>], u64),
    backend: Backend,
) -> Result<FrameTrace> {
    let mut submission = Submission::new(memory, frame);
    let (mut all, mut traces) = (Vec::new(), Vec::new());
    for (number, dispatch) in dispatches.iter().enumerate() {
        let place = |error: crate::PassError| error.within(place(number, dispatch));
        let (traced, trace) = submit(memory, &mut submission, dispatch).map_err(place)?;
        all.push(traced);
        traces.push(trace);
    }
    let (resources, _) = submission.finish();
    let mut paths = PathInterner::default();
    for (number, (traced, trace)) in all.iter().zip(&mut traces).enumerate() {
        let ran = run(memory, traced, (trace, &mut paths), backend);
        ran.map_err(|error| error.within(place(number, traced.dispatch)))?;
    }
    Ok(compute_pass(
        "compute",
        (frame, resources),
        paths.finish(),
        traces,
    ))
}

/// A pass of a frame that draws nothing.
pub(crate) fn compute_pass(
    name: &str,
    (frame, resources): (u64, Resources),
    paths: PathTable,
    dispatches: Vec<DispatchTrace>,
) -> FrameTrace {
    FrameTrace {
        textures: resources.textures,
        buffers: resources.buffers,
        programs: resources.programs,
        paths,
        ..FrameTrace::of_dispatches(name.to_owned(), frame, dispatches)
    }
}

fn place(number: usize, dispatch: &Dispatch<'_>) -> String {
    format!("dispatch {number} (`{}`)", dispatch.pipeline.code.entry)
}

/// Names a dispatch's program and resources; its trace, without what its invocations do.
fn submit<'p>(
    memory: &Memory,
    submission: &mut Submission<'_>,
    dispatch: &'p Dispatch<'p>,
) -> Result<(Traced<'p>, DispatchTrace)> {
    let code = TracedCode::new(&dispatch.pipeline.code);
    let bound = Bound::new(memory, code.code(), &dispatch.groups)?;
    let (textures, noted) = submission.sampled(&code, &bound)?;
    let constants = bound.constants(memory, code.code())?;
    let words: usize = constants.iter().map(|(_, words)| words.len()).sum();
    let trace = DispatchTrace {
        name: dispatch.pipeline.code.entry.clone(),
        program: submission.program(code.program()),
        constant_bytes: 4 * (words + code.constant_words()) as u32,
        textures,
        buffers: submission.accessed(&code, &bound)?,
        group_threads: invocations(code.code()),
        n_groups: n_groups(dispatch)?,
        paths: Vec::new(),
        block_counts: Vec::new(),
        blocks: Vec::new(),
        accesses: BufferAccesses::default(),
    };
    if trace.n_quads() > MAX_DISPATCH_QUADS {
        return Err(fault!(
            "{} invocations; expected at most {} in a trace",
            4 * trace.n_quads(),
            4 * MAX_DISPATCH_QUADS
        ));
    }
    let traced = Traced {
        dispatch,
        code,
        bound,
        noted,
    };
    Ok((traced, trace))
}

fn invocations(code: &Code) -> u32 {
    code.workgroup_size.iter().product()
}

fn n_groups(dispatch: &Dispatch<'_>) -> Result<u32> {
    dispatch.check()?;
    Ok(dispatch.workgroups.iter().product())
}

/// Runs a dispatch and adds the facts of its quads.
fn run(
    memory: &mut Memory,
    traced: &Traced<'_>,
    facts: (&mut DispatchTrace, &mut PathInterner),
    backend: Backend,
) -> Result<()> {
    let mut written = traced.bound.take(memory)?;
    let done = run_with(memory, traced, (&mut written, backend), facts);
    written.give_back(memory)?;
    done
}

fn run_with(
    memory: &Memory,
    traced: &Traced<'_>,
    (written, backend): (&mut Written, Backend),
    (trace, paths): (&mut DispatchTrace, &mut PathInterner),
) -> Result<()> {
    let (code, bound) = (traced.code.code(), &traced.bound);
    let n_batches = (trace.group_threads as usize).div_ceil(LANES_OF_BATCH);
    let texels = RefCell::new(TexelNotes::new(traced.noted.clone(), n_batches));
    let lines = LineNotes::new(bound.first_words(), 4, n_batches);
    let (buffers, textures) = written.parts();
    let images = bound.images(memory, code, textures)?;
    let images = images.noted(&texels, Some(&lines));
    let resources = bound.resources(memory, code, (buffers, &images))?;
    let mut resources = resources.with_log(Some(&lines));
    let runner = Runner::new(code, backend, &mut resources)?.with_budget(TRACED_BUDGET);
    // Loads of the prologue are no quad's.
    lines.clear();
    texels.borrow_mut().clear();
    let mut group = Group {
        code: &traced.code,
        texels: &texels,
        lines: &lines,
        trace,
        paths,
        blocks: BufferAccesses::default(),
    };
    let workgroups = traced.dispatch.workgroups;
    runner.dispatch_each(workgroups, &mut resources, |batches| group.add(batches))?;
    group.finish();
    Ok(())
}

/// Facts of a workgroup that has ended, and those before.
struct Group<'t> {
    code: &'t TracedCode,
    texels: &'t RefCell<TexelNotes>,
    lines: &'t LineNotes,
    trace: &'t mut DispatchTrace,
    paths: &'t mut PathInterner,
    /// Blocks of texture instructions.
    blocks: BufferAccesses,
}

impl Group<'_> {
    fn add(&mut self, batches: &[Batch]) {
        let mut texels = self.texels.borrow_mut();
        let quads = self.trace.group_quads() as usize;
        if self.code.program().branches() {
            let program = self.trace.program;
            let mut left = self.trace.group_threads;
            for batch in batches {
                let n = left.min(LANES_OF_BATCH as u32);
                left -= n;
                let lanes = u64::MAX >> (LANES_OF_BATCH as u32 - n);
                let taken = self.code.paths(batch, lanes);
                let own = taken.iter().take(n.div_ceil(4) as usize);
                let interned = own.map(|path| self.paths.intern(program, path.steps()));
                self.trace.paths.extend(interned);
            }
        }
        for quad in 0..quads {
            for blocks in texels.of_quad(quad) {
                self.blocks.push(blocks.iter().copied());
            }
            self.trace.accesses.append(&self.lines.take(quad));
        }
        texels.clear();
        self.lines.clear();
    }

    fn finish(self) {
        self.trace.block_counts = self.blocks.counts;
        self.trace.blocks = self.blocks.lines;
    }
}
