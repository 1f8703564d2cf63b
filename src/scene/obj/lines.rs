//! Statements of an OBJ or MTL file: a first word and the rest of its line, or of several lines that a backslash joins.
//!
//! A comment reaches from a `#` to the end of its line, and a backslash in it joins nothing. Names may hold a `#` too:
//! - in words and numbers every `#` begins a comment, but for those of `1.#IND`;
//! - in names one that begins a word does ([`without_comment`]), unless the look-up of names finds a name with it;
//! - in names of files it does so behind the file's ending: `my #2.png # red` is `my #2.png` ([`Statement::file`]).

use std::borrow::Cow;

/// A line's end within a statement: white space that is counted as a line.
const WENT_ON: char = '\x0b';

/// One statement, without white space around it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Statement<'a> {
    /// Number of its first line, from 1.
    pub(super) line: u32,
    pub(super) word: &'a str,
    /// Text behind the first word, comment included.
    pub(super) rest: &'a str,
}

/// A file's text, for [`statements`]. Bytes that are no UTF-8, as comments may have, become replacement characters.
pub(super) fn text(bytes: &[u8]) -> Cow<'_, str> {
    let bytes = bytes.strip_prefix("\u{feff}".as_bytes()).unwrap_or(bytes);
    let mut text = String::from_utf8_lossy(bytes);
    if !text.contains('\n') && text.contains('\r') {
        text = text.replace('\r', "\n").into();
    }
    if text.contains('\\') {
        text = joined(&text).into();
    }
    text
}

/// Statements on one line each.
fn joined(text: &str) -> String {
    let mut joined = String::with_capacity(text.len());
    for line in text.split_inclusive('\n') {
        let goes_on = line
            .trim_end()
            .strip_suffix('\\')
            .filter(|before| line.ends_with('\n') && comments(before).next().is_none());
        match goes_on {
            Some(before) => joined.extend([before, WENT_ON.encode_utf8(&mut [0; 1])]),
            None => joined.push_str(line),
        }
    }
    joined
}

/// The statements of a [`text`].
pub(super) fn statements(text: &str) -> impl Iterator<Item = Statement<'_>> {
    let mut lines = 0;
    text.split('\n').filter_map(move |content| {
        let line = lines + 1;
        lines = line + content.matches(WENT_ON).count() as u32;
        let content = content.trim();
        let (word, rest) = content
            .split_once(char::is_whitespace)
            .unwrap_or((content, ""));
        let is_statement = !word.is_empty() && !word.starts_with('#');
        is_statement.then(|| Statement {
            line,
            word,
            rest: rest.trim_start(),
        })
    })
}

impl<'a> Statement<'a> {
    /// Words of the statement, where none of them is a name.
    pub(super) fn words(&self) -> std::str::SplitWhitespace<'a> {
        const NO_NUMBERS: [&str; 4] = ["IND", "INF", "QNAN", "SNAN"];
        let mut signs = self.rest.match_indices('#');
        let comment = signs.find(|(at, _)| {
            let (before, after) = self.rest.split_at(*at);
            let is_in_number = NO_NUMBERS.iter().any(|no| after[1..].starts_with(no));
            !(before.ends_with('.') && is_in_number)
        });
        let end = comment.map_or(self.rest.len(), |(at, _)| at);
        self.rest[..end].split_whitespace()
    }

    /// Options and name of a file, or names of several.
    pub(super) fn file(&self) -> &'a str {
        let has_ending = |names: &str| {
            let last = names.split_whitespace().next_back();
            last.is_some_and(|name| name.contains('.'))
        };
        let mut names = comments(self.rest).map(|at| self.rest[..at].trim_end());
        match names.find(|names| has_ending(names)) {
            Some(names) => names,
            None if has_ending(self.rest) => self.rest,
            None => without_comment(self.rest),
        }
    }
}

/// A name up to the first word that begins with a `#`.
pub(super) fn without_comment(name: &str) -> &str {
    comments(name)
        .next()
        .map_or(name, |at| name[..at].trim_end())
}

/// Places of the `#` that begin a word.
fn comments(text: &str) -> impl Iterator<Item = usize> {
    let begins_word = |at: &usize| {
        text[..*at]
            .chars()
            .next_back()
            .is_none_or(char::is_whitespace)
    };
    text.match_indices('#')
        .map(|(at, _)| at)
        .filter(begins_word)
}

/// A text from a file as messages show it.
pub(super) fn short(name: &str) -> String {
    let start: String = name.chars().take(80).collect();
    start.escape_debug().to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(bytes: &str) -> Vec<(u32, String, String)> {
        let text = text(bytes.as_bytes());
        let owned = |s: Statement<'_>| {
            let words: Vec<_> = s.words().collect();
            (s.line, s.word.to_owned(), words.join(" "))
        };
        statements(&text).map(owned).collect()
    }

    fn expect(bytes: &str, expected: &[(u32, &str, &str)]) {
        let expected = expected
            .iter()
            .map(|(line, word, words)| (*line, (*word).to_owned(), (*words).to_owned()));
        assert_eq!(all(bytes), expected.collect::<Vec<_>>(), "{bytes:?}");
    }

    #[test]
    fn statements_end_at_comments() {
        expect(
            "v 1 2 # x\n#v\n##\n # v\nv#2 3\n",
            &[(1, "v", "1 2"), (5, "v#2", "3")],
        );
        expect("f 1 2 3#x y", &[(1, "f", "1 2 3")]);
        expect("v 1.#IND -1.#QNAN 1.# 5", &[(1, "v", "1.#IND -1.#QNAN 1.")]);
    }

    #[test]
    fn statements_go_on_behind_a_backslash_but_in_a_comment() {
        expect(
            "v 1 \\\r\n2 \\ \n\n 3\n# c:\\\nv 4\nv 5 # \\\nv 6 \\",
            &[
                (1, "v", "1 2"),
                (4, "3", ""),
                (6, "v", "4"),
                (7, "v", "5"),
                (8, "v", "6 \\"),
            ],
        );
    }

    #[test]
    fn statements_end_at_any_end_of_line() {
        let expected = [(1, "v", "1"), (2, "v", "2")];
        for end in ["\n", "\r\n", "\r"] {
            expect(&format!("\u{feff}\t v  1 {end}v\t2{end}"), &expected);
        }
    }

    #[test]
    fn files_have_names_with_signs_of_comments() {
        for (rest, file) in [
            ("q.png # picture", "q.png"),
            ("q#1.png", "q#1.png"),
            ("q #1.png", "q #1.png"),
            ("q #1.png #2.png", "q #1.png"),
            ("-s 1 1 my q.png #red", "-s 1 1 my q.png"),
            ("a.mtl b.mtl # both", "a.mtl b.mtl"),
            ("# none", ""),
            ("plain # name", "plain"),
            ("", ""),
        ] {
            let statement = Statement {
                line: 1,
                word: "map_Kd",
                rest,
            };
            assert_eq!(statement.file(), file, "{rest}");
        }
    }
}
