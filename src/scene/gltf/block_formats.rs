//! Compressed formats by the numbers that KTX 2.0 (`VkFormat`) and DDS (four letters, `DXGI_FORMAT`) give them. Whether
//! colours are sRGB is left to the material, as with every picture of a glTF file.

use std::panic::catch_unwind;

use crate::blocks::{AstcSize, BlockFormat, decode};

/// Formats that files may have and RGBA8 cannot hold.
const SIGNED: &str = "a signed format";
const FLOAT: &str = "a format of floating-point colours";

/// Message for a format that is not read.
fn refused(number: &str, about: &str) -> String {
    format!(
        "has {number}, {about}; expected BC1 to BC5 or BC7, ETC2, unsigned EAC or ASTC LDR, try one of these"
    )
}

/// Format with this number of Vulkan's.
pub(super) fn of_vulkan(number: u32) -> Result<BlockFormat, String> {
    let refused = |about| Err(refused(&format!("VkFormat {number}"), about));
    Ok(match number {
        131 | 132 => BlockFormat::Bc1Rgb,
        133 | 134 => BlockFormat::Bc1,
        135 | 136 => BlockFormat::Bc2,
        137 | 138 => BlockFormat::Bc3,
        139 => BlockFormat::Bc4,
        141 => BlockFormat::Bc5,
        140 | 142 | 154 | 156 => return refused(SIGNED),
        143 | 144 => return refused("BC6H"),
        145 | 146 => BlockFormat::Bc7,
        147 | 148 => BlockFormat::Etc2Rgb,
        149 | 150 => BlockFormat::Etc2PunchThrough,
        151 | 152 => BlockFormat::Etc2Rgba,
        153 => BlockFormat::EacR,
        155 => BlockFormat::EacRg,
        157..=184 => BlockFormat::Astc(AstcSize::ALL[(number as usize - 157) / 2]),
        1_000_066_000..=1_000_066_013 => return refused("ASTC HDR"),
        _ => return refused("which is no compressed format"),
    })
}

/// Format with these four letters in a DDS file.
pub(super) fn of_four_letters(letters: [u8; 4]) -> Result<BlockFormat, String> {
    let refused = |about| {
        let letters = letters.escape_ascii();
        Err(refused(&format!("the four letters '{letters}'"), about))
    };
    Ok(match &letters {
        b"DXT1" => BlockFormat::Bc1,
        b"DXT3" => BlockFormat::Bc2,
        b"DXT5" => BlockFormat::Bc3,
        b"ATI1" | b"BC4U" => BlockFormat::Bc4,
        b"ATI2" | b"BC5U" => BlockFormat::Bc5,
        b"DXT2" | b"DXT4" => return refused("colours multiplied by alpha"),
        b"BC4S" | b"BC5S" => return refused(SIGNED),
        _ => return refused("which is no compressed format"),
    })
}

/// Format with this number of DXGI's.
pub(super) fn of_dxgi(number: u32) -> Result<BlockFormat, String> {
    let refused = |about| Err(refused(&format!("DXGI format {number}"), about));
    Ok(match number {
        70..=72 => BlockFormat::Bc1,
        73..=75 => BlockFormat::Bc2,
        76..=78 => BlockFormat::Bc3,
        79 | 80 => BlockFormat::Bc4,
        82 | 83 => BlockFormat::Bc5,
        81 | 84 => return refused(SIGNED),
        94..=96 => return refused("BC6H"),
        97..=99 => BlockFormat::Bc7,
        2 | 10 | 16 | 26 | 67 => return refused(FLOAT),
        _ => return refused("which is no compressed format"),
    })
}

/// RGBA8 texels of a level whose blocks are complete.
pub(super) fn rgba(
    format: BlockFormat,
    (width, height): (u32, u32),
    blocks: &[u8],
) -> Result<Vec<u8>, String> {
    let texels = catch_unwind(|| decode(format, width, height, blocks));
    texels.map_err(|_| format!("its blocks of {format} cannot be decoded"))
}
