//! Report on a render: text for people, JSON for programs.

use std::collections::BTreeMap;
use std::time::Duration;

use serde::Serialize;

use crate::cli::args::TONE_MAPS;
use crate::cli::shot::{PrepareTimes, PreparedShot};
use crate::cli::stamp::Stamp;
use azulejo_grid::SampleCount;
use azulejo_render::elimination::{TileOutcomes, TileReason};
use azulejo_render::{Background, RenderSettings, Renderer, Stage};
use azulejo_report::{FrameRecord, counted, counters_table, frames_table, grouped, percent};
use azulejo_shot::Moment;
use azulejo_trace::FrameCounters;

/// Everything about one run of the command; its JSON is the field names here.
#[derive(Debug, Serialize)]
pub(super) struct RenderReport<'a> {
    #[serde(flatten)]
    stamp: &'a Stamp,
    warnings: &'a [String],
    settings: SettingsReport,
    threads: usize,
    simd: String,
    #[serde(flatten)]
    prepare: PrepareTimes,
    frames: Vec<FrameReport>,
}

/// Settings by which frames were drawn.
#[derive(Debug, Serialize)]
struct SettingsReport {
    width: u32,
    height: u32,
    tile_size: u32,
    binning: String,
    tile_order: String,
    /// Samples of a pixel, 4 where it is multisampled.
    samples: SampleCount,
    exposure: f32,
    tone_map: &'static str,
    /// `transparent`, `env`, or linear RGB.
    background: String,
}

/// Report on one frame.
#[derive(Debug, Clone, Serialize)]
pub(super) struct FrameReport {
    pub(super) frame: u64,
    /// Seconds into the animation.
    time: f64,
    pub(super) file: String,
    /// Name of the heat map's file, by counter.
    pub(super) heat_maps: BTreeMap<&'static str, String>,
    /// Name of the view's file, by view.
    pub(super) views: BTreeMap<&'static str, String>,
    draw_ms: f64,
    stages: StageTimes,
    /// Milliseconds of encoding and writing all files.
    pub(super) write_ms: f64,
    overdraw: Option<f64>,
    tiles_per_primitive: Option<f64>,
    /// Tiles left out, where a technique may leave any out.
    elimination: Option<EliminationReport>,
    #[serde(skip)]
    pub(super) kept: Option<TileOutcomes>,
    pub(super) counters: Option<FrameCounters>,
}

/// Tiles that were left out of a frame, and why.
#[derive(Debug, Clone, Serialize)]
struct EliminationReport {
    /// Tiles that kept their pixels.
    tiles_kept: usize,
    /// Number of tiles by reason.
    by_reason: BTreeMap<&'static str, usize>,
    /// Reason of every tile, row by row.
    tiles: Vec<&'static str>,
}

impl EliminationReport {
    fn new(kept: &TileOutcomes) -> Self {
        let counts = kept.by_reason().into_iter();
        Self {
            tiles_kept: kept.n_kept(),
            by_reason: counts.map(|(reason, n)| (reason.name(), n)).collect(),
            tiles: kept.reasons.iter().map(|reason| reason.name()).collect(),
        }
    }
}

/// Milliseconds by stage on the host.
#[derive(Debug, Clone, Default, Serialize)]
pub(super) struct StageTimes {
    preparation_ms: f64,
    geometry_ms: f64,
    tiling_ms: f64,
    raster_ms: f64,
    #[serde(skip)]
    before: Duration,
}

impl StageTimes {
    /// Notes that `stage` was done `elapsed` after the frame's start.
    pub(super) fn done(&mut self, stage: Stage, elapsed: Duration) {
        let ms = elapsed.saturating_sub(self.before).as_secs_f64() * 1e3;
        self.before = elapsed;
        match stage {
            Stage::Preparation => self.preparation_ms = ms,
            Stage::Geometry => self.geometry_ms = ms,
            Stage::Tiling => self.tiling_ms = ms,
            Stage::Raster => self.raster_ms = ms,
        }
    }
}

impl FrameReport {
    /// Report on a frame before any file of it is written.
    pub(super) fn new(
        Moment { frame, seconds }: Moment,
        draw_ms: f64,
        stages: StageTimes,
        counters: Option<FrameCounters>,
        kept: Option<TileOutcomes>,
    ) -> Self {
        Self {
            frame,
            time: seconds,
            file: String::new(),
            heat_maps: BTreeMap::new(),
            views: BTreeMap::new(),
            draw_ms,
            stages,
            write_ms: 0.0,
            overdraw: counters.as_ref().map(FrameCounters::overdraw),
            tiles_per_primitive: (counters.as_ref()).and_then(FrameCounters::tiles_per_primitive),
            elimination: kept.as_ref().map(EliminationReport::new),
            kept,
            counters,
        }
    }

