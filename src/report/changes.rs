//! Comparison of two results: trees of JSON in, their differences out: every number beside its counterpart, the largest
//! relative change first.
//!
//! Numbers are named by the keys that lead to them. Items of lists are told apart by their names (`machine`, `frame`,
//! `demo`), so that one that is new does not shift the others; where no two have a name in common and there are as many, as
//! in runs of two machines, they are taken in order.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;
use serde_json::{Map, Value};

use super::table::{Align, aligned};
use super::text::grouped;

/// Keys by which items of a list are told apart, the first that all of them have and no two have alike.
const NAMING: [&str; 8] = [
    "id", "machine", "demo", "claim", "draw", "frame", "name", "index",
];
/// Key under which a figure names the places of its lists of numbers.
const COLUMNS: &str = "columns";

/// Key under which a result names the version of all numbers.
const VERSION: &str = "results_version";

/// Number that differs between the results.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Change {
    /// Keys that lead to it, with points between.
    pub name: String,
    /// Value in the first result.
    pub before: f64,
    /// Value in the second result.
    pub after: f64,
    /// Relative growth (0.1 is 10 % more); `None` where the first value is 0.
    pub relative: Option<f64>,
}

/// Text that differs between the results.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Reworded {
    /// Keys that lead to it, with points between.
    pub name: String,
    /// Text in the first result.
    pub before: String,
    /// Text in the second result.
    pub after: String,
}

/// Part that one result alone has.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Unmatched {
    /// Keys that lead to it, with points between.
    pub name: String,
    /// Count of numbers that it holds.
    pub numbers: usize,
}

/// Differences of two results, and the number of their agreements.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Changes {
    /// Changed numbers, the largest relative change first, those from 0 before all; by name where they are alike.
    pub changed: Vec<Change>,
    /// Count of numbers that are equal in both.
    pub equal: usize,
    /// Texts that differ between the results.
    pub reworded: Vec<Reworded>,
    /// Parts of the first result alone.
    pub only_before: Vec<Unmatched>,
    /// Parts of the second result alone.
    pub only_after: Vec<Unmatched>,
}

impl Change {
    fn of(name: &str, before: f64, after: f64) -> Self {
        Self {
            name: name.to_owned(),
            before,
            after,
            relative: (before != 0.0).then(|| (after - before) / before.abs()),
        }
    }

    /// Absolute value of the relative change; infinite from 0.
    #[must_use]
    pub fn size(&self) -> f64 {
        self.relative.map_or(f64::INFINITY, f64::abs)
    }
}

impl Changes {
    /// Compares `before` with `after`.
    #[must_use]
    pub fn between(before: &Value, after: &Value) -> Self {
        let mut changes = Self::default();
        changes.walk("", Some(before), Some(after));
        let larger = |a: &Change, b: &Change| b.size().total_cmp(&a.size());
        (changes.changed).sort_by(|a, b| larger(a, b).then_with(|| a.name.cmp(&b.name)));
        changes
    }

