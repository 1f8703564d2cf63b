//! Contents of a page: plain values with their names and units, and their descriptions in words.

/// Report on one page: facts, tables and sections.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Page {
    /// Heading of the page.
    pub title: String,
    /// Facts on its making.
    pub facts: Vec<Fact>,
    /// Tables before all sections.
    pub listings: Vec<Listing>,
    /// Sections, one for each study.
    pub sections: Vec<Section>,
}

/// Table of words, with a heading.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Listing {
    /// Heading of the table.
    pub title: String,
    /// Paragraphs before the table.
    pub notes: Vec<String>,
    /// Names of the columns.
    pub columns: Vec<String>,
    /// Rows, a cell for each column; the name of a figure leads to it.
    pub rows: Vec<Vec<String>>,
}

/// Section of a page, such as a study.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Section {
    /// Short name, by which links lead to it.
    pub id: String,
    /// Heading of the section.
    pub title: String,
    /// Facts on its making.
    pub facts: Vec<Fact>,
    /// Tables before the figures.
    pub listings: Vec<Listing>,
    /// Figures of the section.
    pub charts: Vec<Chart>,
    /// Verdicts on the trends that were declared.
    pub verdicts: Vec<Verdict>,
    /// Text in place of verdicts where there are none.
    pub no_verdicts: String,
    /// Text below figures of which no paper states a number.
    pub no_stated: String,
}

/// Fact on a report, such as its machine.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fact {
    /// Name of the fact.
    pub name: String,
    /// Value of the fact.
    pub value: String,
    /// Whether the value is to be typed or compared letter by letter.
    pub is_code: bool,
}

/// Verdict on a claim that must hold.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Verdict {
    /// Claim that must hold.
    pub claim: String,
    /// Number that decides, in words.
    pub found: String,
    /// Whether it holds; `None` where it was not measured.
    pub holds: Option<bool>,
}

impl Verdict {
    /// Words for the verdict, as the page shows them.
    pub(super) const fn words(&self) -> &'static str {
        match self.holds {
            Some(true) => "holds",
            Some(false) => "does not hold",
            None => "not measured",
        }
    }
}

/// Figure of values by row and column.
#[derive(Debug, Clone, PartialEq)]
pub struct Chart {
    /// Short name, by which links lead to it.
    pub id: String,
    /// Plotted quantity, as the heading.
    pub title: String,
    /// Unit of the values.
    pub unit: Unit,
    /// Form in which it is drawn.
    pub form: Form,
    /// Names of a row's values.
    pub columns: Vec<String>,
    /// Measured rows, each with as many values as columns.
    pub rows: Vec<Row>,
    /// Averages over the rows, the one that papers state first; empty for a single row.
    pub means: Vec<Row>,
    /// Numbers that a paper states.
    pub stated: Vec<Stated>,
}

/// Row of a figure: the values of one subject, such as a game.
#[derive(Debug, Clone, PartialEq)]
pub struct Row {
    /// Name of the subject.
    pub name: String,
    /// Values, one for each column; `None` where nothing was measured.
    pub values: Vec<Option<f64>>,
}

/// Unit of the values of a chart, as texts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unit {
    /// Name in words, at the axis.
    pub axis: String,
    /// Sign behind a value, with the blank before it: ` %`.
    pub sign: String,
    /// Sign behind a difference of two values: ` points`.
    pub difference: String,
    /// Number of decimals in a text.
    pub decimals: usize,
}

/// Form in which a chart is drawn.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Form {
    /// A bar for each column, grouped by row.
    Bars,
    /// A bar for each row, of the columns that are parts of a whole.
    Stacked {
        /// Columns of these parts, from the bottom.
        parts: Vec<usize>,
        /// The column that holds their sum, if one does.
        total: Option<usize>,
    },
    /// A line for each row over the columns.
    Lines,
    /// A lying bar for each row: columns below 0 to the left, those above to the right.
    Tornado,
    /// A cell for each row and column, coloured by its value.
    Heat {
        /// Name of the rows, such as the key of a parameter.
        down: String,
        /// Name of the columns, likewise.
        across: String,
    },
}

/// Number of a paper for a column, beside ours.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Stated {
    /// Number of the column, from 0.
    pub column: usize,
    /// Value that the paper states.
    pub paper: f64,
    /// Value of ours; `None` where there is none to compare.
    pub ours: Option<f64>,
}

impl Unit {
    /// Text of a value without its sign; `-` where nothing was measured.
    pub(super) fn number(&self, value: Option<f64>) -> String {
        let decimals = self.decimals;
        value.map_or("-".to_owned(), |value| {
            let text = format!("{value:.decimals$}");
            // No minus before a value that is rounded to nothing.
            match text.strip_prefix('-') {
                Some(digits) if digits.chars().all(|c| "0.".contains(c)) => digits.to_owned(),
                _ => text,
            }
        })
    }

