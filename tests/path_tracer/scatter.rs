//! Scattering of light by a surface: glTF 2.0, appendix B, and the material extensions as their specifications write them;
//! metals by a walk over their facets.

use std::f64::consts::PI;

use glam::DVec3;

use super::facets::{mirrored_at, schlick};
use super::random::Random;
use super::surface::{Coat, Surface};

/// Light that goes on.
pub(crate) struct Scattered {
    pub(crate) towards: DVec3,
    /// Factor on the light from there.
    pub(crate) weight: DVec3,
    /// How dense light of lamps and surroundings is chosen beside it; none if it is not asked for in this direction.
    pub(crate) density: Option<f64>,
    /// Whether it went through the plane of the triangle.
    pub(crate) through: bool,
}

/// How often each way is tried.
struct Ways {
    coat: f64,
    metal: f64,
    mirror: f64,
    diffuse: f64,
    through: f64,
    /// The share of the coat's light, which nothing below it gets.
    covered: f64,
}

impl Surface {
    fn ways(&self, view: DVec3) -> Ways {
        let covered = self.coat.map_or(0.0, |coat| {
            let facing = coat.frame.normal.dot(view).abs();
            coat.factor * schlick(DVec3::splat(0.04), 1.0, facing).x
        });
        let below = 1.0 - covered;
        let other = below * (1.0 - self.metallic);
        let facing = self.frame.normal.dot(view);
        let mirror = schlick(self.f0, self.f90, facing)
            .max_element()
            .clamp(0.1, 0.9);
        Ways {
            coat: if covered > 0.0 { covered.max(0.1) } else { 0.0 },
            metal: below * self.metallic,
            mirror: other * mirror,
            diffuse: other * (1.0 - mirror) * (1.0 - self.transmission),
            through: other * (1.0 - mirror) * self.transmission,
            covered,
        }
        .normalized()
    }

    /// Radiance towards `view` of light of radiance 1 from `light` by solid angle: without what bends through a volume.
    pub(crate) fn reflected(&self, view: DVec3, light: DVec3, random: &mut Random) -> DVec3 {
        let ways = self.ways(view);
        let [to_eye, to_light] = [view, light].map(|way| self.frame.local(way));
        let mut sum = DVec3::ZERO;
        if to_eye.z <= 0.0 {
            return sum;
        }
        if to_light.z > 0.0 {
            sum += self.above(to_eye, to_light, random) * (1.0 - ways.covered);
        } else if to_light.z < 0.0 {
            let folded = DVec3::new(to_light.x, to_light.y, -to_light.z);
            sum += self.below(to_eye, folded) * (1.0 - ways.covered);
        }
        if let Some(coat) = self.coat {
            sum += coat.mirrored(view, light) * ways.covered;
        }
        sum
    }

    fn above(&self, view: DVec3, light: DVec3, random: &mut Random) -> DVec3 {
        let mut sum = self.dielectric(view, light) * (1.0 - self.metallic);
        if self.metallic > 0.0 {
            let cosine = view.dot((view + light).normalize());
            let mirrored = self.facets.mirrored(view, light) * light.z;
            let once = schlick(self.base_color, 1.0, cosine) * mirrored;
            let more = self.facets.walked(view, light, self.base_color, random);
            sum += (once + more) * self.metallic;
        }
        sum
    }

    /// Transmission of light at the other side, mirrored to this one in `folded`: scattered, and between the facets of thin
    /// walls.
    fn below(&self, view: DVec3, folded: DVec3) -> DVec3 {
        let mut sum = self.scattered_through(view, folded);
        if self.inside.is_none() {
            let passed = self.kept(view, folded) * self.facets.mirrored(view, folded) * folded.z;
            sum += self.base_color * (self.transmission * passed);
        }
        sum * (1.0 - self.metallic)
    }

    fn scattered_through(&self, view: DVec3, folded: DVec3) -> DVec3 {
        let share = (1.0 - self.transmission) * self.scattered * self.kept(view, folded);
        self.scattered_color * (folded.z / PI * share)
    }

