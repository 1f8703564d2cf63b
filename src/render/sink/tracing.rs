//! The sink that keeps a frame in full: the facts that the hardware model executes again.

use std::sync::Arc;

use super::submission::{Submission, texture_behind};
use super::{FrameJob, Sink};
use crate::elimination::{Signing, signed_draws};
use crate::raster::observe::ObservedTile;
use crate::raster::{TraceObserver, TracedDraws};
use crate::shading::{Behind, FragmentProgram};
use crate::{BehindPass, DrawList, Picture, Renderer};
use azulejo_math::PixelRect;
use azulejo_trace::{
    FrameTrace, PathInterner, PathTable, TargetInfo, TargetTexture, TextureIdx, TileDigests,
    TileTrace,
};

/// Draws a frame and writes down all that the hardware model needs to execute it again.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Tracing {
    /// Hashes of every fragment's shader inputs are recorded, as memoization needs them: four bytes a fragment.
    pub fragment_hashes: bool,
}

/// A frame with its facts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Traced {
    /// Picture of the frame, equal to that of any other sink.
    pub picture: Picture,
    /// Work of a machine for the frame.
    pub trace: FrameTrace,
}

impl Sink for Tracing {
    type Output = Traced;

    fn draw<P: FragmentProgram + Sync>(self, job: FrameJob<'_, P>) -> Traced {
        let list = job.list;
        let behind = list.behind.as_deref();
        let before = behind.map(|pass| self.behind(job.renderer, pass));
        let before = before.into_iter().collect();
        let raster = |renderer: &mut Renderer, draws: Draws| {
            let observer = |_| TraceObserver::new(self.fragment_hashes, draws.clone());
            let mut picture = renderer.picture(&list.settings.grid());
            let order = renderer.begin_order(&list.settings);
            let observed = renderer.run_raster(list, &order, &mut picture, &observer);
            (observed, picture)
        };
        let (trace, picture) = traced(job, raster, pixel_digest);
        let trace = FrameTrace { before, ..trace };
        Traced { picture, trace }
    }
}

impl Tracing {
    /// Draws the pass that lies behind, into its target.
    fn behind<P: FragmentProgram + Sync>(
        self,
        renderer: &mut Renderer,
        pass: &BehindPass<'_, P>,
    ) -> FrameTrace {
        let BehindPass { list, target } = pass;
        let job = FrameJob {
            renderer,
            list,
            done: &mut |_| {},
        };
        let raster = |renderer: &mut Renderer, draws: Draws| {
            let observer = |_| TraceObserver::new(self.fragment_hashes, draws.clone());
            (renderer.run_behind(pass, &observer), target)
        };
        let (mut trace, _) = traced(job, raster, |target, tile| radiance_digest(target, tile));
        // The frame's draws sample the same texture.
        trace.textures.push(texture_behind(target));
        let texture = TargetTexture {
            texture: TextureIdx(trace.textures.len() as u32 - 1),
            first_block: 0,
        };
        let words = TargetInfo {
            bytes_per_pixel: size_of::<u32>() as u32,
            texture: Some(texture),
            ..TargetInfo::default()
        };
        FrameTrace {
            name: "behind".to_owned(),
            targets: vec![words],
            ..trace
        }
    }
}

/// More on the draws of a pass, where its tiles need it.
type Draws = Option<Arc<TracedDraws>>;

/// Trace of a pass whose tiles `raster` draws, and the target that they are drawn into; `digest` is of a tile's colours.
fn traced<P: FragmentProgram + Sync, T>(
    job: FrameJob<'_, P>,
    raster: impl FnOnce(&mut Renderer, Draws) -> (Vec<ObservedTile<TraceObserver>>, T),
    digest: impl Fn(&T, PixelRect) -> u32,
) -> (FrameTrace, T) {
    let list = job.list;
    let grid = list.settings.grid();
    let states = list.states();
    let draws = signed_draws(&list.draws, &states);
    job.run(Signing::On(&draws), |renderer| {
        let submission = Submission::new(list, &states, &renderer.chunks);
        let signatures = renderer.signer.take_tiles();
        let (observed, target) = raster(renderer, submission.traced_draws(list));
        // All draws were signed, so all tiles are.
        let signatures = signatures.into_iter().map(Option::unwrap_or_default);
        let tiles = observed.into_iter().zip(signatures);
        // Tiles come in their order, whichever thread drew them, so numbers of paths depend on the frame alone.
        let mut paths = PathInterner::default();
        let tiles = tiles.map(|(ObservedTile { tile, observer }, inputs)| {
            let digests = TileDigests {
                input_crc: inputs.crc,
                inputs: inputs.digest,
                color_crc: digest(&target, grid.rect(tile)),
            };
            observer.finish(digests, &mut paths)
        });
        let tiles = tiles.collect();
        (submission.trace(list, tiles, paths.finish()), target)
    })
}

impl Submission {
    /// Facts on draws that tiles need; none where no texture is compressed and no program branches.
    fn traced_draws<P>(&self, list: &DrawList<'_, P>) -> Draws {
        let images = list.textures.images.iter();
        let layouts: Vec<_> = images.map(|image| image.block_layout()).collect();
        let branching = self.draws.iter().map(|draw| {
            let id = draw.fragment_program;
            self.programs[id.0 as usize].branches().then_some(id)
        });
        let branching: Vec<_> = branching.collect();
        let textures = self.draws.iter().map(|draw| draw.textures.clone());
        let is_asked_for =
            layouts.iter().any(Option::is_some) || branching.iter().any(Option::is_some);
        is_asked_for.then(|| {
            Arc::new(TracedDraws {
                textures: textures.collect(),
                layouts,
                branching,
            })
        })
    }

    /// Trace of a pass that ends in a picture.
    fn trace<P>(
        self,
        list: &DrawList<'_, P>,
        tiles: Vec<TileTrace>,
        paths: PathTable,
    ) -> FrameTrace {
        FrameTrace {
            name: String::new(),
            frame: list.settings.frame,
            grid: list.settings.grid(),
            binning: list.settings.binning,
            samples: list.settings.samples,
            pixel_bytes: 8 * list.settings.samples.get(),
            targets: vec![TargetInfo::default()],
            textures: self.textures,
            buffers: self.buffers,
            programs: self.programs,
            paths,
            draws: self.draws,
            tiles,
            dispatches: Vec::new(),
            before: Vec::new(),
        }
    }
}

/// CRC32 of the words of a tile, row by row.
fn radiance_digest(target: &Behind, tile: PixelRect) -> u32 {
    let mut hasher = crc32fast::Hasher::new();
    let words = target.words();
    let mut row = Vec::new();
    for y in tile.y0..tile.y1 {
        row.clear();
        for x in tile.x0..tile.x1 {
            let at = target.levels[0].texel_index(x.cast_unsigned(), y.cast_unsigned());
            row.extend(words.get(at).copied().unwrap_or_default().to_le_bytes());
        }
        hasher.update(&row);
    }
    hasher.finalize()
}

/// CRC32 of the pixels of a tile, row by row.
fn pixel_digest(picture: &Picture, tile: PixelRect) -> u32 {
    let mut hasher = crc32fast::Hasher::new();
    for y in tile.y0..tile.y1 {
        let row = y as usize * picture.width as usize;
        hasher.update(bytemuck::cast_slice(
            &picture.pixels[row + tile.x0 as usize..row + tile.x1 as usize],
        ));
    }
    hasher.finalize()
}