    /// Text of a value with its sign.
    pub(super) fn value(&self, value: Option<f64>) -> String {
        let sign = if value.is_some() { &*self.sign } else { "" };
        self.number(value) + sign
    }

    /// Text of the difference between ours and the paper's.
    pub(super) fn delta(&self, stated: &Stated) -> String {
        let decimals = self.decimals;
        stated.ours.map_or("-".to_owned(), |ours| {
            let delta = ours - stated.paper;
            format!("{delta:+.decimals$}{}", self.difference)
        })
    }
}

impl Chart {
    /// Number that the paper states for a column.
    pub(super) fn paper(&self, column: usize) -> Option<f64> {
        let stated = self.stated.iter().find(|stated| stated.column == column);
        stated.map(|stated| stated.paper)
    }

    /// Name of a column; empty where there is none.
    pub(super) fn column(&self, column: usize) -> &str {
        self.columns.get(column).map_or("", String::as_str)
    }

    /// Whether there are too many columns to name each.
    pub(super) const fn has_many_columns(&self) -> bool {
        self.columns.len() > 16
    }

    /// The least and the greatest value of a row, in words.
    fn range(&self, row: &Row) -> String {
        let values = || row.values.iter().flatten().copied();
        let value = |value| self.unit.value(value);
        let (least, most) = (values().reduce(f64::min), values().reduce(f64::max));
        format!(
            " {}: from {} to {}.",
            capital(&row.name),
            value(least),
            value(most)
        )
    }

    /// Description of the chart in words, for readers who cannot see it.
    pub(super) fn words(&self) -> String {
        let form = match &self.form {
            Form::Bars => "Grouped bars",
            Form::Stacked { .. } => "Stacked bars",
            Form::Lines => "Lines",
            Form::Tornado => "Lying bars to both sides of 0",
            Form::Heat { down, across } => return self.words_of_map(down, across),
        };
        let subjects = match &self.rows[..] {
            [one] => format!("of {}", one.name),
            rows if !self.means.is_empty() => format!("of {} rows and their mean", rows.len()),
            rows => {
                let names: Vec<_> = rows.iter().map(|row| row.name.as_str()).collect();
                format!("of {}", names.join(", "))
            }
        };
        let columns = match &self.columns[..] {
            [first, .., last] if self.has_many_columns() => {
                format!("{} values from {first} to {last}", self.columns.len())
            }
            columns => columns.join(", "),
        };
        let mut text = format!("{form} {subjects}, in {}: {columns}.", self.unit.axis);
        if let Some(mean) = self.means.first() {
            let values = mean.values.iter().enumerate().map(|(column, value)| {
                format!("{} {}", self.column(column), self.unit.value(*value))
            });
            let values: Vec<_> = values.collect();
            text += &format!(" {}: {}.", capital(&mean.name), values.join(", "));
        }
        if self.has_many_columns() {
            text.extend(self.rows.iter().map(|row| self.range(row)));
        }
        for stated in &self.stated {
            let column = self.column(stated.column);
            let paper = self.unit.value(Some(stated.paper));
            text += &format!(" The paper states {paper} of {column}.");
        }
        text
    }

    /// Description of a heat map in words: its size and the places of its ends.
    fn words_of_map(&self, down: &str, across: &str) -> String {
        let cells = self.rows.iter().flat_map(|row| {
            let values = row.values.iter().enumerate();
            values.filter_map(move |(column, value)| Some((row, column, (*value)?)))
        });
        let cell = |(row, column, value): (&Row, usize, f64)| {
            let (row, column) = (&row.name, self.column(column));
            let value = self.unit.value(Some(value));
            format!("{value} at {down} {row}, {across} {column}")
        };
        let by_value = |a: &(_, _, f64), b: &(_, _, f64)| a.2.total_cmp(&b.2);
        let (least, greatest) = (cells.clone().min_by(by_value), cells.max_by(by_value));
        let (rows, columns) = (self.rows.len(), self.columns.len());
        let ends = (least.zip(greatest))
            .map(|(least, greatest)| format!(" From {} to {}.", cell(least), cell(greatest)));
        format!(
            "Heat map of {rows} values of {down} over {columns} of {across}, in {}.{}",
            self.unit.axis,
            ends.unwrap_or_default()
        )
    }
}

/// Text with a capital at the beginning.
pub(super) fn capital(text: &str) -> String {
    let mut rest = text.chars();
    let first = rest.next();
    first
        .into_iter()
        .flat_map(char::to_uppercase)
        .chain(rest)
        .collect()
}
