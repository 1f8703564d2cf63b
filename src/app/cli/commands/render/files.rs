//! Which files a render writes, under which names, and writing them.

use std::path::{Path, PathBuf};
use std::time::Instant;

use super::{Drawn, OutputArgs};
use crate::app::cli::args::HeatMapArg;
use crate::app::cli::failure::Outcome;
use crate::app::cli::files::{check_directory, picture_of, save, with_infix};
use crate::app::cli::stamp::Stamp;
use crate::report::HeatMap;
use crate::trace::TileCounters;

/// Refuses files whose directory does not exist.
pub(super) fn check_directories(args: &OutputArgs) -> Outcome {
    let heat_maps = args.heatmap.iter().filter_map(|map| map.file.as_deref());
    args.output
        .as_deref()
        .into_iter()
        .chain(heat_maps)
        .try_for_each(check_directory)
}

/// Where pictures and heat maps go.
#[derive(Debug)]
pub(super) struct PlannedFiles {
    picture: PathBuf,
    heat_maps: Vec<HeatMapArg<TileCounters>>,
    /// Whether names carry the frame's number.
    sequence: bool,
}

impl PlannedFiles {
    /// As asked for; a picture without a name gets that of the scene.
    pub(super) fn new(args: &OutputArgs, scene: &str) -> Self {
        let unnamed = || format!("{scene}.png").into();
        Self {
            picture: args.output.clone().unwrap_or_else(unnamed),
            heat_maps: args.heatmap.clone(),
            sequence: args.frames.is_some(),
        }
    }

    /// Writes a frame's files and notes them, and the time, in its report.
    pub(super) fn write(&self, stamp: &Stamp, drawn: &mut Drawn) -> Outcome {
        let start = Instant::now();
        let Drawn { picture, report } = drawn;
        let name = self.numbered(&self.picture, report.frame);
        save(&name, picture, stamp)?;
        for map in &self.heat_maps {
            let Some(counters) = &report.counters else {
                continue;
            };
            let counter = map.measure.name;
            let file = match &map.file {
                Some(file) => self.numbered(file, report.frame),
                None => with_infix(&name, counter),
            };
            let heat = HeatMap::of_tiles(counters.grid, &counters.tiles, map.measure);
            save(&file, &picture_of(heat.draw(&picture.pixels)), stamp)?;
            report.heat_maps.insert(counter, file.display().to_string());
        }
        report.file = name.display().to_string();
        report.write_ms = start.elapsed().as_secs_f64() * 1e3;
        Ok(())
    }

    fn numbered(&self, file: &Path, frame: u64) -> PathBuf {
        if self.sequence {
            with_infix(file, &format!("{frame:04}"))
        } else {
            file.to_owned()
        }
    }
}
