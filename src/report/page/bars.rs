//! Bars by row, side by side or stacked, with their mean and the paper's numbers: upright for wide pages, lying for narrow
//! ones.

use super::axes::{self, Names};
use super::chart::{Chart, Form, Row, capital};
use super::scale::Scale;
use super::svg::{Anchor, Area, Drawing, LETTER, Label, at, color, id, legend};

/// Bar, or a part of one.
#[derive(Debug, Clone)]
struct Bar {
    /// Place in its group, from 0.
    slot: usize,
    /// Value at its start, in the chart's unit.
    from: f64,
    /// Value at its end, in the chart's unit.
    to: f64,
    class: String,
    tip: String,
    /// Number beside the bar, where there is room.
    words: String,
}

/// Bars of one row, of the mean or of the paper.
#[derive(Debug, Clone)]
struct Group {
    name: String,
    /// Whether it is the mean or the paper, set off from the rows.
    is_summary: bool,
    bars: Vec<Bar>,
}

/// Data that both layouts draw.
struct Plan<'a> {
    chart: &'a Chart,
    scale: Scale,
    groups: Vec<Group>,
    /// Number of bars beside each other in a group.
    slots: usize,
    /// Classes and names of the colours.
    legend: Vec<(String, String)>,
}

impl<'a> Plan<'a> {
    fn of(chart: &'a Chart) -> Self {
        let stack = match &chart.form {
            Form::Stacked { parts, total } => Some((&parts[..], *total)),
            _ => None,
        };
        let mean = chart.means.first();
        let rows = chart.rows.iter().map(|row| (row, false));
        let rows = rows.chain(mean.map(|mean| (mean, true)));
        let mut groups: Vec<Group> = rows
            .map(|(row, is_summary)| Group {
                name: row.name.clone(),
                is_summary,
                bars: match stack {
                    Some((parts, _)) => {
                        stacked(chart, &row.name, parts, &|column| row.values[column])
                    }
                    None if chart.form == Form::Tornado => to_both_sides(chart, row),
                    None => side_by_side(chart, &row.name, &|column| row.values[column]),
                },
            })
            .collect();
        groups.extend(paper(chart, stack));
        let ends = groups.iter().flat_map(|group| &group.bars);
        let scale = Scale::of(ends.flat_map(|bar| [bar.from, bar.to]));
        let all: Vec<usize> = (0..chart.columns.len()).collect();
        let shown = stack.map_or(&all[..], |(parts, _)| parts);
        let mut legend: Vec<_> = (shown.iter())
            .map(|column| (color(*column), chart.column(*column).to_owned()))
            .collect();
        if !chart.stated.is_empty() {
            legend.push(("paper".to_owned(), "as the paper states".to_owned()));
        }
        Self {
            chart,
            scale,
            groups,
            slots: match stack.is_some() || chart.form == Form::Tornado {
                true => 1,
                false => chart.columns.len(),
            },
            legend,
        }
    }

    fn finish(&self, drawing: Drawing, class: &str, width: f64, height: f64) -> String {
        let label = Label {
            id: &format!("{}-{class}", id(&self.chart.id)),
            class,
            title: &self.chart.title,
            description: &self.chart.words(),
        };
        drawing.finish(label, width, height)
    }
}

/// Makes a bar for each column that was measured.
fn side_by_side(chart: &Chart, name: &str, value: &dyn Fn(usize) -> Option<f64>) -> Vec<Bar> {
    let columns = 0..chart.columns.len();
    let bar = |column: usize| {
        let to = value(column)?;
        Some(Bar {
            slot: column,
            from: 0.0,
            to,
            class: color(column),
            tip: tip(chart, name, column, to),
            words: chart.unit.number(Some(to)),
        })
    };
    columns.filter_map(bar).collect()
}

/// Makes a bar for each column that is not 0, all from 0 on and in one slot.
fn to_both_sides(chart: &Chart, row: &Row) -> Vec<Bar> {
    let bars = side_by_side(chart, &row.name, &|column| row.values[column]);
    let bars = bars.into_iter().filter(|bar| bar.to != 0.0);
    bars.map(|bar| Bar { slot: 0, ..bar }).collect()
}

