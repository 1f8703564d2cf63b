//! DRAM specifications by name and from files: TOML text in, a validated [`DramSpec`] out. The shipped ones are in `assets/dram`, with
//! the source of every number.
//!
//! A file may name a shipped specification as its `base` and then says only what differs.

use super::spec::DramSpec;
use crate::parameters::{Base, Document, ParameterError};

/// Name and text of every shipped specification.
const SHIPPED: [(&str, &str); 8] = [
    (
        "lpddr3_1ch",
        include_str!("../../../assets/dram/lpddr3_1ch.toml"),
    ),
    (
        "lpddr3_2ch",
        include_str!("../../../assets/dram/lpddr3_2ch.toml"),
    ),
    (
        "lpddr3_refi3120_1ch",
        include_str!("../../../assets/dram/lpddr3_refi3120_1ch.toml"),
    ),
    (
        "lpddr3_b32_2ch_fine",
        include_str!("../../../assets/dram/lpddr3_b32_2ch_fine.toml"),
    ),
    (
        "lpddr4_1ch",
        include_str!("../../../assets/dram/lpddr4_1ch.toml"),
    ),
    (
        "lpddr4_2ch",
        include_str!("../../../assets/dram/lpddr4_2ch.toml"),
    ),
    (
        "lpddr4_b32_1ch",
        include_str!("../../../assets/dram/lpddr4_b32_1ch.toml"),
    ),
    (
        "lpddr4_b32_2ch_fine",
        include_str!("../../../assets/dram/lpddr4_b32_2ch_fine.toml"),
    ),
];

/// Names of the shipped specifications.
#[must_use]
pub fn shipped_names() -> Vec<&'static str> {
    SHIPPED.iter().map(|(name, _)| *name).collect()
}

impl DramSpec {
    /// A shipped specification.
    ///
    /// # Errors
    /// If there is none of this name.
    pub fn named(name: &str) -> Result<Self, ParameterError> {
        let text = shipped(name).map_err(|expected| ParameterError {
            file: "DRAM configurations".to_owned(),
            key: "name".to_owned(),
            value: name.chars().take(80).collect(),
            expected,
        })?;
        Self::from_toml(name, &text)
    }

    /// Reads a specification from the text of a TOML file, called `file` in messages.
    ///
    /// # Errors
    /// If it is no TOML, lacks or misspells a key, or a value is out of its range.
    pub fn from_toml(file: &str, text: &str) -> Result<Self, ParameterError> {
        Self::of(&Document::read(file, text, BASE)?)
    }

    /// Reads a specification from a table of a larger file.
    ///
    /// # Errors
    /// As [`from_toml`](Self::from_toml).
    pub fn from_document(document: &Document) -> Result<Self, ParameterError> {
        Self::of(&Self::layers(document)?)
    }

    /// The table over the shipped file that it names as its base: every key that counts.
    ///
    /// # Errors
    /// If there is no such file.
    pub fn layers(document: &Document) -> Result<Document, ParameterError> {
        document.based(BASE)
    }

    fn of(document: &Document) -> Result<Self, ParameterError> {
        let spec: Self = document.get()?;
        spec.validate().map_err(|problem| {
            if let Some((key, expected)) = problem.instead
                && document.blamed(&[&problem.key, key]) == key
            {
                return document.error(key, expected);
            }
            ParameterError {
                value: problem.value,
                ..document.error(&problem.key, problem.expected)
            }
        })?;
        Ok(spec)
    }
}

/// Only shipped files can be named, and none of those in a circle.
const BASE: Base<'static> = Base {
    key: "base",
    find: &shipped,
};

