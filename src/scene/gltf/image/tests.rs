//! Containers of compressed textures: files made here, sound, lying and cut.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;

use super::*;
use crate::blocks::decode as decode_blocks;
use crate::gltf::{LoadOptions, load as load_gltf};

/// Blocks of levels of `width` x `height` texels and below, each block of another pattern.
fn levels(format: BlockFormat, (width, height): (u32, u32), count: u32) -> Vec<Vec<u8>> {
    let level = |level: u32| {
        let bytes = format.level_bytes((width >> level).max(1), (height >> level).max(1));
        (0..bytes)
            .map(|at| (at * 37 + 11 * u64::from(level)) as u8)
            .collect()
    };
    (0..count).map(level).collect()
}

/// A KTX 2.0 file of stored levels, each with its length before supercompression.
fn ktx2_file(
    format: u32,
    (width, height): (u32, u32),
    scheme: u32,
    stored: &[(Vec<u8>, u64)],
) -> Vec<u8> {
    let descriptor = 80 + 24 * stored.len();
    let mut file = b"\xABKTX 20\xBB\r\n\x1A\n".to_vec();
    let words = [
        format,
        1,
        width,
        height,
        0,
        0,
        1,
        stored.len() as u32,
        scheme,
    ];
    let places = [descriptor as u32, 44, 0, 0, 0, 0, 0, 0];
    file.extend(
        words
            .iter()
            .chain(&places)
            .flat_map(|word| word.to_le_bytes()),
    );
    let mut start = (descriptor + 44) as u64;
    for (level, plain) in stored {
        let entry = [start, level.len() as u64, *plain];
        file.extend(entry.iter().flat_map(|word| word.to_le_bytes()));
        start += level.len() as u64;
    }
    file.resize(descriptor + 44, 0);
    stored.iter().for_each(|(level, _)| file.extend(level));
    file
}

/// A KTX 2.0 file without supercompression.
fn ktx2_plain(number: u32, size: (u32, u32), levels: &[Vec<u8>]) -> Vec<u8> {
    let stored: Vec<_> = levels
        .iter()
        .map(|level| (level.clone(), level.len() as u64))
        .collect();
    ktx2_file(number, size, 0, &stored)
}

/// A Zstandard frame (RFC 8878) of one block: its type (0 as it is, 1 a repeated byte), size and bytes.
fn zstandard_frame(content: u32, kind: u32, size: usize, block: &[u8]) -> Vec<u8> {
    let header = 1 | kind << 1 | (size as u32) << 3;
    let mut frame = vec![0x28, 0xb5, 0x2f, 0xfd, 0xa0];
    frame.extend(content.to_le_bytes());
    frame.extend(&header.to_le_bytes()[..3]);
    frame.extend(block);
    frame
}

/// A DDS file with four letters, or with a DXGI format behind a newer header.
fn dds_file(
    format: Result<u32, &[u8; 4]>,
    (width, height): (u32, u32),
    levels: &[Vec<u8>],
) -> Vec<u8> {
    let letters = *format.err().unwrap_or(b"DX10");
    let mut words = [0_u32; 32];
    words[0] = u32::from_le_bytes(*b"DDS ");
    words[1] = 124;
    (words[3], words[4], words[7]) = (height, width, levels.len() as u32);
    (words[19], words[20], words[21]) = (32, 4, u32::from_le_bytes(letters));
    let mut file: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
    if let Ok(number) = format {
        file.extend(
            [number, 3, 0, 1, 0]
                .iter()
                .flat_map(|word| word.to_le_bytes()),
        );
    }
    levels.iter().for_each(|level| file.extend(level));
    file
}

/// Format and levels of a file.
fn read(file: &[u8]) -> Result<(Option<BlockFormat>, Vec<Vec<u8>>), String> {
    let container = Container::read(file).expect("begins as one")?;
    Ok((container.blocks(), container.decode(file)?))
}

fn complaint(file: &[u8]) -> String {
    read(file).expect_err("at fault")
}