    /// Whether no difference counts.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.changed.is_empty() && self.only_before.is_empty() && self.only_after.is_empty()
    }

    fn walk(&mut self, name: &str, before: Option<&Value>, after: Option<&Value>) {
        match (before, after) {
            (Some(Value::Object(before)), Some(Value::Object(after))) => {
                self.walk_objects(name, before, after);
            }
            (Some(Value::Array(before)), Some(Value::Array(after))) => {
                self.walk_lists(name, before, after, &[]);
            }
            (Some(before), Some(after)) => self.leaves(name, before, after),
            (Some(before), None) => self.only_before.extend(unmatched(name, before)),
            (None, Some(after)) => self.only_after.extend(unmatched(name, after)),
            (None, None) => {}
        }
    }

    fn walk_objects(&mut self, name: &str, a: &Map<String, Value>, b: &Map<String, Value>) {
        // A figure names its columns once; its lists of numbers have no names of their own.
        let columns = a
            .get(COLUMNS)
            .filter(|columns| b.get(COLUMNS) == Some(columns));
        let columns = columns.and_then(Value::as_array).map_or(&[][..], |all| all);
        let keys: BTreeSet<&String> = a.keys().chain(b.keys()).collect();
        for key in keys {
            let name = below(name, key);
            match (a.get(key), b.get(key)) {
                (Some(Value::Array(a)), Some(Value::Array(b))) => {
                    self.walk_lists(&name, a, b, columns);
                }
                (a, b) => self.walk(&name, a, b),
            }
        }
    }

    fn walk_lists(&mut self, name: &str, a: &[Value], b: &[Value], columns: &[Value]) {
        // Whether a name is part of the item.
        let ((keys_a, keys_b), content) = match (names_of(a), names_of(b)) {
            (Some(a), Some(b)) if have_one_in_common(&a, &b) => ((a, b), true),
            // Two runs of one machine each: only the name differs.
            (Some(a_names), Some(_)) if a.len() == b.len() => ((a_names.clone(), a_names), true),
            _ => ((places(a, columns), places(b, columns)), false),
        };
        let (by_key_a, by_key_b) = (by_key(&keys_a, a, content), by_key(&keys_b, b, content));
        let only_b = keys_b.iter().filter(|key| !by_key_a.contains_key(key));
        for key in keys_a.iter().chain(only_b) {
            let (before, after) = (by_key_a.get(key), by_key_b.get(key));
            let name = below(name, key);
            // The rest of `[name, one, other]` is no list of columns.
            let is_rest = matches!(before, Some(Cow::Owned(_)));
            match (before.map(Cow::as_ref), after.map(Cow::as_ref)) {
                (Some(Value::Array(a)), Some(Value::Array(b))) => {
                    self.walk_lists(&name, a, b, if is_rest { &[] } else { columns });
                }
                (before, after) => self.walk(&name, before, after),
            }
        }
    }

    fn leaves(&mut self, name: &str, before: &Value, after: &Value) {
        // A version is a name: no threshold is about it.
        let is_name = name.rsplit('.').next() == Some(VERSION);
        let quantity = |value| quantity(value).filter(|_| !is_name);
        match (quantity(before), quantity(after)) {
            (Some(a), Some(b)) if before == after || a == b => self.equal += 1,
            (Some(a), Some(b)) => self.changed.push(Change::of(name, a, b)),
            (None, None) if before == after => {}
            // One side has no measurement.
            (None, Some(_)) if before.is_null() => self.walk(name, None, Some(after)),
            (Some(_), None) if after.is_null() => self.walk(name, Some(before), None),
            _ => self.reworded.push(Reworded {
                name: name.to_owned(),
                before: word(before),
                after: word(after),
            }),
        }
    }
}

/// Entry for a part that one side alone has, if it holds a number.
fn unmatched(name: &str, part: &Value) -> Option<Unmatched> {
    let numbers = n_numbers(part);
    (numbers > 0).then(|| Unmatched {
        name: name.to_owned(),
        numbers,
    })
}

fn n_numbers(value: &Value) -> usize {
    match value {
        Value::Object(fields) => fields.values().map(n_numbers).sum(),
        Value::Array(items) => items.iter().map(n_numbers).sum(),
        value => usize::from(quantity(value).is_some()),
    }
}

fn below(name: &str, key: &str) -> String {
    match name {
        "" => key.to_owned(),
        name => format!("{name}.{key}"),
    }
}

/// Names of the items of a list, if all have one and no two are alike.
fn names_of(items: &[Value]) -> Option<Vec<String>> {
    let of_key = |key: &str| -> Option<Vec<String>> {
        let name = |item: &Value| match item.get(key)? {
            Value::String(text) => Some(text.clone()),
            Value::Number(number) => Some(number.to_string()),
            _ => None,
        };
        items.iter().map(name).collect()
    };
    // `["match3", {...}]`: a name and what it stands for.
    let first = |item: &Value| Some(item.as_array()?.first()?.as_str()?.to_owned());
    let pairs = || items.iter().map(first).collect::<Option<Vec<_>>>();
    let is_distinct =
        |names: &Vec<String>| names.iter().collect::<BTreeSet<_>>().len() == names.len();
    let found = NAMING
        .iter()
        .find_map(|key| of_key(key).filter(is_distinct));
    found
        .or_else(|| pairs().filter(is_distinct))
        .filter(|names| !names.is_empty())
}

fn have_one_in_common(a: &[String], b: &[String]) -> bool {
    let a: BTreeSet<&String> = a.iter().collect();
    b.iter().any(|key| a.contains(key))
}

/// Map of items by their keys, without their names where these are part of them.
fn by_key<'a>(
    keys: &'a [String],
    items: &'a [Value],
    named: bool,
) -> BTreeMap<&'a String, Cow<'a, Value>> {
    let item = |item: &'a Value| {
        if named {
            unnamed(item)
        } else {
            Cow::Borrowed(item)
        }
    };
    keys.iter().zip(items.iter().map(item)).collect()
}

/// An item of a list of names without its name.
fn unnamed(item: &Value) -> Cow<'_, Value> {
    match item.as_array().map(Vec::as_slice) {
        Some([Value::String(_), content]) => Cow::Borrowed(content),
        Some([Value::String(_), rest @ ..]) => Cow::Owned(Value::Array(rest.to_vec())),
        _ => Cow::Borrowed(item),
    }
}

