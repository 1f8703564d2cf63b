//! Trace files without compression and checksums, so that a fuzzer can change what they say: a byte for the kind, three for
//! the length (little-endian), the payload; and so on.

/// Types of chunks, in the order of their number in a record.
const KINDS: [&[u8; 4]; 11] = [
    b"FRAM", b"RSRC", b"PROG", b"DRAW", b"TILE", b"DONE", b"BRCH", b"PATH", b"BHND", b"PASS",
    b"DISP",
];

/// Magic number at the start of every trace, and its version.
const HEAD: &[u8; 12] = b"azulejo\0\x04\0\0\0";

/// The trace file that says the same as the records; the last may be short.
pub(crate) fn file_of(mut records: &[u8]) -> Vec<u8> {
    let mut file = HEAD.to_vec();
    while let Some(([kind, length @ ..], rest)) = records.split_first_chunk::<4>() {
        let length = u32::from_le_bytes([length[0], length[1], length[2], 0]) as usize;
        let (payload, rest) = rest.split_at(length.min(rest.len()));
        records = rest;
        put_chunk(&mut file, KINDS[usize::from(*kind) % KINDS.len()], payload);
    }
    file
}

fn put_chunk(file: &mut Vec<u8>, kind: &[u8; 4], payload: &[u8]) {
    let stored = lz4_flex::block::compress(payload);
    let start = file.len();
    file.extend(kind);
    file.extend((payload.len() as u32).to_le_bytes());
    file.extend((stored.len() as u32).to_le_bytes());
    let mut sum = crc32fast::Hasher::new();
    sum.update(&file[start..]);
    sum.update(&stored);
    file.extend(sum.finalize().to_le_bytes());
    file.extend(stored);
}

/// The records of a whole trace file.
pub(crate) fn records_of(file: &[u8]) -> Vec<u8> {
    let mut records = Vec::new();
    let mut rest = &file[HEAD.len()..];
    while let Some((header, body)) = rest.split_first_chunk::<16>() {
        let word = |at: usize| {
            u32::from_le_bytes([header[at], header[at + 1], header[at + 2], header[at + 3]])
                as usize
        };
        let (raw, (stored, tail)) = (word(4), body.split_at(word(8)));
        let kind = KINDS.iter().position(|kind| kind[..] == header[..4]);
        let payload = lz4_flex::block::decompress(stored, raw).expect("a whole chunk");
        records.push(kind.expect("a known kind") as u8);
        records.extend(&(payload.len() as u32).to_le_bytes()[..3]);
        records.extend(payload);
        rest = tail;
    }
    records
}
