//! Finite numbers at the beginning of a statement, and the word behind them.

use super::faults::Problem;
use super::lines::short;

/// Numbers of a statement, up to `N`; zeros follow where there are fewer.
#[derive(Debug)]
pub(super) struct Numbers<'a, const N: usize> {
    pub(super) values: [f32; N],
    /// How many there are.
    pub(super) n: usize,
    /// The word that ended them, if any did: no finite number, or one too many.
    pub(super) stopped: Option<&'a str>,
}

impl<'a, const N: usize> Numbers<'a, N> {
    pub(super) fn of(mut words: impl Iterator<Item = &'a str>) -> Self {
        let (mut values, mut n) = ([0.0; N], 0);
        let stopped = words.find(|word| {
            let number = word.parse().ok().filter(|number: &f32| number.is_finite());
            match (number, values.get_mut(n)) {
                (Some(number), Some(value)) => {
                    (*value, n) = (number, n + 1);
                    false
                }
                _ => true,
            }
        });
        Self { values, n, stopped }
    }

    /// All `N` numbers, whatever follows.
    pub(super) fn all(self, expected: &str) -> Result<[f32; N], Problem> {
        match self.n == N {
            true => Ok(self.values),
            false => Err(self.problem(expected)),
        }
    }

    /// Why these are not the numbers that were expected.
    pub(super) fn problem(&self, expected: &str) -> Problem {
        let Some(word) = self.stopped else {
            return format!("numbers found: {}; {expected}", self.n).into();
        };
        let fact = match word.parse::<f32>() {
            Ok(number) if number.is_finite() => "is one number too many",
            Ok(_) => "is not finite",
            Err(_) => "is no number",
        };
        format!("'{}' {fact}; {expected}", short(word)).into()
    }
}
