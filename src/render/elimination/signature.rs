//! Tile signatures: CRC32 of all that decides what a tile looks like, put together while triangles are binned (Rendering
//! Elimination, HPCA 2019, sections III-B to III-F).
//!
//! A tile's message is what the whole frame shares, then for each draw that reaches the tile the draw's state, once, and
//! the attributes of its triangles there, in program order. Every part is hashed once however many tiles it reaches: the
//! CRC of a message follows from those of its parts and their lengths (Algorithm 1, [`crc32fast::Hasher::combine`]).
//!
//! A chip compares 32 bits and lives with one collision in four billion tiles. Beside the CRC stands a digest of 64 bits,
//! by which collisions are distinguished from equal inputs.

use std::collections::HashMap;
use std::hash::{BuildHasher, Hasher};

use foldhash::quality::FixedState;

use crate::geometry::{Chunk, MAX_VARYINGS, ShadedVertices, Triangle};
use crate::tiling::TileEntry;

/// Signature of a message, or of a part of one.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct Signature {
    /// CRC32 (IEEE 802.3), what the chip's Signature Buffer holds.
    pub crc: u32,
    /// A digest of the same message that no collision of the CRC shares.
    pub digest: u64,
}

impl Signature {
    /// The signature of bytes.
    #[must_use]
    pub(crate) fn of(bytes: &[u8]) -> Self {
        let mut hasher = FixedState::default().build_hasher();
        hasher.write(bytes);
        Self {
            crc: crc32fast::hash(bytes),
            digest: hasher.finish(),
        }
    }

    /// The signature of a message and a part behind it; `length` moves CRCs by the part's length.
    #[must_use]
    pub(crate) fn followed_by(self, part: Self, length: &Shift) -> Self {
        Self {
            crc: length.apply(self.crc) ^ part.crc,
            digest: digest_followed_by(self.digest, part.digest),
        }
    }

    /// Signature of a message and two parts of one length behind it; `twice` moves by both. The two parts are combined
    /// without waiting for the message's CRC, so the chain over a tile's parts is half as long.
    #[must_use]
    fn followed_by_two(self, [first, second]: [Self; 2], length: &Shift, twice: &Shift) -> Self {
        Self {
            crc: twice.apply(self.crc) ^ (length.apply(first.crc) ^ second.crc),
            digest: digest_followed_by(
                digest_followed_by(self.digest, first.digest),
                second.digest,
            ),
        }
    }
}

/// Parts are well mixed; the rotation and the odd factor (of the golden ratio) make their order count.
const fn digest_followed_by(digest: u64, part: u64) -> u64 {
    (digest.rotate_left(23) ^ part).wrapping_mul(0x9e37_79b9_7f4a_7c15)
}

/// Moves the CRC of a message left by the length of what follows it: the paper's Shift subunit (Fig. 11), four tables of
/// 256 words, made for one length instead of 64 bits.
#[derive(Debug, Clone)]
pub(crate) struct Shift([[u32; 256]; 4]);

impl Shift {
    /// The move left by this number of bytes.
    #[must_use]
    pub(crate) fn by(bytes: u64) -> Self {
        let zeros = crc32fast::Hasher::new_with_initial_len(0, bytes);
        let moved = |bit: u32| {
            let mut hasher = crc32fast::Hasher::new_with_initial_len(1 << bit, 0);
            hasher.combine(&zeros);
            hasher.finalize()
        };
        let mut tables = [[0; 256]; 4];
        for (first_bit, table) in (0..).step_by(8).zip(&mut tables) {
            // The map is linear: a byte's entry is the sum of its bits' entries.
            for byte in 1_usize..256 {
                let lowest = byte.trailing_zeros();
                table[byte] = table[byte & (byte - 1)] ^ moved(first_bit + lowest);
            }
        }
        Self(tables)
    }

    /// The CRC of the message with zeros behind it, but for the CRC of the zeros.
    #[must_use]
    pub(crate) fn apply(&self, crc: u32) -> u32 {
        let [a, b, c, d] = crc.to_le_bytes().map(usize::from);
        self.0[0][a] ^ self.0[1][b] ^ self.0[2][c] ^ self.0[3][d]
    }
}

/// The [`Shift`]s of all lengths that have occurred.
#[derive(Debug, Default)]
pub(crate) struct Shifts(HashMap<u64, Shift, foldhash::fast::FixedState>);

/// More lengths than this are forgotten: 4 MiB of tables.
const MAX_SHIFTS: usize = 1024;

