//! Hints at costly draws: thresholds that GPU vendors publish, each with its source, and the draws that pass them.

use serde::Serialize;

use super::draws::{DrawCost, quotient};
use azulejo_gpu::FrameReport;
use azulejo_grid::TileGrid;
use azulejo_render::raster::FragmentMode;

/// Subject of a hint.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum HintKind {
    /// Triangles of a few pixels.
    MicroTriangles,
    /// Triangles that cover no pixel centre.
    SampleCulled,
    /// Back faces that are not culled.
    BackFaces,
    /// Vertices that are shaded again and again.
    VertexReuse,
    /// Pixels that are shaded again and again.
    Overdraw,
    /// Texture units that wait for memory.
    TextureStalls,
}

/// A limit published by a GPU vendor.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Threshold {
    /// Subject of the limit.
    pub kind: HintKind,
    /// The limit, in `unit`.
    pub limit: f64,
    /// Whether values below the limit are bad, and not those above.
    pub from_below: bool,
    /// Measured quantity, and its unit.
    pub unit: &'static str,
    /// Publication of the limit.
    pub source: &'static str,
    /// Advice for a draw that passes it, in a sentence.
    pub advice: &'static str,
}

/// Every threshold.
///
/// Imagination is stricter than Arm on small triangles ("`PowerVR` Performance Recommendations", Triangle Size: 32 pixels);
/// "Arm GPU Best Practices", Triangle density, asks for 10 to 20 fragments; the limit here is what Arm's counters call bad.
///
/// No limit on texture stalls is published by Arm or Imagination. Arm's 30 % ("Android performance triage with Streamline",
/// Mali memory stall rate) is about the GPU's bus to memory, of which textures are but one user; Meta's 20 % is about the
/// same cycles as ours, on another tile-based GPU (Qualcomm's Adreno).
pub const THRESHOLDS: [Threshold; 6] = [
    Threshold {
        kind: HintKind::MicroTriangles,
        limit: 10.0,
        from_below: true,
        unit: "pixels / triangle",
        source: "Arm, Mali counter reference, MaliGeomSampleCullPrim: keep the screen area of triangles above 10 pixels",
        advice: "use a simpler mesh at this distance",
    },
    Threshold {
        kind: HintKind::SampleCulled,
        limit: 0.05,
        from_below: false,
        unit: "of the primitives that face the eye cover no pixel centre",
        source: "Arm, Mali counter reference, MaliGeomSampleCullPrim: more than 5 to 10 % indicates many very small triangles",
        advice: "use a simpler mesh at this distance",
    },
    Threshold {
        kind: HintKind::BackFaces,
        limit: 0.25,
        from_below: true,
        unit: "of the primitives in view dropped as back faces",
        source: "Arm, Mali counter reference, MaliGeomFaceCullPrim: about half is expected; if it is significantly lower, check that the facing test is on",
        advice: "make the material single-sided if its back is never seen",
    },
    Threshold {
        kind: HintKind::VertexReuse,
        limit: 1.5,
        from_below: false,
        unit: "vertices shaded / primitive",
        source: "Arm, Mali performance counters reference guide, Position threads per input primitive (MaliGeomPosShadThreadPerPrim): good reuse is below 1.5",
        advice: "share vertices by an index buffer",
    },
    Threshold {
        kind: HintKind::Overdraw,
        limit: 3.0,
        from_below: false,
        unit: "fragments shaded / pixel of the screen",
        source: "Arm, Android performance triage with Streamline, Overdraw: ideally less than 3",
        advice: "draw opaque things from front to back, and fewer or smaller translucent layers",
    },
    Threshold {
        kind: HintKind::TextureStalls,
        limit: 0.2,
        from_below: false,
        unit: "of the texture units' cycles spent waiting for memory",
        source: "Meta, GPU analysis for Quest (github.com/meta-quest, gpu-analysis.md), % Texture Fetch Stall: warns above 20 %; Arm and Imagination publish no limit",
        advice: "use mip maps, smaller or compressed textures",
    },
];

/// Advice for a sky that has much of the overdraw, drawn behind everything opaque.
const SKY_LAST: &str = "the sky is drawn behind everything opaque, so that only what is seen of it is shaded: fewer or smaller \
    translucent layers before it, or a cheaper program for it, help";

/// Advice for a sky that has much of the overdraw, drawn before opaque things.
const SKY_EARLY: &str = "draw the sky after everything opaque, at the far plane with a depth test of less or equal: pixels that will be \
    covered are then dropped before they are shaded";

/// Advice for a sky that has most of the texture misses; it is seen once a pixel, at about one texel a pixel.
const SKY_TEXELS: &str = "use a smaller or compressed picture of the sky, which is read once and far apart; mip maps do not help it";

