//! From parameters and seams to a machine: every unit with its caches, as the machine's file and the techniques say.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::Gpu;
use crate::cache::{CacheSpecError, Victim};
use crate::dram::Dram;
use crate::failure::BuildError;
use crate::geometry::GeometryPipeline;
use crate::immediate::{ImmediatePipeline, n_sources};
use crate::machine::{MachineSpec, Pipeline, VertexCores};
use crate::memory::{
    L2Cache, L2Observers, LineCache, MemoryController, MemoryMap, MemorySystem, Source,
};
use crate::output::Display;
use crate::pipeline::{Common, ComputePipeline, PixelPipeline, TiledPipeline};
use crate::seams::{TechniqueSeams, Wiring};
use crate::shading::{Core, Residents};
use azulejo_units::Cycles;

impl Gpu {
    /// A machine without techniques.
    ///
    /// # Errors
    /// If a cache or the DRAM has an impossible shape.
    pub fn new(spec: &MachineSpec) -> Result<Self, BuildError> {
        Self::with_seams(spec, [])
    }

    /// A machine with what techniques put into its seams, and its own parts where they put nothing.
    ///
    /// # Errors
    /// If a cache or the DRAM has an impossible shape, or two techniques claim the same seam.
    pub fn with_seams(
        spec: &MachineSpec,
        techniques: impl IntoIterator<Item = TechniqueSeams>,
    ) -> Result<Self, BuildError> {
        let mut wiring = Wiring::new(techniques)?;
        wiring.check_pipeline(spec)?;
        let cores = build_cores(spec, &wiring)?;
        let (pipeline, n_sources) = pipeline(spec, &mut wiring, cores.len() + 1)?;
        let vertex_cache = vertex_cache(spec, &wiring, cores.len())?;
        let order = wiring.take(|seams| &mut seams.order);
        Ok(Self {
            now: Cycles::ZERO,
            pipeline,
            beside: Box::new(ComputePipeline::new(spec)),
            display: Display::new(spec.display, spec.clock.0, spec.l2.tags.line.0),
            techniques: wiring.techniques().collect(),
            order: order.map_or(spec.screen.order, |(_, order)| order),
            common: Common {
                spec: spec.clone(),
                residents: Residents::new(&cores),
                vertex_cores: vertex_cores(spec),
                geometry: GeometryPipeline::new(spec.command, spec.geometry, vertex_cache),
                // Each core asks for texels, for lines of buffers, and by atomics.
                memory: memory(spec, &mut wiring, 3 * cores.len() + 1 + n_sources)?,
                map: MemoryMap::default(),
                cores,
            },
            previous: None,
            redrawn: BTreeSet::new(),
            n_frames_before: 0,
            n_tiles_before: 0,
            n_tiles_begun: Arc::default(),
            interrupt: Arc::default(),
        })
    }
}

/// The pipeline that the machine names, and the number of its caches: sources of requests from `first_source` on.
fn pipeline(
    spec: &MachineSpec,
    wiring: &mut Wiring,
    first_source: usize,
) -> Result<(Box<dyn PixelPipeline>, usize), CacheSpecError> {
    Ok(match &spec.pipeline {
        Pipeline::Tiled => (Box::new(TiledPipeline::new(spec, wiring, first_source)?), 2),
        Pipeline::Immediate(own) => {
            let pipeline = ImmediatePipeline::new(spec, own, wiring, first_source)?;
            (Box::new(pipeline), n_sources(spec))
        }
    })
}

/// The vertex cache; its number as a source comes after the cores'.
fn vertex_cache(
    spec: &MachineSpec,
    wiring: &Wiring,
    n_cores: usize,
) -> Result<LineCache, CacheSpecError> {
    let (cache, source) = (&spec.geometry.vertex_cache, Source(n_cores as u16));
    let tags = wiring.tags(|seams| &seams.vertex_cache, cache.tags, Victim::Lru)?;
    let ideal = spec.ideal.vertex_cache;
    Ok(LineCache::with_tags(cache, tags, source, ideal))
}

fn memory(
    spec: &MachineSpec,
    wiring: &mut Wiring,
    n_sources: usize,
) -> Result<MemorySystem, BuildError> {
    let (tags, own) = (spec.l2.tags, spec.l2.replacement);
    let tags = wiring.tags(|seams| &seams.l2, tags, own)?;
    let observers = l2_observers(spec, wiring);
    let l2 = L2Cache::with_tags(&spec.l2, tags, n_sources, observers);
    let dram = match wiring.take(|seams| &mut seams.requests) {
        Some((_, maker)) => Dram::with_schedulers(&spec.dram, |channel| maker.make(channel)),
        None => Dram::new(&spec.dram),
    }?;
    let controller = MemoryController::with_dram(dram, spec.clock, &spec.l2);
    Ok(MemorySystem::new(l2, controller))
}

fn l2_observers(spec: &MachineSpec, wiring: &mut Wiring) -> L2Observers {
    let n_units = spec.raster.units.len() as u32;
    let mut observers = L2Observers::new(n_units, spec.raster.cores_per_unit);
    for (_, observer) in wiring.take_all(|seams| &mut seams.l2_observer) {
        observers.push(observer);
    }
    observers
}

fn build_cores(spec: &MachineSpec, wiring: &Wiring) -> Result<Vec<Core>, CacheSpecError> {
    let per_unit = spec.raster.cores_per_unit as usize;
    let mut specs = Vec::new();
    for core_type in &spec.raster.units {
        specs.extend(std::iter::repeat_n(
            spec.raster.core_types[*core_type].core,
            per_unit,
        ));
    }
    if let VertexCores::Dedicated(n, core) = spec.geometry.cores {
        specs.extend(std::iter::repeat_n(core, n as usize));
    }
    (0_u16..)
        .zip(&specs)
        .map(|(nth, core)| {
            let tags = core.texture_cache.tags;
            let tags = wiring.tags(|seams| &seams.texture_caches, tags, Victim::Lru)?;
            Core::with_tags(core, tags, Source(nth), &spec.ideal)
        })
        .collect()
}

fn vertex_cores(spec: &MachineSpec) -> Vec<usize> {
    let per_unit = spec.raster.cores_per_unit as usize;
    let n_raster = spec.raster.units.len() * per_unit;
    match spec.geometry.cores {
        VertexCores::Unified(units) => (0..n_raster)
            .filter(|core| units >> (core / per_unit) & 1 != 0)
            .collect(),
        VertexCores::Dedicated(n, _) => (n_raster..n_raster + n as usize).collect(),
    }
}