impl Shifts {
    /// Makes what is missing for these lengths.
    pub(crate) fn prepare(&mut self, lengths: impl Iterator<Item = u64>) {
        if self.0.len() > MAX_SHIFTS {
            self.0.clear();
        }
        for length in lengths {
            self.0.entry(length).or_insert_with(|| Shift::by(length));
        }
    }

    /// The shift by a prepared length.
    ///
    /// # Panics
    /// If it was not prepared.
    #[must_use]
    pub(crate) fn get(&self, length: u64) -> &Shift {
        &self.0[&length]
    }
}

/// Signed state of one draw, as it enters the signatures of tiles.
#[derive(Debug, Clone, Copy)]
pub(crate) struct DrawState {
    /// Signature of the constants and everything else that is bound.
    pub signature: Signature,
    /// Bytes of that message.
    pub length: u64,
    /// Varyings of each vertex, in floats.
    pub n_varyings: usize,
}

impl DrawState {
    /// Bytes of a triangle's message.
    #[must_use]
    pub(crate) const fn triangle_bytes(&self) -> u64 {
        4 * triangle_words(self.n_varyings) as u64
    }

    /// Lengths whose shifts sign tiles: the draw's own message, a triangle's, and two triangles'.
    #[must_use]
    pub(crate) const fn lengths(&self) -> [u64; 3] {
        let triangle = self.triangle_bytes();
        [self.length, triangle, 2 * triangle]
    }
}

/// Words of a screen position.
const SCREEN_WORDS: usize = 4;

/// Words of a triangle's message: its facing, then three vertices, each with position and varyings; zeros behind them to
/// whole blocks of the digest, and to 128 bytes, from where on CRCs are found sixteen bytes at a time.
const fn triangle_words(n_varyings: usize) -> usize {
    let words = 1 + 3 * vertex_words(n_varyings);
    let words = words.next_multiple_of(NH_WORDS);
    if words < 32 { 32 } else { words }
}

const fn vertex_words(n_varyings: usize) -> usize {
    SCREEN_WORDS + n_varyings
}

/// Factors of [`nh`]: one a word, of the sequence whose steps are the golden ratio's 64 bits (Weyl's), mixed.
const KEYS: [u32; triangle_words(MAX_VARYINGS)] = {
    let mut keys = [0; triangle_words(MAX_VARYINGS)];
    let mut nth = 0;
    while nth < keys.len() {
        let weyl = (nth as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        keys[nth] = ((weyl ^ (weyl >> 29)).wrapping_mul(0xbf58_476d_1ce4_e5b9) >> 32) as u32;
        nth += 1;
    }
    keys
};

/// Words of a block of [`nh`].
const NH_WORDS: usize = 8;

/// The hash NH of UMAC (RFC 4418, section 5.2.2) of whole blocks: sums of products, which lanes find side by side. Two
/// messages share it by one chance in 2^32, whatever their CRCs.
fn nh(blocks: &[[u32; NH_WORDS]]) -> u64 {
    let keys = KEYS.as_chunks::<NH_WORDS>().0;
    let mut sums = [0_u64; NH_WORDS / 2];
    for (block, keys) in blocks.iter().zip(keys) {
        for (lane, sum) in sums.iter_mut().enumerate() {
            let keyed = |at: usize| u64::from(block[at].wrapping_add(keys[at]));
            *sum = sum.wrapping_add(keyed(lane).wrapping_mul(keyed(lane + NH_WORDS / 2)));
        }
    }
    let sum = sums.into_iter().fold(0, u64::wrapping_add);
    // Low bits of products say little of high bits: mix, as `followed_by` asks for.
    (sum ^ (sum >> 32)).wrapping_mul(0xd6e8_feb8_6659_fd93)
}

/// Messages that are put together before the first of them is hashed: data just written in words cannot yet be read in
/// vectors.
const MESSAGES_AT_ONCE: usize = 16;

/// The signatures of a chunk's triangles.
pub fn sign_triangles(
    chunk: &Chunk,
    vertices: &ShadedVertices,
    n_varyings: usize,
    out: &mut Vec<Signature>,
) {
    let mut messages = [0_u32; MESSAGES_AT_ONCE * KEYS.len()];
    let (message, vertex) = (triangle_words(n_varyings), vertex_words(n_varyings));
    let put = |triangle: &Triangle, words: &mut [u32]| {
        let (facing, mut words) = words.split_at_mut(1);
        facing[0] = triangle.front_facing.into();
        for index in triangle.vertices {
            let (position, rest) = words.split_at_mut(SCREEN_WORDS);
            let (varyings, rest) = rest.split_at_mut(vertex - SCREEN_WORDS);
            position.copy_from_slice(bytemuck::cast_slice(&[*chunk.vertex(vertices, index)]));
            copy(chunk.varyings(vertices, n_varyings, index), varyings);
            words = rest;
        }
    };
    let sign = |words: &[u32]| Signature {
        crc: crc32fast::hash(bytemuck::cast_slice(words)),
        digest: nh(words.as_chunks().0),
    };
    out.clear();
    for triangles in chunk.triangles.chunks(MESSAGES_AT_ONCE) {
        for (triangle, words) in triangles.iter().zip(messages.chunks_exact_mut(message)) {
            put(triangle, words);
        }
        let messages = messages.chunks_exact(message).take(triangles.len());
        out.extend(messages.map(sign));
    }
}

/// The bits of a few floats, too few to be worth a call: four at a time, the last four once more where they are not whole
/// fours.
fn copy(from: &[f32], to: &mut [u32]) {
    if let (Some(last), Some(to_last)) = (from.last_chunk::<4>(), to.last_chunk_mut()) {
        *to_last = last.map(f32::to_bits);
        for (from, to) in from.as_chunks::<4>().0.iter().zip(to.as_chunks_mut().0) {
            *to = from.map(f32::to_bits);
        }
    } else {
        for (from, to) in from.iter().zip(to) {
            *to = from.to_bits();
        }
    }
}

/// Signature of one draw, with the shifts by its message and by its triangles' messages.
#[derive(Debug, Clone, Copy)]
pub(crate) struct SignedDraw<'a> {
    signature: Signature,
    length: &'a Shift,
    triangle_length: &'a Shift,
    two_triangles: &'a Shift,
}

