//! A line for each row over the columns, and what the paper states of them.

use super::chart::{Chart, Row, capital};
use super::scale::Scale;
use super::svg::{Anchor, Drawing, LETTER, Label, Point, color, id, legend};

/// From so many rows on, lines are faint and their mean is what is to be seen.
const MANY: usize = 5;

/// A line.
struct Line {
    name: String,
    class: String,
    /// A value for each column.
    values: Vec<Option<f64>>,
    is_paper: bool,
}

/// A layout.
#[derive(Debug, Clone, Copy)]
struct Layout {
    class: &'static str,
    width: f64,
    height: f64,
}

/// For pages of 640 pixels and more.
pub(super) fn wide(chart: &Chart) -> String {
    let layout = Layout {
        class: "wide",
        width: 920.0,
        height: 260.0,
    };
    draw(chart, layout)
}

/// For pages of 375 pixels.
pub(super) fn narrow(chart: &Chart) -> String {
    let layout = Layout {
        class: "narrow",
        width: 340.0,
        height: 220.0,
    };
    draw(chart, layout)
}

fn lines(chart: &Chart) -> Vec<Line> {
    let is_many = chart.rows.len() >= MANY;
    let of_row = |row: &Row, class: String| Line {
        name: row.name.clone(),
        class,
        values: row.values.clone(),
        is_paper: false,
    };
    let rows = chart.rows.iter().enumerate();
    let mut lines: Vec<Line> = rows
        .map(|(at, row)| {
            let class = if is_many {
                "faint".to_owned()
            } else {
                color(at)
            };
            of_row(row, class)
        })
        .collect();
    lines.extend(
        chart
            .means
            .first()
            .map(|mean| of_row(mean, "mean".to_owned())),
    );
    if !chart.stated.is_empty() {
        lines.push(Line {
            name: "as the paper states".to_owned(),
            class: "paper".to_owned(),
            values: (0..chart.columns.len())
                .map(|column| chart.paper(column))
                .collect(),
            is_paper: true,
        });
    }
    lines
}

fn draw(chart: &Chart, layout: Layout) -> String {
    const LEFT: f64 = 44.0;
    let Layout {
        class,
        width,
        height,
    } = layout;
    let lines = lines(chart);
    let scale = Scale::of(
        lines
            .iter()
            .flat_map(|line| line.values.iter().flatten().copied()),
    );
    let mut drawing = Drawing::default();
    let mut names: Vec<(String, String)> = Vec::new();
    for line in &lines {
        let name = if line.class == "faint" {
            "each demo"
        } else {
            &*line.name
        };
        if !names.iter().any(|(_, known)| known == name) {
            names.push((format!("{} line", line.class), name.to_owned()));
        }
    }
    let top = legend(&mut drawing, &names, 2.0, width) + 24.0;
    let (bottom, right) = (top + height, width - 16.0);
    let y = |value: f64| bottom - scale.place(value) * height;
    let gaps = chart.columns.len().saturating_sub(1).max(1) as f64;
    let x = |column: usize| LEFT + 16.0 + column as f64 * (right - LEFT - 32.0) / gaps;
    drawing.text(
        Point {
            x: 0.0,
            y: top - 12.0,
        },
        Anchor::Start,
        "muted",
        &chart.unit.axis,
    );
    for tick in scale.ticks() {
        let class = if tick == 0.0 { "zero" } else { "grid" };
        drawing.line(
            Point {
                x: LEFT,
                y: y(tick),
            },
            Point {
                x: right,
                y: y(tick),
            },
            class,
        );
        let words = Point {
            x: LEFT - 6.0,
            y: y(tick) + 4.0,
        };
        drawing.text(words, Anchor::End, "muted", &scale.label(tick));
    }
    let longest = chart.columns.iter().map(|name| name.chars().count());
    let longest = longest.max().unwrap_or(0) as f64 * LETTER;
    let is_slanted = longest > x(1) - x(0) - 4.0;
    for (column, name) in chart.columns.iter().enumerate() {
        if is_slanted {
            drawing.slanted(
                Point {
                    x: x(column) + 4.0,
                    y: bottom + 14.0,
                },
                "",
                name,
            );
        } else {
            drawing.text(
                Point {
                    x: x(column),
                    y: bottom + 17.0,
                },
                Anchor::Middle,
                "",
                name,
            );
        }
    }
    for line in &lines {
        let place = |(column, value): (usize, &Option<f64>)| {
            let value = (*value)?;
            Some((
                column,
                value,
                Point {
                    x: x(column),
                    y: y(value),
                },
            ))
        };
        let places: Vec<_> = line.values.iter().enumerate().filter_map(place).collect();
        let points: Vec<Point> = places.iter().map(|(_, _, point)| *point).collect();
        drawing.path(&points, &format!("{} stroke", line.class));
        let name = if line.is_paper { "paper" } else { &*line.name };
        for (column, value, point) in places {
            let value = chart.unit.value(Some(value));
            let tip = format!("{}, {}: {value}", capital(name), chart.column(column));
            drawing.dot(point, &format!("{} point", line.class), &tip);
        }
    }
    let below = if is_slanted {
        20.0 + longest * 0.65
    } else {
        24.0
    };
    let label = Label {
        id: &format!("{}-{class}", id(&chart.id)),
        class,
        title: &chart.title,
        description: &chart.words(),
    };
    drawing.finish(label, width, bottom + below)
}