/// Keys of a list by place: columns' names where there are as many, else numbers from 0.
fn places(items: &[Value], columns: &[Value]) -> Vec<String> {
    let names = columns.iter().map(word);
    if columns.len() == items.len() {
        return names.collect();
    }
    (0..items.len()).map(|place| place.to_string()).collect()
}

/// Value of a number, or of a text that is one with a unit of bytes, as machine files write them.
fn quantity(value: &Value) -> Option<f64> {
    let text = match value {
        Value::Number(number) => return number.as_f64(),
        Value::String(text) => text,
        _ => return None,
    };
    let digits = text.trim_end_matches(|c: char| !c.is_ascii_digit());
    let factor = match text[digits.len()..].trim_start() {
        "B" => 1.0,
        "KiB" => 1024.0,
        "MiB" => 1024.0 * 1024.0,
        "GiB" => 1024.0 * 1024.0 * 1024.0,
        _ => return None,
    };
    let value = digits.parse::<u64>().ok()?;
    Some(value as f64 * factor)
}

/// Text of a leaf, in a word.
fn word(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Object(_) => "(a table)".to_owned(),
        Value::Array(items) => format!("(a list of {})", items.len()),
        value => value.to_string(),
    }
}

/// A number as people read it: whole ones grouped by thousands, others with six digits.
#[must_use]
pub fn number_text(value: f64) -> String {
    const WHOLE: f64 = 9.0e15;
    if value.fract() == 0.0 && value.abs() < WHOLE {
        let sign = if value < 0.0 { "-" } else { "" };
        return format!("{sign}{}", grouped(value.abs() as u64));
    }
    let digits = 5 - value.abs().log10().floor().clamp(-12.0, 5.0) as i32;
    format!("{value:.*}", usize::try_from(digits).unwrap_or(0))
}

/// Common beginning of all names of several numbers, up to a point; empty where they have none.
fn common_beginning(changed: &[Change]) -> &str {
    let [first, rest @ ..] = changed else {
        return "";
    };
    let mut common = first.name.as_str();
    for change in rest {
        let alike = common.bytes().zip(change.name.bytes());
        let n = alike.take_while(|(a, b)| a == b).count();
        let end = common.as_bytes()[..n]
            .iter()
            .rposition(|byte| *byte == b'.');
        common = end.and_then(|end| common.get(..=end)).unwrap_or("");
    }
    if rest.is_empty() { "" } else { common }
}

/// Table of the changes, at most `most` of each kind; `beyond` marks those that are further than allowed.
#[must_use]
pub fn changes_table(changes: &Changes, most: usize, beyond: impl Fn(&Change) -> bool) -> String {
    let mut text = format!(
        "{} numbers changed, {} did not\n",
        grouped(changes.changed.len() as u64),
        grouped(changes.equal as u64)
    );
    let common = common_beginning(&changes.changed);
    if !common.is_empty() {
        text += &format!("all in {}\n", common.trim_end_matches('.'));
    }
    let mut rows = vec![
        ["relative", "before", "after", "", "name"]
            .map(str::to_owned)
            .to_vec(),
    ];
    rows.extend(changes.changed.iter().take(most).map(|change| {
        let relative = change.relative.map_or("from 0".to_owned(), |relative| {
            format!("{:+.2} %", 100.0 * relative)
        });
        let mark = if beyond(change) { "!" } else { "" };
        vec![
            relative,
            number_text(change.before),
            number_text(change.after),
            mark.to_owned(),
            change.name[common.len()..].to_owned(),
        ]
    }));
    if rows.len() > 1 {
        text += &aligned(&rows, &[Align::Right; 3]);
    }
    text += &more(changes.changed.len(), most);
    let rows = changes.reworded.iter().take(most);
    let rows = rows.map(|of| vec![of.name.clone(), of.before.clone(), of.after.clone()]);
    let rows: Vec<_> = rows.collect();
    if !rows.is_empty() {
        text += "texts that are not the same\n";
        text += &aligned(&rows, &[]);
        text += &more(changes.reworded.len(), most);
    }
    for (side, parts) in [
        ("first", &changes.only_before),
        ("second", &changes.only_after),
    ] {
        if parts.is_empty() {
            continue;
        }
        text += &format!("only in the {side}\n");
        let rows = parts.iter().take(most).map(|part| {
            let numbers = match part.numbers {
                1 => String::new(),
                n => format!("{} numbers", grouped(n as u64)),
            };
            vec![part.name.clone(), numbers]
        });
        text += &aligned(&rows.collect::<Vec<_>>(), &[]);
        text += &more(parts.len(), most);
    }
    text
}

