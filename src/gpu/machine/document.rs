//! Merged TOML: includes below, the file above, overlays on top, and for every value the file it came from.

use std::collections::BTreeMap;

use toml::{Table, Value};

/// A machine file that cannot be used: where, what, and what would be allowed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{file}: {key} = {value}: expected {expected}")]
pub struct MachineError {
    /// File, built-in machine, or `--set`.
    pub file: String,
    /// Dotted key.
    pub key: String,
    /// What is there.
    pub value: String,
    /// What may be there.
    pub expected: String,
}

/// A change from the command line: dotted key and value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Overlay {
    /// For example `l2.size`.
    pub key: String,
    /// For example `1MiB`.
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

/// Includes that may follow each other.
const MAX_DEPTH: u32 = 8;

/// A merged file.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Document {
    pub(super) root: Table,
    /// File by dotted key of every leaf.
    origins: BTreeMap<String, String>,
}

impl Document {
    /// Reads `text`, called `file` in messages; `resolve` finds the text of an included machine.
    ///
    /// # Errors
    /// If a file is no TOML, or an include is missing or never ends.
    pub fn read(
        file: &str,
        text: &str,
        resolve: &dyn Fn(&str) -> Option<String>,
    ) -> Result<Self, MachineError> {
        let mut document = Self::default();
        document.merge_file(file, text, resolve, 0)?;
        Ok(document)
    }

    fn merge_file(
        &mut self,
        file: &str,
        text: &str,
        resolve: &dyn Fn(&str) -> Option<String>,
        depth: u32,
    ) -> Result<(), MachineError> {
        let error = |key: &str, value: &str, expected: String| MachineError {
            file: file.to_owned(),
            key: key.to_owned(),
            value: value.to_owned(),
            expected,
        };
        let mut table: Table = text.parse().map_err(|problem: toml::de::Error| {
            let line = problem
                .span()
                .map_or(0, |span| text[..span.start.min(text.len())].lines().count());
            let expected = format!("TOML ({})", problem.message());
            error(&format!("line {}", line.max(1)), "(text)", expected)
        })?;
        if let Some(include) = table.remove("include") {
            let name = include.as_str().unwrap_or_default().to_owned();
            let found = resolve(&name).filter(|_| depth < MAX_DEPTH);
            let text = found.ok_or_else(|| {
                let expected = format!("a machine, included at most {MAX_DEPTH} deep");
                error("include", &include.to_string(), expected)
            })?;
            self.merge_file(&name, &text, resolve, depth + 1)?;
        }
        merge(&mut self.root, &mut self.origins, "", file, table);
        Ok(())
    }

    /// Changes one value; the key's tables come into being where they are missing.
    ///
    /// # Errors
    /// If a part of the key is a value and not a table.
    pub fn set(&mut self, overlay: &Overlay) -> Result<(), MachineError> {
        let mut table = Table::new();
        table.insert(String::new(), value_of(&overlay.value));
        let value = table.remove("").unwrap_or(Value::Boolean(false));
        let mut at = &mut self.root;
        let mut parts: Vec<&str> = overlay.key.split('.').collect();
        let last = parts.pop().unwrap_or_default().to_owned();
        for part in parts {
            let next = at.entry(part).or_insert_with(|| Value::Table(Table::new()));
            at = next.as_table_mut().ok_or_else(|| MachineError {
                file: "--set".to_owned(),
                key: overlay.key.clone(),
                value: overlay.value.clone(),
                expected: format!("a key: '{part}' is a value"),
            })?;
        }
        at.insert(last, value);
        self.origins.insert(overlay.key.clone(), "--set".to_owned());
        Ok(())
    }

    /// The file that a key came from, or the nearest one above it.
    pub(super) fn origin(&self, key: &str) -> &str {
        let mut at = key;
        loop {
            if let Some(file) = self.origins.get(at) {
                return file;
            }
            match at.rsplit_once('.') {
                Some((above, _)) => at = above,
                None => {
                    return self
                        .origins
                        .values()
                        .next()
                        .map_or("machine", String::as_str);
                }
            }
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

fn merge(
    into: &mut Table,
    origins: &mut BTreeMap<String, String>,
    path: &str,
    file: &str,
    from: Table,
) {
    for (key, value) in from {
        let path = if path.is_empty() {
            key.clone()
        } else {
            format!("{path}.{key}")
        };
        origins.insert(path.clone(), file.to_owned());
        match (into.get_mut(&key), value) {
            (Some(Value::Table(below)), Value::Table(above)) => {
                merge(below, origins, &path, file, above);
            }
            (_, Value::Table(above)) => {
                let mut below = Table::new();
                merge(&mut below, origins, &path, file, above);
                into.insert(key, Value::Table(below));
            }
            (_, value) => {
                into.insert(key, value);
            }
        }
    }
}
