//! The lobes where a mapped normal faces away from the eye, against glTF 2.0, appendix B.3.2, in double precision: D has a
//! factor of N.H > 0, masking takes |N.V|, and H is of V as it is.

use std::f64::consts::PI;

use super::exact::{Triple, dot};
use super::grain::{Direction, Grain};
use super::light::IncidentLight;
use super::lobe::{LobeShape, Pointing};
use super::vector::Vector;
use azulejo_simd::{LANES, LaneJob, Lanes, SimdLevel, dispatch};

/// A normal, an eye and a light, independent of each other.
#[derive(Debug, Clone, Copy)]
struct Case {
    normal: Triple,
    view: Triple,
    light: Triple,
    /// Direction of the grain, at right angles to the normal.
    tangent: Triple,
    /// Slope of the facets.
    alpha: f64,
    /// Strength of the grain; 0 for a lobe without.
    strength: f64,
}

/// Numbers from 0 to 1 (Knuth, MMIX).
struct Numbers(u64);

impl Numbers {
    fn next(&mut self) -> f64 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as f64 / f64::from(1_u32 << 31)
    }

    /// A unit vector, rounded to single precision, which is what lanes get.
    fn direction(&mut self) -> Triple {
        let z = 2.0 * self.next() - 1.0;
        let (sine, cosine) = (2.0 * PI * self.next()).sin_cos();
        let across = (1.0 - z * z).sqrt();
        [across * cosine, across * sine, z].map(|component| f64::from(component as f32))
    }

    fn case(&mut self, strength: f64) -> Case {
        let [normal, view, light, other] = [(); 4].map(|()| self.direction());
        let lean = dot(other, normal);
        let tangent = [0, 1, 2].map(|k| other[k] - lean * normal[k]);
        let length = dot(tangent, tangent).sqrt();
        Case {
            normal,
            view,
            light,
            tangent: tangent.map(|component| component / length),
            alpha: (0.1 + 0.9 * self.next()).powi(2),
            strength,
        }
    }
}

impl Case {
    /// Exact specular term, D Vis (N.L)+.
    fn exact(&self) -> f64 {
        let Self { normal: n, .. } = *self;
        let (t, b) = (
            self.alpha + (1.0 - self.alpha) * self.strength * self.strength,
            self.alpha,
        );
        let bitangent = [
            n[1] * self.tangent[2] - n[2] * self.tangent[1],
            n[2] * self.tangent[0] - n[0] * self.tangent[2],
            n[0] * self.tangent[1] - n[1] * self.tangent[0],
        ];
        let local = |v: Triple| [dot(v, self.tangent), dot(v, bitangent), dot(v, n)];
        let (view, light) = (local(self.view), local(self.light));
        let half = [0, 1, 2].map(|k| view[k] + light[k]);
        let length = dot(half, half).sqrt();
        let half = half.map(|component| component / length);
        if light[2] <= 0.0 || half[2] <= 0.0 {
            return 0.0;
        }
        let slopes = (half[0] / t).powi(2) + (half[1] / b).powi(2) + half[2].powi(2);
        let distribution = 1.0 / (PI * t * b * slopes * slopes);
        let lambda = |v: Triple| {
            let stretched = (t * v[0]).powi(2) + (b * v[1]).powi(2);
            ((1.0 + stretched / v[2].powi(2)).sqrt() - 1.0) / 2.0
        };
        // Smith's lambda is the same for v and -v: it takes |N.V|.
        let masking = 1.0 / (1.0 + lambda(view) + lambda(light));
        distribution * masking / (4.0 * view[2].abs())
    }

    /// Whether single precision agrees with the oracle: H is defined, and neither heaviside term is about to turn.
    fn is_decided(&self) -> bool {
        let [nv, nl] = [self.view, self.light].map(|v| dot(v, self.normal));
        let vl = dot(self.view, self.light);
        nv.abs() > 0.01 && (nv + nl).abs() > 0.01 && vl > -0.98
    }
}

impl LaneJob for Case {
    type Output = f64;

    #[inline(always)]
    fn run<L: Lanes>(self, l: L) -> f64 {
        let vector = |v: Triple| -> Vector<L> { v.map(|component| l.f(component as f32)) };
        let pointing = Pointing::new(l, vector(self.normal), vector(self.view));
        let light = IncidentLight {
            towards: vector(self.light),
            attenuation: l.f(1.0),
            radiance: [l.f(1.0); 3],
        };
        let n_dot_l = l.f(dot(self.normal, self.light).max(0.0) as f32);
        let alpha = l.f(self.alpha as f32);
        let shape = LobeShape::new(l, &pointing, alpha * alpha);
        let mirrored = if self.strength == 0.0 {
            shape.mirrored(l, &light, n_dot_l)
        } else {
            let direction = Direction {
                along: vector(self.tangent),
                strength: l.f(self.strength as f32),
            };
            let grain = Grain::new(l, &direction, alpha, [pointing.normal, pointing.view]);
            grain.mirrored(l, &shape, &light, n_dot_l)
        };
        let mut lanes = [0.0; LANES];
        l.store(mirrored.specular, &mut lanes);
        f64::from(lanes[0])
    }
}

fn found(case: Case) -> f64 {
    let backend = SimdLevel::Auto.backend().expect("runs everywhere");
    dispatch(backend, case)
}

/// Holds random cases of a lobe against the oracle.
fn check(strengths: [f64; 2]) {
    let mut numbers = Numbers(7);
    let cases = (0..20_000).map(|index| numbers.case(strengths[index % 2]));
    let cases: Vec<Case> = cases.filter(Case::is_decided).collect();
    let away = |case: &&Case| dot(case.normal, case.view) < 0.0;
    let lit = cases.iter().filter(away).filter(|case| case.exact() > 0.0);
    assert!(lit.count() > 1000, "normals that face away, and mirror");
    for case in cases {
        let (found, exact) = (found(case), case.exact());
        assert!(
            (found - exact).abs() < 2e-3 * exact + 1e-6,
            "{case:?}: {found}, not {exact}"
        );
    }
}

#[test]
fn lobe_of_any_normal_eye_and_light_is_the_specifications() {
    check([0.0; 2]);
}

#[test]
fn grain_of_any_normal_eye_and_light_is_the_specifications() {
    check([0.3, 1.0]);
}

#[test]
fn lobe_seen_against_its_light_is_finite() {
    for tilt in [1e-30, 1e-12, 1e-6, 1e-3_f64] {
        for strength in [0.0, 0.5] {
            let case = Case {
                normal: [0.0, 0.6, 0.8],
                view: [tilt, 0.0, -1.0],
                light: [0.0, 0.0, 1.0],
                tangent: [1.0, 0.0, 0.0],
                alpha: 0.002,
                strength,
            };
            assert!(found(case).is_finite(), "{case:?}: {}", found(case));
        }
    }
}
