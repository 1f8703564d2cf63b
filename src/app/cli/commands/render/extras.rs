//! Extras of a frame beside its picture and counters: a trace, its cost on a machine, views of its pixels.

use super::args::RenderArgs;
use crate::cli::args::{DEFAULT_MACHINE, TileMap};
use crate::cli::failure::{Failure, Outcome};
use azulejo_gpu::{FrameReport, Gpu};
use azulejo_inspect::{FrameView, frame_planes};
use azulejo_render::shading::DrawProgram;
use azulejo_render::{DrawList, Renderer};
use azulejo_report::Bitmap;
use azulejo_scene::View;
use azulejo_shot::facts;
use azulejo_technique::{Technique, machine_with};
use azulejo_trace::TileTrace;

/// Extras that are asked for, and the machine that models them.
pub(super) struct Extras {
    traces: bool,
    gpu: Option<Gpu>,
    /// Frames that the machine is still to draw before the first one.
    warm_up: u64,
    views: Vec<FrameView>,
}

/// Frames that techniques learn from: as many as there are frame buffers, and one that is scheduled by what the first has
/// cost.
const WARM_UP: u64 = 2;

/// Extras of one frame.
#[derive(Debug, Default)]
pub(super) struct FrameExtras {
    /// Traces of the tiles; empty unless needed.
    pub(super) tiles: Vec<TileTrace>,
    /// Report of the machine on the frame, if it is needed.
    pub(super) modelled: Option<FrameReport>,
    /// Views in the order in which they were asked for.
    pub(super) views: Vec<Bitmap>,
}

impl Extras {
    /// Chooses all extras that the files need.
    pub(super) fn new(args: &RenderArgs) -> Outcome<Self> {
        let RenderArgs {
            output,
            elimination,
            ..
        } = args;
        let maps = || output.heatmap.iter().map(|map| map.what);
        let models = maps().any(|map| matches!(map, TileMap::Machine(_)));
        let refused =
            |error| Failure::new(format!("{}: {error}", output.spec.name_or(DEFAULT_MACHINE)));
        let techniques: Vec<&Technique> = elimination.techniques().collect();
        let gpu = if models {
            let spec = output.spec.load_or(DEFAULT_MACHINE)?;
            Some(machine_with(&spec, &techniques).map_err(refused)?)
        } else {
            None
        };
        Ok(Self {
            traces: models || maps().any(|map| matches!(map, TileMap::Fact(_))),
            warm_up: if techniques.is_empty() || gpu.is_none() {
                0
            } else {
                WARM_UP
            },
            gpu,
            views: output.view.iter().map(|view| view.what).collect(),
        })
    }

    /// Returns how many frames the machine needs before the first one, and from then on 0.
    pub(super) fn take_warm_up(&mut self) -> u64 {
        std::mem::take(&mut self.warm_up)
    }

    /// Runs a frame before the first one through the machine.
    pub(super) fn warm_up(
        &mut self,
        renderer: &mut Renderer,
        list: &DrawList<'_, DrawProgram<'_>>,
    ) -> Outcome {
        let trace = facts::trace(renderer, list)?;
        if let Some(gpu) = &mut self.gpu {
            gpu.run_frame(&trace).map_err(Failure::new)?;
        }
        Ok(())
    }

    /// Draws the frame again as often as its extras take.
    pub(super) fn of_frame(
        &mut self,
        renderer: &mut Renderer,
        list: &DrawList<'_, DrawProgram<'_>>,
        view: &View,
    ) -> Outcome<FrameExtras> {
        let mut extras = FrameExtras::default();
        if self.traces {
            let trace = facts::trace(renderer, list)?;
            if let Some(gpu) = &mut self.gpu {
                extras.modelled = Some(gpu.run_frame(&trace).map_err(Failure::new)?);
            }
            extras.tiles = trace.tiles;
        }
        if !self.views.is_empty() {
            let planes = frame_planes(renderer, list);
            let views = self.views.iter();
            extras.views = views
                .map(|what| planes.picture(*what, view.clip_from_view))
                .collect();
        }
        Ok(extras)
    }
}
