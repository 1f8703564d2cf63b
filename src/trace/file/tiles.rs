//! Payload of tiles: every column of quads apart, because columns of one kind compress well.

use super::accesses::{put_accesses, take_accesses};
use super::wire::{Decoder, Encoder, Layout, Malformed, Parts, Version};
use crate::{BufferAccesses, PathIdx, Quad, TileDigests, TilePrimitive, TileTrace};

pub(super) fn put_tile(to: &mut Encoder, tile: &TileTrace, parts: Parts) {
    to.count(tile.primitives.len());
    to.deltas(tile.primitives.iter().map(|entry| entry.primitive));
    to.deltas(tile.primitives.iter().map(|entry| entry.n_quads));
    put_quads(to, &tile.quads);
    to.count(tile.block_counts.len());
    to.bytes.extend_from_slice(&tile.block_counts);
    to.count(tile.blocks.len());
    to.deltas(tile.blocks.iter().copied());
    to.unsigned(tile.digests.input_crc.into());
    to.unsigned(tile.digests.inputs);
    to.unsigned(tile.digests.color_crc.into());
    to.count(tile.fragment_hashes.len());
    to.bytes.extend(
        tile.fragment_hashes
            .iter()
            .flat_map(|hash| hash.to_le_bytes()),
    );
    if parts.branches {
        to.count(tile.paths.len());
        to.deltas(tile.paths.iter().map(|path| path.0));
    }
    if parts.accesses {
        put_accesses(to, &tile.accesses);
    }
}

pub(super) fn take_tile(from: &mut Decoder<'_>, layout: Layout) -> Result<TileTrace, Malformed> {
    from.reserve::<TileTrace>(1, "a tile")?;
    let n_primitives = from.count(2, "a tile's list")?;
    from.reserve::<TilePrimitive>(n_primitives, "a tile's list")?;
    let primitives = from.deltas(n_primitives, "a tile's list")?;
    let n_quads = from.deltas(n_primitives, "a tile's list")?;
    let mut tile = TileTrace {
        primitives: primitives
            .into_iter()
            .zip(n_quads)
            .map(|(primitive, n_quads)| TilePrimitive { primitive, n_quads })
            .collect(),
        quads: take_quads(from, layout.version)?,
        paths: Vec::new(),
        block_counts: {
            let count = from.count(1, "a tile's block counts")?;
            from.reserve::<u8>(count, "a tile's block counts")?;
            from.take(count, "a tile's block counts")?.to_vec()
        },
        blocks: {
            let count = from.count(1, "a tile's blocks")?;
            from.deltas(count, "a tile's blocks")?
        },
        accesses: BufferAccesses::default(),
        digests: TileDigests {
            input_crc: from.small("a tile's digest")?,
            inputs: from.unsigned("a tile's digest")?,
            color_crc: from.small("a tile's digest")?,
        },
        fragment_hashes: take_hashes(from)?,
    };
    if layout.parts.branches {
        let count = from.count(1, "a tile's paths")?;
        let numbers = from.deltas(count, "a tile's paths")?;
        tile.paths = numbers.into_iter().map(PathIdx).collect();
    }
    if layout.parts.accesses {
        tile.accesses = take_accesses(from)?;
    }
    Ok(tile)
}

fn put_quads(to: &mut Encoder, quads: &[Quad]) {
    to.count(quads.len());
    to.deltas(quads.iter().map(|quad| quad.0 & 0xfff));
    to.bytes
        .extend(quads.iter().map(|quad| (quad.0 >> 12 & 0xff) as u8));
    to.bytes
        .extend(quads.iter().map(|quad| (quad.0 >> 20 & 0x3f) as u8));
}

fn take_quads(from: &mut Decoder<'_>, version: Version) -> Result<Vec<Quad>, Malformed> {
    let count = from.count(3, "a tile's quads")?;
    let positions = from.deltas(count, "a tile's quads")?;
    from.reserve::<Quad>(count, "a tile's quads")?;
    let before = from.take(count, "a tile's quads")?;
    let after = from.take(count, "a tile's quads")?;
    let mut quads = Vec::with_capacity(count);
    for ((position, before), after) in positions.into_iter().zip(before).zip(after) {
        let (covered, live) = (before & 15, before >> 4);
        let (written, rest) = (after & 15, after >> 4);
        let subsets = live & !covered == 0 && written & !live == 0;
        // One that is behind does not run.
        let behind = rest >> 1;
        let most = if version < Version::Newest { 1 } else { 3 };
        let fits = rest <= most && (behind == 0 || live == 0);
        if position > 0xfff || !fits || covered == 0 || !subsets {
            return Err(Malformed::Content("a tile's quad"));
        }
        let bits = u32::from(*before) << 12 | u32::from(*after) << 20;
        let quad = Quad(position | bits);
        // Older files say nothing of it: as much as can be.
        let hidden = version < Version::Newest && live == 0;
        quads.push(quad.with_behind(quad.is_behind() || hidden));
    }
    Ok(quads)
}

fn take_hashes(from: &mut Decoder<'_>) -> Result<Vec<u32>, Malformed> {
    let count = from.count(4, "a tile's fragment hashes")?;
    from.reserve::<u32>(count, "a tile's fragment hashes")?;
    let bytes = from.take(4 * count, "a tile's fragment hashes")?;
    let words = bytes.as_chunks::<4>().0;
    Ok(words.iter().map(|word| u32::from_le_bytes(*word)).collect())
}
