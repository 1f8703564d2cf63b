//! Results of all points side by side: a row for each point, its choices first, then its totals over all frames.

use std::collections::BTreeMap;

use super::plan::{Plan, Point};
use super::result::PointResult;
use super::total::Fold;
use azulejo_report::{Align, CsvText, aligned, grouped};

/// Counter by which speed is measured: time of a frame in ps.
pub(super) const TIME: &str = "derived.time_ps";

/// Totals of finished points, by number.
#[derive(Debug, Clone)]
pub struct SweepTable<'p> {
    plan: &'p Plan,
    /// Names of counters, in the order in which they came first.
    columns: Vec<String>,
    places: BTreeMap<String, usize>,
    rows: BTreeMap<u64, Row>,
}

/// Totals of a finished point.
#[derive(Debug, Clone, PartialEq)]
pub struct Row {
    /// Number of frames that it ran.
    pub frames: usize,
    /// Totals of its frames, by column of the table, which may be longer.
    pub totals: Vec<Option<f64>>,
}

impl<'p> SweepTable<'p> {
    /// Returns the table without any result.
    #[must_use]
    pub fn new(plan: &'p Plan) -> Self {
        Self {
            plan,
            columns: Vec::new(),
            places: BTreeMap::new(),
            rows: BTreeMap::new(),
        }
    }

    /// Adds the result of point `number`.
    pub fn add(&mut self, number: u64, result: &PointResult) {
        let mut totals = vec![None; self.columns.len()];
        for (name, total) in result.totals() {
            let place = self.place(name);
            totals.resize(self.columns.len(), None);
            totals[place] = total;
        }
        let frames = result.frames.len();
        self.rows.insert(number, Row { frames, totals });
    }

    fn place(&mut self, name: &str) -> usize {
        if let Some(place) = self.places.get(name) {
            return *place;
        }
        let place = self.columns.len();
        self.columns.push(name.to_owned());
        self.places.insert(name.to_owned(), place);
        place
    }

