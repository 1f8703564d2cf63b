//! Numbers as people read them.

/// Number with a comma between thousands: `1,234,567`.
#[must_use]
pub fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::with_capacity(digits.len() * 4 / 3);
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// Number with its unit, in the plural where needed: `1 tile`, `1,234 tiles`.
#[must_use]
pub fn counted(number: u64, unit: &str) -> String {
    let plural = if number == 1 { "" } else { "s" };
    format!("{} {unit}{plural}", grouped(number))
}

/// `part` of `whole` in per cent, `-` where there is no whole.
#[must_use]
pub fn percent(part: u64, whole: u64) -> String {
    if whole == 0 {
        return "-".to_owned();
    }
    format!("{:.1} %", 100.0 * part as f64 / whole as f64)
}

/// Number with two decimals, `-` where nothing was measured.
#[must_use]
pub fn decimal(value: Option<f64>) -> String {
    value.map_or("-".to_owned(), |value| format!("{value:.2}"))
}

/// Bytes in the largest binary unit that leaves at least 1: `1.50 MiB`.
#[must_use]
pub fn bytes(number: u64) -> String {
    let units = [(30, "GiB"), (20, "MiB"), (10, "KiB")];
    units
        .iter()
        .find(|(shift, _)| number >> shift > 0)
        .map_or_else(
            || format!("{number} B"),
            |(shift, unit)| format!("{:.2} {unit}", number as f64 / f64::from(1 << shift)),
        )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counted_says_one_and_many() {
        let texts = [0, 1, 1200].map(|number| counted(number, "tile"));
        assert_eq!(texts, ["0 tiles", "1 tile", "1,200 tiles"]);
    }

    #[test]
    fn grouped_puts_commas_between_thousands() {
        let texts = [0, 999, 1000, 1_234_567, u64::MAX].map(grouped);
        assert_eq!(
            texts,
            [
                "0",
                "999",
                "1,000",
                "1,234,567",
                "18,446,744,073,709,551,615"
            ],
            "groups of three from the right"
        );
    }

    #[test]
    fn percent_of_nothing_is_a_dash() {
        assert_eq!(percent(1, 8), "12.5 %", "one decimal");
        assert_eq!(percent(0, 0), "-", "no division by zero");
    }

    #[test]
    fn decimal_of_nothing_is_a_dash() {
        assert_eq!(decimal(Some(0.125)), "0.12", "two decimals");
        assert_eq!(decimal(None), "-", "no zero in its place");
    }

    #[test]
    fn bytes_choose_the_unit() {
        assert_eq!(bytes(1023), "1023 B", "below one KiB");
        assert_eq!(bytes(1_572_864), "1.50 MiB", "binary units");
    }
}
