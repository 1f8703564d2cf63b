//! What a page shows: plain values with their names and units, and what words can be made of them.

/// A report.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Page {
    /// Its heading.
    pub title: String,
    /// How it came about.
    pub facts: Vec<Fact>,
    /// Tables before all sections.
    pub listings: Vec<Listing>,
    /// One for each study.
    pub sections: Vec<Section>,
}

/// A table of words.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Listing {
    /// Its heading.
    pub title: String,
    /// Paragraphs before it.
    pub notes: Vec<String>,
    /// Names of its columns.
    pub columns: Vec<String>,
    /// A cell for each column; the name of a figure leads to it.
    pub rows: Vec<Vec<String>>,
}

/// A study.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Section {
    /// Its short name, by which links lead to it.
    pub id: String,
    /// What it is about.
    pub title: String,
    /// How it came about.
    pub facts: Vec<Fact>,
    /// Tables before its figures.
    pub listings: Vec<Listing>,
    /// Its figures.
    pub charts: Vec<Chart>,
    /// Trends that were declared.
    pub verdicts: Vec<Verdict>,
    /// What is said of them where there are none.
    pub no_verdicts: String,
    /// What is said below figures of which no paper states a number.
    pub no_stated: String,
}

/// Something to know about a report, such as its machine.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fact {
    /// What.
    pub name: String,
    /// How it is.
    pub value: String,
    /// Whether it is to be typed or compared letter by letter.
    pub is_code: bool,
}

/// Something that must hold, and whether it does.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Verdict {
    /// What must hold.
    pub claim: String,
    /// The number that decides, in words.
    pub found: String,
    /// Whether it does; nothing where it was not measured.
    pub holds: Option<bool>,
}

impl Verdict {
    /// The verdict in words.
    pub(super) const fn words(&self) -> &'static str {
        match self.holds {
            Some(true) => "holds",
            Some(false) => "does not hold",
            None => "not measured",
        }
    }
}

/// A figure.
#[derive(Debug, Clone, PartialEq)]
pub struct Chart {
    /// Its short name, by which links lead to it.
    pub id: String,
    /// What it plots.
    pub title: String,
    /// What its values are.
    pub unit: Unit,
    /// What it looks like.
    pub form: Form,
    /// Names of a row's values.
    pub columns: Vec<String>,
    /// What was measured; as many values as columns.
    pub rows: Vec<Row>,
    /// Averages over the rows, that which papers state first; none of a single row.
    pub means: Vec<Row>,
    /// What a paper states.
    pub stated: Vec<Stated>,
}

/// Values of one subject, such as a game.
#[derive(Debug, Clone, PartialEq)]
pub struct Row {
    /// Its name.
    pub name: String,
    /// A value for each column; nothing where nothing was measured.
    pub values: Vec<Option<f64>>,
}

/// What the values of a chart are.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unit {
    /// In words, at the axis.
    pub axis: String,
    /// Behind a value, with the blank before it: ` %`.
    pub sign: String,
    /// Behind a difference of two values: ` points`.
    pub difference: String,
    /// Places behind the point in a text.
    pub decimals: usize,
}

/// What a chart looks like.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Form {
    /// A bar for each column, grouped by row.
    Bars,
    /// A bar for each row, of the columns that are parts of a whole.
    Stacked {
        /// Which these are.
        parts: Vec<usize>,
        /// The column that holds their sum, if one does.
        total: Option<usize>,
    },
    /// A line for each row over the columns.
    Lines,
    /// A cell for each row and column, coloured by its value.
    Heat {
        /// What rows are, such as the key of a parameter.
        down: String,
        /// What columns are.
        across: String,
    },
}

/// What a paper states of a column, beside ours.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Stated {
    /// Which column.
    pub column: usize,
    /// The paper's.
    pub paper: f64,
    /// Ours; nothing where there is none to compare.
    pub ours: Option<f64>,
}

impl Unit {
    /// A value without its sign; `-` where nothing was measured.
    pub(super) fn number(&self, value: Option<f64>) -> String {
        let decimals = self.decimals;
        value.map_or("-".to_owned(), |value| {
            let text = format!("{value:.decimals$}");
            // No minus before what is rounded to nothing.
            match text.strip_prefix('-') {
                Some(digits) if digits.chars().all(|c| "0.".contains(c)) => digits.to_owned(),
                _ => text,
            }
        })
    }

    /// A value with its sign.
    pub(super) fn value(&self, value: Option<f64>) -> String {
        let sign = if value.is_some() { &*self.sign } else { "" };
        self.number(value) + sign
    }

    /// How far ours is from the paper's.
    pub(super) fn delta(&self, stated: &Stated) -> String {
        let decimals = self.decimals;
        stated.ours.map_or("-".to_owned(), |ours| {
            let delta = ours - stated.paper;
            format!("{delta:+.decimals$}{}", self.difference)
        })
    }
}

impl Chart {
    /// What the paper states of a column.
    pub(super) fn paper(&self, column: usize) -> Option<f64> {
        let stated = self.stated.iter().find(|stated| stated.column == column);
        stated.map(|stated| stated.paper)
    }

    /// The name of a column.
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

    /// The chart in words, for who cannot see it.
    pub(super) fn words(&self) -> String {
        let form = match &self.form {
            Form::Bars => "Grouped bars",
            Form::Stacked { .. } => "Stacked bars",
            Form::Lines => "Lines",
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

    /// The same of a heat map: how large it is and where its ends are.
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

/// With a capital at the beginning.
pub(super) fn capital(text: &str) -> String {
    let mut rest = text.chars();
    let first = rest.next();
    first
        .into_iter()
        .flat_map(char::to_uppercase)
        .chain(rest)
        .collect()
}
