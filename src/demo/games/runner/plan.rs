//! Plan of the three tracks and the runner's way past the obstacles: a seed becomes a loop of segments, a distance becomes
//! a place.

use crate::kit::motion::{Dice, arc, ease};

/// Metres from the middle of a track to the next.
pub(super) const LANE: f32 = 2.4;
/// Metres of a segment.
pub(super) const SEGMENT: f32 = 14.4;
/// Metres of the roof of a train over the rails.
pub(super) const ROOF: f32 = 2.95;
/// Begin and end of a train within its segment, metres.
pub(super) const TRAIN: (f32, f32) = (2.0, 12.4);
/// Place of a barrier within its segment, metres.
pub(super) const MIDDLE: f32 = SEGMENT * 0.5;
/// Metres that a ramp is long; it ends where the train begins.
pub(super) const RAMP: f32 = 4.2;

/// Segments until the tracks repeat.
const N_SEGMENTS: usize = 160;
/// Metres before and after a segment's end within which the runner changes tracks.
const CHANGE: f32 = 2.0;
/// Metres before and after a barrier within which the runner is in the air, or rolls.
const LEAP: f32 = 3.1;
const DUCK: f32 = 2.5;
/// Metres of the fall from a roof.
const FALL: f32 = 4.2;

/// Course of the runner in a segment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Course {
    /// Nothing is in the way.
    Run,
    /// Over a low barrier.
    Jump,
    /// Rolled, below a beam.
    Roll,
    /// The roof of a train.
    Roof,
}

/// Obstacle on a track.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Obstacle {
    Nothing,
    /// A parked train of a livery.
    Train(usize),
    /// A train with a ramp before it.
    Ramp(usize),
    /// A low barrier, to be jumped over.
    Low,
    /// A beam, to be rolled under.
    High,
}

/// A stretch of the three tracks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Segment {
    /// The runner's track: -1 left, 1 right.
    pub(super) lane: i32,
    pub(super) course: Course,
    /// Obstacles from left to right.
    pub(super) tracks: [Obstacle; 3],
}

/// A loop of segments.
#[derive(Debug)]
pub(super) struct Plan {
    segments: Vec<Segment>,
    /// Coins before each segment, and at the end those of a whole round.
    coins_before: Vec<u32>,
}

/// Action of the runner.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Act {
    Runs,
    /// Flight in the air, a share of it behind him.
    Flies(f32),
    /// Tucked up, a share of the roll behind him.
    Rolls(f32),
}

/// The runner at a moment.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Stand {
    /// Metres along the tracks.
    pub(super) way: f32,
    /// Metres to the right of the middle track.
    pub(super) aside: f32,
    /// How fast he changes tracks: metres aside a metre ahead.
    pub(super) veer: f32,
    /// Metres over the rails.
    pub(super) height: f32,
    /// Height of the surface below him, metres over the rails.
    pub(super) floor: f32,
    pub(super) act: Act,
}

impl Plan {
    pub(super) fn new(seed: u32) -> Self {
        let mut dice = Dice::new(seed, 0x7e11);
        let mut segments: Vec<Segment> = Vec::new();
        for number in 0..N_SEGMENTS {
            let before = segments.last().copied();
            segments.push(next(&mut dice, before, number));
        }
        let mut coins_before = vec![0];
        for segment in &segments {
            let sum = coins_before.last().copied().unwrap_or(0);
            coins_before.push(sum + coins(*segment).count() as u32);
        }
        Self {
            segments,
            coins_before,
        }
    }

    pub(super) fn segment(&self, number: i64) -> Segment {
        self.segments[number.rem_euclid(N_SEGMENTS as i64) as usize]
    }

    /// Coins that lie before segment `number`, which is not negative.
    pub(super) fn coins_before(&self, number: i64) -> u32 {
        let rounds = number.div_euclid(N_SEGMENTS as i64) as u32;
        let within = number.rem_euclid(N_SEGMENTS as i64) as usize;
        rounds * self.coins_before[N_SEGMENTS] + self.coins_before[within]
    }

