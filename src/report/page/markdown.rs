//! Markdown of a page: tables instead of pictures.

use super::chart::{Chart, Fact, Listing, Page, Row, Section};

/// Writes the page as a Markdown file.
#[must_use]
pub fn markdown(page: &Page) -> String {
    let sections: String = page.sections.iter().map(section).collect();
    format!(
        "# {}\n\n{}{}{sections}",
        safe(&page.title),
        facts(&page.facts),
        listed(&page.listings),
    )
}

fn section(section: &Section) -> String {
    let charts = section.charts.iter();
    let charts: String = charts
        .map(|figure| chart(figure, &section.no_stated))
        .collect();
    let verdicts = section.verdicts.iter().map(|verdict| {
        let word = match verdict.holds {
            Some(false) => format!("**{}**", verdict.words()),
            _ => verdict.words().to_owned(),
        };
        format!(
            "- {}: {word} ({})\n",
            safe(&verdict.claim),
            safe(&verdict.found)
        )
    });
    let verdicts: String = verdicts.collect();
    let verdicts = match verdicts.is_empty() {
        true => format!("{}\n", safe(&section.no_verdicts)),
        false => format!("Trends, declared before measuring:\n\n{verdicts}"),
    };
    format!(
        "\n## {}\n\n{}{verdicts}{}{charts}",
        safe(&section.title),
        facts(&section.facts),
        listed(&section.listings),
    )
}

fn facts(facts: &[Fact]) -> String {
    let line = |fact: &Fact| match fact.is_code {
        true => format!(
            "- {}: `{}`\n",
            safe(&fact.name),
            fact.value.replace('`', "'")
        ),
        false => format!("- {}: {}\n", safe(&fact.name), safe(&fact.value)),
    };
    let lines: String = facts.iter().map(line).collect();
    match lines.is_empty() {
        true => lines,
        false => lines + "\n",
    }
}

fn chart(chart: &Chart, no_stated: &str) -> String {
    let unit = &chart.unit;
    let row = |row: &Row| {
        let cells = row.values.iter().map(|value| unit.number(*value));
        line(std::iter::once(safe(&row.name)).chain(cells))
    };
    let names = chart.columns.iter().map(|name| safe(name));
    let header = line(std::iter::once(String::new()).chain(names));
    let rule = "|---".to_owned() + &"|---:".repeat(chart.columns.len()) + "|\n";
    let rows: String = chart.rows.iter().chain(&chart.means).map(row).collect();
    let stated = chart.stated.iter().map(|stated| {
        format!(
            "- {}: paper {}, ours {}, difference {}\n",
            safe(chart.column(stated.column)),
            unit.value(Some(stated.paper)),
            unit.value(stated.ours),
            unit.delta(stated)
        )
    });
    let stated: String = stated.collect();
    let stated = match stated.is_empty() {
        true => format!("{}\n", safe(no_stated)),
        false => stated,
    };
    format!(
        "\n### {}: {}, in {}\n\n{header}{rule}{rows}\n{stated}",
        safe(&chart.id),
        safe(&chart.title),
        safe(&unit.axis)
    )
}

/// Text of a table's row.
fn line(cells: impl Iterator<Item = String>) -> String {
    let cells: Vec<_> = cells.collect();
    format!("| {} |\n", cells.join(" | "))
}

/// Text without characters that are marks in Markdown.
fn safe(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for c in text.chars() {
        if matches!(c, '|' | '*' | '_' | '`' | '<' | '\\' | '[' | ']') {
            safe.push('\\');
        }
        safe.push(if c == '\n' { ' ' } else { c });
    }
    safe
}

/// Text of listings as Markdown tables.
fn listed(listings: &[Listing]) -> String {
    let one = |listing: &Listing| {
        let notes = listing
            .notes
            .iter()
            .map(|note| format!("{}\n\n", safe(note)));
        let header = line(listing.columns.iter().map(|name| safe(name)));
        let rule = "|---".repeat(listing.columns.len()) + "|\n";
        let rows = listing.rows.iter();
        let rows = rows.map(|row| line(row.iter().map(|cell| safe(cell))));
        format!(
            "\n### {}\n\n{}{header}{rule}{}",
            safe(&listing.title),
            notes.collect::<String>(),
            rows.collect::<String>()
        )
    };
    listings.iter().map(one).collect()
}
