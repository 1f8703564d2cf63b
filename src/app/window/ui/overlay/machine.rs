//! What the machine says of the frame: time, traffic, hits, energy.

use egui::Ui;
use egui_plot::PlotPoints;

use super::{WIDTH, curve, table as rows_table};
use crate::app::window::history::LENGTH;
use crate::app::window::model::{ModelledFrame, Modeller};
use crate::app::window::plan::FramePlan;
use crate::app::window::ui::Facts;
use crate::app::window::ui::style::{ACCENT, WARNING, name, number, title};
use crate::gpu::memory::Traffic;
use crate::report::{Simulation, grouped, percent};

/// Kinds of DRAM traffic that papers tell apart.
const SPLIT: [(&str, &[Traffic]); 5] = [
    ("textures", &[Traffic::Texture]),
    (
        "Parameter Buffer",
        &[Traffic::ParameterWrite, Traffic::ParameterRead],
    ),
    ("frame buffer", &[Traffic::ColorLoad, Traffic::ColorFlush]),
    ("geometry", &[Traffic::Command, Traffic::Vertex]),
    ("display", &[Traffic::Display]),
];

/// The machine in two lines.
pub(super) fn line(ui: &mut Ui, machine: &Modeller, modelled: Option<&ModelledFrame>) {
    ui.label(name(&machine.name));
    let Some(ModelledFrame { report, .. }) = modelled else {
        ui.label(number("modelling…"));
        return;
    };
    ui.label(number(format!(
        "{:.1} fps  {} cycles  {:.1} bytes/pixel",
        report.fps(),
        grouped(report.cycles.0),
        report.bytes_per_pixel()
    )));
}

/// The machine in full.
pub(super) fn table(ui: &mut Ui, machine: &Modeller, facts: &Facts<'_>) {
    ui.set_width(WIDTH);
    ui.label(title(&machine.name));
    let Some(modelled) = facts.modelled else {
        ui.label(number("modelling…"));
        return;
    };
    state(ui, machine, modelled, facts);
    let report = std::slice::from_ref(&modelled.report);
    if let Some(sum) = Simulation::of(&machine.name, report) {
        rows_table(ui, "machine", &rows(&sum));
    }
    let cycles = &facts.history.cycles;
    let points: PlotPoints<'_> = (cycles.iter().enumerate())
        .map(|(k, cycles)| {
            [
                (LENGTH - facts.history.cycles.len() + k) as f64,
                *cycles as f64,
            ]
        })
        .collect();
    let highest = cycles.iter().copied().max().unwrap_or(0);
    ui.label(name(&format!(
        "modelled cycles, up to {}",
        grouped(highest)
    )));
    curve(ui, "cycles", (points, ACCENT), 44.0, highest.max(1) as f64);
}

/// Of which frame this is, if not of the one on the window.
fn state(ui: &mut Ui, machine: &Modeller, modelled: &ModelledFrame, facts: &Facts<'_>) {
    let is_shown = facts.frame.is_some_and(|frame| {
        let counted = FramePlan {
            counted: true,
            ..frame.plan.clone()
        };
        counted == modelled.plan
    });
    if !is_shown {
        let work = if machine.busy { "; modelling…" } else { "" };
        let text = format!("of the frame at {:.2} s{work}", modelled.plan.seconds);
        ui.colored_label(WARNING, text);
    }
}

fn rows(sum: &Simulation) -> Vec<[String; 2]> {
    let row = |name: &str, value: String| [name.to_owned(), value];
    let pixels = f64::from(sum.grid.width) * f64::from(sum.grid.height);
    let mut rows = vec![
        row("frames a second", format!("{:.1}", sum.fps())),
        row("cycles", grouped(sum.cycles_per_frame())),
        row(
            "Raster Pipeline",
            format!("{:.1} %", 100.0 * sum.raster_share()),
        ),
    ];
    let all = sum.all_lines() * sum.line_bytes;
    rows.push(row(
        "DRAM bytes / pixel",
        format!("{:.2}", all as f64 / pixels),
    ));
    for (kind, parts) in SPLIT {
        let bytes = sum.lines(parts) * sum.line_bytes;
        let text = format!("{:6.2}  {:>6}", bytes as f64 / pixels, percent(bytes, all));
        rows.push(row(&format!("   {kind}"), text));
    }
    rows.push(row(
        "DRAM row hits",
        percent(sum.row_hits, sum.column_commands),
    ));
    for cache in &sum.caches {
        rows.push(row(
            &format!("{} hits", cache.name),
            percent(cache.hits, cache.accesses),
        ));
    }
    let (gpu, dram) = sum.energy_per_frame();
    // pJ to mJ.
    rows.push(row(
        "energy",
        format!("{:.2} mJ a frame", (gpu + dram) * 1e-9),
    ));
    rows.push(row("   of it DRAM", format!("{:.2} mJ", dram * 1e-9)));
    rows
}