/// RGBA8 of each level.
fn expected(format: BlockFormat, (width, height): (u32, u32), levels: &[Vec<u8>]) -> Vec<Vec<u8>> {
    let level = |(level, blocks): (u32, &Vec<u8>)| {
        decode_blocks(
            format,
            (width >> level).max(1),
            (height >> level).max(1),
            blocks,
        )
    };
    (0..).zip(levels).map(level).collect()
}

const SIZE: (u32, u32) = (21, 10);

#[test]
fn ktx2_blocks_of_every_format_keep_their_format_and_levels() {
    let mut numbers: Vec<u32> = vec![131, 133, 135, 137, 139, 141, 145, 147, 149, 151, 153, 155];
    numbers.extend((0..14).map(|size| 157 + 2 * size));
    assert_eq!(numbers.len(), BlockFormat::all().count());
    for (number, format) in numbers.into_iter().zip(BlockFormat::all()) {
        let levels = levels(format, SIZE, 5);
        let read = read(&ktx2_plain(number, SIZE, &levels));
        let expected = expected(format, SIZE, &levels);
        assert_eq!(read, Ok((Some(format), expected)), "VkFormat {number}");
    }
}

#[test]
fn ktx2_blocks_in_zstandard_frames_are_unpacked() {
    let format = BlockFormat::Etc2Rgba;
    let levels = levels(format, SIZE, 2);
    let stored: Vec<_> = (levels.iter())
        .map(|level| {
            let length = level.len();
            let frame = zstandard_frame(length as u32, 0, length, level);
            (frame, length as u64)
        })
        .collect();
    let read = read(&ktx2_file(151, SIZE, 2, &stored));
    assert_eq!(read, Ok((Some(format), expected(format, SIZE, &levels))));
}

#[test]
fn ktx2_frames_of_another_length_are_refused_in_bounded_memory() {
    let bytes = BlockFormat::Bc7.level_bytes(8, 8);
    let of = |frame: Vec<u8>| complaint(&ktx2_file(145, (8, 8), 2, &[(frame, bytes)]));
    let short = of(zstandard_frame(16, 0, 16, &[0; 16]));
    assert_eq!(short, "level 0 unpacks to 16 bytes; expected 64");
    // Four bytes stand for 128 KiB, with a window that would keep all of them.
    let long = of(zstandard_frame(64, 1, 128 << 10, &[7]));
    assert_eq!(long, "level 0 unpacks to more than 64 bytes");
    let wide = of(zstandard_frame(u32::MAX, 1, 128 << 10, &[7]));
    assert!(
        wide.starts_with("level 0 has a Zstandard window of 4294967295 bytes"),
        "{wide}"
    );
    let other = of(vec![0; 64]);
    assert!(
        other.starts_with("level 0 is no Zstandard frame"),
        "{other}"
    );
}

#[test]
fn dds_blocks_of_every_format_keep_their_format_and_levels() {
    let letters: [(&[u8; 4], BlockFormat); 7] = [
        (b"DXT1", BlockFormat::Bc1),
        (b"DXT3", BlockFormat::Bc2),
        (b"DXT5", BlockFormat::Bc3),
        (b"ATI1", BlockFormat::Bc4),
        (b"BC4U", BlockFormat::Bc4),
        (b"ATI2", BlockFormat::Bc5),
        (b"BC5U", BlockFormat::Bc5),
    ];
    let numbers = [
        (71, BlockFormat::Bc1),
        (75, BlockFormat::Bc2),
        (77, BlockFormat::Bc3),
        (80, BlockFormat::Bc4),
        (83, BlockFormat::Bc5),
        (99, BlockFormat::Bc7),
    ];
    let letters = letters
        .into_iter()
        .map(|(letters, format)| (Err(letters), format));
    let numbers = numbers
        .into_iter()
        .map(|(number, format)| (Ok(number), format));
    for (name, format) in letters.chain(numbers) {
        let levels = levels(format, SIZE, 5);
        let read = read(&dds_file(name, SIZE, &levels));
        let expected = expected(format, SIZE, &levels);
        assert_eq!(read, Ok((Some(format), expected)), "{name:?}");
    }
}

