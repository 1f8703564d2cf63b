//! Value parsers: values as users type them. Messages say what was expected; clap puts the option before them.

use std::path::{Path, PathBuf};

use azulejo_scene::BlockFormat;
use clap::builder::{PathBufValueParser, TypedValueParser};

/// Largest picture edge in pixels.
const MAX_EDGE: u32 = 16_384;

/// Most pixels of a picture, which takes several times as many bytes.
pub(in crate::cli) const MAX_PIXELS: u64 = 1 << 26;

/// Parses `WIDTHxHEIGHT`, each from 1 to [`MAX_EDGE`].
pub(in crate::cli) fn size(text: &str) -> Result<(u32, u32), String> {
    let edge = |text: &str| {
        let edge = text.parse().ok();
        edge.filter(|edge| (1..=MAX_EDGE).contains(edge))
    };
    let (width, height) = text
        .split_once(['x', 'X'])
        .and_then(|(width, height)| Some((edge(width)?, edge(height)?)))
        .ok_or_else(|| {
            format!("expected WIDTHxHEIGHT in pixels, each from 1 to {MAX_EDGE}, such as 1920x1080")
        })?;
    let pixels = u64::from(width) * u64::from(height);
    if pixels > MAX_PIXELS {
        return Err(format!(
            "{pixels} pixels are more than the {MAX_PIXELS} of 8192x8192; draw parts of the picture"
        ));
    }
    Ok((width, height))
}

/// Parses the name of a texture format with colours: as it is displayed, in small letters, `-` for spaces.
pub(in crate::cli) fn texture_format(text: &str) -> Result<BlockFormat, String> {
    use BlockFormat::{Bc4, Bc5, EacR, EacRg};
    let name = |format: &BlockFormat| format.to_string().to_lowercase().replace(' ', "-");
    let known = || BlockFormat::all().filter(|format| !matches!(format, Bc4 | Bc5 | EacR | EacRg));
    known().find(|format| name(format) == text).ok_or_else(|| {
        let names: Vec<String> = known().map(|format| name(&format)).collect();
        format!("expected one of {}", names.join(", "))
    })
}

/// Parses `X,Y`, two whole numbers from 0.
pub(in crate::cli) fn pair(text: &str) -> Result<(u32, u32), String> {
    text.split_once(',')
        .and_then(|(x, y)| Some((x.trim().parse().ok()?, y.trim().parse().ok()?)))
        .ok_or_else(|| "expected X,Y: two whole numbers from 0, such as 12,7".to_owned())
}

/// Parses a finite number.
pub(super) fn number(text: &str) -> Result<f32, String> {
    let value = text.trim().parse().ok();
    value
        .filter(|value: &f32| value.is_finite())
        .ok_or_else(|| "expected a number".to_owned())
}

/// Parses a finite number from 0.
pub(super) fn not_negative(text: &str) -> Result<f32, String> {
    let value = number(text).ok().filter(|value| *value >= 0.0);
    value.ok_or_else(|| "expected a number from 0 up".to_owned())
}

/// Parses the degrees of a field of view, from 1 to 170.
pub(super) fn field_of_view(text: &str) -> Result<f32, String> {
    let value = number(text).ok().filter(|fov| (1.0..=170.0).contains(fov));
    value.ok_or_else(|| "expected degrees from 1 to 170".to_owned())
}

/// Parses three finite numbers, separated by commas.
pub(super) fn triple(text: &str) -> Result<[f32; 3], String> {
    let numbers: Option<Vec<f32>> = text.split(',').map(|part| number(part).ok()).collect();
    numbers
        .and_then(|numbers| numbers.try_into().ok())
        .ok_or_else(|| "expected three numbers with commas between, such as 0,1.5,-2".to_owned())
}

/// Parses `THETA,PHI,RADIUS`, with a radius from 0.
pub(super) fn orbit(text: &str) -> Result<[f32; 3], String> {
    let orbit = triple(text).ok().filter(|[_, _, radius]| *radius >= 0.0);
    orbit.ok_or_else(|| {
        "expected THETA,PHI,RADIUS: two angles in degrees and a distance from 0 up, such as 30,75,4".to_owned()
    })
}

/// Parses `RRGGBB`, with or without `#`.
pub(super) fn color(text: &str) -> Option<[u8; 3]> {
    let digits = text.strip_prefix('#').unwrap_or(text);
    if digits.len() != 6 || !digits.bytes().all(|digit| digit.is_ascii_hexdigit()) {
        return None;
    }
    let value = u32::from_str_radix(digits, 16).ok()?;
    let [_, r, g, b] = value.to_be_bytes();
    Some([r, g, b])
}

