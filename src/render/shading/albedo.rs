//! Directional albedo of the GGX lobe: the share of even light that a rough mirror reflects to the eye in one bounce. In:
//! roughness and angle; out: two numbers, from which energy that the lobe loses to further bounces is given back.
//!
//! With V the view direction at cosine `mu`, D Vis the lobe of [`super::pbr`] and F Schlick's term, the albedo of a surface
//! of reflectance `f0` at normal incidence is the integral of D Vis F (N.L) over the hemisphere = f0 (total - grazing) +
//! grazing. Both numbers are minimax fits to that integral, which was summed over 32,768 visible normals (Heitz, "Sampling
//! the GGX Distribution of Visible Normals", JCGT 2018) for each of 40 roughnesses and 53 angles; terms that made no
//! difference are left out. The natural variable is t = mu / (mu + alpha): masking sets in where the angle comes near to
//! the slope of the facets.
//!
//! Largest error for mu above 0.003: 0.7 % of the total, 0.005 of the grazing part; below, 0.9 % and 0.07. The widespread
//! fit by Karis ("Physically Based Shading on Mobile", 2014) belongs to another Smith term.

use super::roughness::Roughness;
use super::vector::polynomial;
use azulejo_simd::Lanes;

/// Part of the total that depends on t alone: the coefficients of t^5, t^3, t^2 and 1.
const SMOOTH: [f32; 4] = [-0.6762, 1.974, -1.2836, 0.9912];
/// Factor of alpha^2 t: a polynomial in t, highest power first.
const ROUGH: [f32; 5] = [-41.2464, 100.7852, -80.4376, 27.6198, -5.7632];
/// Factor of alpha^3 t: a polynomial in t, highest power first.
const ROUGHEST: [f32; 4] = [-34.9895, 37.2575, -12.6317, 2.2357];

/// The grazing part over (1 - mu)^5: the coefficients of 1, t^2, t^3 and t^4 are polynomials in roughness, highest power
/// first.
const GRAZING: [f32; 4] = [-1.5744, 4.0692, -3.646, 1.1928];
const GRAZING_2: [f32; 4] = [16.4206, -37.675, 24.1473, -3.4885];
const GRAZING_3: [f32; 3] = [31.8239, -36.5767, 6.5081];
const GRAZING_4: [f32; 2] = [16.6888, -3.2475];

/// Single-scattering albedo of the lobe, shares of 0 to 1.
#[derive(Debug, Clone, Copy)]
pub(super) struct LobeAlbedo<L: Lanes> {
    /// Albedo of a perfect mirror (f0 = f90 = 1).
    pub(super) total: L::F,
    /// Factor of f0 in [`Self::single_scattering`].
    normal: L::F,
    /// Albedo of a surface that reflects at grazing angles only (f0 = 0).
    pub(super) grazing: L::F,
    /// Reflectance at grazing incidence.
    f90: L::F,
}

impl<L: Lanes> LobeAlbedo<L> {
    /// The albedo of a lobe seen at cosine `n_dot_v` > 0.
    #[inline(always)]
    pub(super) fn new(l: L, roughness: &Roughness<L>, n_dot_v: L::F) -> Self {
        let t = n_dot_v / (n_dot_v + roughness.alpha);
        let total = l.min(total(l, roughness, t), l.f(1.0));
        let complement = l.f(1.0) - l.min(n_dot_v, l.f(1.0));
        let squared = complement * complement;
        let schlick = squared * squared * complement;
        let grazing = grazing(l, roughness.perceptual, t) * schlick;
        let grazing = l.max(l.min(grazing, total), l.f(0.0));
        Self {
            total,
            normal: total - grazing,
            grazing,
            f90: l.f(1.0),
        }
    }

    /// This lobe on a surface whose reflectance at grazing incidence is not 1.
    #[inline(always)]
    pub(super) fn with_f90(self, f90: L::F) -> Self {
        Self {
            grazing: self.grazing * f90,
            f90,
            ..self
        }
    }

    /// The share reflected in one bounce by a surface of reflectance `f0`.
    #[inline(always)]
    pub(super) fn single_scattering(&self, l: L, f0: L::F) -> L::F {
        l.mul_add(f0, self.normal, self.grazing)
    }

    /// The share that comes out after two bounces or more: C. Fdez-Agüera, "A Multiple-Scattering Microfacet Model for
    /// Real-Time Image-Based Lighting", JCGT 2019. `single` is [`Self::single_scattering`] of the same `f0`.
    #[inline(always)]
    pub(super) fn multiple_scattering(&self, l: L, f0: L::F, single: L::F) -> L::F {
        let again = self.reflected_again(l, f0);
        single * again / (l.f(1.0) - again)
    }

    /// Share of the light that no bounce reflects.
    #[inline(always)]
    pub(super) fn transmitted(&self, l: L, f0: L::F) -> L::F {
        let single = self.single_scattering(l, f0);
        l.f(1.0) - single / (l.f(1.0) - self.reflected_again(l, f0))
    }

