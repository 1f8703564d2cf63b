//! A file of parameters with all its layers: text and changes in, typed values and errors that name file and key out.

use std::sync::Arc;

use serde::Deserialize;
use toml::{Table, Value};

use super::error::{ParameterError, excerpt};
use super::node::{Base, Content, Node};
use super::reader::Cursor;

/// The file of changes from the command line, in messages.
const SET: &str = "--set";

/// Parts of a dotted key: more than any parameter has.
const MAX_PARTS: usize = 8;

/// A change from the command line: dotted key and value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Overlay {
    /// Dotted key, for example `l2.size`.
    pub key: String,
    /// Value as text, for example `1MiB`.
    pub value: String,
}

impl std::str::FromStr for Overlay {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let (key, value) = text
            .split_once('=')
            .filter(|(key, _)| !key.trim().is_empty())
            .ok_or_else(|| format!("'{text}': expected KEY=VALUE, for example l2.size=1MiB"))?;
        Ok(Self {
            key: key.trim().to_owned(),
            value: value.trim().to_owned(),
        })
    }
}

/// A table of parameters in its layers, or a part of one.
#[derive(Debug, Clone, PartialEq)]
pub struct Document {
    /// Dotted key of the table in its file; empty for a whole file.
    path: String,
    root: Node,
}

impl Document {
    /// Reads `text`, called `file` in messages, and lays it over the files that it names.
    ///
    /// # Errors
    /// If a file is no TOML, or a base is missing or never ends.
    pub fn read(file: &str, text: &str, base: Base<'_>) -> Result<Self, ParameterError> {
        Ok(Self {
            path: String::new(),
            root: Node::parse(file, text)?.on_its_base(base, 0)?,
        })
    }

    /// Lays the document over the file that it names as its base.
    ///
    /// # Errors
    /// If the base is missing, no TOML, or never ends.
    pub fn based(&self, base: Base<'_>) -> Result<Self, ParameterError> {
        let root = self.root.clone().on_its_base(base, 0);
        Ok(Self {
            root: root.map_err(|error| ParameterError {
                key: self.path_of(&error.key),
                ..error
            })?,
            path: self.path.clone(),
        })
    }

    /// Changes one value; the key's tables come into being where they are missing.
    ///
    /// # Errors
    /// If a part of the key is a value and not a table, or the key has too many parts.
    pub fn set(&mut self, overlay: &Overlay) -> Result<(), ParameterError> {
        let file: Arc<str> = Arc::from(SET);
        let error = |expected: String| ParameterError {
            file: SET.to_owned(),
            key: excerpt(&overlay.key),
            value: excerpt(&overlay.value),
            expected,
        };
        let mut parts: Vec<&str> = overlay.key.split('.').collect();
        if parts.len() > MAX_PARTS {
            return Err(error(format!("a key of at most {MAX_PARTS} parts")));
        }
        let last = parts.pop().unwrap_or_default();
        let mut at = &mut self.root;
        for part in parts {
            let table = at.table_mut();
            let table = table.ok_or_else(|| error(format!("a table before '{part}'")))?;
            let new = || Node::new(&file, Value::Table(Table::new()));
            at = table.entry(part.to_owned()).or_insert_with(new);
        }
        let table = at.table_mut();
        let table = table.ok_or_else(|| error(format!("a table before '{last}'")))?;
        table.insert(last.to_owned(), Node::new(&file, value_of(&overlay.value)));
        Ok(())
    }

    /// The whole as a typed value.
    ///
    /// # Errors
    /// The first key that is missing, unknown, or has a value that the type does not take.
    pub fn get<'de, T: Deserialize<'de>>(&'de self) -> Result<T, ParameterError> {
        let cursor = Cursor::root(&self.root);
        T::deserialize(cursor).map_err(|fault| fault.into_error(&self.path))
    }

    /// The table of `key` as a document of its own, empty where there is none; messages name its keys as this one does.
    #[must_use]
    pub fn part(&self, key: &str) -> Self {
        let root = self.find(key).cloned();
        Self {
            path: self.path_of(key),
            root: root.unwrap_or_else(|| Node::new(&self.root.file, Value::Table(Table::new()))),
        }
    }

    /// The text of a key of the table; none where there is no text.
    #[must_use]
    pub fn text(&self, key: &str) -> Option<&str> {
        match &self.find(key)?.content {
            Content::Value(Value::String(text)) => Some(text),
            _ => None,
        }
    }

    /// Keys of the table, in order.
    pub fn keys(&self) -> impl Iterator<Item = &str> {
        self.root
            .table()
            .into_iter()
            .flat_map(|table| table.keys().map(String::as_str))
    }

    /// Every value below the table by its dotted key, as `--set` takes it: a list is several values, anything else is one.
    #[must_use]
    pub fn lists(&self) -> Vec<(String, Vec<String>)> {
        let mut lists = Vec::new();
        self.root.lists("", &mut lists);
        lists
    }

    /// Takes the table of `key` out, as a document of its own; an empty one where there is none.
    pub fn take(&mut self, key: &str) -> Self {
        let part = self.part(key);
        if let Some(table) = self.root.table_mut() {
            table.remove(key);
        }
        part
    }

    /// The file that the others lie below, as messages call it.
    #[must_use]
    pub fn file(&self) -> &str {
        &self.root.file
    }

    /// Whether a key stands in the file itself, or came with `--set`, and not in a file below.
    #[must_use]
    pub fn is_own(&self, key: &str) -> bool {
        let node = self.find(key);
        node.is_some_and(|node| node.file == self.root.file || *node.file == *SET)
    }

    /// The key to blame among those with values that do not fit each other: the last of those that came with `--set`, else
    /// the last of those that stand in the file itself and not below it, else the first.
    #[must_use]
    pub fn blamed<'k>(&self, keys: &[&'k str]) -> &'k str {
        let stands_in = |file: &str| {
            let mut keys = keys.iter().rev();
            let found = keys.find(|key| self.find(key).is_some_and(|node| *node.file == *file));
            found.copied()
        };
        let first = || keys.first().copied().unwrap_or_default();
        stands_in(SET)
            .or_else(|| stands_in(&self.root.file))
            .unwrap_or_else(first)
    }

    /// An error about the value of a dotted key.
    #[must_use]
    pub fn error(&self, key: &str, expected: impl Into<String>) -> ParameterError {
        let mut at = &self.root;
        let mut is_there = true;
        for part in key.split('.') {
            match at.table().and_then(|table| table.get(part)) {
                Some(node) => at = node,
                None => is_there = false,
            }
        }
        ParameterError {
            file: at.file.to_string(),
            key: self.path_of(key),
            value: if is_there {
                at.to_string()
            } else {
                "(missing)".to_owned()
            },
            expected: expected.into(),
        }
    }

    fn find(&self, key: &str) -> Option<&Node> {
        key.split('.').try_fold(&self.root, |at, part| {
            at.table().and_then(|table| table.get(part))
        })
    }

    fn path_of(&self, key: &str) -> String {
        match self.path.as_str() {
            "" => key.to_owned(),
            path => format!("{path}.{key}"),
        }
    }
}

/// `16`, `true`, `[1, 2]` and `"text"` as TOML has them; anything else is text.
fn value_of(text: &str) -> Value {
    format!("v = {text}")
        .parse::<Table>()
        .ok()
        .and_then(|mut table| table.remove("v"))
        .unwrap_or_else(|| Value::String(text.to_owned()))
}
