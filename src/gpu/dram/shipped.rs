//! DRAM specifications by name and from files: TOML text in, a validated [`DramSpec`] out. The shipped ones are in `assets/dram`, with
//! the source of every number.
//!
//! A file may name a shipped specification as its `base` and then says only what differs.

use toml::{Table, Value};

use super::spec::{DramSpec, DramSpecError};

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

/// A specification that could not be had.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum LoadDramError {
    /// Nobody ships this.
    #[error("no DRAM configuration named {name:?}: expected one of {}", shipped_names().join(", "))]
    UnknownName {
        /// What was asked for.
        name: String,
    },
    /// Not TOML, a key that does not exist or is missing, or a value of the wrong type.
    #[error("{0}")]
    Toml(String),
    /// `base` is not a string.
    #[error("base = {0}: expected the name of a shipped configuration in quotes")]
    Base(String),
    /// A value out of range.
    #[error(transparent)]
    Spec(#[from] DramSpecError),
}

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
    pub fn named(name: &str) -> Result<Self, LoadDramError> {
        Self::from_table(table_named(name)?)
    }

    /// Reads a specification from the text of a TOML file.
    ///
    /// # Errors
    /// If it is no TOML, lacks or misspells a key, or a value is out of its range.
    pub fn from_toml(text: &str) -> Result<Self, LoadDramError> {
        Self::from_table(parse(text)?)
    }

    /// Reads a specification from a part of a larger TOML file.
    ///
    /// # Errors
    /// As [`from_toml`](Self::from_toml).
    pub fn from_table(table: Table) -> Result<Self, LoadDramError> {
        let spec: Self = resolve_base(table)?
            .try_into()
            .map_err(|error: toml::de::Error| LoadDramError::Toml(error.to_string()))?;
        spec.validate()?;
        Ok(spec)
    }
}

fn parse(text: &str) -> Result<Table, LoadDramError> {
    text.parse()
        .map_err(|error: toml::de::Error| LoadDramError::Toml(error.to_string()))
}

fn table_named(name: &str) -> Result<Table, LoadDramError> {
    let shipped = SHIPPED.iter().find(|(shipped, _)| *shipped == name);
    let (_, text) = shipped.ok_or_else(|| LoadDramError::UnknownName {
        name: name.chars().take(80).collect(),
    })?;
    parse(text)
}

/// Lays the table over the one that it names as its base. Only shipped ones can be named, and none of those in a circle.
fn resolve_base(mut table: Table) -> Result<Table, LoadDramError> {
    match table.remove("base") {
        None => Ok(table),
        Some(Value::String(name)) => {
            let mut base = resolve_base(table_named(&name)?)?;
            lay_over(&mut base, table);
            Ok(base)
        }
        Some(other) => Err(LoadDramError::Base(other.to_string())),
    }
}

fn lay_over(base: &mut Table, over: Table) {
    for (key, value) in over {
        match (base.get_mut(&key), value) {
            (Some(Value::Table(below)), Value::Table(above)) => lay_over(below, above),
            (_, value) => {
                base.insert(key, value);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shipped_specifications_are_valid_and_survive_writing() {
        for name in shipped_names() {
            let spec = DramSpec::named(name).expect(name);
            let text = toml::to_string(&spec).expect("TOML");
            assert_eq!(DramSpec::from_toml(&text), Ok(spec), "{name}");
        }
    }

    #[test]
    fn file_over_a_base_changes_only_what_it_says() {
        let spec =
            DramSpec::from_toml("base = \"lpddr4_2ch\"\ntiming.tREFI = 4700").expect("valid");
        let mut expected = DramSpec::named("lpddr4_2ch").expect("shipped");
        expected.timing.t_refi = crate::units::Cycles(4700);
        assert_eq!(spec, expected, "the interval alone");
    }

    #[test]
    fn misspelt_key_is_refused_by_name() {
        let error = DramSpec::from_toml("base = \"lpddr3_1ch\"\ntiming.REFI = 3120");
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
            let error = DramSpec::from_toml(&format!("base = \"lpddr3_1ch\"\n{line}"));
            let message = error.expect_err(line).to_string();
            for part in [key, value, "expected"] {
                assert!(message.contains(part), "{line}: {message}");
            }
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
            let message = DramSpec::from_toml(&text).expect_err(mapping).to_string();
            assert!(message.contains("each once"), "{mapping}: {message}");
        }
    }
}
