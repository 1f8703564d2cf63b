//! The pipeline of compute passes, the same on every machine: workgroups go to the cores of the Raster Units.
//!
//! A dispatch begins when the one before has ended and its command is parsed. In a cycle one workgroup is launched, whole, on
//! the next core in turn that has room for all of its warps, as GPGPU-Sim issues blocks of threads. Its constants cost no
//! traffic.

use super::{Common, Pass, PipelineCounters, PixelPipeline, Role};
use crate::failure::FrameError;
use crate::frame::PreparedFrame;
use crate::machine::{MachineSpec, Pipeline};
use crate::memory::{NOBODY, Traffic, written_by};
use crate::report::TechniqueReport;
use crate::schedule::FrameStart;
use crate::shading::{Core, MAX_QUADS, TexelCursor, WarpJob};
use azulejo_trace::{DispatchTrace, FrameTrace, PathIdx};
use azulejo_units::Cycles;

/// A workgroup on a core, with its warps that are not through.
#[derive(Debug, Clone, Copy)]
struct Group {
    number: u32,
    n_warps: u32,
}

/// Dispatcher of workgroups.
#[derive(Debug)]
pub(crate) struct ComputePipeline {
    /// Cores that take workgroups: the first ones.
    n_cores: usize,
    cycles_per_dispatch: Cycles,
    dispatch: u32,
    /// Workgroup that is next.
    next_group: u32,
    groups: Vec<Group>,
    next_core: usize,
    /// Cycle in which the dispatch's command is parsed.
    ready_at: Cycles,
    begin: Cycles,
    n_launched: u64,
    /// A workgroup was launched in the last cycle.
    moved: bool,
}

impl ComputePipeline {
    pub(crate) fn new(spec: &MachineSpec) -> Self {
        Self {
            n_cores: spec.raster.units.len() * spec.raster.cores_per_unit as usize,
            cycles_per_dispatch: spec.command.cycles_per_draw,
            dispatch: 0,
            next_group: 0,
            groups: Vec::new(),
            next_core: 0,
            ready_at: Cycles::ZERO,
            begin: Cycles::ZERO,
            n_launched: 0,
            moved: false,
        }
    }

    /// Takes the warps that are through.
    fn collect(&mut self, now: Cycles, pass: &mut Pass<'_, '_>, cores: &mut [Core]) {
        for core in cores {
            while let Some(slot) = core.finished.pop() {
                let job = *core.job(slot);
                let age = core.age(slot, now);
                (pass.attribution).warp(NOBODY, job.draw, core.work(slot), age);
                core.release(slot, now);
                for group in &mut self.groups {
                    group.n_warps -= u32::from(group.number == job.ticket);
                }
            }
        }
        self.groups.retain(|group| group.n_warps > 0);
    }

    /// Launches the next workgroup where there is room for it.
    fn launch(
        &mut self,
        now: Cycles,
        dispatch: &DispatchTrace,
        facts: &PreparedFrame<'_>,
        cores: &mut [Core],
    ) -> bool {
        let shape = &facts.programs.programs[dispatch.program.0 as usize];
        let fits = |core: &Core| {
            let n_warps = n_warps(dispatch, core);
            let is_empty = core.n_free_warps() == core.spec().warps as usize;
            core.n_free_warps_for(shape) >= n_warps || is_empty && core.n_free_warps() >= n_warps
        };
        let mut turn = (0..cores.len()).map(|nth| (self.next_core + nth) % cores.len());
        let Some(core) = turn.find(|&nth| fits(&cores[nth])) else {
            return false;
        };
        self.next_core = (core + 1) % cores.len();
        let core = &mut cores[core];
        let (n_warps, per_warp) = (n_warps(dispatch, core), quads_per_warp(core));
        let first = self.next_group * dispatch.group_quads();
        for warp in 0..n_warps as u32 {
            let from = warp * per_warp;
            let n_quads = per_warp.min(dispatch.group_quads() - from);
            let numbers = first + from..first + from + n_quads;
            let mut quads = [TexelCursor::default(); MAX_QUADS];
            for (quad, number) in quads.iter_mut().zip(numbers.clone()) {
                let texels = facts.texels_of_dispatch(self.dispatch, number);
                *quad = TexelCursor {
                    count: texels.count,
                    block: texels.line,
                    path: number,
                    quad: number,
                };
            }
            let job = WarpJob {
                program: dispatch.program.0,
                draw: self.dispatch,
                tile: NOBODY,
                next_texture: 0,
                n_quads,
                n_members: n_quads,
                quads,
                ticket: self.next_group,
                of_group: true,
            };
            let paths: &[PathIdx] = match dispatch.paths.is_empty() {
                true => &[],
                false => &dispatch.paths[numbers.start as usize..numbers.end as usize],
            };
            core.launch(job, paths, now, facts);
        }
        self.groups.push(Group {
            number: self.next_group,
            n_warps: n_warps as u32,
        });
        self.next_group += 1;
        self.n_launched += 1;
        true
    }
}

