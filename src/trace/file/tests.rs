//! The trace file: what is written comes back, and damage of every kind is an error.

use super::{TraceFileError, TraceReader, TraceWriter};
use crate::grid::TileGrid;
use crate::trace::synthetic::{CoveredScreen, TexelPattern, chain, independent};
use crate::trace::{FrameTrace, IndexFetch, InstructionClass};

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

/// Bytes behind a valid checksum that nobody wrote: the decoders must hold without it.
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
        let _ = super::draws::take_resources(&mut Decoder::new(&noise));
        let _ = super::draws::take_programs(&mut Decoder::new(&noise));
        let _ = super::draws::take_draw(&mut Decoder::new(&noise));
        let _ = super::tiles::take_tile(&mut Decoder::new(&noise));
    }
}
