//! The inspector: a frozen frame taken apart. A [`DrawList`](azulejo_render::DrawList) comes in; out go plain values that a
//! table, a JSON file or a window can show.
//!
//! | question | answer |
//! |---|---|
//! | what does each draw cost? | [`draw_costs`]: [`DrawCost`] |
//! | how did this tile come about? | [`tile_history`]: [`TileHistory`], step by step |
//! | who touched this pixel? | [`TileHistory::pixel`]: [`PixelHistory`] |
//! | what lies in every pixel? | [`frame_planes`]: [`FramePlanes`], [`FramePlanes::paint`] as a [`PaintedView`] |
//! | what was read of a texture? | [`texture_reads`]: [`TextureReads`], [`texture_picture`] |
//! | what costs most? | [`CostColumn::sort`], [`DRAW_COLUMNS`], [`STEP_COLUMNS`] |
//! | what should be mended first? | [`hints`]: [`Hint`] |
//!
//! Tiles are drawn again by the renderer itself under an observer (`azulejo_render::raster::observe`), never by a second
//! rasteriser, so the last step of a history is the frame's pixels, to the byte.
//!
//! ```
//! # mod azulejo { pub use azulejo_inspect as inspect; pub use azulejo_render as render; pub use azulejo_scene as scene; pub use azulejo_simd as simd; }
//! use azulejo::inspect::{Outcome, tile_history};
//! # use azulejo::render::shading::{FragmentInputs, FragmentOutput, FragmentProgram, VaryingLayout};
//! # use azulejo::render::{Draw, DrawList, RenderSettings, Renderer, SimdLevel};
//! # use azulejo::scene::Primitive;
//! # use azulejo::simd::Lanes;
//! # use glam::Vec3;
//! # struct White;
//! # impl FragmentProgram for White {
//! #     fn varyings(&self) -> VaryingLayout {
//! #         VaryingLayout::default()
//! #     }
//! #     fn shade<L: Lanes>(&self, l: L, _: &FragmentInputs<L>) -> FragmentOutput<L> {
//! #         FragmentOutput { rgba: [l.f(1.0); 4], keep: l.mask(0xffff) }
//! #     }
//! # }
//! # let triangle = Primitive {
//! #     positions: [[-1.0, -1.0], [3.0, -1.0], [-1.0, 3.0]].map(|[x, y]| Vec3::new(x, y, 0.5)).into(),
//! #     indices: vec![0, 1, 2],
//! #     ..Primitive::default()
//! # };
//! # let settings = RenderSettings { width: 64, height: 32, ..RenderSettings::default() };
//! # let draw = Draw { double_sided: true, ..Draw::new(&triangle, White) };
//! # let list = DrawList::new(vec![draw], settings);
//! # let mut renderer = Renderer::new(1, SimdLevel::Auto)?;
//!
//! // `list` has one triangle that covers the picture, 64 x 32 pixels in tiles of 32.
//! let history = tile_history(&mut renderer, &list, 1, 0)?; // second column, first row
//! let pixel = history.pixel(40, 20)?;
//! assert_eq!(pixel.events.len(), 1, "one triangle touched it");
//! assert_eq!(pixel.events[0].outcome, Outcome::Written);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! `examples/own_program.rs` inspects a pixel of a program of its own.

mod draws;
mod encode;
mod hints;
mod pixel;
mod planes;
mod sort;
mod strip;
mod table;
mod texels;
mod tile_history;
mod view;

pub use draws::{DrawCost, ModelledCost, draw_costs};
pub use hints::{Hint, HintKind, THRESHOLDS, Threshold, hints};
pub use pixel::{PixelEvent, PixelHistory, PixelState};
pub use planes::{FramePlanes, NOTHING, frame_planes};
pub use sort::{CostColumn, DRAW_COLUMNS, MODELLED_COLUMNS, STEP_COLUMNS};
pub use strip::{StripSettings, tile_strip};
pub use table::{
    draw_table, draws_table, hints_text, pixel_table, texture_table, tile_table, tile_table_by,
};
pub use texels::{LevelReads, TextureReads, level_pixels, texture_picture, texture_reads};
pub use tile_history::{
    Fragment, Outcome, StepTriangle, TileHistory, TileState, TileStep, tile_history,
};
pub use view::{FrameView, PaintedView, distances};

use azulejo_grid::{TileGrid, TileId};

/// A tile or pixel that the picture does not have.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum OutsidePicture {
    /// Column and row of a tile.
    #[error("tile {column},{row}: the picture has tiles 0,0 to {},{} of {} pixels", .grid.tiles_wide() - 1, .grid.tiles_high() - 1, .grid.tile_size)]
    Tile {
        /// Requested column of tiles, from 0.
        column: u32,
        /// Requested row of tiles, from 0.
        row: u32,
        /// The tiles that the picture has.
        grid: TileGrid,
    },
    /// Column and row of a pixel.
    #[error("pixel {x},{y}: the picture has pixels 0,0 to {},{}", .grid.width - 1, .grid.height - 1)]
    Pixel {
        /// Requested column of pixels, from 0.
        x: u32,
        /// Requested row of pixels, from 0.
        y: u32,
        /// The tiles that the picture has.
        grid: TileGrid,
    },
}

/// The tile in this column and row.
///
/// # Errors
/// If the picture ends before it.
pub const fn tile_in(grid: TileGrid, column: u32, row: u32) -> Result<TileId, OutsidePicture> {
    if column < grid.tiles_wide() && row < grid.tiles_high() {
        Ok(grid.tile_at(column, row))
    } else {
        Err(OutsidePicture::Tile { column, row, grid })
    }
}

/// The tile that owns a pixel.
///
/// # Errors
/// If the picture ends before it.
pub const fn tile_of_pixel(grid: TileGrid, x: u32, y: u32) -> Result<TileId, OutsidePicture> {
    if x < grid.width && y < grid.height {
        Ok(grid.tile_at(x / grid.tile_size, y / grid.tile_size))
    } else {
        Err(OutsidePicture::Pixel { x, y, grid })
    }
}
