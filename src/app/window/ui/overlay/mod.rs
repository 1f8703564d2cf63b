//! The overlay: what the frame cost on this machine, in a line or in full with plots of the frames before it.

mod machine;
mod parts;

use egui::{Align2, Area, Color32, Context, Id, Label, TextWrapMode, Ui};
use egui_plot::{Line, PlotPoints};

use self::parts::{WIDTH, curve, table};
use super::Facts;
use super::style::{ACCENT, WARNING, glass, name, number, title, value_text};
use crate::app::window::history::{History, LENGTH, Sample};
use crate::app::window::render_thread::{DrawnFrame, StageTimes};
use crate::app::window::state::{Overlay, PaintTimes, State};
use crate::grid::TileId;
use crate::render::RenderSettings;
use crate::render::elimination::TileOutcomes;
use crate::report::{grouped, percent};
use crate::trace::FrameCounters;

/// Width of three columns with their edges, points.
const THREE_COLUMNS: f32 = 3.0 * WIDTH + 96.0;
/// Shows it in the upper left corner.
pub(super) fn show(ctx: &Context, state: &State, facts: &Facts<'_>) {
    Area::new(Id::unique("overlay"))
        .anchor(Align2::LEFT_TOP, [10.0, 10.0])
        .interactable(false)
        .show(ctx, |ui| {
            ui.style_mut().wrap_mode = Some(TextWrapMode::Extend);
            match state.overlay {
                Overlay::Off => {}
                Overlay::Short => {
                    glass().show(ui, |ui| short(ui, facts));
                }
                Overlay::Full => columns(ui, facts),
            }
        });
}

/// Frames a second, or milliseconds where frames do not follow each other.
fn pace(facts: &Facts<'_>) -> String {
    let ms = facts.frame.map_or(0.0, |frame| frame.times.total());
    let fps = facts.history.fps(std::time::Instant::now());
    match fps {
        Some(fps) => format!("{fps:.1} fps  {ms:.1} ms"),
        None => format!("{ms:.1} ms"),
    }
}

fn short(ui: &mut Ui, facts: &Facts<'_>) {
    ui.label(number(pace(facts)));
    let Some(frame) = facts.frame else { return };
    let (width, height) = (frame.plan.settings.width, frame.plan.settings.height);
    let mut text = format!("{width}x{height}");
    if let Some(counters) = &frame.counters {
        text += &format!(
            "  {} triangles  overdraw {:.2}",
            grouped(counters.geometry.primitives_binned),
            counters.overdraw()
        );
    }
    ui.label(number(text));
    if let Some(kept) = &frame.kept {
        let (n, all) = (kept.n_kept() as u64, kept.reasons.len() as u64);
        let text = format!("{} of {} tiles skipped", grouped(n), grouped(all));
        ui.label(number(text));
    }
    if let Some(text) = pixel(ui, facts) {
        ui.label(number(text));
    }
    if let Some(machine) = facts.machine {
        machine::line(ui, machine, facts.modelled);
    }
}

/// The picture's pixel under the pointer.
fn pixel(ui: &Ui, facts: &Facts<'_>) -> Option<String> {
    let scale = ui.ctx().pixels_per_point();
    let pointer = ui.ctx().pointer_latest_pos()? * scale;
    let [x, y] = facts.placement.pixel([pointer.x, pointer.y])?;
    let picture = &facts.frame?.picture;
    let [r, g, b, a] = *(picture.pixels).get((y * picture.width + x) as usize)?;
    Some(format!("pixel {x},{y}  #{r:02x}{g:02x}{b:02x}{a:02x}"))
}

/// This machine and the frame; beside them the modelled machine, if there is one. Where three columns do not fit, the frame stands
/// below this machine, without plots.
fn columns(ui: &mut Ui, facts: &Facts<'_>) {
    let is_wide = facts.machine.is_none() || ui.ctx().content_rect().width() >= THREE_COLUMNS;
    ui.horizontal_top(|ui| {
        glass().show(ui, |ui| {
            ui.vertical(|ui| {
                host(ui, facts, is_wide);
                if let Some(frame) = facts.frame.filter(|_| !is_wide) {
                    counters(ui, frame, facts, false);
                }
            })
        });
        if let Some(frame) = facts.frame.filter(|_| is_wide) {
            glass().show(ui, |ui| ui.vertical(|ui| counters(ui, frame, facts, true)));
        }
        if let Some(machine) = facts.machine {
            glass().show(ui, |ui| {
                ui.vertical(|ui| machine::table(ui, machine, facts))
            });
        }
    });
}

