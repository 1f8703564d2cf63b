//! The rules: waves of foes along the road, towers that shoot, gold that builds more of them. A whole battle is fought when
//! the show starts; every frame looks up its state.

use glam::{Vec2, vec2};

use super::arms::{BREEDS, WEAPONS};
use super::map::{PLOTS, Road};
use crate::kit::motion::Dice;

/// Waves of a battle.
pub(super) const WAVES: u32 = 7;
/// Frames fought before the show begins.
const WARM: usize = 900;
/// Frames that victory is celebrated.
pub(super) const VICTORY: usize = 260;
/// A battle that takes longer ends anyway.
const LONGEST: usize = 12_000;
/// Frames of a meteor's fall.
pub(super) const METEOR_FALLS: u32 = 36;
/// Frames from meteor to meteor.
pub(super) const METEOR_EVERY: u32 = 620;
/// Lives of the castle at the start.
pub(super) const LIVES: u32 = 20;

/// A foe in one frame.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Foe {
    pub(super) id: u32,
    pub(super) kind: usize,
    /// Units from the road's beginning.
    pub(super) way: f32,
    /// Units from the road's middle.
    pub(super) side: f32,
    /// Remaining life, 0..1 of the full.
    pub(super) life: f32,
    /// Frame of the last hit.
    pub(super) hurt: u32,
}

impl Foe {
    /// Position of its feet, in units of the land.
    pub(super) fn at(&self, road: &Road) -> Vec2 {
        let ahead = road.at(self.way + 6.0) - road.at(self.way - 6.0);
        let along = ahead.normalize_or(Vec2::X);
        road.at(self.way) + vec2(-along.y, along.x) * self.side
    }
}

/// An arrow (0), a bolt (1) or a ball (2) in flight.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Shot {
    pub(super) kind: usize,
    pub(super) from: Vec2,
    pub(super) to: Vec2,
    pub(super) born: u32,
    pub(super) flight: u32,
    target: u32,
    damage: f32,
}

/// Event with a visible effect of some frames.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Event {
    pub(super) what: What,
    pub(super) at: Vec2,
    pub(super) born: u32,
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum What {
    /// Hit by a shot of a kind.
    Hit(usize),
    /// Death of a foe, for so much gold.
    Death(u32),
    /// A tower was built.
    Built,
    /// A meteor begins to fall.
    Meteor,
    /// A foe has passed the gate.
    Leak,
}

/// The longest that an event is to be seen, frames.
pub(super) const EVENT_LASTS: u32 = 80;

/// The battle in one frame.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Tick {
    pub(super) foes: Vec<Foe>,
    pub(super) gold: u32,
    pub(super) lives: u32,
    pub(super) wave: u32,
    /// Share of this wave's foes that have come, 0..1.
    pub(super) arrived: f32,
    /// Level of the tower by plot; 0 is not built.
    pub(super) levels: [u32; PLOTS.len()],
}

/// A battle from the first foe to the last.
#[derive(Debug)]
pub(super) struct Battle {
    ticks: Vec<Tick>,
    shots: Vec<Shot>,
    events: Vec<Event>,
}

impl Battle {
    /// Fights the battle of a seed to its end.
    pub(super) fn fight(seed: u32, road: &Road) -> Self {
        let mut general = General::new(seed, road);
        let mut ticks = Vec::new();
        let mut after = 0;
        while after < VICTORY && ticks.len() < LONGEST {
            general.step();
            ticks.push(general.tick.clone());
            after += usize::from(general.is_over());
        }
        Self {
            ticks,
            shots: general.shots,
            events: general.events,
        }
    }

    /// The battle's own count of a frame of the show.
    pub(super) fn time(&self, frame: u64) -> u32 {
        ((frame + WARM as u64) % self.ticks.len().max(1) as u64) as u32
    }

    pub(super) fn tick(&self, time: u32) -> &Tick {
        &self.ticks[(time as usize).min(self.ticks.len() - 1)]
    }

    /// Frames until the next battle, if this one is won.
    pub(super) fn left(&self, time: u32) -> usize {
        self.ticks.len() - time as usize
    }

    /// Shots in the air, with the share of their flight that is behind them.
    pub(super) fn shots(&self, time: u32) -> impl Iterator<Item = (&Shot, f32)> {
        let first = self.shots.partition_point(|shot| shot.born + 90 < time);
        let flying = self.shots[first..]
            .iter()
            .take_while(move |shot| shot.born <= time);
        flying
            .map(move |shot| (shot, (time - shot.born) as f32 / shot.flight as f32))
            .filter(|(_, t)| *t < 1.0)
    }

