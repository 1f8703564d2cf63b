//! The map: where cities, mines, woods and mountains lie, the roads between them, and where armies march. All from a seed.

use glam::Vec2;

use crate::kit::motion::{Dice, FRAME_RATE, heading};

/// Units of the map.
pub(super) const MAP: Vec2 = Vec2::new(2240.0, 1400.0);

/// Things with a place of their own.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Site {
    /// Castle of an owner: 0 ours, 1 allied, 2 hostile.
    Castle(usize),
    Village,
    Farm,
    Lumber,
    Quarry,
    Mine,
    Camp,
}

/// A place on the map.
#[derive(Debug, Clone, Copy)]
pub(super) struct Place {
    pub(super) site: Site,
    /// Middle of its foot.
    pub(super) at: Vec2,
    pub(super) level: u32,
    /// Which of the names.
    pub(super) name: usize,
}

/// A company on the march.
#[derive(Debug, Clone)]
pub(super) struct Army {
    path: Vec<Vec2>,
    length: f32,
    /// Units it has gone at frame 0.
    gone: f32,
    /// Marching speed, units a second.
    pace: f32,
    pub(super) owner: usize,
    /// 0 on foot, 1 on horses, 2 with bows.
    pub(super) arm: usize,
    pub(super) name: usize,
    pub(super) soldiers: u32,
}

/// Places, landscape and marching armies of the map.
#[derive(Debug)]
pub(super) struct Realm {
    pub(super) places: Vec<Place>,
    /// Curves as lines of points.
    pub(super) roads: Vec<Vec<Vec2>>,
    pub(super) bridges: Vec<Vec2>,
    /// Foot, which of the trees, height.
    pub(super) trees: Vec<(Vec2, usize, f32)>,
    /// Foot and height of each mountain.
    pub(super) mountains: Vec<(Vec2, f32)>,
    /// Middles and radii of the woods.
    pub(super) woods: Vec<(Vec2, f32)>,
    pub(super) armies: Vec<Army>,
    /// Stops of the camera.
    pub(super) views: Vec<Vec2>,
}

/// The river's middle at a height of the map.
pub(super) fn river(y: f32) -> f32 {
    1130.0 + 200.0 * (y / 270.0 + 0.9).sin() + 46.0 * (y / 97.0).sin()
}

/// Half the river's width.
pub(super) fn river_width(y: f32) -> f32 {
    34.0 + 9.0 * (y / 150.0).sin()
}

impl Realm {
    pub(super) fn new(seed: u32) -> Self {
        let mut dice = Dice::new(seed, 0x4e41);
        let places = places(&mut dice);
        let (roads, joins) = roads(&places, &mut dice);
        let bridges = roads.iter().flat_map(|road| crossings(road)).collect();
        let mut realm = Self {
            armies: armies(&roads, &joins, &mut dice),
            places,
            roads,
            bridges,
            trees: Vec::new(),
            mountains: Vec::new(),
            woods: Vec::new(),
            views: Vec::new(),
        };
        realm.mountains = realm.ranges(&mut dice);
        realm.plant(&mut dice);
        realm.views = realm.sights(&mut dice);
        realm
    }

    /// Whether nothing of note lies within `reach`.
    fn is_free(&self, at: Vec2, reach: f32) -> bool {
        let stretched = |d: Vec2| (d * Vec2::new(1.0, 1.5)).length();
        let near_road = || {
            let mut points = self.roads.iter().flatten();
            points.any(|point| point.distance(at) < 0.5 * reach + 14.0)
        };
        self.places
            .iter()
            .all(|place| stretched(place.at - Vec2::Y * 30.0 - at) > reach + 46.0)
            && (river(at.y) - at.x).abs() > reach + river_width(at.y)
            && !near_road()
    }

    fn ranges(&self, dice: &mut Dice) -> Vec<(Vec2, f32)> {
        let mut mountains: Vec<(Vec2, f32)> = Vec::new();
        for _ in 0..9 {
            let mut at = Vec2::new(dice.unit(), dice.unit()) * MAP;
            let way = heading(dice.between(-0.08, 0.08)) * dice.between(56.0, 72.0);
            for _ in 0..6 {
                if self.is_free(at, 62.0) {
                    mountains.push((at, dice.between(96.0, 150.0)));
                }
                at += way + Vec2::new(0.0, dice.between(-26.0, 26.0));
            }
        }
        mountains
    }

