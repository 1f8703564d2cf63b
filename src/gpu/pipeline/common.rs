//! Units of every machine, whatever its pipeline is: cores, the Geometry Pipeline, the memory and its map.

use std::collections::VecDeque;

use crate::elide::Elider;
use crate::frame::PreparedFrame;
use crate::geometry::{GeometryPipeline, GeometryPorts};
use crate::machine::MachineSpec;
use crate::memory::{MemoryMap, MemorySystem};
use crate::shading::{Core, Residents, TexturePorts, tick_cores};
use crate::statistics::Attribution;
use azulejo_units::Cycles;

/// Units that all pipelines have, and the numbers of the machine.
#[derive(Debug)]
pub(crate) struct Common {
    pub(crate) spec: MachineSpec,
    pub(crate) cores: Vec<Core>,
    pub(crate) residents: Residents,
    /// Cores that run vertex programs.
    pub(crate) vertex_cores: Vec<usize>,
    pub(crate) geometry: GeometryPipeline,
    pub(crate) memory: MemorySystem,
    pub(crate) map: MemoryMap,
}

/// A pass under way: its facts, and the costs that units charge.
#[derive(Debug)]
pub(crate) struct Pass<'a, 'f> {
    pub(crate) facts: &'a PreparedFrame<'f>,
    pub(crate) attribution: &'a mut Attribution,
    pub(crate) frame_start: Cycles,
}

impl Common {
    pub(crate) fn tick_cores(&mut self, now: Cycles, pass: &mut Pass<'_, '_>) {
        let mut ports = TexturePorts {
            facts: pass.facts,
            memory: &mut self.memory,
            attribution: pass.attribution,
        };
        tick_cores(&mut self.cores, now, &mut ports);
    }

    /// The Geometry Pipeline; vertices may be fetched as far ahead of the assembled ones as `vertices_ahead` allows.
    pub(crate) fn tick_geometry(
        &mut self,
        now: Cycles,
        pass: &mut Pass<'_, '_>,
        triangles: &mut VecDeque<(Cycles, u32)>,
        vertices_ahead: Option<u64>,
        elider: &mut dyn Elider,
    ) {
        let mut ports = GeometryPorts {
            facts: pass.facts,
            map: &self.map,
            memory: &mut self.memory,
            cores: &mut self.cores,
            eligible: &self.vertex_cores,
            attribution: pass.attribution,
            triangles,
            vertices_ahead,
            elider,
        };
        self.geometry.tick(now, &mut ports);
    }

    /// A line has come for one of the cores' texture caches.
    pub(crate) fn fill_core(&mut self, core: usize, line: u64, now: Cycles) {
        let copy = self.residents.any_holds(line, &self.cores);
        let left = self.cores[core].fill(line, copy, now);
        self.residents.moved(core, line, left);
    }

    /// Waits of geometry and of `n_triangles` behind it, in words.
    pub(crate) fn waiting_geometry(
        &self,
        facts: &PreparedFrame<'_>,
        n_triangles: usize,
    ) -> Vec<String> {
        let mut waiting = Vec::new();
        if !self.geometry.is_done(facts) {
            waiting.push("the Geometry Pipeline has draws left".to_owned());
        }
        if n_triangles > 0 {
            waiting.push(format!(
                "the Polygon List Builder has {n_triangles} triangles left"
            ));
        }
        waiting
    }
}
