//! Results of a sweep as charts: the effect of each choice by itself, and of each two ranges together. Every point is set
//! against the one that has the first value of these choices and is alike in all else, so a chart shows them and nothing
//! else, also where points are missing.

use super::plan::Dimension;
use super::table::{SweepTable, TIME};
use azulejo_report::page::{Chart, Form, Row, Section, Unit};

/// Most scenes that get a row; for more only their mean is shown.
const MAX_ROWS: usize = 24;

/// Number of dimensions beside ranges: scene, machine, technique.
const FIXED: usize = 3;

/// Measure of a frame by which points are compared.
struct Measure {
    id: &'static str,
    title: &'static str,
    /// Counters whose sum it is.
    counters: &'static [&'static str],
    /// Whether more is better: the ratio is turned over.
    is_speed: bool,
}

const MEASURES: [Measure; 4] = [
    Measure {
        id: "speedup",
        title: "speed-up in time a frame",
        counters: &[TIME],
        is_speed: true,
    },
    Measure {
        id: "system",
        title: "speed-up of whole frames on a system on chip, from the cores' work to the queue of the display",
        counters: &["system.frame_time_ps"],
        is_speed: true,
    },
    Measure {
        id: "dram",
        title: "DRAM bytes a frame",
        counters: &["derived.dram_bytes"],
        is_speed: false,
    },
    Measure {
        id: "energy",
        title: "energy of GPU and DRAM a frame",
        counters: &["energy.gpu_pJ", "energy.dram_pJ"],
        is_speed: false,
    },
];

/// Returns a section for each choice that the sweep has (machine, technique, each range), with a chart for each measure
/// that was taken: by scene, and the geometric mean over all pairs of points. Then one for each two ranges, with heat maps
/// of one over the other.
#[must_use]
pub fn sections(table: &SweepTable<'_>) -> Vec<Section> {
    let dimensions = table.plan().dimensions();
    // Scenes are the rows.
    let choices = dimensions.iter().skip(1);
    let choices = choices.filter(|choice| choice.values.len() > 1);
    let ranges = dimensions.iter().skip(FIXED);
    let ranges: Vec<_> = ranges.filter(|range| range.values.len() > 1).collect();
    let pairs = ranges.iter().enumerate().flat_map(|(place, down)| {
        let others = ranges[place + 1..].iter();
        others.map(move |across| of_pair(table, down, across))
    });
    let sections = choices.map(|choice| of_choice(table, choice)).chain(pairs);
    sections
        .filter(|section| !section.charts.is_empty())
        .collect()
}

fn of_choice(table: &SweepTable<'_>, choice: &Dimension<'_>) -> Section {
    let charts = MEASURES.iter();
    Section {
        id: choice.name.replace('.', "-"),
        title: format!("What {} does", choice.name),
        charts: charts
            .filter_map(|measure| chart(table, choice, measure))
            .collect(),
        no_verdicts: format!(
            "Each point beside the one that differs in {} alone, which is '{}' there.",
            choice.name, choice.values[0]
        ),
        ..Section::default()
    }
}

fn of_pair(table: &SweepTable<'_>, down: &Dimension<'_>, across: &Dimension<'_>) -> Section {
    let charts = MEASURES.iter();
    Section {
        id: format!("{}-x-{}", down.name, across.name).replace('.', "-"),
        title: format!("What {} and {} do together", down.name, across.name),
        charts: charts
            .filter_map(|measure| heat_map(table, down, across, measure))
            .collect(),
        no_verdicts: format!(
            "Each point beside the one that differs in these two alone, of which {} is '{}' and {} is '{}' there; the geometric mean \
             over all else.",
            down.name, down.values[0], across.name, across.values[0]
        ),
        ..Section::default()
    }
}

/// Ratio of a point's measure to that of point `reference`; `None` where one of them is missing.
fn ratio(table: &SweepTable<'_>, measure: &Measure, number: u64, reference: u64) -> Option<f64> {
    let pair = (measure.of(table, number)).zip(measure.of(table, reference));
    let (own, first) = pair.filter(|(own, first)| *own > 0.0 && *first > 0.0)?;
    Some(match measure.is_speed {
        true => first / own,
        false => own / first,
    })
}