fn more(all: usize, shown: usize) -> String {
    match all.saturating_sub(shown) {
        0 => String::new(),
        more => format!("  and {} more\n", grouped(more as u64)),
    }
}

/// Threshold of relative changes.
#[derive(Debug, Clone, PartialEq)]
pub struct Threshold {
    /// Parts of names that it is for, with points between; `None` for all names.
    pub names: Option<String>,
    /// Largest relative change that is allowed, of 1.
    pub most: f64,
}

impl std::str::FromStr for Threshold {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let (names, percent) = match text.rsplit_once('=') {
            Some((names, percent)) => (Some(names.trim()), percent),
            None => (None, text),
        };
        let percent = percent.trim().trim_end_matches('%').trim_end();
        let value = percent.parse().ok();
        let value = value.filter(|value: &f64| value.is_finite() && *value >= 0.0);
        match value {
            Some(value) if names != Some("") => Ok(Self {
                names: names.map(str::to_owned),
                most: value / 100.0,
            }),
            _ => Err(
                "expected a percentage such as 1%, or NAME=PERCENT such as cycles=0.5%".to_owned(),
            ),
        }
    }
}

impl Threshold {
    /// Specificity for a name: the length of the parts that it names; `None` where it is for other names.
    fn fits(&self, name: &str) -> Option<usize> {
        match &self.names {
            None => Some(0),
            Some(names) => {
                let is_part = format!(".{name}.").contains(&format!(".{names}."));
                is_part.then_some(names.len())
            }
        }
    }

