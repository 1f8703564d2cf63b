//! Counters of the functional pipeline: what happened, by frame, draw and tile; equal for every thread count and lane
//! type.

use serde::Serialize;

use azulejo_grid::TileGrid;

macro_rules! counters {
    ($(#[$doc:meta])* $name:ident { $($(#[$field_doc:meta])* $field:ident,)* }) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
        pub struct $name {
            $($(#[$field_doc])* pub $field: u64,)*
        }

        impl $name {
            /// Every counter with its name, in pipeline order.
            #[must_use]
            pub fn entries(&self) -> Vec<(&'static str, u64)> {
                vec![$((stringify!($field), self.$field),)*]
            }

            /// Every counter, in the same order, to fill.
            pub fn values_mut(&mut self) -> Vec<&mut u64> {
                vec![$(&mut self.$field,)*]
            }
        }

        impl std::ops::AddAssign for $name {
            fn add_assign(&mut self, other: Self) {
                $(self.$field += other.$field;)*
            }
        }
    };
}

counters! {
    /// Counters from index fetch to the Parameter Buffer.
    GeometryCounters {
        /// Indices read from index buffers.
        vertices_in,
        /// Vertex program invocations, after reuse of transformed vertices.
        vertices_shaded,
        /// Points, lines and triangles assembled.
        primitives_in,
        /// Dropped: outside the view volume.
        primitives_culled_frustum,
        /// Dropped: back face, or no area.
        primitives_culled_facing,
        /// Dropped: covers no pixel centre.
        primitives_culled_sample,
        /// Cut at a plane of the view volume or the guard band.
        primitives_clipped,
        /// Triangles written to the Parameter Buffer; clipping may make several of one, lines and points are two each.
        primitives_binned,
        /// Entries in the tiles' lists: a triangle counts once for each tile it overlaps.
        tile_entries,
        /// Bytes of attributes and lists in the Parameter Buffer.
        parameter_buffer_bytes,
    }
}

counters! {
    /// Counters from tile fetch to the tile's colour buffer.
    /// `quads_rasterised = quads_killed_early + quads_shaded`; quads killed late are among the shaded.
    RasterCounters {
        /// Quads with at least one covered pixel.
        quads_rasterised,
        /// Quads of which no pixel passed the depth test before shading.
        quads_killed_early,
        /// Quads that ran the fragment program.
        quads_shaded,
        /// Shaded quads of which no pixel survived discard and late depth test.
        quads_killed_late,
        /// Covered pixels before any test.
        fragments_rasterised,
        /// Covered pixels that ran the fragment program (helper lanes not counted).
        fragments_shaded,
        /// Shaded fragments that discard or the late depth test dropped.
        fragments_killed_late,
        /// Fragments that replaced a colour.
        fragments_written,
        /// Fragments that were blended with a colour.
        fragments_blended,
        /// Texture sample instructions executed by shaded fragments.
        texture_samples,
        /// Covered samples before any test, where pixels have four; 0 otherwise.
        samples_covered,
        /// Samples among these that passed the depth test before shading; each pixel of them is one fragment.
        samples_passed,
    }
}

/// One draw of a frame.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct DrawCounters {
    /// Mesh and material names.
    pub name: String,
    /// Counters up to the Parameter Buffer.
    pub geometry: GeometryCounters,
    /// Counters from the tile fetch on.
    pub raster: RasterCounters,
}

/// One tile of a frame.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct TileCounters {
    /// Entries in the tile's list.
    pub primitives: u64,
    /// Bytes of them in the Parameter Buffer: list entries, and attributes as often as the tile reads them.
    pub parameter_buffer_bytes: u64,
    /// Pixels that leave the chip as the mean of samples of different colours.
    pub pixels_resolved: u64,
    /// Counters from the tile fetch on.
    pub raster: RasterCounters,
}

/// All counters of one frame.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct FrameCounters {
    /// The screen, cut into tiles.
    pub grid: TileGrid,
    /// Sum over all draws.
    pub geometry: GeometryCounters,
    /// Sum over all tiles.
    pub raster: RasterCounters,
    /// Counters of the draws, in submission order.
    pub draws: Vec<DrawCounters>,
    /// One for each tile, by [`azulejo_grid::TileId`].
    pub tiles: Vec<TileCounters>,
}

impl FrameCounters {
    /// Fragments shaded for each pixel of the screen.
    #[must_use]
    pub fn overdraw(&self) -> f64 {
        self.raster.fragments_shaded as f64
            / (f64::from(self.grid.width) * f64::from(self.grid.height))
    }

    /// Pixels that leave the chip as the mean of samples of different colours.
    #[must_use]
    pub fn pixels_resolved(&self) -> u64 {
        self.tiles.iter().map(|tile| tile.pixels_resolved).sum()
    }

    /// Tiles that a binned triangle overlaps, on average; nothing without triangles.
    #[must_use]
    pub fn tiles_per_primitive(&self) -> Option<f64> {
        let triangles = self.geometry.primitives_binned;
        (triangles > 0).then(|| self.geometry.tile_entries as f64 / triangles as f64)
    }
}