/// Makes the parts on top of each other; the last has their sum for its number.
fn stacked(
    chart: &Chart,
    name: &str,
    parts: &[usize],
    value: &dyn Fn(usize) -> Option<f64>,
) -> Vec<Bar> {
    let mut top = 0.0;
    let mut bars = Vec::new();
    for &column in parts {
        let Some(part) = value(column) else { continue };
        bars.push(Bar {
            slot: 0,
            from: top,
            to: top + part,
            class: color(column),
            tip: tip(chart, name, column, part),
            words: String::new(),
        });
        top += part;
    }
    if let Some(last) = bars.last_mut() {
        last.words = chart.unit.number(Some(top));
    }
    bars
}

/// Group of the paper's numbers, drawn as the mean is: for a stack its parts, or else its sum.
fn paper(chart: &Chart, stack: Option<(&[usize], Option<usize>)>) -> Option<Group> {
    const NAME: &str = "paper";
    let stated = |column| chart.paper(column);
    let bars = match stack {
        None => side_by_side(chart, NAME, &stated),
        Some((parts, total)) => {
            let mut bars = stacked(chart, NAME, parts, &stated);
            let top = bars.last().map_or(0.0, |bar| bar.to);
            let sum = total.and_then(|column| Some((column, stated(column)?)));
            // The rest of the sum, whose parts the paper does not state.
            if let Some((column, to)) = sum.filter(|(_, to)| *to > top) {
                bars.iter_mut().for_each(|bar| bar.words.clear());
                bars.push(Bar {
                    slot: 0,
                    from: top,
                    to,
                    class: "sum".to_owned(),
                    tip: tip(chart, NAME, column, to),
                    words: chart.unit.number(Some(to)),
                });
            }
            bars
        }
    };
    let bars = bars.into_iter().map(|bar| Bar {
        class: format!("{} paper", bar.class),
        ..bar
    });
    let bars: Vec<_> = bars.collect();
    (!bars.is_empty()).then(|| Group {
        name: NAME.to_owned(),
        is_summary: true,
        bars,
    })
}

fn tip(chart: &Chart, name: &str, column: usize, value: f64) -> String {
    let value = chart.unit.value(Some(value));
    format!("{}, {}: {value}", capital(name), chart.column(column))
}

/// Largest width of a group in pixels: one or two need not fill the page.
const GROUP: f64 = 260.0;

/// Draws upright bars, for pages of 640 pixels and more.
pub(super) fn wide(chart: &Chart) -> String {
    const WIDTH: f64 = 920.0;
    const LEFT: f64 = 48.0;
    const PLOT: f64 = 240.0;
    let plan = Plan::of(chart);
    let mut drawing = Drawing::default();
    let top = legend(&mut drawing, &plan.legend, 2.0, WIDTH) + axes::BELOW_LEGEND;
    let (left, right, bottom) = (LEFT, WIDTH - 4.0, top + PLOT);
    let y = |value: f64| bottom - plan.scale.place(value) * PLOT;
    axes::upright(&mut drawing, &plan.scale, &chart.unit.axis, left..right, &y);
    let group = ((right - left) / plan.groups.len().max(1) as f64).min(GROUP);
    let slot = (group * 0.8 / plan.slots.max(1) as f64).min(56.0);
    let names = plan.groups.iter().map(|group| group.name.as_str());
    let names = Names::of(names, group);
    for (place, bars) in plan.groups.iter().enumerate() {
        let middle = left + (place as f64 + 0.5) * group;
        if bars.is_summary {
            let band = Area {
                x: middle - group / 2.0,
                y: top,
                width: group,
                height: PLOT,
            };
            drawing.area(band, "band", "");
        }
        let begin = middle - slot * plan.slots as f64 / 2.0;
        upright(&mut drawing, bars, &y, begin, slot);
        let class = if bars.is_summary { "strong" } else { "" };
        names.write(&mut drawing, at(middle, bottom), class, &bars.name);
    }
    plan.finish(drawing, "wide", WIDTH, bottom + names.height())
}

