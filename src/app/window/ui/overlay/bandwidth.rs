//! Timeline of the machine's memory: bandwidth by source over a frame, stacked, with an axis, what each source moved in
//! all, and its rate at the time under the pointer.

use egui::{Color32, Sense, Stroke, Ui, Vec2};
use egui_plot::{Bar, BarChart, Plot, PlotPoint, VLine};

use super::parts::WIDTH;
use crate::window::ui::style::{DIM, name, number};
use azulejo_report::heatmap::distinct;
use azulejo_report::{Bandwidth, BandwidthPart, bytes};
use azulejo_units::Picoseconds;

/// Height of the plot with its axis, points.
const HEIGHT: f32 = 112.0;
/// Room for numbers beside the plot, points.
const AXIS: f32 = 34.0;
/// Most parts that the plot shows: each is a few points wide.
const PARTS: usize = 80;

/// Timeline of a frame, and the zero of its axis.
struct Timeline<'a> {
    bandwidth: &'a Bandwidth,
    start: Picoseconds,
    /// Microseconds, if the frame is a short one; else milliseconds.
    unit: &'static str,
    /// Units in a picosecond.
    scale: f64,
}

impl Timeline<'_> {
    fn time(&self, at: Picoseconds) -> f64 {
        at.saturating_sub(self.start).0 as f64 * self.scale
    }

    /// Part in which this time lies.
    fn part(&self, time: f64) -> Option<&BandwidthPart> {
        let parts = self.bandwidth.parts.iter();
        let mut within = parts.filter(|part| self.time(part.from) <= time);
        within.rfind(|part| time < self.time(part.to))
    }
}

/// Shows the plot of a frame, and below it the sources, the highest one first.
pub(super) fn timeline(ui: &mut Ui, bandwidth: &Bandwidth) {
    let bandwidth = bandwidth.in_parts(PARTS);
    let Some((start, end)) = bandwidth.span() else {
        return;
    };
    let is_short = (end - start).0 < 1_000_000_000;
    let timeline = Timeline {
        bandwidth: &bandwidth,
        start,
        unit: if is_short { "µs" } else { "ms" },
        scale: if is_short { 1e-6 } else { 1e-9 },
    };
    ui.label(name(&format!(
        "memory bandwidth, GB/s over {}",
        timeline.unit
    )));
    let pointed = plot(ui, &timeline);
    let part = pointed.and_then(|at| timeline.part(at.x));
    sources(ui, &timeline, part);
    phases(ui, &timeline);
}

/// Shows the plot; returns the point under the pointer, if it is over the plot.
fn plot(ui: &mut Ui, timeline: &Timeline<'_>) -> Option<PlotPoint> {
    let parts = &timeline.bandwidth.parts;
    let highest = parts.iter().map(BandwidthPart::all).fold(0.0, f64::max);
    let (_, end) = timeline.bandwidth.span()?;
    let charts = (0..timeline.bandwidth.sources.len()).map(|source| chart(timeline, source));
    let charts: Vec<BarChart> = charts.collect();
    let borders = timeline.bandwidth.phases.iter();
    let borders: Vec<f64> = borders.map(|phase| timeline.time(phase.to)).collect();
    let shown = Plot::new("memory bandwidth")
        .height(HEIGHT)
        .width(WIDTH)
        .y_axis_min_width(AXIS)
        .show_grid([false, true])
        .show_x(false)
        .show_y(false)
        .allow_drag(false)
        .allow_zoom(false)
        .allow_scroll(false)
        .set_margin_fraction(Vec2::ZERO)
        .include_x(0.0)
        .include_x(timeline.time(end))
        .include_y(0.0)
        .include_y(highest.max(1e-3) * 1.05)
        .show(ui, |plot| {
            for chart in charts {
                plot.bar_chart(chart);
            }
            for border in borders {
                let line = VLine::new("", border).stroke(Stroke::new(1.0, DIM));
                plot.vline(line.allow_hover(false));
            }
            plot.pointer_coordinate()
        });
    shown.inner.filter(|_| shown.response.hovered())
}

/// Bars of a source, on those of the sources before it.
fn chart(timeline: &Timeline<'_>, source: usize) -> BarChart {
    let bar = |part: &BandwidthPart| {
        let (from, to) = (timeline.time(part.from), timeline.time(part.to));
        let below = (0..source).map(|below| part.gigabytes_per_second(below));
        Bar::new((from + to) / 2.0, part.gigabytes_per_second(source))
            .width(to - from)
            .base_offset(below.sum())
            .stroke(Stroke::NONE)
            .fill(color(source))
    };
    let bars = timeline.bandwidth.parts.iter().map(bar);
    let name = timeline.bandwidth.sources[source].as_str();
    BarChart::new(name, bars.collect()).allow_hover(false)
}

fn color(source: usize) -> Color32 {
    let [r, g, b] = distinct(source);
    Color32::from_rgb(r, g, b)
}

/// Shows a line for each source that moved anything, as they lie on each other: what it moved, or its rate under the
/// pointer.
fn sources(ui: &mut Ui, timeline: &Timeline<'_>, part: Option<&BandwidthPart>) {
    let head = part.map_or("in all".to_owned(), |part| {
        let [from, to] = [part.from, part.to].map(|at| timeline.time(at));
        format!("{from:.2} to {to:.2} {}", timeline.unit)
    });
    let value = |source: usize| match part {
        Some(part) => format!("{:.3} GB/s", part.gigabytes_per_second(source)),
        None => bytes(timeline.bandwidth.bytes(source)),
    };
    ui.label(number(head));
    let sources = timeline.bandwidth.sources.iter().enumerate();
    for (source, what) in sources.rev() {
        if timeline.bandwidth.bytes(source) == 0 {
            continue;
        }
        ui.horizontal(|ui| {
            let (square, _) = ui.allocate_exact_size(Vec2::splat(10.0), Sense::hover());
            ui.painter().rect_filled(square, 0.0, color(source));
            ui.label(name(what));
            ui.label(number(value(source)));
        });
    }
}

/// Shows when each phase began and ended.
fn phases(ui: &mut Ui, timeline: &Timeline<'_>) {
    for phase in &timeline.bandwidth.phases {
        let [from, to] = [phase.from, phase.to].map(|at| timeline.time(at));
        let times = format!("{}: {from:.2} to {to:.2} {}", phase.name, timeline.unit);
        ui.label(name(&times));
    }
}
