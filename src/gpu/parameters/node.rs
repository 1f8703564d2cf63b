//! TOML in layers: the file that is named as the base below, the file over it. Every node keeps the file it came from.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use toml::{Table, Value};

use super::error::{ParameterError, excerpt};

/// Files that may lie below each other.
const MAX_DEPTH: u32 = 8;

/// How a file names the one below it.
#[derive(Clone, Copy)]
pub struct Base<'a> {
    /// The key, which is no parameter: `include`, `base`.
    pub key: &'a str,
    /// The text of the file of a name; an error says what name is expected.
    pub find: &'a dyn Fn(&str) -> Result<String, String>,
}

impl fmt::Debug for Base<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Base").field(&self.key).finish()
    }
}

/// A value or a table, and where it came from.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Node {
    pub(super) file: Arc<str>,
    pub(super) content: Content,
}

#[derive(Debug, Clone, PartialEq)]
pub(super) enum Content {
    /// Neither table nor list.
    Value(Value),
    List(Vec<Node>),
    Table(BTreeMap<String, Node>),
}

impl Node {
    pub(super) fn new(file: &Arc<str>, value: Value) -> Self {
        let content = match value {
            Value::Table(table) => {
                let entries = table.into_iter();
                Content::Table(entries.map(|(k, v)| (k, Self::new(file, v))).collect())
            }
            Value::Array(items) => {
                Content::List(items.into_iter().map(|v| Self::new(file, v)).collect())
            }
            value => Content::Value(value),
        };
        let file = Arc::clone(file);
        Self { file, content }
    }

    pub(super) fn parse(file: &str, text: &str) -> Result<Self, ParameterError> {
        let table: Table = text.parse().map_err(|problem: toml::de::Error| {
            let before = problem
                .span()
                .and_then(|span| text.get(..span.start))
                .map_or(0, |before| before.matches('\n').count());
            ParameterError {
                file: file.to_owned(),
                key: format!("line {}", before + 1),
                value: "(text)".to_owned(),
                expected: format!("TOML ({})", problem.message()),
            }
        })?;
        Ok(Self::new(&Arc::from(file), Value::Table(table)))
    }

    pub(super) fn table(&self) -> Option<&BTreeMap<String, Self>> {
        match &self.content {
            Content::Table(table) => Some(table),
            _ => None,
        }
    }

    pub(super) fn table_mut(&mut self) -> Option<&mut BTreeMap<String, Self>> {
        match &mut self.content {
            Content::Table(table) => Some(table),
            _ => None,
        }
    }

    /// Values below by dotted key, without quotes.
    pub(super) fn lists(&self, path: &str, lists: &mut Vec<(String, Vec<String>)>) {
        match &self.content {
            Content::Table(table) => {
                for (key, node) in table {
                    let path = match path {
                        "" => key.clone(),
                        path => format!("{path}.{key}"),
                    };
                    node.lists(&path, lists);
                }
            }
            Content::List(items) => {
                lists.push((path.to_owned(), items.iter().map(Self::text).collect()));
            }
            Content::Value(_) => lists.push((path.to_owned(), vec![self.text()])),
        }
    }

    /// As `--set` takes it.
    fn text(&self) -> String {
        match &self.content {
            Content::Value(Value::String(text)) => text.clone(),
            Content::Value(value) => value.to_string(),
            Content::List(items) => {
                let items: Vec<_> = items.iter().map(Self::toml).collect();
                format!("[{}]", items.join(", "))
            }
            Content::Table(table) => {
                let entries = table.iter();
                let entries = entries.map(|(key, node)| format!("{key:?} = {}", node.toml()));
                format!("{{ {} }}", entries.collect::<Vec<_>>().join(", "))
            }
        }
    }

    /// As TOML writes it, whole.
    fn toml(&self) -> String {
        match &self.content {
            Content::Value(value) => value.to_string(),
            _ => self.text(),
        }
    }

    /// Tables are merged key by key; anything else replaces what is there.
    fn lay_over(&mut self, above: Self) {
        match (&mut self.content, above.content) {
            (Content::Table(below), Content::Table(entries)) => {
                self.file = above.file;
                for (key, node) in entries {
                    match below.get_mut(&key) {
                        Some(known) => known.lay_over(node),
                        None => drop(below.insert(key, node)),
                    }
                }
            }
            (_, content) => {
                *self = Self {
                    file: above.file,
                    content,
                }
            }
        }
    }

    /// This table over the file that it names as its base, which may name one in its turn.
    pub(super) fn on_its_base(
        mut self,
        base: Base<'_>,
        depth: u32,
    ) -> Result<Self, ParameterError> {
        let Some(named) = self.table_mut().and_then(|table| table.remove(base.key)) else {
            return Ok(self);
        };
        let name = match &named.content {
            Content::Value(Value::String(name)) if depth < MAX_DEPTH => Ok(name),
            Content::Value(Value::String(_)) => {
                Err(format!("files that are at most {MAX_DEPTH} deep"))
            }
            _ => Err("a name in quotes".to_owned()),
        };
        let found = name.and_then(|name| Ok((name, (base.find)(name)?)));
        let (name, text) = found.map_err(|expected| ParameterError {
            file: named.file.to_string(),
            key: base.key.to_owned(),
            value: named.to_string(),
            expected,
        })?;
        let mut below = Self::parse(name, &text)?.on_its_base(base, depth + 1)?;
        below.lay_over(self);
        Ok(below)
    }
}

/// As TOML writes it, shortened.
impl fmt::Display for Node {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.content {
            Content::Value(value) => f.write_str(&excerpt(&value.to_string())),
            Content::List(items) => write!(f, "(a list of {})", items.len()),
            Content::Table(table) => write!(f, "(a table of {})", table.len()),
        }
    }
}