    fn plant(&mut self, dice: &mut Dice) {
        for _ in 0..46 {
            let middle = Vec2::new(dice.unit(), dice.unit()) * MAP;
            let radius = dice.between(46.0, 120.0);
            let kind = dice.below(2);
            let mut grown = 0;
            for _ in 0..(radius * 0.42) as u32 {
                let out = heading(dice.unit()) * (radius * dice.unit().sqrt());
                let at = middle + out * Vec2::new(1.0, 0.62);
                let clear = self.mountains.iter().all(|(m, _)| m.distance(at) > 44.0);
                if clear && self.is_free(at, 22.0) {
                    let tree = if dice.unit() < 0.85 { kind } else { 1 - kind };
                    self.trees.push((at, tree, dice.between(34.0, 52.0)));
                    grown += 1;
                }
            }
            if grown > 6 {
                self.woods.push((middle, radius));
            }
        }
        for _ in 0..240 {
            let at = Vec2::new(dice.unit(), dice.unit()) * MAP;
            if self.is_free(at, 8.0) {
                self.trees
                    .push((at, 2 + dice.below(3), dice.between(13.0, 22.0)));
            }
        }
    }

    /// Views over places worth seeing, one after the other.
    fn sights(&self, dice: &mut Dice) -> Vec<Vec2> {
        let castles = self.places.iter();
        let castles = castles.filter(|place| matches!(place.site, Site::Castle(_)));
        let mut sights: Vec<Vec2> = castles.map(|place| place.at - Vec2::Y * 40.0).collect();
        let first = sights.remove(0);
        // Far apart views follow each other, so that pans are worth it.
        let mut order = vec![first];
        while !sights.is_empty() {
            order.push(sights.swap_remove(dice.below(sights.len())));
        }
        order
    }
}

/// Puts things of a kind where they have room.
fn places(dice: &mut Dice) -> Vec<Place> {
    let mut wanted = vec![(Site::Castle(0), 250.0)];
    for owner in [1, 2, 1, 2, 1, 2, 1, 2, 1] {
        wanted.push((Site::Castle(owner), 250.0));
    }
    wanted.extend([(Site::Village, 170.0); 7]);
    let sites = [
        Site::Farm,
        Site::Lumber,
        Site::Quarry,
        Site::Mine,
        Site::Camp,
    ];
    wanted.extend((0..46).map(|k| (sites[k % sites.len()], 104.0)));
    let mut places: Vec<Place> = Vec::new();
    for (site, room) in wanted {
        for _ in 0..160 {
            let at = Vec2::new(
                dice.between(90.0, MAP.x - 90.0),
                dice.between(130.0, MAP.y - 60.0),
            );
            let apart = |place: &Place| {
                let way = (place.at - at) * Vec2::new(1.0, 1.35);
                let other: f32 = if matches!(place.site, Site::Castle(_)) {
                    190.0
                } else {
                    104.0
                };
                way.length() > other.max(room)
            };
            if (river(at.y) - at.x).abs() > 125.0 && places.iter().all(apart) {
                places.push(Place {
                    site,
                    at,
                    level: 1 + dice.below(25) as u32,
                    name: dice.below(64),
                });
                break;
            }
        }
    }
    places
}

/// Pairs of places by number.
type Joins = Vec<[usize; 2]>;

/// Each town is joined to its two nearest, by curves.
fn roads(places: &[Place], dice: &mut Dice) -> (Vec<Vec<Vec2>>, Joins) {
    let is_town = |p: &Place| matches!(p.site, Site::Castle(_) | Site::Village);
    let towns: Vec<usize> = (0..places.len()).filter(|&k| is_town(&places[k])).collect();
    let mut joins = Joins::new();
    for &from in &towns {
        let mut others: Vec<usize> = towns.iter().copied().filter(|&to| to != from).collect();
        let distance = |to: &usize| places[*to].at.distance(places[from].at);
        others.sort_by(|a, b| distance(a).total_cmp(&distance(b)));
        for &to in others.iter().take(2) {
            let pair = [from.min(to), from.max(to)];
            if !joins.contains(&pair) {
                joins.push(pair);
            }
        }
    }
    let roads = joins.iter().map(|&[from, to]| {
        let (a, b) = (places[from].at, places[to].at);
        let bend = (b - a).perp() * dice.between(-0.16, 0.16);
        let middle = (a + b) * 0.5 + bend;
        let n = (a.distance(b) / 16.0).ceil().max(2.0) as u32;
        let at = |k: u32| {
            let t = k as f32 / n as f32;
            a.lerp(middle, t).lerp(middle.lerp(b, t), t)
        };
        (0..=n).map(at).collect()
    });
    (roads.collect(), joins)
}