    /// Files written, the picture first.
    fn files(&self) -> String {
        let maps = self.heat_maps.values().chain(self.views.values());
        let files = [&self.file].into_iter().chain(maps);
        files.map(String::as_str).collect::<Vec<_>>().join(", ")
    }
}

impl SettingsReport {
    fn n_tiles(&self) -> u64 {
        u64::from(self.width.div_ceil(self.tile_size) * self.height.div_ceil(self.tile_size))
    }

    fn new(settings: &RenderSettings) -> Self {
        let tone_map = TONE_MAPS
            .iter()
            .find(|(_, tone_map, _)| *tone_map == settings.tone_map);
        Self {
            width: settings.width,
            height: settings.height,
            tile_size: settings.tile_size,
            binning: settings.binning.to_string(),
            tile_order: settings.tile_order.to_string(),
            samples: settings.samples,
            exposure: settings.exposure,
            tone_map: tone_map.map_or("", |(name, ..)| name),
            background: match settings.background {
                Background::Transparent => "transparent".to_owned(),
                Background::Environment => "env".to_owned(),
                Background::Color(rgb) => format!("{},{},{}", rgb.x, rgb.y, rgb.z),
            },
        }
    }
}

impl<'a> RenderReport<'a> {
    pub(super) fn new(
        prepared: &'a PreparedShot,
        renderer: &Renderer,
        frames: Vec<FrameReport>,
    ) -> Self {
        let PreparedShot { shot, stamp, times } = prepared;
        Self {
            stamp,
            warnings: &shot.content.scene.warnings,
            settings: SettingsReport::new(&shot.settings),
            threads: renderer.threads(),
            simd: renderer.simd().to_string(),
            prepare: *times,
            frames,
        }
    }

    /// Text for people: the counters of a single frame, a line for each of several.
    pub(super) fn text(&self) -> String {
        let mut text = self.title();
        match self.frames.as_slice() {
            [frame] => {
                text += &frame
                    .counters
                    .as_ref()
                    .map_or_else(String::new, counters_table);
                text += &self.kept().unwrap_or_default();
                text += &self.times(frame);
                text += &format!("wrote {}\n", frame.files());
            }
            frames => {
                text += &frames_table(&records(frames));
                text += &self.kept().unwrap_or_default();
                if let (Some(first), Some(last)) = (frames.first(), frames.last()) {
                    let (first, last) = (first.files(), last.files());
                    text += &format!("wrote {first} to {last}\n");
                }
            }
        }
        text
    }

    /// Line on the tiles that a technique left out of all frames, and why.
    fn kept(&self) -> Option<String> {
        let mut by_reason = BTreeMap::new();
        for frame in &self.frames {
            for (reason, n) in frame.kept.as_ref()?.by_reason() {
                *by_reason.entry(reason).or_insert(0) += n as u64;
            }
        }
        let all = self.settings.n_tiles() * self.frames.len() as u64;
        let of = |(reason, _): &(&TileReason, &u64)| reason.is_kept();
        let kept: u64 = by_reason.iter().filter(of).map(|(_, n)| n).sum();
        let title = format!(
            "{} of {} tiles kept their pixels ({})\n",
            grouped(kept),
            grouped(all),
            percent(kept, all)
        );
        let rows = by_reason.iter().map(|(reason, n)| {
            let what = if reason.is_kept() { "kept" } else { "drawn" };
            let numbers = [grouped(*n), percent(*n, all)];
            format!(
                "  {:>11}  {:>7}  {what}: {}\n",
                numbers[0],
                numbers[1],
                reason.words()
            )
        });
        Some(title + &rows.collect::<String>())
    }

    fn title(&self) -> String {
        let SettingsReport {
            width,
            height,
            tile_size,
            ..
        } = self.settings;
        format!(
            "{}: {width}x{height} pixels in {} of {tile_size}x{tile_size}, {} on {}\n",
            self.stamp.scene,
            counted(self.settings.n_tiles(), "tile"),
            counted(self.threads as u64, "Raster Unit"),
            self.simd
        )
    }

    fn times(&self, frame: &FrameReport) -> String {
        let StageTimes {
            preparation_ms,
            geometry_ms,
            tiling_ms,
            raster_ms,
            ..
        } = frame.stages;
        let PrepareTimes {
            load_ms,
            environment_ms,
        } = self.prepare;
        format!(
            "milliseconds on this machine\n  load {load_ms:.1}   environment {environment_ms:.1}   \
             draw {:.2} (preparation {preparation_ms:.2}, geometry {geometry_ms:.2}, tiling {tiling_ms:.2}, \
             raster {raster_ms:.2})   write {:.1}\n",
            frame.draw_ms, frame.write_ms
        )
    }
}

fn records(frames: &[FrameReport]) -> Vec<FrameRecord> {
    frames
        .iter()
        .filter_map(|frame| {
            Some(FrameRecord {
                frame: frame.frame,
                time: frame.time,
                draw_ms: frame.draw_ms,
                counters: frame.counters.clone()?,
            })
        })
        .collect()
}
