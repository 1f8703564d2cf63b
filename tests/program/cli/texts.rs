//! Texts that show commands: README.md, the guides, and the page for contributors.

use std::fs;
use std::path::{Path, PathBuf};

/// File of Markdown.
#[derive(Debug)]
pub(super) struct Text {
    /// Path from the top of the repository.
    pub(super) name: String,
    pub(super) text: String,
}

/// Line of a block of shell commands.
pub(super) struct Shown {
    /// `FILE:LINE`, from 1.
    pub(super) place: String,
    /// Command without its trailing comment.
    pub(super) command: String,
}

/// A command, and the lines that are shown of its output.
#[derive(Debug, PartialEq)]
pub(super) struct Step {
    pub(super) command: String,
    pub(super) shown: Vec<String>,
}

/// Block of commands with their output.
#[derive(Debug)]
pub(super) struct Sample {
    /// The block's first line, counted from 0, and the one that closes it.
    pub(super) lines: std::ops::Range<usize>,
    pub(super) steps: Vec<Step>,
}

pub(super) fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// All texts, README.md first: what a command writes, commands of later ones may read.
pub(super) fn texts() -> Vec<Text> {
    let mut guides: Vec<PathBuf> = fs::read_dir(root().join("src/guide"))
        .expect("guides")
        .map(|entry| entry.expect("a readable folder").path())
        .filter(|path| path.extension().is_some_and(|is| is == "md"))
        .collect();
    guides.sort();
    let elsewhere = [
        "src/gpu/machine/guide.md",
        "src/study/guide.md",
        "src/technique/guide.md",
        ".github/CONTRIBUTING.md",
    ];
    let first = [root().join("README.md")].into_iter();
    let last = elsewhere.map(|name| root().join(name));
    first.chain(guides).chain(last).map(Text::read).collect()
}

/// Text of this name.
pub(super) fn text_of(name: &str) -> Text {
    Text::read(root().join(name))
}

impl Text {
    fn read(path: PathBuf) -> Self {
        let name = path.strip_prefix(root()).expect("below the root");
        Self {
            name: name.to_string_lossy().replace('\\', "/"),
            text: fs::read_to_string(&path).expect("UTF-8"),
        }
    }

    /// Commands of all blocks of the language `sh`; those by `cargo run` as the installed program takes them.
    pub(super) fn shown(&self) -> Vec<Shown> {
        let mut inside = false;
        let mut found = Vec::new();
        for (number, text) in (1..).zip(self.text.lines()) {
            if text.starts_with("```") {
                inside = text == "```sh";
            } else if inside {
                let command = text.split(" #").next().unwrap_or(text).trim();
                let command = match command.strip_prefix("cargo run --release -- ") {
                    Some(words) => format!("azulejo {words}"),
                    None => command.to_owned(),
                };
                found.push(Shown {
                    place: format!("{}:{number}", self.name),
                    command,
                });
            }
        }
        found
    }

    /// Block of TOML that begins with this file's name.
    pub(super) fn toml(&self, name: &str) -> Option<&str> {
        let blocks = self.text.split("```toml\n").skip(1);
        let mut texts = blocks.filter_map(|block| block.split("```").next());
        texts.find(|text| text.starts_with(&format!("# {name}")))
    }

    /// Blocks of the language `console`.
    pub(super) fn samples(&self) -> Vec<Sample> {
        let lines: Vec<&str> = self.text.lines().collect();
        let opens = |(_, line): &(usize, &&str)| **line == "```console";
        let blocks = lines.iter().enumerate().filter(opens);
        blocks.map(|(at, _)| self.sample(&lines, at)).collect()
    }

    /// The block whose opening fence is the line `begin`, counted from 0.
    fn sample(&self, lines: &[&str], begin: usize) -> Sample {
        let rest = &lines[begin + 1..];
        let n = rest.iter().position(|line| *line == "```").expect("closed");
        let mut steps: Vec<Step> = Vec::new();
        for line in &rest[..n] {
            match (line.strip_prefix("$ "), steps.last_mut()) {
                (Some(command), _) => steps.push(Step {
                    command: command.to_owned(),
                    shown: Vec::new(),
                }),
                (None, Some(step)) => step.shown.push((*line).to_owned()),
                (None, None) => panic!("{}:{}: a sample begins with `$ `", self.name, begin + 2),
            }
        }
        Sample {
            lines: begin + 1..begin + 1 + n,
            steps,
        }
    }
}
