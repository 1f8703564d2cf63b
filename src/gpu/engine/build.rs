//! From parameters and seams to a machine: every unit with its caches, as the machine's file and the techniques say.

use std::sync::Arc;

use super::Gpu;
use crate::gpu::cache::{CacheSpecError, Victim};
use crate::gpu::dram::Dram;
use crate::gpu::elide::ElisionStack;
use crate::gpu::failure::BuildError;
use crate::gpu::geometry::GeometryPipeline;
use crate::gpu::immediate::{ImmediatePipeline, n_sources};
use crate::gpu::machine::{MachineSpec, Pipeline, VertexCores};
use crate::gpu::memory::{
    L2Cache, L2Observers, LineCache, MemoryController, MemoryMap, MemorySystem, Source,
};
use crate::gpu::output::Display;
use crate::gpu::raster::RasterUnit;
use crate::gpu::schedule::{WatchedScheduler, baseline};
use crate::gpu::seams::{TechniqueSeams, Wiring};
use crate::gpu::shading::{Core, Residents};
use crate::gpu::tiling::{PolygonListBuilder, TileFetcher};

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
        let line_bytes = spec.l2.tags.line.0;
        let n_units = spec.raster.units.len();
        let tiling = &spec.tiling;
        let n_sources = cores.len() + 2;
        let (immediate, n_more) = immediate(spec, &mut wiring, n_sources)?;
        let (vertex_cache, tile_cache) = line_caches(spec, &wiring, cores.len())?;
        Ok(Self {
            now: crate::units::Cycles::ZERO,
            units: (0..n_units)
                .map(|_| RasterUnit::new(&spec.raster))
                .collect(),
            fetcher: TileFetcher::new(n_units, tiling.fetch_ahead, tiling.tile_cache_ports),
            builder: PolygonListBuilder::default(),
            tile_cache,
            geometry: GeometryPipeline::new(spec.command, spec.geometry, vertex_cache),
            memory: memory(spec, &mut wiring, n_sources + n_more)?,
            immediate,
            display: Display::new(spec.display, spec.clock.0, line_bytes),
            map: MemoryMap::default(),
            scheduler: scheduler(spec, &mut wiring),
            order: (wiring.take(|seams| &mut seams.order))
                .map_or(spec.screen.order, |(_, order)| order),
            techniques: wiring.techniques().collect(),
            eliders: eliders(&mut wiring),
            vertex_cores: vertex_cores(spec),
            residents: Residents::new(&cores),
            cores,
            previous: None,
            n_frames_before: 0,
            n_tiles_before: 0,
            n_tiles_begun: Arc::default(),
            interrupt: Arc::default(),
            spec: spec.clone(),
        })
    }
}

/// The immediate pipeline, if the machine has one, and the number of its caches.
fn immediate(
    spec: &MachineSpec,
    wiring: &mut Wiring,
    first_source: usize,
) -> Result<(Option<ImmediatePipeline>, usize), CacheSpecError> {
    match &spec.pipeline {
        Pipeline::Tiled => Ok((None, 0)),
        Pipeline::Immediate(own) => {
            let pipeline = ImmediatePipeline::new(spec, own, wiring, first_source)?;
            Ok((Some(pipeline), n_sources(spec)))
        }
    }
}

fn eliders(wiring: &mut Wiring) -> ElisionStack {
    let mut eliders = ElisionStack::default();
    for (_, elider) in wiring.take_all(|seams| &mut seams.elider) {
        eliders.push(elider);
    }
    eliders
}

fn scheduler(spec: &MachineSpec, wiring: &mut Wiring) -> WatchedScheduler {
    match wiring.take(|seams| &mut seams.scheduler) {
        Some((technique, scheduler)) => WatchedScheduler::new(Some(technique), scheduler),
        None => WatchedScheduler::new(None, baseline(spec.raster.dispatch)),
    }
}

/// The vertex cache and the tile cache; their source numbers come after the cores'.
fn line_caches(
    spec: &MachineSpec,
    wiring: &Wiring,
    n_cores: usize,
) -> Result<(LineCache, LineCache), CacheSpecError> {
    let ideal = spec.ideal;
    let vertices = &spec.geometry.vertex_cache;
    let tags = wiring.tags(|seams| &seams.vertex_cache, vertices.tags, Victim::Lru)?;
    let vertex_cache =
        LineCache::with_tags(vertices, tags, Source(n_cores as u8), ideal.vertex_cache);
    let tiles = &spec.tiling.tile_cache;
    let tags = wiring.tags(|seams| &seams.tile_cache, tiles.tags, Victim::Lru)?;
    let tile_cache = LineCache::with_tags(tiles, tags, Source(n_cores as u8 + 1), ideal.tile_cache)
        .with_banks(spec.tiling.tile_cache_banks);
    Ok((vertex_cache, tile_cache))
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
    (0_u8..)
        .zip(&specs)
        .map(|(nth, core)| {
            let tags = core.texture_cache.tags;
            let tags = wiring.tags(|seams| &seams.texture_caches, tags, Victim::Lru)?;
            Ok(Core::with_tags(
                core,
                tags,
                Source(nth),
                spec.ideal.texture_caches,
            ))
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