    /// Recent events, each with its age in frames.
    pub(super) fn events(&self, time: u32) -> impl Iterator<Item = (&Event, f32)> {
        let first = self
            .events
            .partition_point(|event| event.born + EVENT_LASTS < time);
        let lately = self.events[first..]
            .iter()
            .take_while(move |event| event.born <= time);
        lately.map(move |event| (event, (time - event.born) as f32))
    }
}

/// Fights on both sides.
struct General<'a> {
    road: &'a Road,
    dice: Dice,
    time: u32,
    tick: Tick,
    shots: Vec<Shot>,
    events: Vec<Event>,
    /// Frame in which each tower may shoot again.
    ready: [u32; PLOTS.len()],
    /// Kinds of this wave that have not come yet, the next one last.
    waiting: Vec<usize>,
    wave_size: usize,
    next_foe: u32,
    n_foes: u32,
}

impl<'a> General<'a> {
    fn new(seed: u32, road: &'a Road) -> Self {
        let mut levels = [0; PLOTS.len()];
        for plot in [0, 3, 4, 6] {
            levels[plot] = 1;
        }
        Self {
            road,
            dice: Dice::new(seed, 0xba77),
            time: 0,
            tick: Tick {
                foes: Vec::new(),
                gold: 60,
                lives: LIVES,
                wave: 0,
                arrived: 0.0,
                levels,
            },
            shots: Vec::new(),
            events: Vec::new(),
            ready: [0; PLOTS.len()],
            waiting: Vec::new(),
            wave_size: 1,
            next_foe: 40,
            n_foes: 0,
        }
    }

    fn is_over(&self) -> bool {
        self.tick.wave == WAVES && self.waiting.is_empty() && self.tick.foes.is_empty()
    }

    fn step(&mut self) {
        self.arrive();
        self.walk();
        self.meteor();
        for plot in 0..PLOTS.len() {
            self.shoot(plot);
        }
        self.land();
        self.bury();
        self.build();
        self.time += 1;
    }

    fn mark(&mut self, what: What, at: Vec2) {
        self.events.push(Event {
            what,
            at,
            born: self.time,
        });
    }

    fn arrive(&mut self) {
        if self.time < self.next_foe {
            return;
        }
        let Some(kind) = self.waiting.pop() else {
            if self.tick.wave < WAVES {
                self.call_wave();
            }
            return;
        };
        let side = self.dice.between(-13.0, 13.0);
        self.tick.foes.push(Foe {
            id: self.n_foes,
            kind,
            way: 30.0,
            side,
            life: 1.0,
            hurt: 0,
        });
        self.n_foes += 1;
        let wave = self.tick.wave;
        self.next_foe = self.time + 58 - 2 * wave + self.dice.below(30) as u32;
        if self.waiting.is_empty() {
            self.next_foe += 200;
        }
        self.tick.arrived = 1.0 - self.waiting.len() as f32 / self.wave_size as f32;
    }

    fn call_wave(&mut self) {
        self.tick.wave += 1;
        let wave = self.tick.wave as usize;
        let mut kinds: Vec<usize> = (0..9 + wave)
            .map(|_| match self.dice.below(3 + wave) {
                0..=2 => 0,
                3 | 5 => 1,
                4 | 6 => 2,
                _ => self.dice.below(3),
            })
            .collect();
        if wave >= 3 {
            kinds.insert(1, 3);
        }
        self.wave_size = kinds.len();
        self.waiting = kinds;
        self.tick.arrived = 0.0;
    }

    fn walk(&mut self) {
        let mut leaked = 0;
        let gate = self.road.length() - 4.0;
        self.tick.foes.retain_mut(|foe| {
            foe.way += BREEDS[foe.kind].speed;
            leaked += u32::from(foe.way >= gate);
            foe.way < gate
        });
        for _ in 0..leaked {
            self.tick.lives = self.tick.lives.saturating_sub(1).max(1);
            self.mark(What::Leak, self.road.at(gate));
        }
    }

    /// Falls where most foes are, and strikes when it has fallen.
    fn meteor(&mut self) {
        if self.time % METEOR_EVERY == METEOR_EVERY - 1 {
            let crowd = |foe: &&Foe| {
                let at = foe.at(self.road);
                let near = |other: &&Foe| other.at(self.road).distance(at) < 110.0;
                self.tick.foes.iter().filter(near).count()
            };
            if let Some(foe) = self.tick.foes.iter().max_by_key(crowd) {
                let lead = BREEDS[foe.kind].speed * METEOR_FALLS as f32;
                let at = self.road.at(foe.way + lead);
                self.mark(What::Meteor, at);
            }
        }
        let falls =
            |event: &&Event| event.what == What::Meteor && event.born + METEOR_FALLS == self.time;
        if let Some(event) = self.events.iter().rev().take(40).find(falls).copied() {
            self.splash(event.at, 84.0, 34.0);
        }
    }

