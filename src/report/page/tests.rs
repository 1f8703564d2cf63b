//! The page as programs read it: well-formed, its numbers those of the charts, nothing requested of a network.

use roxmltree::{Document, Node, ParsingOptions};

use super::*;

fn unit() -> Unit {
    Unit {
        axis: "percent".to_owned(),
        sign: " %".to_owned(),
        difference: " points".to_owned(),
        decimals: 1,
    }
}

fn row(name: &str, values: &[Option<f64>]) -> Row {
    Row {
        name: name.to_owned(),
        values: values.to_vec(),
    }
}

/// A chart of two demos, one of whose values was not measured.
fn chart(id: &str, form: Form) -> Chart {
    Chart {
        id: id.to_owned(),
        title: "cycles <of> \"RE\" & TE's".to_owned(),
        unit: unit(),
        form,
        columns: ["geometry", "raster", "total"].map(str::to_owned).to_vec(),
        rows: vec![
            row("match3", &[Some(3.25), Some(20.5), Some(23.75)]),
            row("a<b", &[Some(10.0), None, Some(97.0)]),
        ],
        means: vec![
            row("mean", &[Some(6.6), Some(20.5), Some(60.4)]),
            row("geometric mean", &[Some(5.7), Some(20.5), Some(48.0)]),
        ],
        stated: vec![Stated {
            column: 2,
            paper: 58.0,
            ours: Some(60.4),
        }],
    }
}

fn heat() -> Form {
    Form::Heat {
        down: "demo".to_owned(),
        across: "stage".to_owned(),
    }
}

fn page() -> Page {
    let stacked = Form::Stacked {
        parts: vec![0, 1],
        total: Some(2),
    };
    Page {
        title: "Studies".to_owned(),
        facts: vec![Fact {
            name: "command".to_owned(),
            value: "azulejo study 'a & b' > x".to_owned(),
            is_code: true,
        }],
        sections: vec![Section {
            id: "re".to_owned(),
            title: "Rendering Elimination".to_owned(),
            charts: vec![
                chart("re.fig1", Form::Bars),
                chart("re.fig2", stacked),
                chart("re.fig3", Form::Lines),
            ],
            verdicts: vec![Verdict {
                claim: "RE < TE".to_owned(),
                found: "in 2 of 3".to_owned(),
                holds: Some(false),
            }],
            no_stated: "The paper states no number of this figure.".to_owned(),
            ..Section::default()
        }],
        ..Page::default()
    }
}

/// The whole page as a tree, which only well-formed text becomes.
fn tree(text: &str) -> Document<'_> {
    let options = ParsingOptions {
        allow_dtd: true,
        ..ParsingOptions::default()
    };
    Document::parse_with_options(text, options).expect("well-formed")
}

fn all<'a>(node: Node<'a, 'a>, name: &'a str) -> impl Iterator<Item = Node<'a, 'a>> {
    node.descendants()
        .filter(move |node| node.has_tag_name(name))
}

fn words<'a>(node: Node<'a, 'a>) -> String {
    node.descendants()
        .filter_map(|node| node.text().filter(|_| node.is_text()))
        .collect()
}

#[test]
fn page_is_well_formed_and_asks_for_nothing() {
    let text = html(&page());
    let tree = tree(&text);
    for name in ["script", "link", "img", "iframe", "object", "image", "use"] {
        assert_eq!(all(tree.root(), name).count(), 0, "{name}");
    }
    for banned in ["http:", "https:", "url(", "@import", "src="] {
        assert!(!text.contains(banned), "{banned}");
    }
    for link in all(tree.root(), "a") {
        let id = link
            .attribute("href")
            .and_then(|href| href.strip_prefix('#'));
        let id = id.expect("within the page");
        let target = tree
            .descendants()
            .find(|node| node.attribute("id") == Some(id));
        assert!(target.is_some(), "#{id} leads somewhere");
    }
}

