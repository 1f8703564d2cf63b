//! Ranges of the DRAM's parameters: a value that is outside becomes an error that names its key.

use azulejo_units::Picoseconds;

/// A parameter that the model cannot run with.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[error("{key} = {value}: expected {expected}")]
pub struct DramSpecError {
    /// Key in the file.
    pub key: String,
    /// Value as the file has it.
    pub value: String,
    /// Values that the key may have.
    pub expected: String,
    /// Another key that its range follows from, with what that may be beside this value, where it could be changed instead.
    pub instead: Option<(&'static str, String)>,
}

/// Longest distance of two commands in cycles: eight times the longest of any DRAM, a refresh of 32 Gb at 4 GHz.
const MAX_TIMING: u64 = 1 << 14;
/// Longest distance of two commands in ps, and longest clock period: ten times the longest of any DRAM.
const MAX_TIME: u64 = 10_000_000;
pub(super) const MAX_CLOCK_PERIOD: u64 = 100_000;
pub(super) fn check<T: ToString>(
    fits: bool,
    key: &'static str,
    value: T,
    expected: String,
) -> Result<(), DramSpecError> {
    if fits {
        return Ok(());
    }
    let value = value.to_string();
    Err(DramSpecError {
        key: key.to_owned(),
        value,
        expected,
        instead: None,
    })
}

/// A distance of two commands in cycles of `period`.
pub(super) fn distance(
    key: &'static str,
    value: u64,
    least: u64,
    period: Picoseconds,
) -> Result<(), DramSpecError> {
    let most = MAX_TIMING.min(MAX_TIME / period.0);
    let is_in_time = (most + 1..=MAX_TIMING).contains(&value);
    let shortened = || {
        let longest = MAX_TIME / value;
        (
            "timing.tCK_ps",
            format!("from 1 to {longest} beside {key} = {value}"),
        )
    };
    in_range(key, value, least, most).map_err(|error| DramSpecError {
        instead: is_in_time.then(shortened),
        ..error
    })
}

pub(super) fn in_range(
    key: &'static str,
    value: u64,
    least: u64,
    most: u64,
) -> Result<(), DramSpecError> {
    let expected = format!("from {least} to {most}");
    check((least..=most).contains(&value), key, value, expected)
}

pub(super) fn power_of_two(
    key: &'static str,
    value: u32,
    least: u32,
    most: u32,
) -> Result<(), DramSpecError> {
    let fits = value.is_power_of_two() && (least..=most).contains(&value);
    let expected = format!("a power of two from {least} to {most}");
    check(fits, key, value, expected)
}
