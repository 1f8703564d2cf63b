//! Words of the house, from its comments: none opens with a word that stands for a term in place of it, and help of the
//! command line fits a line.
//!
//! Help is the first paragraph of a doc comment in or above a type that derives a trait of clap's, or the literal that
//! takes its place.

use std::ops::Range;

use super::{is_word, lexemes};

/// Openings that name no term.
const WITHOUT_TERM: [&str; 5] = ["What", "Who", "Where", "Of", "The same"];

/// Most characters of help.
const MAX_HELP: usize = 80;

/// Traits of clap's whose types describe themselves to users by their docs.
const DESCRIBED: [&str; 4] = ["Args", "Parser", "Subcommand", "ValueEnum"];

/// Folders of types with commands and options.
const COMMAND_LINE: [&str; 2] = ["src/app/cli/args/", "src/app/cli/commands/"];

/// Broken rules of one file, without its name.
pub(super) fn breaches(name: &str, source: &str) -> Vec<String> {
    let source = Source::new(source);
    let paragraphs = source.paragraphs();
    let mut found: Vec<String> = paragraphs.iter().filter_map(opening_breach).collect();
    if COMMAND_LINE.iter().any(|folder| name.starts_with(folder)) {
        let types = source.described_types();
        let help = paragraphs.iter().filter(|paragraph| {
            let is_in = |lines: &Range<usize>| lines.contains(&paragraph.line);
            paragraph.is_first && paragraph.marker == "///" && types.iter().any(is_in)
        });
        found.extend(help.filter_map(|help| length_breach(help.line, &help.text)));
        found.extend(source.literal_help_breaches());
    }
    found
}

/// Breach of a paragraph's first sentence or of a later one.
fn opening_breach(paragraph: &Paragraph) -> Option<String> {
    let opening = sentences(&paragraph.text).find_map(|sentence| {
        let opens_with = |words: &&str| {
            let rest = sentence.strip_prefix(*words);
            rest.is_some_and(|rest| !is_word(rest))
        };
        WITHOUT_TERM.into_iter().find(opens_with)
    })?;
    let line = paragraph.line;
    Some(format!("line {line} opens a sentence with `{opening}`"))
}

/// The text from each sentence on: a full stop, also in brackets, and a blank end one.
fn sentences(text: &str) -> impl Iterator<Item = &str> {
    let ends = text.match_indices(['.', '!', '?']);
    let behind = ends.filter_map(|(at, _)| {
        let rest = text[at + 1..].trim_start_matches([')', '"']);
        rest.strip_prefix(' ')
    });
    std::iter::once(text).chain(behind)
}

/// Breach of help that is too long; clap drops its full stop.
fn length_breach(line: usize, help: &str) -> Option<String> {
    let length = help.trim_end_matches('.').chars().count();
    (length > MAX_HELP)
        .then(|| format!("line {line} has help of {length} characters, more than {MAX_HELP}"))
}

/// Paragraph of a comment, its lines joined by blanks.
#[derive(Debug)]
struct Paragraph {
    /// Line of its beginning, from 1.
    line: usize,
    /// `//`, `///` or `//!`.
    marker: &'static str,
    /// No other paragraph of the comment comes before it.
    is_first: bool,
    text: String,
}

/// A file in pieces.
#[derive(Debug)]
struct Source<'a> {
    /// Pieces but blanks, each with its line, from 1.
    lexemes: Vec<(usize, &'a str)>,
}

impl<'a> Source<'a> {
    fn new(source: &'a str) -> Self {
        let mut line = 1;
        let mut placed = Vec::new();
        for lexeme in lexemes(source) {
            if !lexeme.trim().is_empty() {
                placed.push((line, lexeme));
            }
            line += lexeme.matches('\n').count();
        }
        Self { lexemes: placed }
    }