/// The text of a shipped file, or the names that there are.
fn shipped(name: &str) -> Result<String, String> {
    let shipped = SHIPPED.iter().find(|(shipped, _)| *shipped == name);
    let text = shipped.map(|(_, text)| (*text).to_owned());
    text.ok_or_else(|| format!("one of {}", shipped_names().join(", ")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dram::DramEnergy;

    #[test]
    fn shipped_specifications_are_valid_and_survive_writing() {
        for name in shipped_names() {
            let spec = DramSpec::named(name).expect(name);
            let text = toml::to_string(&spec).expect("TOML");
            assert_eq!(DramSpec::from_toml("file", &text), Ok(spec), "{name}");
        }
    }

    #[test]
    fn file_over_a_base_changes_only_what_it_says() {
        let spec = DramSpec::from_toml("file", "base = \"lpddr4_2ch\"\ntiming.tREFI = 4700")
            .expect("valid");
        let mut expected = DramSpec::named("lpddr4_2ch").expect("shipped");
        expected.timing.t_refi = azulejo_units::DramCycles(4700);
        assert_eq!(spec, expected, "the interval alone");
    }

    #[test]
    fn misspelt_key_is_refused_by_name() {
        let error = DramSpec::from_toml("file", "base = \"lpddr3_1ch\"\ntiming.REFI = 3120");
        let message = error
            .expect_err("the very slip in DRAMsim3's file")
            .to_string();
        assert!(message.contains("REFI"), "{message}");
    }

    #[test]
    fn value_out_of_range_is_refused_with_key_value_and_range() {
        for (line, key, value) in [
            ("structure.rows = 1000", "structure.rows", "1000"),
            ("structure.channels = 0", "structure.channels", "0"),
            ("timing.tREFI = 100", "timing.tREFI", "100"),
            ("timing.tCK_ps = 0", "timing.tCK_ps", "0"),
            ("current.VDD = nan", "current.VDD", "NaN"),
            ("controller.read_queue = 0", "controller.read_queue", "0"),
            ("structure.channel_size_MB = 8388608", "structure", "4096"),
        ] {
            let error = DramSpec::from_toml("file", &format!("base = \"lpddr3_1ch\"\n{line}"));
            let message = error.expect_err(line).to_string();
            for part in [key, value, "expected"] {
                assert!(message.contains(part), "{line}: {message}");
            }
        }
    }

    #[test]
    fn current_below_the_standby_in_it_is_refused_with_both_keys() {
        for (line, key, part) in [
            (
                "current.IDD0 = 0",
                "current.IDD0 = 0",
                "current.IDD2N over tRP",
            ),
            ("current.IDD4R = 0", "current.IDD4R = 0", "current.IDD3N, "),
            (
                "current.IDD4W = 20.9",
                "current.IDD4W = 20.9",
                "current.IDD3N, ",
            ),
            (
                "current.IDD3N = 300",
                "current.IDD4R = ",
                "current.IDD3N, 300",
            ),
            (
                "current.IDD5AB = 0",
                "current.IDD5AB = 0",
                "current.IDD3N, ",
            ),
        ] {
            let text = format!("base = \"lpddr3_1ch\"\n{line}");
            let error = DramSpec::from_toml("file", &text)
                .expect_err(line)
                .to_string();
            assert!(error.contains(key) && error.contains(part), "{error}");
        }
    }

    #[test]
    fn energies_of_events_at_the_least_currents_are_not_negative() {
        let mut spec = DramSpec::named("lpddr4_1ch").expect("shipped");
        let c = &mut spec.current;
        (c.idd4r, c.idd4w, c.idd5ab) = (c.idd3n, c.idd3n, c.idd3n);
        c.idd0 = 0.0;
        let refused = spec.validate().expect_err("below the standby");
        let least = refused
            .expected
            .split([' ', ','])
            .nth(2)
            .expect("at least N");
        spec.current.idd0 = least.parse().expect("a number");
        assert_eq!(spec.validate(), Ok(()), "the least that is allowed");
        let event = DramEnergy::of_events(&spec);
        assert!(event.act > -1e-9, "nothing but rounding: {event:?}");
        assert_eq!(
            (event.read, event.write, event.refresh),
            (0.0, 0.0, 0.0),
            "nothing left"
        );
    }

    #[test]
    fn times_and_queues_beyond_any_dram_are_refused() {
        for line in [
            "timing.tRRD_S = 1048576",
            "timing.tCK_ps = 1000000",
            "timing.tCK_ps = 100000\ntiming.tRFC = 101",
            "structure.channels = 64\ncontroller.bank_queue = 4096",
        ] {
            let text = format!("base = \"lpddr3_1ch\"\n{line}");
            assert!(DramSpec::from_toml("file", &text).is_err(), "{line}");
        }
    }

    #[test]
    fn mapping_must_name_each_field_once() {
        for mapping in [
            "",
            "rochrababg",
            "rochrababgcoro",
            "rorochrababg",
            "xxchrababgco",
            "é",
        ] {
            let text = format!("base = \"lpddr3_1ch\"\nstructure.mapping = \"{mapping}\"");
            let message = DramSpec::from_toml("file", &text)
                .expect_err(mapping)
                .to_string();
            let expected = format!("file: structure.mapping = \"{mapping}\": expected ro, ch,");
            assert!(message.starts_with(&expected), "{mapping}: {message}");
        }
    }
}
