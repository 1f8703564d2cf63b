//! Errors of parameters: file, key, value, and the values that may stand there.

/// A file of parameters that cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{file}: {key} = {value}: expected {expected}")]
pub struct ParameterError {
    /// The file's name, a shipped file's name, or `--set`.
    pub file: String,
    /// Dotted key of the parameter.
    pub key: String,
    /// Value found, at most 80 characters of it.
    pub value: String,
    /// Values that may stand there, in words.
    pub expected: String,
}

/// Characters of a value that a message shows.
const SHOWN: usize = 80;

/// The beginning of a text that a message shows.
pub(super) fn excerpt(text: &str) -> String {
    let mut shown: String = text.chars().take(SHOWN).collect();
    if shown.len() < text.len() {
        shown.push_str("...");
    }
    shown
}

/// The known name that is most like `name`, if one is like it at all.
pub(super) fn most_similar<'a>(
    name: &str,
    known: impl IntoIterator<Item = &'a str>,
) -> Option<&'a str> {
    // As similar as a slip of the finger leaves a word; clap suggests from 0.7 on.
    const LEAST: f64 = 0.7;
    let name = excerpt(name);
    let likeness = |known: &&str| strsim::jaro_winkler(&name, known);
    known
        .into_iter()
        .filter(|known| likeness(known) > LEAST)
        .max_by(|a, b| likeness(a).total_cmp(&likeness(b)))
}

/// The sentence that refuses `name` where only `known` names may stand: all of them, and the most similar.
pub(super) fn one_of(what: &str, name: &str, known: &[&str]) -> String {
    let similar = most_similar(name, known.iter().copied());
    let similar = similar.map_or(String::new(), |name| format!("; did you mean {name}?"));
    format!("one of {what}{}{similar}", known.join(", "))
}
