//! A budget file: TOML in, limits with the lines that they stand in out; and the same file with measured numbers, its
//! comments kept.
//!
//! Numbers of the frame stand at the top, those of a machine in `[machine.NAME]`, the golden picture in `[picture]`.

use std::ops::Range;
use std::path::{Path, PathBuf};

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use crate::cli::failure::{Failure, Outcome};
use crate::cli::machine_input::read_parameters;
use azulejo_gpu::machine::built_in;

/// Budget file, read and taken apart.
#[derive(Debug, Default)]
pub(super) struct Budget {
    /// Path of the budget file.
    pub(super) file: PathBuf,
    text: String,
    /// Limits in the order of the file.
    pub(super) limits: Vec<Limit>,
    /// Golden picture, if the file names one.
    pub(super) golden: Option<Golden>,
}

/// Subject of a limit: the frame alone or on a machine.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Subject {
    /// The frame, whatever draws it.
    Frame,
    /// The frame on this machine, as the file names it.
    Machine(String),
}

/// Limit: the most that a number may be.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Limit {
    /// Subject that the number belongs to.
    pub(super) subject: Subject,
    /// The number's name: `overdraw`, `dram.reads.texture`.
    pub(super) name: String,
    /// Most that the number may be.
    pub(super) most: f64,
    /// Line of the limit in the file, from 1.
    pub(super) line: usize,
    /// Bytes of its value in the file; none of a limit that is to be added.
    place: Option<Range<usize>>,
}

/// Golden picture, and how far a frame's may be from it.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Golden {
    /// File of the golden picture.
    pub(super) file: PathBuf,
    /// Pixels that may differ, in percent.
    pub(super) pixels: f64,
    /// Mean difference of a channel that is allowed, of 255.
    pub(super) mean: f64,
    /// Largest difference of a channel that is allowed, of 255.
    pub(super) max: f64,
    /// Line that names the picture, from 1.
    pub(super) line: usize,
}

impl Limit {
    /// Subject and number in words: `valhall-libra cycles`.
    pub(super) fn title(&self) -> String {
        match &self.subject {
            Subject::Frame => self.name.clone(),
            Subject::Machine(machine) => format!("{machine} {}", self.name),
        }
    }
}

impl Budget {
    /// Reads a budget.
    ///
    /// # Errors
    /// A file that cannot be read, and the first thing in it that is no budget, with its line.
    pub(super) fn read(file: &Path) -> Outcome<Self> {
        let text = read_parameters(file)
            .map_err(|error| Failure::of_file(file, format!("cannot read it: {error}")))?;
        Self::parse(file, text)
    }

    fn parse(file: &Path, mut text: String) -> Outcome<Self> {
        if !text.ends_with('\n') {
            // Lines can be added behind the last.
            text.push('\n');
        }
        let table = DeTable::parse(&text).map_err(|error| {
            let start = error.span().map_or(0, |span| span.start);
            let line = line_of(&text, start);
            Failure::new(format!("{}:{line}: {}", file.display(), error.message()))
        })?;
        let mut reader = Reader {
            file,
            text: &text,
            limits: Vec::new(),
        };
        let mut golden = None;
        for (key, value) in table.get_ref() {
            match (key.get_ref().as_ref(), value.get_ref().as_table()) {
                ("machine", Some(machines)) => reader.machines(machines)?,
                ("picture", Some(picture)) => golden = Some(reader.golden(picture)?),
                (key, _) => reader.limit(&Subject::Frame, "", key, value)?,
            }
        }
        let mut limits = reader.limits;
        limits.sort_by_key(|limit| limit.place.as_ref().map(|place| place.start));
        Ok(Self {
            file: file.to_owned(),
            limits,
            golden,
            text,
        })
    }

    /// Names of machines, each once, in the order of the file.
    pub(super) fn machines(&self) -> Vec<&str> {
        let mut names: Vec<&str> = Vec::new();
        for limit in &self.limits {
            if let Subject::Machine(name) = &limit.subject
                && !names.contains(&name.as_str())
            {
                names.push(name);
            }
        }
        names
    }