/// A draw that passes a threshold.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Hint {
    /// Number of the draw.
    pub draw: u32,
    /// Mesh and material names of the draw.
    pub name: String,
    /// Measured value, in [`Threshold::unit`].
    pub value: f64,
    /// Share of the draw in what makes the matter costly: of the frame's triangles, vertices, fragments or texture misses.
    pub share: f64,
    /// The limit that was passed.
    #[serde(flatten)]
    pub threshold: Threshold,
}

/// Fewest primitives that are worth a word.
const MIN_PRIMITIVES: u64 = 100;
/// Smallest share of the frame that is worth a word.
const MIN_SHARE: f64 = 0.01;
/// Draws that are named where the whole frame passes a threshold.
const NAMED: usize = 3;

/// The draws that pass a threshold, by threshold, and the costliest first. `report` is of the machine that ran the frame,
/// if one did.
#[must_use]
pub fn hints(costs: &[DrawCost], grid: TileGrid, report: Option<&FrameReport>) -> Vec<Hint> {
    let mut hints = Vec::new();
    for threshold in &THRESHOLDS {
        let mut found = found(threshold, costs, grid, report);
        found.retain(|hint| hint.share >= MIN_SHARE);
        found.sort_by(|a, b| b.share.total_cmp(&a.share));
        hints.append(&mut found);
    }
    hints
}

fn found(
    threshold: &Threshold,
    costs: &[DrawCost],
    grid: TileGrid,
    report: Option<&FrameReport>,
) -> Vec<Hint> {
    match threshold.kind {
        HintKind::MicroTriangles => by_draw(threshold, costs, |cost| {
            let triangles = cost.geometry.primitives_binned;
            (cost.pixels_per_primitive().unwrap_or(0.0), triangles)
        }),
        HintKind::SampleCulled => by_draw(threshold, costs, |cost| {
            let geometry = &cost.geometry;
            let dropped = geometry.primitives_culled_frustum + geometry.primitives_culled_facing;
            let tested = geometry.primitives_in.saturating_sub(dropped);
            (ratio(geometry.primitives_culled_sample, tested), tested)
        }),
        HintKind::BackFaces => {
            let tested = |cost: &DrawCost| {
                let geometry = &cost.geometry;
                let in_view = geometry.primitives_in - geometry.primitives_culled_frustum;
                // Cards have no closed surface, of which half would face away.
                // A sky is seen from within.
                let closed = !is_indexed_quads(cost) && !cost.at_far_plane;
                let could_face_away = cost.double_sided && closed;
                let in_view = if could_face_away { in_view } else { 0 };
                (ratio(geometry.primitives_culled_facing, in_view), in_view)
            };
            by_draw(threshold, costs, tested)
        }
        HintKind::VertexReuse => by_draw(threshold, costs, |cost| {
            // Quads that do not touch have two vertices a triangle and no fewer.
            let value = match is_indexed_quads(cost) {
                true => 0.0,
                false => cost.vertices_per_primitive().unwrap_or(0.0),
            };
            (value, cost.geometry.vertices_shaded)
        }),
        HintKind::Overdraw => {
            let shaded = |cost: &DrawCost| cost.raster.fragments_shaded;
            let pixels = u64::from(grid.width) * u64::from(grid.height);
            let value = ratio(costs.iter().map(shaded).sum(), pixels);
            of_frame(threshold, costs, value, shaded)
        }
        HintKind::TextureStalls => {
            let misses = |cost: &DrawCost| {
                let modelled = cost.modelled.as_ref();
                modelled.map_or(0, |modelled| modelled.texture_misses)
            };
            let value = report.map_or(0.0, texture_stalls);
            of_frame(threshold, costs, value, misses)
        }
    }
}

/// Whether the draw is of quads that stand alone, such as sprites: each two triangles of four vertices, which the index
/// buffer shares.
fn is_indexed_quads(cost: &DrawCost) -> bool {
    let geometry = &cost.geometry;
    let triangles = geometry.primitives_in;
    triangles > 0
        && triangles.is_multiple_of(2)
        && geometry.vertices_shaded == 2 * triangles
        && geometry.vertices_in == 3 * triangles
}

impl Threshold {
    fn is_passed(&self, value: f64) -> bool {
        if self.from_below {
            value < self.limit
        } else {
            value > self.limit
        }
    }
}

/// `part / whole`, 0 of nothing, of which there is nothing to hint at.
fn ratio(part: u64, whole: u64) -> f64 {
    quotient(part, whole).unwrap_or(0.0)
}

