//! The oracle of the shading tests: the specification's reflectance (glTF 2.0, appendix B) as textbooks write it, with half
//! vectors and Smith's lambda, in double precision, and sums over the hemisphere. The surface's normal is +Z.
//!
//! In: roughness, view and light directions; out: reflected shares, and quadrature points that resolve lobes of any width.

use std::f64::consts::PI;

/// Quadrature points by angle and by azimuth.
const STEPS: u32 = 256;

/// A direction or colour in double precision.
pub(super) type Triple = [f64; 3];

pub(super) fn dot(a: Triple, b: Triple) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

fn normalized(v: Triple) -> Triple {
    let length = dot(v, v).sqrt();
    v.map(|component| component / length)
}

/// The unit vector to the eye at cosine `n_dot_v`, in the plane of X and Z.
pub(super) fn view_at(n_dot_v: f64) -> Triple {
    [(1.0 - n_dot_v * n_dot_v).sqrt(), 0.0, n_dot_v]
}

/// A direction that light comes from, and the solid angle that it stands for.
#[derive(Debug, Clone, Copy)]
pub(super) struct Incidence {
    pub(super) towards: Triple,
    pub(super) solid_angle: f64,
}

/// The GGX lobe of a surface.
#[derive(Debug, Clone, Copy)]
pub(super) struct Lobe {
    /// Slope of the facets: the square of perceptual roughness.
    pub(super) alpha: f64,
}

impl Lobe {
    /// D G / (4 (N.L) (N.V)), and V.H.
    pub(super) fn reflectance(&self, view: Triple, light: Triple) -> [f64; 2] {
        let half = normalized([0, 1, 2].map(|k| view[k] + light[k]));
        let alpha_squared = self.alpha * self.alpha;
        let spread = half[2] * half[2] * (alpha_squared - 1.0) + 1.0;
        let distribution = alpha_squared / (PI * spread * spread);
        let lambda = |v: Triple| {
            let tangent_squared = (1.0 - v[2] * v[2]) / (v[2] * v[2]);
            ((1.0 + alpha_squared * tangent_squared).sqrt() - 1.0) / 2.0
        };
        let masking = 1.0 / (1.0 + lambda(view) + lambda(light));
        let reflectance = distribution * masking / (4.0 * view[2] * light[2]);
        [reflectance, dot(view, half)]
    }

    /// Points for sums over the hemisphere of light directions: mirror images of the view about half vectors, as dense in
    /// the tangent of their angle as the lobe is wide. `steps` by angle and by azimuth.
    pub(super) fn incidences(&self, view: Triple, steps: u32) -> Vec<Incidence> {
        let rows = (0..steps).flat_map(|row| (0..steps).map(move |column| [row, column]));
        let [width, count] = [self.alpha, f64::from(steps)];
        rows.filter_map(|cell| {
            let [u, turn] = cell.map(|index| (f64::from(index) + 0.5) / count);
            let tangent = width * u / (1.0 - u);
            let cosine = (1.0 + tangent * tangent).sqrt().recip();
            let sine = tangent * cosine;
            let (y, x) = (2.0 * PI * turn).sin_cos();
            let half = [sine * x, sine * y, cosine];
            let v_dot_h = dot(view, half);
            let towards = [0, 1, 2].map(|k| 2.0 * v_dot_h * half[k] - view[k]);
            // d(angle) = d(tangent) cosine^2; mirroring spreads by 4 V.H.
            let of_half =
                sine * width / (1.0 - u).powi(2) * cosine * cosine * 2.0 * PI / count / count;
            (v_dot_h > 0.0 && towards[2] > 0.0).then_some(Incidence {
                towards,
                solid_angle: 4.0 * v_dot_h * of_half,
            })
        })
        .collect()
    }

    /// Single-bounce reflection of `radiance`, a function of direction and V.H, by a perfect mirror of this roughness.
    pub(super) fn gathered(&self, view: Triple, radiance: impl Fn(Triple, f64) -> f64) -> f64 {
        self.gathered_at(view, &self.incidences(view, STEPS), radiance)
    }

    fn gathered_at(
        &self,
        view: Triple,
        points: &[Incidence],
        radiance: impl Fn(Triple, f64) -> f64,
    ) -> f64 {
        let shares = points.iter().map(|point| {
            let light = point.towards;
            let [reflectance, v_dot_h] = self.reflectance(view, light);
            reflectance * light[2] * point.solid_angle * radiance(light, v_dot_h)
        });
        shares.sum()
    }

    /// The directional albedo, first for a perfect mirror, then for a surface that reflects at grazing angles only.
    pub(super) fn albedo(&self, n_dot_v: f64) -> [f64; 2] {
        let view = view_at(n_dot_v);
        [
            self.gathered(view, |_, _| 1.0),
            self.gathered(view, |_, v_dot_h| (1.0 - v_dot_h).powi(5)),
        ]
    }
}

#[test]
fn exact_lobe_seen_from_above_has_the_albedo_of_its_closed_form() {
    // alpha = 1: D = 1 / pi, V is 1 / (2 (N.L + 1)): the integral of x / (x + 1) from 0 to 1.
    let [total, _] = Lobe { alpha: 1.0 }.albedo(1.0);
    let expected = 1.0 - std::f64::consts::LN_2;
    assert!((total - expected).abs() < 1e-4, "{total} for {expected}");
}

#[test]
fn exact_lobe_points_cover_the_hemisphere() {
    for n_dot_v in [0.03, 0.2, 0.6, 1.0] {
        let points = Lobe { alpha: 1.0 }.incidences(view_at(n_dot_v), 256);
        let sum: f64 = points.iter().map(|point| point.solid_angle).sum();
        assert!(
            (sum / (2.0 * PI) - 1.0).abs() < 0.005,
            "n.v {n_dot_v}: {sum}"
        );
    }
}

#[test]
fn exact_lobe_of_any_width_is_resolved() {
    for alpha in [0.002, 0.05, 0.3, 1.0] {
        for n_dot_v in [0.03, 0.2, 0.6, 1.0] {
            let lobe = Lobe { alpha };
            let [coarse, fine] = [128, STEPS].map(|steps| {
                let points = lobe.incidences(view_at(n_dot_v), steps);
                lobe.gathered_at(view_at(n_dot_v), &points, |_, _| 1.0)
            });
            assert!(
                (fine - coarse).abs() < 1e-3,
                "alpha {alpha}, n.v {n_dot_v}: {coarse} of half as many steps, {fine}"
            );
        }
    }
}