    fn text(&self, at: usize) -> &'a str {
        self.lexemes.get(at).map_or("", |(_, text)| text)
    }

    /// Paragraphs of all line comments: an empty line parts two, a heading and each entry of a list are one, and another
    /// marker begins one.
    fn paragraphs(&self) -> Vec<Paragraph> {
        let mut found: Vec<Paragraph> = Vec::new();
        // Line and marker of the comment before, 0 where code stands beside it, and whether its paragraph is open.
        let mut before = (0, "", false);
        for (at, &(line, lexeme)) in self.lexemes.iter().enumerate() {
            let Some(marker) = marker(lexeme) else {
                continue;
            };
            let text = lexeme[marker.len()..].trim();
            let code_before = at > 0 && self.lexemes[at - 1].0 == line;
            let goes_on = before.0 + 1 == line && before.1 == marker && !code_before;
            let is_heading = text.starts_with('#');
            let text = text.trim_start_matches(['#', '-', '*']).trim_start();
            let begins = is_heading || text.len() < lexeme[marker.len()..].trim().len();
            let speaks = !text.is_empty();
            match found.last_mut() {
                Some(open) if speaks && goes_on && before.2 && !begins => {
                    open.text = format!("{} {text}", open.text);
                }
                _ if speaks => found.push(Paragraph {
                    line,
                    marker,
                    is_first: !goes_on,
                    text: text.to_owned(),
                }),
                _ => {}
            }
            before = (
                if code_before { 0 } else { line },
                marker,
                speaks && !is_heading,
            );
        }
        found
    }

    /// Lines of each type that derives a trait of clap's, the docs above it included.
    fn described_types(&self) -> Vec<Range<usize>> {
        let mut found = Vec::new();
        for at in 0..self.lexemes.len() {
            if self.text(at) == "derive" && self.derives(at + 1) {
                let attribute = at.saturating_sub(2);
                let above = (0..attribute)
                    .rev()
                    .take_while(|&at| marker(self.text(at)) == Some("///"));
                let first = above.last().unwrap_or(attribute);
                found.push(self.lexemes[first].0..self.end_of_type(at));
            }
        }
        found
    }

    /// Whether the list of traits that opens at `at` has one of clap's.
    fn derives(&self, at: usize) -> bool {
        let list = (at..).map(|at| self.text(at));
        let mut list = list.take_while(|text| !["", ")"].contains(text));
        list.any(|text| DESCRIBED.contains(&text))
    }

    /// Line of the brace that closes the type whose attributes are at `at`.
    fn end_of_type(&self, at: usize) -> usize {
        let is_item = |&at: &usize| ["", "struct", "enum"].contains(&self.text(at));
        let item = (at..).find(is_item).unwrap_or(at);
        let mut depth = 0;
        for &(line, text) in self.lexemes.iter().skip(item) {
            match text {
                "{" => depth += 1,
                "}" => depth -= 1,
                ";" if depth == 0 => return line,
                _ => continue,
            }
            if depth == 0 {
                return line;
            }
        }
        usize::MAX
    }

    /// Help in literals that is too long, or that leaves the long help of the doc comment where it was.
    fn literal_help_breaches(&self) -> Vec<String> {
        let mut found = Vec::new();
        for at in 0..self.lexemes.len() {
            let (line, literal) = match (self.text(at), self.text(at + 1)) {
                ("help", "(" | "=") => (self.lexemes[at].0, self.text(at + 2)),
                _ => continue,
            };
            found.extend(length_breach(line, literal.trim_matches('"')));
            let is_call = self.text(at + 1) == "(" && self.text(at + 3) == ")";
            if is_call && (self.text(at + 4), self.text(at + 5)) != (".", "long_help") {
                found.push(format!("line {line} has `help` without `long_help`"));
            }
        }
        found
    }
}

/// Beginning of a line comment; `None` for all else.
fn marker(lexeme: &str) -> Option<&'static str> {
    let markers = ["///", "//!", "//"];
    markers
        .into_iter()
        .find(|marker| lexeme.starts_with(marker))
}

mod planted {
    //! Openings and help planted in made-up files, and legal neighbours.

    use super::breaches;

    const OPTIONS: &str = "src/app/cli/args/scene.rs";

    #[track_caller]
    fn caught(name: &str, code: &str, expected: &str) {
        assert_eq!(breaches(name, code), [expected], "{code}");
    }

    #[track_caller]
    fn passes(name: &str, code: &str) {
        let found = breaches(name, code);
        assert!(found.is_empty(), "{code}: {found:?}");
    }

    /// A file of one options type with a field of this help.
    fn field(help: &str) -> String {
        format!(
            "//! Options.\n#[derive(Debug, clap::Args)]\nstruct A {{\n    /// {help}\n    a: u32,\n}}\n"
        )
    }

    #[test]
    fn opening_without_a_term_is_caught() {
        for opening in ["What", "Who", "Where", "Of", "The same"] {
            for marker in ["//", "///", "//!"] {
                let code = format!("fn f() {{}}\n    {marker} {opening} is left.\nfn g() {{}}");
                let expected = format!("line 2 opens a sentence with `{opening}`");
                caught("tests/a.rs", &code, &expected);
            }
        }
        caught(
            "src/units.rs",
            "//! Units.\n\n/// What's left.\n",
            "line 3 opens a sentence with `What`",
        );
    }

