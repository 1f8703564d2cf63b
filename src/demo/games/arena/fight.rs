//! The fight: rounds of blows thrown by a seed, and what both bodies do in any frame of them.

use glam::Vec3;

use super::skeleton::Pose;
use crate::kit::motion::{Dice, FRAME_RATE, arc, ease, ease_out, wave};

/// Frames of a blow, from its start to that of the next, and of a round's end.
const BLOW: u64 = 44;
const FINISH: u64 = 190;
/// Frames before the first blow of a round.
const OPENING: u64 = 44;
/// Share of a blow's time at which it lands.
const LANDS: f32 = 0.42;
/// Rounds before the night begins again.
const ROUNDS: u32 = 8;
/// Metres between the fighters.
const APART: f32 = 1.26;

/// Kind of a punch.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Blow {
    Jab,
    Cross,
    Hook,
    Uppercut,
}

/// Result of a blow.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Outcome {
    Hit,
    Blocked,
    Dodged,
    Knockout,
}

/// A blow and what answers it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Exchange {
    /// First frame of the exchange.
    start: u64,
    /// Attacker: 0 left, 1 right.
    pub(super) attacker: usize,
    blow: Blow,
    pub(super) outcome: Outcome,
    /// Health that it takes from the other fighter.
    pub(super) damage: u32,
    /// Health of both before it.
    pub(super) health: [u32; 2],
    /// Hits landed in a row, this one included.
    pub(super) combo: u32,
    pub(super) round: u32,
    /// First frame of the round.
    pub(super) round_start: u64,
}

/// A night of fights.
#[derive(Debug)]
pub(super) struct Fight {
    exchanges: Vec<Exchange>,
    frames: u64,
}

/// A moment of the fight.
#[derive(Debug, Clone, Copy)]
pub(super) struct Moment {
    pub(super) exchange: Exchange,
    /// Share of the exchange's blow that is over, beyond 1 in a finish.
    pub(super) t: f32,
    /// Frames since the blow landed; negative before.
    pub(super) landed: f32,
    /// Frames since the round began.
    pub(super) in_round: f32,
    /// Frames since the first night began.
    frame: u64,
    before: Option<Exchange>,
}

impl Moment {
    /// Health of both, after the blow has landed.
    pub(super) fn health(&self) -> [f32; 2] {
        let mut health = self.exchange.health.map(|points| points as f32);
        let lost = self.exchange.damage as f32 * ease_out(self.landed / 14.0);
        health[1 - self.exchange.attacker] -= lost;
        health
    }

    /// Frames since a knockout, if there was one.
    pub(super) fn knocked_out(&self) -> Option<f32> {
        (self.exchange.outcome == Outcome::Knockout && self.landed >= 0.0).then_some(self.landed)
    }
}

impl Fight {
    /// The night of a seed.
    pub(super) fn new(seed: u32) -> Self {
        let mut dice = Dice::new(seed, 0xf147);
        let mut exchanges = Vec::new();
        let mut frame = 0;
        for round in 1..=ROUNDS {
            let mut health = [100_u32; 2];
            let (round_start, mut combo, mut last) = (frame, 0, 2);
            frame += OPENING;
            loop {
                let attacker = dice.below(2);
                let other = health[1 - attacker];
                let (blow, outcome, damage) = throw(&mut dice, other);
                let is_hit = matches!(outcome, Outcome::Hit | Outcome::Knockout);
                combo = match (is_hit, attacker == last) {
                    (true, true) => combo + 1,
                    (true, false) => 1,
                    (false, _) => 0,
                };
                last = attacker;
                let frames = match outcome {
                    Outcome::Knockout => FINISH,
                    _ => BLOW - 6 + dice.below(14) as u64,
                };
                exchanges.push(Exchange {
                    start: frame,
                    attacker,
                    blow,
                    outcome,
                    damage,
                    health,
                    combo,
                    round,
                    round_start,
                });
                health[1 - attacker] = other - damage;
                frame += frames;
                if outcome == Outcome::Knockout {
                    break;
                }
            }
        }
        Self {
            exchanges,
            frames: frame,
        }
    }

