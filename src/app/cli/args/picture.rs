//! Options of a picture's size and look.

use std::path::PathBuf;

use clap::builder::{PathBufValueParser, PossibleValuesParser, TypedValueParser};

use super::parse::{color, not_negative, size};
use azulejo_grid::SampleCount;
use azulejo_render::ToneMap;

/// Tone maps by name, each with its help text.
pub(in crate::cli) const TONE_MAPS: [(&str, ToneMap, &str); 4] = [
    (
        "neutral",
        ToneMap::Neutral,
        "Khronos PBR Neutral: keeps base colours, compresses highlights",
    ),
    (
        "aces",
        ToneMap::Aces,
        "filmic: ACES RRT + ODT as fitted by Stephen Hill",
    ),
    (
        "aces-boosted",
        ToneMap::AcesBoosted,
        "aces after a factor of 1/0.6 on exposure, as three.js and the Khronos viewer have it",
    ),
    ("none", ToneMap::None, "clamped to 0..1"),
];

/// Options of a picture's size and look.
#[derive(Debug, Clone, clap::Args)]
#[command(next_help_heading = "Picture")]
pub(in crate::cli) struct PictureArgs {
    /// Width and height in pixels
    #[arg(long, value_name = "WxH", default_value = "1920x1080", value_parser = size)]
    pub(in crate::cli) size: (u32, u32),
    #[command(flatten)]
    pub(in crate::cli) look: LookArgs,
}

/// Options of light and colours.
#[derive(Debug, Clone, clap::Args)]
#[command(next_help_heading = "Picture")]
pub(in crate::cli) struct LookArgs {
    /// Light from all around [default: the scene's own, else builtin]
    ///
    /// An equirectangular .hdr file, the built-in sky, or none. Demos bring their own.
    #[arg(long, value_name = "FILE.hdr|builtin|none", value_parser = environments())]
    pub(in crate::cli) env: Option<EnvironmentArg>,
    /// Factor on all light
    #[arg(long, value_name = "FACTOR", default_value = "1", value_parser = not_negative)]
    pub(in crate::cli) exposure: f32,
    /// Samples a pixel: 4 anti-alias edges, 1 does not
    ///
    /// Four are kept as a tiler keeps them, in its tile buffers.
    #[arg(long, value_name = "SAMPLES", default_value = "1", value_parser = samples)]
    pub(in crate::cli) msaa: SampleCount,
    /// Tone map from light to displayable colour [default: neutral; for demos, none]
    #[arg(long, value_parser = tone_map_parser())]
    pub(in crate::cli) tonemap: Option<ToneMap>,
    /// Background [default: env; transparent with --env none; for demos, their own]
    #[arg(long, value_name = "transparent|env|RRGGBB", value_parser = background)]
    pub(in crate::cli) background: Option<BackgroundArg>,
}

/// Value of `--env` as typed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::cli) enum EnvironmentArg {
    Builtin,
    None,
    File(PathBuf),
}

/// Value of `--background` as typed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::cli) enum BackgroundArg {
    Transparent,
    Environment,
    /// One colour: red, green and blue in sRGB.
    Color([u8; 3]),
}

fn environments() -> impl TypedValueParser<Value = EnvironmentArg> {
    PathBufValueParser::new().map(|file| match file.to_str() {
        Some("builtin") => EnvironmentArg::Builtin,
        Some("none") => EnvironmentArg::None,
        _ => EnvironmentArg::File(file),
    })
}

fn background(text: &str) -> Result<BackgroundArg, String> {
    match text {
        "transparent" => Ok(BackgroundArg::Transparent),
        "env" => Ok(BackgroundArg::Environment),
        text => color(text)
            .map(BackgroundArg::Color)
            .ok_or_else(|| "expected transparent, env or a colour as RRGGBB".to_owned()),
    }
}

fn samples(text: &str) -> Result<SampleCount, String> {
    let number: Option<u32> = text.trim().parse().ok();
    number
        .and_then(|number| SampleCount::try_from(number).ok())
        .ok_or_else(|| "expected 1 (off) or 4 samples a pixel".to_owned())
}

fn tone_map_parser() -> impl TypedValueParser<Value = ToneMap> {
    let of_name = |name: String| {
        let found = TONE_MAPS.iter().find(|(known, ..)| *known == name);
        found.map(|(_, tone_map, _)| *tone_map).unwrap_or_default()
    };
    PossibleValuesParser::new(TONE_MAPS.map(|(name, ..)| name)).map(of_name)
}
