//! The puzzles and their physics: blocks that stand, balls that fly, bounce and roll, thrown until one lies in the bowl.
//!
//! Balls are rigid spheres under gravity, blocks are fixed boxes; contacts take impulses along their normal and Coulomb
//! friction across it, which sets balls rolling. Everything is simulated when the show starts, in steps of [`STEP`]
//! seconds.

use std::f32::consts::TAU;

use glam::{Quat, Vec3};

use crate::kit::motion::Dice;

/// Metres a second squared; the space is a table's, ten times enlarged.
const GRAVITY: f32 = 14.0;
/// Seconds of a step, steps of a frame.
const STEP: f32 = 1.0 / 240.0;
const STEPS: u32 = 4;
/// Share of the speed along the normal that a bounce keeps.
const BOUNCE: f32 = 0.46;
const FRICTION: f32 = 0.5;
/// Frames of a throw's flight.
pub(super) const FLIGHT: u64 = 112;
/// Radius of the thrown ball.
pub(super) const BALL: f32 = 0.26;
/// Throwing position of the ball, world space.
pub(super) const TEE: Vec3 = Vec3::new(-3.6, 0.72, 0.0);

/// Material of a block.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Stuff {
    Table,
    Oak,
    Walnut,
    Paint,
    /// A side of the bowl, which is drawn as one.
    Bowl,
}

/// A fixed box: an obstacle of the course.
#[derive(Debug, Clone, Copy)]
pub(super) struct Block {
    pub(super) at: Vec3,
    pub(super) half: Vec3,
    pub(super) turn: Quat,
    pub(super) stuff: Stuff,
}

/// A sphere that moves.
#[derive(Debug, Clone, Copy)]
pub(super) struct Ball {
    pub(super) at: Vec3,
    pub(super) turn: Quat,
    speed: Vec3,
    spin: Vec3,
    pub(super) radius: f32,
}

/// A puzzle: what stands, where the bowl is, what lies about.
#[derive(Debug)]
pub(super) struct Level {
    pub(super) blocks: Vec<Block>,
    /// Middle of the bowl's floor.
    pub(super) bowl: Vec3,
    balls: Vec<Ball>,
}

/// A throw, frame by frame: the thrown ball first.
#[derive(Debug)]
pub(super) struct Throw {
    pub(super) level: usize,
    pub(super) speed: Vec3,
    pub(super) frames: Vec<Vec<Ball>>,
    pub(super) is_hit: bool,
}

fn block(at: [f32; 3], half: [f32; 3], stuff: Stuff) -> Block {
    Block {
        at: Vec3::from(at),
        half: Vec3::from(half),
        turn: Quat::IDENTITY,
        stuff,
    }
}

impl Ball {
    fn new(at: Vec3, radius: f32) -> Self {
        Self {
            at,
            turn: Quat::IDENTITY,
            speed: Vec3::ZERO,
            spin: Vec3::ZERO,
            radius,
        }
    }

    /// Touches something whose surface has the unit normal `normal` there and lies `depth` inside.
    fn touch(&mut self, normal: Vec3, depth: f32) {
        self.at += normal * depth;
        let approach = -self.speed.dot(normal);
        if approach <= 0.0 {
            return;
        }
        let bounce = if approach > 0.5 { BOUNCE } else { 0.0 };
        let push = approach * (1.0 + bounce);
        self.speed += normal * push;
        let arm = -normal * self.radius;
        let slip = self.speed + self.spin.cross(arm);
        let slip = slip - normal * slip.dot(normal);
        // A solid sphere stops slipping after an impulse of 2/7 of its slip.
        let grip = (FRICTION * push).min(slip.length() * 2.0 / 7.0);
        let drag = -slip.normalize_or_zero() * grip;
        self.speed += drag;
        self.spin += arm.cross(drag) / (0.4 * self.radius * self.radius);
        // Rolling friction.
        self.spin *= 0.994;
        self.speed -= (self.speed - normal * self.speed.dot(normal)) * 0.004;
    }

    fn collide(&mut self, block: &Block) {
        let local = block.turn.inverse() * (self.at - block.at);
        let nearest = local.clamp(-block.half, block.half);
        let away = local - nearest;
        let distance = away.length();
        if distance < self.radius && distance > 1e-6 {
            self.touch(block.turn * (away / distance), self.radius - distance);
        }
    }

