//! The rules: a candy on ropes of points (Verlet integration after Jakobsen, "Advanced Character Physics", GDC 2001), ropes
//! that are cut one by one, a bubble that carries, a mouth that waits. A level is thrown, played, and only then furnished:
//! stars hang where the candy comes by, the creature sits where it comes down. Units of flat layers on a stage 1280 wide.

use glam::{Vec2, vec2};

use crate::kit::motion::Dice;

/// Links of a rope.
const LINKS: usize = 9;
/// Units a frame, squared.
const GRAVITY: f32 = 0.34;
/// Physics steps a frame.
const STEPS: usize = 2;
/// Rounds of constraints a step.
const ROUNDS: usize = 14;
/// Height of the creature's mouth.
pub(super) const MOUTH: f32 = 552.0;
/// Frames that the creature chews, and until the next level begins.
pub(super) const CHEWS: usize = 60;
const CHEERS: usize = 150;
/// Frames of a bubble's flight.
const FLOATS: usize = 84;
/// A star is taken from this near.
const STAR_REACH: f32 = 46.0;

/// A rope from its pin to the candy.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Rope {
    /// Points from the pin to the candy.
    pub(super) points: [Vec2; LINKS + 1],
    before: [Vec2; LINKS + 1],
    length: f32,
    /// Frames since it was cut, and after which link.
    pub(super) cut: Option<(usize, usize)>,
}

/// A level in one frame.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Tick {
    pub(super) candy: Vec2,
    /// Whole turns, from +x towards +y.
    pub(super) turns: f32,
    pub(super) ropes: Vec<Rope>,
    /// Frames since the candy was caught by the bubble.
    pub(super) floating: Option<usize>,
}

/// A level that has been played.
#[derive(Debug, Clone, Default)]
pub(super) struct Level {
    pub(super) ticks: Vec<Tick>,
    /// Places of the stars, and the frames in which they are taken.
    pub(super) stars: Vec<(Vec2, usize)>,
    /// Middle of the creature's mouth.
    pub(super) mouth: Vec2,
    /// Frame in which it is fed.
    pub(super) fed: usize,
    /// Frames and places of cuts.
    pub(super) cuts: Vec<(usize, Vec2)>,
    /// Place of the bubble, the frames in which it catches the candy and in which it bursts.
    pub(super) bubble: Option<(Vec2, usize, usize)>,
}

impl Level {
    /// Throws levels until one is good.
    pub(super) fn new(dice: &mut Dice, has_bubble: bool) -> Self {
        let mut best = Self::default();
        for _ in 0..80 {
            let level = Play::new(dice, has_bubble).finish();
            if level.stars.len() > best.stars.len() {
                best = level;
            }
            if best.stars.len() == 3 {
                break;
            }
        }
        best
    }

    pub(super) fn frames(&self) -> usize {
        self.fed + CHEWS + CHEERS
    }

    /// State of the level in a frame; nothing moves after the candy is eaten.
    pub(super) fn tick(&self, time: usize) -> Option<&Tick> {
        self.ticks.get(time.min(self.fed))
    }
}

impl Rope {
    fn new(pin: Vec2, candy: Vec2, slack: f32) -> Self {
        let points = std::array::from_fn(|k| pin.lerp(candy, k as f32 / LINKS as f32));
        Self {
            points,
            before: points,
            length: pin.distance(candy) * slack,
            cut: None,
        }
    }

    /// Moves all but the pin and the candy, by their speed and gravity.
    fn fall(&mut self) {
        let dt = 1.0 / STEPS as f32;
        for k in 1..LINKS {
            let now = self.points[k];
            let speed = (now - self.before[k]) * 0.996;
            self.before[k] = now;
            self.points[k] = now + speed + vec2(0.0, GRAVITY * dt * dt);
        }
    }

    /// One round: every link gets its length again; the candy gives way less than rope does.
    fn pull(&mut self, candy: &mut Vec2) {
        let link = self.length / LINKS as f32;
        let cut = self.cut.map(|(_, link)| link);
        self.points[LINKS] = *candy;
        for k in (0..LINKS).filter(|&k| Some(k) != cut) {
            let along = self.points[k + 1] - self.points[k];
            let excess = along * (1.0 - link / along.length().max(1e-3));
            let weight = |end: usize| match end {
                0 => 0.0,
                LINKS => 0.06,
                _ => 1.0,
            };
            let sum = weight(k) + weight(k + 1);
            self.points[k] += excess * (weight(k) / sum);
            self.points[k + 1] -= excess * (weight(k + 1) / sum);
        }
        *candy = self.points[LINKS];
    }

