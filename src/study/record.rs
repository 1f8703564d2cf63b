//! Records: measurements as plain data, with keys in the order in which they were written, so that studies of all kinds
//! share one list of results.

use std::fmt;

use serde::de::{DeserializeOwned, MapAccess, SeqAccess, Visitor};
use serde::ser::{SerializeMap, SerializeSeq};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// Measurement as plain data; its JSON is that of the value that it was made of.
#[derive(Debug, Clone, PartialEq)]
pub enum Record {
    /// Nothing, or a number that is none.
    Null,
    /// True or false.
    Bool(bool),
    /// Number without a sign.
    Unsigned(u64),
    /// Number below zero.
    Signed(i64),
    /// Number with a fraction.
    Float(f64),
    /// Words.
    Text(String),
    /// Values one after the other.
    List(Vec<Self>),
    /// Values by key, in the order in which they were written.
    Map(Vec<(String, Self)>),
}

impl Record {
    /// Records a value.
    ///
    /// # Errors
    /// A value that JSON cannot hold.
    pub fn of(value: &impl Serialize) -> serde_json::Result<Self> {
        serde_json::from_slice(&serde_json::to_vec(value)?)
    }

    /// Reads the value back as a type.
    ///
    /// # Errors
    /// A value of another type.
    pub fn read<T: DeserializeOwned>(&self) -> serde_json::Result<T> {
        serde_json::from_slice(&serde_json::to_vec(self)?)
    }
}

impl Serialize for Record {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Null => to.serialize_unit(),
            Self::Bool(value) => to.serialize_bool(*value),
            Self::Unsigned(value) => to.serialize_u64(*value),
            Self::Signed(value) => to.serialize_i64(*value),
            Self::Float(value) => to.serialize_f64(*value),
            Self::Text(value) => to.serialize_str(value),
            Self::List(values) => {
                let mut list = to.serialize_seq(Some(values.len()))?;
                for value in values {
                    list.serialize_element(value)?;
                }
                list.end()
            }
            Self::Map(entries) => {
                let mut map = to.serialize_map(Some(entries.len()))?;
                for (key, value) in entries {
                    map.serialize_entry(key, value)?;
                }
                map.end()
            }
        }
    }
}

impl<'de> Deserialize<'de> for Record {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        from.deserialize_any(Reader)
    }
}

struct Reader;

impl<'de> Visitor<'de> for Reader {
    type Value = Record;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a value of JSON")
    }

    fn visit_unit<E>(self) -> Result<Record, E> {
        Ok(Record::Null)
    }

    fn visit_bool<E>(self, value: bool) -> Result<Record, E> {
        Ok(Record::Bool(value))
    }

    fn visit_u64<E>(self, value: u64) -> Result<Record, E> {
        Ok(Record::Unsigned(value))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Record, E> {
        Ok(Record::Signed(value))
    }

    fn visit_f64<E>(self, value: f64) -> Result<Record, E> {
        Ok(Record::Float(value))
    }

    fn visit_str<E>(self, value: &str) -> Result<Record, E> {
        Ok(Record::Text(value.to_owned()))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut from: A) -> Result<Record, A::Error> {
        let mut list = Vec::new();
        while let Some(value) = from.next_element()? {
            list.push(value);
        }
        Ok(Record::List(list))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut from: A) -> Result<Record, A::Error> {
        let mut map = Vec::new();
        while let Some(entry) = from.next_entry()? {
            map.push(entry);
        }
        Ok(Record::Map(map))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn record_has_the_text_of_its_value() {
        #[derive(Debug, PartialEq, Serialize, Deserialize)]
        struct Measured {
            zebra: u64,
            apple: Option<f64>,
            below: [f64; 5],
            name: String,
            change: i64,
            empty: Vec<bool>,
        }
        let measured = Measured {
            zebra: u64::MAX,
            apple: None,
            below: [0.1, 2.0 / 3.0, 1e300, 7.0, -0.0],
            name: "a \"b\"".to_owned(),
            change: -3,
            empty: Vec::new(),
        };
        let record = Record::of(&measured).expect("plain data");
        let [ours, own] = [
            serde_json::to_string_pretty(&record),
            serde_json::to_string_pretty(&measured),
        ];
        assert_eq!(ours.expect("text"), own.expect("text"), "every byte");
        let back: Measured = record.read().expect("its type");
        assert_eq!(back, measured, "every bit");
        assert!(record.read::<String>().is_err(), "another type");
    }
}
