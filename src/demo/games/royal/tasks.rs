//! Schedule of the show: the pieces of the hall in their order, and a moment of the show.

use glam::Vec2;

/// Frames from one piece to the next; a star flies, the piece drops, then one looks.
pub(super) const TASK: u64 = 150;
pub(super) const FLIES: f32 = 46.0;
pub(super) const LANDS: f32 = 74.0;
/// Frames of the feast when all is done.
pub(super) const FEAST: u64 = 240;

/// Pieces that are put up, in the order of their numbers.
pub(super) const PIECES: [Piece; 9] = [
    piece(5, [180.0, 262.0], 150.0, "A PORTRAIT OF THE QUEEN"),
    piece(1, [330.0, 516.0], 200.0, "A WARM HEARTH"),
    piece(3, [160.0, 560.0], 270.0, "A KNIGHT'S ARMOUR"),
    piece(2, [950.0, 514.0], 196.0, "THE ROYAL BOOKS"),
    piece(6, [640.0, 214.0], 192.0, "A CRYSTAL CHANDELIER"),
    piece(3, [1122.0, 560.0], 270.0, "ANOTHER KNIGHT"),
    piece(4, [796.0, 560.0], 172.0, "PALMS FROM AFAR"),
    piece(8, [240.0, 676.0], 124.0, "THE TREASURE"),
    piece(7, [1000.0, 690.0], 168.0, "CAKE FOR ALL"),
];

/// Something to put up.
#[derive(Debug, Clone, Copy)]
pub(super) struct Piece {
    pub(super) sprite: usize,
    pub(super) foot: Vec2,
    pub(super) height: f32,
    pub(super) name: &'static str,
}

const fn piece(sprite: usize, foot: [f32; 2], height: f32, name: &'static str) -> Piece {
    Piece {
        sprite,
        foot: Vec2::new(foot[0], foot[1]),
        height,
        name,
    }
}

/// A moment of the show.
#[derive(Debug, Clone, Copy)]
pub(super) struct Moment {
    pub(super) frame: u64,
    /// Pieces that stand, the one that comes not counted.
    pub(super) done: usize,
    /// Frames since the last task began, or since the feast did.
    pub(super) since: f32,
    pub(super) is_feast: bool,
    /// How often the hall was furnished before.
    pub(super) round: u64,
}
