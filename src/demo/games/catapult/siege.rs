//! The siege: castles of beams and stones, shots that are thrown at them, what breaks. Every shot is played when the show
//! starts; frames look up what it left where.

use glam::{Vec2, vec2};

use super::physics::{Body, GRAVITY, block, calm, round, step};
use crate::kit::motion::Dice;

/// Height of the ground.
pub(super) const GROUND: f32 = 600.0;
/// Release point of the stone.
pub(super) const SLING: Vec2 = vec2(236.0, 352.0);
/// How far the camera goes to the castle.
pub(super) const PAN: f32 = 1060.0;
/// Frames of aiming, of flight and pan, of what the hit brings about, of the way back.
pub(super) const AIM: usize = 56;
pub(super) const FLIGHT: usize = 84;
const IMPACT: usize = 104;
pub(super) const BACK: usize = 60;
/// Frames of a shot.
pub(super) const SHOT: usize = AIM + FLIGHT + IMPACT + BACK;
/// Shots at a castle, castles of a siege.
pub(super) const SHOTS: usize = 3;
const CASTLES: usize = 3;
/// Frames of the first shot that the show leaves out.
const WARM: u64 = 40;
/// Frames of flight before the stone is near enough to touch anything.
const FREE: usize = 52;
pub(super) const STONE: f32 = 24.0;

/// Material of a piece.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Matter {
    Wood,
    Stone,
    Roof,
    Guard,
    Shot,
}

impl Matter {
    /// Mass a thousand square units.
    const fn density(self) -> f32 {
        match self {
            Self::Wood => 0.6,
            Self::Stone => 1.5,
            Self::Roof => 0.8,
            Self::Guard => 0.7,
            Self::Shot => 5.0,
        }
    }

    /// The change of speed within a frame that it does not survive, units a frame.
    const fn toughness(self) -> f32 {
        match self {
            Self::Wood => 5.2,
            Self::Stone => 8.5,
            Self::Roof => 6.0,
            Self::Guard => 2.2,
            Self::Shot => f32::MAX,
        }
    }

    pub(super) const fn points(self) -> u32 {
        match self {
            Self::Guard => 5000,
            Self::Stone => 800,
            Self::Wood | Self::Roof => 500,
            Self::Shot => 0,
        }
    }
}

/// A piece in one frame.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Piece {
    pub(super) matter: Matter,
    /// Half its width and height.
    pub(super) half: Vec2,
    pub(super) at: Vec2,
    pub(super) angle: f32,
}

/// A piece that broke in a shot.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Break {
    pub(super) matter: Matter,
    pub(super) at: Vec2,
    /// Frame of the shot.
    pub(super) born: usize,
}

/// A shot and what it did.
#[derive(Debug, Clone)]
pub(super) struct Shot {
    speed: Vec2,
    /// Frames from `AIM + FREE` on: everything that is left, the stone among it.
    run: Vec<Vec<Piece>>,
    before: Vec<Piece>,
    pub(super) breaks: Vec<Break>,
    /// Points of the siege before the shot.
    pub(super) score: u32,
    /// Number of the shot at this castle, and the castle's.
    pub(super) number: (usize, usize),
}

impl Shot {
    /// The pieces in a frame of the shot.
    pub(super) fn pieces(&self, time: usize) -> &[Piece] {
        let since = time.checked_sub(AIM + FREE);
        let run = since.and_then(|since| self.run.get(since).or(self.run.last()));
        run.unwrap_or(&self.before)
    }

    /// Position of the stone in free flight, before it can touch anything.
    pub(super) fn flying(&self, time: usize) -> Option<Vec2> {
        let t = time.checked_sub(AIM).filter(|t| *t < FREE)? as f32;
        Some(self.along(t))
    }

    fn along(&self, t: f32) -> Vec2 {
        SLING + self.speed * t + vec2(0.0, 0.5 * GRAVITY * t * t)
    }

    /// Points of the first `count` dots of the way that it will take.
    pub(super) fn preview(&self, count: usize) -> impl Iterator<Item = Vec2> {
        (1..=count).map(|k| self.along(3.4 * k as f32))
    }
}

/// Every shot of the siege, simulated to its end.
#[derive(Debug)]
pub(super) struct Siege {
    shots: Vec<Shot>,
}

impl Siege {
    pub(super) fn fight(seed: u32) -> Self {
        let mut dice = Dice::new(seed, 0x51e6);
        let mut shots: Vec<Shot> = Vec::new();
        let mut score = 0;
        for castle in 0..CASTLES {
            let mut pieces = build(&mut dice);
            for number in 0..SHOTS {
                let shot = throw(&mut dice, &pieces, (number, castle), score);
                score += shot
                    .breaks
                    .iter()
                    .map(|piece| piece.matter.points())
                    .sum::<u32>();
                pieces = shot.pieces(SHOT).to_vec();
                pieces.retain(|piece| piece.matter != Matter::Shot);
                shots.push(shot);
            }
        }
        Self { shots }
    }

    /// The shot of a frame and the frames since it began.
    pub(super) fn at(&self, frame: u64) -> (&Shot, usize) {
        let all = (self.shots.len() * SHOT) as u64;
        let time = ((frame + WARM) % all) as usize;
        (&self.shots[time / SHOT], time % SHOT)
    }
}

