//! Lines over the columns, one for each row, and the paper's numbers.

use super::axes::{self, Names};
use super::chart::{Chart, Row, capital};
use super::scale::Scale;
use super::svg::{Drawing, Label, Point, at, color, id, legend};

/// Number of rows from which on lines are faint and their mean stands out.
const MANY: usize = 5;

/// Line of one row, of the mean or of the paper.
struct Line {
    name: String,
    class: String,
    /// Values, one for each column.
    values: Vec<Option<f64>>,
    is_paper: bool,
}

/// Layout of the chart for a width of page.
#[derive(Debug, Clone, Copy)]
struct Layout {
    class: &'static str,
    width: f64,
    height: f64,
}

/// Draws the chart for pages of 640 pixels and more.
pub(super) fn wide(chart: &Chart) -> String {
    let layout = Layout {
        class: "wide",
        width: 920.0,
        height: 260.0,
    };
    draw(chart, layout)
}

/// Draws the chart for pages of 375 pixels.
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

/// Classes and names of the colours; faint lines have one together.
fn names(lines: &[Line]) -> Vec<(String, String)> {
    let mut names: Vec<(String, String)> = Vec::new();
    for line in lines {
        let name = match line.class.as_str() {
            "faint" => "each demo",
            _ => &line.name,
        };
        if !names.iter().any(|(_, known)| known == name) {
            names.push((format!("{} line", line.class), name.to_owned()));
        }
    }
    names
}

/// Draws a line with a dot at each value.
fn stroke(drawing: &mut Drawing, chart: &Chart, line: &Line, place: &dyn Fn(usize, f64) -> Point) {
    let values = line.values.iter().enumerate();
    let values = values.filter_map(|(column, value)| Some((column, (*value)?)));
    let points: Vec<Point> = { values.clone() }
        .map(|(column, value)| place(column, value))
        .collect();
    drawing.path(&points, &format!("{} stroke", line.class));
    let name = if line.is_paper { "paper" } else { &*line.name };
    for (column, value) in values {
        let words = chart.unit.value(Some(value));
        let tip = format!("{}, {}: {words}", capital(name), chart.column(column));
        let class = format!("{} point", line.class);
        drawing.dot(place(column, value), &class, &tip);
    }
}

/// Step between columns that have their names below the axis: 1, but of many columns as large as their names need.
fn names_step(chart: &Chart, gap: f64) -> usize {
    if !chart.has_many_columns() {
        return 1;
    }
    let names = || chart.columns.iter().map(String::as_str);
    let fits = |step: &usize| !Names::of(names(), gap * *step as f64).are_slanted();
    (1..chart.columns.len()).find(fits).unwrap_or(1)
}

fn draw(chart: &Chart, layout: Layout) -> String {
    const LEFT: f64 = 44.0;
    let Layout {
        class,
        width,
        height,
    } = layout;
    let lines = lines(chart);
    let values = lines.iter().flat_map(|line| line.values.iter().flatten());
    let scale = Scale::of(values.copied());
    let mut drawing = Drawing::default();
    let top = legend(&mut drawing, &names(&lines), 2.0, width) + axes::BELOW_LEGEND;
    let (bottom, right) = (top + height, width - 16.0);
    let y = |value: f64| bottom - scale.place(value) * height;
    axes::upright(&mut drawing, &scale, &chart.unit.axis, LEFT..right, &y);
    let gaps = chart.columns.len().saturating_sub(1).max(1) as f64;
    let gap = (right - LEFT - 32.0) / gaps;
    let x = |column: usize| LEFT + 16.0 + column as f64 * gap;
    let step = names_step(chart, gap);
    let columns = Names::of(chart.columns.iter().map(String::as_str), gap * step as f64);
    for (column, name) in chart.columns.iter().enumerate().step_by(step) {
        columns.write(&mut drawing, at(x(column), bottom), "", name);
    }
    for line in &lines {
        let place = |column, value| at(x(column), y(value));
        stroke(&mut drawing, chart, line, &place);
    }
    let label = Label {
        id: &format!("{}-{class}", id(&chart.id)),
        class,
        title: &chart.title,
        description: &chart.words(),
    };
    drawing.finish(label, width, bottom + columns.height())
}
