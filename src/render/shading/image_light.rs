//! Light from all around: the [`Environment`] sampled on lanes. The scalar twin is [`Environment::sample`].

use super::brdf::Surface;
use super::grain::Look;
use super::lobe::{Pointing, bent};
use super::radiance_sum::RadianceSum;
use super::roughness::Roughness;
use super::vector::{Vector, scale_add};
use azulejo_scene::{Environment, IRRADIANCE_EDGE};
use azulejo_simd::{LANES, Lanes, each};

/// An environment with its levels as tables for [`Lanes::lookup`].
#[derive(Debug, Clone)]
pub(super) struct ImageLight<'a> {
    /// Words of the maps, [`Environment::footprints`].
    footprints: &'a [u32],
    /// First texel of the map of irradiance.
    irradiance_offset: i32,
    last_level: f32,
    /// Texels across, by level.
    edges: [i32; LANES],
    /// Half the edge without border, as bits of a float, by level.
    half_inner_edges: [i32; LANES],
    /// First texel, by level.
    offsets: [i32; LANES],
}

impl<'a> From<&'a Environment> for ImageLight<'a> {
    fn from(environment: &'a Environment) -> Self {
        let n_levels = environment.levels().len().clamp(1, LANES);
        let edge = |level: usize| environment.size >> level.min(n_levels - 1);
        let n_texels = |n_levels: usize| -> u32 { (0..n_levels).map(|k| edge(k) * edge(k)).sum() };
        let offset = |level: usize| n_texels(level.min(n_levels - 1));
        let half_inner = |level: usize| edge(level).saturating_sub(2) as f32 * 0.5;
        Self {
            footprints: environment.footprints(),
            irradiance_offset: n_texels(n_levels).cast_signed(),
            last_level: n_levels as f32 - 1.0,
            edges: std::array::from_fn(|level| edge(level).cast_signed()),
            half_inner_edges: std::array::from_fn(|level| {
                half_inner(level).to_bits().cast_signed()
            }),
            offsets: std::array::from_fn(|level| offset(level).cast_signed()),
        }
    }
}

