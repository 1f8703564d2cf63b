//! Block decoders beside second decoders, on noise; layouts of blocks by search.

use super::*;
use crate::level_table;

/// Textures of each format that two decoders compare, and their size: the last column and row of larger blocks are cut.
const TEXTURES: usize = 200;
const WIDTH: u32 = 20;
const HEIGHT: u32 = 12;

/// Bytes without an order (Marsaglia's xorshift), so that blocks are of all modes, the reserved ones too.
struct Noise(u64);

impl Noise {
    const fn new() -> Self {
        Self(0x9e37_79b9_7f4a_7c15)
    }

    fn bytes(&mut self, count: usize) -> Vec<u8> {
        let mut byte = || {
            self.0 ^= self.0 << 13;
            self.0 ^= self.0 >> 7;
            self.0 ^= self.0 << 17;
            (self.0 >> 33) as u8
        };
        (0..count).map(|_| byte()).collect()
    }
}

/// Blocks of noise with their texels, texture after texture.
fn textures(format: BlockFormat) -> impl Iterator<Item = (Vec<u8>, Vec<[u8; 4]>)> {
    let mut noise = Noise::new();
    (0..TEXTURES).map(move |_| {
        let blocks = noise.bytes(format.level_bytes(WIDTH, HEIGHT) as usize);
        let rgba = decode(format, WIDTH, HEIGHT, &blocks);
        (blocks, rgba.as_chunks().0.to_vec())
    })
}

/// Texels of a texture whose blocks another decoder takes one by one.
fn by_blocks(
    format: BlockFormat,
    blocks: &[u8],
    mut block_texels: impl FnMut(&[u8]) -> Vec<[u8; 4]>,
) -> Vec<[u8; 4]> {
    let shape = format.shape();
    let decoded: Vec<_> = (blocks.chunks(shape.bytes as usize))
        .map(&mut block_texels)
        .collect();
    let wide = WIDTH.div_ceil(shape.width);
    let places = (0..HEIGHT).flat_map(|y| (0..WIDTH).map(move |x| (x, y)));
    let texel = |(x, y): (u32, u32)| {
        let block = y / shape.height * wide + x / shape.width;
        decoded[block as usize][(y % shape.height * shape.width + x % shape.width) as usize]
    };
    places.map(texel).collect()
}

/// Largest difference of a channel.
fn distance(ours: &[[u8; 4]], theirs: &[[u8; 4]]) -> u8 {
    let pairs = ours.as_flattened().iter().zip(theirs.as_flattened());
    pairs.map(|(a, b)| a.abs_diff(*b)).max().unwrap_or(0)
}

#[test]
fn blocks_of_bc1_to_bc5_are_those_of_libsquish_but_for_rounding() {
    // Interpolated colours are real numbers: one decoder takes the nearest level, the other the one below.
    use texpresso::Format;
    for (format, theirs) in [
        (BlockFormat::Bc1, Format::Bc1),
        (BlockFormat::Bc2, Format::Bc2),
        (BlockFormat::Bc3, Format::Bc3),
        (BlockFormat::Bc4, Format::Bc4),
        (BlockFormat::Bc5, Format::Bc5),
    ] {
        let known = match format {
            BlockFormat::Bc4 => 1,
            BlockFormat::Bc5 => 2,
            _ => 4,
        };
        for (blocks, ours) in textures(format) {
            let mut expected = vec![[0; 4]; ours.len()];
            let (width, height) = (WIDTH as usize, HEIGHT as usize);
            theirs.decompress(&blocks, width, height, expected.as_flattened_mut());
            let pairs = ours.iter().zip(&expected);
            let channels = pairs.flat_map(|(a, b)| a[..known].iter().zip(&b[..known]));
            let most = channels.map(|(a, b)| a.abs_diff(*b)).max();
            assert!(most <= Some(1), "{format}: {most:?}");
        }
    }
}

#[test]
fn blocks_of_bc1_without_alpha_are_opaque_and_otherwise_the_same() {
    let both = textures(BlockFormat::Bc1).zip(textures(BlockFormat::Bc1Rgb));
    for ((_, with), (_, without)) in both {
        let opaque: Vec<_> = (with.iter())
            .map(|[r, g, b, _]| [*r, *g, *b, 255])
            .collect();
        assert_eq!(opaque, without);
    }
}

#[test]
fn blocks_of_bc7_are_those_of_another_decoder() {
    for (blocks, ours) in textures(BlockFormat::Bc7) {
        let theirs = by_blocks(BlockFormat::Bc7, &blocks, |block| {
            let mut words = [0; 16];
            texture2ddecoder::decode_bc7_block(block, &mut words);
            let texels = words.map(u32::to_le_bytes);
            texels.map(|[b, g, r, a]| [r, g, b, a]).to_vec()
        });
        assert_eq!(ours, theirs);
    }
}