/// Draws with a value beyond the limit; `measure` gives the value and how much of the matter the draw has.
fn by_draw(
    threshold: &Threshold,
    costs: &[DrawCost],
    measure: impl Fn(&DrawCost) -> (f64, u64),
) -> Vec<Hint> {
    let total: u64 = costs.iter().map(|cost| measure(cost).1).sum();
    let draws = costs.iter().map(|cost| (cost, measure(cost)));
    draws
        .filter(|(_, (value, amount))| *amount >= MIN_PRIMITIVES && threshold.is_passed(*value))
        .map(|(cost, (value, amount))| hint(*threshold, cost, value, ratio(amount, total)))
        .collect()
}

/// If the frame's value is beyond the limit, the draws that have most of the matter.
fn of_frame(
    threshold: &Threshold,
    costs: &[DrawCost],
    value: f64,
    amount: impl Fn(&DrawCost) -> u64,
) -> Vec<Hint> {
    if !threshold.is_passed(value) {
        return Vec::new();
    }
    let total: u64 = costs.iter().map(&amount).sum();
    let mut hints: Vec<_> = costs
        .iter()
        .map(|cost| {
            let advice = sky_advice(threshold.kind, cost, costs).unwrap_or(threshold.advice);
            let threshold = Threshold {
                advice,
                ..*threshold
            };
            hint(threshold, cost, value, ratio(amount(cost), total))
        })
        .collect();
    hints.sort_by(|a, b| b.share.total_cmp(&a.share));
    hints.truncate(NAMED);
    hints
}

/// Advice for a sky, where it differs from that for things in front of it.
fn sky_advice(kind: HintKind, cost: &DrawCost, costs: &[DrawCost]) -> Option<&'static str> {
    let hides_it = |other: &DrawCost| {
        other.draw > cost.draw && !other.at_far_plane && other.mode != FragmentMode::Blended.name()
    };
    match kind {
        _ if !cost.at_far_plane => None,
        HintKind::Overdraw if costs.iter().any(hides_it) => Some(SKY_EARLY),
        HintKind::Overdraw => Some(SKY_LAST),
        HintKind::TextureStalls => Some(SKY_TEXELS),
        _ => None,
    }
}

fn hint(threshold: Threshold, cost: &DrawCost, value: f64, share: f64) -> Hint {
    Hint {
        draw: cost.draw,
        name: cost.name.clone(),
        value,
        share,
        threshold,
    }
}

/// Cycles in which a core's texture pipeline was held up, for each cycle of the frame.
fn texture_stalls(report: &FrameReport) -> f64 {
    let stalled: u64 = report.cores.iter().map(|core| core.texture.stalled).sum();
    let cycles = report.raster_cycles.0 * report.cores.len() as u64;
    ratio(stalled, cycles)
}

