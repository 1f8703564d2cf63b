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

pub(in crate::app::cli) use args::RenderArgs;
pub(super) use args::frames_per_second;
use args::{OutputArgs, Stats};
use drawn::Drawn;
use extras::Extras;
use files::PlannedFiles;
use report::{FrameReport, FrameTime, RenderReport, StageTimes};
use sequence::Written;

use super::{Console, Outcome};
use crate::app::cli::args::TileMap;
use crate::app::cli::console::watched;
use crate::app::cli::failure::Failure;
use crate::app::cli::shot::{self, Shot};
use crate::demo::FRAMES_PER_SECOND;
use crate::render::elimination::{Onto, SwapChain};
use crate::render::{Picture, Recording, Renderer, Stage};
use crate::technique::HostHook;

pub(super) fn run(args: &RenderArgs, console: Console) -> Outcome {
    let OutputArgs { json, stats, .. } = args.output;
    let stats = if json { Stats::Json } else { stats };
    check_heat_maps(args)?;
    // Before anything slow: a wrong name should not cost a loaded scene.
    let files = PlannedFiles::plan(args)?;
    let console = console.beside_file(files.take_standard_output());
    let extras = Extras::new(&args.output)?;
    let renderer = shot::renderer(&args.shot.machine)?;
    let shot = Shot::prepare(&args.shot, console)?;
    let recording = if stats == Stats::None && args.output.heatmap.is_empty() {
        Recording::Off
    } else {
        Recording::Counters
    };
    let n_frames = args.output.frames.unwrap_or(1);
    // Of a single frame, which takes long where it is large, the stages are named and the tiles counted.
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
    let elimination = &args.elimination;
    let mut drawer = FrameDrawer {
        renderer,
        shot: &shot,
        recording,
        chain: (elimination.technique).map(|HostHook::KeepEqualTiles| elimination.buffers.chain()),
        extras,
        stages,
    };
    let first = args.shot.scene.first_frame();
    let draw_frame = |frame, spare: Option<Picture>| {
        let time = args.shot.scene.start() + (frame - first) as f64 / fps;
        let moment = FrameTime { frame, time };
        if n_frames == 1 {
            let position = || tiles_drawn.load(Relaxed);
            return watched(&progress, position, || drawer.draw(moment, spare));
        }
        let drawn = drawer.draw(moment, spare);
        progress.inc(1);
        drawn
    };
    let frames = first..first + n_frames;
    let written = sequence::draw_and_write(frames, draw_frame, &files, &shot.stamp);
    progress.finish_and_clear();
    let Written { frames, cut } = written?;
    if let Some(cut) = cut.clone().filter(|_| frames.is_empty()) {
        return Err(cut);
    }
    let report = RenderReport::new(&shot, &drawer.renderer, frames);
    match stats {
        Stats::Table => console.print(&report.text())?,
        Stats::Json => console.print_json(&report)?,
        Stats::None => {}
    }
    cut.map_or(Ok(()), Err)
}

/// Refuses the map of what was left out where nothing can be.
fn check_heat_maps(args: &RenderArgs) -> Outcome {
    let mut maps = args.output.heatmap.iter();
    let asked = maps.any(|map| matches!(map.what, TileMap::Skipped));
    if asked && args.elimination.technique.is_none() {
        let problem = "--heatmap skipped shows which tiles a technique left out, and there is none";
        return Err(Failure::new(problem).hint(
            "add `--technique re`; `azulejo simulate --technique re --heatmap skipped` shows it on a chip",
        ));
    }
    Ok(())
}

/// What goes on when `stage` is done.
const fn after(stage: Stage) -> &'static str {
    match stage {
        Stage::Preparation => "geometry",
        Stage::Geometry => "tiling",
        Stage::Tiling => "raster: tiles are shaded",
        Stage::Raster => "writing",
    }
}

/// What draws one frame after the other.
struct FrameDrawer<'a> {
    renderer: Renderer,
    shot: &'a Shot,
    recording: Recording,
    /// Frame buffers whose tiles are kept where they can be.
    chain: Option<SwapChain>,
    extras: Extras,
    /// Says which stage is at work.
    stages: Option<&'a ProgressBar>,
}

impl FrameDrawer<'_> {
    /// Draws a frame; `spare` is a picture whose memory may be used.
    fn draw(&mut self, at: FrameTime, spare: Option<Picture>) -> Outcome<Drawn> {
        let mut settings = self.shot.settings;
        settings.frame = at.frame;
        let moment = self.shot.at(at.time as f32);
        let input = self.shot.input(&moment, &settings);
        let mut stages = StageTimes::default();
        let start = Instant::now();
        let mut done = |stage| {
            stages.done(stage, start.elapsed());
            (self.stages.iter()).for_each(|bar| bar.set_message(after(stage)));
        };
        let list = input.draws();
        done(Stage::Preparation);
        let (renderer, recording) = (&mut self.renderer, self.recording);
        let Some(chain) = &mut self.chain else {
            spare
                .into_iter()
                .for_each(|picture| renderer.recycle(picture));
            let drawn = renderer.draw_by_stages(&list, recording, &mut done);
            let draw_ms = start.elapsed().as_secs_f64() * 1e3;
            return Ok(Drawn {
                extras: self.extras.of_frame(renderer, &list, input.view)?,
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
            extras: self.extras.of_frame(renderer, &list, input.view)?,
            picture,
            report: FrameReport::new(at, draw_ms, stages, redrawn.counters, kept),
        })
    }
}
