//! Order and supertile size, chosen frame by frame (section III-D): costs of the last frames in, a plan for the next out.

use std::cmp::Ordering;

use serde::de::{Error, Unexpected};
use serde::{Deserialize, Deserializer};

use azulejo_gpu::parameters::in_range_or_default;
use azulejo_units::Cycles;

/// The scheduler's parameters, `[technique.libra]` of a machine.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LibraSpec {
    /// Orders that may be chosen.
    pub order: LibraOrder,
    /// Edges of supertiles in tiles, smallest first, each a power of two: one alone is not changed.
    #[serde(deserialize_with = "edges")]
    pub supertile_edges: Vec<u32>,
    /// Edge of supertiles in the first frame, one of the list; 0 = the smallest.
    #[serde(deserialize_with = "in_range_or_default::<0, 64, _, _>")]
    pub first_edge: u32,
    /// Share by which raster cycles must change for supertiles of another size (section III-D: 0.25 %).
    #[serde(deserialize_with = "share")]
    pub resize_threshold: f64,
    /// Share by which raster cycles must change for a look at the order (section III-D: 3 %).
    #[serde(deserialize_with = "share")]
    pub order_threshold: f64,
    /// Hit ratio of the texture caches above which the memory is at ease (section III-D: 80 %).
    #[serde(deserialize_with = "share")]
    pub hit_threshold: f64,
}

/// Orders that the scheduler may choose.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum LibraOrder {
    /// Temperature or the conventional order, by the rules of section III-D.
    Adaptive,
    /// Temperature in every frame.
    Temperature,
    /// Supertiles in Z-order, dealt in turn (Fig. 16, static supertiles).
    ZOrder,
}

fn edges<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<u32>, D::Error> {
    const EXPECTED: &str =
        "edges in tiles such as [2, 4, 8, 16]: powers of two up to 64, ascending";
    let edges = Vec::<u32>::deserialize(deserializer)?;
    let is_valid = |edge: &u32| edge.is_power_of_two() && *edge <= 64;
    let ascend = edges.windows(2).all(|pair| pair[0] < pair[1]);
    if edges.is_empty() || !ascend || !edges.iter().all(is_valid) {
        let given = format!("{edges:?}");
        return Err(D::Error::invalid_value(
            Unexpected::Other(&given),
            &EXPECTED,
        ));
    }
    Ok(edges)
}

fn share<'de, D: Deserializer<'de>>(deserializer: D) -> Result<f64, D::Error> {
    let share = f64::deserialize(deserializer)?;
    if (0.0..=1.0).contains(&share) {
        return Ok(share);
    }
    let expected = &"a number from 0 to 1";
    Err(D::Error::invalid_value(Unexpected::Float(share), expected))
}

impl LibraSpec {
    /// Edge of the smallest supertiles.
    pub(super) fn smallest(&self) -> u32 {
        self.supertile_edges.first().copied().unwrap_or(1)
    }

    /// Position in the list of the edge that the first frame has; `None` where it is not listed.
    fn first_size(&self) -> Option<usize> {
        match self.first_edge {
            0 => Some(0),
            first => self.supertile_edges.iter().position(|edge| *edge == first),
        }
    }

    /// Whether the first frame's edge is one of those that may be chosen.
    pub(crate) fn has_first_edge(&self) -> bool {
        self.first_size().is_some()
    }
}

/// Numbers that are kept of a frame.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Observed {
    pub(crate) raster_cycles: Cycles,
    /// Hit ratio of all texture caches together, 0..=1.
    pub(crate) hit_ratio: f64,
}

/// Order and supertiles by which a frame is drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Plan {
    /// The machine's walk, tile by tile.
    Conventional,
    /// Supertiles in Z-order, of `edge` tiles a side.
    Supertiles { edge: u32 },
    /// Supertiles by temperature, of `edge` tiles a side.
    Temperature { edge: u32 },
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Direction {
    Larger,
    Smaller,
}

/// State machine that decides.
#[derive(Debug)]
pub(crate) struct Adaptation {
    spec: LibraSpec,
    by_temperature: bool,
    /// Position in the list of edges.
    size: usize,
    direction: Direction,
    resized: bool,
    last: Option<Observed>,
}

impl Adaptation {
    pub(crate) fn new(spec: &LibraSpec) -> Self {
        Self {
            spec: spec.clone(),
            by_temperature: spec.order != LibraOrder::ZOrder,
            size: spec.first_size().unwrap_or(0),
            direction: Direction::Larger,
            resized: false,
            last: None,
        }
    }

    /// Whether the last plan changed the supertiles' size.
    pub(crate) const fn has_resized(&self) -> bool {
        self.resized
    }

    /// Returns the plan for the frame after `observed`; none is observed before the first, or after one on another grid.
    pub(crate) fn plan(&mut self, observed: Option<Observed>) -> Plan {
        let before = std::mem::replace(&mut self.last, observed);
        self.resized = false;
        let Some(observed) = observed else {
            return match self.spec.order {
                LibraOrder::ZOrder => Plan::Supertiles { edge: self.edge() },
                _ => Plan::Conventional,
            };
        };
        if let Some(before) = before {
            let has_turned = self.choose_order(before, observed);
            if !has_turned && self.has_supertiles() {
                self.choose_size(before, observed);
            }
        }
        let edge = self.edge();
        match (self.by_temperature, self.spec.order) {
            (true, _) => Plan::Temperature { edge },
            (false, LibraOrder::ZOrder) => Plan::Supertiles { edge },
            (false, _) => Plan::Conventional,
        }
    }

    fn edge(&self) -> u32 {
        self.spec.supertile_edges[self.size]
    }

    fn has_supertiles(&self) -> bool {
        self.by_temperature || self.spec.order == LibraOrder::ZOrder
    }

    /// Chooses the order; returns whether it is another one now.
    fn choose_order(&mut self, before: Observed, observed: Observed) -> bool {
        let change = trend(before, observed, self.spec.order_threshold);
        if self.spec.order != LibraOrder::Adaptive || change == Ordering::Equal {
            return false;
        }
        let is_worse = change == Ordering::Greater && observed.hit_ratio < before.hit_ratio;
        let by_temperature = match is_worse {
            true => !self.by_temperature,
            false => observed.hit_ratio <= self.spec.hit_threshold,
        };
        std::mem::replace(&mut self.by_temperature, by_temperature) != by_temperature
    }

    fn choose_size(&mut self, before: Observed, observed: Observed) {
        match trend(before, observed, self.spec.resize_threshold) {
            Ordering::Equal => return,
            Ordering::Less => {}
            Ordering::Greater => {
                self.direction = match self.direction {
                    Direction::Larger => Direction::Smaller,
                    Direction::Smaller => Direction::Larger,
                };
            }
        }
        let last = self.spec.supertile_edges.len() - 1;
        let size = match self.direction {
            Direction::Larger => (self.size + 1).min(last),
            Direction::Smaller => self.size.saturating_sub(1),
        };
        self.resized = std::mem::replace(&mut self.size, size) != size;
    }
}

/// Change of raster cycles: greater or less by more than `threshold` of their former number, else equal.
fn trend(before: Observed, observed: Observed, threshold: f64) -> Ordering {
    let (before, now) = (
        before.raster_cycles.0 as f64,
        observed.raster_cycles.0 as f64,
    );
    if (now - before).abs() <= threshold * before {
        return Ordering::Equal;
    }
    now.total_cmp(&before)
}