/// Draws the bars of a group, the first at `begin`.
fn upright(drawing: &mut Drawing, group: &Group, y: &dyn Fn(f64) -> f64, begin: f64, slot: f64) {
    for bar in &group.bars {
        let (high, low) = (y(bar.from.max(bar.to)), y(bar.from.min(bar.to)));
        let area = Area {
            x: begin + bar.slot as f64 * slot + slot * 0.04,
            y: high,
            width: slot * 0.92,
            height: (low - high).max(0.6),
        };
        drawing.area(area, &bar.class, &bar.tip);
        let has_room = bar.words.chars().count() as f64 * LETTER <= slot + 4.0;
        if has_room {
            let above = if bar.to < bar.from {
                low + 12.0
            } else {
                high - 4.0
            };
            let at = at(area.x + area.width / 2.0, above);
            drawing.text(at, Anchor::Middle, "small", &bar.words);
        }
    }
}

/// Room in pixels for the number behind the longest bar that goes to the right, or to the left.
fn room(groups: &[Group], is_right: bool) -> f64 {
    let bars = groups.iter().flat_map(|group| &group.bars);
    let bars = bars.filter(|bar| (bar.to >= 0.0) == is_right);
    let longest = bars.map(|bar| bar.words.chars().count()).max();
    longest.unwrap_or(0) as f64 * LETTER + 6.0
}

/// Draws lying bars, for pages of 375 pixels.
pub(super) fn narrow(chart: &Chart) -> String {
    all_lying(chart, "narrow", 340.0)
}

/// Draws lying bars to both sides of 0, for pages of any width.
pub(super) fn tornado(chart: &Chart) -> String {
    all_lying(chart, "wide", 640.0) + &narrow(chart)
}

fn all_lying(chart: &Chart, layout: &str, width: f64) -> String {
    const BAR: f64 = 14.0;
    let plan = Plan::of(chart);
    let mut drawing = Drawing::default();
    let top = legend(&mut drawing, &plan.legend, 2.0, width) + 30.0;
    let room = |is_end| room(&plan.groups, is_end);
    let (left, right) = (room(false), width - room(true));
    let x = |value: f64| left + plan.scale.place(value) * (right - left);
    let row = |slots: usize| 18.0 + slots as f64 * BAR + 8.0;
    let height: f64 = plan.groups.iter().map(|_| row(plan.slots)).sum();
    let bottom = top + height;
    let axis = at(0.0, top - 18.0);
    drawing.text(axis, Anchor::Start, "muted", &chart.unit.axis);
    for tick in plan.scale.ticks() {
        let words = at(x(tick), top - 4.0);
        let label = plan.scale.label(tick);
        drawing.text(words, Anchor::Middle, "muted small", &label);
    }
    let mut y = top;
    for group in &plan.groups {
        if group.is_summary {
            let band = Area {
                x: 0.0,
                y,
                width,
                height: row(plan.slots),
            };
            drawing.area(band, "band", "");
        }
        let class = if group.is_summary { "strong" } else { "" };
        drawing.text(at(0.0, y + 13.0), Anchor::Start, class, &group.name);
        let bars = y + 18.0;
        let below = bars + plan.slots as f64 * BAR;
        axes::lying(&mut drawing, &plan.scale, bars..below, &x);
        lying(&mut drawing, group, &x, bars, BAR);
        y += row(plan.slots);
    }
    plan.finish(drawing, layout, width, bottom + 4.0)
}

/// Draws the bars of a group, the first at `begin`.
fn lying(drawing: &mut Drawing, group: &Group, x: &dyn Fn(f64) -> f64, begin: f64, slot: f64) {
    for bar in &group.bars {
        let (low, high) = (x(bar.from.min(bar.to)), x(bar.from.max(bar.to)));
        let area = Area {
            x: low,
            y: begin + bar.slot as f64 * slot + 0.5,
            width: (high - low).max(0.6),
            height: slot - 1.0,
        };
        drawing.area(area, &bar.class, &bar.tip);
        let (end, anchor) = if bar.to < bar.from {
            (low - 3.0, Anchor::End)
        } else {
            (high + 3.0, Anchor::Start)
        };
        if !bar.words.is_empty() {
            let words = at(end, area.y + slot - 3.5);
            drawing.text(words, anchor, "small", &bar.words);
        }
    }
}
