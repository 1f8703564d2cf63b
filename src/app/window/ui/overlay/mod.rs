//! The overlay: what the frame cost on this machine, in a line or in full with plots of the frames before it.

mod machine;

use egui::{Align2, Area, Color32, Context, Grid, Id, TextWrapMode, Ui};
use egui_plot::{Line, Plot, PlotPoints};

use super::Facts;
use super::style::{ACCENT, WARNING, glass, name, number, title};
use crate::app::window::artist::StageTimes;
use crate::app::window::history::{History, LENGTH, Sample};
use crate::app::window::state::{Overlay, PaintTimes, State};
use crate::report::{grouped, percent};
use crate::trace::FrameCounters;

/// Width of plots and tables, points.
const WIDTH: f32 = 290.0;

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

/// This machine and the frame; beside them the modelled machine, if there is one.
fn columns(ui: &mut Ui, facts: &Facts<'_>) {
    ui.horizontal_top(|ui| {
        glass().show(ui, |ui| ui.vertical(|ui| host(ui, facts)));
        if let Some(machine) = facts.machine {
            glass().show(ui, |ui| {
                ui.vertical(|ui| machine::table(ui, machine, facts))
            });
        }
    });
}

fn host(ui: &mut Ui, facts: &Facts<'_>) {
    ui.set_width(WIDTH);
    ui.label(title("This machine"));
    ui.label(number(pace(facts)));
    ui.label(name(facts.host));
    if let Some(text) = pixel(ui, facts) {
        ui.label(number(text));
    }
    let Some(frame) = facts.frame else { return };
    table(ui, "host", &stage_rows(&frame.times, facts.painted));
    plot(ui, "milliseconds", facts.history, ACCENT, |sample| {
        Some(sample.times.total())
    });
    if let Some(counters) = &frame.counters {
        ui.add_space(4.0);
        ui.label(title("Frame"));
        table(ui, "frame", &counter_rows(counters));
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

fn counter_rows(counters: &FrameCounters) -> Vec<[String; 2]> {
    let FrameCounters {
        geometry, raster, ..
    } = counters;
    let empty = counters
        .tiles
        .iter()
        .filter(|tile| tile.primitives == 0)
        .count() as u64;
    let n_tiles = counters.tiles.len() as u64;
    let row = |name: &str, value: String| [name.to_owned(), value];
    vec![
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
        row("tiles drawn", grouped(n_tiles - empty)),
        row("tiles empty", grouped(empty)),
    ]
}

/// Names to the left, numbers to the right.
pub(super) fn table(ui: &mut Ui, id: &str, rows: &[[String; 2]]) {
    Grid::new(id)
        .num_columns(2)
        .min_col_width(WIDTH * 0.48)
        .min_row_height(14.0)
        .spacing([6.0, 2.0])
        .show(ui, |ui| {
            for [what, value] in rows {
                ui.label(name(what));
                ui.label(number(format!("{value:>14}")));
                ui.end_row();
            }
        });
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
    ui.label(name(&format!(
        "{what}, last {LENGTH} frames, up to {highest:.2}"
    )));
    curve(ui, what, (points, color), 52.0, highest.max(1e-3));
}

/// The plot of a line over the last frames, `height` points high for 0 to `highest`, without axes, not to be dragged.
fn curve(
    ui: &mut Ui,
    what: &str,
    (points, color): (PlotPoints<'_>, Color32),
    height: f32,
    highest: f64,
) {
    Plot::new(what)
        .height(height)
        .width(WIDTH)
        .show_axes(false)
        .show_grid(false)
        .allow_drag(false)
        .allow_zoom(false)
        .allow_scroll(false)
        .include_x(0.0)
        .include_x(LENGTH as f64)
        .include_y(0.0)
        .include_y(highest)
        .show(ui, |plot| plot.line(Line::new(what, points).color(color)));
}