    /// The runner `way` metres from the start.
    pub(super) fn stand(&self, way: f32) -> Stand {
        let step = 0.05;
        let (height, floor, act) = self.flight(way);
        Stand {
            way,
            aside: self.aside(way),
            veer: (self.aside(way + step) - self.aside(way - step)) / (2.0 * step),
            height,
            floor,
            act,
        }
    }

    fn aside(&self, way: f32) -> f32 {
        let number = (way / SEGMENT).floor() as i64;
        let within = way - number as f32 * SEGMENT;
        let lane = |number: i64| self.segment(number).lane as f32 * LANE;
        let own = lane(number);
        if within < CHANGE {
            let t = ease(0.5 + within / (2.0 * CHANGE));
            lane(number - 1) + (own - lane(number - 1)) * t
        } else {
            let t = ease((within - SEGMENT + CHANGE) / (2.0 * CHANGE));
            own + (lane(number + 1) - own) * t
        }
    }

    /// Height of the feet, of what is below, and what the runner does.
    fn flight(&self, way: f32) -> (f32, f32, Act) {
        let number = (way / SEGMENT).floor() as i64;
        let within = way - number as f32 * SEGMENT;
        let [before, own, after] = [-1, 0, 1].map(|k| self.segment(number + k).course);
        let gap = TRAIN.0 + SEGMENT - TRAIN.1;
        // From roof to roof.
        let hop = |t: f32| (ROOF + 0.8 * arc(t), 0.0, Act::Flies(t));
        let from_roof = |t: f32| (ROOF * (1.0 - t * t), 0.0, Act::Flies(0.5 + 0.5 * t));
        let on_ramp = |left: f32| {
            let height = ROOF * (1.0 - left / RAMP).clamp(0.0, 1.0);
            (height, height, Act::Runs)
        };
        match (before, own, after) {
            (Course::Roof, Course::Roof, _) if within < TRAIN.0 => {
                hop((within + SEGMENT - TRAIN.1) / gap)
            }
            (_, Course::Roof, Course::Roof) if within > TRAIN.1 => hop((within - TRAIN.1) / gap),
            (_, Course::Roof, _) if within > TRAIN.1 => from_roof((within - TRAIN.1) / FALL),
            (_, Course::Roof, _) => on_ramp(TRAIN.0 - within),
            (Course::Roof, _, _) if within < FALL - (SEGMENT - TRAIN.1) => {
                from_roof((within + SEGMENT - TRAIN.1) / FALL)
            }
            (_, _, Course::Roof) if own != Course::Roof => {
                let (height, floor, act) = self.over_barrier(own, within);
                let (ramp, ..) = on_ramp(SEGMENT + TRAIN.0 - within);
                (height.max(ramp), floor.max(ramp), act)
            }
            _ => self.over_barrier(own, within),
        }
    }

    fn over_barrier(&self, course: Course, within: f32) -> (f32, f32, Act) {
        let from_middle = within - MIDDLE;
        match course {
            Course::Jump if from_middle.abs() < LEAP => {
                let t = (from_middle + LEAP) / (2.0 * LEAP);
                (1.35 * arc(t), 0.0, Act::Flies(t))
            }
            Course::Roll if from_middle.abs() < DUCK => {
                (0.0, 0.0, Act::Rolls((from_middle + DUCK) / (2.0 * DUCK)))
            }
            _ => (0.0, 0.0, Act::Runs),
        }
    }
}

/// Coins of a segment: metres into it and over the rails.
pub(super) fn coins(segment: Segment) -> impl Iterator<Item = (f32, f32)> {
    let (count, apart) = match segment.course {
        Course::Roll => (3, 1.5),
        _ => (5, 1.45),
    };
    (0..count).map(move |k| {
        let offset = (k as f32 - (count - 1) as f32 * 0.5) * apart;
        let t = (offset + LEAP) / (2.0 * LEAP);
        let height = match segment.course {
            Course::Run => 0.85,
            Course::Jump => 0.85 + 1.2 * arc(t),
            Course::Roll => 0.55,
            Course::Roof => ROOF + 0.85,
        };
        (MIDDLE + offset, height)
    })
}

