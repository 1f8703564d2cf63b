//! Serde's view of a document: a type reads its keys, and a fault comes back with file, key, value and what the type
//! expected.
//!
//! A table hands every key of the type over, also those that are missing: the type of the missing value then says what it
//! expects, so that "(missing)" has the same range beside it as a wrong value.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use serde::de::value::{BorrowedStrDeserializer, SeqDeserializer};
use serde::de::{
    DeserializeSeed, Deserializer, Error, Expected, IntoDeserializer, MapAccess, Unexpected,
    Visitor,
};
use serde::forward_to_deserialize_any;
use toml::Value;

use super::error::{ParameterError, excerpt, one_of};
use super::node::{Content, Node};

/// Why a value cannot be read; the key grows on the way out of the tables.
#[derive(Debug)]
pub(super) struct Fault {
    /// Parts of the key, the last first.
    key: Vec<String>,
    /// File and value, once a node has been seen.
    at: Option<(String, String)>,
    expected: String,
}

impl Fault {
    /// The fault is in this value, or in one below it.
    fn seen_at(mut self, cursor: &Cursor<'_>) -> Self {
        self.at.get_or_insert_with(|| {
            let file = cursor.file.to_string();
            let value = cursor.node.map(ToString::to_string);
            (file, value.unwrap_or_else(|| "(missing)".to_owned()))
        });
        if !cursor.key.is_empty() {
            self.key.push(excerpt(cursor.key));
        }
        self
    }

    pub(super) fn into_error(self, path: &str) -> ParameterError {
        let (file, value) = self.at.unwrap_or_default();
        let above = std::iter::once(path).filter(|path| !path.is_empty());
        let key: Vec<&str> = above
            .chain(self.key.iter().rev().map(String::as_str))
            .collect();
        ParameterError {
            file,
            key: key.join("."),
            value,
            expected: self.expected,
        }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "expected {}", self.expected)
    }
}

impl std::error::Error for Fault {}

impl Error for Fault {
    fn custom<T: fmt::Display>(message: T) -> Self {
        Self {
            key: Vec::new(),
            at: None,
            expected: message.to_string(),
        }
    }

    fn invalid_type(_: Unexpected<'_>, expected: &dyn Expected) -> Self {
        let text = expected.to_string();
        // Names of numbers and texts in the standard library's messages.
        Self::custom(match text.as_str() {
            "u32" | "u64" => "an integer, 0 or more",
            "f64" => "a number",
            "a string" => "a text",
            "a boolean" => "true or false",
            "a map" => "a table",
            text => text,
        })
    }

    fn invalid_value(unexpected: Unexpected<'_>, expected: &dyn Expected) -> Self {
        Self::invalid_type(unexpected, expected)
    }

    fn unknown_variant(name: &str, known: &'static [&'static str]) -> Self {
        Self::custom(one_of("", name, known))
    }
}

/// A place in a document: a node, or the lack of one.
#[derive(Clone, Copy)]
pub(super) struct Cursor<'de> {
    /// Key in the table above; empty for the root and for an item of a list.
    key: &'de str,
    /// The node's file, or that of the table in which it is missing.
    file: &'de Arc<str>,
    node: Option<&'de Node>,
}

impl<'de> Cursor<'de> {
    pub(super) fn root(node: &'de Node) -> Self {
        Self {
            key: "",
            file: &node.file,
            node: Some(node),
        }
    }

    /// Place below this one under a key.
    fn below(&self, key: &'de str) -> Self {
        let table = self.node.and_then(Node::table);
        let node = table.and_then(|table| table.get(key));
        Self {
            key,
            file: node.map_or(self.file, |node| &node.file),
            node,
        }
    }

    fn entries(
        &self,
        keys: impl Iterator<Item = &'de str>,
    ) -> Entries<'de, impl Iterator<Item = Self>> {
        Entries {
            rest: keys.map(|key| self.below(key)),
            value: None,
        }
    }
}

/// The keys of a table with their values; a fault in a value gets the place of the value here.
struct Entries<'de, I> {
    rest: I,
    value: Option<Cursor<'de>>,
}

impl<'de, I: Iterator<Item = Cursor<'de>>> MapAccess<'de> for Entries<'de, I> {
    type Error = Fault;

    fn next_key_seed<K: DeserializeSeed<'de>>(
        &mut self,
        seed: K,
    ) -> Result<Option<K::Value>, Fault> {
        self.value = self.rest.next();
        let key = self
            .value
            .map(|cursor| BorrowedStrDeserializer::new(cursor.key));
        key.map(|key| seed.deserialize(key)).transpose()
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value, Fault> {
        let Some(cursor) = self.value.take() else {
            return Err(Fault::custom("a value after its key"));
        };
        seed.deserialize(cursor)
            .map_err(|fault| fault.seen_at(&cursor))
    }
}

impl<'de> IntoDeserializer<'de, Fault> for Cursor<'de> {
    type Deserializer = Self;

    fn into_deserializer(self) -> Self {
        self
    }
}

impl<'de> Deserializer<'de> for Cursor<'de> {
    type Error = Fault;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Fault> {
        let Some(node) = self.node else {
            return Err(Fault::invalid_type(Unexpected::Option, &visitor));
        };
        match &node.content {
            Content::Value(Value::String(text)) => visitor.visit_borrowed_str(text),
            Content::Value(Value::Integer(number)) => visitor.visit_i64(*number),
            Content::Value(Value::Float(number)) => visitor.visit_f64(*number),
            Content::Value(Value::Boolean(flag)) => visitor.visit_bool(*flag),
            Content::Value(_) => Err(Fault::invalid_type(Unexpected::Other("date"), &visitor)),
            Content::List(items) => {
                visitor.visit_seq(SeqDeserializer::new(items.iter().map(Self::root)))
            }
            Content::Table(table) => {
                visitor.visit_map(self.entries(table.keys().map(String::as_str)))
            }
        }
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Fault> {
        match self.node {
            Some(_) => visitor.visit_some(self),
            None => visitor.visit_none(),
        }
    }

    /// The keys of the type, each with its value or the lack of one.
    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Fault> {
        let table = self.node.and_then(Node::table);
        if table.is_none() && self.node.is_some() {
            return Err(Fault::custom("a table"));
        }
        let mut keys = table.into_iter().flat_map(BTreeMap::keys);
        match keys.find(|key| !fields.contains(&key.as_str())) {
            Some(unknown) => {
                let fault = Fault::custom(one_of("the keys ", unknown, fields));
                Err(fault.seen_at(&self.below(unknown)))
            }
            None => visitor.visit_map(self.entries(fields.iter().copied())),
        }
    }

    /// A table whose keys are names: none where it is missing.
    fn deserialize_map<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Fault> {
        match self.node {
            None => visitor.visit_map(self.entries(std::iter::empty())),
            Some(_) => self.deserialize_any(visitor),
        }
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Fault> {
        let name = match self.node.map(|node| &node.content) {
            Some(Content::Value(Value::String(name))) => name.as_str(),
            _ => "",
        };
        if !variants.contains(&name) {
            return Err(Fault::unknown_variant(name, variants));
        }
        visitor.visit_enum(BorrowedStrDeserializer::new(name))
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        visitor: V,
    ) -> Result<V::Value, Fault> {
        visitor.visit_newtype_struct(self)
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf unit unit_struct seq tuple tuple_struct
        identifier ignored_any
    }
}
