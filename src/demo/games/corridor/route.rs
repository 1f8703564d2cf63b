//! Course of the corridors and of the guard: a closed walk through every cell of a grid, with a curve through it.

use std::f32::consts::TAU;

use glam::{Mat4, Vec3};

use crate::kit::motion::{Dice, wave};

/// A cell of the plan, or a step from one to another: x is the world's x, y its z.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Cell {
    pub(super) x: i32,
    pub(super) y: i32,
}

impl Cell {
    const fn new(x: i32, y: i32) -> Self {
        Self { x, y }
    }

    /// This and a step of `to`, `times` over.
    pub(super) const fn plus(self, to: Self, times: i32) -> Self {
        Self::new(self.x + to.x * times, self.y + to.y * times)
    }

    const fn is_inside(self, size: Self) -> bool {
        self.x >= 0 && self.y >= 0 && self.x < size.x && self.y < size.y
    }

    const fn halved(self) -> Self {
        Self::new(self.x / 2, self.y / 2)
    }
}

/// Edge of a cell in metres.
pub(super) const CELL: f32 = 4.0;

/// Steps to the neighbours: +x, +y, -x, -y.
pub(super) const SIDES: [Cell; 4] = [
    Cell::new(1, 0),
    Cell::new(0, 1),
    Cell::new(-1, 0),
    Cell::new(0, -1),
];

/// Blocks of 2 x 2 cells across and down.
const BLOCKS: Cell = Cell::new(5, 4);
/// Walking speed, metres a second.
const PACE: f32 = 3.2;
/// Metres of the eye over the floor.
const EYE: f32 = 1.65;

/// Closed walk of the guard.
#[derive(Debug)]
pub(super) struct Route {
    /// Cells in the order of the walk; neighbours in the list are neighbours on the grid.
    pub(super) cells: Vec<Cell>,
}

/// The guard at a moment.
#[derive(Debug, Clone, Copy)]
pub(super) struct Pose {
    /// Eye position in world space, metres.
    pub(super) eye: Vec3,
    /// View direction, unit vector.
    pub(super) ahead: Vec3,
    /// Distance walked so far, metres.
    pub(super) distance: f32,
}

impl Pose {
    /// Right, up and back of the eye.
    pub(super) fn world_from_eye(&self) -> Mat4 {
        let back = -self.ahead;
        let right = Vec3::Y.cross(back).normalize_or(Vec3::X);
        let axes = [right, back.cross(right), back].map(|axis| axis.extend(0.0));
        Mat4::from_cols(axes[0], axes[1], axes[2], self.eye.extend(1.0))
    }
}

impl Route {
    /// The walk of a seed: around a random spanning tree of the blocks, always along its right side, which passes every
    /// cell once.
    pub(super) fn new(seed: u32) -> Self {
        let joined = spanning_tree(&mut Dice::new(seed, 0x0c0d));
        let mut cells = vec![Cell::new(0, 0)];
        let mut step = SIDES[0];
        // From each cell: turn right where the tree lets, else go on, else turn left.
        while cells.len() < (BLOCKS.x * BLOCKS.y * 4) as usize {
            let cell = cells[cells.len() - 1];
            let right = Cell::new(-step.y, step.x);
            let turns = [right, step, Cell::new(step.y, -step.x)];
            let next = turns
                .into_iter()
                .find(|&turn| may_walk(&joined, cell, turn));
            step = next.unwrap_or(step);
            cells.push(cell.plus(step, 1));
        }
        Self { cells }
    }

    /// Metres of the whole walk.
    fn length(&self) -> f32 {
        self.cells.len() as f32 * CELL
    }

    /// The cell, by its place in the walk, that lies `distance` metres into it.
    pub(super) fn cell(&self, distance: f32) -> usize {
        let distance = distance.rem_euclid(self.length());
        ((distance / CELL) as usize).min(self.cells.len() - 1)
    }