#[test]
fn page_has_each_figure_twice_with_words_for_who_cannot_see() {
    let text = html(&page());
    let tree = tree(&text);
    let drawings: Vec<_> = all(tree.root(), "svg").collect();
    assert_eq!(drawings.len(), 6, "wide and narrow");
    let mut ids = Vec::new();
    for drawing in drawings {
        assert_eq!(drawing.attribute("role"), Some("img"), "one thing");
        let title = all(drawing, "title").next().map(words);
        assert_eq!(
            title.as_deref(),
            Some("cycles <of> \"RE\" & TE's"),
            "unescaped again"
        );
        let words = all(drawing, "desc")
            .next()
            .map(words)
            .expect("a description");
        for part in [
            "geometry",
            "Mean: ",
            "total 60.4 %",
            "The paper states 58.0 % of total",
        ] {
            assert!(words.contains(part), "{part}: {words}");
        }
        ids.extend(
            drawing
                .descendants()
                .filter_map(|node| node.attribute("id")),
        );
    }
    let n = ids.len();
    ids.sort_unstable();
    ids.dedup();
    assert_eq!(ids.len(), n, "no id twice");
}

#[test]
fn page_tables_say_what_the_chart_says() {
    let text = html(&page());
    let tree = tree(&text);
    let table = |class: &str| {
        let mut tables = tree.descendants().filter(|node| node.has_tag_name("table"));
        tables
            .find(|node| node.attribute("class") == Some(class))
            .expect("there")
    };
    let rows = |table: Node<'_, '_>| -> Vec<Vec<String>> {
        let cells = |row: Node<'_, '_>| {
            let cells = row
                .children()
                .filter(|node| node.has_tag_name("td") || node.has_tag_name("th"));
            cells
                .map(|cell| cell.text().unwrap_or_default().to_owned())
                .collect()
        };
        table
            .descendants()
            .filter(|node| node.has_tag_name("tr"))
            .map(cells)
            .collect()
    };
    let expected = [
        ["percent", "geometry", "raster", "total"],
        ["match3", "3.2", "20.5", "23.8"],
        ["a<b", "10.0", "-", "97.0"],
        ["mean", "6.6", "20.5", "60.4"],
        ["geometric mean", "5.7", "20.5", "48.0"],
    ];
    assert_eq!(rows(table("numbers")), expected, "to the tenth");
    let stated = rows(table("stated"));
    assert_eq!(
        stated[1],
        ["total", "58.0 %", "60.4 %", "+2.4 points"],
        "beside the paper"
    );
}

/// Heights of a drawing's bars of a class, by their tips under the pointer.
fn heights(drawing: Node<'_, '_>) -> Vec<(String, f64)> {
    let bars = drawing
        .descendants()
        .filter(|node| node.has_tag_name("rect"));
    let bar = |bar: Node<'_, '_>| {
        let tip = bar.children().find(|node| node.has_tag_name("title"))?;
        let height = bar.attribute("height")?.parse().ok()?;
        Some((tip.text()?.to_owned(), height))
    };
    bars.filter_map(bar).collect()
}

#[test]
fn bars_are_as_high_as_their_values() {
    let text = html(&page());
    let tree = tree(&text);
    for id in ["re-fig1-wide", "re-fig2-wide"] {
        let drawing = tree
            .descendants()
            .find(|node| node.attribute("id") == Some(id))
            .expect(id);
        let bars = heights(drawing);
        assert!(bars.len() >= 6, "{id}: {bars:?}");
        let number = |tip: &str| -> f64 {
            let number = tip
                .rsplit(": ")
                .next()
                .and_then(|text| text.strip_suffix(" %"));
            number.expect(tip).parse().expect(tip)
        };
        // All bars share one scale: the tallest tells how many pixels a percent has.
        let (tip, height) = bars
            .iter()
            .max_by(|a, b| a.1.total_cmp(&b.1))
            .expect("bars");
        let scale = height / number(tip);
        for (tip, height) in &bars {
            let expected = scale * number(tip);
            assert!(
                (height - expected).abs() < 0.3,
                "{id} {tip}: {height} {expected}"
            );
        }
        assert!(
            bars.iter().any(|(tip, _)| tip == "Paper, total: 58.0 %"),
            "{id}: {bars:?}"
        );
        assert!(
            !bars.iter().any(|(tip, _)| tip.starts_with("A<b, raster")),
            "not measured"
        );
    }
}