    /// Plan of the points.
    #[must_use]
    pub const fn plan(&self) -> &'p Plan {
        self.plan
    }

    /// Whether no point is finished.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// Iterates over the finished points, by number.
    pub fn rows(&self) -> impl Iterator<Item = (Point<'p>, &Row)> {
        let rows = self.rows.iter();
        rows.filter_map(|(number, row)| Some((self.plan.point(*number)?, row)))
    }

    /// Counters of a row by name, over all its frames.
    pub fn counters<'a>(&'a self, row: &'a Row) -> impl Iterator<Item = (&'a str, f64)> {
        let columns = self.columns.iter().map(String::as_str);
        let measured = columns.zip(&row.totals);
        measured.filter_map(|(name, total)| Some((name, (*total)?)))
    }

    /// Value of a point's counter: a mean over frames if it is summed, else as it is. `None` where the point has none, or
    /// is not finished.
    #[must_use]
    pub fn per_frame(&self, number: u64, counter: &str) -> Option<f64> {
        let row = self.rows.get(&number)?;
        let place = *self.places.get(counter)?;
        let total = row.totals.get(place).copied().flatten()?;
        Some(match Fold::of(counter) {
            Fold::Sum => total / row.frames as f64,
            _ => total,
        })
    }

    /// Speedup in time of a frame over the first point of the scene, whatever their clocks; `None` while one of them is
    /// missing.
    #[must_use]
    pub fn speedup(&self, number: u64) -> Option<f64> {
        let first = self.plan.first_of_scene(number);
        let own = self.per_frame(number, TIME)?;
        let first = self.per_frame(first, TIME)?;
        (own > 0.0).then(|| first / own)
    }

    /// CSV of the table for programs: `point`, `scene`, `machine`, `technique`, the ranges' keys, `frames`, `speedup` in
    /// time, then every counter of all frames together (counts are summed, ratios are those of sums, parameters stand once,
    /// a percentile is the largest of a frame); empty where a point does not have it.
    #[must_use]
    pub fn csv(&self) -> String {
        let choices = ["point", "scene", "machine", "technique"];
        let ranges = self.plan.ranges.iter().map(|range| range.key.as_str());
        let names = choices
            .into_iter()
            .chain(ranges)
            .chain(["frames", "speedup"]);
        let counters = self.columns.iter().map(String::as_str);
        let mut table = CsvText::new(names.chain(counters));
        for (point, row) in self.rows() {
            table.cell(point.number);
            table.cells([point.scene, point.machine, point.technique]);
            table.cells(point.changes.iter().map(|change| change.value));
            table.cell(row.frames);
            table.optional(self.speedup(point.number));
            for place in 0..self.columns.len() {
                table.optional(row.totals.get(place).copied().flatten());
            }
            table.end_row();
        }
        table.into_text()
    }

    /// Text of the table for people: a line for each finished point.
    #[must_use]
    pub fn text(&self) -> String {
        let mut header: Vec<String> = ["point", "scene", "machine", "technique"]
            .map(str::to_owned)
            .to_vec();
        header.extend(self.plan.ranges.iter().map(|range| range.key.clone()));
        let named = header.len();
        header
            .extend(["cycles/frame", "speedup", "DRAM bytes/frame", "mJ/frame"].map(str::to_owned));
        let mut align = vec![Align::Left; named];
        align.resize(header.len(), Align::Right);
        align[0] = Align::Right;
        let mut lines = vec![header];
        lines.extend(self.rows().map(|(point, _)| self.line(&point)));
        aligned(&lines, &align)
    }

    fn line(&self, point: &Point<'_>) -> Vec<String> {
        let whole = |value: f64| grouped(value.round() as u64);
        let shown = |value: Option<f64>, text: &dyn Fn(f64) -> String| {
            value.map_or_else(|| "-".to_owned(), text)
        };
        let counter = |name: &str| self.per_frame(point.number, name);
        let energy =
            (counter("energy.gpu_pJ").zip(counter("energy.dram_pJ"))).map(|(gpu, dram)| gpu + dram);
        let choices = [point.scene, point.machine, point.technique].map(str::to_owned);
        let changes = point.changes.iter().map(|change| change.value.to_owned());
        let measured = [
            shown(counter("cycles"), &whole),
            shown(self.speedup(point.number), &|speedup| {
                format!("{speedup:.3}")
            }),
            shown(counter("derived.dram_bytes"), &whole),
            shown(energy, &|energy| format!("{:.3}", energy / 1e9)),
        ];
        std::iter::once(point.number.to_string())
            .chain(choices)
            .chain(changes)
            .chain(measured)
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::Number;

    fn plan() -> Plan {
        let text = "scenes = [\"a\", \"b\"]\ntechniques = [\"none\", \"re\"]\n[set]\nl2.size = [\"1MiB\", \"2MiB\"]";
        Plan::read("s.toml", text).expect("a sweep")
    }

    fn result(times: &[u64], extra: Option<&str>) -> PointResult {
        let columns = [TIME].into_iter().chain(extra).map(str::to_owned);
        let columns: Vec<_> = columns.collect();
        let row = |time: &u64| {
            (0..columns.len())
                .map(|place| Some(Number::from(time + place as u64)))
                .collect()
        };
        PointResult {
            frames: times.iter().map(row).collect(),
            columns: columns.clone(),
        }
    }

    #[test]
    fn speedup_is_over_the_first_point_of_the_scene() {
        let plan = plan();
        let mut table = SweepTable::new(&plan);
        table.add(0, &result(&[100, 300], None));
        table.add(3, &result(&[50, 50], None));
        table.add(5, &result(&[10], None));
        assert_eq!(table.speedup(3), Some(4.0), "200 a frame, 50 a frame");
        assert_eq!(table.speedup(0), Some(1.0), "itself");
        assert_eq!(table.speedup(5), None, "the first of b is not there");
    }

    #[test]
    fn csv_has_a_row_for_each_result_and_leaves_empty_what_it_lacks() {
        let plan = plan();
        let mut table = SweepTable::new(&plan);
        table.add(0, &result(&[100], None));
        table.add(2, &result(&[80, 80], Some("techniques.re.stall_cycles")));
        let csv = table.csv();
        let lines: Vec<_> = csv.lines().collect();
        assert_eq!(
            lines,
            [
                "point,scene,machine,technique,l2.size,frames,speedup,derived.time_ps,techniques.re.stall_cycles",
                "0,a,valhall-libra-baseline,none,1MiB,1,1,100,",
                "2,a,valhall-libra-baseline,re,1MiB,2,1.25,160,162",
            ]
        );
    }

    #[test]
    fn speedup_is_of_time_where_clocks_differ() {
        let plan = plan();
        let mut table = SweepTable::new(&plan);
        let result = |cycles: u64, ps: u64| PointResult {
            columns: ["cycles", TIME].map(str::to_owned).to_vec(),
            frames: vec![[cycles, ps].map(|n| Some(Number::from(n))).to_vec()],
        };
        // As many cycles at twice the clock.
        table.add(0, &result(1000, 2_500_000));
        table.add(1, &result(1000, 1_250_000));
        assert_eq!(table.speedup(1), Some(2.0), "half the time");
    }

    #[test]
    fn ratio_of_a_frame_is_no_share_of_it() {
        let plan = plan();
        let mut table = SweepTable::new(&plan);
        let columns = ["raster_cycles", "cycles", "derived.raster_share"];
        let numbers = |values: [f64; 3]| values.map(Number::from_f64).to_vec();
        let result = PointResult {
            columns: columns.map(str::to_owned).to_vec(),
            frames: vec![numbers([50.0, 100.0, 0.5]); 4],
        };
        table.add(0, &result);
        assert_eq!(table.per_frame(0, "derived.raster_share"), Some(0.5));
        assert_eq!(table.per_frame(0, "cycles"), Some(100.0), "400 of four");
    }

    #[test]
    fn table_has_a_line_for_each_result() {
        let plan = plan();
        let mut table = SweepTable::new(&plan);
        let result = PointResult {
            columns: vec!["cycles".to_owned()],
            frames: vec![vec![Some(Number::from(1_234_567))]],
        };
        table.add(1, &result);
        let text = table.text();
        assert_eq!(text.lines().count(), 2, "{text}");
        assert!(text.contains("1,234,567") && text.contains('-'), "{text}");
    }
}
