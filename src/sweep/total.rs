//! Totals of a counter over several frames: counts are summed, a ratio is the ratio of sums, a constant stands once.

use std::collections::BTreeMap;

use serde_json::Number;

/// Rule by which the values of frames become one.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Fold {
    /// Sum, for counts and times.
    Sum,
    /// Common value of parameters, where all frames have one.
    Same,
    /// Largest of any frame, for percentiles.
    Largest,
    /// Value of the last frame, for remainders at its end.
    Last,
    /// A ratio: sums of some counters over those of others, times a number.
    Ratio(&'static [&'static str], Under, f64),
}

/// Second operand of a ratio.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Under {
    /// Sums of a counter.
    Counter(&'static str),
    /// Number of frames, which is divided by the sums: frames for each picosecond.
    Frames,
    /// Pixels of the screen in all frames.
    Pixels,
}

/// Ratios that reports derive, as [`frame_record`](azulejo_report::frame_record) defines them of a frame.
const RATIOS: [(&str, Fold); 5] = [
    (
        "derived.frames_per_second",
        Fold::Ratio(&["derived.time_ps"], Under::Frames, 1e12),
    ),
    (
        "derived.raster_share",
        Fold::Ratio(&["raster_cycles"], Under::Counter("cycles"), 1.0),
    ),
    (
        "derived.bytes_per_pixel",
        Fold::Ratio(&["derived.dram_bytes"], Under::Pixels, 1.0),
    ),
    (
        "derived.texture_hit_ratio",
        Fold::Ratio(
            &["cores.texture.hits"],
            Under::Counter("cores.texture.accesses"),
            1.0,
        ),
    ),
    (
        "derived.texture_quad_hit_ratio",
        Fold::Ratio(
            &["cores.texture.quad_hits", "cores.texture.quad_pending_hits"],
            Under::Counter("cores.texture.quad_accesses"),
            1.0,
        ),
    ),
];

/// Decimals of a ratio, as a power of ten: those of a frame's.
const DECIMALS: f64 = 1e6;

impl Fold {
    /// Selects the rule by the name of a counter.
    pub(super) fn of(name: &str) -> Self {
        if let Some((_, ratio)) = RATIOS.iter().find(|(ratio, _)| *ratio == name) {
            return *ratio;
        }
        let is_size = |last: &str| matches!(last, "size" | "count" | "word");
        let of_memory = |(_, last): (&str, &str)| is_size(last);
        match name {
            "clock"
            | "samples"
            | "dram.line_bytes"
            | "dram.burst_bytes"
            | "dram.period"
            | "immediate.work_tile" => Self::Same,
            "dram.read_latency_p95" => Self::Largest,
            "dram.bursts_waiting" => Self::Last,
            _ if name.starts_with("grid.") => Self::Same,
            _ if name.split_once(".memories.").is_some_and(of_memory) => Self::Same,
            _ => Self::Sum,
        }
    }
}

/// Counters of a point, column by column.
#[derive(Debug)]
pub(super) struct Totals<'a> {
    columns: BTreeMap<&'a str, usize>,
    frames: &'a [Vec<Option<Number>>],
}

impl<'a> Totals<'a> {
    pub(super) fn new(columns: &'a [String], frames: &'a [Vec<Option<Number>>]) -> Self {
        Self {
            columns: columns.iter().map(String::as_str).zip(0..).collect(),
            frames,
        }
    }

    /// Total of the counter of this name; `None` where no frame has it.
    pub(super) fn of(&self, name: &str) -> Option<f64> {
        match Fold::of(name) {
            Fold::Sum => self.sum(name),
            Fold::Same => {
                let mut values = self.values(name);
                let first = values.next()?;
                values.all(|value| value == first).then_some(first)
            }
            Fold::Largest => self.values(name).reduce(f64::max),
            Fold::Last => self.values(name).last(),
            Fold::Ratio(over, under, factor) => {
                let over: f64 = over.iter().map(|name| self.sum(name)).sum::<Option<_>>()?;
                let n_frames = self.frames.len() as f64;
                let value = match under {
                    Under::Counter(name) => over / self.sum(name)?,
                    Under::Frames => n_frames / over,
                    Under::Pixels => {
                        let pixels = self.of("grid.width")? * self.of("grid.height")?;
                        over / (n_frames * pixels)
                    }
                };
                let value = (factor * value * DECIMALS).round() / DECIMALS;
                value.is_finite().then_some(value)
            }
        }
    }

    fn values(&self, name: &str) -> impl Iterator<Item = f64> {
        let column = self.columns.get(name).copied();
        let cells = column.map(|column| self.frames.iter().filter_map(move |row| row.get(column)));
        let cells = cells.into_iter().flatten();
        cells.filter_map(|cell| cell.as_ref().and_then(Number::as_f64))
    }

    fn sum(&self, name: &str) -> Option<f64> {
        self.values(name).reduce(|sum, value| sum + value)
    }
}
