//! The texts of shaders: everything that a pipeline is specialised by in, WGSL for the driver out.

use super::frame_kind::FrameKind;
use super::geometry::VertexStreams;
use super::specialize::{Values, specialize};
use super::surface::Surface;
use crate::scene::Topology;

const SCENE: &str = include_str!("../../shaders/reference.wgsl");
const SKY: &str = include_str!("../../shaders/reference_sky.wgsl");
const RESOLVE: &str = include_str!("../../shaders/reference_resolve.wgsl");
const RADIANCE: &str = include_str!("../../shaders/reference_radiance.wgsl");
const HALVE: &str = include_str!("../../shaders/reference_halve.wgsl");
const FRAME: &str = concat!(
    include_str!("../../shaders/reference_frame.wgsl"),
    include_str!("../../shaders/reference_tone_map.wgsl")
);
/// What materials with layers add to the scene shader.
const LAYERS: &str = concat!(
    include_str!("../../shaders/reference_layers.wgsl"),
    include_str!("../../shaders/reference_grain.wgsl"),
    include_str!("../../shaders/reference_film.wgsl"),
    include_str!("../../shaders/reference_through.wgsl"),
    include_str!("../../shaders/reference_sheen.wgsl"),
    include_str!("../../shaders/reference_coat.wgsl")
);

/// What a pipeline of the scene shader is built for.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) struct Program {
    pub(super) frame: FrameKind,
    pub(super) surface: Surface,
    pub(super) streams: VertexStreams,
    pub(super) topology: Topology,
    /// The placement mirrors, which turns the winding around.
    pub(super) mirrored: bool,
}

/// The text of the scene shader.
pub(super) fn scene_text(program: &Program) -> String {
    let Program {
        frame,
        surface,
        streams,
        ..
    } = program;
    let mut values = Values::default();
    frame.describe(&mut values);
    surface.describe(&mut values);
    values.count("vertex_tex_coords", streams.tex_coords);
    values.count("skin_sets", streams.skin_sets);
    values.flag("morph", streams.morph);
    values.count("morph_stride", streams.morph_stride());
    let layers = if surface.is_layered() { LAYERS } else { "" };
    specialize(&[FRAME, RADIANCE, SCENE, layers].concat(), &values)
}

pub(super) fn sky_text(frame: FrameKind) -> String {
    let mut values = Values::default();
    frame.describe(&mut values);
    specialize(&[FRAME, RADIANCE, SKY].concat(), &values)
}

pub(super) fn resolve_text(frame: FrameKind) -> String {
    let mut values = Values::default();
    frame.describe(&mut values);
    specialize(&[FRAME, RESOLVE].concat(), &values)
}

pub(super) fn halve_text(frame: FrameKind) -> String {
    let mut values = Values::default();
    frame.describe(&mut values);
    specialize(&[RADIANCE, HALVE].concat(), &values)
}