    /// However heavy the candy: no farther from the pin than the rope is long.
    fn hold(&self, candy: &mut Vec2) {
        let away = *candy - self.points[0];
        if self.cut.is_none() && away.length() > self.length {
            *candy = self.points[0] + away.normalize() * self.length;
        }
    }
}

/// A level while it is played.
struct Play {
    level: Level,
    tick: Tick,
    before: Vec2,
    spin: f32,
    /// Frames in which ropes are cut.
    schedule: Vec<usize>,
    has_bubble: bool,
    pop: usize,
}

impl Play {
    fn new(dice: &mut Dice, has_bubble: bool) -> Self {
        let candy = vec2(dice.between(440.0, 860.0), dice.between(230.0, 320.0));
        let n_ropes = 2 + dice.below(2);
        let ropes: Vec<Rope> = (0..n_ropes)
            .map(|k| {
                // Pins side by side, the candy below and between them.
                let x = candy.x + (k as f32 - 0.5 * (n_ropes - 1) as f32) * 210.0;
                let pin = vec2(x + dice.between(-70.0, 70.0), dice.between(96.0, 170.0));
                Rope::new(pin, candy, dice.between(1.0, 1.1))
            })
            .collect();
        let mut schedule = Vec::new();
        let mut at = 60;
        for _ in 0..n_ropes {
            schedule.push(at + dice.below(24));
            at += 74;
        }
        Self {
            level: Level::default(),
            tick: Tick {
                candy,
                turns: 0.0,
                ropes,
                floating: None,
            },
            before: candy,
            spin: 0.0,
            schedule,
            has_bubble,
            pop: usize::MAX,
        }
    }

    fn finish(mut self) -> Level {
        let first = self.tick.candy;
        for time in 0..900 {
            self.cut(time);
            for _ in 0..STEPS {
                self.step();
            }
            self.float(time);
            self.level.ticks.push(self.tick.clone());
            let cut_all = self.tick.ropes.iter().all(|rope| rope.cut.is_some());
            if cut_all && self.tick.floating.is_none() && self.tick.candy.y > MOUTH {
                break;
            }
        }
        let landed = self.tick.candy;
        self.level.fed = self.level.ticks.len() - 1;
        self.level.mouth = vec2(landed.x, MOUTH);
        // A candy that hangs lower than the mouth cannot fall into it.
        if (250.0..1030.0).contains(&landed.x) && (MOUTH..MOUTH + 28.0).contains(&landed.y) {
            self.level.stars = hang_stars(&self.level, first);
        }
        self.level
    }

    fn cut(&mut self, time: usize) {
        for rope in &mut self.tick.ropes {
            if let Some((since, _)) = &mut rope.cut {
                *since += 1;
            }
        }
        // The shortest goes first, the longest swings widest.
        if self.schedule.contains(&time) {
            let whole = self.tick.ropes.iter_mut().filter(|rope| rope.cut.is_none());
            if let Some(rope) = whole.min_by(|a, b| a.length.total_cmp(&b.length)) {
                let link = LINKS / 2;
                rope.cut = Some((0, link));
                let middle = (rope.points[link] + rope.points[link + 1]) * 0.5;
                self.level.cuts.push((time, middle));
            }
        }
    }

    fn step(&mut self) {
        let dt = 1.0 / STEPS as f32;
        let now = self.tick.candy;
        let (drag, pull) = match self.tick.floating {
            Some(_) => (0.955, -0.11),
            None => (0.9985, GRAVITY),
        };
        let speed = (now - self.before) * drag;
        self.before = now;
        let mut candy = now + speed + vec2(0.0, pull * dt * dt);
        for rope in &mut self.tick.ropes {
            rope.fall();
        }
        for _ in 0..ROUNDS {
            for rope in &mut self.tick.ropes {
                rope.pull(&mut candy);
            }
        }
        for rope in &mut self.tick.ropes {
            rope.hold(&mut candy);
            rope.points[LINKS] = candy;
        }
        self.tick.candy = candy;
        self.spin += (0.0012 * (candy.x - now.x) - self.spin) * 0.08;
        self.tick.turns += self.spin;
    }

