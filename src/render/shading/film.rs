//! A film as thin as light's wavelengths: `KHR_materials_iridescence`, after L. Belcour and P. Barla, "A Practical
//! Extension to Microfacet Theory for the Modeling of Varying Iridescence", 2017.
//!
//! ```text
//! cos2 = sqrt(1 - (1 - nv^2) / ior^2);  path = 2 ior thickness cos2
//! R12 = Schlick at nv of ((ior - 1) / (ior + 1))^2,  T = 1 - R12
//! n3  = (1 + sqrt f0) / (1 - sqrt f0);  R23 = Schlick at cos2 of ((n3 - ior) / (n3 + ior))^2
//! Rs  = T^2 R23 / (1 - R12 R23)
//! F   = R12 + Rs + 2 (Rs - T) (-+ r S1 + r^2 S2),  r = sqrt(R12 R23), the first sign + where n3 < ior
//! S1, S2 = sensitivities of the eye to cosines over the spectrum, of the path and of twice the path, in linear RGB: cosines under Gaussians
//!          in X, Y, Z
//! ```
//!
//! Below the film is air's neighbour, also under a coat, as viewers have it. F is taken at nv for all light, and put into
//! Schlick's form that has it there: f0' = (F - (1 - nv)^5) / (1 - (1 - nv)^5), so that every other formula of the surface
//! stays as it is.

use super::special::{cosine, exp};
use super::vector::{Vector, saturate};
use azulejo_simd::{Lanes, each};

/// A Gaussian of a colour matching function over wave numbers: amplitude, mean in cycles per nanometre of path, and the
/// variance in the same unit as it stands in the exponent.
struct Gaussian {
    amplitude: f32,
    mean: f32,
    variance: f32,
}

impl Gaussian {
    /// Converts the paper's numbers, by metre and in radians: value, position, variance.
    const fn of(amplitude: f64, position: f64, variance: f64) -> Self {
        const RADIANS_PER_NANOMETRE: f64 = std::f64::consts::TAU * 1e-9;
        let variance = variance * RADIANS_PER_NANOMETRE * RADIANS_PER_NANOMETRE;
        Self {
            amplitude: amplitude as f32,
            mean: (position * 1e-9) as f32,
            variance: variance as f32,
        }
    }

    /// Response at a path difference in nanometres: for the path, and for twice the path.
    #[inline(always)]
    fn twice<L: Lanes>(&self, l: L, path: L::F) -> [L::F; 2] {
        let wave = cosine(l, path * l.f(self.mean));
        let damping = exp(l, path * path * l.f(-self.variance));
        let squared = damping * damping;
        // cos 2a = 2 cos^2 a - 1, and e^(-4 v) = (e^-v)^4.
        let double = l.mul_add(wave + wave, wave, l.f(-1.0));
        let amplitude = l.f(self.amplitude);
        [
            amplitude * wave * damping,
            amplitude * double * (squared * squared),
        ]
    }
}

/// value sqrt(2 pi variance) / 1.0685e-7 by the paper's numbers: X, Y, Z, and the second hump of X.
const SENSITIVITY: [Gaussian; 4] = [
    Gaussian::of(0.846_588_2, 1.6810e6, 4.3278e9),
    Gaussian::of(1.000_215_9, 1.7953e6, 9.3046e9),
    Gaussian::of(1.001_114_7, 2.2084e6, 6.6121e9),
    Gaussian::of(0.153_869_3, 2.2399e6, 4.5282e9),
];

/// Matrix from X, Y, Z to linear sRGB, by row.
const RGB_OF_XYZ: [[f32; 3]; 3] = [
    [3.240_454_2, -1.537_138_5, -0.498_531_4],
    [-0.969_266, 1.876_010_8, 0.041_556],
    [0.055_643_4, -0.204_025_9, 1.057_225_2],
];

/// A film at a point.
#[derive(Debug, Clone, Copy)]
pub(super) struct FilmPoint<L: Lanes> {
    /// How much of the surface it covers, 0 to 1.
    pub(super) factor: L::F,
    /// Thickness of the film, nanometres.
    pub(super) thickness: L::F,
    /// Index of refraction of the film, 1 or more.
    pub(super) ior: f32,
}

impl<L: Lanes> FilmPoint<L> {
    /// Reflectance at normal incidence of a surface of `f0` with the film over it, seen at cosine `n_dot_v`.
    #[inline(always)]
    pub(super) fn over(&self, l: L, f0: Vector<L>, n_dot_v: L::F) -> Vector<L> {
        l.part(
            #[inline(always)]
            || {
                let one = l.f(1.0);
                let n_dot_v = l.min(n_dot_v, one);
                let sine_squared = l.mul_add(-n_dot_v, n_dot_v, one);
                let ratio_squared = (self.ior * self.ior).recip();
                let cos2 =
                    l.sqrt(l.max(l.mul_add(sine_squared, l.f(-ratio_squared), one), l.f(0.0)));
                let sensitivities = sensitivities(l, cos2 * self.thickness * l.f(2.0 * self.ior));
                let outer = ((self.ior - 1.0) / (self.ior + 1.0)).powi(2);
                let glancing = fifth_power(l, one - n_dot_v);
                let glancing_inside = fifth_power(l, one - cos2);
                let r12 = l.mul_add(glancing, l.f(1.0 - outer), l.f(outer));
                let through = one - r12;
                let invert = one / l.max(one - glancing, l.f(1e-4));
                let present = l.lt(l.f(0.0), self.thickness);
                each!(3, k => {
                    let root = l.sqrt(l.min(l.max(f0[k], l.f(0.0)), l.f(0.9999)));
                    let n3 = (one + root) / (one - root);
                    let inner = (n3 - l.f(self.ior)) / (n3 + l.f(self.ior));
                    let inner_squared = inner * inner;
                    let r23 = l.mul_add(glancing_inside, one - inner_squared, inner_squared);
                    let both = l.min(l.max(r12 * r23, l.f(1e-5)), l.f(0.9999));
                    let amplitude = l.sqrt(both);
                    let later = through * through * r23 / (one - both);
                    let turned = l.select(l.lt(n3, l.f(self.ior)), amplitude, -amplitude);
                    let [first, second] = [sensitivities[0][k], sensitivities[1][k]];
                    let waves = l.mul_add(turned, first, both * second);
                    let reflectance = l.mul_add((later - through) * l.f(2.0), waves, r12 + later);
                    let at_normal = saturate(l, (reflectance - glancing) * invert);
                    let share = l.select(present, self.factor, l.f(0.0));
                    l.mul_add(at_normal - f0[k], share, f0[k])
                })
            },
        )
    }
}

/// S1 and S2 in linear RGB for a path difference in nanometres.
#[inline(always)]
fn sensitivities<L: Lanes>(l: L, path: L::F) -> [Vector<L>; 2] {
    l.part(
        #[inline(always)]
        || {
            let [x, y, z, hump] = each!(4, k => SENSITIVITY[k].twice(l, path));
            each!(2, order => {
                let xyz = [x[order] + hump[order], y[order], z[order]];
                each!(3, k => {
                    let [r, g, b] = RGB_OF_XYZ[k];
                    l.mul_add(xyz[0], l.f(r), l.mul_add(xyz[1], l.f(g), xyz[2] * l.f(b)))
                })
            })
        },
    )
}

#[inline(always)]
fn fifth_power<L: Lanes>(l: L, x: L::F) -> L::F {
    let x = l.max(x, l.f(0.0));
    let squared = x * x;
    squared * squared * x
}
