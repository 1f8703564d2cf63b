//! The trace file: what is written comes back, and damage of every kind is an error.

mod accesses;
mod branching;

use std::cell::RefCell;
use std::io::{self, Write};
use std::rc::Rc;

use super::chunk::{self, Kind};
use super::wire::{Encoder, Layout, Parts, Version};
use super::{TraceFileError, TraceReader, TraceWriter};
use crate::synthetic::{CoveredScreen, TexelPattern, chain, independent};
use crate::{
    FrameTrace, IndexFetch, InstructionClass, Quad, TargetTexture, TexelFormat, TextureIdx,
};
use azulejo_grid::{Binning, SampleCount, TileGrid};

const GRID: TileGrid = TileGrid {
    width: 50,
    height: 34,
    tile_size: 16,
};

fn frames() -> Vec<FrameTrace> {
    let mut textured = CoveredScreen::new(GRID, independent(InstructionClass::Texture, 2));
    textured.layers = 2;
    textured.texels = TexelPattern::AlwaysNew;
    let mut first = textured.frame(0);
    first.binning = Binning::BoundingBox;
    first.samples = SampleCount::Four;
    first.pixel_bytes = 32;
    first.draws[0].set_constant_bytes = 12;
    first.buffers[0].bytes += 64;
    first.draws[0].indices = Some(IndexFetch {
        buffer: 0,
        offset: 64,
        bytes_per_index: 2,
        count: 6,
    });
    let fragments = first.tiles[0].counters().fragments_shaded;
    first.tiles[0].fragment_hashes = (0..fragments as u32)
        .map(|n| n.wrapping_mul(0x9e37_79b9))
        .collect();
    vec![
        first,
        CoveredScreen::new(GRID, chain(InstructionClass::Alu, 9)).frame(1),
    ]
}

fn written(frames: &[FrameTrace]) -> Vec<u8> {
    let mut writer = TraceWriter::new(Vec::new()).expect("memory");
    for frame in frames {
        writer.write(frame).expect("memory");
    }
    writer.finish().expect("memory")
}

fn read(bytes: &[u8]) -> Result<Vec<FrameTrace>, TraceFileError> {
    let mut reader = TraceReader::new(bytes)?;
    let mut frames = Vec::new();
    while let Some(frame) = reader.next_frame()? {
        frames.push(frame);
    }
    Ok(frames)
}

#[test]
fn trace_file_of_straight_programs_keeps_its_bytes() {
    let mut bytes = written(&frames());
    // Version 8 had neither regions nor compressed textures.
    bytes[8] = 8;
    assert_eq!(bytes.len(), 2963, "nothing more");
    assert_eq!(crc32fast::hash(&bytes), 0xbc4f_4ed1, "every byte");
}

#[test]
fn trace_file_keeps_the_passes_before_a_frame() {
    let mut expected = frames();
    expected[0].before = vec![expected[0].clone(), expected[1].clone()];
    assert_eq!(read(&written(&expected)).expect("as written"), expected);
}

#[test]
fn trace_file_keeps_textures_that_passes_change_and_instances() {
    let mut expected = frames();
    let pass = &mut expected[0];
    pass.name = "shadow map".to_owned();
    pass.pixel_bytes = 40;
    pass.textures[0].format = TexelFormat::Plain { bytes: 4 };
    let texture = TargetTexture {
        texture: TextureIdx(0),
        first_block: 0,
    };
    pass.targets[0].texture = Some(texture);
    pass.buffers[0].texture = Some(TextureIdx(0));
    pass.buffers[0].bytes = pass.textures[0].bytes();
    pass.draws[0].vertex_streams[0].per_instance = true;
    pass.draws[0].instances = 3;
    assert_eq!(read(&written(&expected)).expect("as written"), expected);
}

#[test]
fn trace_file_that_ends_behind_a_frame_is_cut() {
    let mut expected = frames();
    expected.truncate(1);
    expected[0].before = vec![expected[0].clone()];
    let whole = written(&expected);
    expected[0].before.clear();
    let alone = written(&expected).len();
    let cut = read(&whole[..alone]).expect_err("the frame is missing");
    assert!(cut.to_string().contains("cut"), "{cut}");
}

/// Bytes of an older version: before 5 quads said nothing of depths around them, before 4 frames said nothing of their
/// samples, before 3 nothing of their binning, and draws nothing of the constants that were set for them.
fn as_version(version: u32, bytes: &[u8]) -> Vec<u8> {
    let mut older = bytes[..8].to_vec();
    older.extend(version.to_le_bytes());
    let mut chunks = chunk::ChunkReader::new(&bytes[12..], 12);
    loop {
        let chunk = chunks.next().expect("as written");
        let mut payload = Encoder { bytes: chunk.bytes };
        let missing = match chunk.kind {
            Kind::Frame | Kind::Behind => 4_usize.saturating_sub(version as usize),
            Kind::Draw => 3_usize.saturating_sub(version as usize),
            _ => 0,
        };
        payload.bytes.truncate(payload.bytes.len() - missing);
        chunk::write(&mut older, chunk.kind, &payload).expect("memory");
        if matches!(chunk.kind, Kind::Done) {
            return older;
        }
    }
}

