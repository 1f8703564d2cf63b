//! Markdown as a terminal shows it: code indented, tables aligned, links by their text.

use azulejo_report::aligned;

/// Indent of a line of code.
const INDENT: &str = "    ";

/// Widest line of an aligned table, in characters; a wider table stays as it is written.
const MAX_WIDTH: usize = 160;

/// Block that the lines of a text go through.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Block {
    Prose,
    /// Rust code hides the lines that begin with `# `.
    Rust,
    Code,
}

/// The text of a guide, for a terminal or a pipe.
pub(super) fn text(markdown: &str) -> String {
    let mut shown = String::new();
    let mut block = Block::Prose;
    let mut table: Vec<&str> = Vec::new();
    for line in markdown.lines() {
        if line.starts_with('|') && block == Block::Prose {
            table.push(line);
            continue;
        }
        shown += &shown_table(&std::mem::take(&mut table));
        match (block, line.strip_prefix("```")) {
            (Block::Prose, Some("" | "rust" | "no_run")) => block = Block::Rust,
            (Block::Prose, Some(_)) => block = Block::Code,
            (_, Some(_)) => block = Block::Prose,
            (Block::Prose, None) => shown += &format!("{}\n", unlinked(line)),
            (Block::Rust, None) if line == "#" || line.starts_with("# ") => {}
            (_, None) if line.is_empty() => shown.push('\n'),
            (_, None) => shown += &format!("{INDENT}{line}\n"),
        }
    }
    shown + &shown_table(&table)
}

/// A table in columns.
fn shown_table(lines: &[&str]) -> String {
    let is_rule = |line: &str| line.contains('-') && line.chars().all(|c| "|-: ".contains(c));
    let cells = |line: &str| -> Vec<String> {
        let inner = line.trim_matches('|');
        inner
            .split('|')
            .map(|cell| cell.trim().to_owned())
            .collect()
    };
    let lines: Vec<String> = lines.iter().map(|line| unlinked(line)).collect();
    let rows = lines.iter().filter(|line| !is_rule(line));
    let rows: Vec<Vec<String>> = rows.map(|line| cells(line)).collect();
    let columns = aligned(&rows, &[]);
    let is_narrow = columns
        .lines()
        .all(|line| line.chars().count() <= MAX_WIDTH);
    if is_narrow {
        return columns;
    }
    lines.iter().map(|line| format!("{line}\n")).collect()
}

/// A line with links replaced by their text, and by their address where it is one of the web.
fn unlinked(line: &str) -> String {
    let mut shown = String::new();
    let mut rest = line;
    while let Some((before, after)) = rest.split_once("](") {
        let (Some((lead, label)), Some((target, behind))) =
            (before.rsplit_once('['), after.split_once(')'))
        else {
            break;
        };
        shown += lead;
        shown += label;
        if target.starts_with("https://") && !target.ends_with(label) {
            shown += &format!(" ({target})");
        }
        rest = behind;
    }
    shown + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markdown_reads_as_plain_text() {
        let markdown = "See [`Seams`](azulejo_gpu::Seams) at [ui](https://a.b).\n\n\
            ```\n# use hidden;\nlet x = 1;\n\nx;\n```\n\
            ```sh\n# a comment\nazulejo list\n```\n\n\
            | a | long head |\n|---|---|\n| wide cell | 1 |\n";
        let lines: Vec<String> = text(markdown)
            .lines()
            .map(|line| line.trim_end().to_owned())
            .collect();
        let expected = [
            "See `Seams` at ui (https://a.b).",
            "",
            "    let x = 1;",
            "",
            "    x;",
            "    # a comment",
            "    azulejo list",
            "",
        ];
        assert_eq!(lines[..8], expected, "prose and code");
        assert_eq!(lines.len(), 10, "a table of two rows");
        let column = lines[8].find("long head");
        assert_eq!(column, lines[9].find('1'), "columns are aligned");
        assert!(column.is_some(), "the head is there");
    }
}
