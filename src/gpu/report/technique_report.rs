//! A technique's report on a frame in its own words: counters by name and unit, the memories that it adds to the chip, and
//! maps of its tiles. The machine carries these to reports and to the energy account, and interprets none of the names.

use serde::ser::{Serialize, SerializeMap, Serializer};

use super::technique_map::TechniqueMap;
use azulejo_units::Bytes;

/// Unit of a counter's value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, serde::Serialize)]
#[serde(rename_all = "lowercase")]
pub enum CounterUnit {
    /// Cycles of the GPU's clock.
    Cycles,
    /// Tiles of the screen.
    Tiles,
    /// Anything that is counted one by one.
    Events,
    /// Bytes that are moved or kept.
    Bytes,
}

impl CounterUnit {
    /// As tables write it behind a number; empty for events.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Cycles => "cycles",
            Self::Tiles => "tiles",
            Self::Events => "",
            Self::Bytes => "bytes",
        }
    }
}

/// A number that a technique counts, of one frame or summed over several.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TechniqueCounter {
    /// As JSON and CSV have it: lower case, words joined by `_`; cycles end in `_cycles`, bytes in `_bytes`.
    pub name: &'static str,
    /// As tables have it: what is counted, in a few words.
    pub about: &'static str,
    /// Unit of the value.
    pub unit: CounterUnit,
    /// How many of that unit.
    pub value: u64,
}

/// Whether a memory can be written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, serde::Serialize)]
#[serde(rename_all = "lowercase")]
pub enum MemoryKind {
    /// Six transistors a bit.
    Ram,
    /// A constant table: one transistor a bit at most. Its output is joined with that of other tables by exclusive or.
    Rom,
}

/// A small memory that a technique adds to the chip, and how a frame used it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize)]
pub struct TechniqueMemory {
    /// As the paper calls it.
    pub name: &'static str,
    /// How it keeps its bits.
    pub kind: MemoryKind,
    /// Capacity of one memory in bytes.
    pub size: Bytes,
    /// How many there are of this size.
    pub count: u32,
    /// Bytes of an access.
    pub word: Bytes,
    /// Reads of all of them.
    pub reads: u64,
    /// Writes of all of them.
    pub writes: u64,
}

/// Report of one technique on a frame.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct TechniqueReport {
    /// Name of the technique, as users choose it.
    pub technique: &'static str,
    /// Counters of the technique, each name once.
    pub counters: Vec<TechniqueCounter>,
    /// Memories that it adds to the chip.
    pub memories: Vec<TechniqueMemory>,
    /// Maps of its state and decisions by tile, where it has any.
    pub maps: Vec<TechniqueMap>,
}

impl TechniqueReport {
    /// The value of a counter, if the technique has one of this name.
    #[must_use]
    pub fn counter(&self, name: &str) -> Option<u64> {
        let found = self.counters.iter().find(|counter| counter.name == name);
        found.map(|counter| counter.value)
    }

    /// The map of a name, if the technique has drawn one of this frame.
    #[must_use]
    pub fn map(&self, name: &str) -> Option<&TechniqueMap> {
        self.maps.iter().find(|map| map.spec.name == name)
    }

    /// Adds what the technique counted in another frame; memories, their uses and maps stay those of the first.
    pub fn add_frame(&mut self, other: &Self) {
        for counter in &other.counters {
            match self
                .counters
                .iter_mut()
                .find(|sum| sum.name == counter.name)
            {
                Some(sum) => sum.value += counter.value,
                None => self.counters.push(*counter),
            }
        }
    }

    /// Puts what two seams of one technique say of a frame together.
    pub(crate) fn collect(parts: impl IntoIterator<Item = Self>) -> Vec<Self> {
        let mut reports: Vec<Self> = Vec::new();
        for part in parts {
            let known = reports
                .iter_mut()
                .find(|known| known.technique == part.technique);
            match known {
                Some(known) => {
                    known.add_frame(&part);
                    known.memories.extend(part.memories);
                    known.maps.extend(part.maps);
                }
                None => reports.push(part),
            }
        }
        reports
    }
}

/// As JSON has them: a map by technique, in it a map of counters by name and the list of memories, without the maps of
/// tiles.
///
/// # Errors
/// Errors of the serializer.
#[doc(hidden)]
pub fn by_name<S: Serializer>(
    reports: &[TechniqueReport],
    serializer: S,
) -> Result<S::Ok, S::Error> {
    serializer.collect_map(reports.iter().map(|report| (report.technique, report)))
}

impl Serialize for TechniqueReport {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let n_counters = self.counters.len();
        let mut map = serializer.serialize_map(Some(n_counters + 1))?;
        for counter in &self.counters {
            map.serialize_entry(counter.name, &counter.value)?;
        }
        map.serialize_entry("memories", &self.memories)?;
        map.end()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn report(technique: &'static str, name: &'static str, value: u64) -> TechniqueReport {
        let counter = TechniqueCounter {
            name,
            about: "what is counted",
            unit: CounterUnit::Events,
            value,
        };
        TechniqueReport {
            technique,
            counters: vec![counter],
            ..TechniqueReport::default()
        }
    }

    #[test]
    fn technique_report_collects_the_seams_of_a_technique() {
        let parts = [
            report("a", "tiles", 1),
            report("b", "tiles", 2),
            report("a", "ranked", 3),
        ];
        let reports = TechniqueReport::collect(parts);
        assert_eq!(reports.len(), 2, "a and b");
        assert_eq!(reports[0].counter("tiles"), Some(1), "of one seam");
        assert_eq!(reports[0].counter("ranked"), Some(3), "of the other");
        assert_eq!(
            reports[1].counter("ranked"),
            None,
            "not of another technique"
        );
    }

    #[test]
    fn technique_report_is_a_map_of_counters() {
        let json = serde_json::to_value(report("a", "tiles", 1));
        let expected = serde_json::json!({"tiles": 1, "memories": []});
        assert_eq!(json.expect("a map"), expected, "by name");
    }
}