    /// Share of light that the reflection of a dielectric leaves.
    fn kept(&self, view: DVec3, light: DVec3) -> f64 {
        let cosine = view.dot((view + light).normalize());
        1.0 - schlick(self.f0, self.f90, cosine).max_element()
    }

    /// Mirrored once by what is no metal, and scattered back below it.
    fn dielectric(&self, view: DVec3, light: DVec3) -> DVec3 {
        let cosine = view.dot((view + light).normalize());
        let fresnel = schlick(self.f0, self.f90, cosine);
        let share =
            (1.0 - self.transmission) * (1.0 - self.scattered) * (1.0 - fresnel.max_element());
        let mirrored = fresnel * self.facets.mirrored(view, light);
        (mirrored + self.base_color * (share / PI)) * light.z
    }

    /// How dense [`Self::scatter`] chooses `light`, nearly: it weighs two ways of finding light, which is right for any
    /// weights.
    pub(crate) fn density(&self, view: DVec3, light: DVec3) -> f64 {
        let ways = self.ways(view);
        let [to_eye, to_light] = [view, light].map(|way| self.frame.local(way));
        let folded = DVec3::new(to_light.x, to_light.y, to_light.z.abs());
        let lobe = self.facets.density(to_eye, folded);
        let mut sum = if to_light.z > 0.0 {
            let mirrored = (ways.metal + ways.mirror) * lobe;
            mirrored + ways.diffuse * (1.0 - self.scattered) * to_light.z / PI
        } else {
            let thin = if self.inside.is_none() {
                ways.through
            } else {
                0.0
            };
            thin * lobe + ways.diffuse * self.scattered * -to_light.z / PI
        };
        if let Some(coat) = self.coat {
            sum += ways.coat * coat.density(view, light);
        }
        sum
    }

    /// Chooses where light comes from.
    pub(crate) fn scatter(&self, view: DVec3, random: &mut Random) -> Option<Scattered> {
        let ways = self.ways(view);
        let to_eye = self.frame.local(view);
        if to_eye.z <= 0.0 {
            return None;
        }
        let mut choice = random.unit() - ways.metal;
        if choice < 0.0 {
            let (towards, kept) = self.facets.walk(to_eye, self.base_color, random)?;
            let towards = self.frame.world(towards);
            // The other ways' light in this direction is found by them alone, so each way has its own weight.
            let weight = kept * self.metallic * (1.0 - ways.covered) / ways.metal;
            return Some(self.going(view, towards, weight));
        }
        choice -= ways.through;
        if choice < 0.0 {
            return self.through(view, &ways, random);
        }
        choice -= ways.coat;
        if let (true, Some(coat)) = (choice < 0.0, self.coat) {
            let towards = coat.choose(view, random)?;
            let density = coat.density(view, towards) * ways.coat;
            let weight = coat.mirrored(view, towards) * (ways.covered / density);
            return Some(self.going(view, towards, DVec3::splat(weight)));
        }
        self.other(view, choice < ways.mirror, &ways, random)
    }

    /// Mirrored by what is no metal, or scattered below it; both ways share one weight.
    fn other(
        &self,
        view: DVec3,
        mirror: bool,
        ways: &Ways,
        random: &mut Random,
    ) -> Option<Scattered> {
        let to_eye = self.frame.local(view);
        let light = if mirror {
            mirrored_at(self.facets.visible(to_eye, random), to_eye)
        } else {
            let side = if random.unit() < self.scattered {
                -1.0
            } else {
                1.0
            };
            cosine_weighted(random) * DVec3::new(1.0, 1.0, side)
        };
        let folded = DVec3::new(light.x, light.y, light.z.abs());
        let even = ways.diffuse * folded.z / PI;
        let (value, density) = if light.z > 0.0 {
            let lobe = ways.mirror * self.facets.density(to_eye, light);
            (
                self.dielectric(to_eye, light),
                lobe + even * (1.0 - self.scattered),
            )
        } else if mirror {
            return None;
        } else {
            (
                self.scattered_through(to_eye, folded),
                even * self.scattered,
            )
        };
        let share = (1.0 - self.metallic) * (1.0 - ways.covered);
        let weight = value * (share / density.max(1e-12));
        Some(self.going(view, self.frame.world(light), weight))
    }

