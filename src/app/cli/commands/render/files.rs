//! Which files a render writes, under which names, and writing them.

use std::path::{Path, PathBuf};
use std::time::Instant;

use super::extras::FrameExtras;
use super::report::FrameReport;
use super::{Drawn, OutputArgs};
use crate::app::cli::args::{Mapped, TileMap};
use crate::app::cli::failure::Outcome;
use crate::app::cli::files::{check_directory, picture_of, save, with_infix};
use crate::app::cli::stamp::Stamp;
use crate::grid::TileGrid;
use crate::inspect::FrameView;
use crate::report::HeatMap;
use crate::report::heatmap::HeatScale;

/// Refuses files whose directory does not exist.
pub(super) fn check_directories(args: &OutputArgs) -> Outcome {
    let heat_maps = args.heatmap.iter().filter_map(|map| map.file.as_deref());
    let views = args.view.iter().filter_map(|view| view.file.as_deref());
    args.output
        .as_deref()
        .into_iter()
        .chain(heat_maps)
        .chain(views)
        .try_for_each(check_directory)
}

/// Where pictures and heat maps go.
#[derive(Debug)]
pub(super) struct PlannedFiles {
    picture: PathBuf,
    grid: TileGrid,
    heat_maps: Vec<Mapped<TileMap>>,
    scale: HeatScale,
    views: Vec<Mapped<FrameView>>,
    /// Whether names carry the frame's number.
    sequence: bool,
}

impl PlannedFiles {
    /// As asked for; a picture without a name gets that of the scene.
    pub(super) fn new(args: &OutputArgs, scene: &str, grid: TileGrid) -> Self {
        let unnamed = || format!("{scene}.png").into();
        Self {
            picture: args.output.clone().unwrap_or_else(unnamed),
            grid,
            heat_maps: args.heatmap.clone(),
            scale: args.heatmap_scale.into(),
            views: args.view.clone(),
            sequence: args.frames.is_some(),
        }
    }

    /// Writes a frame's files and notes them, and the time, in its report.
    pub(super) fn write(&self, stamp: &Stamp, drawn: &mut Drawn) -> Outcome {
        let start = Instant::now();
        let name = self.numbered(&self.picture, drawn.report.frame);
        save(&name, &drawn.picture, stamp)?;
        self.write_heat_maps(stamp, &name, drawn)?;
        self.write_views(stamp, &name, drawn)?;
        drawn.report.file = name.display().to_string();
        drawn.report.write_ms = start.elapsed().as_secs_f64() * 1e3;
        Ok(())
    }

    fn write_heat_maps(&self, stamp: &Stamp, picture: &Path, drawn: &mut Drawn) -> Outcome {
        for map in &self.heat_maps {
            let Some(heat) = heat_map(map.what, self.grid, &drawn.report, &drawn.extras) else {
                continue;
            };
            let file = self.file_of(map, map.what.name(), picture, drawn.report.frame);
            let bitmap = heat.scaled(self.scale).draw(&drawn.picture.pixels);
            save(&file, &picture_of(bitmap), stamp)?;
            let file = file.display().to_string();
            drawn.report.heat_maps.insert(map.what.name(), file);
        }
        Ok(())
    }

    fn write_views(&self, stamp: &Stamp, picture: &Path, drawn: &mut Drawn) -> Outcome {
        for (view, bitmap) in self.views.iter().zip(drawn.extras.views.drain(..)) {
            let file = self.file_of(view, view.what.name(), picture, drawn.report.frame);
            save(&file, &picture_of(bitmap), stamp)?;
            let file = file.display().to_string();
            drawn.report.views.insert(view.what.name(), file);
        }
        Ok(())
    }

    /// As named, or after the picture.
    fn file_of<T>(&self, map: &Mapped<T>, name: &str, picture: &Path, frame: u64) -> PathBuf {
        match &map.file {
            Some(file) => self.numbered(file, frame),
            None => with_infix(picture, name),
        }
    }

    fn numbered(&self, file: &Path, frame: u64) -> PathBuf {
        if self.sequence {
            with_infix(file, &format!("{frame:04}"))
        } else {
            file.to_owned()
        }
    }
}

/// The map of a number, if somebody knows it.
fn heat_map(
    map: TileMap,
    grid: TileGrid,
    report: &FrameReport,
    extras: &FrameExtras,
) -> Option<HeatMap> {
    Some(match map {
        TileMap::Counter(measure) => {
            let counters = report.counters.as_ref()?;
            HeatMap::of_tiles(grid, &counters.tiles, measure)
        }
        TileMap::Fact(measure) => HeatMap::of_tiles(grid, &extras.tiles, measure),
        TileMap::Cost(measure) => HeatMap::of_tiles(grid, &extras.costs, measure),
        TileMap::Skipped => {
            let reasons = &report.kept.as_ref()?.reasons;
            HeatMap::of_skipped(grid, reasons.iter().map(|reason| reason.is_kept()))
        }
    })
}