#[test]
fn stacked_parts_stand_on_each_other() {
    let text = html(&page());
    let tree = tree(&text);
    let drawing = tree
        .descendants()
        .find(|node| node.attribute("id") == Some("re-fig2-wide"));
    let drawing = drawing.expect("drawn");
    let edge = |tip: &str, edge: &str| -> f64 {
        let bar = drawing.descendants().find(|node| {
            node.has_tag_name("rect") && node.children().any(|child| child.text() == Some(tip))
        });
        bar.and_then(|bar| bar.attribute(edge)?.parse().ok())
            .expect(tip)
    };
    let (lower, upper) = ("Match3, geometry: 3.2 %", "Match3, raster: 20.5 %");
    let top = edge(upper, "y") + edge(upper, "height");
    assert!((top - edge(lower, "y")).abs() < 0.2, "no gap");
}

#[test]
fn lines_go_through_all_points_that_were_measured() {
    let text = html(&page());
    let tree = tree(&text);
    let drawing = tree
        .descendants()
        .find(|node| node.attribute("id") == Some("re-fig3-wide"));
    let drawing = drawing.expect("drawn");
    let lines = drawing
        .descendants()
        .filter(|node| node.has_tag_name("polyline"));
    let points = |line: Node<'_, '_>| {
        line.attribute("points")
            .map_or(0, |points| points.split_whitespace().count())
    };
    let n: Vec<usize> = lines.map(points).collect();
    assert_eq!(n, [3, 2, 3, 1], "two rows, their mean, the paper's");
}

/// Fill and tip of each cell of a map.
fn cells<'a>(svg: Node<'a, 'a>) -> Vec<(&'a str, String)> {
    let cells = all(svg, "rect").filter_map(|rect| {
        let tip = all(rect, "title").next()?;
        Some((rect.attribute("fill").unwrap_or(""), words(tip)))
    });
    cells.collect()
}

#[test]
fn heat_map_has_a_cell_for_each_value_from_dark_to_light() {
    let mut chart = chart("x", heat());
    chart.rows[0].values = vec![Some(1.0), Some(2.0), Some(3.0)];
    chart.rows[1].values = vec![Some(9.0), None, Some(5.0)];
    for svg in [heat::wide(&chart), heat::narrow(&chart)] {
        let tree = tree(&svg);
        let cells = cells(tree.root_element());
        assert_eq!(cells.len(), 6, "{cells:?}");
        assert_eq!(
            cells[0],
            ("#440154", "Demo match3, stage geometry: 1.0 %".to_owned()),
            "the least"
        );
        assert_eq!(
            cells[3],
            ("#fde725", "Demo a<b, stage geometry: 9.0 %".to_owned()),
            "the greatest"
        );
        assert_eq!(
            cells[4],
            ("", "Demo a<b, stage raster: -".to_owned()),
            "nothing was measured"
        );
        let written: Vec<_> = all(tree.root_element(), "text").map(words).collect();
        for text in [
            "percent", "demo", "stage", "1.0", "3.0", "5.0", "7.0", "9.0", "-",
        ] {
            assert!(
                written.iter().any(|word| word == text),
                "{text}: {written:?}"
            );
        }
        let number = |value: &str| {
            let texts = all(tree.root_element(), "text").filter(|text| words(*text) == value);
            // The first is the legend's.
            texts.last().and_then(|text| text.attribute("class"))
        };
        assert_eq!(number("1.0"), Some("mid white"), "on a dark cell");
        assert_eq!(number("9.0"), Some("mid black"), "on a light cell");
    }
}