impl ImageLight<'_> {
    /// Reflection of the environment by `surface`, occlusion left out: the lobe's first bounce from its direction, later
    /// bounces from all around, and the rest from the diffuse ground below.
    #[inline(always)]
    pub(super) fn reflected<L: Lanes>(&self, l: L, surface: &Surface<L>) -> Vector<L> {
        let radiance = self.mirrored(l, &surface.roughness, &surface.pointing);
        let irradiance = self.irradiance(l, surface.pointing.normal);
        reflected_of(l, surface, [radiance, irradiance], None)
    }

    /// Radiance that a lobe gathers: the environment in its direction, as blurred as the lobe is wide.
    #[inline(always)]
    pub(super) fn mirrored<L: Lanes>(
        &self,
        l: L,
        roughness: &Roughness<L>,
        pointing: &Pointing<L>,
    ) -> Vector<L> {
        let level = self.level(l, roughness.perceptual);
        self.sample(l, level, dominant_direction(l, roughness, pointing))
    }

    /// Radiance gathered by a lobe whose roughness depends on the direction: the weighted mean of a few look-ups.
    #[inline(always)]
    pub(super) fn gathered<L: Lanes>(&self, l: L, looks: &[Look<L>]) -> Vector<L> {
        let (mut sum, mut weights) = ([l.f(0.0); 3], l.f(0.0));
        for look in looks {
            let level = self.level(l, look.roughness);
            let radiance = self.sample(l, level, look.towards);
            sum = scale_add(l, radiance, look.weight, sum);
            weights = weights + look.weight;
        }
        let inverse = l.f(1.0) / weights;
        each!(3, k => sum[k] * inverse)
    }

    /// The position among the levels that is blurred as a lobe of this perceptual roughness blurs.
    #[inline(always)]
    pub(super) fn level<L: Lanes>(&self, l: L, roughness: L::F) -> L::F {
        roughness * l.f(self.last_level)
    }

    /// Radiance from `direction` (any length) at a position among the levels.
    #[inline(always)]
    pub(super) fn sample<L: Lanes>(&self, l: L, level: L::F, direction: Vector<L>) -> Vector<L> {
        let [x, y, z] = direction;
        let mut colors = [[l.f(0.0); 4]];
        l.textures(
            &[0],
            &[x, y, z, level],
            &mut colors,
            #[inline(always)]
            |colors| {
                l.samples(0);
                let [r, g, b] = self.trilinear(l, level, direction);
                colors[0] = [r, g, b, l.f(0.0)];
            },
        );
        [colors[0][0], colors[0][1], colors[0][2]]
    }

    #[inline(always)]
    fn trilinear<L: Lanes>(&self, l: L, level: L::F, direction: Vector<L>) -> Vector<L> {
        l.part(
            #[inline(always)]
            || {
                let square = square_from_direction(l, direction);
                let level = l.min(l.max(level, l.f(0.0)), l.f(self.last_level));
                let whole = l.floor(level);
                let fraction = level - whole;
                let blends = l.any(l.lt(l.f(0.0), fraction));
                let mut weight = l.f(1.0) - fraction;
                let mut level = l.to_int(whole);
                let mut sum = RadianceSum::zero(l);
                for _ in 0..1 + usize::from(blends) {
                    self.add_level(l, level, square, weight, &mut sum);
                    level = l.min_i(level + l.i(1), l.i(self.last_level as i32));
                    weight = fraction;
                }
                sum.radiance(l)
            },
        )
    }

    /// Adds the bilinear colour of one level at a point of the octahedral square, times `weight`.
    #[inline(always)]
    fn add_level<L: Lanes>(
        &self,
        l: L,
        level: L::I,
        square: [L::F; 2],
        weight: L::F,
        sum: &mut RadianceSum<L>,
    ) {
        let half = l.of_bits(l.lookup(&self.half_inner_edges, level));
        let map = Map {
            half,
            middle: half + l.f(0.5),
            edge: l.lookup(&self.edges, level),
            offset: l.lookup(&self.offsets, level),
        };
        self.add_map(l, &map, square, weight, sum);
    }

    /// Adds the sample of any map among the footprints.
    #[inline(always)]
    fn add_map<L: Lanes>(
        &self,
        l: L,
        map: &Map<L>,
        square: [L::F; 2],
        weight: L::F,
        sum: &mut RadianceSum<L>,
    ) {
        let x = l.mul_add(square[0], map.half, map.middle);
        let y = l.mul_add(square[1], map.half, map.middle);
        let (column, row) = (l.to_int(x), l.to_int(y));
        let (right, below) = (x - l.to_float(column), y - l.to_float(row));
        let texel = row * map.edge + column + map.offset;
        let texels = l.gather_4(self.footprints, l.shl::<1>(texel));

        let below = below * weight;
        let both = right * below;
        let right = l.mul_add(right, weight, -both);
        // In the order of `footprints`: a column, then the next one.
        let weights = [weight - right - below, below - both, right, both];
        sum.add(l, texels, &weights);
    }

    /// Irradiance / pi on a surface with this normal, of any length.
    #[inline(always)]
    pub(super) fn irradiance<L: Lanes>(&self, l: L, normal: Vector<L>) -> Vector<L> {
        let mut colors = [[l.f(0.0); 4]];
        l.textures(
            &[0],
            &normal,
            &mut colors,
            #[inline(always)]
            |colors| {
                l.samples(0);
                let [r, g, b] = l.part(
                    #[inline(always)]
                    || {
                        let half = l.f((IRRADIANCE_EDGE - 1) as f32 * 0.5);
                        let map = Map {
                            half,
                            middle: half,
                            edge: l.i(IRRADIANCE_EDGE as i32),
                            offset: l.i(self.irradiance_offset),
                        };
                        let mut sum = RadianceSum::zero(l);
                        let square = square_from_direction(l, normal);
                        self.add_map(l, &map, square, l.f(1.0), &mut sum);
                        sum.radiance(l)
                    },
                );
                colors[0] = [r, g, b, l.f(0.0)];
            },
        );
        [colors[0][0], colors[0][1], colors[0][2]]
    }
}