fn host(ui: &mut Ui, facts: &Facts<'_>, plots: bool) {
    ui.set_width(WIDTH);
    ui.label(title("This machine"));
    ui.label(number(pace(facts)));
    ui.add(Label::new(name(facts.host)).wrap());
    if let Some(text) = pixel(ui, facts) {
        ui.label(number(text));
    }
    let Some(frame) = facts.frame else { return };
    table(ui, &stage_rows(&frame.times, facts.painted));
    if plots {
        plot(ui, "milliseconds", facts.history, ACCENT, |sample| {
            Some(sample.times.total())
        });
    }
}

fn counters(ui: &mut Ui, frame: &DrawnFrame, facts: &Facts<'_>, plots: bool) {
    ui.set_width(WIDTH);
    ui.label(title("Frame"));
    let RenderSettings { width, height, .. } = frame.plan.settings;
    let when = frame.plan.name();
    let when = when.trim_start_matches("the ");
    ui.label(number(format!("{width}x{height}  {when}")));
    let Some(counters) = &frame.counters else {
        ui.label(name("counted when the camera rests"));
        return;
    };
    table(ui, &counter_rows(counters, frame.kept.as_ref()));
    if plots {
        plot(ui, "overdraw", facts.history, WARNING, |sample| {
            sample.overdraw
        });
    }
}

fn stage_rows(times: &StageTimes, painted: PaintTimes) -> Vec<[String; 2]> {
    let rows = [
        ("scene", times.scene),
        ("preparation", times.preparation),
        ("geometry", times.geometry),
        ("tiling", times.tiling),
        ("raster", times.raster),
        ("interface", painted.interface_ms),
        ("present", painted.present_ms),
    ];
    rows.map(|(name, ms)| [name.to_owned(), format!("{ms:.2} ms")])
        .into()
}

fn counter_rows(counters: &FrameCounters, kept: Option<&TileOutcomes>) -> Vec<[String; 2]> {
    let FrameCounters {
        geometry, raster, ..
    } = counters;
    let row = |name: &str, value: String| [name.to_owned(), value];
    let mut rows = vec![
        row("vertices shaded", grouped(geometry.vertices_shaded)),
        row("primitives in", grouped(geometry.primitives_in)),
        row("primitives binned", grouped(geometry.primitives_binned)),
        row(
            "tiles per primitive",
            format!("{:.2}", counters.tiles_per_primitive()),
        ),
        row("quads rasterised", grouped(raster.quads_rasterised)),
        row(
            "killed early",
            percent(raster.quads_killed_early, raster.quads_rasterised),
        ),
        row("quads shaded", grouped(raster.quads_shaded)),
        row("fragments shaded", grouped(raster.fragments_shaded)),
        row("overdraw", format!("{:.2}", counters.overdraw())),
        row("texture samples", grouped(raster.texture_samples)),
    ];
    rows.extend(tile_rows(counters, kept));
    rows
}

/// Tiles by what became of them, and why.
fn tile_rows(counters: &FrameCounters, kept: Option<&TileOutcomes>) -> Vec<[String; 2]> {
    let is_kept = |tile| kept.is_some_and(|kept| kept.is_kept(TileId(tile)));
    let tiles = (0..).zip(&counters.tiles);
    let worked_on: Vec<u64> = tiles
        .filter(|(tile, _)| !is_kept(*tile))
        .map(|(_, counters)| counters.primitives)
        .collect();
    let empty = worked_on.iter().filter(|primitives| **primitives == 0);
    let empty = empty.count() as u64;
    let row = |name: &str, n: u64| [name.to_owned(), grouped(n)];
    let mut rows = vec![
        row("tiles drawn", worked_on.len() as u64 - empty),
        row("tiles empty", empty),
    ];
    if let Some(kept) = kept {
        rows.push(row("tiles skipped", kept.n_kept() as u64));
        rows.extend(kept.by_reason().into_iter().map(|(reason, n)| {
            let what = if reason.is_kept() { "skipped" } else { "drawn" };
            row(&format!("   {what}: {}", reason.words()), n as u64)
        }));
    }
    rows
}

/// A line over the last frames, from 0 up, with its name.
fn plot(
    ui: &mut Ui,
    what: &str,
    history: &History,
    color: Color32,
    value: fn(&Sample) -> Option<f64>,
) {
    let start = LENGTH - history.samples.len();
    let points: PlotPoints<'_> = (history.samples.iter().enumerate())
        .filter_map(|(k, sample)| Some([(start + k) as f64, value(sample)?]))
        .collect();
    let highest = (history.samples.iter())
        .filter_map(value)
        .fold(0.0, f64::max);
    let most = value_text(highest);
    let text = format!("{what}, last {LENGTH} frames, up to {most}");
    ui.label(name(&text));
    let line = Line::new(what, points).color(color);
    curve(ui, what, line, 52.0, highest.max(1e-3));
}