    /// Proposes a budget of these numbers and the picture `golden`, to be measured.
    pub(super) fn proposal(file: &Path, limits: Vec<(Subject, &str)>, golden: &str) -> Self {
        let limit = |(subject, name): (Subject, &str)| Limit {
            subject,
            name: name.to_owned(),
            most: 0.0,
            line: 1,
            place: None,
        };
        Self {
            file: file.to_owned(),
            text: format!("\n[picture]\ngolden = {}\n", quoted(golden)),
            limits: limits.into_iter().map(limit).collect(),
            golden: Some(Golden {
                file: beside(file, golden),
                pixels: 0.0,
                mean: 0.0,
                max: 0.0,
                line: 1,
            }),
        }
    }

    /// Adds the limits of another that are on other numbers.
    pub(super) fn add(&mut self, other: Self) {
        for limit in other.limits {
            let known = (self.limits.iter())
                .any(|known| known.subject == limit.subject && known.name == limit.name);
            if !known {
                self.limits.push(limit);
            }
        }
    }

    /// Text of the file with `measured` numbers, one for each limit; all else stays as it stands.
    ///
    /// # Errors
    /// If a number cannot be added as the file is written.
    pub(super) fn blessed(&self, measured: &[f64]) -> Outcome<String> {
        let mut changes: Vec<(Range<usize>, String)> = Vec::new();
        let mut at_end = String::new();
        for (at, (limit, measured)) in self.limits.iter().zip(measured).enumerate() {
            if let Some(place) = &limit.place {
                changes.push((place.clone(), number(*measured)));
                continue;
            }
            let line = format!("{} = {}\n", limit.name, number(*measured));
            let before = self.limits[..at].iter().rev();
            let beside = before.clone().find(|other| other.subject == limit.subject);
            match (
                &limit.subject,
                beside.and_then(|other| other.place.as_ref()),
            ) {
                (_, Some(place)) => {
                    let end = self.end_of_line(place.end);
                    changes.push((end..end, line));
                }
                (Subject::Frame, None) => changes.push((0..0, line)),
                (Subject::Machine(_), None) if beside.is_some() => at_end += &line,
                (Subject::Machine(name), None) => {
                    at_end += &format!("\n[machine.{}]\n{line}", key(name));
                }
            }
        }
        // From the end on, so that places before stay where they are; of one place, what was first comes first.
        changes.sort_by_key(|(place, _)| place.start);
        let mut text = self.text.clone();
        for (place, new) in changes.into_iter().rev() {
            text.replace_range(place, &new);
        }
        text += &at_end;
        let n_read = Self::parse(&self.file, text.clone()).map(|read| read.limits.len());
        match n_read {
            Ok(n) if n == self.limits.len() => Ok(text),
            _ => Err(
                Failure::of_file(&self.file, "no number can be added as it is written")
                    .hint("give each machine a table [machine.NAME] with a line for each number"),
            ),
        }
    }

    /// End of the line of a byte, its line feed included.
    fn end_of_line(&self, from: usize) -> usize {
        let rest = self.text.get(from..).unwrap_or_default();
        rest.find('\n').map_or(self.text.len(), |at| from + at + 1)
    }
}

/// Machine that the budget `file` names, as `--machine` takes it: files lie beside the budget.
pub(super) fn machine_file(file: &Path, name: &str) -> String {
    if built_in(name).is_some() {
        return name.to_owned();
    }
    beside(file, name).to_string_lossy().into_owned()
}

/// Path of `name` in the folder of `file`.
fn beside(file: &Path, name: &str) -> PathBuf {
    file.parent().unwrap_or(Path::new("")).join(name)
}

/// Number as text: whole ones as such; others rounded up to six decimals, so that what was measured is within.
fn number(measured: f64) -> String {
    const DECIMALS: f64 = 1e6;
    const WHOLE: f64 = 9.0e15;
    if measured.fract() == 0.0 && measured.abs() < WHOLE {
        return format!("{measured:.0}");
    }
    let rounded = (measured * DECIMALS).ceil() / DECIMALS;
    let value = if rounded < measured {
        measured
    } else {
        rounded
    };
    format!("{value:?}")
}

/// Quotes a text as TOML has it.
fn quoted(text: &str) -> String {
    toml::Value::String(text.to_owned()).to_string()
}

/// Writes a key, in quotes where it needs them.
fn key(name: &str) -> String {
    let is_bare = |c: char| c.is_ascii_alphanumeric() || "-_".contains(c);
    if !name.is_empty() && name.chars().all(is_bare) {
        name.to_owned()
    } else {
        quoted(name)
    }
}

