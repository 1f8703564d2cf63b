//! Statements of maps: options, then a file whose name may have spaces.

/// Statements of the maps that are used: of colour, emission and normals.
pub(super) const MAPS: [&str; 3] = ["map_Kd", "map_Ke", "norm"];

/// A map of a material.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Map<'a> {
    pub(super) file: &'a str,
    /// `-s` and `-o`: coordinates are multiplied, then moved; v goes upwards.
    pub(super) scale: [f32; 2],
    pub(super) offset: [f32; 2],
    /// `-clamp on`: the texture is not repeated.
    pub(super) clamps: bool,
}

/// Takes a statement apart, from behind its first word.
pub(super) fn map(statement: &str) -> Map<'_> {
    let mut map = Map {
        file: "",
        scale: [1.0; 2],
        offset: [0.0; 2],
        clamps: false,
    };
    let mut rest = statement.trim();
    while let Some((option, after)) = word(rest).filter(|(word, _)| word.starts_with('-')) {
        rest = match option {
            "-s" => numbers(after, &mut map.scale),
            "-o" => numbers(after, &mut map.offset),
            "-t" => numbers(after, &mut [0.0; 2]),
            "-mm" => behind(behind(after)),
            "-clamp" => {
                map.clamps = matches!(word(after), Some(("on", _)));
                behind(after)
            }
            "-blendu" | "-blendv" | "-bm" | "-boost" | "-cc" | "-imfchan" | "-texres" | "-type" => {
                behind(after)
            }
            // An option of no standard: the file stands at the end.
            _ => break,
        };
    }
    map.file = match rest.strip_prefix('-') {
        Some(_) => rest.split_whitespace().next_back().unwrap_or_default(),
        None => rest,
    };
    map
}

/// The first word, and what stands behind it.
fn word(text: &str) -> Option<(&str, &str)> {
    let text = text.trim_start();
    (!text.is_empty())
        .then(|| text.split_at(text.find(char::is_whitespace).unwrap_or(text.len())))
        .map(|(word, rest)| (word, rest.trim_start()))
}

/// Rest of the text behind the first word.
fn behind(text: &str) -> &str {
    word(text).map_or("", |(_, rest)| rest)
}

/// Takes up to three numbers, of which the third is for textures with depth; what stands behind them.
fn numbers<'a>(text: &'a str, into: &mut [f32; 2]) -> &'a str {
    let mut rest = text;
    for at in 0..3 {
        // A name may begin with digits, but is none.
        let number = word(rest).and_then(|(word, after)| Some((word.parse::<f32>().ok()?, after)));
        let Some((number, after)) = number else { break };
        if let Some(place) = into.get_mut(at).filter(|_| number.is_finite()) {
            *place = number;
        }
        rest = after;
    }
    rest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn maps_have_options_before_a_name_with_spaces() {
        for (statement, file) in [
            ("a b.png", "a b.png"),
            (" -blendu off -mm 0 1 a b.png ", "a b.png"),
            ("-s 1 1 1 -o 0 4 texture 1.png", "texture 1.png"),
            ("-t 1 2color.png", "2color.png"),
            ("-own thing a.png", "a.png"),
            ("-x.png", "-x.png"),
            ("-s 1", ""),
            ("-s", ""),
            ("-mm", ""),
            ("", ""),
        ] {
            assert_eq!(map(statement).file, file, "{statement}");
        }
    }

    #[test]
    fn maps_keep_what_is_finite() {
        let map = map("-s 2 inf -o nan 3 -clamp on a");
        assert_eq!(
            (map.scale, map.offset, map.clamps),
            ([2.0, 1.0], [0.0, 3.0], true)
        );
    }
}
