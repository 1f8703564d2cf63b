//! Parameters from files: TOML in layers (a file over those that it names, changes from the command line on top), typed
//! values out. One engine for machines, DRAMs, technologies and techniques.
//!
//! Every value keeps the file that it came from, so that an error names file, key, value and the values that may stand
//! there. A type says its keys and ranges by serde: `#[serde(deserialize_with = "in_range::<1, 64, _, _>")]`. Every key
//! must be there but an `Option`'s and those of a reader that gives a default, and a key that the type does not have is an
//! error that names the most similar one.

mod document;
mod error;
mod node;
mod reader;
mod values;

pub use document::{Document, Overlay};
pub use error::ParameterError;
pub use node::Base;
pub use values::{
    amount, flag_or_false, in_range, in_range_or_default, parse_size, power_of_two, size, texts,
};

#[cfg(test)]
mod tests;