impl Hint {
    /// The hint in one sentence.
    #[must_use]
    pub fn sentence(&self) -> String {
        let Threshold {
            kind,
            limit,
            from_below,
            unit,
            advice,
            ..
        } = self.threshold;
        let number = |value: f64| match kind {
            HintKind::SampleCulled | HintKind::BackFaces | HintKind::TextureStalls => {
                format!("{:.1} %", 100.0 * value)
            }
            _ => format!("{value:.2}"),
        };
        let side = if from_below { "at least" } else { "at most" };
        let (value, limit) = (number(self.value), number(limit));
        let draw = format!("draw {} ({})", self.draw, self.name);
        let share = 100.0 * self.share;
        let part = match kind {
            HintKind::Overdraw => "fragments",
            HintKind::TextureStalls => "texture misses",
            _ => return format!("{draw}: {value} {unit}, {side} {limit} is good: {advice}"),
        };
        format!(
            "{draw} has {share:.1} % of the {part} of a frame with {value} {unit}, {side} {limit} is good: {advice}"
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use azulejo_trace::{GeometryCounters, RasterCounters};

    const GRID: TileGrid = TileGrid {
        width: 100,
        height: 100,
        tile_size: 32,
    };

    /// A draw that no threshold complains of.
    fn good() -> DrawCost {
        DrawCost {
            draw: 0,
            name: "good".to_owned(),
            mode: "opaque",
            double_sided: false,
            at_far_plane: false,
            vertex_instructions: 10,
            fragment_instructions: 10,
            texture_instructions: 1,
            shader_instructions: 0,
            geometry: GeometryCounters {
                primitives_in: 1000,
                vertices_shaded: 600,
                primitives_culled_facing: 500,
                primitives_binned: 500,
                ..GeometryCounters::default()
            },
            raster: RasterCounters {
                fragments_rasterised: 10_000,
                fragments_shaded: 10_000,
                ..RasterCounters::default()
            },
            modelled: None,
        }
    }

    fn kinds(cost: DrawCost) -> Vec<HintKind> {
        let hints = hints(&[cost], GRID, None);
        hints.iter().map(|hint| hint.threshold.kind).collect()
    }

    #[test]
    fn hints_leave_a_good_draw_alone() {
        assert_eq!(kinds(good()), [], "nothing to say");
    }

    #[test]
    fn hints_find_each_fault() {
        let mut small = good();
        small.raster.fragments_rasterised = 4000;
        assert_eq!(kinds(small), [HintKind::MicroTriangles], "8 pixels each");
        let mut slivers = good();
        slivers.geometry.primitives_culled_sample = 40;
        assert_eq!(kinds(slivers), [HintKind::SampleCulled], "8 % of 500");
        let mut both_sides = good();
        both_sides.double_sided = true;
        both_sides.geometry.primitives_culled_facing = 0;
        assert_eq!(kinds(both_sides), [HintKind::BackFaces], "none dropped");
        let mut soup = good();
        soup.geometry.vertices_shaded = 3000;
        assert_eq!(kinds(soup), [HintKind::VertexReuse], "three each");
        let mut layers = good();
        layers.raster.fragments_shaded = 30_001;
        assert_eq!(kinds(layers), [HintKind::Overdraw], "just above three");
    }

    #[test]
    fn hints_leave_sprites_alone_but_not_their_like_without_indices() {
        let mut sprites = good();
        sprites.double_sided = true;
        sprites.geometry = GeometryCounters {
            vertices_in: 3000,
            vertices_shaded: 2000,
            primitives_in: 1000,
            primitives_binned: 1000,
            ..GeometryCounters::default()
        };
        assert_eq!(kinds(sprites.clone()), [], "500 quads of four vertices");
        sprites.geometry.vertices_shaded = 3000;
        let expected = [HintKind::BackFaces, HintKind::VertexReuse];
        assert_eq!(kinds(sprites), expected, "nothing is shared");
    }

    #[test]
    fn hints_of_the_frame_say_which_part_a_draw_has() {
        let mut layers = good();
        layers.raster.fragments_shaded = 30_000;
        let mut few = good();
        few.raster.fragments_shaded = 10_000;
        let sentence = hints(&[layers, few], GRID, None)[0].sentence();
        for part in ["75.0 % of the fragments", "a frame with 4.00 fragments"] {
            assert!(sentence.contains(part), "{part}: {sentence}");
        }
    }

    /// A sky that alone passes the limit of overdraw.
    fn sky(draw: u32) -> DrawCost {
        let mut sky = good();
        (sky.draw, sky.name) = (draw, "sky".to_owned());
        (sky.double_sided, sky.at_far_plane) = (true, true);
        sky.raster.fragments_shaded = 40_000;
        sky
    }

    #[test]
    fn hints_at_a_sky_say_when_it_is_to_be_drawn() {
        let advice = |costs: &[DrawCost]| hints(costs, GRID, None)[0].threshold.advice;
        let numbered = |draw, mode| DrawCost {
            draw,
            mode,
            ..good()
        };
        let last = [numbered(0, "opaque"), sky(1), numbered(2, "blended")];
        assert_eq!(advice(&last), SKY_LAST, "layers alone follow");
        for mode in ["opaque", "masked"] {
            let early = [sky(0), numbered(1, mode)];
            assert_eq!(advice(&early), SKY_EARLY, "{mode} surfaces cover it");
        }
        let mut board = sky(1);
        board.at_far_plane = false;
        let advice = advice(&[numbered(0, "opaque"), board]);
        assert!(advice.contains("front to back"), "no sky: {advice}");
    }

    #[test]
    fn hints_expect_no_back_faces_or_mip_maps_of_a_sky() {
        let mut dome = sky(0);
        dome.geometry.primitives_culled_facing = 0;
        dome.raster.fragments_shaded = 10_000;
        assert_eq!(kinds(dome.clone()), [], "seen from within");
        let advice = sky_advice(HintKind::TextureStalls, &dome, &[]);
        assert_eq!(advice, Some(SKY_TEXELS), "one level of its picture is read");
        dome.at_far_plane = false;
        assert_eq!(
            sky_advice(HintKind::TextureStalls, &dome, &[]),
            None,
            "a wall"
        );
    }

    #[test]
    fn hints_name_draw_value_and_limit() {
        let mut small = good();
        small.raster.fragments_rasterised = 4000;
        let sentence = hints(&[small], GRID, None)[0].sentence();
        for part in ["draw 0 (good)", "8.00 pixels", "at least 10.00"] {
            assert!(sentence.contains(part), "{part}: {sentence}");
        }
    }
}
