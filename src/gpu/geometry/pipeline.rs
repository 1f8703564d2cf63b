//! The Geometry Pipeline of a frame: all its units, last first.

use std::collections::VecDeque;

use super::assembly::{Assembly, AssemblyCounters, Shaded};
use super::command::{CommandCounters, CommandPorts, CommandProcessor, WAITER};
use super::vertices::{VertexCounters, VertexPorts, VertexStage};
use crate::cache::CacheCounters;
use crate::elide::Elider;
use crate::frame::PreparedFrame;
use crate::machine::{CommandSpec, GeometrySpec};
use crate::memory::{LineCache, MemoryMap, MemorySystem, Waiter};
use crate::shading::Core;
use crate::statistics::Attribution;
use azulejo_units::Cycles;

/// Counters of the Geometry Pipeline.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, serde::Serialize)]
pub struct GeometryCounters {
    /// Command processor: draws parsed and bytes read.
    pub command: CommandCounters,
    /// Vertex fetch and dispatch.
    pub vertices: VertexCounters,
    /// Assembly: primitives in, culled, and triangles out.
    pub assembly: AssemblyCounters,
    /// Accesses of the vertex cache.
    pub vertex_cache: CacheCounters,
}

/// Command processor to assembly. The vertex cache is part of it.
#[derive(Debug)]
pub(crate) struct GeometryPipeline {
    command_spec: CommandSpec,
    spec: GeometrySpec,
    command: CommandProcessor,
    vertices: VertexStage,
    assembly: Assembly,
    cache: LineCache,
    waiters: Vec<Waiter>,
}

/// Inputs and outputs of the pipeline.
#[derive(Debug)]
pub(crate) struct GeometryPorts<'a, 'f> {
    pub(crate) facts: &'a PreparedFrame<'f>,
    pub(crate) map: &'a MemoryMap,
    pub(crate) memory: &'a mut MemorySystem,
    pub(crate) cores: &'a mut [Core],
    /// Cores that run vertex programs.
    pub(crate) eligible: &'a [usize],
    pub(crate) attribution: &'a mut Attribution,
    /// Triangles in order, each with the cycle from which on it is there.
    pub(crate) triangles: &'a mut VecDeque<(Cycles, u32)>,
    /// Vertices that may be on the cores or wait for assembly, at most.
    pub(crate) vertices_ahead: Option<u64>,
    pub(crate) elider: &'a mut dyn Elider,
}

impl GeometryPipeline {
    pub(crate) fn new(command: CommandSpec, spec: GeometrySpec, cache: LineCache) -> Self {
        Self {
            command_spec: command,
            spec,
            command: CommandProcessor::default(),
            vertices: VertexStage::new(),
            assembly: Assembly::default(),
            cache,
            waiters: Vec::new(),
        }
    }

    pub(crate) fn begin_frame(&mut self) {
        self.command.begin_frame();
        self.vertices.begin_frame();
        self.assembly.begin_frame();
    }

    /// Vertices of the frame with finished programs, in the order of fetch.
    pub(crate) fn vertices_done(&self) -> u64 {
        self.vertices.done
    }

    /// Whether all draws have become triangles in the Polygon List Builder's queue.
    pub(crate) fn is_done(&self, facts: &PreparedFrame<'_>) -> bool {
        self.assembly.is_done(facts) && self.vertices.is_idle()
    }

    /// All is done: the units rest until the next frame.
    pub(crate) fn rest(&mut self, now: Cycles) {
        self.command.rest(now);
        self.vertices.rest(now);
        self.assembly.rest(now);
    }

    /// A line has come for the vertex cache.
    pub(crate) fn fill(&mut self, line: u64, now: Cycles) {
        let mut waiters = std::mem::take(&mut self.waiters);
        self.cache.fill(line, &mut waiters);
        self.vertices.line_came();
        for waiter in waiters.drain(..) {
            if waiter == WAITER {
                self.command.pending -= 1;
            } else {
                self.vertices.wake(waiter, now);
            }
        }
        self.waiters = waiters;
    }

    pub(crate) fn tick(&mut self, now: Cycles, ports: &mut GeometryPorts<'_, '_>) {
        let shaded = Shaded {
            vertices: self.vertices.done,
            draws_ready: self.command.ready,
        };
        self.assembly
            .tick(now, &self.spec, ports.facts, shaded, ports.triangles);
        let mut vertex_ports = VertexPorts {
            facts: ports.facts,
            map: ports.map,
            cache: &mut self.cache,
            memory: ports.memory,
            cores: ports.cores,
            eligible: ports.eligible,
            attribution: ports.attribution,
            draws_ready: self.command.ready,
            queue: self.spec.vertex_queue as usize,
            may_launch: (ports.vertices_ahead)
                .is_none_or(|most| self.vertices.launched - self.assembly.vertices < most),
        };
        self.vertices.tick(now, &mut vertex_ports);
        let parsed = self.command.ready;
        let mut command_ports = CommandPorts {
            facts: ports.facts,
            map: ports.map,
            cache: &mut self.cache,
            memory: ports.memory,
        };
        let fetching = self.vertices.draw();
        (self.command).tick(now, &self.command_spec, fetching, &mut command_ports);
        for draw in parsed..self.command.ready {
            let facts = &ports.facts.trace.draws[draw as usize];
            ports.elider.constants(draw, facts, now);
        }
    }

    /// Grows with everything that the pipeline does in a frame.
    pub(crate) fn work_done(&self) -> u64 {
        self.command.work_done() + self.vertices.work_done() + self.assembly.work_done()
    }

    /// The first cycle after `now` at which something can happen without anything from outside.
    pub(crate) fn next_wake(&self, now: Cycles) -> Cycles {
        self.command
            .next_wake(now)
            .min(self.vertices.next_wake(now))
            .min(self.assembly.next_wake(now))
    }

    /// Counters since the last call.
    pub(crate) fn take_counters(&mut self, now: Cycles) -> GeometryCounters {
        GeometryCounters {
            command: self.command.take_counters(now),
            vertices: self.vertices.take_counters(now),
            assembly: self.assembly.take_counters(now),
            vertex_cache: self.cache.take_counters(),
        }
    }
}