/// Line of a byte, from 1.
fn line_of(text: &str, at: usize) -> usize {
    1 + text.get(..at).unwrap_or_default().matches('\n').count()
}

/// Reader of a budget file.
struct Reader<'a> {
    file: &'a Path,
    text: &'a str,
    limits: Vec<Limit>,
}

/// A value with its place in the file.
type Placed<'a> = Spanned<DeValue<'a>>;

impl Reader<'_> {
    fn line(&self, value: &Placed<'_>) -> usize {
        line_of(self.text, value.span().start)
    }

    fn refused(&self, value: &Placed<'_>, key: &str, expected: &str) -> Failure {
        let (file, line) = (self.file.display(), self.line(value));
        Failure::new(format!("{file}:{line}: {key}: expected {expected}"))
    }

    fn machines(&mut self, machines: &DeTable<'_>) -> Outcome {
        for (machine, value) in machines {
            let machine = machine.get_ref().as_ref();
            let Some(limits) = value.get_ref().as_table() else {
                return Err(self.refused(value, machine, "a table of limits"));
            };
            let subject = Subject::Machine(machine.to_owned());
            for (key, value) in limits {
                self.limit(&subject, "", key.get_ref(), value)?;
            }
        }
        Ok(())
    }

    /// Reads a number, or a table of those whose names begin with its own.
    fn limit(&mut self, subject: &Subject, above: &str, key: &str, value: &Placed<'_>) -> Outcome {
        let name = match above {
            "" => key.to_owned(),
            above => format!("{above}.{key}"),
        };
        if let Some(table) = value.get_ref().as_table() {
            let mut below = table.iter();
            return below
                .try_for_each(|(key, value)| self.limit(subject, &name, key.get_ref(), value));
        }
        let Some(most) = number_of(value) else {
            return Err(self.refused(value, key, "a number from 0 up: the most that it may be"));
        };
        self.limits.push(Limit {
            subject: subject.clone(),
            name,
            most,
            line: self.line(value),
            place: Some(value.span()),
        });
        Ok(())
    }

    fn golden(&self, picture: &DeTable<'_>) -> Outcome<Golden> {
        let mut golden = Golden {
            file: PathBuf::new(),
            pixels: 0.0,
            mean: 0.0,
            max: 0.0,
            line: 1,
        };
        for (key, value) in picture {
            let key = key.get_ref().as_ref();
            let number =
                number_of(value).ok_or_else(|| self.refused(value, key, "a number from 0 up"));
            match key {
                "golden" => {
                    let name = value.get_ref().as_str().filter(|name| !name.is_empty());
                    let expected = "the name of a PNG beside this file";
                    let name = name.ok_or_else(|| self.refused(value, key, expected))?;
                    golden.file = beside(self.file, name);
                    golden.line = self.line(value);
                }
                "pixels" => golden.pixels = number?,
                "mean" => golden.mean = number?,
                "max" => golden.max = number?,
                _ => return Err(self.refused(value, key, "one of golden, pixels, mean, max")),
            }
        }
        if golden.file.as_os_str().is_empty() {
            let problem = "[picture]: expected golden, the name of a PNG beside this file";
            return Err(Failure::of_file(self.file, problem));
        }
        Ok(golden)
    }
}

