//! Tables of words: HTML of a [`Listing`].

use std::collections::BTreeSet;

use super::chart::{Listing, Page};
use super::svg::{escaped, id};

/// Listings as HTML; a cell that is a figure's name leads to the figure.
pub(super) fn html(listings: &[Listing], page: &Page) -> String {
    let charts = page.sections.iter().flat_map(|section| &section.charts);
    let known: BTreeSet<&str> = charts.map(|chart| chart.id.as_str()).collect();
    listings
        .iter()
        .map(|listing| one(listing, &known))
        .collect()
}

fn one(listing: &Listing, known: &BTreeSet<&str>) -> String {
    let names = listing.columns.iter().map(|name| {
        let name = escaped(name);
        format!("<th scope=\"col\">{name}</th>")
    });
    let cell = |cell: &String| {
        let text = escaped(cell);
        match known.contains(cell.as_str()) {
            true => format!("<td><a href=\"#{}\">{text}</a></td>", id(cell)),
            false => format!("<td>{text}</td>"),
        }
    };
    let row = |row: &Vec<String>| {
        let cells: String = row.iter().map(cell).collect();
        format!("<tr>{cells}</tr>\n")
    };
    let notes = listing.notes.iter().map(|note| {
        let note = escaped(note);
        format!("<p class=\"none\">{note}</p>\n")
    });
    format!(
        "<h3>{}</h3>\n{}<div class=\"scroll\"><table class=\"listing\"><thead><tr>{}</tr></thead>\n<tbody>\n{}</tbody></table></div>\n",
        escaped(&listing.title),
        notes.collect::<String>(),
        names.collect::<String>(),
        listing.rows.iter().map(row).collect::<String>(),
    )
}