    /// Through a thin wall as a mirror behind it would, or bent into a volume (Walter et al. 2007).
    fn through(&self, view: DVec3, ways: &Ways, random: &mut Random) -> Option<Scattered> {
        let to_eye = self.frame.local(view);
        let half = self.facets.visible(to_eye, random);
        let cosine = to_eye.dot(half);
        let share = (1.0 - self.metallic) * (1.0 - ways.covered) * self.transmission / ways.through;
        let kept = 1.0 - schlick(self.f0, self.f90, cosine).max_element();
        let mirror = mirrored_at(half, to_eye);
        let Some(inside) = self.inside else {
            if mirror.z <= 0.0 {
                return None;
            }
            let seen = self.facets.seen_by_both(to_eye, mirror) / self.facets.seen(to_eye);
            let through = self.frame.world(DVec3::new(mirror.x, mirror.y, -mirror.z));
            return Some(self.going(view, through, self.base_color * (share * kept * seen)));
        };
        let squared = 1.0 - inside.ior_ratio.powi(2) * (1.0 - cosine * cosine);
        let color = if self.front {
            self.base_color
        } else {
            DVec3::ONE
        };
        if squared <= 0.0 {
            // All of it is mirrored inside.
            let weight = DVec3::splat(share * kept);
            return (mirror.z > 0.0).then(|| self.hidden(self.frame.world(mirror), weight));
        }
        let light = half * (inside.ior_ratio * cosine - squared.sqrt()) - to_eye * inside.ior_ratio;
        let up = DVec3::new(light.x, light.y, -light.z);
        if up.z <= 0.0 {
            return None;
        }
        let seen = self.facets.seen_by_both(to_eye, up) / self.facets.seen(to_eye);
        Some(self.hidden(
            self.frame.world(light.normalize()),
            color * (share * kept * seen),
        ))
    }

    fn going(&self, view: DVec3, towards: DVec3, weight: DVec3) -> Scattered {
        Scattered {
            towards,
            weight,
            density: Some(self.density(view, towards)),
            through: self.plane.dot(towards) < 0.0,
        }
    }

    /// A way on which lamps are not asked.
    fn hidden(&self, towards: DVec3, weight: DVec3) -> Scattered {
        Scattered {
            towards,
            weight,
            density: None,
            through: self.plane.dot(towards) < 0.0,
        }
    }
}

impl Ways {
    fn normalized(self) -> Self {
        let sum = self.coat + self.metal + self.mirror + self.diffuse + self.through;
        let scale = 1.0 / sum.max(1e-9);
        Self {
            coat: self.coat * scale,
            metal: self.metal * scale,
            mirror: self.mirror * scale,
            diffuse: self.diffuse * scale,
            through: self.through * scale,
            covered: self.covered,
        }
    }
}

impl Coat {
    /// Times the light's cosine.
    fn mirrored(&self, view: DVec3, light: DVec3) -> f64 {
        let [view, light] = [view, light].map(|way| self.frame.local(way));
        if view.z <= 0.0 || light.z <= 0.0 {
            return 0.0;
        }
        self.facets.mirrored(view, light) * light.z
    }

    fn density(&self, view: DVec3, light: DVec3) -> f64 {
        let [view, light] = [view, light].map(|way| self.frame.local(way));
        if view.z <= 0.0 || light.z <= 0.0 {
            return 0.0;
        }
        self.facets.density(view, light)
    }

    fn choose(&self, view: DVec3, random: &mut Random) -> Option<DVec3> {
        let view = self.frame.local(view);
        let light = mirrored_at(self.facets.visible(view, random), view);
        (view.z > 0.0 && light.z > 0.0).then(|| self.frame.world(light))
    }
}

fn cosine_weighted(random: &mut Random) -> DVec3 {
    let [area, turn] = random.pair();
    let (sin, cos) = (2.0 * PI * turn).sin_cos();
    let radius = area.sqrt();
    DVec3::new(radius * cos, radius * sin, (1.0 - area).sqrt())
}