/// Finite number from 0 up; none of any other value.
fn number_of(value: &Placed<'_>) -> Option<f64> {
    let value: f64 = match value.get_ref() {
        DeValue::Integer(integer) if integer.radix() == 10 => integer.as_str().parse().ok()?,
        DeValue::Float(float) => float.as_str().parse().ok()?,
        _ => return None,
    };
    (value.is_finite() && value >= 0.0).then_some(value)
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "\
# for the low tier
overdraw = 1.5 # layers

[machine.mali450-re]
cycles = 1000
dram.reads.texture = 20

[picture]
golden = \"g.png\"
max = 2
";

    fn parse(text: &str) -> Outcome<Budget> {
        Budget::parse(Path::new("a/b.toml"), text.to_owned())
    }

    #[test]
    fn budget_has_limits_with_their_lines() {
        let budget = parse(TEXT).unwrap();
        let limits: Vec<_> = (budget.limits.iter())
            .map(|limit| (limit.title(), limit.most, limit.line))
            .collect();
        let expected = [
            ("overdraw", 1.5, 2),
            ("mali450-re cycles", 1000.0, 5),
            ("mali450-re dram.reads.texture", 20.0, 6),
        ];
        assert_eq!(
            limits,
            expected.map(|(title, most, line)| (title.to_owned(), most, line)),
            "in order"
        );
        let golden = budget.golden.as_ref().unwrap();
        assert_eq!(golden.file, Path::new("a/g.png"), "beside the budget");
        assert_eq!(
            (golden.pixels, golden.mean, golden.max, golden.line),
            (0.0, 0.0, 2.0, 9),
            "exact but max"
        );
        assert_eq!(budget.machines(), ["mali450-re"], "once");
    }

    #[test]
    fn budget_blessed_keeps_comments_and_takes_what_was_measured() {
        let text = parse(TEXT)
            .unwrap()
            .blessed(&[1.234_567_8, 1200.0, 7.0])
            .unwrap();
        let expected = TEXT
            .replace("1.5 #", "1.234568 #")
            .replace("1000", "1200")
            .replace("= 20", "= 7");
        assert_eq!(text, expected, "numbers alone");
    }

    #[test]
    fn budget_proposed_reads_back() {
        let machine = Subject::Machine("own.toml".to_owned());
        let limits = vec![(Subject::Frame, "overdraw"), (machine.clone(), "cycles")];
        let proposed = Budget::proposal(Path::new("x.toml"), limits, "x.png");
        let text = proposed.blessed(&[2.0, 9.0]).unwrap();
        let read = Budget::parse(Path::new("x.toml"), text).unwrap();
        let limits: Vec<_> = (read.limits.iter())
            .map(|limit| (limit.subject.clone(), limit.most))
            .collect();
        assert_eq!(limits, [(Subject::Frame, 2.0), (machine, 9.0)], "all");
        assert!(read.golden.is_some(), "and the picture");
    }

    #[test]
    fn budget_takes_more_numbers_where_they_belong() {
        let mut budget = parse(TEXT).unwrap();
        let machine = |name: &str| Subject::Machine(name.to_owned());
        let more = vec![
            (machine("mali450-re"), "energy_pJ"),
            (machine("mali450-re"), "cycles"),
            (machine("own v2.toml"), "cycles"),
            (machine("own v2.toml"), "energy_pJ"),
        ];
        budget.add(Budget::proposal(Path::new("a/b.toml"), more, "other.png"));
        let text = budget.blessed(&[1.5, 1.0, 2.0, 3.0, 4.0, 5.0]).unwrap();
        let read = parse(&text).unwrap();
        let limits: Vec<_> = (read.limits.iter())
            .map(|limit| (limit.title(), limit.most))
            .collect();
        let expected = [
            ("overdraw", 1.5),
            ("mali450-re cycles", 1.0),
            ("mali450-re dram.reads.texture", 2.0),
            ("mali450-re energy_pJ", 3.0),
            ("own v2.toml cycles", 4.0),
            ("own v2.toml energy_pJ", 5.0),
        ];
        assert_eq!(
            limits,
            expected.map(|(title, most)| (title.to_owned(), most)),
            "{text}"
        );
        let golden = read.golden.unwrap();
        assert_eq!(golden.file, Path::new("a/g.png"), "as it was");
    }

    #[test]
    fn budget_that_is_none_is_refused_with_its_line() {
        for (text, says) in [
            (
                "a = 1\noverdraw = \"much\"",
                "b.toml:2: overdraw: expected a number",
            ),
            ("overdraw = -1", "b.toml:1: overdraw"),
            ("[machine]\nmali450-re = 5", "mali450-re: expected a table"),
            ("[picture]\nmax = 1", "expected golden"),
            (
                "[picture]\ngolden = \"g.png\"\nssim = 1",
                "b.toml:3: ssim: expected one of golden",
            ),
            ("overdraw =", "b.toml:1: "),
        ] {
            let failure = parse(text).unwrap_err();
            assert!(failure.message.contains(says), "{}", failure.message);
        }
    }

    #[test]
    fn numbers_are_rounded_up() {
        for measured in [0.1, 1.0 / 3.0, 2.999_999_9, 1e-9] {
            let text = number(measured);
            let read: f64 = text.parse().unwrap();
            assert!(
                read >= measured && read - measured < 1.1e-6,
                "{measured} {text}"
            );
        }
    }
}
