//! `azulejo render`: pictures of a scene, with the pipeline's counters and heat maps.

mod args;
mod drawn;
mod extras;
mod files;
mod report;
mod sequence;

use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;
use std::time::Instant;

use indicatif::ProgressBar;

pub(in crate::cli) use args::RenderArgs;
pub(super) use args::frames_per_second;
use args::{OutputArgs, Stats};
use drawn::Drawn;
use extras::Extras;
use files::PlannedFiles;
use report::{FrameReport, RenderReport, StageTimes};
use sequence::Written;

use super::{Console, Outcome};
use crate::cli::args::{MachineMap, TileMap};
use crate::cli::console::watched;
use crate::cli::failure::Failure;
use crate::cli::shot::{self, PreparedShot};
use azulejo_demo::FRAMES_PER_SECOND;
use azulejo_render::elimination::{Onto, SwapChain};
use azulejo_render::{Picture, Recording, Renderer, Stage};
use azulejo_shot::{Moment, Shot};

pub(super) fn run(args: &RenderArgs, console: Console) -> Outcome {
    let OutputArgs { json, stats, .. } = args.output;
    let stats = if json { Stats::Json } else { stats };
    check_techniques(args)?;
    // Before anything slow: a wrong name should not cost a loaded scene.
    let files = PlannedFiles::plan(args)?;
    let console = console.beside_file(files.take_standard_output());
    let extras = Extras::new(args)?;
    let renderer = shot::renderer(&args.shot.machine)?;
    let prepared = PreparedShot::new(&args.shot, console)?;
    let PreparedShot { shot, stamp, .. } = &prepared;
    let recording = if stats == Stats::None && args.output.heatmap.is_empty() {
        Recording::Off
    } else {
        Recording::Counters
    };
    let n_frames = args.output.frames.unwrap_or(1);
    // A single frame takes long where it is large: its stages are named and its tiles counted.
    let progress = match n_frames {
        1 => console.tiles(shot.settings.grid().n_tiles().into(), "preparing"),
        _ => console.progress(n_frames, "frames"),
    };
    let tiles_drawn = Arc::clone(&renderer.tiles_drawn);
    let stages = (n_frames == 1).then_some(&progress);
    let fps = (args.output.fps).unwrap_or(if args.shot.scene.demo().is_some() {
        f64::from(FRAMES_PER_SECOND)
    } else {
        30.0
    });
    let mut drawer = FrameDrawer {
        renderer,
        shot,
        recording,
        chain: args.elimination.chain(),
        extras,
        frame_seconds: 1.0 / fps,
        stages,
    };
    let first = args.shot.scene.first_moment();
    let draw_frame = |frame, spare: Option<Picture>| {
        let moment = first.later(frame - first.frame, fps);
        if n_frames == 1 {
            let position = || tiles_drawn.load(Relaxed);
            return watched(&progress, position, || drawer.draw(moment, spare));
        }
        let drawn = drawer.draw(moment, spare);
        progress.inc(1);
        drawn
    };
    let frames = first.frame..first.frame + n_frames;
    let written = sequence::draw_and_write(frames, draw_frame, &files, stamp);
    progress.finish_and_clear();
    let Written { frames, cut } = written?;
    if let Some(cut) = cut.clone().filter(|_| frames.is_empty()) {
        return Err(cut);
    }
    let report = RenderReport::new(&prepared, &drawer.renderer, frames);
    match stats {
        Stats::Table => console.print(&report.text())?,
        Stats::Json => console.print_json(&report)?,
        Stats::None => {}
    }
    cut.map_or(Ok(()), Err)
}