    fn advance(&mut self) {
        self.speed.y -= GRAVITY * STEP;
        self.at += self.speed * STEP;
        self.turn = (Quat::from_scaled_axis(self.spin * STEP) * self.turn).normalize();
    }
}

/// Two balls bounce off each other; masses go with the cubes of radii.
fn bounce(a: &mut Ball, b: &mut Ball) {
    let way = b.at - a.at;
    let distance = way.length();
    let depth = a.radius + b.radius - distance;
    if depth <= 0.0 || distance < 1e-6 {
        return;
    }
    let normal = way / distance;
    let (heavy, light) = (a.radius.powi(3), b.radius.powi(3));
    let share = heavy / (heavy + light);
    a.at -= normal * (depth * (1.0 - share));
    b.at += normal * (depth * share);
    let approach = (a.speed - b.speed).dot(normal);
    if approach > 0.0 {
        let push = normal * (approach * 1.6);
        a.speed -= push * (1.0 - share);
        b.speed += push * share;
    }
}

impl Level {
    /// A puzzle of the dice.
    pub(super) fn new(dice: &mut Dice) -> Self {
        let mut blocks = vec![
            block([0.0, -0.25, 0.0], [7.0, 0.25, 2.3], Stuff::Table),
            block([TEE.x, 0.22, 0.0], [0.42, 0.22, 0.42], Stuff::Paint),
        ];
        let mut balls = Vec::new();
        let x = dice.between(-1.1, -0.2);
        match dice.below(3) {
            0 => gate(&mut blocks, &mut balls, x, dice),
            1 => stairs(&mut blocks, &mut balls, x, dice),
            _ => seesaw(&mut blocks, &mut balls, x, dice),
        }
        let high = dice.between(0.25, 0.9);
        let bowl = Vec3::new(dice.between(2.3, 3.1), 2.0 * high, 0.0);
        blocks.push(block([bowl.x, high, 0.0], [0.5, high, 0.5], Stuff::Walnut));
        blocks.push(block([bowl.x, 0.09, 0.0], [0.7, 0.09, 0.7], Stuff::Oak));
        blocks.push(block(
            [bowl.x, bowl.y + 0.04, 0.0],
            [0.34, 0.04, 0.34],
            Stuff::Bowl,
        ));
        for k in 0..12 {
            let turn = Quat::from_rotation_y(k as f32 / 12.0 * TAU);
            let side = turn * Vec3::new(0.0, 0.32, 0.52);
            blocks.push(Block {
                at: bowl + side,
                half: Vec3::new(0.16, 0.34, 0.05),
                turn: turn * Quat::from_rotation_x(0.42),
                stuff: Stuff::Bowl,
            });
        }
        Self {
            blocks,
            bowl,
            balls,
        }
    }

    /// Throws the ball and follows all of them.
    fn throw(&self, level: usize, speed: Vec3) -> Throw {
        let mut balls = vec![Ball::new(TEE, BALL)];
        balls[0].speed = speed;
        balls[0].spin = Vec3::new(0.0, 0.0, -5.0);
        balls.extend(&self.balls);
        let frames: Vec<Vec<Ball>> = (0..FLIGHT)
            .map(|_| {
                let now = balls.clone();
                for _ in 0..STEPS {
                    self.step(&mut balls);
                }
                now
            })
            .collect();
        let end = balls[0].at - self.bowl;
        let is_hit = end.x.hypot(end.z) < 0.5 && (0.0..0.7).contains(&end.y);
        Throw {
            level,
            speed,
            frames,
            is_hit,
        }
    }

    fn step(&self, balls: &mut [Ball]) {
        for ball in balls.iter_mut() {
            ball.advance();
            for block in &self.blocks {
                ball.collide(block);
            }
        }
        for k in 1..balls.len() {
            let (before, rest) = balls.split_at_mut(k);
            for other in before {
                bounce(other, &mut rest[0]);
            }
        }
    }