fn chart(table: &SweepTable<'_>, choice: &Dimension<'_>, measure: &Measure) -> Option<Chart> {
    let plan = table.plan();
    let n_values = choice.values.len();
    let mut by_scene = vec![vec![Mean::default(); n_values]; plan.scenes.len()];
    let mut of_all = vec![Mean::default(); n_values];
    let per_scene = plan.n_points() / plan.scenes.len() as u64;
    for (point, _) in table.rows() {
        let place = choice.place(point.number);
        let reference = point.number - place * choice.stride;
        let Some(ratio) = ratio(table, measure, point.number, reference) else {
            continue;
        };
        let scene = (point.number / per_scene) as usize;
        by_scene[scene][place as usize].add(ratio);
        of_all[place as usize].add(ratio);
    }
    if of_all.iter().skip(1).all(|mean| mean.count == 0) {
        return None;
    }
    let rows = plan.scenes.iter().zip(&by_scene);
    let is_many = plan.scenes.len() > MAX_ROWS;
    let mean = row("geometric mean", &of_all);
    Some(Chart {
        id: format!("{}.{}", choice.name, measure.id),
        title: measure.title.to_owned(),
        unit: unit(&format!("{} = {}", choice.name, choice.values[0])),
        form: match choice.is_numeric() {
            true => Form::Lines,
            false => Form::Bars,
        },
        columns: names(choice),
        rows: match is_many {
            true => vec![mean.clone()],
            false => rows.map(|(name, means)| row(name, means)).collect(),
        },
        means: if is_many { Vec::new() } else { vec![mean] },
        stated: Vec::new(),
    })
}

/// Heat map of a measure over two ranges; `None` where no point differs from the first in both.
fn heat_map(
    table: &SweepTable<'_>,
    down: &Dimension<'_>,
    across: &Dimension<'_>,
    measure: &Measure,
) -> Option<Chart> {
    let mut cells = vec![vec![Mean::default(); across.values.len()]; down.values.len()];
    for (point, _) in table.rows() {
        let (row, column) = (down.place(point.number), across.place(point.number));
        let reference = point.number - row * down.stride - column * across.stride;
        if let Some(ratio) = ratio(table, measure, point.number, reference) {
            cells[row as usize][column as usize].add(ratio);
        }
    }
    let beyond = cells.iter().skip(1).flat_map(|row| row.iter().skip(1));
    if beyond.clone().all(|mean| mean.count == 0) {
        return None;
    }
    let (first_row, first_column) = (down.values[0], across.values[0]);
    let rows = down.values.iter().zip(&cells);
    Some(Chart {
        id: format!("{}.{}.{}", down.name, across.name, measure.id),
        title: format!("{}: {} over {}", measure.title, down.name, across.name),
        unit: unit(&format!(
            "{} = {first_row}, {} = {first_column}",
            down.name, across.name
        )),
        form: Form::Heat {
            down: down.name.to_owned(),
            across: across.name.to_owned(),
        },
        columns: names(across),
        rows: rows.map(|(name, means)| row(name, means)).collect(),
        means: Vec::new(),
        stated: Vec::new(),
    })
}

fn row(name: &str, means: &[Mean]) -> Row {
    Row {
        name: name.to_owned(),
        values: means.iter().map(Mean::value).collect(),
    }
}

fn names(choice: &Dimension<'_>) -> Vec<String> {
    let values = choice.values.iter();
    values.map(|value| (*value).to_owned()).collect()
}

fn unit(reference: &str) -> Unit {
    Unit {
        axis: format!("times that of {reference}"),
        sign: " x".to_owned(),
        difference: String::new(),
        decimals: 3,
    }
}

impl Measure {
    fn of(&self, table: &SweepTable<'_>, number: u64) -> Option<f64> {
        let counters = self.counters.iter();
        counters.map(|name| table.per_frame(number, name)).sum()
    }
}

/// Geometric mean as a running sum of logarithms.
#[derive(Debug, Clone, Copy, Default)]
struct Mean {
    sum_of_logs: f64,
    count: u64,
}

impl Mean {
    fn add(&mut self, ratio: f64) {
        self.sum_of_logs += ratio.ln();
        self.count += 1;
    }

    fn value(&self) -> Option<f64> {
        (self.count > 0).then(|| (self.sum_of_logs / self.count as f64).exp())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Plan, PointResult};
    use serde_json::Number;

    const TEXT: &str = r#"
        scenes = ["a", "b"]
        techniques = ["none", "re"]
        [set]
        "l2.size" = ["1MiB", "2MiB", "4MiB"]
    "#;

    fn result(time: u64) -> PointResult {
        PointResult {
            columns: vec![TIME.to_owned()],
            frames: vec![vec![Some(Number::from(time))]],
        }
    }

    fn chart_of(sections: &[Section], id: &str) -> Chart {
        let charts = sections.iter().flat_map(|section| &section.charts);
        let found = charts.clone().find(|chart| chart.id == id);
        found.cloned().unwrap_or_else(|| {
            let ids: Vec<_> = charts.map(|chart| &chart.id).collect();
            panic!("{id}: there are {ids:?}")
        })
    }