/// A castle of towers of stone and floors of beams, guards on them.
fn build(dice: &mut Dice) -> Vec<Piece> {
    let mut pieces = Vec::new();
    let mut put = |matter: Matter, half: Vec2, at: Vec2| {
        pieces.push(Piece {
            matter,
            half,
            at,
            angle: 0.0,
        });
    };
    let left = 1560.0 + dice.between(-20.0, 20.0);
    let bays = 3;
    let wide = 112.0;
    let floors = 2 + dice.below(2);
    for floor in 0..floors {
        let foot = GROUND - 124.0 * floor as f32;
        let inset = if floor == 2 { 1 } else { 0 };
        for post in inset..=(bays - inset) {
            let x = left + wide * post as f32;
            put(Matter::Wood, vec2(11.0, 50.0), vec2(x, foot - 50.0));
        }
        for bay in inset..(bays - inset) {
            let x = left + wide * (bay as f32 + 0.5);
            put(Matter::Wood, vec2(0.5 * wide, 12.0), vec2(x, foot - 112.0));
            if dice.unit() < 0.75 {
                put(Matter::Guard, Vec2::splat(25.0), vec2(x, foot - 25.0));
            }
        }
    }
    let top = GROUND - 124.0 * floors as f32;
    let middle = left + wide * 1.5;
    put(
        Matter::Stone,
        Vec2::splat(24.0),
        vec2(middle - 25.0, top - 24.0),
    );
    put(
        Matter::Stone,
        Vec2::splat(24.0),
        vec2(middle + 25.0, top - 24.0),
    );
    put(Matter::Roof, vec2(58.0, 34.0), vec2(middle, top - 71.0));
    for side in [-1.0, 1.0] {
        let x = middle + side * (1.5 * wide + 72.0);
        let high = 3 + dice.below(3);
        for k in 0..high {
            put(
                Matter::Stone,
                vec2(32.0, 25.0),
                vec2(x, GROUND - 25.0 - 50.0 * k as f32),
            );
        }
        let top = GROUND - 50.0 * high as f32;
        if dice.unit() < 0.5 {
            put(Matter::Guard, Vec2::splat(25.0), vec2(x, top - 25.0));
        } else {
            put(Matter::Roof, vec2(42.0, 30.0), vec2(x, top - 20.0));
        }
    }
    pieces
}

fn body(piece: &Piece) -> Body {
    let half = piece.half;
    let corners = match piece.matter {
        Matter::Wood | Matter::Stone => block(half),
        // Around the centre of mass, a third of its height up.
        Matter::Roof => [(0.0, -4.0), (3.0, 2.0), (-3.0, 2.0)]
            .map(|(x, y)| half * vec2(x, y) / 3.0)
            .to_vec(),
        Matter::Guard | Matter::Shot => round(half.x),
    };
    let mut body = Body::new(corners, piece.at, piece.matter.density());
    body.angle = piece.angle;
    body
}

/// Throws a stone at one of the pieces and plays what follows.
fn throw(dice: &mut Dice, before: &[Piece], number: (usize, usize), score: u32) -> Shot {
    let goal = match before.len() {
        0 => vec2(1700.0, GROUND - 60.0),
        n => before[dice.below(n)].at,
    };
    let goal = vec2(goal.x.min(1800.0), goal.y - dice.between(-10.0, 40.0));
    let flight = (FREE + 18) as f32;
    let speed = (goal - SLING) / flight - vec2(0.0, 0.5 * GRAVITY * flight);
    let mut shot = Shot {
        speed,
        run: Vec::new(),
        before: before.to_vec(),
        breaks: Vec::new(),
        score,
        number,
    };
    let mut pieces = before.to_vec();
    let mut bodies: Vec<Body> = pieces.iter().map(body).collect();
    let stone = Piece {
        matter: Matter::Shot,
        half: Vec2::splat(STONE),
        at: shot.along(FREE as f32),
        angle: 0.0,
    };
    pieces.push(stone);
    bodies.push(body(&stone));
    if let Some(stone) = bodies.last_mut() {
        stone.speed = speed + vec2(0.0, GRAVITY * FREE as f32);
        stone.spin = 0.03;
    }
    for time in AIM + FREE..SHOT - BACK + 20 {
        let speeds: Vec<Vec2> = bodies.iter().map(|body| body.speed).collect();
        step(&mut bodies, GROUND);
        if time > AIM + FLIGHT {
            calm(&mut bodies);
        }
        let breaks = |k: usize| speeds[k].distance(bodies[k].speed) > pieces[k].matter.toughness();
        let broken: Vec<bool> = (0..bodies.len()).map(breaks).collect();
        for k in (0..bodies.len()).rev().filter(|&k| broken[k]) {
            let piece = pieces.remove(k);
            let at = bodies.remove(k).at;
            shot.breaks.push(Break {
                matter: piece.matter,
                at,
                born: time,
            });
        }
        for (piece, body) in pieces.iter_mut().zip(&bodies) {
            piece.at = body.at;
            piece.angle = body.angle;
        }
        shot.run.push(pieces.clone());
    }
    shot
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn siege_breaks_castles() {
        for seed in 1..4 {
            let siege = Siege::fight(seed);
            let broken: usize = siege.shots.iter().map(|shot| shot.breaks.len()).sum();
            assert!(broken > CASTLES * 4, "seed {seed}: {broken} pieces");
            let scores = siege
                .shots
                .windows(2)
                .all(|pair| pair[0].score <= pair[1].score);
            assert!(scores, "seed {seed}: points are kept");
        }
    }

    #[test]
    fn pieces_stay_in_the_world() {
        let siege = Siege::fight(4);
        for shot in &siege.shots {
            for piece in shot.pieces(SHOT) {
                assert!(
                    piece.at.is_finite() && piece.at.y < GROUND + 6.0,
                    "{piece:?}"
                );
            }
        }
    }

    #[test]
    fn castle_stands_before_it_is_hit() {
        let siege = Siege::fight(2);
        let shot = &siege.shots[0];
        assert_eq!(
            shot.pieces(0),
            shot.pieces(AIM),
            "nothing moves while aiming"
        );
    }
}
