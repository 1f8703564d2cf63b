//! `azulejo help`: guides by topic, and the options of commands.

mod plain;

use std::ffi::OsStr;

use clap::builder::{PossibleValue, StringValueParser, TypedValueParser};

use super::{Console, Outcome};
use crate::cli::failure::Failure;
use crate::cli::likeness::did_you_mean;
use azulejo_guide::{TOPICS, Topic};
use azulejo_report::aligned;

/// Print the guide to a topic, or the options of a command
///
/// Without a name, it lists commands and topics. A command that has a guide of its name prints that; `azulejo COMMAND
/// --help` lists its options.
#[derive(Debug, Clone, clap::Args)]
pub(in crate::cli) struct HelpArgs {
    /// Topic or command; commands of a command follow it, such as `machine check`
    #[arg(value_name = "TOPIC", value_parser = Name)]
    names: Vec<String>,
}

/// Parser of any name, which offers the topics to help texts and completions.
#[derive(Debug, Clone)]
struct Name;

impl TypedValueParser for Name {
    type Value = String;

    fn parse_ref(
        &self,
        command: &clap::Command,
        arg: Option<&clap::Arg>,
        value: &OsStr,
    ) -> Result<String, clap::Error> {
        StringValueParser::new().parse_ref(command, arg, value)
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        let offered = |topic: &Topic| PossibleValue::new(topic.name).help(topic.about);
        Some(Box::new(TOPICS.iter().map(offered)))
    }
}

pub(super) fn run(args: &HelpArgs, mut program: clap::Command, console: Console) -> Outcome {
    // Gives the commands their full names and the options that all of them have.
    program.build();
    let Some(first) = args.names.first() else {
        program.print_long_help()?;
        return console.print(&topics());
    };
    match Topic::find(first) {
        Some(topic) if args.names.len() == 1 => console.print(&guide(topic, &program)),
        _ => options(&args.names, &mut program, console),
    }
}

/// List of the topics.
fn topics() -> String {
    let row = |topic: &Topic| vec![topic.name.to_owned(), topic.about.to_owned()];
    let rows: Vec<Vec<String>> = TOPICS.iter().map(row).collect();
    format!(
        "\nGuides, by `azulejo help TOPIC`:\n{}",
        aligned(&rows, &[])
    )
}

/// Guide as a terminal shows it, and where the options of its command are.
fn guide(topic: &Topic, program: &clap::Command) -> String {
    let text = plain::text(topic.text);
    match program.find_subcommand(topic.name) {
        Some(_) => format!(
            "{text}\n`azulejo {} --help` lists the options.\n",
            topic.name
        ),
        None => text,
    }
}

/// Prints the options of the command that `names` lead to, and the guide that explains it.
fn options(names: &[String], program: &mut clap::Command, console: Console) -> Outcome {
    let mut command = program;
    for (depth, name) in names.iter().enumerate() {
        if command.find_subcommand(name).is_none() {
            return Err(unknown(&names[..=depth], command));
        }
        let inner = command.find_subcommand_mut(name);
        command = inner.expect("found above");
    }
    command.print_long_help()?;
    let topic = names.first().and_then(|name| Topic::of_command(name));
    topic.map_or(Ok(()), |topic| {
        console.print(&format!("\n`azulejo help {}` is the guide.\n", topic.name))
    })
}

/// Failure of a name that `command` does not have.
fn unknown(names: &[String], command: &clap::Command) -> Failure {
    let typed = names.last().map_or("", String::as_str);
    let commands = command.get_subcommands().map(clap::Command::get_name);
    let topics = TOPICS.iter().map(|topic| topic.name);
    let is_first = names.len() == 1;
    let known = commands.chain(topics.filter(|_| is_first));
    let meant = did_you_mean(typed, known);
    let kind = if is_first {
        "topic or command"
    } else {
        "command"
    };
    let failure = Failure::usage(format!("no {kind} '{}'{meant}", names.join(" ")));
    failure.hint("`azulejo help` lists commands and topics")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn topics_are_distinct_and_have_a_text_and_a_line() {
        for (nth, topic) in TOPICS.iter().enumerate() {
            let name = topic.name;
            assert!(topic.text.lines().count() >= 10, "{name} has a text");
            assert!((1..=80).contains(&topic.about.len()), "{name} has a line");
            let is_repeated = TOPICS[..nth].iter().any(|other| other.name == name);
            assert!(!is_repeated, "{name} is there once");
        }
    }

    #[test]
    fn guides_on_a_terminal_have_no_links_and_no_fences() {
        for topic in TOPICS {
            let text = plain::text(topic.text);
            for markup in ["```", "](", "crate::"] {
                assert!(!text.contains(markup), "{}: {markup}", topic.name);
            }
        }
    }
}