    /// The moment of a frame.
    pub(super) fn at(&self, ever: u64) -> Moment {
        let frame = ever % self.frames;
        let next = (self.exchanges).partition_point(|exchange| exchange.round_start <= frame);
        let begun = (self.exchanges[..next]).partition_point(|exchange| exchange.start <= frame);
        // Before the first blow of a round, that blow is still to come.
        let first = (self.exchanges[..next])
            .partition_point(|e| e.round_start < self.exchanges[next - 1].round_start);
        let number = begun.saturating_sub(1).max(first);
        let exchange = self.exchanges[number];
        let since = frame as f32 - exchange.start as f32;
        Moment {
            exchange,
            t: since / BLOW as f32,
            landed: since - LANDS * BLOW as f32,
            in_round: (frame - exchange.round_start) as f32,
            frame: ever,
            before: (number > first).then(|| self.exchanges[number - 1]),
        }
    }
}

/// A blow at one with `other` points of health left: what it is, what comes of it, what it takes.
fn throw(dice: &mut Dice, other: u32) -> (Blow, Outcome, u32) {
    let blow = [Blow::Jab, Blow::Cross, Blow::Hook, Blow::Uppercut][dice.below(4)];
    let chance = dice.unit();
    let strength = match blow {
        Blow::Jab => 4 + dice.below(4),
        Blow::Cross | Blow::Hook => 8 + dice.below(6),
        Blow::Uppercut => 12 + dice.below(8),
    } as u32;
    match chance {
        c if c < 0.62 && strength >= other => (blow, Outcome::Knockout, other),
        c if c < 0.62 => (blow, Outcome::Hit, strength),
        c if c < 0.84 => (blow, Outcome::Blocked, 1.min(other.saturating_sub(1))),
        _ => (blow, Outcome::Dodged, 0),
    }
}

/// How far a blow is drawn back, and how far it is out.
fn strike(t: f32) -> (f32, f32) {
    let windup = ease(t / 0.26) * (1.0 - ease((t - 0.26) / 0.12));
    let out = ease_out((t - 0.28) / 0.14) * (1.0 - ease((t - 0.5) / 0.34));
    (windup, out.max(0.0))
}

/// Middle between the fighters, and the angle of the line from the left to the right one. `orbit` is the camera's angle.
fn ground(frame: f32, orbit: impl Fn(f32) -> f32) -> (Vec3, f32) {
    let seconds = frame / FRAME_RATE;
    let middle = Vec3::new(
        0.3 * wave(seconds / 13.0),
        0.0,
        0.3 * wave(seconds / 17.0 + 0.2),
    );
    (middle, orbit(frame) + 0.42 * wave(seconds / 11.0))
}

/// Both fighters in a frame; `orbit` gives the camera's angle by frame.
pub(super) fn poses(moment: &Moment, orbit: &dyn Fn(f32) -> f32) -> [Pose; 2] {
    [0, 1].map(|who| pose(moment, who, orbit))
}

/// World space root and yaw of a fighter without the blows' lunges.
fn station(frame: f32, who: usize, orbit: &dyn Fn(f32) -> f32) -> (Vec3, f32) {
    let (middle, angle) = ground(frame, orbit);
    // The camera looks along (-sin, 0, -cos) of its angle; its right is (cos, 0, -sin).
    let right = Vec3::new(angle.cos(), 0.0, -angle.sin());
    let side = if who == 0 { -0.5 } else { 0.5 };
    let yaw = if who == 0 {
        right.x.atan2(right.z)
    } else {
        (-right.x).atan2(-right.z)
    };
    (middle + right * (side * APART), yaw)
}

fn pose(moment: &Moment, who: usize, orbit: &dyn Fn(f32) -> f32) -> Pose {
    let frame = moment.frame as f32;
    let mut pose = guard(frame, who, orbit);
    let Moment { exchange, t, .. } = *moment;
    if exchange.attacker == who {
        attack(&mut pose, exchange.blow, t);
    } else {
        receive(&mut pose, &exchange, t);
    }
    // Remainder of the step back from the blow before.
    if let Some(before) = moment.before.filter(|b| b.attacker != who)
        && before.outcome == Outcome::Hit
    {
        let left = 1.0 - ease(t / 0.6);
        step(&mut pose, -0.16 * left);
    }
    if let Some(since) = moment.knocked_out() {
        if exchange.attacker == who {
            cheer(&mut pose, since);
        } else {
            fall(&mut pose, since);
        }
    }
    pose
}

/// Moves a body along the line of the fight, feet and all.
fn step(pose: &mut Pose, metres: f32) {
    let ahead = Vec3::new(pose.yaw.sin(), 0.0, pose.yaw.cos());
    pose.root += ahead * metres;
    for foot in &mut pose.feet {
        *foot += ahead * metres;
    }
}

