//! What is asked of a frame beside its picture and counters: a trace, its cost on a machine, views of its pixels.

use super::args::RenderArgs;
use crate::app::cli::args::{DEFAULT_MACHINE, TileMap};
use crate::app::cli::failure::{Failure, Outcome};
use crate::app::facts;
use crate::gpu::{FrameReport, Gpu};
use crate::inspect::{FrameView, frame_planes};
use crate::render::shading::DrawProgram;
use crate::render::{DrawList, Renderer};
use crate::report::Bitmap;
use crate::scene::View;
use crate::technique::{Technique, machine_with};
use crate::trace::TileTrace;

/// Who finds it out.
pub(super) struct Extras {
    traces: bool,
    gpu: Option<Gpu>,
    /// Frames that the machine is still to draw before the first one.
    warm_up: u64,
    views: Vec<FrameView>,
}

/// Frames that techniques learn from: as many as there are frame buffers, and one that is scheduled by what the first has cost.
const WARM_UP: u64 = 2;

/// Of one frame.
#[derive(Debug, Default)]
pub(super) struct FrameExtras {
    /// By tile; empty unless needed.
    pub(super) tiles: Vec<TileTrace>,
    /// What it costs on a machine, if that is needed.
    pub(super) modelled: Option<FrameReport>,
    /// In the order in which they were asked for.
    pub(super) views: Vec<Bitmap>,
}

impl Extras {
    /// Whatever the files need.
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

    /// Frames that the machine needs before the first one; asked for once.
    pub(super) fn take_warm_up(&mut self) -> u64 {
        std::mem::take(&mut self.warm_up)
    }

    /// A frame before the first one goes through the machine.
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

    /// Draws the frame again as often as it takes.
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