    fn splash(&mut self, at: Vec2, reach: f32, damage: f32) {
        for foe in &mut self.tick.foes {
            if foe.at(self.road).distance(at) < reach {
                foe.life -= damage / BREEDS[foe.kind].life;
                foe.hurt = self.time;
            }
        }
    }

    /// A tower shoots at the foe in its range that is nearest the gate, ahead by the time of flight.
    fn shoot(&mut self, plot: usize) {
        let level = self.tick.levels[plot];
        if level == 0 || self.time < self.ready[plot] {
            return;
        }
        let (place, kind) = PLOTS[plot];
        let weapon = WEAPONS[kind];
        let range = weapon.range + 12.0 * level as f32;
        let in_range = |foe: &&Foe| foe.at(self.road).distance(place) < range;
        let foremost = |a: &&Foe, b: &&Foe| a.way.total_cmp(&b.way);
        let Some(foe) = self.tick.foes.iter().filter(in_range).max_by(foremost) else {
            return;
        };
        let from = place + weapon.muzzle;
        let chest = vec2(0.0, -0.45 * BREEDS[foe.kind].height);
        let flight = (foe.at(self.road).distance(from) / weapon.pace).max(8.0) as u32;
        let later = Foe {
            way: foe.way + BREEDS[foe.kind].speed * flight as f32,
            ..*foe
        };
        let to = later.at(self.road) + if kind == 2 { Vec2::ZERO } else { chest };
        let damage = weapon.damage * (0.7 + 0.3 * level as f32);
        self.shots.push(Shot {
            kind,
            from,
            to,
            born: self.time,
            flight,
            target: foe.id,
            damage,
        });
        self.ready[plot] = self.time + weapon.reload;
    }

    /// Shots that arrive in this frame hit.
    fn land(&mut self) {
        let recent = self
            .shots
            .partition_point(|shot| shot.born + 90 < self.time);
        let arriving = |shot: &&Shot| shot.born + shot.flight == self.time;
        let hits: Vec<Shot> = self.shots[recent..]
            .iter()
            .filter(arriving)
            .copied()
            .collect();
        for shot in hits {
            self.mark(What::Hit(shot.kind), shot.to);
            if shot.kind == 2 {
                self.splash(shot.to, WEAPONS[2].splash, shot.damage);
            } else if let Some(foe) = self.tick.foes.iter_mut().find(|foe| foe.id == shot.target) {
                foe.life -= shot.damage / BREEDS[foe.kind].life;
                foe.hurt = self.time;
            }
        }
    }

    fn bury(&mut self) {
        let fallen: Vec<Foe> = self
            .tick
            .foes
            .iter()
            .filter(|foe| foe.life <= 0.0)
            .copied()
            .collect();
        self.tick.foes.retain(|foe| foe.life > 0.0);
        for foe in fallen {
            let gold = BREEDS[foe.kind].gold;
            self.tick.gold += gold;
            let chest = vec2(0.0, -0.4 * BREEDS[foe.kind].height);
            self.mark(What::Death(gold), foe.at(self.road) + chest);
        }
    }

    /// Empty plots first, then the lowest tower rises.
    fn build(&mut self) {
        if !self.time.is_multiple_of(90) {
            return;
        }
        let levels = &self.tick.levels;
        let order = (0..PLOTS.len()).filter(|&plot| levels[plot] < 3);
        let Some(plot) = order.min_by_key(|&plot| levels[plot]) else {
            return;
        };
        let cost = WEAPONS[PLOTS[plot].1].cost + 40 * levels[plot];
        if self.tick.gold >= cost {
            self.tick.gold -= cost;
            self.tick.levels[plot] += 1;
            self.mark(What::Built, PLOTS[plot].0);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn battle_is_won_in_time_with_few_losses() {
        for seed in 1..4 {
            let battle = Battle::fight(seed, &Road::new(seed));
            let sum: usize = battle.ticks.iter().map(|tick| tick.foes.len()).sum();
            let mean = sum as f32 / battle.ticks.len() as f32;
            let last = battle.ticks.last().expect("ticks");
            assert!(battle.ticks.len() < LONGEST, "seed {seed}: it ends");
            assert_eq!(last.wave, WAVES, "seed {seed}: all waves came");
            assert!(last.lives > 8, "seed {seed}: {} lives", last.lives);
            assert!(
                (3.0..12.0).contains(&mean),
                "seed {seed}: {mean} foes on the road"
            );
        }
    }

    #[test]
    fn gold_comes_from_the_fallen_and_goes_into_towers() {
        let battle = Battle::fight(2, &Road::new(2));
        for pair in battle.ticks.windows(2) {
            let spent = pair[0].gold > pair[1].gold;
            let built = pair[0].levels != pair[1].levels;
            assert_eq!(spent, built, "gold is spent on towers only");
        }
    }
}
