//! What is asked of a frame beside its picture and counters: a trace, its cost on a machine, views of its pixels.

use super::args::OutputArgs;
use crate::app::cli::args::{DEFAULT_MACHINE, TileMap};
use crate::app::cli::failure::{Failure, Outcome};
use crate::gpu::Gpu;
use crate::gpu::statistics::TileCost;
use crate::inspect::{FrameView, frame_planes};
use crate::render::shading::DrawProgram;
use crate::render::{DrawList, Renderer, Traced, Tracing};
use crate::report::Bitmap;
use crate::scene::View;
use crate::trace::TileTrace;

/// Who finds it out.
pub(super) struct Extras {
    traces: bool,
    gpu: Option<Gpu>,
    views: Vec<FrameView>,
}

/// Of one frame.
#[derive(Debug, Default)]
pub(super) struct FrameExtras {
    /// By tile; empty unless needed.
    pub(super) tiles: Vec<TileTrace>,
    /// By tile; empty unless needed.
    pub(super) costs: Vec<TileCost>,
    /// In the order in which they were asked for.
    pub(super) views: Vec<Bitmap>,
}

impl Extras {
    /// Whatever the files need.
    pub(super) fn new(args: &OutputArgs) -> Outcome<Self> {
        let mut maps = args.heatmap.iter().map(|map| map.what);
        let costs = maps.clone().any(|map| matches!(map, TileMap::Cost(_)));
        let refused =
            |error| Failure::new(format!("{}: {error}", args.spec.name_or(DEFAULT_MACHINE)));
        let gpu = if costs {
            let spec = args.spec.load_or(DEFAULT_MACHINE)?;
            Some(Gpu::new(&spec).map_err(refused)?)
        } else {
            None
        };
        Ok(Self {
            traces: costs || maps.any(|map| matches!(map, TileMap::Fact(_))),
            gpu,
            views: args.view.iter().map(|view| view.what).collect(),
        })
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
            let Traced { picture, trace } = renderer.draw(list, Tracing::default());
            renderer.recycle(picture);
            if let Some(gpu) = &mut self.gpu {
                let report = gpu.run_frame(&trace).map_err(Failure::new)?;
                extras.costs = report.tiles;
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
