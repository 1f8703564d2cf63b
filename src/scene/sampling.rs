//! Keyframes at a time (glTF 2.0, 3.11 and appendix C). Before the first key its value holds, after the last the last one's.

use glam::Quat;

use super::animation::{Animation, Interpolation, Keyframes};

impl Animation {
    /// The time within the animation that `seconds` since its start stand for: it repeats after [`Animation::duration`].
    #[must_use]
    pub fn wrap(&self, seconds: f32) -> f32 {
        if (0.0..=self.duration).contains(&seconds) || self.duration <= 0.0 {
            return seconds;
        }
        seconds.rem_euclid(self.duration)
    }
}

/// Two neighbouring keys and how far between them.
#[derive(Debug, Clone, Copy)]
struct Span {
    from: usize,
    to: usize,
    /// 0 at `from`, 1 at `to`.
    part: f32,
    /// Seconds from `from` to `to`.
    length: f32,
}

impl Keyframes {
    /// Writes the value at `seconds`, component by component; `out` has [`Keyframes::components`] elements.
    pub fn sample(&self, seconds: f32, out: &mut [f32]) {
        let Some(span) = self.span(seconds) else {
            return;
        };
        for (index, out) in out.iter_mut().take(self.components).enumerate() {
            *out = self.component(&span, index);
        }
    }

    /// The rotation at `seconds`; linear keys are joined along the shorter arc.
    #[must_use]
    pub fn sample_rotation(&self, seconds: f32) -> Quat {
        let Some(span) = self.span(seconds) else {
            return Quat::IDENTITY;
        };
        if self.interpolation == Interpolation::Linear && self.components == 4 {
            let [from, to] = [span.from, span.to].map(|key| unit(self.quaternion(key)));
            return from.slerp(to, span.part);
        }
        let mut rotation = [0.0; 4];
        self.sample(seconds, &mut rotation);
        unit(Quat::from_array(rotation))
    }

    fn span(&self, seconds: f32) -> Option<Span> {
        let after = self.times.partition_point(|&time| time <= seconds);
        let to = after.min(self.times.len().checked_sub(1)?);
        let from = after.saturating_sub(1);
        let length = self.times[to] - self.times[from];
        let part = if length > 0.0 {
            (seconds - self.times[from]) / length
        } else {
            0.0
        };
        Some(Span {
            from,
            to,
            part,
            length,
        })
    }

    fn component(&self, span: &Span, index: usize) -> f32 {
        match self.interpolation {
            Interpolation::Step => self.float(span.from, index),
            Interpolation::Linear => {
                let (a, b) = (self.float(span.from, index), self.float(span.to, index));
                a + (b - a) * span.part
            }
            Interpolation::CubicSpline => self.hermite(span, index),
        }
    }

    /// Appendix C.5: `p(t) = (2t^3 - 3t^2 + 1) p0 + d (t^3 - 2t^2 + t) m0 + (3t^2 - 2t^3) p1 + d (t^3 - t^2) m1`.
    fn hermite(&self, span: &Span, index: usize) -> f32 {
        let n = self.components;
        let (p0, m0) = (
            self.float(span.from, n + index),
            self.float(span.from, 2 * n + index),
        );
        let (m1, p1) = (self.float(span.to, index), self.float(span.to, n + index));
        let t = span.part;
        let (t2, t3) = (t * t, t * t * t);
        let values = (2.0 * t3 - 3.0 * t2 + 1.0) * p0 + (3.0 * t2 - 2.0 * t3) * p1;
        values + span.length * ((t3 - 2.0 * t2 + t) * m0 + (t3 - t2) * m1)
    }

    /// Float `index` of key `key`; 0 where the builder of the keyframes left it out.
    fn float(&self, key: usize, index: usize) -> f32 {
        let per_key = match self.interpolation {
            Interpolation::CubicSpline => 3 * self.components,
            Interpolation::Step | Interpolation::Linear => self.components,
        };
        let value = self.values.get(key * per_key + index);
        value.copied().unwrap_or_default()
    }

    fn quaternion(&self, key: usize) -> Quat {
        Quat::from_array(std::array::from_fn(|index| self.float(key, index)))
    }
}

/// A quaternion at unit length; identity where it has none.
pub(super) fn unit(rotation: Quat) -> Quat {
    let length = rotation.length();
    if length > 0.0 && length.is_finite() {
        return rotation / length;
    }
    Quat::IDENTITY
}

#[cfg(test)]
mod tests {
    use super::*;

    fn keyframes(interpolation: Interpolation, components: usize, values: &[f32]) -> Keyframes {
        Keyframes {
            times: vec![1.0, 3.0],
            values: values.to_vec(),
            components,
            interpolation,
        }
    }

    fn at(keyframes: &Keyframes, seconds: f32) -> f32 {
        let mut out = [f32::NAN];
        keyframes.sample(seconds, &mut out);
        out[0]
    }

    #[test]
    fn keyframes_hold_their_ends() {
        for interpolation in [Interpolation::Step, Interpolation::Linear] {
            let keyframes = keyframes(interpolation, 1, &[5.0, 7.0]);
            assert_eq!(
                at(&keyframes, 0.0),
                5.0,
                "{interpolation:?} before the first key"
            );
            assert_eq!(
                at(&keyframes, 9.0),
                7.0,
                "{interpolation:?} after the last key"
            );
        }
    }

    #[test]
    fn step_keeps_the_last_key_and_linear_goes_straight() {
        let step = keyframes(Interpolation::Step, 1, &[5.0, 7.0]);
        assert_eq!(at(&step, 2.9), 5.0, "step");
        assert_eq!(at(&step, 3.0), 7.0, "step at the key");
        let linear = keyframes(Interpolation::Linear, 1, &[5.0, 7.0]);
        assert_eq!(at(&linear, 1.5), 5.5, "a quarter of the way");
    }

    #[test]
    fn cubic_spline_reproduces_a_cubic() {
        let curve = |t: f32| 0.5 * t * t * t - 2.0 * t * t + t + 3.0;
        let slope = |t: f32| 1.5 * t * t - 4.0 * t + 1.0;
        let values = [9.0, curve(1.0), slope(1.0), slope(3.0), curve(3.0), 9.0];
        let spline = keyframes(Interpolation::CubicSpline, 1, &values);
        for step in 0..=16 {
            let seconds = 1.0 + step as f32 / 8.0;
            let error = (at(&spline, seconds) - curve(seconds)).abs();
            assert!(error < 1e-5, "at {seconds}: off by {error}");
        }
    }

    #[test]
    fn rotation_takes_the_shorter_arc() {
        let quarter = Quat::from_rotation_z(std::f32::consts::FRAC_PI_2);
        let values = [Quat::IDENTITY.to_array(), (-quarter).to_array()].concat();
        let keyframes = keyframes(Interpolation::Linear, 4, &values);
        let half = keyframes.sample_rotation(2.0);
        let expected = Quat::from_rotation_z(std::f32::consts::FRAC_PI_4);
        assert!(
            half.dot(expected).abs() > 0.99999,
            "{half} is half of the quarter turn"
        );
    }

    #[test]
    fn animation_time_repeats_after_its_duration() {
        let animation = Animation {
            duration: 2.0,
            ..Animation::default()
        };
        assert_eq!(animation.wrap(2.0), 2.0, "the end is part of it");
        assert_eq!(animation.wrap(2.5), 0.5, "second round");
        assert_eq!(animation.wrap(-0.5), 1.5, "before its start");
        assert_eq!(
            Animation::default().wrap(3.0),
            3.0,
            "nothing to wrap around"
        );
    }
}
