//! Names that a mistyped one may have meant.

/// Least likeness of a suggestion, from 0 to 1: two letters in trouble in a word of six.
const LEAST: f64 = 0.75;

/// ` (did you mean NAME?)` for the known name that is most like `typed`, or nothing where none is like it.
pub(super) fn did_you_mean<'a>(typed: &str, known: impl IntoIterator<Item = &'a str>) -> String {
    let best = most_like(typed, known);
    best.map_or_else(String::new, |name| format!(" (did you mean {name}?)"))
}

/// The known name that is most like `typed`, where one is like it.
pub(super) fn most_like<'a>(
    typed: &str,
    known: impl IntoIterator<Item = &'a str>,
) -> Option<&'a str> {
    let likeness = |name: &'a str| (strsim::jaro_winkler(typed, name), name);
    let likely = known.into_iter().map(likeness);
    let likely = likely.filter(|(likeness, _)| *likeness >= LEAST);
    let best = likely.max_by(|a, b| a.0.total_cmp(&b.0));
    best.map(|(_, name)| name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn likeness_finds_the_word_that_was_meant_or_none() {
        let known = ["match3", "courtyard", "mali450-re", "depth", "re"];
        for (typed, meant) in [
            ("mach3", "match3"),
            ("match", "match3"),
            ("Mali450-re", "mali450-re"),
            ("dpeth", "depth"),
        ] {
            let text = did_you_mean(typed, known);
            assert_eq!(text, format!(" (did you mean {meant}?)"), "{typed}");
        }
        for typed in ["", "zzz", "wireframe.glb"] {
            assert_eq!(did_you_mean(typed, known), "", "{typed}");
        }
    }
}
