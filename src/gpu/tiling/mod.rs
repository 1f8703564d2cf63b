//! The Tiling Engine: the Polygon List Builder writes attributes and tile lists to the Parameter Buffer, the Tile Fetcher reads them
//! back, tile by tile. Both go through the tile cache.

mod counters;
mod fetcher;
mod list_builder;
mod lists;

pub use counters::TileFetcherCounters;
pub(crate) use fetcher::{FetchPorts, TileFetcher};
pub use list_builder::ListBuilderCounters;
pub(crate) use list_builder::{BuilderPorts, PolygonListBuilder};
pub(crate) use lists::TileLists;

#[cfg(test)]
mod tests;
