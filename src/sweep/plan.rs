//! Plan of a sweep: its text in, its points out, number k of all combinations, scene by scene, so that points with equal
//! frames follow each other.

use std::collections::BTreeSet;

use serde::Deserialize;

use azulejo_gpu::parameters::{Base, Document, ParameterError, parse_size};

/// Name of the empty set of techniques.
pub const NO_TECHNIQUE: &str = "none";

/// Largest number of points of a sweep.
pub const MAX_POINTS: u64 = 10_000_000;

/// Largest number of frames of a scene.
const MAX_FRAMES: u64 = 1_000_000;

/// Parameter of machines with its values, as `--set` takes them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Range {
    /// Dotted key, such as `l2.size`.
    pub key: String,
    /// Values to try, at least one.
    pub values: Vec<String>,
}

/// Definition of a sweep: every combination of scene, machine, techniques and one value of each range.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Plan {
    /// Demos and files, as on the command line.
    pub scenes: Vec<String>,
    /// Machines by name or file.
    pub machines: Vec<String>,
    /// Sets such as `re+libra`, or [`NO_TECHNIQUE`].
    pub techniques: Vec<String>,
    /// Ranges in the order of their keys.
    pub ranges: Vec<Range>,
    /// Number of frames of each scene.
    pub frames: u64,
    /// Number of the first frame, each a sixtieth of a second.
    pub first_frame: u32,
    /// Seed of the course that demos take; `None` for the usual one.
    pub seed: Option<u32>,
    /// Environment of `--env`, where it is given.
    pub env: Option<String>,
}

/// Parameter set to one value of its range.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Change<'p> {
    /// Dotted key of the parameter.
    pub key: &'p str,
    /// Value as `--set` takes it.
    pub value: &'p str,
}

/// Combination of scene, machine, techniques and changes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Point<'p> {
    /// Position from 0 to below [`Plan::n_points`].
    pub number: u64,
    /// Scene as a demo or a file.
    pub scene: &'p str,
    /// Machine as a name or a file.
    pub machine: &'p str,
    /// Techniques as a set, or [`NO_TECHNIQUE`].
    pub technique: &'p str,
    /// Changes, a value of each range.
    pub changes: Vec<Change<'p>>,
}

/// Dimension in which points differ.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Dimension<'p> {
    /// `scene`, `machine`, `technique`, or the key of a range.
    pub name: &'p str,
    /// Values to choose from.
    pub values: Vec<&'p str>,
    /// Distance between the numbers of points that differ by one value.
    pub stride: u64,
}

impl Dimension<'_> {
    /// Position of the value of point `number`.
    #[must_use]
    pub fn place(&self, number: u64) -> u64 {
        number / self.stride % self.values.len() as u64
    }

    /// Whether all values begin with a digit: they are amounts, in their order.
    #[must_use]
    pub fn is_numeric(&self) -> bool {
        let mut values = self.values.iter();
        values.all(|value| value.starts_with(|first: char| first.is_ascii_digit()))
    }
}

/// Keys of a sweep's file other than its ranges.
#[derive(Debug, Deserialize)]
struct SweepFile {
    scenes: Vec<String>,
    machines: Option<Vec<String>>,
    techniques: Option<Vec<String>>,
    frames: Option<u64>,
    first_frame: Option<u32>,
    seed: Option<u32>,
    env: Option<String>,
}

impl Plan {
    /// Reads `text`, named `file` in messages.
    ///
    /// # Errors
    /// Names file and key of the item that is missing, unknown, empty, listed twice, or too much.
    pub fn read(file: &str, text: &str) -> Result<Self, ParameterError> {
        let alone = Base {
            key: "include",
            find: &|_| Err("no includes: a sweep is one file".to_owned()),
        };
        let mut document = Document::read(file, text, alone)?;
        let ranges = ranges(&document.take("set"))?;
        let file: SweepFile = document.get()?;
        let usual = |name: &str| vec![name.to_owned()];
        let plan = Self {
            scenes: file.scenes,
            machines: (file.machines).unwrap_or_else(|| usual("valhall-libra-baseline")),
            techniques: file.techniques.unwrap_or_else(|| usual(NO_TECHNIQUE)),
            ranges,
            frames: file.frames.unwrap_or(1),
            first_frame: file.first_frame.unwrap_or(0),
            seed: file.seed,
            env: file.env,
        };
        plan.check(&document)?;
        Ok(plan)
    }

