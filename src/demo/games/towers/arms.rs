//! Fighting units: kinds of foes and of towers in numbers.

use glam::{Vec2, vec2};

/// Properties of a kind of foe.
#[derive(Debug, Clone, Copy)]
pub(super) struct Breed {
    pub(super) life: f32,
    /// Walking speed, units a frame.
    pub(super) speed: f32,
    pub(super) gold: u32,
    /// Units from feet to head.
    pub(super) height: f32,
}

/// Properties of the foes, by kind.
pub(super) const BREEDS: [Breed; 4] = [
    Breed {
        life: 40.0,
        speed: 1.0,
        gold: 9,
        height: 54.0,
    },
    Breed {
        life: 96.0,
        speed: 0.75,
        gold: 15,
        height: 66.0,
    },
    Breed {
        life: 32.0,
        speed: 1.35,
        gold: 9,
        height: 54.0,
    },
    Breed {
        life: 420.0,
        speed: 0.5,
        gold: 60,
        height: 106.0,
    },
];

/// Properties of a kind of tower.
#[derive(Debug, Clone, Copy)]
pub(super) struct Weapon {
    pub(super) range: f32,
    /// Time between shots, frames.
    pub(super) reload: u32,
    pub(super) damage: f32,
    /// Speed of a shot, units a frame.
    pub(super) pace: f32,
    /// Units around the hit that suffer too.
    pub(super) splash: f32,
    /// Offset from the plot to the release point of shots.
    pub(super) muzzle: Vec2,
    pub(super) cost: u32,
}

/// Properties of the towers, by kind.
pub(super) const WEAPONS: [Weapon; 3] = [
    Weapon {
        range: 172.0,
        reload: 40,
        damage: 6.5,
        pace: 8.0,
        splash: 0.0,
        muzzle: vec2(0.0, -84.0),
        cost: 70,
    },
    Weapon {
        range: 160.0,
        reload: 84,
        damage: 17.0,
        pace: 6.0,
        splash: 0.0,
        muzzle: vec2(0.0, -92.0),
        cost: 100,
    },
    Weapon {
        range: 176.0,
        reload: 128,
        damage: 15.0,
        pace: 6.5,
        splash: 62.0,
        muzzle: vec2(26.0, -70.0),
        cost: 125,
    },
];

/// Price in gold by kind of tower.
pub(super) const COSTS: [u32; 3] = [WEAPONS[0].cost, WEAPONS[1].cost, WEAPONS[2].cost];
