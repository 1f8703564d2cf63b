//! Result files, each with how it came about.

use std::path::Path;

use super::OutputArgs;
use super::run::Run;
use crate::app::cli::args::{Mapped, ScaleArg};
use crate::app::cli::failure::{Failure, Outcome};
use crate::app::cli::files::{check_directory, picture_of, save as save_picture, with_infix};
use crate::app::cli::stamp::Stamp;
use crate::gpu::statistics::TileCost;
use crate::report::heatmap::TileMeasure;
use crate::report::{
    HeatMap, MachineFrames, draws_csv, frames_csv, intervals_csv, perfetto_trace, stats_text,
    tiles_csv,
};

/// Refuses files whose directory does not exist, before anything slow.
pub(super) fn check(args: &OutputArgs) -> Outcome {
    let files = [&args.stats_txt, &args.perfetto];
    let maps = args.heatmap.iter().filter_map(|map| map.file.as_ref());
    for file in files.into_iter().flatten().chain(maps) {
        check_directory(file)?;
    }
    if let Some(directory) = args
        .csv
        .as_deref()
        .filter(|path| path.exists() && !path.is_dir())
    {
        return Err(Failure::of_file(
            directory,
            "is a file; expected a directory",
        ));
    }
    Ok(())
}

/// Writes what was asked for.
pub(super) fn write(args: &OutputArgs, stamp: &Stamp, runs: &[Run]) -> Outcome {
    let machines: Vec<MachineFrames<'_>> = (runs.iter())
        .map(|run| (run.name.as_str(), run.frames.as_slice()))
        .collect();
    if let Some(directory) = &args.csv {
        write_csv(directory, stamp, &machines)?;
    }
    if let Some(file) = &args.stats_txt {
        save(file, &stats_text(&stamp.texts(), &machines))?;
    }
    if let Some(file) = &args.perfetto {
        let stamp = serde_json::to_value(stamp).map_err(Failure::new)?;
        save(file, &perfetto_trace(&stamp, &machines))?;
    }
    let mut maps = args.heatmap.iter();
    maps.try_for_each(|map| draw(map, args.heatmap_scale, stamp, &machines))
}

/// Draws a map for each frame of each machine; names tell apart what there is more than one of.
fn draw(
    arg: &Mapped<&'static TileMeasure<TileCost>>,
    scale: ScaleArg,
    stamp: &Stamp,
    machines: &[MachineFrames<'_>],
) -> Outcome {
    let unnamed = || format!("{}.{}.png", stamp.scene, arg.what.name).into();
    let base = arg.file.clone().unwrap_or_else(unnamed);
    for (machine, frames) in machines {
        let stem = Path::new(machine).file_stem().unwrap_or_default();
        let file = match machines {
            [_] => base.clone(),
            _ => with_infix(&base, &stem.to_string_lossy()),
        };
        for frame in *frames {
            let file = match frames {
                [_] => file.clone(),
                _ => with_infix(&file, &format!("{:04}", frame.frame)),
            };
            let map = HeatMap::of_tiles(frame.grid, &frame.tiles, arg.what).scaled(scale.into());
            save_picture(&file, &picture_of(map.draw(&[])), stamp)?;
        }
    }
    Ok(())
}

fn write_csv(directory: &Path, stamp: &Stamp, machines: &[MachineFrames<'_>]) -> Outcome {
    std::fs::create_dir_all(directory)
        .map_err(|error| Failure::of_file(directory, format!("cannot make it: {error}")))?;
    let stamp = serde_json::to_string_pretty(stamp).map_err(Failure::new)?;
    let files = [
        ("stamp.json", stamp + "\n"),
        ("frames.csv", frames_csv(machines)),
        ("tiles.csv", tiles_csv(machines)),
        ("draws.csv", draws_csv(machines)),
        ("intervals.csv", intervals_csv(machines)),
    ];
    files
        .iter()
        .try_for_each(|(name, text)| save(&directory.join(name), text))
}

fn save(file: &Path, text: &str) -> Outcome {
    std::fs::write(file, text)
        .map_err(|error| Failure::of_file(file, format!("cannot write it: {error}")))
}
