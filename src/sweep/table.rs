//! Results of all points side by side: a row for each point, its choices first, then what it said, summed over its frames.

use std::collections::BTreeMap;

use super::plan::{Plan, Point};
use super::result::PointResult;
use crate::report::{Align, CsvText, aligned, grouped};

/// Counters of finished points.
#[derive(Debug, Clone)]
pub struct SweepTable<'p> {
    plan: &'p Plan,
    /// Names of counters, in the order in which they came first.
    columns: Vec<String>,
    places: BTreeMap<String, usize>,
    rows: BTreeMap<u64, Row>,
}

/// A finished point.
#[derive(Debug, Clone, PartialEq)]
pub struct Row {
    /// How many frames it ran.
    pub frames: usize,
    /// Sums over them by column of the table, which may be longer.
    pub sums: Vec<Option<f64>>,
}

impl<'p> SweepTable<'p> {
    /// Without any result.
    #[must_use]
    pub fn new(plan: &'p Plan) -> Self {
        Self {
            plan,
            columns: Vec::new(),
            places: BTreeMap::new(),
            rows: BTreeMap::new(),
        }
    }

    /// Adds what point `number` said.
    pub fn add(&mut self, number: u64, result: &PointResult) {
        let mut sums = vec![None; self.columns.len()];
        for (name, sum) in result.sums() {
            let place = self.place(name);
            sums.resize(self.columns.len(), None);
            sums[place] = sum;
        }
        let frames = result.frames.len();
        self.rows.insert(number, Row { frames, sums });
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

    /// What the points are of.
    #[must_use]
    pub const fn plan(&self) -> &'p Plan {
        self.plan
    }

    /// Whether no point is finished.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// Finished points, by number.
    pub fn rows(&self) -> impl Iterator<Item = (Point<'p>, &Row)> {
        let rows = self.rows.iter();
        rows.filter_map(|(number, row)| Some((self.plan.point(*number)?, row)))
    }

    /// Every counter of a row by name, summed over its frames.
    pub fn counters<'a>(&'a self, row: &'a Row) -> impl Iterator<Item = (&'a str, f64)> {
        let columns = self.columns.iter().map(String::as_str);
        let measured = columns.zip(&row.sums);
        measured.filter_map(|(name, sum)| Some((name, (*sum)?)))
    }

    /// A counter of a point, a frame; nothing where it has none, or is not finished.
    #[must_use]
    pub fn per_frame(&self, number: u64, counter: &str) -> Option<f64> {
        let row = self.rows.get(&number)?;
        let place = *self.places.get(counter)?;
        let sum = row.sums.get(place).copied().flatten()?;
        Some(sum / row.frames as f64)
    }

    /// How much faster a point is than the first of its scene; nothing while one of them is missing.
    #[must_use]
    pub fn speedup(&self, number: u64) -> Option<f64> {
        let first = self.plan.first_of_scene(number);
        let own = self.per_frame(number, "cycles")?;
        let first = self.per_frame(first, "cycles")?;
        (own > 0.0).then(|| first / own)
    }

    /// All of it for programs: `point`, `scene`, `machine`, `technique`, the ranges' keys, `frames`, `speedup`, then every counter
    /// summed over the frames; empty where a point does not have it.
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
                table.optional(row.sums.get(place).copied().flatten());
            }
            table.end_row();
        }
        table.into_text()
    }

    /// For people: a line for each finished point.
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

    fn result(cycles: &[u64], extra: Option<&str>) -> PointResult {
        let columns = ["cycles"].into_iter().chain(extra).map(str::to_owned);
        let columns: Vec<_> = columns.collect();
        let row = |cycles: &u64| {
            (0..columns.len())
                .map(|place| Some(Number::from(cycles + place as u64)))
                .collect()
        };
        PointResult {
            frames: cycles.iter().map(row).collect(),
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
                "point,scene,machine,technique,l2.size,frames,speedup,cycles,techniques.re.stall_cycles",
                "0,a,valhall-libra-baseline,none,1MiB,1,1,100,",
                "2,a,valhall-libra-baseline,re,1MiB,2,1.25,160,162",
            ]
        );
    }

    #[test]
    fn table_has_a_line_for_each_result() {
        let plan = plan();
        let mut table = SweepTable::new(&plan);
        table.add(1, &result(&[1_234_567], None));
        let text = table.text();
        assert_eq!(text.lines().count(), 2, "{text}");
        assert!(text.contains("1,234,567") && text.contains('-'), "{text}");
    }
}