#[test]
fn blocks_of_etc2_and_eac_are_those_of_etcpak() {
    // Checksums of what etcpak 2.0 makes of these textures (by the crate ctt-etcpak 0.6.1, which needs a C++ compiler).
    for (format, expected) in [
        (BlockFormat::Etc2Rgb, 0x79ec_6e62),
        (BlockFormat::Etc2Rgba, 0x7a51_d600),
        (BlockFormat::EacR, 0x7896_c080),
        (BlockFormat::EacRg, 0xe5ac_a53e_u32),
    ] {
        let mut hasher = crc32fast::Hasher::new();
        for (_, texels) in textures(format) {
            hasher.update(texels.as_flattened());
        }
        assert_eq!(hasher.finalize(), expected, "{format}");
    }
}

/// Index of each texel in an ETC2 block, and whether its colours are those of the T or H mode or of the planar one.
fn punch_through_block(block: &[u8]) -> ([u32; 16], [bool; 2]) {
    let word = |at: usize| u32::from(u16::from_be_bytes([block[at], block[at + 1]]));
    let indices = std::array::from_fn(|texel| {
        let place = texel % 4 * 4 + texel / 4;
        (word(4) >> place & 1) << 1 | (word(6) >> place & 1)
    });
    let leaves = |at: usize| {
        let (base, change) = (i32::from(block[at] >> 3), i32::from(block[at] & 7));
        !(0..32).contains(&(base + if change > 3 { change - 8 } else { change }))
    };
    let t_or_h = leaves(0) || leaves(1);
    (indices, [t_or_h, !t_or_h && leaves(2)])
}

#[test]
fn blocks_with_punch_through_alpha_are_those_without_but_for_two_indices() {
    let format = BlockFormat::Etc2PunchThrough;
    let mut transparent = 0;
    for (blocks, ours) in textures(format) {
        // The bit that says opaque here says differential there.
        let mut opaque = blocks.clone();
        opaque
            .iter_mut()
            .skip(3)
            .step_by(8)
            .for_each(|byte| *byte |= 2);
        let colors = decode(BlockFormat::Etc2Rgb, WIDTH, HEIGHT, &opaque);
        let colors = colors.as_chunks::<4>().0;
        for (at, block) in blocks.chunks(8).enumerate() {
            let (indices, [t_or_h, planar]) = punch_through_block(block);
            for (texel, index) in indices.into_iter().enumerate() {
                let (x, y) = (at % 5 * 4 + texel % 4, at / 5 * 4 + texel / 4);
                let found = ours[y * 20 + x];
                match (block[3] & 2 == 0 && !planar, index) {
                    (true, 2) => {
                        assert_eq!(found, [0; 4], "index 2 is transparent");
                        transparent += 1;
                    }
                    // The base colour, without a modifier: the test below.
                    (true, 0) if !t_or_h => assert_eq!(found[3], 255),
                    _ => assert_eq!(found, colors[y * 20 + x], "{block:02x?} at {texel}"),
                }
            }
        }
    }
    assert!(transparent > 1000, "{transparent} transparent texels");
}

#[test]
fn blocks_with_punch_through_alpha_have_their_base_colours_at_index_zero() {
    // Base (8, 16, 24) of 31, no change, not opaque; both halves by table 7, whose other modifiers are +-183.
    let block = [8 << 3, 16 << 3, 24 << 3, 0b1111_1100, 0, 0, 0, 0];
    let rgba = decode(BlockFormat::Etc2PunchThrough, 4, 4, &block);
    let widened = [8, 16, 24].map(|level: u8| level << 3 | level >> 2);
    let [r, g, b] = widened;
    assert_eq!(rgba.as_chunks().0, [[r, g, b, 255]; 16]);
}

/// Texels by the crate `astc-decode`, and whether it takes the block for a lawful one.
fn second_astc(size: AstcSize, block: &[u8]) -> (Vec<[u8; 4]>, bool) {
    let (width, height) = (u32::from(size.width), u32::from(size.height));
    let mut texels = vec![[0; 4]; (width * height) as usize];
    let block = block.first_chunk().expect("sixteen bytes");
    let footprint = astc_decode::Footprint::new(width, height);
    let lawful = astc_decode::astc_decode_block(block, footprint, |x, y, color| {
        texels[(y * width + x) as usize] = color;
    });
    (texels, lawful)
}

