//! Capacity of tile buffers. Their storage on the chip is fixed, so pixels of more samples leave room for fewer of them.
//!
//! A machine's tile buffers are as large as its own tiles need with one sample a pixel, each a depth and a colour. With
//! four samples a tile is half as wide and half as high. Chips with more storage keep their tiles: Arm's Mali GPUs since
//! the T760 have 128 bits of colour a pixel at 16x16 ("it is more about the total bytes per tile", P. Harris, Arm
//! community, "multiple render targets and tilebuffer"), as much as four samples take; such a machine is described by
//! larger tiles.

use super::{MachineSpec, Pipeline};
use azulejo_grid::SampleCount;
use azulejo_trace::FrameTrace;

/// Bytes of a pixel with one sample: a depth and a colour.
const PIXEL_BYTES: u32 = 8;

/// The smallest edge of a tile in pixels.
const SMALLEST_TILE: u32 = 8;

/// Samples that a machine's tile buffers cannot hold.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SampleStorageError {
    /// There are no tile buffers.
    #[error(
        "{machine} has no tile buffers, so there is no place for {samples} samples a pixel: draw with 1, or take a machine with tiles"
    )]
    NoTiles {
        /// Name of the machine.
        machine: String,
        /// Samples in a pixel of the frame.
        samples: SampleCount,
    },
    /// Not even the smallest tiles fit.
    #[error(
        "the tile buffers of {machine} hold tiles of {tile} pixels with one sample each, so none with {samples}: set screen.tile_size to 16 or more"
    )]
    TooSmall {
        /// Name of the machine.
        machine: String,
        /// Edge of its tiles.
        tile: u32,
        /// Samples in a pixel of the frame.
        samples: SampleCount,
    },
    /// The frame was drawn in larger tiles.
    #[error(
        "the frame was drawn in tiles of {drawn} pixels with {samples} samples each, {pixel} bytes in all, and the tile buffers of {machine} hold {most} of those: draw it in tiles of {most}"
    )]
    TooLarge {
        /// Name of the machine.
        machine: String,
        /// Edge of the frame's tiles.
        drawn: u32,
        /// The largest edge that fits.
        most: u32,
        /// Samples in a pixel of the frame.
        samples: SampleCount,
        /// Bytes of a pixel.
        pixel: u32,
    },
    /// Not even the smallest tiles fit.
    #[error(
        "a pass has {pixel} bytes a pixel, and the tile buffers of {machine} hold {most} in the smallest tiles, of {SMALLEST_TILE} pixels: draw to fewer targets, or set screen.tile_size to more"
    )]
    TooManyBytes {
        /// Name of the machine.
        machine: String,
        /// Bytes of a pixel.
        pixel: u32,
        /// Bytes of a pixel that fit.
        most: u32,
    },
}

impl MachineSpec {
    /// The edge in pixels of the largest tiles that the tile buffers hold, where each pixel has so many samples.
    ///
    /// # Errors
    /// If there are no tile buffers for them, or none that are large enough.
    pub fn tile_size_for(&self, samples: SampleCount) -> Result<u32, SampleStorageError> {
        let own = self.screen.grid.tile_size;
        if samples == SampleCount::One {
            return Ok(own);
        }
        let machine = self.name.clone();
        if matches!(self.pipeline, Pipeline::Immediate(_)) {
            return Err(SampleStorageError::NoTiles { machine, samples });
        }
        // Both edges together hold a quarter.
        let edge = own / 2;
        if edge < SMALLEST_TILE {
            let tile = own;
            return Err(SampleStorageError::TooSmall {
                machine,
                tile,
                samples,
            });
        }
        Ok(edge)
    }

    /// Bytes of the buffers of a tile.
    #[must_use]
    pub const fn tile_bytes(&self) -> u32 {
        self.screen.grid.tile_size.pow(2) * PIXEL_BYTES
    }

