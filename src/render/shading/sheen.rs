//! Fibres on a surface: `KHR_materials_sheen`, after A. Conty Estevez and C. Kulla, "Production Friendly Microfacet Sheen
//! BRDF", 2017.
//!
//! ```text
//! a   = max(roughness, 0.07)^2
//! D   = (2 + 1/a) sin(N, H)^(1/a) / (2 pi)
//! Vis = 1 / ((1 + lambda(nv) + lambda(nl)) 4 nv nl)
//! lambda(c) = exp(fit(c)) below c = 1/2, else exp(2 fit(1/2) - fit(1 - c))
//! fit(x) = p / (1 + q x^r) + s x + t, each of the five numbers mixed by (1 - a)^2 between those of a = 1 and a = 0 (section 3)
//! sheen = color D Vis;  what lies below is scaled by 1 - max(color) E(roughness, nv)
//! ```
//!
//! E, the directional albedo of the white sheen, is min(2^p, 1) with a polynomial p in 1 / roughness, roughness and
//! sqrt(nv): a minimax fit to the integral of D Vis nl over the hemisphere, summed over 65,536 directions for each of 23
//! roughnesses and 25 angles. It misses the integral by up to 0.033, by 0.018 on average; the lobe itself gives more than
//! it gets at grazing angles of low roughness, where E is 1.
//!
//! Image light: the lobe is wide, so it gathers what a diffuse surface would.

use std::f32::consts::PI;

use super::light::{IncidentLight, Reflector};
use super::lobe::MIN_N_DOT_V;
use super::special::{exp, exp2, power};
use super::vector::{Vector, cross, dot, polynomial};
use azulejo_simd::{Lanes, each};

/// Least roughness: below, the lobe is too narrow for single precision.
const MIN_ROUGHNESS: f32 = 0.07;

/// The numbers p, q, r, s, t of the fit to lambda, of a = 1 and of a = 0.
const LAMBDA: [[f32; 2]; 5] = [
    [21.5473, 25.3245],
    [3.829_87, 3.324_35],
    [0.198_23, 0.168_01],
    [-1.977_6, -1.273_93],
    [-4.320_54, -4.859_67],
];

/// The exponent of E over roughness^-1: rows by power of sqrt(nv), 0 to 3, each a polynomial in roughness, highest power
/// first.
const ALBEDO: [[f32; 5]; 4] = [
    [-5.739_53, 12.266_18, -7.827_03, 1.060_11, 0.046_17],
    [6.544_76, -16.901_41, 14.960_95, -3.913_39, 0.607_59],
    [-4.715_31, 16.782_51, -22.880_05, 7.571_47, -4.355_22],
    [8.025_78, -28.086_97, 36.819_74, -16.630_17, 3.999_75],
];

/// Sheen at a point, for one view.
#[derive(Debug, Clone, Copy)]
pub(super) struct SheenPoint<L: Lanes> {
    color: Vector<L>,
    normal: Vector<L>,
    view: Vector<L>,
    n_dot_v: L::F,
    /// Exponent of D, 1 / a.
    inverse_alpha: L::F,
    /// Parameters of the fit to lambda, mixed by roughness; see [`LAMBDA`].
    lambda: [L::F; 5],
    /// The fit at its middle, fit(1/2).
    middle: L::F,
    lambda_view: L::F,
    /// Directional albedo of the white sheen, E.
    albedo: L::F,
}