/// The guard: hands up, knees bent, weight from foot to foot.
fn guard(frame: f32, who: usize, orbit: &dyn Fn(f32) -> f32) -> Pose {
    let own = who as f32 * 0.37;
    let (root, yaw) = station(frame, who, orbit);
    let bounce = (wave(frame / 26.0 + own)).abs();
    let sway = wave(frame / 52.0 + own);
    let feet = [0, 1].map(|foot| planted(frame, who, foot, orbit));
    Pose {
        root,
        yaw,
        pelvis: Vec3::new(0.02 * sway, 0.915 + 0.022 * bounce, 0.02),
        hips: Vec3::new(0.08, -0.42, 0.03 * sway),
        chest: Vec3::new(0.16, 0.12 + 0.05 * sway, -0.04 * sway),
        head: Vec3::new(-0.08, 0.28, 0.05 * sway),
        hands: [
            Vec3::new(0.15 + 0.015 * sway, 0.44 + 0.02 * bounce, 0.37),
            Vec3::new(-0.16, 0.42 + 0.02 * bounce, 0.28 + 0.015 * sway),
        ],
        feet,
    }
}

/// Place of a foot in world space: it follows the body in steps.
fn planted(frame: f32, who: usize, foot: usize, orbit: &dyn Fn(f32) -> f32) -> Vec3 {
    let period = 34.0;
    let phase = period * (0.5 * foot as f32 + 0.25 * who as f32);
    let number = ((frame + phase) / period).floor();
    let within = (frame + phase) / period - number;
    let place = |number: f32| {
        let (root, yaw) = station((number * period - phase + 10.0).max(0.0), who, orbit);
        let local = [Vec3::new(0.15, 0.0, 0.24), Vec3::new(-0.2, 0.0, -0.24)][foot];
        root + glam::Quat::from_rotation_y(yaw) * local
    };
    let t = within / 0.4;
    place(number).lerp(place(number + 1.0), ease(t)) + Vec3::Y * (0.035 * arc(t))
}

fn attack(pose: &mut Pose, blow: Blow, t: f32) {
    let (back, out) = strike(t);
    // Hand, drawn back by, hits at, twist of hips and chest, metres of lunge.
    let (hand, drawn, target, twist, lunge) = match blow {
        Blow::Jab => (
            0,
            Vec3::new(0.0, 0.0, -0.1),
            Vec3::new(0.02, 0.52, 0.66),
            -0.3,
            0.2,
        ),
        Blow::Cross => (
            1,
            Vec3::new(-0.05, -0.02, -0.16),
            Vec3::new(-0.02, 0.5, 0.68),
            0.95,
            0.24,
        ),
        Blow::Hook => (
            0,
            Vec3::new(0.22, -0.05, -0.05),
            Vec3::new(-0.1, 0.5, 0.5),
            -0.85,
            0.26,
        ),
        Blow::Uppercut => (
            1,
            Vec3::new(-0.06, -0.34, -0.1),
            Vec3::new(0.0, 0.66, 0.5),
            0.8,
            0.3,
        ),
    };
    let rest = pose.hands[hand];
    let mut way = rest + drawn * back;
    way = way.lerp(target, out);
    if blow == Blow::Hook {
        way.x += 0.24 * arc(out) * (1.0 - out);
    }
    pose.hands[hand] = way;
    pose.hips.y += twist * (0.5 * out - 0.25 * back);
    pose.chest.y += twist * (0.6 * out - 0.35 * back);
    pose.chest.x += 0.12 * out;
    pose.head.y -= twist * 0.8 * out;
    if blow == Blow::Uppercut {
        pose.pelvis.y -= 0.1 * back - 0.05 * out;
        pose.chest.x += 0.3 * back - 0.35 * out;
    }
    let ahead = Vec3::new(pose.yaw.sin(), 0.0, pose.yaw.cos());
    pose.root += ahead * (lunge * out);
    pose.feet[0] += ahead * (lunge * 0.9 * out);
    pose.pelvis.y -= 0.04 * out;
}

