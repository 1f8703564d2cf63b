//! Zstandard frames of a known length, which bounds what is allocated: bytes in, that many bytes out.

use ruzstd::frame::read_frame_header;
use ruzstd::io::Read;
use ruzstd::{BlockDecodingStrategy, FrameDecoder};

/// Window that a frame may ask for even where its content is smaller, in bytes: what every decoder must support (RFC 8878,
/// 3.1.1.1.2).
const COMMON_WINDOW: u64 = 8 << 20;

/// The content of a frame, `length` bytes.
pub(super) fn unpack(frame: &[u8], length: usize) -> Result<Vec<u8>, String> {
    let text = |error: &dyn std::fmt::Display| format!("is no Zstandard frame: {error}");
    let (header, _) = read_frame_header(frame).map_err(|error| text(&error))?;
    let window = header.header.window_size().map_err(|error| text(&error))?;
    // The decoder holds back a window's bytes, whatever a frame makes of few of its own.
    let most = COMMON_WINDOW.max(length as u64);
    if window > most {
        return Err(format!(
            "has a Zstandard window of {window} bytes; expected at most {most}"
        ));
    }
    let mut rest = frame;
    let mut decoder = FrameDecoder::new();
    decoder.init(&mut rest).map_err(|error| text(&error))?;
    let (mut content, mut done) = (vec![0; length], 0);
    while !decoder.is_finished() {
        let one = BlockDecodingStrategy::UptoBlocks(1);
        decoder
            .decode_blocks(&mut rest, one)
            .map_err(|error| text(&error))?;
        let read = decoder.read(&mut content[done..]);
        done += read.map_err(|error| text(&error))?;
        if decoder.can_collect() != 0 {
            return Err(format!("unpacks to more than {length} bytes"));
        }
    }
    match done == length {
        true => Ok(content),
        false => Err(format!("unpacks to {done} bytes; expected {length}")),
    }
}