    /// Refuses a pass with tiles that the tile buffers do not hold; with a depth and a colour a pixel the buffers are taken to be
    /// as large as needed, and a machine without tiles has no limit but that of samples.
    ///
    /// # Errors
    /// As [`Self::tile_size_for`], or if the pass's tiles are larger.
    pub fn check_tile_buffers(&self, pass: &FrameTrace) -> Result<(), SampleStorageError> {
        let (samples, drawn) = (pass.samples, pass.grid.tile_size);
        self.tile_size_for(samples)?;
        let pixel = pass.pixel_bytes;
        let has_tiles = !matches!(self.pipeline, Pipeline::Immediate(_));
        let fits =
            |edge: u32| u64::from(edge).pow(2) * u64::from(pixel) <= self.tile_bytes().into();
        if !has_tiles || pixel <= PIXEL_BYTES || fits(drawn) {
            return Ok(());
        }
        let machine = self.name.clone();
        let mut edges = std::iter::successors(Some(drawn / 2), |edge| Some(edge / 2));
        let most = edges
            .find(|&edge| edge < SMALLEST_TILE || fits(edge))
            .filter(|&edge| edge >= SMALLEST_TILE);
        Err(match most {
            Some(most) => SampleStorageError::TooLarge {
                machine,
                drawn,
                most,
                samples,
                pixel,
            },
            None => SampleStorageError::TooManyBytes {
                machine,
                pixel,
                most: self.tile_bytes() / SMALLEST_TILE.pow(2),
            },
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::machine::Overlay;
    use azulejo_grid::TileGrid;
    use azulejo_trace::InstructionClass;
    use azulejo_trace::synthetic::{CoveredScreen, chain};

    fn machine(name: &str) -> MachineSpec {
        MachineSpec::built_in(name, &[]).expect("comes with the program")
    }

    #[test]
    fn tile_of_four_samples_is_half_as_wide() {
        let machine = machine("valhall-libra-baseline");
        let of = |samples| machine.tile_size_for(samples);
        assert_eq!(of(SampleCount::One), Ok(32), "its own");
        assert_eq!(of(SampleCount::Four), Ok(16), "a quarter of the pixels");
    }

    #[test]
    fn samples_that_the_tile_buffers_do_not_hold_are_refused_in_words() {
        let machine = machine("valhall-libra-baseline");
        let pass = |samples: SampleCount, tile_size| {
            let grid = TileGrid {
                tile_size,
                ..machine.screen.grid
            };
            let screen = CoveredScreen::new(grid, chain(InstructionClass::Alu, 1));
            FrameTrace {
                samples,
                pixel_bytes: 8 * samples.get(),
                ..screen.frame(0)
            }
        };
        let check = |samples, tile_size| machine.check_tile_buffers(&pass(samples, tile_size));
        assert_eq!(check(SampleCount::One, 32), Ok(()));
        let refused = check(SampleCount::Four, 32).unwrap_err();
        assert!(
            refused.to_string().contains("draw it in tiles of 16"),
            "{refused}"
        );
        assert_eq!(check(SampleCount::Four, 16), Ok(()));
        let of_bytes = |pixel_bytes, tile_size| {
            let pass = FrameTrace {
                pixel_bytes,
                ..pass(SampleCount::One, tile_size)
            };
            machine.check_tile_buffers(&pass)
        };
        assert_eq!(machine.tile_bytes(), 8192);
        assert_eq!(of_bytes(128, 8), Ok(()), "all of them");
        let refused = of_bytes(128, 16).unwrap_err();
        assert!(refused.to_string().contains("in tiles of 8"), "{refused}");
        let refused = of_bytes(129, 8).unwrap_err();
        assert!(refused.to_string().contains("hold 128"), "{refused}");
        let mut tiny = machine;
        tiny.screen.grid.tile_size = 8;
        let refused = tiny.tile_size_for(SampleCount::Four).unwrap_err();
        assert!(
            refused.to_string().contains("screen.tile_size"),
            "{refused}"
        );
    }

    #[test]
    fn samples_are_refused_by_machines_without_tiles() {
        let immediate = Overlay {
            key: "pipeline".to_owned(),
            value: "immediate".to_owned(),
        };
        let machine = MachineSpec::built_in("emerald-gpu", &[immediate]).expect("has both");
        let refused = machine.tile_size_for(SampleCount::Four).unwrap_err();
        assert!(refused.to_string().contains("no tile buffers"), "{refused}");
    }
}
