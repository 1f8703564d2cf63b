//! Results of the inspector, as text that lines up.

use super::draws::DrawCost;
use super::hints::Hint;
use super::pixel::{PixelEvent, PixelHistory, PixelState};
use super::sort::CostColumn;
use super::texels::LevelReads;
use super::tile_history::{TileHistory, TileStep};
use azulejo_report::{Align, aligned, bytes, decimal, grouped, percent};
use azulejo_units::Picojoules;

/// Draws named for each threshold.
const HINTS_SHOWN: usize = 5;

/// A line for each draw of a frame.
#[must_use]
pub fn draws_table(costs: &[DrawCost]) -> String {
    let modelled = costs.iter().any(|cost| cost.modelled.is_some());
    let mut header: Vec<&str> = vec![
        "draw",
        "kind",
        "vertices",
        "primitives",
        "culled",
        "binned",
        "tiles/tri",
        "pixels/tri",
        "quads",
        "early",
        "fragments",
        "share",
        "instructions",
    ];
    if modelled {
        header.extend(["warps", "warp cycles", "L1 misses", "DRAM"]);
    }
    header.push("name");
    let align: Vec<Align> = (0..header.len() - 1)
        .map(|column| {
            if column == 1 {
                Align::Left
            } else {
                Align::Right
            }
        })
        .collect();
    let total: u64 = costs.iter().map(|cost| cost.raster.fragments_shaded).sum();
    let mut rows = vec![header.into_iter().map(str::to_owned).collect()];
    rows.extend(costs.iter().map(|cost| draw_row(cost, total, modelled)));
    aligned(&rows, &align)
}

fn draw_row(cost: &DrawCost, total: u64, modelled: bool) -> Vec<String> {
    let DrawCost {
        geometry, raster, ..
    } = cost;
    let mut row = vec![
        cost.draw.to_string(),
        cost.mode.to_owned(),
        grouped(geometry.vertices_shaded),
        grouped(geometry.primitives_in),
        grouped(cost.primitives_culled()),
        grouped(geometry.primitives_binned),
        decimal(cost.tiles_per_primitive()),
        per_triangle(cost.pixels_per_primitive()),
        grouped(raster.quads_rasterised),
        percent(raster.quads_killed_early, raster.quads_rasterised),
        grouped(raster.fragments_shaded),
        percent(raster.fragments_shaded, total),
        grouped(cost.shader_instructions),
    ];
    if modelled {
        let of = |value: fn(&super::ModelledCost) -> String| {
            cost.modelled.as_ref().map_or_else(String::new, value)
        };
        row.push(of(|cost| grouped(cost.warps)));
        row.push(of(|cost| grouped(cost.warp_cycles)));
        row.push(of(|cost| {
            percent(cost.texture_misses, cost.texture_accesses)
        }));
        row.push(of(|cost| bytes(cost.dram_bytes_total)));
    }
    row.push(cost.name.clone());
    row
}

/// Number with a decimal below a thousand, `-` where there are no triangles.
fn per_triangle(value: Option<f64>) -> String {
    match value {
        None => "-".to_owned(),
        Some(value) if value < 1000.0 => format!("{value:.1}"),
        Some(value) => grouped(value.round() as u64),
    }
}

/// Counters and costs of one draw, as text.
#[must_use]
pub fn draw_table(cost: &DrawCost) -> String {
    let sided = if cost.double_sided {
        ", double-sided"
    } else {
        ""
    };
    let mut rows: Vec<Vec<String>> = Vec::new();
    let mut add = |name: &str, value: String| rows.push(vec![name.replace('_', " "), value]);
    add("vertex_instructions", cost.vertex_instructions.to_string());
    add(
        "fragment_instructions",
        format!(
            "{} ({} texture samples)",
            cost.fragment_instructions, cost.texture_instructions
        ),
    );
    add("shader_instructions", grouped(cost.shader_instructions));
    let counters = cost.geometry.entries();
    for (name, value) in counters.into_iter().chain(cost.raster.entries()) {
        add(name, grouped(value));
    }
    add("tiles_per_primitive", decimal(cost.tiles_per_primitive()));
    add("pixels_per_primitive", decimal(cost.pixels_per_primitive()));
    if let Some(modelled) = &cost.modelled {
        add("warps", grouped(modelled.warps));
        add("warp_cycles", grouped(modelled.warp_cycles));
        add("warp_instructions", grouped(modelled.instructions));
        add("texture_accesses", grouped(modelled.texture_accesses));
        add("texture_misses", grouped(modelled.texture_misses));
        for (kind, n) in &modelled.dram_bytes {
            add(&format!("DRAM {kind}"), bytes(*n));
        }
        add("DRAM in all", bytes(modelled.dram_bytes_total));
        let nanojoules = |energy: Picojoules| format!("{:.1} nJ", energy.0 * 1e-3);
        for (what, energy) in [
            ("energy of programs", modelled.programs),
            ("energy of pins", modelled.pins),
        ] {
            if let Some(energy) = energy {
                add(what, nanojoules(energy));
            }
        }
    }
    let title = format!("draw {}: {} ({}{sided})", cost.draw, cost.name, cost.mode);
    format!("{title}\n{}", aligned(&rows, &[Align::Left, Align::Right]))
}