#[test]
fn trace_file_keeps_which_quads_one_stored_depth_hides() {
    let mut expected = frames();
    let hidden = |quad: &Quad| Quad::new(quad.column(), quad.row(), quad.covered(), 0);
    let quads = &mut expected[1].tiles[0].quads;
    (quads[0], quads[1]) = (hidden(&quads[0]).with_behind(true), hidden(&quads[1]));
    assert_eq!(read(&written(&expected)).expect("as written"), expected);
    let quads = &mut expected[1].tiles[0].quads;
    quads[0] = quads[0].with_behind(false);
    let older = as_version(4, &written(&expected));
    let quads = &mut expected[1].tiles[0].quads;
    for quad in &mut quads[..2] {
        *quad = quad.with_behind(true);
    }
    let read = read(&older).expect("still read");
    assert_eq!(read, expected, "what is hidden counts as behind");
}

#[test]
fn trace_file_of_version_3_is_read_as_of_one_sample_a_pixel() {
    let mut expected = frames();
    let read = read(&as_version(3, &written(&expected))).expect("still read");
    (expected[0].samples, expected[0].pixel_bytes) = (SampleCount::One, 8);
    assert_eq!(read, expected);
}

#[test]
fn trace_file_of_version_2_is_read_as_if_all_constants_were_set() {
    let mut expected = frames();
    let read = read(&as_version(2, &written(&expected))).expect("still read");
    for frame in &mut expected {
        frame.binning = Binning::Exact;
        (frame.samples, frame.pixel_bytes) = (SampleCount::One, 8);
        for draw in &mut frame.draws {
            draw.set_constant_bytes = draw.constant_bytes;
        }
    }
    assert_eq!(read, expected);
}

#[test]
fn trace_file_with_samples_that_nobody_draws_is_refused() {
    let mut payload = written(&frames()[1..]);
    // The frame's chunk ends with its samples, behind the binning.
    let mut chunks = chunk::ChunkReader::new(&payload[12..], 12);
    let first = chunks.next().expect("as written");
    let mut frame = Encoder { bytes: first.bytes };
    assert_eq!(frame.bytes.pop(), Some(1), "one sample");
    frame.bytes.push(3);
    payload.truncate(12);
    chunk::write(&mut payload, Kind::Frame, &frame).expect("memory");
    let refused = read(&payload).expect_err("three samples").to_string();
    assert!(refused.contains("samples of a pixel"), "{refused}");
}

/// A stream that says only when it is flushed that there is no room.
#[derive(Debug, Clone, Default)]
struct LateRefusal(Rc<RefCell<(Vec<u8>, bool)>>);

impl Write for LateRefusal {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.borrow_mut().0.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        match self.0.borrow().1 {
            true => Err(io::ErrorKind::StorageFull.into()),
            false => Ok(()),
        }
    }
}

#[test]
fn trace_file_does_not_count_a_frame_that_the_stream_refuses() {
    let frames = frames();
    let stream = LateRefusal::default();
    let mut writer = TraceWriter::new(stream.clone()).expect("room");
    writer.write(&frames[0]).expect("room");
    let whole = stream.0.borrow().0.len();
    stream.0.borrow_mut().1 = true;
    let refused = writer.write(&frames[1]).map_err(|error| error.kind());
    assert_eq!(refused, Err(io::ErrorKind::StorageFull), "said at once");
    stream.0.borrow_mut().0.truncate(whole);
    stream.0.borrow_mut().1 = false;
    writer.finish().expect("room for the end");
    let found = read(&stream.0.borrow().0).expect("whole");
    assert_eq!(found, frames[..1], "the frame before");
}

#[test]
fn trace_file_returns_what_was_written() {
    let frames = frames();
    let bytes = written(&frames);
    assert_eq!(read(&bytes).expect("whole"), frames, "every field");
}

#[test]
fn trace_file_cut_anywhere_is_an_error() {
    let bytes = written(&frames());
    for length in 0..bytes.len() {
        assert!(read(&bytes[..length]).is_err(), "cut to {length} bytes");
    }
}

#[test]
fn trace_file_cut_between_chunks_says_so() {
    let bytes = written(&frames());
    let error = read(&bytes[..bytes.len() - 17]).expect_err("the end mark is gone");
    assert!(matches!(error, TraceFileError::Cut { .. }), "{error}");
}