    fn check(&self, document: &Document) -> Result<(), ParameterError> {
        let lists = [
            ("scenes", &self.scenes),
            ("machines", &self.machines),
            ("techniques", &self.techniques),
        ];
        for (key, list) in lists {
            if list.is_empty() {
                return Err(document.error(key, "at least one"));
            }
            if let Some(twice) = repeated(list) {
                return Err(document.error(key, format!("'{twice}' once")));
            }
        }
        if !(1..=MAX_FRAMES).contains(&self.frames) {
            let expected = format!("at least 1 and at most {MAX_FRAMES}");
            return Err(document.error("frames", expected));
        }
        let points = self.lengths().try_fold(1_u64, u64::checked_mul);
        match points.filter(|points| *points <= MAX_POINTS) {
            Some(_) => Ok(()),
            None => {
                let expected = format!("lists that combine to at most {MAX_POINTS} points");
                Err(document.error("scenes", expected))
            }
        }
    }

    /// Lengths of the dimensions, from the one that changes least often to the one that changes with every point.
    fn lengths(&self) -> impl DoubleEndedIterator<Item = u64> {
        let lists = [&self.scenes, &self.machines, &self.techniques];
        let ranges = self.ranges.iter().map(|range| &range.values);
        lists
            .into_iter()
            .chain(ranges)
            .map(|list| list.len() as u64)
    }

    /// Dimensions of the points, from the one that changes least often to the one that changes with every point.
    #[must_use]
    pub fn dimensions(&self) -> Vec<Dimension<'_>> {
        let named = [
            ("scene", &self.scenes),
            ("machine", &self.machines),
            ("technique", &self.techniques),
        ];
        let ranges = self.ranges.iter();
        let ranges = ranges.map(|range| (range.key.as_str(), &range.values));
        let mut stride = self.n_points();
        named
            .into_iter()
            .chain(ranges)
            .map(|(name, values)| {
                stride /= values.len() as u64;
                Dimension {
                    name,
                    values: values.iter().map(String::as_str).collect(),
                    stride,
                }
            })
            .collect()
    }

    /// Number of points, at most [`MAX_POINTS`].
    #[must_use]
    pub fn n_points(&self) -> u64 {
        self.lengths().product()
    }

    /// Returns point `number`; `None` behind the last.
    #[must_use]
    pub fn point(&self, number: u64) -> Option<Point<'_>> {
        if number >= self.n_points() {
            return None;
        }
        let mut rest = number;
        let mut places: Vec<usize> = (self.lengths().rev())
            .map(|length| {
                let place = rest % length;
                rest /= length;
                place as usize
            })
            .collect();
        places.reverse();
        let changes = self.ranges.iter().zip(&places[3..]);
        Some(Point {
            number,
            scene: &self.scenes[places[0]],
            machine: &self.machines[places[1]],
            technique: &self.techniques[places[2]],
            changes: changes
                .map(|(range, place)| Change {
                    key: &range.key,
                    value: &range.values[*place],
                })
                .collect(),
        })
    }

    /// Number of the first point with the scene of point `number`.
    #[must_use]
    pub fn first_of_scene(&self, number: u64) -> u64 {
        let of_scene: u64 = self.lengths().skip(1).product();
        number - number % of_scene
    }

    /// Iterates over all points, in order.
    pub fn points(&self) -> impl Iterator<Item = Point<'_>> {
        (0..self.n_points()).map_while(|number| self.point(number))
    }
}

fn ranges(set: &Document) -> Result<Vec<Range>, ParameterError> {
    let mut ranges = Vec::new();
    for (key, values) in set.lists() {
        let range = Range { key, values };
        if range.values.is_empty() {
            return Err(set.error(&range.key, "at least one value"));
        }
        // Sizes in other units are equal values.
        let meanings = range.values.iter().map(|value| match parse_size(value) {
            Some(bytes) => bytes.to_string(),
            None => value.clone(),
        });
        if let Some(twice) = first_repeated(meanings) {
            let twice = &range.values[twice];
            return Err(set.error(&range.key, format!("'{twice}' once")));
        }
        ranges.push(range);
    }
    Ok(ranges)
}