#[test]
fn heat_map_of_many_columns_goes_on_below_and_of_very_many_has_no_numbers() {
    let drawn = |n_columns: usize| {
        let mut chart = chart("x", heat());
        chart.columns = (0..n_columns).map(|column| column.to_string()).collect();
        chart.rows = vec![row("a", &vec![Some(1.0); n_columns])];
        heat::narrow(&chart)
    };
    let blocks = |svg: &str| {
        let tree = tree(svg);
        let texts = all(tree.root_element(), "text").map(words);
        texts.filter(|text| text == "stage").count()
    };
    let numbers = |svg: &str| svg.matches(">1.0</text>").count() - 5;
    let [few, many, all] = [6, 20, 500].map(drawn);
    assert_eq!((blocks(&few), numbers(&few)), (1, 6));
    assert_eq!((blocks(&many), numbers(&many)), (2, 20));
    assert_eq!((blocks(&all), numbers(&all)), (1, 0), "colours alone");
    assert_eq!(
        cells(tree(&all).root_element()).len(),
        500,
        "each has a cell"
    );
}

#[test]
fn heat_map_in_words_says_where_its_ends_are() {
    let text = chart("x", heat()).words();
    for words in [
        "Heat map of 2 values of demo over 3 of stage, in percent.",
        "From 3.2 % at demo match3, stage geometry to 97.0 % at demo a<b, stage total.",
    ] {
        assert!(text.contains(words), "{text}");
    }
}

#[test]
fn page_of_nothing_and_of_losses_is_still_one() {
    let mut chart = chart("x", Form::Bars);
    chart.rows = vec![row("only", &[None, Some(-3.0), Some(0.0)])];
    (chart.means, chart.stated) = (Vec::new(), Vec::new());
    let mut page = page();
    page.sections[0].charts = vec![chart];
    page.sections[0].verdicts.clear();
    page.sections[0].no_verdicts = "Trends are of all demos.".to_owned();
    let text = html(&page);
    tree(&text);
    assert!(text.contains("Trends are of all demos."), "said");
    assert!(text.contains("The paper states no number"), "said");
    assert!(
        !text.contains("NaN") && !text.contains("inf"),
        "no number from nothing"
    );
    tree(&html(&Page::default()));
}

#[test]
fn listing_stands_before_the_figures_and_leads_to_them() {
    let mut page = page();
    let cells = |cells: [&str; 2]| cells.map(str::to_owned).to_vec();
    page.listings = vec![Listing {
        title: "Numbers".to_owned(),
        notes: vec!["a < b".to_owned()],
        columns: cells(["id", "verdict"]),
        rows: vec![cells(["re.fig1", "agrees"]), cells(["re.txt", "x | <y>"])],
    }];
    let text = html(&page);
    let document = tree(&text);
    let found =
        all(document.root(), "table").find(|table| table.attribute("class") == Some("listing"));
    let table = found.expect("a table");
    let links: Vec<_> = all(table, "a")
        .filter_map(|link| link.attribute("href"))
        .collect();
    assert_eq!(links.len(), 1, "of the figure that there is: {links:?}");
    let target = links[0].trim_start_matches('#');
    let figure = all(document.root(), "figure").find(|node| node.attribute("id") == Some(target));
    assert!(figure.is_some(), "{target}");
    assert!(words(table).contains("x | <y>"), "every cell");
    assert!(text.find("listing\"") < text.find("<section"), "first");
    let text = markdown(&page);
    assert!(text.contains("| re.fig1 | agrees |"), "{text}");
    assert!(text.contains("| re.txt | x \\| \\<y> |"), "{text}");
}

#[test]
fn trend_that_was_not_measured_is_neither_held_nor_failed() {
    let mut page = page();
    page.sections[0].verdicts[0].holds = None;
    let text = html(&page);
    assert!(
        text.contains("not measured") && !text.contains("does not hold"),
        "{text}"
    );
    assert!(
        !text.contains("trends that were declared before measuring hold"),
        "none counts"
    );
    assert!(
        markdown(&page).contains("RE \\< TE: not measured"),
        "as text"
    );
}

#[test]
fn markdown_has_the_same_numbers() {
    let text = markdown(&page());
    for line in [
        "# Studies",
        "- command: `azulejo study 'a & b' > x`",
        "| match3 | 3.2 | 20.5 | 23.8 |",
        "| a\\<b | 10.0 | - | 97.0 |",
        "- total: paper 58.0 %, ours 60.4 %, difference +2.4 points",
        "- RE \\< TE: **does not hold** (in 2 of 3)",
    ] {
        assert!(text.lines().any(|found| found == line), "{line}\n{text}");
    }
}
