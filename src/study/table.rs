//! Tables of figures as text, each with the numbers that its paper states.

use super::figures::{Figure, FigureForm, FigureRow, Unit};
use super::stated::{Compared, Stated, compare};
use azulejo_report::{Align, aligned};

impl Figure {
    /// Rows of means by their names; none of a tornado.
    pub fn means(&self) -> impl Iterator<Item = (&'static str, &[Option<f64>])> {
        let weighted = self.weighted_mean.as_deref();
        let means = [
            ("mean", Some(&*self.mean)),
            ("geometric mean", Some(&*self.geometric_mean)),
            ("weighted mean", weighted),
        ];
        let is_drawn = self.form != FigureForm::Tornado;
        let means = means.into_iter().filter(move |_| is_drawn);
        means.filter_map(|(name, bars)| Some((name, bars?)))
    }

    /// Table for people, with the paper's numbers beside ours and our values with so many decimals.
    #[must_use]
    pub fn text(&self, decimals: usize) -> String {
        let scale = self.unit.scale();
        // `-` where nothing was measured.
        let number = |value: Option<f64>| {
            value.map_or("-".to_owned(), |value| {
                format!("{:.decimals$}", scale * value)
            })
        };
        let row = |name: &str, bars: &[Option<f64>]| {
            let cells = bars.iter().copied().map(number);
            std::iter::once(name.to_owned()).chain(cells).collect()
        };
        let names = self.columns.iter().map(|name| (*name).to_owned());
        let mut rows: Vec<Vec<String>> =
            vec![std::iter::once(String::new()).chain(names).collect()];
        rows.extend((self.rows.iter()).map(|FigureRow { game, bars }| row(game, bars)));
        rows.extend(self.means().map(|(name, bars)| row(name, bars)));
        let align: Vec<Align> = std::iter::once(Align::Left)
            .chain(std::iter::repeat_n(Align::Right, self.columns.len()))
            .collect();
        let [sign, points] = [self.unit.sign(), self.unit.difference()];
        let unit = match self.unit {
            Unit::PerKiloInstruction => "a thousand warp instructions",
            other => other.axis(),
        };
        let none = match self.rows.len() {
            1 => "one demo has no mean",
            _ => "nothing was measured",
        };
        let stated = (self.stated.iter()).map(
            |&Stated {
                 column,
                 paper,
                 ours,
             }| {
                let beside = ours.map_or(none.to_owned(), |ours| {
                    let (ours, delta) = (number(Some(ours)), scale * (ours - paper));
                    format!("ours {ours}{sign}, {delta:+.decimals$}{points}")
                });
                let paper = number(Some(paper));
                format!("  {column}: the paper's mean {paper}{sign}, {beside}\n")
            },
        );
        let others = compare(&[self], |number| {
            number.figure() == Some(self.id) && !number.is_mean()
        });
        let stated: String = stated.chain(others.iter().map(other)).collect();
        let stated = match stated.is_empty() {
            true => "  the paper states no number of it\n".to_owned(),
            false => stated,
        };
        let note = (self.note).map_or(String::new(), |note| format!("  {note}\n"));
        format!(
            "{}: {}, in {unit}\n{}{stated}{note}",
            self.id,
            self.title,
            aligned(&rows, &align)
        )
    }
}

/// Line on a number that is no mean of a column, beside ours.
fn other(number: &Compared) -> String {
    let of = match number.of.is_empty() {
        true => String::new(),
        false => format!(", {}", number.of),
    };
    let ours = match number.ours {
        Some(_) => format!(
            "ours {}, {}",
            number.ours_in_words(),
            number.distance_in_words()
        ),
        None => number.verdict_in_words(),
    };
    format!(
        "  {}{of}: the paper's {}, {ours}\n",
        number.what, number.stated
    )
}