/// The tile's primitives in program order.
#[must_use]
pub fn tile_table(history: &TileHistory) -> String {
    tile_table_by(history, None)
}

/// The tile's primitives, from the costliest by `sort`; in program order without.
#[must_use]
pub fn tile_table_by(history: &TileHistory, sort: Option<&CostColumn<TileStep>>) -> String {
    let header = [
        "step",
        "draw",
        "triangle",
        "kind",
        "quads",
        "early",
        "shaded",
        "late",
        "written",
        "blended",
        "texel blocks",
        "name",
    ];
    let mut rows = vec![header.map(str::to_owned).to_vec()];
    let mut steps: Vec<(usize, &TileStep)> = history.steps.iter().enumerate().collect();
    if let Some(sort) = sort {
        sort.sort(&mut steps, |(_, step)| step);
    }
    for (number, step) in steps {
        let raster = &step.raster;
        rows.push(vec![
            number.to_string(),
            step.of.draw.to_string(),
            step.of.triangle.to_string(),
            step.of.mode.to_owned(),
            raster.quads_rasterised.to_string(),
            raster.quads_killed_early.to_string(),
            raster.fragments_shaded.to_string(),
            raster.fragments_killed_late.to_string(),
            raster.fragments_written.to_string(),
            raster.fragments_blended.to_string(),
            step.texture_blocks.to_string(),
            step.of.name.clone(),
        ]);
    }
    let align: Vec<Align> = (0..header.len() - 1)
        .map(|column| {
            if column == 3 {
                Align::Left
            } else {
                Align::Right
            }
        })
        .collect();
    let [column, row] = history.column_row;
    let ([x, y], [width, height]) = (history.origin, history.size);
    let total = history.total();
    format!(
        "tile {column},{row} (number {}): {width}x{height} pixels from {x},{y}; {} primitives, {} quads, {} killed early, \
         {} fragments shaded\n{}",
        history.tile.0,
        grouped(history.steps.len() as u64),
        grouped(total.quads_rasterised),
        percent(total.quads_killed_early, total.quads_rasterised),
        grouped(total.fragments_shaded),
        aligned(&rows, &align)
    )
}

/// The fragments of a pixel in program order.
#[must_use]
pub fn pixel_table(history: &PixelHistory) -> String {
    let header = [
        "event",
        "step",
        "draw",
        "triangle",
        "depth",
        "program says",
        "before",
        "after",
        "result",
        "name",
    ];
    let mut rows = vec![header.map(str::to_owned).to_vec()];
    for (number, event) in history.events.iter().enumerate() {
        rows.push(event_row(number, event));
    }
    let align = [
        Align::Right,
        Align::Right,
        Align::Right,
        Align::Right,
        Align::Right,
    ];
    let ([x, y], [column, row]) = (history.pixel, history.tile);
    format!(
        "pixel {x},{y} in tile {column},{row}: {} fragments, last {} at depth {:.6}\n{}",
        history.events.len(),
        hex(&history.last),
        history.last.depth,
        aligned(&rows, &align)
    )
}

fn event_row(number: usize, event: &PixelEvent) -> Vec<String> {
    let said = event.program_color.map_or_else(
        || "-".to_owned(),
        |[r, g, b, a]| format!("{r:.3} {g:.3} {b:.3} {a:.3}"),
    );
    vec![
        number.to_string(),
        event.step.to_string(),
        event.of.draw.to_string(),
        event.of.triangle.to_string(),
        format!("{:.6}", event.depth),
        said,
        hex(&event.before),
        hex(&event.after),
        event.verdict(),
        event.of.name.clone(),
    ]
}

/// The colour as the picture has it.
fn hex(state: &PixelState) -> String {
    let [r, g, b, a] = state.encoded;
    format!("#{r:02x}{g:02x}{b:02x}{a:02x}")
}

/// Reads of each mip level of a texture, as text.
#[must_use]
pub fn texture_table(name: &str, levels: &[LevelReads]) -> String {
    let header = ["level", "texels", "blocks", "read", "share", "reads"];
    let mut rows = vec![header.map(str::to_owned).to_vec()];
    rows.extend(levels.iter().map(|level| {
        vec![
            level.level.to_string(),
            format!("{}x{}", level.width, level.height),
            grouped(level.blocks),
            grouped(level.blocks_read),
            percent(level.blocks_read, level.blocks),
            grouped(level.total),
        ]
    }));
    let title =
        format!("texture {name}: blocks of texels by mip level, and how often quads read them");
    format!("{title}\n{}", aligned(&rows, &[Align::Right; 6]))
}

/// The draws that pass each threshold, the costliest first, below the threshold's source.
#[must_use]
pub fn hints_text(hints: &[Hint]) -> String {
    if hints.is_empty() {
        return "hints: no published threshold is passed\n".to_owned();
    }
    let mut text = "hints\n".to_owned();
    for alike in hints.chunk_by(|a, b| a.threshold.kind == b.threshold.kind) {
        text += &format!("  {}\n", alike[0].threshold.source);
        let shown = alike.iter().take(HINTS_SHOWN);
        shown.for_each(|hint| text += &format!("    {}\n", hint.sentence()));
        if alike.len() > HINTS_SHOWN {
            let more = alike.len() - HINTS_SHOWN;
            text += &format!("    {more} more draws; --json has all\n");
        }
    }
    text
}