    /// One throw that misses, then one that does not, if any is found.
    fn solve(&self, level: usize, dice: &mut Dice) -> Vec<Throw> {
        let (mut miss, mut hit) = (None, None);
        for _ in 0..90 {
            let angle = dice.between(0.75, 1.2);
            let speed = dice.between(8.0, 11.5);
            let way = Vec3::new(angle.cos(), angle.sin(), 0.0) * speed;
            let throw = self.throw(level, way);
            let place = if throw.is_hit { &mut hit } else { &mut miss };
            place.get_or_insert(throw);
            if hit.is_some() && miss.is_some() {
                break;
            }
        }
        miss.into_iter().chain(hit).collect()
    }
}

/// Two pillars, a plank over them, balls on it.
fn gate(blocks: &mut Vec<Block>, balls: &mut Vec<Ball>, x: f32, dice: &mut Dice) {
    let high = dice.between(0.4, 0.7);
    for side in [-0.7, 0.7] {
        blocks.push(block([x + side, high, 0.0], [0.17, high, 0.4], Stuff::Oak));
    }
    blocks.push(block(
        [x, 2.0 * high + 0.09, 0.0],
        [1.05, 0.09, 0.45],
        Stuff::Walnut,
    ));
    for k in 0..4 {
        let at = Vec3::new(x - 0.6 + 0.4 * k as f32, 2.0 * high + 0.36, 0.0);
        balls.push(Ball::new(at, 0.17));
    }
    blocks.push(block([x, 0.3, 0.0], [0.3, 0.3, 0.3], Stuff::Paint));
}

/// Steps that rise, a ball on each.
fn stairs(blocks: &mut Vec<Block>, balls: &mut Vec<Ball>, x: f32, dice: &mut Dice) {
    for k in 0..4 {
        let high = 0.22 * (k + 1) as f32;
        let stuff = [Stuff::Oak, Stuff::Walnut, Stuff::Paint, Stuff::Oak][k];
        let at = x - 0.75 + 0.5 * k as f32;
        blocks.push(block([at, high, 0.0], [0.25, high, 0.5], stuff));
        let beside = dice.between(-0.2, 0.2);
        balls.push(Ball::new(Vec3::new(at, 2.0 * high + 0.16, beside), 0.15));
    }
}

/// A slanted plank against a tower.
fn seesaw(blocks: &mut Vec<Block>, balls: &mut Vec<Ball>, x: f32, dice: &mut Dice) {
    let high = dice.between(0.55, 0.85);
    blocks.push(block(
        [x + 0.7, high, 0.0],
        [0.28, high, 0.36],
        Stuff::Walnut,
    ));
    let slope = (2.0 * high / 1.7).atan();
    blocks.push(Block {
        at: Vec3::new(x - 0.35, high, 0.0),
        half: Vec3::new(1.05, 0.06, 0.34),
        turn: Quat::from_rotation_z(slope * 0.86),
        stuff: Stuff::Oak,
    });
    blocks.push(block(
        [x + 0.7, 2.0 * high + 0.2, 0.0],
        [0.2, 0.2, 0.2],
        Stuff::Paint,
    ));
    for k in 0..3 {
        let at = Vec3::new(x + 1.35 + 0.02 * k as f32, 0.17 + 0.33 * k as f32, 0.0);
        balls.push(Ball::new(at, 0.17));
    }
}

/// Puzzles and the throws at them, one after the other.
pub(super) fn course(seed: u32) -> (Vec<Level>, Vec<Throw>) {
    let mut dice = Dice::new(seed, 0x716e);
    let (mut levels, mut throws) = (Vec::new(), Vec::new());
    for number in 0..5 {
        let level = Level::new(&mut dice);
        throws.extend(level.solve(number, &mut dice));
        levels.push(level);
    }
    (levels, throws)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn course_has_throws_that_hit() {
        for seed in 0..3 {
            let (_, throws) = course(seed);
            let hits = throws.iter().filter(|throw| throw.is_hit).count();
            assert!(hits >= 2, "seed {seed}: {hits} hits");
        }
    }

    #[test]
    fn balls_stay_above_the_table() {
        let (_, throws) = course(1);
        let balls = throws
            .iter()
            .flat_map(|throw| throw.frames.iter().flatten());
        for ball in balls.filter(|ball| ball.at.x.abs() < 6.8 && ball.at.z.abs() < 2.1) {
            assert!(ball.at.y > ball.radius - 0.05, "at {}", ball.at);
        }
    }
}