    /// The bubble catches what falls, carries it up and is burst.
    fn float(&mut self, time: usize) {
        let cut_all = self.tick.ropes.iter().all(|rope| rope.cut.is_some());
        if self.has_bubble && cut_all && self.pop == usize::MAX && self.tick.candy.y > 430.0 {
            self.tick.floating = Some(0);
            self.pop = time + FLOATS;
            self.level.bubble = Some((self.tick.candy, time, self.pop));
            // The bubble takes most of the fall.
            self.before = self.tick.candy - (self.tick.candy - self.before) * 0.35;
        } else if let Some(since) = &mut self.tick.floating {
            *since += 1;
            if time >= self.pop {
                self.tick.floating = None;
            }
        }
    }
}

/// Three places along the candy's way, apart from each other, from its beginning and from its end.
fn hang_stars(level: &Level, first: Vec2) -> Vec<(Vec2, usize)> {
    let begin = level.cuts.first().map_or(0, |cut| cut.0);
    let mut stars: Vec<(Vec2, usize)> = Vec::new();
    let length = level.fed.saturating_sub(begin);
    for try_number in 1..=32 {
        // Shares of the way by the golden ratio: each far from those before it.
        let share = (try_number as f32 * 0.618_034).fract();
        let time = begin + (length as f32 * share) as usize;
        let Some(tick) = level.ticks.get(time) else {
            continue;
        };
        let at = tick.candy;
        let far = |other: Vec2, least: f32| other.distance(at) > least;
        let apart = stars.iter().all(|star| far(star.0, 96.0));
        let bubble = level.bubble.is_none_or(|bubble| far(bubble.0, 90.0));
        let pins = level.ticks[0]
            .ropes
            .iter()
            .all(|rope| far(rope.points[0], 70.0));
        if stars.len() < 3 && apart && bubble && pins && far(first, 84.0) && far(level.mouth, 84.0)
        {
            let near = |tick: &Tick| tick.candy.distance(at) < STAR_REACH;
            let taken = level.ticks.iter().position(near).unwrap_or(time);
            stars.push((at, taken));
        }
    }
    stars
}

/// Levels one after the other.
#[derive(Debug)]
pub(super) struct Game {
    levels: Vec<Level>,
}

/// Levels of a game.
const LEVELS: usize = 9;
/// Frames of the first level that the show leaves out.
const WARM: usize = 34;

impl Game {
    pub(super) fn play(seed: u32) -> Self {
        let mut dice = Dice::new(seed, 0x509e);
        let level = |number| Level::new(&mut dice, number % 2 == 1);
        Self {
            levels: (0..LEVELS).map(level).collect(),
        }
    }

    /// Number of the level, the level, and the frames since it began.
    pub(super) fn at(&self, frame: u64) -> (usize, &Level, usize) {
        let all: usize = self.levels.iter().map(Level::frames).sum();
        let mut time = ((frame + WARM as u64) % all.max(1) as u64) as usize;
        for (number, level) in self.levels.iter().enumerate() {
            if time < level.frames() {
                return (number, level, time);
            }
            time -= level.frames();
        }
        (0, &self.levels[0], 0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn level_is_won_with_three_stars() {
        for seed in 1..4 {
            for (number, level) in Game::play(seed).levels.iter().enumerate() {
                assert_eq!(level.stars.len(), 3, "seed {seed}, level {number}");
                assert!(
                    level.stars.iter().all(|star| star.1 < level.fed),
                    "before it is fed"
                );
                let last = level.ticks.last().expect("ticks").candy;
                let off = (last - level.mouth).abs();
                assert!(
                    off.x < 1.0 && off.y < 30.0,
                    "seed {seed}, level {number}: {off}"
                );
            }
        }
    }

    #[test]
    fn rope_is_never_longer_than_it_is() {
        let level = Level::new(&mut Dice::new(5, 1), false);
        for tick in &level.ticks {
            for rope in tick.ropes.iter().filter(|rope| rope.cut.is_none()) {
                let reach = rope.points[0].distance(tick.candy);
                assert!(reach < rope.length * 1.01, "{reach} of {}", rope.length);
            }
        }
    }
}