/// The segment after `before`.
fn next(dice: &mut Dice, before: Option<Segment>, number: usize) -> Segment {
    let calm = number < 2 || number + 3 > N_SEGMENTS;
    let from = before.map_or(0, |segment| segment.lane);
    let after_roof = before.is_some_and(|segment| segment.course == Course::Roof);
    let course = match dice.below(10) {
        _ if calm => Course::Run,
        0..=2 if after_roof => Course::Roof,
        _ if after_roof => Course::Run,
        0..=2 => Course::Jump,
        3..=4 => Course::Roll,
        5..=6 => Course::Roof,
        _ => Course::Run,
    };
    let lane = if calm {
        from - from.signum()
    } else if after_roof {
        from
    } else {
        (from + dice.below(3) as i32 - 1).clamp(-1, 1)
    };
    let mut tracks = [Obstacle::Nothing; 3];
    for track in &mut tracks {
        let livery = dice.below(3);
        *track = match dice.below(10) {
            _ if calm => Obstacle::Nothing,
            0..=4 => Obstacle::Train(livery),
            5 => Obstacle::Low,
            6 => Obstacle::High,
            _ => Obstacle::Nothing,
        };
    }
    let own = &mut tracks[(lane + 1) as usize];
    *own = match course {
        Course::Run => Obstacle::Nothing,
        Course::Jump => Obstacle::Low,
        Course::Roll => Obstacle::High,
        Course::Roof if after_roof => Obstacle::Train(dice.below(3)),
        Course::Roof => Obstacle::Ramp(dice.below(3)),
    };
    Segment {
        lane,
        course,
        tracks,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plan_changes_tracks_one_at_a_time_and_closes() {
        for seed in 0..20 {
            let plan = Plan::new(seed);
            for number in 0..N_SEGMENTS as i64 {
                let step = plan.segment(number + 1).lane - plan.segment(number).lane;
                assert!(step.abs() <= 1, "seed {seed}, segment {number}");
            }
        }
    }

    #[test]
    fn runner_passes_every_obstacle() {
        for seed in 0..10 {
            let plan = Plan::new(seed);
            for tick in 0..N_SEGMENTS * 144 {
                let way = tick as f32 * 0.1;
                let stand = plan.stand(way);
                let number = (way / SEGMENT).floor() as i64;
                let within = way - number as f32 * SEGMENT;
                let lane = (stand.aside / LANE).round() as i32;
                let in_train = within > TRAIN.0 && within < TRAIN.1;
                match plan.segment(number).tracks[(lane + 1) as usize] {
                    Obstacle::Train(_) | Obstacle::Ramp(_) if in_train => {
                        assert!(
                            stand.height > ROOF - 0.05,
                            "seed {seed}: on the roof at {way}"
                        );
                    }
                    Obstacle::Low if (within - MIDDLE).abs() < 0.4 => {
                        assert!(stand.height > 1.0, "seed {seed}: over the barrier at {way}");
                    }
                    Obstacle::High if (within - MIDDLE).abs() < 0.4 => {
                        let rolls = matches!(stand.act, Act::Rolls(_));
                        assert!(rolls, "seed {seed}: below the beam at {way}");
                    }
                    _ => {}
                }
            }
        }
    }

    #[test]
    fn runner_never_jumps_in_space() {
        let plan = Plan::new(3);
        let mut before = plan.stand(0.0);
        for tick in 1..N_SEGMENTS * 144 {
            let now = plan.stand(tick as f32 * 0.1);
            assert!(
                (now.height - before.height).abs() < 0.25,
                "height at {}",
                now.way
            );
            assert!(
                (now.aside - before.aside).abs() < 0.2,
                "aside at {}",
                now.way
            );
            before = now;
        }
    }
}
