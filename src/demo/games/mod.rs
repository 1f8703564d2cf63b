//! The sixteen games, a folder each: in come seed, frame number and screen, out goes a frame's draws. None refers to
//! another, but that `catapult` stands in the hills of `climb`.

mod arena;
mod blocks;
mod catapult;
mod circuit;
mod climb;
mod corridor;
mod kingdom;
mod lantern;
mod marble;
mod match3;
mod rope;
mod royal;
mod runner;
mod slope;
mod towers;
mod village;

use super::Demo;

/// Every demo, in the order in which lists show them.
pub const DEMOS: &[Demo] = &[
    match3::DEMO,
    towers::DEMO,
    village::DEMO,
    rope::DEMO,
    lantern::DEMO,
    catapult::DEMO,
    slope::DEMO,
    runner::DEMO,
    marble::DEMO,
    corridor::DEMO,
    circuit::DEMO,
    arena::DEMO,
    blocks::DEMO,
    kingdom::DEMO,
    royal::DEMO,
    climb::DEMO,
];