impl<L: Lanes> SheenPoint<L> {
    /// Sheen of a colour, each channel 0 to 1, and a perceptual roughness, which is clamped here.
    #[inline(always)]
    pub(super) fn new(
        l: L,
        color: Vector<L>,
        roughness: L::F,
        normal: Vector<L>,
        view: Vector<L>,
    ) -> Self {
        let roughness = l.min(l.max(roughness, l.f(MIN_ROUGHNESS)), l.f(1.0));
        let n_dot_v = l.min(l.max(dot(l, normal, view), l.f(MIN_N_DOT_V)), l.f(1.0));
        let inverse = l.f(1.0) / roughness;
        let smooth = l.f(1.0) - roughness * roughness;
        let weight = smooth * smooth;
        let mut lambda = [weight; 5];
        for (number, [rough, smooth]) in lambda.iter_mut().zip(LAMBDA) {
            *number = l.mul_add(weight, l.f(smooth - rough), l.f(rough));
        }
        let middle = fit(l, &lambda, l.f(0.5));
        let mut point = Self {
            color,
            normal,
            view,
            n_dot_v,
            inverse_alpha: inverse * inverse,
            lambda,
            middle,
            lambda_view: middle,
            albedo: albedo(l, roughness, inverse, n_dot_v),
        };
        point.lambda_view = point.lambda(l, n_dot_v);
        point
    }

    /// Share of light left for the layers below.
    #[inline(always)]
    pub(super) fn below(&self, l: L) -> L::F {
        let [r, g, b] = self.color;
        l.mul_add(-l.max(l.max(r, g), b), self.albedo, l.f(1.0))
    }

    /// Reflection of `around`, the mean radiance that a diffuse surface would see.
    #[inline(always)]
    pub(super) fn of_even_light(&self, around: Vector<L>) -> Vector<L> {
        each!(3, k => self.color[k] * self.albedo * around[k])
    }

    #[inline(always)]
    fn lambda(&self, l: L, cosine: L::F) -> L::F {
        l.part(
            #[inline(always)]
            || {
                let grazing = l.lt(cosine, l.f(0.5));
                let x = l.select(grazing, cosine, l.f(1.0) - cosine);
                let found = fit(l, &self.lambda, x);
                exp(
                    l,
                    l.select(grazing, found, self.middle + self.middle - found),
                )
            },
        )
    }
}

impl<L: Lanes> Reflector<L> for SheenPoint<L> {
    #[inline(always)]
    fn add_reflected(&self, l: L, light: &IncidentLight<L>, sum: Vector<L>) -> Vector<L> {
        l.part(
            #[inline(always)]
            || {
                let cosine = dot(l, self.normal, light.towards);
                let lit = l.lt(l.f(0.0), cosine);
                if !l.any(lit) {
                    return sum;
                }
                let n_dot_l = l.min(l.max(cosine, l.f(MIN_N_DOT_V)), l.f(1.0));
                let half = each!(3, k => light.towards[k] + self.view[k]);
                let aside = cross(l, self.normal, half);
                let length_squared = l.max(dot(l, half, half), l.f(1e-12));
                let sine_squared = dot(l, aside, aside) / length_squared;
                let sine_power = power(l, sine_squared, self.inverse_alpha * l.f(0.5));
                let distribution = (self.inverse_alpha + l.f(2.0)) * sine_power;
                let masking = l.f(1.0) + self.lambda_view + self.lambda(l, n_dot_l);
                // n . l cancels the cosine of the light.
                let strength = distribution * l.f(0.125 / PI) / (masking * self.n_dot_v);
                let strength = l.select(lit, strength * light.attenuation, l.f(0.0));
                each!(3, k => l.mul_add(self.color[k] * strength, light.radiance[k], sum[k]))
            },
        )
    }
}

/// The fit to the logarithm of lambda.
#[inline(always)]
fn fit<L: Lanes>(l: L, [p, q, r, s, t]: &[L::F; 5], x: L::F) -> L::F {
    let denominator = l.mul_add(*q, power(l, x, *r), l.f(1.0));
    *p / denominator + l.mul_add(*s, x, *t)
}

/// The fit to E.
#[inline(always)]
fn albedo<L: Lanes>(l: L, roughness: L::F, inverse: L::F, n_dot_v: L::F) -> L::F {
    l.part(
        #[inline(always)]
        || {
            let root = l.sqrt(n_dot_v);
            let row = |k: usize| polynomial(l, roughness, &ALBEDO[k]);
            let upper = l.mul_add(row(3), root, row(2));
            let exponent = l.mul_add(l.mul_add(upper, root, row(1)), root, row(0));
            l.min(exp2(l, exponent * inverse), l.f(1.0))
        },
    )
}
