//! Compressed textures: the DRAM reads the lines that their blocks fill, each once.

use super::{grid, machine, run};
use crate::memory::Traffic;
use azulejo_trace::synthetic::{CoveredScreen, TexelPattern, independent};
use azulejo_trace::{BLOCK_BYTES, InstructionClass, TexelFormat};

/// Edge of the screen in pixels: a multiple of every block's.
const EDGE: u32 = 240;

/// Width, height and bytes of blocks: BC1 and ETC1, BC3 and ETC2 with alpha, ASTC.
const SHAPES: [(u8, u8, u8); 15] = [
    (4, 4, 8),
    (4, 4, 16),
    (5, 4, 16),
    (5, 5, 16),
    (6, 5, 16),
    (6, 6, 16),
    (8, 5, 16),
    (8, 6, 16),
    (8, 8, 16),
    (10, 5, 16),
    (10, 6, 16),
    (10, 8, 16),
    (10, 10, 16),
    (12, 10, 16),
    (12, 12, 16),
];

fn screen(format: TexelFormat) -> CoveredScreen {
    let program = independent(InstructionClass::Texture, 1);
    CoveredScreen {
        texels: TexelPattern::ScreenAligned,
        format,
        ..CoveredScreen::new(grid(EDGE, EDGE, 16), program)
    }
}

/// Bytes of textures that the DRAM reads for a screen covered once, one texel a pixel.
fn bytes_read(format: TexelFormat) -> u64 {
    let report = run(&machine("valhall-libra-baseline", &[]), &screen(format));
    BLOCK_BYTES * report.dram.reads[Traffic::Texture]
}

#[test]
fn texture_traffic_of_a_covered_screen_is_the_bytes_of_its_blocks() {
    for (width, height, bytes) in SHAPES {
        let format = TexelFormat::Blocks {
            width,
            height,
            bytes,
        };
        let blocks = u64::from(EDGE / u32::from(width)) * u64::from(EDGE / u32::from(height));
        let expected = (blocks * u64::from(bytes)).next_multiple_of(BLOCK_BYTES);
        assert_eq!(bytes_read(format), expected, "{width}x{height} in {bytes}");
    }
}

#[test]
fn texture_traffic_without_compression_is_four_bytes_a_pixel() {
    let expected = 4 * u64::from(EDGE) * u64::from(EDGE);
    assert_eq!(bytes_read(TexelFormat::Rgba8), expected);
}

#[test]
fn texture_cache_holds_compressed_lines() {
    // Quads of a place find the blocks of the layer below in as many lines as blocks fill.
    let misses = |format| {
        let mut screen = screen(format);
        screen.layers = 2;
        let changes = ["raster.quad_mapping=interleave-16"];
        let report = run(&machine("valhall-libra-baseline", &changes), &screen);
        let cores = report.cores.iter();
        cores.map(|core| core.texture.misses).sum::<u64>()
    };
    let etc1 = TexelFormat::Blocks {
        width: 4,
        height: 4,
        bytes: 8,
    };
    let (compressed, plain) = (misses(etc1), misses(TexelFormat::Rgba8));
    assert!(4 * compressed <= plain, "{compressed} of {plain}");
}