/// [`ImageLight::reflected`] where the lobe gathers `radiance` and the ground `irradiance`, which is over pi. Later bounces
/// gather from all around, but for a share `kept` of them, which come from where the first does.
#[inline(always)]
pub(super) fn reflected_of<L: Lanes>(
    l: L,
    surface: &Surface<L>,
    [radiance, irradiance]: [Vector<L>; 2],
    kept: Option<L::F>,
) -> Vector<L> {
    l.part(
        #[inline(always)]
        || {
            let albedo = &surface.albedo;
            let ground = surface.transmitted(l);
            each!(3, k => {
                let single = albedo.single_scattering(l, surface.f0[k]);
                let multiple = albedo.multiple_scattering(l, surface.f0[k], single);
                let (mirrored, multiple) = match kept {
                    None => (single, multiple),
                    Some(kept) => {
                        let kept = multiple * kept;
                        (single + kept, multiple - kept)
                    }
                };
                let around = l.mul_add(surface.diffuse_color[k], ground, multiple);
                l.mul_add(around, irradiance[k], radiance[k] * mirrored)
            })
        },
    )
}

/// An octahedral map among the footprints.
struct Map<L: Lanes> {
    /// Half of what the octahedral square spans, in texels.
    half: L::F,
    /// Position of its middle, whole numbers being texels.
    middle: L::F,
    edge: L::I,
    /// Position of its first texel.
    offset: L::I,
}

/// The octahedral map, +Y in the centre: both coordinates -1..=1, whatever the direction.
#[inline(always)]
fn square_from_direction<L: Lanes>(l: L, [x, y, z]: Vector<L>) -> [L::F; 2] {
    let sum = l.max(l.abs(x) + l.abs(y) + l.abs(z), l.f(f32::MIN_POSITIVE));
    let inverse = l.f(1.0) / sum;
    let [u, v] = [x * inverse, z * inverse];
    let upper = l.le(l.f(0.0), y);
    [
        inside(l, l.select(upper, u, fold(l, u, v))),
        inside(l, l.select(upper, v, fold(l, v, u))),
    ]
}

/// A coordinate of the lower half, folded outwards. A zero counts as positive, as it does in the upper half.
#[inline(always)]
fn fold<L: Lanes>(l: L, along: L::F, across: L::F) -> L::F {
    let sign = l.select(l.lt(along, l.f(0.0)), l.f(-1.0), l.f(1.0));
    (l.f(1.0) - l.abs(across)) * sign
}

/// Into -1..=1; NaN becomes -1.
#[inline(always)]
fn inside<L: Lanes>(l: L, p: L::F) -> L::F {
    l.min(l.max(p, l.f(-1.0)), l.f(1.0))
}

/// Dominant direction of the lobe, any length: from the mirror direction towards the normal.
#[inline(always)]
fn dominant_direction<L: Lanes>(
    l: L,
    roughness: &Roughness<L>,
    pointing: &Pointing<L>,
) -> Vector<L> {
    let [cosine, n_dot_v] = pointing.n_dot_v;
    let bent = bent(l, roughness.alpha, roughness.perceptual, n_dot_v);
    let straight = l.f(1.0) - bent;
    // R = 2 (N.V) N - V; R (1 - w) + N w.
    let along_normal = l.mul_add(cosine + cosine, straight, bent);
    each!(3, k => l.mul_add(pointing.normal[k], along_normal, -(pointing.view[k] * straight)))
}
