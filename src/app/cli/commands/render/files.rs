//! Which files a render writes, under which names, and writing them.

use std::path::{Path, PathBuf};
use std::time::Instant;

use super::{Drawn, OutputArgs};
use crate::app::cli::args::png_path;
use crate::app::cli::failure::Outcome;
use crate::app::cli::files::{check_directory, picture_of, save, with_infix};
use crate::app::cli::stamp::Stamp;
use crate::render::Picture;
use crate::report::HeatMap;
use crate::report::heatmap::TileCounter;
use crate::trace::FrameCounters;

/// `--heatmap` as typed.
#[derive(Debug, Clone)]
pub(super) struct HeatMapArg {
    counter: &'static TileCounter,
    file: Option<PathBuf>,
}

/// `COUNTER` or `COUNTER=FILE.png`.
pub(super) fn heat_map(text: &str) -> Result<HeatMapArg, String> {
    let (name, file) = match text.split_once('=') {
        Some((name, file)) => (name, Some(png_path(file)?)),
        None => (text, None),
    };
    let counter = TileCounter::by_name(name)
        .ok_or_else(|| "no such counter; `azulejo list` names them".to_owned())?;
    Ok(HeatMapArg { counter, file })
}

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
    heat_maps: Vec<HeatMapArg>,
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
            let counter = map.counter.name;
            let file = match &map.file {
                Some(file) => self.numbered(file, report.frame),
                None => with_infix(&name, counter),
            };
            save(
                &file,
                &heat_map_picture(map.counter, counters, picture),
                stamp,
            )?;
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

fn heat_map_picture(counter: &TileCounter, counters: &FrameCounters, beneath: &Picture) -> Picture {
    let map = HeatMap::of_counter(counters, counter);
    picture_of(map.draw(&beneath.pixels))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn heat_map_names_a_counter_and_perhaps_a_file() {
        let map = heat_map("quads-shaded=a/b.png").unwrap();
        assert_eq!(map.counter.name, "quads_shaded", "counter");
        assert_eq!(map.file.as_deref(), Some(Path::new("a/b.png")), "file");
        assert!(
            heat_map("overdraw").unwrap().file.is_none(),
            "named after the picture"
        );
        for wrong in ["", "heat", "overdraw=map.jpg"] {
            assert!(heat_map(wrong).is_err(), "{wrong}");
        }
    }
}