/// A lawful LDR block of noise, whose unused bits are zeros: a decoder may take them for colours.
fn lawful_astc(size: AstcSize, noise: &mut Noise) -> [u8; 16] {
    use basisu::astc::{pack::pack_astc_block, unpack::unpack_block};
    const HDR: [u8; 6] = [2, 3, 7, 11, 14, 15];
    loop {
        let block = noise.bytes(16);
        let block = block.first_chunk().expect("sixteen bytes");
        let unpacked = unpack_block(block, size.width.into(), size.height.into());
        let lawful = unpacked.filter(|block| {
            let modes = &block.color_endpoint_modes[..block.num_partitions as usize];
            !block.solid_color_flag_hdr && !modes.iter().any(|mode| HDR.contains(mode))
        });
        if let Some(packed) = lawful.and_then(|block| pack_astc_block(&block)) {
            return packed;
        }
    }
}

#[test]
fn blocks_of_astc_are_those_of_another_decoder_but_for_rounding() {
    // The interpolated 16 bits become their upper eight here, the nearest eight there.
    for size in AstcSize::ALL {
        let format = BlockFormat::Astc(size);
        let mut noise = Noise::new();
        for _ in 0..TEXTURES {
            let n_blocks = format.level_bytes(WIDTH, HEIGHT) as usize / 16;
            let blocks: Vec<u8> = (0..n_blocks)
                .flat_map(|_| lawful_astc(size, &mut noise))
                .collect();
            let ours = decode(format, WIDTH, HEIGHT, &blocks);
            let theirs = by_blocks(format, &blocks, |block| {
                let (texels, lawful) = second_astc(size, block);
                assert!(lawful, "{format}: {block:02x?}");
                texels
            });
            let most = distance(ours.as_chunks().0, &theirs);
            assert!(most <= 1, "{format}: {most}");
        }
    }
}

#[test]
fn blocks_of_astc_that_are_reserved_are_the_error_colour() {
    for size in AstcSize::ALL {
        let format = BlockFormat::Astc(size);
        let mut reserved = 0;
        for (blocks, _) in textures(format) {
            let theirs = blocks.chunks(16).map(|block| second_astc(size, block).1);
            for (block, lawful) in blocks.chunks(16).zip(theirs) {
                let ours = decode(format, size.width.into(), size.height.into(), block);
                if !lawful {
                    let magenta = ours.as_chunks().0.iter().all(|t| *t == [255, 0, 255, 255]);
                    assert!(magenta, "{format}: {block:02x?}");
                    reserved += 1;
                }
            }
        }
        assert!(reserved >= TEXTURES, "{format}: {reserved}");
    }
}

#[test]
fn block_layout_of_4x4_texels_is_that_of_uncompressed_ones() {
    for (width, height) in [(1, 1), (17, 33), (100, 1), (31, 64)] {
        let (levels, n_texels) = level_table(width, height);
        let shape = BlockFormat::Etc2Rgb.shape();
        let layout = BlockLayout::new(shape, &levels);
        assert_eq!(
            layout.n_blocks() as usize * 16,
            n_texels,
            "{width}x{height}"
        );
        for (number, level) in levels.iter().enumerate() {
            for (x, y) in places(level) {
                let texel = level.texel_index(x, y);
                assert_eq!(level.place(texel as u32), [x, y]);
                assert_eq!(layout.block_at(number, x, y) as usize, texel / 16);
                assert_eq!(layout.block_of(texel as u32) as usize, texel / 16);
            }
        }
    }
}

#[test]
fn block_layout_gives_every_block_of_a_texture_a_place_of_its_own() {
    for format in BlockFormat::all() {
        let shape = format.shape();
        for (width, height) in [(1, 1), (17, 33), (100, 3), (65, 64)] {
            let (levels, _) = level_table(width, height);
            let layout = BlockLayout::new(shape, &levels);
            let mut owner = vec![None; layout.n_blocks() as usize];
            for (number, level) in levels.iter().enumerate() {
                for (x, y) in places(level) {
                    let block = layout.block_of(level.texel_index(x, y) as u32);
                    let place = Some((number, x / shape.width, y / shape.height));
                    let owner = &mut owner[block as usize];
                    assert!(owner.is_none() || *owner == place, "{format}: {owner:?}");
                    *owner = place;
                }
            }
        }
    }
}

#[test]
fn block_layout_has_squares_of_16_byte_blocks_in_a_line() {
    let (levels, _) = level_table(240, 240);
    let layout = BlockLayout::new(BlockFormat::Astc(AstcSize::ALL[4]).shape(), &levels);
    let lines = |x: u32, y: u32| layout.block_at(0, 6 * x, 6 * y) / 4;
    let square = [(2, 2), (3, 2), (2, 3), (3, 3)].map(|(x, y)| lines(x, y));
    assert_eq!(square, [lines(2, 2); 4]);
    assert_ne!(
        lines(4, 2),
        lines(3, 2),
        "the next column is another line's"
    );
}

fn places(level: &crate::MipLevel) -> impl Iterator<Item = (u32, u32)> + use<> {
    let (width, height) = (level.width, level.height);
    (0..height).flat_map(move |y| (0..width).map(move |x| (x, y)))
}
