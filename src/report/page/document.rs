//! The page as HTML: headings, facts, figures with their tables, verdicts.

use super::chart::{Chart, Fact, Form, Page, Row, Section, Verdict};
use super::style::STYLE;
use super::svg::{escaped, id};
use super::{bars, heat, lines, listing};

/// The page as one HTML file that asks for nothing else.
#[must_use]
pub fn html(page: &Page) -> String {
    let title = escaped(&page.title);
    let sections = page.sections.iter();
    let sections: String = sections.map(|of| section(of, page)).collect();
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\"/>\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n<title>{title}</title>\n\
         <style>{STYLE}</style>\n</head>\n<body>\n<main>\n<h1>{title}</h1>\n{}{}{}{}{sections}</main>\n</body>\n</html>\n",
        facts(&page.facts),
        summary(page),
        listing::html(&page.listings, page),
        contents(page),
    )
}

/// Summary of the page: the number of trends that hold.
fn summary(page: &Page) -> String {
    let verdicts = page.sections.iter().flat_map(|section| &section.verdicts);
    let measured: Vec<bool> = verdicts.filter_map(|verdict| verdict.holds).collect();
    let n = measured.len();
    if n == 0 {
        return String::new();
    }
    let held = measured.into_iter().filter(|holds| *holds).count();
    format!(
        "<p><strong>{held} of {n}</strong> trends that were declared before measuring hold.</p>\n"
    )
}

fn contents(page: &Page) -> String {
    let of_chart = |chart: &Chart| {
        let (id, name) = (id(&chart.id), escaped(&chart.id));
        format!(
            "<li><a href=\"#{id}\">{name}</a> {}</li>\n",
            escaped(&chart.title)
        )
    };
    let of_section = |section: &Section| {
        let charts: String = section.charts.iter().map(of_chart).collect();
        let (id, title) = (id(&section.id), escaped(&section.title));
        format!("<p><a href=\"#{id}\">{title}</a></p>\n<ul>\n{charts}</ul>\n")
    };
    let sections: String = page.sections.iter().map(of_section).collect();
    format!("<nav aria-label=\"Figures\">\n{sections}</nav>\n")
}

fn facts(facts: &[Fact]) -> String {
    if facts.is_empty() {
        return String::new();
    }
    let row = |fact: &Fact| {
        let (name, value) = (escaped(&fact.name), escaped(&fact.value));
        let value = if fact.is_code {
            format!("<code>{value}</code>")
        } else {
            value
        };
        format!("<dt>{name}</dt><dd>{value}</dd>\n")
    };
    let rows: String = facts.iter().map(row).collect();
    format!("<dl>\n{rows}</dl>\n")
}

fn section(section: &Section, page: &Page) -> String {
    let charts = section.charts.iter();
    let charts: String = charts
        .map(|chart| figure(chart, &section.no_stated))
        .collect();
    format!(
        "<section>\n<h2 id=\"{}\">{}</h2>\n{}{}{}{charts}</section>\n",
        id(&section.id),
        escaped(&section.title),
        facts(&section.facts),
        verdicts(section),
        listing::html(&section.listings, page),
    )
}

fn verdicts(section: &Section) -> String {
    let line = |verdict: &Verdict| {
        let class = match verdict.holds {
            Some(true) => "holds",
            Some(false) => "fails",
            None => "none",
        };
        let word = verdict.words();
        let (claim, found) = (escaped(&verdict.claim), escaped(&verdict.found));
        format!("<li>{claim}: <span class=\"{class}\">{word}</span> ({found})</li>\n")
    };
    if section.verdicts.is_empty() {
        let none = escaped(&section.no_verdicts);
        return format!("<p class=\"none\">{none}</p>\n");
    }
    let lines: String = section.verdicts.iter().map(line).collect();
    format!("<h3>Trends, declared before measuring</h3>\n<ul class=\"verdicts\">\n{lines}</ul>\n")
}

fn figure(chart: &Chart, no_stated: &str) -> String {
    let drawn = match chart.form {
        Form::Bars | Form::Stacked { .. } => bars::wide(chart) + &bars::narrow(chart),
        Form::Tornado => bars::tornado(chart),
        Form::Lines => lines::wide(chart) + &lines::narrow(chart),
        Form::Heat { .. } => heat::wide(chart) + &heat::narrow(chart),
    };
    let (name, title) = (escaped(&chart.id), escaped(&chart.title));
    let axis = escaped(&chart.unit.axis);
    format!(
        "<figure id=\"{}\">\n<div class=\"drawn\">\n<figcaption><h3><code>{name}</code> {title}, in {axis}</h3></figcaption>\n{drawn}</div>\n{}{}</figure>\n",
        id(&chart.id),
        stated(chart, no_stated),
        numbers(chart),
    )
}

/// Table of ours beside the paper's, or `none` where it states nothing.
fn stated(chart: &Chart, none: &str) -> String {
    if chart.stated.is_empty() {
        return match none {
            "" => String::new(),
            none => format!("<p class=\"none\">{}</p>\n", escaped(none)),
        };
    }
    let unit = &chart.unit;
    let row = |stated: &super::Stated| {
        format!(
            "<tr><th scope=\"row\">{}</th><td>{}</td><td class=\"ours\">{}</td><td>{}</td></tr>\n",
            escaped(chart.column(stated.column)),
            escaped(&unit.value(Some(stated.paper))),
            escaped(&unit.value(stated.ours)),
            escaped(&unit.delta(stated)),
        )
    };
    let rows: String = chart.stated.iter().map(row).collect();
    format!(
        "<div class=\"scroll\"><table class=\"stated\"><thead><tr><th scope=\"col\"></th><th scope=\"col\">paper</th>\
         <th scope=\"col\">ours</th><th scope=\"col\">difference</th></tr></thead>\n<tbody>\n{rows}</tbody></table></div>\n"
    )
}

/// Table of all measured values.
fn numbers(chart: &Chart) -> String {
    let names = chart.columns.iter().map(|name| {
        let name = escaped(name);
        format!("<th scope=\"col\">{name}</th>")
    });
    let names: String = names.collect();
    let row = |row: &Row| {
        let cells = row.values.iter().map(|value| {
            let number = chart.unit.number(*value);
            format!("<td>{number}</td>")
        });
        let cells: String = cells.collect();
        format!(
            "<tr><th scope=\"row\">{}</th>{cells}</tr>\n",
            escaped(&row.name)
        )
    };
    let rows: String = chart.rows.iter().map(row).collect();
    let means: String = chart.means.iter().map(row).collect();
    let means = match means.is_empty() {
        true => means,
        false => format!("<tbody class=\"means\">\n{means}</tbody>"),
    };
    format!(
        "<details><summary>All numbers</summary>\n<div class=\"scroll\"><table class=\"numbers\"><thead><tr>\
         <th scope=\"col\">{}</th>{names}</tr></thead>\n<tbody>\n{rows}</tbody>{means}</table></div></details>\n",
        escaped(&chart.unit.axis)
    )
}