    /// [`Self::transmitted`] for an `f0` of at most 0.05: there single / (1 - again) is single (1 + again) but for 2e-4.
    #[inline(always)]
    pub(super) fn transmitted_by_glass(&self, l: L, f0: f32) -> L::F {
        let f0 = l.f(f0);
        let single = self.single_scattering(l, f0);
        l.f(1.0) - l.mul_add(single, self.reflected_again(l, f0), single)
    }

    /// Share of the light that left a facet which meets another one and is reflected there too.
    #[inline(always)]
    fn reflected_again(&self, l: L, f0: L::F) -> L::F {
        // Schlick's term averaged over the hemisphere is f0 + (f90 - f0) / 21. Vertex colours may make f0 larger than 1.
        let average = l.mul_add(f0, l.f(20.0 / 21.0), self.f90 * l.f(1.0 / 21.0));
        l.min(average, l.f(1.0)) * (l.f(1.0) - self.total)
    }
}

/// The fit of the total.
#[inline(always)]
fn total<L: Lanes>(l: L, roughness: &Roughness<L>, t: L::F) -> L::F {
    let [t5, t3, t2, constant] = SMOOTH;
    let squared = t * t;
    let smooth = l.mul_add(l.mul_add(squared, l.f(t5), l.f(t3)), t, l.f(t2));
    let smooth = l.mul_add(smooth, squared, l.f(constant));
    let roughest = polynomial(l, t, &ROUGHEST);
    let rough = l.mul_add(roughest, roughness.alpha, polynomial(l, t, &ROUGH));
    l.mul_add(rough, roughness.alpha_squared * t, smooth)
}

/// The fit of the grazing part over (1 - mu)^5.
#[inline(always)]
fn grazing<L: Lanes>(l: L, perceptual: L::F, t: L::F) -> L::F {
    let of_roughness = [
        polynomial(l, perceptual, &GRAZING_4),
        polynomial(l, perceptual, &GRAZING_3),
        polynomial(l, perceptual, &GRAZING_2),
    ];
    let [fourth, third, second] = of_roughness;
    let sum = l.mul_add(l.mul_add(fourth, t, third), t, second);
    l.mul_add(sum, t * t, polynomial(l, perceptual, &GRAZING))
}

#[cfg(test)]
mod tests {
    //! The fits against the integral itself.

    use super::super::exact::Lobe;
    use super::*;
    use azulejo_simd::{LANES, LaneJob, SimdLevel, dispatch};

    struct Fitted([f32; 2]);

    impl LaneJob for Fitted {
        type Output = [f64; 2];

        #[inline(always)]
        fn run<L: Lanes>(self, l: L) -> [f64; 2] {
            let roughness = Roughness::new(l, l.f(self.0[0]));
            let albedo = LobeAlbedo::new(l, &roughness, l.f(self.0[1]));
            [albedo.total, albedo.grazing].map(|share| {
                let mut lanes = [0.0; LANES];
                l.store(share, &mut lanes);
                f64::from(lanes[0])
            })
        }
    }

    fn fitted(roughness: f32, n_dot_v: f32) -> [f64; 2] {
        let backend = SimdLevel::Auto.backend().expect("runs everywhere");
        dispatch(backend, Fitted([roughness, n_dot_v]))
    }

    #[test]
    fn lobe_albedo_is_the_integral_of_the_lobe() {
        for roughness in [0.045_f32, 0.1, 0.2, 0.3, 0.45, 0.6, 0.75, 0.9, 1.0] {
            for n_dot_v in [0.01_f32, 0.05, 0.15, 0.3, 0.5, 0.8, 1.0] {
                let [total, grazing] = fitted(roughness, n_dot_v);
                let alpha = f64::from(roughness).powi(2);
                let [exact_total, exact_grazing] = Lobe { alpha }.albedo(f64::from(n_dot_v));
                assert!(
                    (total / exact_total - 1.0).abs() < 0.008,
                    "roughness {roughness}, n.v {n_dot_v}: total {total}, integral {exact_total}"
                );
                assert!(
                    (grazing - exact_grazing).abs() < 0.006,
                    "roughness {roughness}, n.v {n_dot_v}: {grazing}, integral {exact_grazing}"
                );
            }
        }
    }

    #[test]
    fn lobe_albedo_stays_a_share() {
        for roughness in (0..=40).map(|step| 0.045 + 0.955 * step as f32 / 40.0) {
            for n_dot_v in [1e-4_f32, 1e-3, 0.01, 0.1, 0.5, 0.9, 1.0, 1.000_001] {
                let [total, grazing] = fitted(roughness, n_dot_v);
                assert!(
                    (0.25..=1.0).contains(&total) && (0.0..=total).contains(&grazing),
                    "roughness {roughness}, n.v {n_dot_v}: {total}, {grazing}"
                );
            }
        }
    }
}