#[test]
fn formats_that_are_not_read_are_named() {
    let ktx2 = |number| complaint(&ktx2_plain(number, (4, 4), &[vec![0; 16]]));
    for (number, about) in [
        (140, "VkFormat 140, a signed format"),
        (143, "VkFormat 143, BC6H"),
        (156, "VkFormat 156, a signed format"),
        (1_000_066_000, "VkFormat 1000066000, ASTC HDR"),
        (37, "VkFormat 37, which is no compressed format"),
        (u32::MAX, "which is no compressed format"),
    ] {
        let said = ktx2(number);
        assert!(said.contains(about), "{said}");
    }
    let dds = |format| complaint(&dds_file(format, (4, 4), &[vec![0; 16]]));
    for (format, about) in [
        (Err(b"DXT2"), "'DXT2', colours multiplied by alpha"),
        (Err(b"BC5S"), "'BC5S', a signed format"),
        (
            Err(b"\0\x01\x02\xff"),
            "'\\x00\\x01\\x02\\xff', which is no",
        ),
        (Ok(95), "DXGI format 95, BC6H"),
        (Ok(81), "DXGI format 81, a signed format"),
        (Ok(2), "DXGI format 2, a format of floating-point colours"),
        (Ok(28), "DXGI format 28, which is no compressed format"),
    ] {
        let said = dds(format);
        assert!(said.contains(about), "{said}");
    }
}

#[test]
fn dds_headers_that_lie_are_refused_before_decoding() {
    let levels = levels(BlockFormat::Bc7, (8, 8), 4);
    let file = dds_file(Ok(98), (8, 8), &levels);
    for (at, value, expected) in [
        (4, 123, "has a header of 123 bytes"),
        (76, 0, "a format of 0; expected 124 and 32"),
        (12, 0, "texels large"),
        (16, u32::MAX, "texels large"),
        (16, 1 << 14, "has 260 bytes; expected 188564"),
        (28, 5, "has 5 levels"),
        (28, u32::MAX, "has 4294967295 levels"),
        (80, 0x40, "has no compressed format"),
        (112, 0x200, "is a cube map or a volume"),
        (112, 0x20_0000, "is a cube map or a volume"),
        (132, 4, "1 pictures of dimension 4"),
        (136, 4, "or a cube's faces"),
        (140, 0, "has 0 pictures"),
        (140, u32::MAX, "has 4294967295 pictures"),
    ] {
        let mut lying = file.clone();
        lying[at..at + 4].copy_from_slice(&u32::to_le_bytes(value));
        let said = complaint(&lying);
        assert!(said.contains(expected), "{value} at {at}: {said}");
    }
}

#[test]
fn ktx2_headers_of_blocks_that_lie_are_refused_before_decoding() {
    let file = ktx2_plain(145, (8, 8), &levels(BlockFormat::Bc7, (8, 8), 4));
    for (at, value, expected) in [
        (12, 183, "level 0 has 64 bytes where 8x8 texels take 16"),
        (
            20,
            1 << 14,
            "level 0 has 64 bytes where 16384x8 texels take",
        ),
        (24, u32::MAX, "texels large"),
        (28, 1, "has depth 1"),
        (32, 7, "7 layers"),
        (36, 6, "6 faces"),
        (40, 33, "has 33 levels"),
        (44, 1, "VkFormat 145 with supercompression 1"),
        (44, 3, "VkFormat 145 with supercompression 3"),
        (80, u32::MAX, "level 0 leaves the file"),
        (84, u32::MAX, "level 0 leaves the file"),
    ] {
        let mut lying = file.clone();
        lying[at..at + 4].copy_from_slice(&u32::to_le_bytes(value));
        let said = complaint(&lying);
        assert!(said.contains(expected), "{value} at {at}: {said}");
    }
}

