//! Guides: the manual, a topic a page. `azulejo help TOPIC` prints the same texts.
//!
//! Commands, samples of output and Rust examples in them are tests. Reference of the library is the rest of this
//! documentation.

/// Guide to a topic.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Topic {
    /// Name, as `azulejo help` takes it.
    pub name: &'static str,
    /// Summary in a line of at most 80 characters.
    pub about: &'static str,
    /// Commands of other names that the guide explains.
    pub commands: &'static [&'static str],
    /// Text, in Markdown.
    pub text: &'static str,
}

impl Topic {
    /// The topic of this name.
    #[must_use]
    pub fn find(name: &str) -> Option<&'static Self> {
        TOPICS.iter().find(|topic| topic.name == name)
    }

    /// The topic that explains the command of this name, which may be named differently.
    #[must_use]
    pub fn of_command(command: &str) -> Option<&'static Self> {
        let explains = |topic: &&Self| topic.commands.contains(&command);
        Self::find(command).or_else(|| TOPICS.iter().find(explains))
    }
}

/// A topic of this name, with the text of a file in this folder.
macro_rules! topic {
    ($name:literal, $file:literal, $about:literal, $commands:expr) => {
        Topic {
            name: $name,
            about: $about,
            commands: &$commands,
            text: include_str!($file),
        }
    };
}

/// Topics in reading order: from a picture over its cost to the papers, then the surroundings.
pub const TOPICS: &[Topic] = &[
    topic!(
        "render",
        "render.md",
        "pictures, counters, heat maps, anti-aliasing; beside a graphics driver",
        ["compare"]
    ),
    topic!(
        "view",
        "view.md",
        "the window: overlay, tiles, inspector",
        []
    ),
    topic!(
        "inspect",
        "inspect.md",
        "one frame: draws with hints, a tile, a pixel, a texture",
        []
    ),
    topic!(
        "simulate",
        "simulate.md",
        "cost of frames on a chip; traces, tables, Perfetto",
        ["capture"]
    ),
    topic!(
        "machine",
        "machine.md",
        "machines: your own, peak rates, errors against published chips",
        []
    ),
    topic!(
        "describe-a-machine",
        "../gpu/machine/guide.md",
        "from a data sheet to a machine file, key by key",
        []
    ),
    topic!(
        "techniques",
        "techniques.md",
        "techniques of papers, and pictures of their decisions",
        []
    ),
    topic!(
        "write-a-technique",
        "../technique/guide.md",
        "seams of the machine, with a worked example in Rust",
        []
    ),
    topic!(
        "soc",
        "soc.md",
        "systems on chip: GPU, CPU and display on one memory",
        []
    ),
    topic!(
        "sweep",
        "sweep.md",
        "combinations of scenes, machines, techniques, keys; engines",
        []
    ),
    topic!(
        "study",
        "study.md",
        "the papers' figures, ours beside the stated numbers",
        []
    ),
    topic!(
        "write-a-study",
        "../study/guide.md",
        "a figure of your own: measure, columns, trends, in Rust",
        []
    ),
    topic!(
        "diff",
        "diff.md",
        "changes between two results, machines or pictures",
        []
    ),
    topic!(
        "check",
        "check.md",
        "budgets: limits on counters, cycles and pictures",
        []
    ),
    topic!(
        "memory",
        "memory.md",
        "DRAM, cache and reuse models on traces of your own",
        ["dram", "cache", "reuse"]
    ),
    topic!(
        "shader",
        "shader.md",
        "programs in WGSL: what one costs on a machine, line by line",
        []
    ),
    topic!(
        "demos",
        "demos.md",
        "the built-in games, their variants and their load",
        ["characterize"]
    ),
    topic!(
        "formats",
        "formats.md",
        "glTF extensions, OBJ, outputs, exit codes, completions",
        []
    ),
    topic!("python", "python.md", "results as pandas data frames", []),
    topic!(
        "library",
        "library.md",
        "the crate: a first picture, examples, features",
        []
    ),
];

pub use azulejo_gpu::machine::guide as describe_a_machine;
pub use azulejo_study::guide as write_a_study;
pub use azulejo_technique::guide as write_a_technique;

#[doc = include_str!("check.md")]
pub mod check {}
#[doc = include_str!("demos.md")]
pub mod demos {}
#[doc = include_str!("diff.md")]
pub mod diff {}
#[doc = include_str!("formats.md")]
pub mod formats {}
#[doc = include_str!("inspect.md")]
pub mod inspect {}
#[doc = include_str!("library.md")]
pub mod library {}
#[doc = include_str!("machine.md")]
pub mod machine {}
#[doc = include_str!("memory.md")]
pub mod memory {}
#[doc = include_str!("python.md")]
pub mod python {}
#[doc = include_str!("render.md")]
pub mod render {}
#[doc = include_str!("shader.md")]
pub mod shader {}
#[doc = include_str!("simulate.md")]
pub mod simulate {}
#[doc = include_str!("soc.md")]
pub mod soc {}
#[doc = include_str!("study.md")]
pub mod study {}
#[doc = include_str!("sweep.md")]
pub mod sweep {}
#[doc = include_str!("techniques.md")]
pub mod techniques {}
#[doc = include_str!("view.md")]
pub mod view {}