    /// The floor `distance` metres into the walk: a quadratic curve in each cell from edge to edge, with its middle as
    /// control point.
    pub(super) fn point(&self, distance: f32) -> Vec3 {
        let at = self.cell(distance);
        let n = self.cells.len();
        let t = (distance.rem_euclid(self.length()) / CELL - at as f32).clamp(0.0, 1.0);
        let middle = middle(self.cells[at]);
        let from = (middle + self::middle(self.cells[(at + n - 1) % n])) * 0.5;
        let to = (middle + self::middle(self.cells[(at + 1) % n])) * 0.5;
        from.lerp(middle, t).lerp(middle.lerp(to, t), t)
    }

    /// The guard `seconds` into the patrol: he looks where he goes, and to both sides all the time.
    pub(super) fn at(&self, seconds: f32) -> Pose {
        let distance = seconds * PACE + 1.0;
        let here = self.point(distance);
        let onward =
            (self.point(distance + 1.8) - self.point(distance - 0.4)).normalize_or(Vec3::X);
        let yaw = onward.z.atan2(onward.x)
            + 0.42 * wave(seconds / 3.7)
            + 0.16 * wave(seconds / 1.9 + 0.3);
        let pitch = 0.07 * wave(seconds / 2.9) - 0.03;
        let bob = 0.035 * (seconds * TAU * 1.7).sin();
        Pose {
            eye: here + Vec3::Y * (EYE + bob),
            ahead: Vec3::new(
                yaw.cos() * pitch.cos(),
                pitch.sin(),
                yaw.sin() * pitch.cos(),
            ),
            distance,
        }
    }
}

/// World space middle of a cell's floor.
pub(super) fn middle(cell: Cell) -> Vec3 {
    Vec3::new(cell.x as f32, 0.0, cell.y as f32) * CELL
}

/// Pairs of neighbouring blocks that the tree joins.
type Joined = Vec<[Cell; 2]>;

fn spanning_tree(dice: &mut Dice) -> Joined {
    let mut reached = vec![Cell::new(0, 0)];
    let mut joined = Joined::new();
    while reached.len() < (BLOCKS.x * BLOCKS.y) as usize {
        // Mostly from the newest block, which makes long arms.
        let newest = dice.unit() < 0.7;
        let from = reached[if newest {
            reached.len() - 1
        } else {
            dice.below(reached.len())
        }];
        let step = SIDES[dice.below(4)];
        let to = from.plus(step, 1);
        if to.is_inside(BLOCKS) && !reached.contains(&to) {
            reached.push(to);
            joined.push([from, to]);
        }
    }
    joined
}

/// Whether the walk around the tree may step from `cell`: within a block only where it crosses no branch of the tree,
/// between blocks only along one.
fn may_walk(joined: &Joined, cell: Cell, step: Cell) -> bool {
    let to = cell.plus(step, 1);
    if !to.is_inside(Cell::new(2 * BLOCKS.x, 2 * BLOCKS.y)) {
        return false;
    }
    let is_joined = |a: Cell, b: Cell| joined.contains(&[a, b]) || joined.contains(&[b, a]);
    let (block, other) = (cell.halved(), to.halved());
    if block != other {
        return is_joined(block, other);
    }
    // The branch that this step would cross leaves the block on the side where both cells lie.
    let across = Cell::new(step.y.abs(), step.x.abs());
    let within = cell.plus(block, -2);
    let side = (within.x * across.x + within.y * across.y) * 2 - 1;
    !is_joined(block, block.plus(across, side))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn route_passes_every_cell_once_and_comes_back() {
        for seed in 0..20 {
            let cells = Route::new(seed).cells;
            let mut sorted = cells.clone();
            sorted.sort_unstable();
            sorted.dedup();
            assert_eq!(sorted.len(), cells.len(), "seed {seed}: once");
            let around = cells.iter().zip(cells.iter().cycle().skip(1));
            for (a, b) in around {
                assert!(
                    SIDES.iter().any(|side| a.plus(*side, 1) == *b),
                    "seed {seed}: neighbours"
                );
            }
        }
    }
}
