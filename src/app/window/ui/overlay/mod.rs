//! Overlay: what the frame cost on this machine, in a line or in full with plots of the frames before it. In a window that no
//! column fits into, full means every number and no plot.

mod bandwidth;
mod machine;
mod parts;

use egui::text::LayoutJob;
use egui::{Align, Color32, FontSelection, Label, Panel, Rect, ScrollArea, TextWrapMode, Ui, Vec2};
use egui_plot::{Line, PlotPoints};

use self::parts::{WIDTH, curve, table};
use super::Facts;
use super::style::{ACCENT, WARNING, name, number, side, small_side, title, value_text};
use crate::window::history::{History, LENGTH, Sample};
use crate::window::render_thread::{DrawnFrame, StageTimes};
use crate::window::state::PaintTimes;
use azulejo_grid::{SampleCount, TileId};
use azulejo_render::RenderSettings;
use azulejo_render::elimination::TileOutcomes;
use azulejo_report::{decimal, grouped, percent};
use azulejo_trace::FrameCounters;

/// Width of a column with its margins, points.
pub(super) const COLUMN: f32 = WIDTH + 34.0;
/// Most of the width that is kept for the picture against panels, points.
pub(super) const PICTURE: f32 = 160.0;
/// Part of a small window's height, as bar and inspector leave it, that the overlay takes at most.
const SMALL_SHARE: f32 = 0.45;
/// Size of a small window's letters, points.
const SMALL_LETTERS: f32 = 10.0;
/// Height of the line below a panel, points.
const LINE: f32 = 1.0;
/// Height of a small window's rows, points.
const SMALL_ROW: f32 = 13.0;

/// Shows the short overlay: a strip over the picture, in as many rows as it needs; returns the room that it takes.
pub(super) fn strip(ui: &mut Ui, facts: &Facts<'_>) -> Rect {
    let shown = Panel::top("overlay").frame(side()).show(ui, |ui| {
        ui.spacing_mut().item_spacing.x = 18.0;
        ui.horizontal_wrapped(|ui| short(ui, facts));
    });
    shown.response.rect
}

/// Whether not even one column fits into a window of this width, in points, beside a picture.
pub(super) fn is_small(width: f32) -> bool {
    width < COLUMN + PICTURE
}

/// Shows the overlay of a small window, short or in full: a strip over the picture as well, in small letters and without
/// plots, that scrolls where it would take more than its share; returns the room that it takes.
pub(super) fn small_strip(ui: &mut Ui, facts: &Facts<'_>, is_full: bool) -> Rect {
    let most = SMALL_SHARE * ui.available_height();
    let name = if is_full { "full overlay" } else { "overlay" };
    let panel = Panel::top(name).frame(small_side()).resizable(false);
    let shown = panel.default_size(most).show(ui, |ui| {
        small_letters(ui);
        let gap = ui.spacing().item_spacing.y;
        let room = most - LINE - small_side().total_margin().sum().y;
        // Whole rows.
        let rows = ((room + gap) / (SMALL_ROW + gap)).floor().max(1.0);
        let height = rows * (SMALL_ROW + gap) - gap;
        ScrollArea::vertical()
            .max_height(height)
            // The panel of the painting before may have been lower.
            .min_scrolled_height(height)
            .auto_shrink([false, true])
            .show(ui, |ui| {
                ui.horizontal_wrapped(|ui| {
                    short(ui, facts);
                    if is_full {
                        details(ui, facts);
                    }
                });
            });
    });
    shown.response.rect
}

/// Letters and rows of a small window's overlay.
fn small_letters(ui: &mut Ui) {
    for font in ui.style_mut().text_styles.values_mut() {
        font.size = SMALL_LETTERS;
    }
    ui.style_mut().wrap_mode = Some(TextWrapMode::Extend);
    ui.spacing_mut().item_spacing = Vec2::new(12.0, 2.0);
    ui.spacing_mut().interact_size.y = SMALL_ROW;
}

/// Shows the numbers of all columns, one after the other.
fn details(ui: &mut Ui, facts: &Facts<'_>) {
    let Some(frame) = facts.frame else { return };
    let mut rows = machine::numbers(facts);
    rows.extend(stage_rows(&frame.times, facts.painted));
    if let Some(counters) = &frame.counters {
        rows.extend(counter_rows(counters, frame.kept.as_ref()));
    }
    for [what, value] in &rows {
        let mut text = LayoutJob::default();
        for part in [name(&format!("{} ", what.trim())), number(value.trim())] {
            part.append_to(&mut text, ui.style(), FontSelection::Default, Align::Center);
        }
        ui.label(text);
    }
    ui.add(Label::new(name(facts.host)).wrap());
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
    let (width, height) = (
        frame.plan.shot.settings.width,
        frame.plan.shot.settings.height,
    );
    let mut text = format!("{width}x{height}{}", samples(frame));
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

/// Note that pixels have more samples than one.
fn samples(frame: &DrawnFrame) -> &'static str {
    match frame.plan.shot.settings.samples {
        SampleCount::One => "",
        SampleCount::Four => "  4 samples",
    }
}

/// Text on the picture's pixel under the pointer.
fn pixel(ui: &Ui, facts: &Facts<'_>) -> Option<String> {
    let scale = ui.ctx().pixels_per_point();
    let pointer = ui.ctx().pointer_latest_pos()? * scale;
    let [x, y] = facts.placement.pixel([pointer.x, pointer.y])?;
    let picture = &facts.frame?.picture;
    let [r, g, b, a] = *(picture.pixels).get((y * picture.width + x) as usize)?;
    Some(format!("pixel {x},{y}  #{r:02x}{g:02x}{b:02x}{a:02x}"))
}

/// Most columns that the full overlay can fill.
pub(super) fn parts(facts: &Facts<'_>) -> usize {
    2 + usize::from(facts.machine.is_some())
}

/// Shows the full overlay: this machine, the frame, and the modelled machine if there is one, in `n` columns. In fewer
/// columns than parts, the frame stands below this machine, without plots, then the modelled machine.
pub(super) fn columns(ui: &mut Ui, facts: &Facts<'_>, n: usize) {
    ui.style_mut().wrap_mode = Some(TextWrapMode::Extend);
    let is_wide = n >= parts(facts);
    let model = |ui: &mut Ui| {
        if let Some(machine) = facts.machine {
            machine::table(ui, machine, facts);
        }
    };
    ui.horizontal_top(|ui| {
        ui.vertical(|ui| {
            host(ui, facts, is_wide);
            if let Some(frame) = facts.frame.filter(|_| !is_wide) {
                counters(ui, frame, facts, false);
            }
            if n == 1 {
                model(ui);
            }
        });
        if let Some(frame) = facts.frame.filter(|_| is_wide) {
            ui.separator();
            ui.vertical(|ui| counters(ui, frame, facts, true));
        }
        if n > 1 && facts.machine.is_some() {
            ui.separator();
            ui.vertical(model);
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
    let RenderSettings { width, height, .. } = frame.plan.shot.settings;
    let when = frame.plan.name();
    let when = when.trim_start_matches("the ");
    let samples = samples(frame);
    ui.label(number(format!("{width}x{height}{samples}  {when}")));
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
            decimal(counters.tiles_per_primitive()),
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

/// Rows that count tiles by what became of them, and why.
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

/// Plots a line over the last frames, from 0 up, with its name.
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
