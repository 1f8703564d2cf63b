//! The pipeline's counters of one or many frames as tables.

use azulejo_trace::{DrawCounters, FrameCounters};

use super::table::{Align, aligned};
use super::text::{bytes, decimal, grouped, percent};

/// Meaning of a counter, and the counter that it is a share of.
struct Meaning {
    name: &'static str,
    text: &'static str,
    share_of: Option<&'static str>,
}

const fn meaning(
    name: &'static str,
    text: &'static str,
    share_of: Option<&'static str>,
) -> Meaning {
    Meaning {
        name,
        text,
        share_of,
    }
}

/// Lines for the counters of geometry and raster; a test sees to it that none is missing.
const MEANINGS: &[Meaning] = &[
    meaning("vertices_in", "indices read", None),
    meaning(
        "vertices_shaded",
        "vertex program runs, after reuse",
        Some("vertices_in"),
    ),
    meaning(
        "primitives_in",
        "points, lines and triangles assembled",
        None,
    ),
    meaning(
        "primitives_culled_frustum",
        "outside the view volume",
        Some("primitives_in"),
    ),
    meaning(
        "primitives_culled_facing",
        "back face, or no area",
        Some("primitives_in"),
    ),
    meaning(
        "primitives_culled_sample",
        "cover no pixel centre",
        Some("primitives_in"),
    ),
    meaning(
        "primitives_clipped",
        "cut at the view volume",
        Some("primitives_in"),
    ),
    meaning(
        "primitives_binned",
        "triangles in the Parameter Buffer",
        None,
    ),
    meaning(
        "tile_entries",
        "a triangle counts once for each tile it overlaps",
        None,
    ),
    meaning("parameter_buffer_bytes", "attributes and tile lists", None),
    meaning("quads_rasterised", "2x2 pixels, at least one covered", None),
    meaning(
        "quads_killed_early",
        "hidden before shading",
        Some("quads_rasterised"),
    ),
    meaning(
        "quads_shaded",
        "ran the fragment program",
        Some("quads_rasterised"),
    ),
    meaning(
        "quads_killed_late",
        "nothing left after discard and late depth test",
        Some("quads_shaded"),
    ),
    meaning("fragments_rasterised", "covered pixels", None),
    meaning(
        "fragments_shaded",
        "ran the fragment program",
        Some("fragments_rasterised"),
    ),
    meaning(
        "fragments_killed_late",
        "dropped by discard and late depth test",
        Some("fragments_shaded"),
    ),
    meaning(
        "fragments_written",
        "replaced a colour",
        Some("fragments_shaded"),
    ),
    meaning(
        "fragments_blended",
        "were mixed with a colour",
        Some("fragments_shaded"),
    ),
    meaning(
        "texture_samples",
        "sample instructions of shaded fragments",
        None,
    ),
    meaning("samples_covered", "of four in each pixel", None),
    meaning(
        "samples_passed",
        "not hidden before shading, which is once a pixel",
        Some("samples_covered"),
    ),
];

/// Number of draws that the table shows; JSON has all.
const DRAWS_SHOWN: usize = 8;

/// Table of all totals of a frame with their meanings, and of its most expensive draws.
#[must_use]
pub fn counters_table(counters: &FrameCounters) -> String {
    let mut geometry = stage_rows(&counters.geometry.entries());
    geometry.push(row(
        "tiles_per_primitive",
        decimal(counters.tiles_per_primitive()),
        "tile entries for each binned triangle".to_owned(),
    ));
    let mut raster = raster_rows(counters);
    raster.push(row(
        "overdraw",
        format!("{:.2}", counters.overdraw()),
        "fragments shaded for each pixel of the screen".to_owned(),
    ));
    let align = [Align::Left, Align::Right];
    let split = geometry.len();
    geometry.append(&mut raster);
    // One table, so that both halves line up; the titles go between its lines.
    let table = aligned(&geometry, &align);
    let (above, below) = split_lines(&table, split);
    format!(
        "geometry\n{above}raster\n{below}{}",
        draws_table(&counters.draws)
    )
}

