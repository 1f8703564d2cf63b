//! Scale from values to places: an axis that begins or ends at 0, with ticks at round numbers.

/// Number of ticks of an axis, about.
const TICKS: f64 = 5.0;

/// Linear axis with round ends.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Scale {
    /// Least value of the axis.
    pub(super) low: f64,
    /// Greatest value of the axis.
    pub(super) high: f64,
    /// Distance between two ticks.
    step: f64,
}

impl Scale {
    /// Returns an axis that holds 0 and all `values`, with round ends.
    pub(super) fn of(values: impl IntoIterator<Item = f64>) -> Self {
        let (mut low, mut high) = (0.0_f64, 0.0_f64);
        for value in values.into_iter().filter(|value| value.is_finite()) {
            low = low.min(value);
            high = high.max(value);
        }
        if low == high {
            high = 1.0;
        }
        let step = round_step((high - low) / TICKS);
        // A value on a tick needs no further one, whatever its last bit says.
        let out = |value: f64| (value / step - 1e-9).ceil() * step;
        Self {
            low: -out(-low),
            high: out(high),
            step,
        }
    }

    /// Position of a value, from 0 at the low end to 1 at the high one.
    pub(super) fn place(&self, value: f64) -> f64 {
        (value - self.low) / (self.high - self.low)
    }

    /// Values of the ticks.
    pub(super) fn ticks(&self) -> impl Iterator<Item = f64> {
        let (low, step) = (self.low, self.step);
        let n = ((self.high - low) / step).round() as u32;
        (0..=n).map(move |tick| {
            let value = low + f64::from(tick) * step;
            if value.abs() < step / 2.0 { 0.0 } else { value }
        })
    }

    /// Label of a tick in words.
    pub(super) fn label(&self, tick: f64) -> String {
        let decimals = (-self.step.log10().floor()).clamp(0.0, 9.0) as usize;
        format!("{tick:.decimals$}")
    }
}

/// 1, 2 or 5 times a power of ten, not far below `least`: a value little above a round one brings one more tick, not one as
/// far again.
fn round_step(least: f64) -> f64 {
    let least = 0.8 * least;
    let power = 10.0_f64.powf(least.log10().floor());
    let found = [1.0, 2.0, 5.0].into_iter().find(|n| n * power >= least);
    found.unwrap_or(10.0) * power
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labels(values: &[f64]) -> Vec<String> {
        let scale = Scale::of(values.iter().copied());
        scale.ticks().map(|tick| scale.label(tick)).collect()
    }

    #[test]
    fn scales_have_round_ends_and_hold_all_values() {
        assert_eq!(
            labels(&[97.0, 3.0]),
            ["0", "20", "40", "60", "80", "100"],
            "shares"
        );
        assert_eq!(
            labels(&[100.0]),
            ["0", "20", "40", "60", "80", "100"],
            "to the full"
        );
        assert_eq!(
            labels(&[-0.13, 0.04]),
            ["-0.15", "-0.10", "-0.05", "0.00", "0.05"],
            "both sides"
        );
        assert_eq!(
            labels(&[-3.0]),
            ["-3.0", "-2.5", "-2.0", "-1.5", "-1.0", "-0.5", "0.0"],
            "losses alone"
        );
        assert_eq!(
            labels(&[]),
            ["0.0", "0.2", "0.4", "0.6", "0.8", "1.0"],
            "nothing"
        );
        for value in [1e-7, 0.3, 7.7, 123.4, 9.9e8] {
            let scale = Scale::of([value]);
            assert!(
                scale.high >= value * (1.0 - 1e-6) && scale.low == 0.0,
                "{value} {scale:?}"
            );
            assert!(
                (3..=11).contains(&scale.ticks().count()),
                "{value} {scale:?}"
            );
        }
    }

    #[test]
    fn scales_place_values_between_their_ends() {
        let scale = Scale::of([-50.0, 100.0]);
        assert_eq!(
            (scale.place(scale.low), scale.place(scale.high)),
            (0.0, 1.0),
            "ends"
        );
        assert!((scale.place(25.0) - 0.5).abs() < 1e-12, "{scale:?}");
    }
}