impl<'a> SignedDraw<'a> {
    /// The draw's state with the shifts for its lengths, which are prepared.
    #[must_use]
    pub(crate) fn new(state: &DrawState, shifts: &'a Shifts) -> Self {
        let [length, triangle_length, two_triangles] = state.lengths().map(|n| shifts.get(n));
        Self {
            signature: state.signature,
            length,
            triangle_length,
            two_triangles,
        }
    }
}

/// Signatures of one chunk's triangles, with the chunk's draw.
#[derive(Debug, Clone, Copy)]
pub(crate) struct SignedChunk<'a> {
    /// Position of its draw in the frame.
    pub draw: u32,
    /// Signatures of its triangles, in program order.
    pub triangles: &'a [Signature],
}

/// All that tiles are signed with.
#[derive(Debug, Clone, Copy)]
pub(crate) struct SignedFrame<'a> {
    /// Signature of the bytes that the whole frame shares.
    pub frame: Signature,
    /// Signed draws, by number; none for those that have moved.
    pub draws: &'a [Option<SignedDraw<'a>>],
    /// Signed chunks, by their number in the tile lists.
    pub chunks: &'a [SignedChunk<'a>],
}

impl SignedFrame<'_> {
    /// The signature of a tile with this list; none if a draw in it has none.
    #[must_use]
    pub(crate) fn tile(&self, entries: &[TileEntry]) -> Option<Signature> {
        let mut signature = self.frame;
        let mut current = None;
        for of_chunk in entries.chunk_by(|a, b| a.chunk == b.chunk) {
            let chunk = &self.chunks[of_chunk[0].chunk as usize];
            let draw = self.draws[chunk.draw as usize].as_ref()?;
            if current != Some(chunk.draw) {
                current = Some(chunk.draw);
                signature = signature.followed_by(draw.signature, draw.length);
            }
            let triangle = |entry: &TileEntry| chunk.triangles[entry.triangle as usize];
            let (pairs, last) = of_chunk.as_chunks();
            for pair in pairs {
                let pair = pair.each_ref().map(triangle);
                signature =
                    signature.followed_by_two(pair, draw.triangle_length, draw.two_triangles);
            }
            for last in last {
                signature = signature.followed_by(triangle(last), draw.triangle_length);
            }
        }
        Some(signature)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use proptest::prelude::*;

    use super::*;
    use crate::geometry::ScreenVertex;

    /// The paper's units in their own words: CRC32 without inversions, 64 bits at a time.
    mod paper {
        /// IEEE's polynomial, lowest coefficient first as in Ethernet.
        const POLYNOMIAL: u32 = 0xedb8_8320;

        /// CRC of a byte followed by `zeros` bytes of zeros: an entry of a table (section III-D).
        fn entry(byte: u8, zeros: u32) -> u32 {
            let mut crc = u32::from(byte);
            for _ in 0..8 * (zeros + 1) {
                crc = (crc >> 1) ^ (POLYNOMIAL & (crc & 1).wrapping_neg());
            }
            crc
        }

        /// `ComputeCRC` of 64 bits: eight tables (Fig. 10).
        pub(super) fn sign(block: [u8; 8]) -> u32 {
            let entries = block.iter().zip((0..8).rev());
            entries.fold(0, |crc, (&byte, zeros)| crc ^ entry(byte, zeros))
        }

        /// `ComputeCRC(crc << 64)`: a CRC of 32 bits as the first half of a block (Fig. 11).
        pub(super) fn shift(crc: u32) -> u32 {
            let [a, b, c, d] = crc.to_le_bytes();
            sign([a, b, c, d, 0, 0, 0, 0])
        }

        /// Algorithm 2; with the shift amount.
        pub(super) fn compute(message: &[u8]) -> (u32, u32) {
            let blocks = message.as_chunks::<8>().0;
            blocks.iter().fold((0, 0), |(crc, amount), block| {
                (sign(*block) ^ shift(crc), amount + 1)
            })
        }

        /// Algorithm 3 and the last line of Algorithm 1.
        pub(super) fn accumulate(signature: u32, (crc, amount): (u32, u32)) -> u32 {
            crc ^ (0..amount).fold(signature, |crc, _| shift(crc))
        }
    }

    fn blocks() -> impl Strategy<Value = Vec<u8>> {
        prop::collection::vec(any::<[u8; 8]>(), 0..40).prop_map(|blocks| blocks.concat())
    }

    proptest! {
        #[test]
        fn signature_of_parts_is_that_of_the_whole(a in prop::collection::vec(any::<u8>(), 0..200), b in prop::collection::vec(any::<u8>(), 0..200)) {
            let whole = Signature::of(&[a.clone(), b.clone()].concat());
            let parts = Signature::of(&a).followed_by(Signature::of(&b), &Shift::by(b.len() as u64));
            prop_assert_eq!(parts.crc, whole.crc);
        }

        #[test]
        fn signature_with_two_parts_is_that_with_one_after_the_other(start in any::<(u32, u64)>(), parts in any::<[(u32, u64); 2]>(), length in 0_u64..1000) {
            let signature = |(crc, digest)| Signature { crc, digest };
            let (start, [a, b]) = (signature(start), parts.map(signature));
            let (once, twice) = (Shift::by(length), Shift::by(2 * length));
            let expected = start.followed_by(a, &once).followed_by(b, &once);
            prop_assert_eq!(start.followed_by_two([a, b], &once, &twice), expected);
        }

        #[test]
        fn signature_unit_of_the_paper_finds_the_crc_of_the_whole(a in blocks(), b in blocks()) {
            let parts = paper::accumulate(paper::compute(&a).0, paper::compute(&b));
            prop_assert_eq!(parts, paper::compute(&[a, b].concat()).0, "inc(A, B) = crc(A || B)");
        }

        #[test]
        fn signature_shift_is_the_papers_repeated(crc in any::<u32>(), amount in 0_u32..40) {
            let repeated = (0..amount).fold(crc, |crc, _| paper::shift(crc));
            prop_assert_eq!(Shift::by(8 * u64::from(amount)).apply(crc), repeated);
        }
    }

    #[test]
    fn signature_of_a_triangle_covers_every_varying_and_position() {
        for n in 0..=MAX_VARYINGS {
            let mut vertices = ShadedVertices::default();
            vertices.screen.resize(3, ScreenVertex::default());
            vertices.varyings.resize(3 * n, 1.0);
            let mut chunk = Chunk::default();
            let triangle = Triangle {
                vertices: [0, 1, 2],
                front_facing: true,
            };
            // More than are put together at once.
            chunk.triangles.resize(MESSAGES_AT_ONCE + 1, triangle);
            let mut seen = vec![signed(&chunk, &vertices, n)];
            for at in 0..3 * n {
                vertices.varyings[at] = -1.0;
                seen.push(signed(&chunk, &vertices, n));
                vertices.varyings[at] = 1.0;
            }
            for at in 0..3 * SCREEN_WORDS {
                let flip = |vertices: &mut ShadedVertices| {
                    bytemuck::cast_slice_mut::<_, u32>(&mut vertices.screen)[at] ^= 1 << 8;
                };
                flip(&mut vertices);
                seen.push(signed(&chunk, &vertices, n));
                flip(&mut vertices);
            }
            chunk.triangles[MESSAGES_AT_ONCE].front_facing = false;
            seen.push(signed(&chunk, &vertices, n));
            let n_messages = seen.len();
            let crcs: HashSet<u32> = seen.iter().map(|signature| signature.crc).collect();
            let digests: HashSet<u64> = seen.iter().map(|signature| signature.digest).collect();
            assert_eq!(crcs.len(), n_messages, "CRCs with {n} varyings");
            assert_eq!(digests.len(), n_messages, "digests with {n} varyings");
        }
    }

    /// The signature of the chunk's last triangle.
    fn signed(chunk: &Chunk, vertices: &ShadedVertices, n_varyings: usize) -> Signature {
        let mut signatures = Vec::new();
        sign_triangles(chunk, vertices, n_varyings, &mut signatures);
        assert_eq!(signatures.len(), chunk.triangles.len(), "one a triangle");
        signatures[signatures.len() - 1]
    }

    #[test]
    fn signature_digests_of_triangles_differ_where_any_bit_does() {
        let message = [[7_u32; NH_WORDS]; 4];
        let mut seen = vec![nh(&message)];
        for (block, word, bit) in
            (0..4).flat_map(|b| (0..8).flat_map(move |w| (0..32).map(move |i| (b, w, i))))
        {
            let mut other = message;
            other[block][word] ^= 1 << bit;
            seen.push(nh(&other));
        }
        let n_messages = seen.len();
        seen.sort_unstable();
        seen.dedup();
        assert_eq!(
            seen.len(),
            n_messages,
            "of 1,025 messages no two share a digest"
        );
    }

    #[test]
    fn signature_unit_of_the_paper_is_crc32_but_for_the_inversions() {
        // Without inversions a CRC is the XOR of two ordinary ones: the message's, and that of as many zeros.
        let message: Vec<u8> = (0..144_u8)
            .map(|byte| byte.wrapping_mul(5).wrapping_add(1))
            .collect();
        let plain = crc32fast::hash(&message) ^ crc32fast::hash(&[0; 144]);
        assert_eq!(
            paper::compute(&message),
            (plain, 18),
            "three attributes of 48 bytes"
        );
    }

    /// Fig. 6: draw F has primitive C over tiles 0 and 2; draw S has A over tiles 1, 2, 3 and B over 1 and 3.
    #[test]
    fn signature_of_tiles_is_that_of_the_messages_of_figure_6() {
        let state = |constants: &[u8]| DrawState {
            signature: Signature::of(constants),
            length: constants.len() as u64,
            n_varyings: 8,
        };
        let draws = [state(b"constants of F"), state(b"constants of S, longer")];
        let message = |nth: u8| vec![nth; draws[0].triangle_bytes() as usize];
        let [a, b, c] = [message(1), message(2), message(3)];
        let triangles = [
            vec![Signature::of(&c)],
            vec![Signature::of(&a), Signature::of(&b)],
        ];
        let mut shifts = Shifts::default();
        shifts.prepare(draws.iter().flat_map(DrawState::lengths));
        let draws = draws.map(|draw| Some(SignedDraw::new(&draw, &shifts)));
        let chunk = |draw: usize| SignedChunk {
            draw: draw as u32,
            triangles: &triangles[draw],
        };
        let frame = SignedFrame {
            frame: Signature::of(b"clear colour"),
            draws: &draws,
            chunks: &[chunk(0), chunk(1)],
        };
        let entry = |chunk, triangle| TileEntry { chunk, triangle };
        let (a_, b_, c_) = (entry(1, 0), entry(1, 1), entry(0, 0));
        let (f, s) = (
            b"constants of F".to_vec(),
            b"constants of S, longer".to_vec(),
        );
        let tiles = [
            (vec![c_], [&f, &c].map(Vec::clone).concat()),
            (vec![a_, b_], [&s, &a, &b].map(Vec::clone).concat()),
            (vec![c_, a_], [&f, &c, &s, &a].map(Vec::clone).concat()),
            (vec![a_, b_], [&s, &a, &b].map(Vec::clone).concat()),
        ];
        for (tile, (entries, inputs)) in tiles.iter().enumerate() {
            let whole = crc32fast::hash(&[b"clear colour".to_vec(), inputs.clone()].concat());
            let signature = frame.tile(entries).expect("all draws are signed");
            assert_eq!(signature.crc, whole, "tile {tile}");
        }
    }

    #[test]
    fn signature_tells_the_order_of_parts() {
        let [a, b] = [Signature::of(b"a"), Signature::of(b"b")];
        let length = Shift::by(1);
        let start = Signature::default();
        let forth = start.followed_by(a, &length).followed_by(b, &length);
        let back = start.followed_by(b, &length).followed_by(a, &length);
        assert_ne!(forth.crc, back.crc, "CRC");
        assert_ne!(forth.digest, back.digest, "digest");
    }
}