/// Quads of a core's warps.
fn quads_per_warp(core: &Core) -> u32 {
    core.spec().quads_per_warp().min(MAX_QUADS) as u32
}

/// Warps of a workgroup on a core.
fn n_warps(dispatch: &DispatchTrace, core: &Core) -> usize {
    dispatch.group_quads().div_ceil(quads_per_warp(core)) as usize
}

/// Whether a dispatch stores to a texture.
fn stores_texels(trace: &FrameTrace, dispatch: &DispatchTrace) -> bool {
    let program = &trace.programs[dispatch.program.0 as usize];
    let mut written = written_by(program, &dispatch.buffers);
    written.any(|buffer| trace.buffers[buffer as usize].texture.is_some())
}

impl PixelPipeline for ComputePipeline {
    fn prepare<'f>(&mut self, trace: &'f FrameTrace, common: &mut Common) -> PreparedFrame<'f> {
        common.map.place_compute(trace);
        if common.map.has_written() {
            let rest = match common.spec.pipeline {
                Pipeline::Tiled => Traffic::ParameterWrite,
                Pipeline::Immediate(_) => Traffic::Color,
            };
            common.memory.l2.written_areas = Some(common.map.written_areas(rest));
        }
        PreparedFrame::new(trace, &common.map)
    }

    fn begin(
        &mut self,
        _role: Role,
        start: &FrameStart<'_>,
        _facts: &PreparedFrame<'_>,
        _common: &Common,
    ) {
        (self.dispatch, self.next_group, self.next_core) = (0, 0, 0);
        self.begin = start.now;
        self.ready_at = start.now.after(self.cycles_per_dispatch);
    }

    fn tick(&mut self, now: Cycles, pass: &mut Pass<'_, '_>, common: &mut Common) {
        let cores = &mut common.cores[..self.n_cores];
        self.collect(now, pass, cores);
        self.moved = false;
        let Some(dispatch) = pass.facts.trace.dispatches.get(self.dispatch as usize) else {
            return;
        };
        if self.next_group < dispatch.n_groups {
            self.moved = self.ready_at <= now && self.launch(now, dispatch, pass.facts, cores);
        } else if self.groups.is_empty() && common.memory.is_idle() {
            // The next dispatch may read lines, and sample texels, that this one has written.
            cores.iter_mut().for_each(Core::empty_data_cache);
            if stores_texels(pass.facts.trace, dispatch) {
                common.residents.empty(&mut common.cores);
            }
            self.dispatch += 1;
            self.next_group = 0;
            self.ready_at = now.after(self.cycles_per_dispatch);
        }
    }

    fn fill(&mut self, _source: usize, _line: u64, _now: Cycles) {}

    fn is_done(
        &self,
        _now: Cycles,
        facts: &PreparedFrame<'_>,
        _common: &Common,
    ) -> Result<bool, FrameError> {
        Ok(self.dispatch as usize >= facts.trace.dispatches.len())
    }

    fn end_phase(&mut self, _now: Cycles) -> bool {
        false
    }

    fn geometry_end(&self) -> Cycles {
        self.begin
    }

    fn next_wake(&self, now: Cycles, _common: &Common) -> Cycles {
        if self.moved {
            now.next()
        } else if self.ready_at > now {
            self.ready_at
        } else {
            Cycles::MAX
        }
    }

    fn waiting(&self, _now: Cycles, facts: &PreparedFrame<'_>, _common: &Common) -> Vec<String> {
        let dispatch = facts.trace.dispatches.get(self.dispatch as usize);
        let left = dispatch.map_or(0, |dispatch| dispatch.n_groups - self.next_group);
        let (running, number) = (self.groups.len(), self.dispatch);
        vec![format!(
            "dispatch {number} has {left} workgroups left and {running} on cores"
        )]
    }

    fn work_done(&self) -> u64 {
        self.n_launched
    }

    fn take_counters(&mut self, _now: Cycles) -> PipelineCounters {
        PipelineCounters::default()
    }

    fn take_reports(&mut self) -> Vec<TechniqueReport> {
        Vec::new()
    }
}