#[test]
fn trace_file_cut_within_a_frame_gives_the_frames_before() {
    let frames = frames();
    let bytes = written(&frames);
    let first = written(&frames[..1]).len() - (16 + 2);
    for length in [first, first + 1, bytes.len() - 19] {
        let mut reader = TraceReader::new(&bytes[..length]).expect("whole so far");
        let frame = reader.next_frame().expect("the first is whole");
        assert_eq!(frame.as_ref(), Some(&frames[0]), "cut to {length} bytes");
        let error = reader.next_frame().expect_err("the second is not there");
        let cut = matches!(error, TraceFileError::Cut { frames: 1, .. });
        assert!(cut, "{error}");
        assert_eq!(reader.n_frames(), 1, "whole frames");
    }
}

/// A trace of these payloads, with right checksums.
fn chunks(payloads: &[(Kind, Vec<u8>)]) -> Vec<u8> {
    let mut bytes = b"azulejo\0\x02\0\0\0".to_vec();
    for (kind, payload) in payloads {
        let payload = Encoder {
            bytes: payload.clone(),
        };
        chunk::write(&mut bytes, *kind, &payload).expect("memory");
    }
    bytes
}

/// Payloads of a frame of 8x8 pixels; the tiles are said to be `n_tiles`.
fn small_frame(n_draws: u64, n_tiles: u64) -> Vec<(Kind, Vec<u8>)> {
    let mut start = Encoder::default();
    for number in [0, 8, 8, 8, 0, n_draws, n_tiles] {
        start.unsigned(number);
    }
    vec![
        (Kind::Frame, start.bytes),
        (Kind::Resources, vec![0, 0]),
        (Kind::Programs, vec![0]),
    ]
}

/// Zeros, as many as a chunk of a kind may hold, behind a count.
fn zeros(kind: Kind, count: u64) -> (Kind, Vec<u8>) {
    let mut payload = Encoder::default();
    payload.unsigned(count);
    payload.bytes.resize(kind.max_raw() as usize, 0);
    (kind, payload.bytes)
}

#[test]
fn trace_file_of_more_tiles_than_the_grid_is_refused_before_they_are_read() {
    let mut payloads = small_frame(0, 1 << 40);
    payloads.push(zeros(Kind::Tiles, 0));
    let error = read(&chunks(&payloads)).expect_err("2^40 tiles");
    let said = "the trace's frame 0 (counted from 0), screen: 1099511627776 tiles for a grid of 1";
    assert_eq!(error.to_string(), said, "names both numbers");
    payloads = small_frame(0, 1);
    payloads.push(zeros(Kind::Tiles, 0));
    let error = read(&chunks(&payloads)).expect_err("22 million tiles in one chunk");
    assert!(
        error.to_string().contains("a tile beyond the last"),
        "{error}"
    );
}

#[test]
fn trace_file_of_a_list_longer_than_its_bytes_justify_is_refused() {
    // Sixteen megabytes of zeros are 64 KiB in the file, and nine hundred megabytes of empty lists.
    for (position, what) in [(1, "a texture"), (2, "a program")] {
        let mut payloads = small_frame(0, 1);
        payloads[position] = zeros(payloads[position].0, 16_000_000);
        let file = chunks(&payloads);
        assert!(file.len() < 1 << 17, "{} bytes of {what}", file.len());
        let error = read(&file).expect_err(what);
        assert!(matches!(error, TraceFileError::TooLarge { .. }), "{error}");
        assert!(
            error.to_string().contains(&format!("{what} would take")),
            "{error}"
        );
    }
}

#[test]
fn trace_file_of_more_triangles_than_its_bytes_justify_is_refused() {
    let grid = TileGrid {
        width: 8,
        height: 8,
        tile_size: 8,
    };
    let mut frame = CoveredScreen::new(grid, chain(InstructionClass::Alu, 1)).frame(0);
    let draw = &mut frame.draws[0];
    let assembled = draw.assembled[0];
    draw.assembled.resize(16_000_000, assembled);
    draw.assembled[1..]
        .iter_mut()
        .for_each(|a| (a.new_vertices, a.binned) = (0, 14));
    draw.n_primitives = 14 * 15_999_999 + 1;
    let bytes = written(&[frame]);
    assert!(bytes.len() < 1 << 18, "{} bytes in the file", bytes.len());
    let error = read(&bytes).expect_err("224 million triangles");
    assert!(
        error.to_string().contains("a draw's triangles would take"),
        "{error}"
    );
}

#[test]
fn trace_file_with_a_flipped_bit_is_an_error() {
    let bytes = written(&frames());
    for at in 0..bytes.len() {
        let mut damaged = bytes.clone();
        damaged[at] ^= 1 << (at % 8);
        assert!(read(&damaged).is_err(), "bit {} of byte {at}", at % 8);
    }
}