/// Totals from tile fetch to flush; of samples only where pixels have several.
fn raster_rows(counters: &FrameCounters) -> Vec<Vec<String>> {
    let mut entries = counters.raster.entries();
    if counters.raster.samples_covered == 0 {
        entries.retain(|(name, _)| !name.starts_with("samples_"));
        return stage_rows(&entries);
    }
    let mut rows = stage_rows(&entries);
    rows.push(row(
        "pixels_resolved",
        grouped(counters.pixels_resolved()),
        "flushed as the mean of samples of different colours".to_owned(),
    ));
    rows
}

/// The text up to line `lines`, and the rest.
fn split_lines(text: &str, lines: usize) -> (&str, &str) {
    let end = text.split_inclusive('\n').take(lines).map(str::len).sum();
    text.split_at(end)
}

fn stage_rows(entries: &[(&'static str, u64)]) -> Vec<Vec<String>> {
    let value_of = |name: &str| {
        let entry = entries.iter().find(|(other, _)| *other == name);
        entry.map_or(0, |(_, value)| *value)
    };
    entries
        .iter()
        .map(|&(name, value)| {
            let meaning = MEANINGS.iter().find(|meaning| meaning.name == name);
            let text = meaning.map_or("", |meaning| meaning.text);
            let note = match meaning.and_then(|meaning| meaning.share_of) {
                Some(whole) => {
                    let share = percent(value, value_of(whole));
                    format!("{text} ({share} of {})", spoken(whole))
                }
                None if name.ends_with("_bytes") => format!("{text} ({})", bytes(value)),
                None => text.to_owned(),
            };
            row(name, grouped(value), note)
        })
        .collect()
}

fn row(name: &str, value: String, note: String) -> Vec<String> {
    vec![spoken(name), value, note]
}

/// Name of a counter as words.
fn spoken(name: &str) -> String {
    name.replace('_', " ")
}

/// Table of the draws that shade most fragments.
fn draws_table(draws: &[DrawCounters]) -> String {
    let mut order: Vec<usize> = (0..draws.len()).collect();
    order.sort_by_key(|&draw| std::cmp::Reverse(draws[draw].raster.fragments_shaded));
    order.truncate(DRAWS_SHOWN);
    if order.is_empty() {
        return String::new();
    }
    let total: u64 = draws.iter().map(|draw| draw.raster.fragments_shaded).sum();
    let header = [
        "draw",
        "triangles",
        "tile entries",
        "quads shaded",
        "fragments shaded",
        "share",
        "blended",
        "name",
    ];
    let mut rows = vec![header.map(str::to_owned).to_vec()];
    rows.extend(
        order
            .iter()
            .map(|&draw| draw_row(draw, &draws[draw], total)),
    );
    let title = format!(
        "draws with the most shaded fragments ({} of {})",
        order.len(),
        draws.len()
    );
    format!("{title}\n{}", aligned(&rows, &[Align::Right; 7]))
}

fn draw_row(number: usize, draw: &DrawCounters, total: u64) -> Vec<String> {
    let raster = &draw.raster;
    vec![
        number.to_string(),
        grouped(draw.geometry.primitives_binned),
        grouped(draw.geometry.tile_entries),
        grouped(raster.quads_shaded),
        grouped(raster.fragments_shaded),
        percent(raster.fragments_shaded, total),
        grouped(raster.fragments_blended),
        draw.name.clone(),
    ]
}

/// Row of [`frames_table`]: one frame of a sequence.
#[derive(Debug, Clone, PartialEq)]
pub struct FrameRecord {
    /// Position in the sequence.
    pub frame: u64,
    /// Seconds into the animation.
    pub time: f64,
    /// Milliseconds that drawing took.
    pub draw_ms: f64,
    /// Counters of the pipeline in this frame.
    pub counters: FrameCounters,
}

/// Table with one line a frame, and their mean.
#[must_use]
pub fn frames_table(frames: &[FrameRecord]) -> String {
    let header = [
        "frame",
        "time s",
        "draw ms",
        "vertices shaded",
        "triangles binned",
        "tile entries",
        "quads rasterised",
        "killed early",
        "fragments shaded",
        "overdraw",
    ];
    let mut rows = vec![header.map(str::to_owned).to_vec()];
    rows.extend(frames.iter().map(frame_row));
    let table = aligned(&rows, &[Align::Right; 10]);
    let mean = |of: fn(&FrameRecord) -> f64| {
        frames.iter().map(of).sum::<f64>() / frames.len().max(1) as f64
    };
    let (ms, overdraw) = (
        mean(|frame| frame.draw_ms),
        mean(|frame| frame.counters.overdraw()),
    );
    format!("{table}mean: {ms:.2} ms a frame, overdraw {overdraw:.2}\n")
}

fn frame_row(record: &FrameRecord) -> Vec<String> {
    let FrameCounters {
        geometry, raster, ..
    } = &record.counters;
    vec![
        record.frame.to_string(),
        format!("{:.3}", record.time),
        format!("{:.2}", record.draw_ms),
        grouped(geometry.vertices_shaded),
        grouped(geometry.primitives_binned),
        grouped(geometry.tile_entries),
        grouped(raster.quads_rasterised),
        percent(raster.quads_killed_early, raster.quads_rasterised),
        grouped(raster.fragments_shaded),
        format!("{:.2}", record.counters.overdraw()),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;
    use azulejo_grid::TileGrid;
    use azulejo_trace::{GeometryCounters, RasterCounters};

    fn counters() -> FrameCounters {
        let raster = RasterCounters {
            quads_rasterised: 2000,
            quads_killed_early: 500,
            fragments_shaded: 6000,
            ..RasterCounters::default()
        };
        let draw = |name: &str, fragments_shaded| DrawCounters {
            name: name.to_owned(),
            raster: RasterCounters {
                fragments_shaded,
                ..raster
            },
            ..DrawCounters::default()
        };
        FrameCounters {
            grid: TileGrid {
                width: 100,
                height: 50,
                tile_size: 16,
            },
            geometry: GeometryCounters {
                primitives_binned: 100,
                tile_entries: 250,
                ..GeometryCounters::default()
            },
            raster,
            draws: vec![draw("small", 1500), draw("big", 4500)],
            tiles: Vec::new(),
        }
    }

    #[test]
    fn counters_all_have_a_meaning() {
        let geometry = GeometryCounters::default().entries();
        let raster = RasterCounters::default().entries();
        let names: Vec<_> = geometry
            .iter()
            .chain(&raster)
            .map(|entry| entry.0)
            .collect();
        let explained: Vec<_> = MEANINGS.iter().map(|meaning| meaning.name).collect();
        assert_eq!(explained, names, "one line for each, in pipeline order");
        for share_of in MEANINGS.iter().filter_map(|meaning| meaning.share_of) {
            assert!(names.contains(&share_of), "{share_of} is a counter");
        }
    }

    #[test]
    fn counters_table_says_shares_and_ratios() {
        let table = counters_table(&counters());
        for line in [
            "quads killed early           500  hidden before shading (25.0 % of quads rasterised)",
            "tiles per primitive         2.50  tile entries for each binned triangle",
            "overdraw                    1.20  fragments shaded for each pixel of the screen",
        ] {
            assert!(table.contains(line), "{line}\n{table}");
        }
    }

    #[test]
    fn counters_table_puts_the_dearest_draw_first() {
        let table = counters_table(&counters());
        let (big, small) = (table.find("big"), table.find("small"));
        assert!(big < small && big.is_some(), "{table}");
        assert!(table.contains("75.0 %"), "share of all fragments\n{table}");
    }

    #[test]
    fn frames_table_has_a_line_a_frame_and_the_mean() {
        let record = |frame, draw_ms| FrameRecord {
            frame,
            time: frame as f64 / 4.0,
            draw_ms,
            counters: counters(),
        };
        let table = frames_table(&[record(0, 10.0), record(1, 20.0)]);
        assert_eq!(table.lines().count(), 4, "header, two frames, mean");
        assert!(
            table.ends_with("mean: 15.00 ms a frame, overdraw 1.20\n"),
            "{table}"
        );
    }
}