    #[test]
    fn choice_is_compared_with_all_else_equal() {
        let plan = Plan::read("s.toml", TEXT).expect("a sweep");
        let mut table = SweepTable::new(&plan);
        // Scenes differ by 10, RE halves, each step of the L2 takes a tenth of the first off.
        for (number, cycles) in (0..).zip([
            1000, 900, 800, 500, 450, 400, 10_000, 9_000, 8_000, 5_000, 4_500, 4_000,
        ]) {
            table.add(number, &result(cycles));
        }
        let sections = sections(&table);
        assert_eq!(sections.len(), 2, "one machine is no choice");
        let technique = chart_of(&sections, "technique.speedup");
        assert_eq!(technique.form, Form::Bars);
        for row in technique.rows.iter().chain(&technique.means) {
            let [none, re] = row.values[..] else {
                panic!("two columns: {row:?}")
            };
            assert_eq!(none, Some(1.0));
            assert!((re.expect("measured") - 2.0).abs() < 1e-12, "{row:?}");
        }
        let size = chart_of(&sections, "l2.size.speedup");
        assert_eq!(size.form, Form::Lines, "sizes are numbers");
        let last = size.means[0].values[2].expect("measured");
        assert!((last - 1.25).abs() < 1e-12, "{last}");
    }

    #[test]
    fn point_without_its_partner_is_left_out() {
        let plan = Plan::read("s.toml", TEXT).expect("a sweep");
        let mut table = SweepTable::new(&plan);
        // In scene b: the third size without RE, whose first is missing; the first two with RE.
        for (number, cycles) in [(8, 1), (9, 300), (10, 100)] {
            table.add(number, &result(cycles));
        }
        let sections = sections(&table);
        assert_eq!(sections.len(), 1, "no pair of techniques is there");
        let size = chart_of(&sections, "l2.size.speedup");
        assert_eq!(size.rows[0].values, [None, None, None], "scene a");
        let second = size.rows[1].values[1].expect("a pair");
        assert!((second - 3.0).abs() < 1e-12, "{second}");
        assert_eq!(size.rows[1].values[2], None);
    }

    #[test]
    fn two_ranges_are_shown_over_each_other() {
        let text = r#"
            scenes = ["a", "b"]
            [set]
            "l2.size" = ["1MiB", "2MiB"]
            "l2.ways" = [4, 8, 16]
        "#;
        let plan = Plan::read("s.toml", text).expect("a sweep");
        let mut table = SweepTable::new(&plan);
        // In scene a: twice as fast with each step of either. In scene b: the last point alone, whose first is missing.
        for (number, cycles) in (0..).zip([800, 400, 200, 400, 200, 100]) {
            table.add(number, &result(cycles));
        }
        table.add(11, &result(1));
        let chart = chart_of(&sections(&table), "l2.size.l2.ways.speedup");
        let (down, across) = ("l2.size".to_owned(), "l2.ways".to_owned());
        assert_eq!(chart.form, Form::Heat { down, across });
        assert_eq!(chart.columns, ["4", "8", "16"]);
        let names: Vec<_> = chart.rows.iter().map(|row| &*row.name).collect();
        assert_eq!(names, ["1MiB", "2MiB"]);
        let expected = [[1.0, 2.0, 4.0], [2.0, 4.0, 8.0]];
        for (row, expected) in chart.rows.iter().zip(expected) {
            for (value, expected) in row.values.iter().zip(expected) {
                let value = value.expect("measured");
                assert!((value - expected).abs() < 1e-12, "{row:?}");
            }
        }
    }

    #[test]
    fn two_ranges_of_which_no_point_has_both_make_no_map() {
        let text = "scenes = [\"a\"]\n[set]\n\"a\" = [1, 2]\n\"b\" = [1, 2]";
        let plan = Plan::read("s.toml", text).expect("a sweep");
        let mut table = SweepTable::new(&plan);
        for number in 0..3 {
            table.add(number, &result(100));
        }
        let ids: Vec<_> = sections(&table).into_iter().map(|one| one.id).collect();
        assert_eq!(ids, ["a", "b"], "no a-x-b");
    }

    #[test]
    fn many_scenes_are_shown_by_their_mean() {
        let names: Vec<_> = (0..40).map(|number| format!("\"{number}\"")).collect();
        let text = format!(
            "scenes = [{}]\ntechniques = [\"none\", \"re\"]",
            names.join(",")
        );
        let plan = Plan::read("s.toml", &text).expect("a sweep");
        let mut table = SweepTable::new(&plan);
        for number in 0..plan.n_points() {
            table.add(number, &result(100));
        }
        let chart = chart_of(&sections(&table), "technique.speedup");
        assert_eq!(chart.rows.len(), 1);
        assert_eq!(chart.rows[0].name, "geometric mean");
    }
}