fn receive(pose: &mut Pose, exchange: &Exchange, t: f32) {
    let since = t - LANDS;
    let shock = ease_out(since / 0.09) * (1.0 - ease((since - 0.1) / 0.4));
    match exchange.outcome {
        Outcome::Hit => {
            let from_side = match exchange.blow {
                Blow::Hook => 0.75,
                Blow::Cross => -0.35,
                Blow::Jab => 0.2,
                Blow::Uppercut => 0.0,
            };
            let up = if exchange.blow == Blow::Uppercut {
                1.5
            } else {
                1.0
            };
            pose.head += Vec3::new(-0.55 * up, from_side, 0.2 * from_side) * shock;
            pose.chest += Vec3::new(-0.38 * up, 0.5 * from_side, 0.0) * shock;
            pose.hands[0] += Vec3::new(0.08, -0.14, -0.04) * shock;
            pose.hands[1] += Vec3::new(-0.1, -0.12, -0.02) * shock;
            step(pose, -0.16 * ease_out(since.max(0.0) / 0.3));
        }
        Outcome::Blocked => {
            let raised = ease((t - 0.16) / 0.2) * (1.0 - ease((t - 0.62) / 0.25));
            for (hand, x) in pose.hands.iter_mut().zip([0.1, -0.1]) {
                *hand = hand.lerp(Vec3::new(x, 0.6, 0.3), raised);
            }
            pose.chest.x += 0.14 * raised - 0.16 * shock;
            pose.head.x += 0.2 * raised;
            pose.root -= Vec3::new(pose.yaw.sin(), 0.0, pose.yaw.cos()) * (0.05 * shock);
        }
        Outcome::Dodged => {
            let away = ease((t - 0.24) / 0.16) * (1.0 - ease((t - 0.55) / 0.3));
            pose.chest.z += 0.42 * away;
            pose.chest.x += 0.22 * away;
            pose.pelvis += Vec3::new(-0.08, -0.12, -0.04) * away;
        }
        Outcome::Knockout => {}
    }
}

/// Goes down on the back.
fn fall(pose: &mut Pose, since: f32) {
    let t = since / 46.0;
    let down = ease(t) * t.clamp(0.0, 1.0).sqrt();
    let bounce = 0.05 * arc((since - 46.0) / 16.0);
    pose.hips.y *= 1.0 - down;
    pose.pelvis = pose.pelvis.lerp(Vec3::new(0.0, 0.2 + bounce, -0.62), down);
    pose.hips.x -= 1.25 * down;
    pose.chest.x -= 0.45 * ease_out(since / 12.0) - 0.18 * down;
    pose.head.x -= 0.6 * ease_out(since / 8.0) * (1.0 - 0.9 * down);
    let spread = [Vec3::new(0.62, 0.42, 0.02), Vec3::new(-0.6, 0.5, 0.02)];
    for (hand, spread) in pose.hands.iter_mut().zip(spread) {
        *hand = hand.lerp(spread, ease(since / 30.0));
    }
}

/// Both arms up, a hop now and then.
fn cheer(pose: &mut Pose, since: f32) {
    let up = ease((since - 30.0) / 24.0);
    let pump = 0.07 * wave(since / 34.0) * up;
    let high = [Vec3::new(0.36, 0.95, 0.06), Vec3::new(-0.36, 0.95, 0.06)];
    for (hand, high) in pose.hands.iter_mut().zip(high) {
        *hand = hand.lerp(high + Vec3::Y * pump, up);
    }
    pose.head.x -= 0.25 * up;
    pose.chest.x -= 0.2 * up;
    pose.hips.y *= 1.0 - 0.6 * up;
    pose.pelvis.y += 0.03 * up * wave(since / 34.0);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fight_rounds_end_with_a_knockout() {
        for seed in 0..10 {
            let fight = Fight::new(seed);
            let ends = fight.exchanges.iter();
            let ends: Vec<_> = ends.filter(|e| e.outcome == Outcome::Knockout).collect();
            assert_eq!(ends.len(), ROUNDS as usize, "seed {seed}: one a round");
            let left = |e: &&Exchange| e.health[1 - e.attacker] == e.damage;
            assert!(ends.iter().all(left), "seed {seed}: with the last point");
        }
    }

    #[test]
    fn fight_moments_follow_each_other() {
        let fight = Fight::new(3);
        let mut round = 0;
        for frame in 0..fight.frames {
            let moment = fight.at(frame);
            assert!(moment.exchange.round >= round, "frame {frame}");
            assert!(moment.in_round >= 0.0, "frame {frame}");
            round = moment.exchange.round;
        }
        assert_eq!(round, ROUNDS, "all were fought");
    }

    #[test]
    fn fight_health_never_falls_below_zero() {
        let fight = Fight::new(5);
        for frame in (0..fight.frames).step_by(7) {
            let health = fight.at(frame).health();
            assert!(health.iter().all(|h| *h >= 0.0), "frame {frame}");
        }
    }
}