#[test]
fn trace_file_of_other_content_is_refused() {
    assert!(
        matches!(read(b"glTF"), Err(TraceFileError::NotATrace)),
        "too short"
    );
    assert!(
        matches!(read(b"glTF 2.0 binary"), Err(TraceFileError::NotATrace)),
        "wrong magic"
    );
    assert!(
        matches!(
            read(b"azulejo\0\x07\0\0\0"),
            Err(TraceFileError::Version { found: 7, .. })
        ),
        "a newer format"
    );
}

#[test]
fn trace_file_keeps_the_shape_of_compressed_blocks() {
    let mut screen = CoveredScreen::new(GRID, independent(InstructionClass::Texture, 2));
    screen.texels = TexelPattern::ScreenAligned;
    screen.format = TexelFormat::Blocks {
        width: 12,
        height: 10,
        bytes: 16,
    };
    let frames = [screen.frame(0)];
    assert_eq!(frames[0].validate(), Ok(()), "5x4 blocks");
    assert_eq!(frames[0].textures[0].bytes(), 16 * 5 * 4);
    assert_eq!(read(&written(&frames)).expect("as written"), frames);
}

#[test]
fn trace_file_of_the_formats_before_compressed_blocks_and_passes_is_read() {
    let frames = frames();
    let mut bytes = written(&frames);
    assert_eq!(bytes[8], 16, "the version's low byte");
    for before in [8, 13, 14] {
        bytes[8] = before;
        assert_eq!(read(&bytes).expect("the same chunks"), frames);
    }
}

/// Random bytes behind a valid checksum: the decoders must hold without it.
#[test]
fn trace_payload_of_noise_is_an_error_or_a_value() {
    use super::wire::Decoder;
    let mut state = 1_u32;
    for _ in 0..20_000 {
        let noise: Vec<u8> = (0..64)
            .map(|_| {
                state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                // Mostly small numbers, so that counts pass and later fields are reached.
                (state >> 24 & if state & 0x0070_0000 == 0 { 255 } else { 3 }) as u8
            })
            .collect();
        let _ = super::draws::take_resources(&mut Decoder::new(&noise, 1 << 20));
        let _ = super::draws::take_programs(&mut Decoder::new(&noise, 1 << 20));
        let _ = super::branching::take_programs(&mut Decoder::new(&noise, 1 << 20));
        let mut frame = frames()[0].clone();
        let _ = super::passes::take_pass(&mut Decoder::new(&noise, 1 << 20), &mut frame);
        let _ = super::branching::take_paths(&mut Decoder::new(&noise, 1 << 20));
        for (version, branches) in [
            (Version::BeforeBinning, false),
            (Version::BeforeSamples, false),
            (Version::BeforeDepths, false),
            (Version::Newest, false),
            (Version::Newest, true),
        ] {
            let layout = Layout {
                version,
                parts: Parts {
                    branches,
                    accesses: branches,
                },
            };
            let _ = super::draws::take_draw(&mut Decoder::new(&noise, 1 << 20), layout);
            let _ = super::tiles::take_tile(&mut Decoder::new(&noise, 1 << 20), layout);
        }
    }
}

#[test]
fn traces_one_behind_the_other_are_read_as_one() {
    let (first, second) = (frames(), frames());
    let bytes = [
        written(&first),
        written(&[]),
        written(&second),
        written(&[]),
    ]
    .concat();
    let read = read(&bytes).expect("four traces, two of them empty");
    assert_eq!(read, [first, second].concat(), "every frame");
}

#[test]
fn bytes_behind_a_trace_that_are_no_trace_are_an_error() {
    let whole = written(&frames());
    for behind in [
        &b"x"[..],
        b"azulejo",
        b"no trace at all, and long",
        &[0; 100],
    ] {
        let bytes = [&whole, behind].concat();
        let mut reader = TraceReader::new(bytes.as_slice()).expect("a trace");
        for _ in 0..2 {
            assert!(reader.next_frame().expect("whole").is_some(), "its frames");
        }
        let error = reader.next_frame().expect_err("bytes behind");
        let offset = whole.len();
        let place = format!("byte {offset}");
        assert!(error.to_string().contains(&place), "{error}");
    }
}

#[test]
fn second_trace_that_is_cut_is_an_error_behind_its_whole_frames() {
    let (one, whole) = (frames(), written(&frames()));
    let bytes = [&whole[..], &whole[..whole.len() - 1]].concat();
    let mut reader = TraceReader::new(bytes.as_slice()).expect("a trace");
    for frame in 0..2 * one.len() {
        assert!(reader.next_frame().expect("whole").is_some(), "{frame}");
    }
    assert!(reader.next_frame().is_err(), "its end mark is cut");
}