    #[test]
    fn opening_of_a_later_paragraph_is_caught() {
        let expected = "line 3 opens a sentence with `Where`";
        caught("fuzz/a.rs", "/// Cycles.\n///\n/// Where none.", expected);
        caught(
            "fuzz/a.rs",
            "/// Cycles.\n/// # Errors\n/// Where none.",
            expected,
        );
        caught("fuzz/a.rs", "//! Cycles.\n//\n// Where none.", expected);
    }

    #[test]
    fn opening_beside_code_is_caught() {
        let expected = "line 2 opens a sentence with `Of`";
        caught("src/a.rs", "// Cycles\nlet a = 1; // Of the GPU.", expected);
        caught("src/a.rs", "let a = 1; // Cycles\n// Of the GPU.", expected);
    }

    #[test]
    fn opening_of_a_sentence_a_heading_or_an_entry_is_caught() {
        let expected = "line 1 opens a sentence with `What`";
        caught("src/a.rs", "/// Cycles. What\n/// is left.", expected);
        caught(
            "src/a.rs",
            "/// Cycles (of all.)\n/// What is left.",
            expected,
        );
        caught("src/a.rs", "//! # What holds", expected);
        let expected = "line 2 opens a sentence with `Where`";
        caught("src/a.rs", "/// Cycles:\n/// - Where none.", expected);
    }

    #[test]
    fn words_within_a_sentence_and_longer_words_pass() {
        passes(
            "src/a.rs",
            "/// Hits by time, of 0.5 Of\n/// Where none, 0.",
        );
        passes("src/a.rs", "/// Hits by time:\n/// Where none, 0.");
        passes(
            "src/a.rs",
            "/// Whatever, Whose, Offset, Whole.\n\n// Offset of a line.\n",
        );
        passes("src/a.rs", "// Hits.\nlet a = \"// What\"; /* What */");
        passes("src/a.rs", "const A: &str = \"\n// What\n\";");
    }

    #[test]
    fn long_help_of_a_field_is_caught() {
        let expected = "line 4 has help of 81 characters, more than 80";
        caught(OPTIONS, &field(&"x".repeat(81)), expected);
        let split = format!("{}\n    /// {}", "x".repeat(40), "y".repeat(40));
        caught(OPTIONS, &field(&split), expected);
        passes(OPTIONS, &field(&"x".repeat(80)));
        passes(OPTIONS, &field(&format!("{}.", "x".repeat(80))));
        passes(
            OPTIONS,
            &field(&format!("Seed.\n    ///\n    /// {}", "y".repeat(81))),
        );
        passes("src/app/window/plan.rs", &field(&"x".repeat(81)));
    }

    #[test]
    fn long_help_of_commands_and_variants_is_caught() {
        let long = "x".repeat(81);
        let command =
            format!("/// {long}\n#[derive(clap::Args)]\nstruct A {{}}\n/// {long}\nstruct B;");
        let expected = "line 1 has help of 81 characters, more than 80";
        caught("src/app/cli/commands/dram.rs", &command, expected);
        let variants = format!(
            "#[derive(ValueEnum)]\nenum A {{\n    /// {long}\n    B {{ c: u32 }},\n}}\n/// {long}\nfn f() {{}}"
        );
        let expected = "line 3 has help of 81 characters, more than 80";
        caught(OPTIONS, &variants, expected);
        let unit = format!("#[derive(clap::Args)]\nstruct A;\n/// {long}\nfn f() {{}}");
        passes(OPTIONS, &unit);
        let other = format!("#[derive(Debug)]\nstruct A {{\n    /// {long}\n    a: u32,\n}}");
        passes(OPTIONS, &other);
    }

    #[test]
    fn literal_help_is_held_to_the_same() {
        let long = "x".repeat(81);
        let code = format!("fn f() {{ a.help(\"{long}\").long_help(L) }}");
        let expected = "line 1 has help of 81 characters, more than 80";
        caught(OPTIONS, &code, expected);
        caught(OPTIONS, &format!("#[arg(help = \"{long}\")]"), expected);
        let alone = "line 1 has `help` without `long_help`";
        caught(OPTIONS, "fn f() { a.help(\"Seed\") }", alone);
        passes(OPTIONS, "fn f() { a.help(\"Seed\").long_help(\"Seed\") }");
    }
}
