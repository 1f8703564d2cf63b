//! Typed, range-checked access to one table of a [`Document`]. Keys that nobody asked for are errors, so that a misspelt one is
//! not silently ignored.

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::ops::RangeInclusive;

use toml::{Table, Value};

use super::document::{Document, MachineError};
use crate::units::{Bytes, Cycles};

/// One table, with its path for messages.
pub(super) struct Section<'a> {
    document: &'a Document,
    table: Option<&'a Table>,
    path: String,
    asked: RefCell<BTreeSet<String>>,
}

impl<'a> Section<'a> {
    pub(super) fn root(document: &'a Document) -> Self {
        Self {
            document,
            table: Some(&document.root),
            path: String::new(),
            asked: RefCell::default(),
        }
    }

    /// A table below; where it is missing every key in it is.
    pub(super) fn section(&self, key: &str) -> Result<Self, MachineError> {
        let table = match self.get(key) {
            None => None,
            Some(Value::Table(table)) => Some(table),
            Some(_) => return Err(self.error(key, "a table".to_owned())),
        };
        Ok(Self {
            document: self.document,
            table,
            path: self.path_of(key),
            asked: RefCell::default(),
        })
    }

    /// The whole table, for a reader of its own.
    pub(super) fn table(&self) -> Option<&'a Table> {
        self.table
    }

    /// Names of the tables below.
    pub(super) fn keys(&self) -> Vec<String> {
        self.table
            .map(|table| table.keys().cloned().collect())
            .unwrap_or_default()
    }

    fn get(&self, key: &str) -> Option<&'a Value> {
        self.asked.borrow_mut().insert(key.to_owned());
        self.table.and_then(|table| table.get(key))
    }

    fn path_of(&self, key: &str) -> String {
        if self.path.is_empty() {
            key.to_owned()
        } else {
            format!("{}.{key}", self.path)
        }
    }

    pub(super) fn error(&self, key: &str, expected: String) -> MachineError {
        let path = self.path_of(key);
        let value = self.table.and_then(|table| table.get(key));
        MachineError {
            file: self.document.origin(&path).to_owned(),
            value: value.map_or("(missing)".to_owned(), ToString::to_string),
            key: path,
            expected,
        }
    }

    pub(super) fn integer(
        &self,
        key: &str,
        range: RangeInclusive<u64>,
    ) -> Result<u64, MachineError> {
        let value = self.get(key).and_then(Value::as_integer);
        let value = value.and_then(|value| u64::try_from(value).ok());
        value.filter(|value| range.contains(value)).ok_or_else(|| {
            let expected = format!("an integer from {} to {}", range.start(), range.end());
            self.error(key, expected)
        })
    }

    pub(super) fn count(&self, key: &str, range: RangeInclusive<u32>) -> Result<u32, MachineError> {
        let wide = u64::from(*range.start())..=u64::from(*range.end());
        // In range of a u32 by the line above.
        self.integer(key, wide).map(|value| value as u32)
    }

    pub(super) fn cycles(
        &self,
        key: &str,
        range: RangeInclusive<u64>,
    ) -> Result<Cycles, MachineError> {
        self.integer(key, range).map(Cycles)
    }

    pub(super) fn power_of_two(
        &self,
        key: &str,
        range: RangeInclusive<u32>,
    ) -> Result<u32, MachineError> {
        let value = self.count(key, range.clone())?;
        if value.is_power_of_two() {
            return Ok(value);
        }
        let expected = format!("a power of two from {} to {}", range.start(), range.end());
        Err(self.error(key, expected))
    }

    /// Bytes as an integer, or with a binary unit: `64B`, `32KiB`, `2MiB`.
    pub(super) fn size(&self, key: &str) -> Result<Bytes, MachineError> {
        let value = self.get(key).and_then(|value| match value {
            Value::Integer(bytes) => u64::try_from(*bytes).ok(),
            Value::String(text) => parse_size(text),
            _ => None,
        });
        let expected = "a size such as 64B, 32KiB or 2MiB".to_owned();
        value.map(Bytes).ok_or_else(|| self.error(key, expected))
    }

    pub(super) fn text(&self, key: &str) -> Result<&'a str, MachineError> {
        let value = self.get(key).and_then(Value::as_str);
        value.ok_or_else(|| self.error(key, "a text".to_owned()))
    }

    pub(super) fn flag(&self, key: &str) -> Result<bool, MachineError> {
        let value = self.get(key).and_then(Value::as_bool);
        value.ok_or_else(|| self.error(key, "true or false".to_owned()))
    }

    pub(super) fn choice<T: Copy>(
        &self,
        key: &str,
        choices: &[(T, &str)],
    ) -> Result<T, MachineError> {
        let name = self.get(key).and_then(Value::as_str);
        let found = choices.iter().find(|(_, known)| Some(*known) == name);
        found.map(|(choice, _)| *choice).ok_or_else(|| {
            let names: Vec<_> = choices.iter().map(|(_, name)| *name).collect();
            self.error(key, format!("one of {}", names.join(", ")))
        })
    }

    /// One text for all, or a list.
    pub(super) fn texts(&self, key: &str) -> Result<Vec<&'a str>, MachineError> {
        let list = match self.get(key) {
            Some(Value::String(text)) => Some(vec![text.as_str()]),
            Some(Value::Array(items)) => items.iter().map(Value::as_str).collect(),
            _ => None,
        };
        list.filter(|list| !list.is_empty())
            .ok_or_else(|| self.error(key, "a text or a list of texts".to_owned()))
    }

    /// Refuses keys that nobody asked for.
    pub(super) fn finish(&self) -> Result<(), MachineError> {
        let asked = self.asked.borrow();
        let unknown = self.keys().into_iter().find(|key| !asked.contains(key));
        unknown.map_or(Ok(()), |key| {
            let known: Vec<_> = asked.iter().cloned().collect();
            Err(self.error(&key, format!("one of the keys {}", known.join(", "))))
        })
    }
}

fn parse_size(text: &str) -> Option<u64> {
    let digits = text.trim_end_matches(|c: char| !c.is_ascii_digit());
    let shift = match text[digits.len()..].trim() {
        "B" | "" => 0,
        "KiB" => 10,
        "MiB" => 20,
        "GiB" => 30,
        _ => return None,
    };
    let value: u64 = digits.parse().ok()?;
    value.checked_mul(1 << shift)
}
