//! Machine's numbers of the frame: time, traffic, hits, energy.

use std::time::Duration;

use egui::Ui;
use egui_plot::{Line, PlotPoints};

use super::bandwidth::timeline;
use super::parts::{WIDTH, curve, table as rows_table};
use crate::window::history::LENGTH;
use crate::window::model::{ModelledFrame, Modeller};
use crate::window::ui::Facts;
use crate::window::ui::style::{ACCENT, WARNING, name, number, title};
use azulejo_gpu::memory::Traffic;
use azulejo_report::{DRAM_SPLIT, FrameEnergy, Simulation, decimal, grouped, percent};

/// Interval between two looks at how long the machine has been at work.
const TICK: Duration = Duration::from_millis(100);

/// Shows the machine in two lines.
pub(super) fn line(ui: &mut Ui, machine: &Modeller, modelled: Option<&ModelledFrame>) {
    ui.label(name(&machine.name));
    progress(ui, machine);
    let Some(modelled) = modelled else {
        return;
    };
    let report = &modelled.report;
    ui.label(name(&format!("of {}", modelled.plan.name())));
    ui.label(number(format!(
        "{:.1} fps  {} cycles  {:.1} bytes/pixel",
        report.fps(),
        grouped(report.cycles.0),
        report.bytes_per_pixel()
    )));
}

/// Shows the machine in full.
pub(super) fn table(ui: &mut Ui, machine: &Modeller, facts: &Facts<'_>) {
    ui.set_width(WIDTH);
    ui.label(title(&machine.name));
    progress(ui, machine);
    let Some(modelled) = facts.modelled else {
        return;
    };
    state(ui, modelled, facts);
    rows_table(ui, &numbers(facts));
    timeline(ui, &modelled.bandwidth);
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
    let line = Line::new("cycles", points).color(ACCENT);
    curve(ui, "cycles", line, 44.0, highest.max(1) as f64);
}

/// Numbers of the machine's frame; none before there is one.
pub(super) fn numbers(facts: &Facts<'_>) -> Vec<[String; 2]> {
    let (Some(machine), Some(modelled)) = (facts.machine, facts.modelled) else {
        return Vec::new();
    };
    let report = std::slice::from_ref(&modelled.report);
    Simulation::of(&machine.name, report).map_or_else(Vec::new, |sum| rows(&sum))
}

/// Shows the frame under way; time passes while it is.
fn progress(ui: &mut Ui, machine: &Modeller) {
    if let Some(text) = machine.progress() {
        ui.colored_label(WARNING, text);
        ui.ctx().request_repaint_after(TICK);
    }
}

/// Shows which frame the numbers are of, and what the machine executed for its sake.
fn state(ui: &mut Ui, modelled: &ModelledFrame, facts: &Facts<'_>) {
    let shown = facts.frame;
    let is_shown = shown.is_some_and(|frame| frame.plan.is_same_frame(&modelled.plan));
    let text = format!("of {}", modelled.plan.name());
    if is_shown {
        ui.label(name(&text));
    } else {
        ui.colored_label(WARNING, format!("{text}, not of the one shown"));
    }
    if modelled.n_before > 0 {
        let text = format!("executed after {} before it", modelled.n_before);
        ui.label(name(&text));
    }
}

fn row(name: &str, value: String) -> [String; 2] {
    [name.to_owned(), value]
}

fn rows(sum: &Simulation) -> Vec<[String; 2]> {
    let pixels = f64::from(sum.grid.width) * f64::from(sum.grid.height);
    let mut rows = vec![
        row("frames a second", format!("{:.1}", sum.fps())),
        row("cycles", grouped(sum.cycles_per_frame())),
        row(
            "Raster Pipeline",
            format!("{:.1} %", 100.0 * sum.raster_share()),
        ),
    ];
    rows.extend(left_out(sum));
    let all = sum.all_lines() * sum.line_bytes;
    rows.push(row(
        "DRAM bytes / pixel",
        format!("{:.2}", sum.bytes_per_pixel()),
    ));
    for (kind, parts) in DRAM_SPLIT {
        let bytes = sum.lines(parts) * sum.line_bytes;
        if bytes == 0 && parts == [Traffic::Buffer] {
            continue;
        }
        let text = format!("{:6.2}  {:>6}", bytes as f64 / pixels, percent(bytes, all));
        rows.push(row(&format!("   {kind}"), text));
    }
    rows.push(row(
        "DRAM row hits",
        percent(sum.row_hits, sum.column_commands),
    ));
    for cache in sum.caches.iter().filter(|cache| cache.is_shown()) {
        rows.push(row(
            &format!("{} hits", cache.name),
            percent(cache.hits, cache.accesses),
        ));
    }
    let FrameEnergy { gpu, dram } = sum.energy_per_frame();
    // pJ to mJ. Without the GPU's share it would be no frame's energy.
    let all = (!sum.energy.is_empty()).then_some((gpu + dram) * 1e-9);
    rows.push(row("energy a frame", format!("{} mJ", decimal(all))));
    rows.push(row("   of it DRAM", format!("{:.2} mJ", dram * 1e-9)));
    rows
}

/// Rows on what techniques spared the machine, and what each counted.
fn left_out(sum: &Simulation) -> Vec<[String; 2]> {
    if sum.techniques.is_empty() {
        return Vec::new();
    }
    let share = |part: u64| format!("{}  {:>6}", grouped(part), percent(part, sum.n_tiles()));
    let mut rows = vec![
        row("tiles skipped", share(sum.tiles_skipped)),
        row("flushes skipped", share(sum.flushes_skipped)),
    ];
    for technique in &sum.techniques {
        rows.extend(technique.counters.iter().map(|counter| {
            let value = format!("{} {}", grouped(counter.value), counter.unit.name());
            row(
                &format!("{}: {}", technique.technique, counter.about),
                value,
            )
        }));
    }
    rows
}