fn repeated(list: &[String]) -> Option<&String> {
    first_repeated(list.iter()).map(|position| &list[position])
}

/// Position of the first entry that equals one before it.
fn first_repeated<T: Ord>(mut list: impl Iterator<Item = T>) -> Option<usize> {
    let mut known = BTreeSet::new();
    list.position(|entry| !known.insert(entry))
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = r#"
        scenes = ["match3", "a b.glb"]
        machines = ["mali450-re", "valhall-libra"]
        techniques = ["none", "re"]
        frames = 3
        seed = 7
        [set]
        "l2.size" = ["1MiB", "2MiB", "4MiB"]
        [set.core.shader]
        warps = [16, 32]
    "#;

    fn plan(text: &str) -> Plan {
        Plan::read("s.toml", text).expect("a sweep")
    }

    #[track_caller]
    fn refused(text: &str, words: &[&str]) {
        let error = Plan::read("s.toml", text).expect_err("refused").to_string();
        for word in words {
            assert!(error.contains(word), "no {word:?} in {error}");
        }
    }

    #[test]
    fn points_are_all_combinations_once() {
        let plan = plan(TEXT);
        assert_eq!(plan.n_points(), 2 * 2 * 2 * 3 * 2, "of all lists");
        let points: Vec<_> = plan.points().collect();
        let distinct: BTreeSet<String> = points
            .iter()
            .map(|point| {
                let Point {
                    scene,
                    machine,
                    technique,
                    changes,
                    ..
                } = point;
                format!("{scene} {machine} {technique} {changes:?}")
            })
            .collect();
        assert_eq!(distinct.len(), points.len(), "none twice");
        let scenes: Vec<_> = points.iter().map(|point| point.scene).collect();
        assert!(
            scenes.is_sorted_by_key(|scene| *scene != "match3"),
            "one scene after the other"
        );
        assert_eq!(plan.point(48), None, "behind the last");
    }

    #[test]
    fn values_are_what_set_takes() {
        let plan = plan(TEXT);
        let range = |key: &str| plan.ranges.iter().find(|range| range.key == key);
        let warps = range("core.shader.warps").expect("a nested table");
        assert_eq!(warps.values, ["16", "32"], "numbers as text");
        let l2 = range("l2.size").expect("a dotted key");
        assert_eq!(l2.values[2], "4MiB", "texts without quotes");
    }

    #[test]
    fn usual_values_are_one_machine_without_techniques_and_one_frame() {
        let plan = plan(r#"scenes = ["arena"]"#);
        assert_eq!((plan.n_points(), plan.frames), (1, 1));
        let point = plan.point(0).expect("one");
        assert_eq!(
            (point.machine, point.technique),
            ("valhall-libra-baseline", "none")
        );
    }

    #[test]
    fn files_that_are_no_sweep_are_refused_by_key() {
        refused("frames = 2", &["s.toml", "scenes", "missing"]);
        refused("scenes = []", &["scenes", "at least one"]);
        refused(r#"scenes = ["a", "a"]"#, &["scenes", "'a' once"]);
        refused("scenes = [\"a\"]\nframes = 0", &["frames", "at least 1"]);
        refused(
            "scenes = [\"a\"]\nmachine = [\"b\"]",
            &["machine", "machines"],
        );
        refused(
            "scenes = [\"a\"]\n[set]\nl2.size = []",
            &["set.l2.size", "at least one"],
        );
        refused(
            "scenes = [\"a\"]\n[set]\nl2.ways = [8, 8]",
            &["set.l2.ways", "'8' once"],
        );
        refused(
            "scenes = [\"a\"]\n[set]\nl2.size = [\"1MiB\", \"2MiB\", \"1024KiB\"]",
            &["set.l2.size", "'1024KiB' once"],
        );
    }

    #[test]
    fn combinations_without_measure_are_refused() {
        let values: Vec<String> = (0..1000).map(|value| value.to_string()).collect();
        let list = values.join(",");
        let text = format!("scenes = [\"a\"]\n[set]\na = [{list}]\nb = [{list}]\nc = [{list}]");
        refused(&text, &["at most 10000000 points"]);
    }
}
