//! Files of a render: their names, their plan and writing them.

use std::path::{Path, PathBuf};
use std::time::Instant;

use super::args::RenderArgs;
use super::drawn::Drawn;
use super::extras::FrameExtras;
use super::report::FrameReport;
use crate::cli::args::{DEFAULT_MACHINE, Mapped, TileMap};
use crate::cli::failure::Outcome;
use crate::cli::files::{picture_of, save};
use crate::cli::output::{Inputs, Named, Outputs, is_standard, with_infix};
use crate::cli::stamp::Stamp;
use azulejo_grid::TileGrid;
use azulejo_inspect::FrameView;
use azulejo_report::HeatMap;
use azulejo_report::heatmap::HeatScale;

/// Frames of a sequence whose names are checked before work begins; those after them are checked as they are written.
const CHECKED_FRAMES: u64 = 10_000;

/// Planned files of pictures and heat maps.
#[derive(Debug)]
pub(super) struct PlannedFiles {
    outputs: Outputs,
    picture: PathBuf,
    /// Base of the names of files that have none of their own.
    base: PathBuf,
    named: Named,
    grid: TileGrid,
    heat_maps: Vec<Mapped<TileMap>>,
    scale: HeatScale,
    views: Vec<Mapped<FrameView>>,
    /// Whether names carry the frame's number.
    sequence: bool,
}

impl PlannedFiles {
    /// Plans the files as asked for; a picture without a name gets that of the scene.
    ///
    /// # Errors
    /// Files that must not or cannot be written.
    pub(super) fn plan(args: &RenderArgs) -> Outcome<Self> {
        let RenderArgs { shot, output, .. } = args;
        let unnamed = PathBuf::from(format!("{}.png", shot.scene.name()));
        let named = output.output.clone();
        let base = named.clone().filter(|file| !is_standard(file));
        let mut files = Self {
            outputs: Outputs::of(
                Inputs::of_shot(shot).machines([output.spec.name_or(DEFAULT_MACHINE)]),
            ),
            named: base.as_ref().map_or(Named::ByDefault, |_| Named::ByUser),
            base: base.unwrap_or_else(|| unnamed.clone()),
            picture: named.unwrap_or(unnamed),
            grid: TileGrid {
                width: shot.picture.size.0,
                height: shot.picture.size.1,
                tile_size: shot.machine.tile_size,
            },
            heat_maps: output.heatmap.clone(),
            scale: output.heatmap_scale.into(),
            views: output.view.clone(),
            sequence: output.frames.is_some(),
        };
        files.check(args)?;
        Ok(files)
    }

    /// Plans the files of all frames.
    fn check(&mut self, args: &RenderArgs) -> Outcome {
        if self.sequence {
            let maps = self.heat_maps.iter().filter_map(|map| map.file.as_ref());
            let views = self.views.iter().filter_map(|view| view.file.as_ref());
            let mut files = std::iter::once(&self.picture).chain(maps).chain(views);
            files.try_for_each(|file| Outputs::check_sequence(file))?;
        }
        let mut outputs = std::mem::take(&mut self.outputs);
        let first = args.shot.scene.first_frame();
        let n_frames = args.output.frames.unwrap_or(1).min(CHECKED_FRAMES);
        for frame in first..first + n_frames {
            outputs.plan(&self.numbered(&self.picture, frame), "-o", self.named)?;
            for map in &self.heat_maps {
                let name = map.what.name();
                self.plan_map(&mut outputs, "--heatmap", map.file.as_deref(), name, frame)?;
            }
            for view in &self.views {
                let name = view.what.name();
                self.plan_map(&mut outputs, "--view", view.file.as_deref(), name, frame)?;
            }
        }
        self.outputs = outputs;
        self.outputs.check()
    }

    fn plan_map(
        &self,
        outputs: &mut Outputs,
        option: &str,
        file: Option<&Path>,
        name: &str,
        frame: u64,
    ) -> Outcome {
        let named = file.map_or(Named::ByDefault, |_| Named::ByUser);
        let role = format!("{option} {name}");
        outputs.plan(&self.file_of(file, name, frame), &role, named)
    }

    /// Whether a file goes to standard output.
    pub(super) fn take_standard_output(&self) -> bool {
        self.outputs.take_standard_output()
    }

    /// Writes a frame's files and notes them, and the time, in its report.
    pub(super) fn write(&self, stamp: &Stamp, drawn: &mut Drawn) -> Outcome {
        let start = Instant::now();
        let name = self.numbered(&self.picture, drawn.report.frame);
        save(&self.outputs, &name, &drawn.picture, stamp)?;
        self.write_heat_maps(stamp, drawn)?;
        self.write_views(stamp, drawn)?;
        drawn.report.file = name.display().to_string();
        drawn.report.write_ms = start.elapsed().as_secs_f64() * 1e3;
        Ok(())
    }

    fn write_heat_maps(&self, stamp: &Stamp, drawn: &mut Drawn) -> Outcome {
        for map in &self.heat_maps {
            let Some(heat) = heat_map(map.what, self.grid, &drawn.report, &drawn.extras) else {
                continue;
            };
            let file = self.file_of(map.file.as_deref(), map.what.name(), drawn.report.frame);
            let bitmap = heat.scaled(self.scale).draw(&drawn.picture.pixels);
            save(&self.outputs, &file, &picture_of(bitmap), stamp)?;
            let file = file.display().to_string();
            drawn.report.heat_maps.insert(map.what.name(), file);
        }
        Ok(())
    }

    fn write_views(&self, stamp: &Stamp, drawn: &mut Drawn) -> Outcome {
        for (view, bitmap) in self.views.iter().zip(drawn.extras.views.drain(..)) {
            let file = self.file_of(view.file.as_deref(), view.what.name(), drawn.report.frame);
            save(&self.outputs, &file, &picture_of(bitmap), stamp)?;
            let file = file.display().to_string();
            drawn.report.views.insert(view.what.name(), file);
        }
        Ok(())
    }

    /// File as named, or named after the picture.
    fn file_of(&self, file: Option<&Path>, name: &str, frame: u64) -> PathBuf {
        match file {
            Some(file) => self.numbered(file, frame),
            None => with_infix(&self.numbered(&self.base, frame), name),
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

/// Heat map of a number, where the frame has it.
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
        TileMap::Machine(map) => map.of(extras.modelled.as_ref()?)?,
        TileMap::Skipped => {
            let reasons = &report.kept.as_ref()?.reasons;
            HeatMap::of_skipped(grid, reasons.iter().map(|reason| reason.is_kept()))
        }
    })
}