/// Refuses maps that no technique of the run decides, and techniques that no map would show.
fn check_techniques(args: &RenderArgs) -> Outcome {
    let maps = || args.output.heatmap.iter().map(|map| map.what);
    let techniques = || args.elimination.techniques();
    let asked = maps().any(|map| matches!(map, TileMap::Skipped));
    if asked && args.elimination.chain().is_none() {
        let problem = "--heatmap skipped shows which tiles a technique left out, and there is none";
        return Err(Failure::new(problem).hint(
            "add `--technique re`; `azulejo simulate --technique re --heatmap skipped` shows it on a chip",
        ));
    }
    let machine_maps = || {
        maps().filter_map(|map| match map {
            TileMap::Machine(map) => Some(map),
            _ => None,
        })
    };
    let owner = |map: MachineMap| {
        map.technique()
            .map(|technique| (map.name(), technique.name))
    };
    let is_on = |name| techniques().any(|technique| technique.name == name);
    let mut owned = machine_maps().filter_map(owner);
    if let Some((map, technique)) = owned.find(|(_, technique)| !is_on(*technique)) {
        let problem = format!("--heatmap {map} shows what {technique} decides, which is not on");
        return Err(Failure::usage(problem).hint(format!(
            "add `--technique {technique}`, and a machine for it such as --machine valhall-{technique}"
        )));
    }
    let unseen = techniques().find(|technique| technique.host.is_none());
    match unseen.filter(|_| machine_maps().next().is_none()) {
        None => Ok(()),
        Some(technique) => {
            let name = technique.name;
            let problem =
                format!("{name} decides on a machine, which only heat maps of costs show");
            let hint = format!(
                "add `--heatmap order --machine NAME`, or see `azulejo simulate --technique {name}`"
            );
            Err(Failure::usage(problem).hint(hint))
        }
    }
}

/// Name of the work that begins when `stage` is done.
const fn after(stage: Stage) -> &'static str {
    match stage {
        Stage::Preparation => "geometry",
        Stage::Geometry => "tiling",
        Stage::Tiling => "raster: tiles are shaded",
        Stage::Raster => "writing",
    }
}

/// Drawer of one frame after the other.
struct FrameDrawer<'a> {
    renderer: Renderer,
    shot: &'a Shot,
    recording: Recording,
    /// Frame buffers whose tiles are kept where they can be.
    chain: Option<SwapChain>,
    extras: Extras,
    /// Time from a frame to the next.
    frame_seconds: f64,
    /// Bar that names the stage at work.
    stages: Option<&'a ProgressBar>,
}

impl FrameDrawer<'_> {
    /// Runs the frame that lies `before` frames before this one through the machine; where there is none, the first stands
    /// still.
    fn warm_up(&mut self, at: Moment, before: u64) -> Outcome {
        (self.stages.iter()).for_each(|bar| bar.set_message("machine: frames before"));
        let seconds = at.seconds - before as f64 * self.frame_seconds;
        let earlier = Moment {
            frame: at.frame.saturating_sub(before),
            seconds: seconds.max(0.0),
        };
        let still = self.shot.at(earlier);
        self.extras.warm_up(&mut self.renderer, &still.draws())
    }

    /// Draws a frame; `spare` is a picture whose memory may be used.
    fn draw(&mut self, at: Moment, spare: Option<Picture>) -> Outcome<Drawn> {
        for before in (1..=self.extras.take_warm_up()).rev() {
            self.warm_up(at, before)?;
        }
        let still = self.shot.at(at);
        let mut stages = StageTimes::default();
        let start = Instant::now();
        let mut done = |stage| {
            stages.done(stage, start.elapsed());
            (self.stages.iter()).for_each(|bar| bar.set_message(after(stage)));
        };
        let list = still.draws();
        done(Stage::Preparation);
        let (renderer, recording) = (&mut self.renderer, self.recording);
        let Some(chain) = &mut self.chain else {
            spare
                .into_iter()
                .for_each(|picture| renderer.recycle(picture));
            let drawn = renderer.draw_by_stages(&list, recording, &mut done);
            let draw_ms = start.elapsed().as_secs_f64() * 1e3;
            return Ok(Drawn {
                extras: self.extras.of_frame(renderer, &list, &still.view)?,
                picture: drawn.picture,
                report: FrameReport::new(at, draw_ms, stages, drawn.counters, None),
            });
        };
        let buffer = chain.next_buffer();
        let onto = Onto {
            recording,
            ..Onto::new(buffer)
        };
        let redrawn = renderer.draw_by_stages(&list, onto, &mut done);
        let draw_ms = start.elapsed().as_secs_f64() * 1e3;
        let mut picture = spare.unwrap_or_default();
        picture.clone_from(buffer.picture());
        let kept = Some(redrawn.tiles);
        Ok(Drawn {
            extras: self.extras.of_frame(renderer, &list, &still.view)?,
            picture,
            report: FrameReport::new(at, draw_ms, stages, redrawn.counters, kept),
        })
    }
}