#[test]
fn containers_that_are_cut_or_changed_give_a_picture_or_an_error() {
    let size = (12, 8);
    let blocks = levels(BlockFormat::Etc2Rgba, size, 2);
    let frame = |level: &Vec<u8>| {
        let length = level.len();
        (
            zstandard_frame(length as u32, 0, length, level),
            length as u64,
        )
    };
    let frames: Vec<_> = blocks.iter().map(frame).collect();
    let files = [
        dds_file(Ok(98), size, &levels(BlockFormat::Bc7, size, 2)),
        dds_file(Err(b"DXT1"), size, &levels(BlockFormat::Bc1, size, 2)),
        ktx2_plain(
            165,
            size,
            &levels(BlockFormat::all().nth(16).expect("6x6"), size, 2),
        ),
        ktx2_file(151, size, 2, &frames),
    ];
    for file in &files {
        assert!(read(file).is_ok(), "whole");
        for length in 12..file.len() {
            assert!(read(&file[..length]).is_err(), "cut to {length}");
        }
        for at in 12..file.len() {
            for value in [0, 1, 4, 0x7f, 0x80, 0xff] {
                let mut changed = file.clone();
                changed[at] = value;
                if let Ok((_, levels)) = read(&changed) {
                    assert!(
                        levels.iter().map(Vec::len).sum::<usize>() <= 1 << 20,
                        "{at}"
                    );
                }
            }
        }
    }
}

#[test]
fn textures_of_a_gltf_file_keep_the_format_of_their_blocks() {
    let dds = dds_file(Err(b"DXT5"), (8, 8), &levels(BlockFormat::Bc3, (8, 8), 4));
    let ktx2 = ktx2_plain(
        171,
        (16, 16),
        &levels(BlockFormat::all().nth(19).expect("8x8"), (16, 16), 1),
    );
    let json = |extension: &str, picture: &[u8]| {
        let picture = BASE64.encode(picture);
        let corners = "AAAAAAAAAAAAAAAAAACAPwAAAAAAAAAAAAAAAAAAgD8AAAAA";
        format!(
            r#"{{"asset":{{"version":"2.0"}},"extensionsRequired":["{extension}"],"extensionsUsed":["{extension}"],
"scenes":[{{"nodes":[0]}}],"nodes":[{{"mesh":0}}],
"meshes":[{{"primitives":[{{"attributes":{{"POSITION":0,"TEXCOORD_0":0}},"material":0}}]}}],
"accessors":[{{"bufferView":0,"componentType":5126,"count":3,"type":"VEC3","min":[0,0,0],"max":[1,1,0]}}],
"bufferViews":[{{"buffer":0,"byteLength":36}}],
"buffers":[{{"byteLength":36,"uri":"data:application/octet-stream;base64,{corners}"}}],
"materials":[{{"pbrMetallicRoughness":{{"baseColorTexture":{{"index":0}}}},"emissiveTexture":{{"index":0}},"normalTexture":{{"index":0}}}}],
"textures":[{{"extensions":{{"{extension}":{{"source":0}}}}}}],
"images":[{{"uri":"data:image/x;base64,{picture}"}}]}}"#
        )
        .replace(r#""TEXCOORD_0":0"#, r#""NORMAL":0"#)
    };
    let none = |_: &str| Err(std::io::ErrorKind::NotFound.into());
    for (extension, picture, format, edge) in [
        ("MSFT_texture_dds", dds, BlockFormat::Bc3, 8),
        (
            "KHR_texture_basisu",
            ktx2,
            BlockFormat::all().nth(19).expect("8x8"),
            16,
        ),
    ] {
        let file = json(extension, &picture).into_bytes();
        let scene = load_gltf(file, &none, &LoadOptions::default()).expect("a sound file");
        assert!(!scene.images.is_empty(), "{:?}", scene.warnings);
        for image in &scene.images {
            assert_eq!(image.blocks(), Some(format), "as {:?}", image.encoding);
            assert_eq!(image.levels[0].width, edge);
        }
        let layout = scene.images[0].block_layout().expect("blocks");
        assert_eq!(layout.shape(), format.shape());
    }
}