/// Crossings of a road with the river.
fn crossings(road: &[Vec2]) -> Vec<Vec2> {
    let side = |p: Vec2| p.x - river(p.y);
    let pairs = road.windows(2);
    let crossing = pairs.filter(|pair| (side(pair[0]) < 0.0) != (side(pair[1]) < 0.0));
    crossing.map(|pair| (pair[0] + pair[1]) * 0.5).collect()
}

fn armies(roads: &[Vec<Vec2>], joins: &Joins, dice: &mut Dice) -> Vec<Army> {
    let mut armies = Vec::new();
    for number in 0..36 {
        // A walk over two or three roads.
        let first = dice.below(joins.len());
        let mut path = roads[first].clone();
        let mut end = joins[first][1];
        for _ in 0..1 + dice.below(2) {
            let next: Vec<usize> = (0..joins.len())
                .filter(|&k| joins[k].contains(&end))
                .collect();
            let road = next[dice.below(next.len())];
            let [from, to] = joins[road];
            let mut on = roads[road].clone();
            if from != end {
                on.reverse();
            }
            end = if from == end { to } else { from };
            path.extend(on.into_iter().skip(1));
        }
        let length: f32 = path.windows(2).map(|p| p[0].distance(p[1])).sum();
        armies.push(Army {
            gone: dice.between(0.0, 2.0 * length),
            length,
            path,
            pace: dice.between(22.0, 36.0),
            owner: if number % 4 == 0 {
                0
            } else {
                1 + dice.below(2)
            },
            arm: dice.below(3),
            name: dice.below(64),
            soldiers: 9 + 3 * dice.below(3) as u32,
        });
    }
    armies
}

impl Army {
    /// Position of its head in a frame, and the unit vector in which it marches: to the end of its way and back.
    pub(super) fn at(&self, frame: u64) -> (Vec2, Vec2) {
        let gone =
            (self.gone + self.pace * frame as f32 / FRAME_RATE).rem_euclid(2.0 * self.length);
        if gone < self.length {
            self.point(gone)
        } else {
            let (at, way) = self.point(2.0 * self.length - gone);
            (at, -way)
        }
    }

    fn point(&self, distance: f32) -> (Vec2, Vec2) {
        let mut left = distance;
        for pair in self.path.windows(2) {
            let step = pair[0].distance(pair[1]);
            if left <= step {
                let way = (pair[1] - pair[0]).normalize_or(Vec2::X);
                return (pair[0] + way * left, way);
            }
            left -= step;
        }
        let end = self.path[self.path.len() - 1];
        (end, Vec2::X)
    }

    /// Points of the way that still lies before it, every `step` units.
    pub(super) fn ahead(&self, frame: u64, step: f32) -> Vec<(Vec2, Vec2)> {
        let gone =
            (self.gone + self.pace * frame as f32 / FRAME_RATE).rem_euclid(2.0 * self.length);
        let back = gone >= self.length;
        let here = if back { 2.0 * self.length - gone } else { gone };
        let n = (self.length / step) as u32;
        let marks = (1..n).map(|k| k as f32 * step);
        let marks = marks.filter(|mark| {
            if back {
                *mark < here - 20.0
            } else {
                *mark > here + 20.0
            }
        });
        let turned = |(at, way): (Vec2, Vec2)| (at, if back { -way } else { way });
        marks.map(|mark| turned(self.point(mark))).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn realm_has_a_castle_of_ours_and_room_around_castles() {
        for seed in 0..8 {
            let realm = Realm::new(seed);
            let castles: Vec<&Place> = realm.places.iter().collect();
            let castles: Vec<_> = (castles.iter())
                .filter(|p| matches!(p.site, Site::Castle(_)))
                .collect();
            assert_eq!(
                castles[0].site,
                Site::Castle(0),
                "seed {seed}: ours comes first"
            );
            assert!(castles.len() >= 6, "seed {seed}: {} castles", castles.len());
            for (k, a) in castles.iter().enumerate() {
                for b in &castles[..k] {
                    assert!(a.at.distance(b.at) > 150.0, "seed {seed}: too near");
                }
            }
        }
    }

    #[test]
    fn army_walks_without_jumps() {
        let realm = Realm::new(4);
        for army in &realm.armies {
            for frame in 0..3000 {
                let (before, after) = (army.at(frame).0, army.at(frame + 1).0);
                assert!(before.distance(after) < 1.0, "frame {frame}");
            }
        }
    }

    #[test]
    fn roads_cross_the_river_on_bridges() {
        let realm = Realm::new(2);
        for bridge in &realm.bridges {
            assert!((river(bridge.y) - bridge.x).abs() < 20.0, "{bridge}");
        }
    }
}
