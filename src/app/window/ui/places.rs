//! Places of the picture's tiles and pixels on the window: a grid and the picture's placement in, points out.

use egui::{Pos2, Rect, Vec2};

use super::Facts;
use azulejo_grid::{TileGrid, TileId};

/// Places of tiles on the window, in points.
#[derive(Debug, Clone, Copy)]
pub(super) struct TilePlaces {
    pub(super) grid: TileGrid,
    origin: Vec2,
    scale: Vec2,
}

impl TilePlaces {
    /// Places of a grid laid over the picture, whatever that one's resolution is.
    pub(super) fn new(grid: TileGrid, facts: &Facts<'_>, pixels_per_point: f32) -> Self {
        let placement = facts.placement;
        let of = |axis: usize, edge: u32| {
            placement.scale * placement.size[axis] as f32 / edge.max(1) as f32 / pixels_per_point
        };
        Self {
            grid,
            origin: Vec2::from(placement.origin) / pixels_per_point,
            scale: Vec2::new(of(0, grid.width), of(1, grid.height)),
        }
    }

    /// Box of a tile in points.
    pub(super) fn rect(&self, tile: TileId) -> Rect {
        let rect = self.grid.rect(tile);
        let point = |x: i32, y: i32| self.point(Vec2::new(x as f32, y as f32));
        Rect::from_min_max(point(rect.x0, rect.y0), point(rect.x1, rect.y1))
    }

    /// Tile under a point.
    pub(super) fn tile(&self, at: Pos2) -> Option<TileId> {
        let size = self.grid.tile_size;
        let [x, y] = self.pixel(at)?;
        Some(self.grid.tile_at(x / size, y / size))
    }

    /// Point of the window for one of the picture.
    pub(super) fn point(&self, at: Vec2) -> Pos2 {
        (self.origin + at * self.scale).to_pos2()
    }

    /// Pixel of the picture under a point.
    pub(super) fn pixel(&self, at: Pos2) -> Option<[u32; 2]> {
        let inside = (at.to_vec2() - self.origin) / self.scale;
        let (x, y) = (inside.x.floor(), inside.y.floor());
        let within =
            x >= 0.0 && y >= 0.0 && x < self.grid.width as f32 && y < self.grid.height as f32;
        within.then_some([x as u32, y as u32])
    }

    /// Box of a pixel in points.
    pub(super) fn pixel_rect(&self, [x, y]: [u32; 2]) -> Rect {
        let corner = Vec2::new(x as f32, y as f32);
        Rect::from_min_max(self.point(corner), self.point(corner + Vec2::splat(1.0)))
    }

    /// Edge of a whole tile, in points.
    pub(super) fn edge(&self) -> f32 {
        self.scale.min_elem() * self.grid.tile_size as f32
    }
}