/// Parses a whole number from 1 to a million.
pub(in crate::cli) fn count(text: &str) -> Result<u64, String> {
    let value = text
        .parse()
        .ok()
        .filter(|value| (1..=1_000_000).contains(value));
    value.ok_or_else(|| "expected a whole number from 1 to 1000000".to_owned())
}

/// Parser of paths that end in `.png`, for names that need be no text.
pub(in crate::cli) fn png_paths() -> impl TypedValueParser<Value = PathBuf> {
    PathBufValueParser::new().try_map(png_path)
}

/// Accepts a path that ends in `.png`, or that of a pipe or device.
pub(in crate::cli) fn png_path(path: PathBuf) -> Result<PathBuf, String> {
    // Only a regular file has an ending that says what is in it.
    let is_stream = path == Path::new("-")
        || path.starts_with("/dev")
        || path
            .metadata()
            .is_ok_and(|file| !file.is_file() && !file.is_dir());
    let is_png = (path.extension()).is_some_and(|ending| ending.eq_ignore_ascii_case("png"));
    if is_png || is_stream {
        return Ok(path);
    }
    let expected =
        "expected a file name that ends in .png, the only format that pictures are written in";
    Err(expected.to_owned())
}

/// Frames that stand for the others.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::cli) enum SampleArg {
    /// One frame of each group that does alike.
    Auto,
    /// Every frame, each for itself.
    All,
    /// Frames whose numbers are this far apart.
    Every(u64),
}

/// Parses `auto`, `all` or `every:N`.
pub(in crate::cli) fn sample(text: &str) -> Result<SampleArg, String> {
    let every = |text: &str| text.strip_prefix("every:")?.parse().ok();
    match text {
        "auto" => Ok(SampleArg::Auto),
        "all" => Ok(SampleArg::All),
        _ => (every(text).filter(|step| *step > 0).map(SampleArg::Every))
            .ok_or_else(|| "expected auto, all, or every:N with N from 1, such as every:10".into()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn size_takes_pixels_within_limits() {
        assert_eq!(size("1920x1080"), Ok((1920, 1080)), "full HD");
        assert_eq!(size("1X16384"), Ok((1, 16_384)), "the limits themselves");
        assert!(
            size("16384x16384").unwrap_err().contains("8192x8192"),
            "no memory for it"
        );
        for wrong in ["0x5", "16385x1", "5", "x", "5x", "-1x5", "5x5x5", ""] {
            assert!(size(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn pair_takes_two_whole_numbers() {
        assert_eq!(pair("12, 7"), Ok((12, 7)), "a blank may follow the comma");
        for wrong in ["12", "1,2,3", "-1,2", "1.5,2", ",", ""] {
            assert!(pair(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn triple_takes_three_finite_numbers() {
        assert_eq!(
            triple("0, -1.5,2e1"),
            Ok([0.0, -1.5, 20.0]),
            "blanks and exponents"
        );
        for wrong in ["1,2", "1,2,3,4", "1,2,x", "1,2,inf", "1,2,NaN", ""] {
            assert!(triple(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn sample_takes_a_way_to_choose_frames() {
        assert_eq!(sample("auto"), Ok(SampleArg::Auto), "by what they do");
        assert_eq!(sample("all"), Ok(SampleArg::All), "each");
        assert_eq!(sample("every:10"), Ok(SampleArg::Every(10)), "each tenth");
        for wrong in ["every", "every:", "every:0", "every:-1", "10", "All", ""] {
            let message = sample(wrong).unwrap_err();
            assert!(message.contains("every:N"), "{wrong}: {message}");
        }
    }

    #[test]
    fn orbit_has_no_negative_radius() {
        assert_eq!(
            orbit("-30,90,0"),
            Ok([-30.0, 90.0, 0.0]),
            "radius 0 looks out"
        );
        assert!(orbit("0,90,-1").is_err(), "a distance");
    }

    #[test]
    fn color_takes_six_hexadecimal_digits() {
        assert_eq!(color("#ff8000"), Some([255, 128, 0]), "with hash");
        assert_eq!(color("0A0b0C"), Some([10, 11, 12]), "any case");
        for wrong in ["fff", "gggggg", "+12345", "ff80001", "ü0000"] {
            assert_eq!(color(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn png_path_is_known_by_its_ending() {
        for right in ["a/b.PNG", "-", "/dev/stdout"] {
            assert!(png_path(right.into()).is_ok(), "{right}");
        }
        for wrong in ["out.jpg", "out", ".png", ""] {
            assert!(png_path(wrong.into()).is_err(), "{wrong}");
        }
    }
}