    /// Largest relative change that `thresholds` allow a number of this name: by the threshold that names most of it, of
    /// equals the last.
    #[must_use]
    pub fn allowed(thresholds: &[Self], name: &str) -> Option<f64> {
        let fitting = thresholds
            .iter()
            .filter_map(|threshold| Some((threshold.fits(name)?, threshold.most)));
        let best = fitting.max_by_key(|(fit, _)| *fit);
        best.map(|(_, most)| most)
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn names(changes: &Changes) -> Vec<&str> {
        changes.changed.iter().map(|change| &*change.name).collect()
    }

    #[test]
    fn changes_are_sorted_by_their_relative_size() {
        let before = json!({"a": 100, "b": 10, "c": 0, "d": 7, "e": -4});
        let after = json!({"a": 101, "b": 5, "c": 1, "d": 7, "e": -8});
        let changes = Changes::between(&before, &after);
        assert_eq!(names(&changes), ["c", "e", "b", "a"], "largest first");
        let relative: Vec<_> = changes
            .changed
            .iter()
            .map(|change| change.relative)
            .collect();
        let expected = [None, Some(-1.0), Some(-0.5), Some(0.01)];
        assert_eq!(relative, expected, "of what they were, none of 0");
        assert_eq!(changes.equal, 1, "d");
    }

    #[test]
    fn changes_find_items_by_name_wherever_they_stand() {
        let before = json!({"machines": [{"machine": "x", "frames": [{"frame": 3, "cycles": 10}]}, {"machine": "y", "cycles": 4}]});
        let after = json!({"machines": [{"machine": "y", "cycles": 4}, {"machine": "z", "cycles": 1, "n": 2},
            {"machine": "x", "frames": [{"frame": 2, "cycles": 9}, {"frame": 3, "cycles": 11}]}]});
        let changes = Changes::between(&before, &after);
        assert_eq!(
            names(&changes),
            ["machines.x.frames.3.cycles"],
            "the same frame"
        );
        let only: Vec<_> = (changes.only_after.iter())
            .map(|part| (&*part.name, part.numbers))
            .collect();
        assert_eq!(only, [("machines.x.frames.2", 2), ("machines.z", 2)], "new");
        assert_eq!(changes.only_before, [], "nothing is gone");
    }

    #[test]
    fn version_of_the_numbers_is_no_number() {
        let run = |version: u32| json!({"results_version": version, "cycles": 10});
        let changes = Changes::between(&run(2), &run(3));
        assert!(changes.is_empty(), "no threshold is about it: {changes:?}");
        let version = &changes.reworded[0];
        assert_eq!(
            (&*version.before, &*version.after),
            ("2", "3"),
            "it is said"
        );
    }

    #[test]
    fn changes_take_runs_of_two_machines_in_order() {
        let run = |machine: &str, cycles: u64| json!([{"machine": machine, "cycles": cycles}]);
        let changes = Changes::between(&run("x", 10), &run("y", 20));
        assert_eq!(names(&changes), ["x.cycles"], "one beside the other");
        let reworded = &changes.reworded[0];
        assert_eq!((&*reworded.before, &*reworded.after), ("x", "y"), "who");
        assert!(changes.only_after.is_empty(), "{changes:?}");
    }

    #[test]
    fn changes_of_figures_are_named_by_row_and_column() {
        let figure = |bar: f64| {
            json!({"figures": [{"id": "re.fig2", "columns": ["TE", "RE"], "rows": [["match3", [0.5, bar]]],
                "mean": [0.5, bar], "stated": [["RE", 0.6, bar]]}]})
        };
        let changes = Changes::between(&figure(0.2), &figure(0.3));
        let mut found = names(&changes);
        found.sort_unstable();
        let of_figure = [
            "figures.re.fig2.mean.RE",
            "figures.re.fig2.rows.match3.RE",
            "figures.re.fig2.stated.RE.1",
        ];
        assert_eq!(found, of_figure, "the column's name");
    }

    #[test]
    fn changes_read_sizes_and_say_other_words() {
        let before = json!({"l2": {"size": "512KiB", "order": "scanline"}, "x": null, "y": 1});
        let after = json!({"l2": {"size": "1MiB", "order": "hilbert"}, "x": 2, "y": null});
        let changes = Changes::between(&before, &after);
        assert_eq!(changes.changed[0].relative, Some(1.0), "twice as large");
        assert_eq!(changes.reworded[0].name, "l2.order", "a word");
        let one = |name: &str| {
            vec![Unmatched {
                name: name.to_owned(),
                numbers: 1,
            }]
        };
        assert_eq!(changes.only_after, one("x"), "measured now");
        assert_eq!(changes.only_before, one("y"), "measured before");
    }

    #[test]
    fn changes_of_equal_results_are_none() {
        let value = json!({"a": [1, 2.5, {"b": null}], "c": "64B"});
        let changes = Changes::between(&value, &value);
        assert!(changes.is_empty() && changes.equal == 3, "{changes:?}");
    }

    #[test]
    fn thresholds_of_longer_names_win() {
        let thresholds: Vec<Threshold> = ["1%", "dram=5 %", "dram.reads=0", "cycles=2"]
            .map(|text| text.parse().expect(text))
            .into();
        let allowed = |name| Threshold::allowed(&thresholds, name);
        assert_eq!(allowed("machines.x.frames.0.cycles"), Some(0.02), "by name");
        assert_eq!(allowed("f.dram.reads.texture"), Some(0.0), "the longer");
        assert_eq!(allowed("f.dram.writes.texture"), Some(0.05), "its part");
        assert_eq!(allowed("raster_cycles"), Some(0.01), "whole parts only");
        assert_eq!(
            Threshold::allowed(&thresholds[1..], "cores"),
            None,
            "others"
        );
        for text in ["", "x", "=1", "cycles=", "-1", "nan", "inf%"] {
            assert!(text.parse::<Threshold>().is_err(), "{text}");
        }
    }

    #[test]
    fn numbers_have_as_many_digits_as_they_need() {
        let texts = [
            8_489_224.0,
            -1234.0,
            0.0,
            22.434_567_8,
            0.001_234_567,
            1.5e-9,
        ]
        .map(number_text);
        let expected = [
            "8,489,224",
            "-1,234",
            "0",
            "22.4346",
            "0.00123457",
            "0.00000000150000",
        ];
        assert_eq!(texts, expected, "six");
    }

    #[test]
    fn changes_table_says_once_what_all_names_begin_with() {
        let frame = |n: u64| json!({"frames": {"a.b": {"cycles": n, "cores": [n, n + 1]}}});
        let text = changes_table(&Changes::between(&frame(1), &frame(3)), 9, |_| false);
        assert!(text.contains("\nall in frames.a.b\n"), "{text}");
        let names: Vec<_> = text
            .lines()
            .skip(3)
            .filter_map(|line| line.split_whitespace().last())
            .collect();
        assert_eq!(names, ["cores.0", "cycles", "cores.1"], "the rest");
    }

    #[test]
    fn changes_table_marks_what_is_beyond_and_counts_the_rest() {
        let changes = Changes::between(
            &json!({"a": 1, "b": 2, "s": "x"}),
            &json!({"a": 2, "b": 3, "s": "y"}),
        );
        let text = changes_table(&changes, 1, |change| change.size() > 0.6);
        let expected = "2 numbers changed, 0 did not\n   relative  before  after     name\n  +100.00 %       1      2  !  a\n  and 1 more\n\
            texts that are not the same\n  s  x  y\n";
        assert_eq!(text, expected, "the largest alone");
    }
}
