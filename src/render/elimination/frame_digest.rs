//! Digests of a frame's draws before any stage has run: a frame whose draws are those of the picture that it is drawn over
//! needs no geometry either.
//!
//! State (constants, bindings, placement) is small and shows most changes. Vertex data are large, so they are looked at
//! only where the state is the same, and those of a scene are read once for all frames in which they do not change.

use std::hash::{BuildHasher, Hasher};

use foldhash::quality::FixedState;
use rayon::prelude::*;

use super::signature::DrawState;
use super::signer::signed_before_passes;
use crate::constants::frame_bytes;
use crate::geometry::Placement;
use crate::shading::FragmentProgram;
use crate::{Draw, DrawList};
use azulejo_scene::{Primitive, put_stream};

/// A digest of all draws of all passes but for their vertex data, and of how the frame leaves the chip; `signed` are the
/// frame's own draws before passes, all of them.
pub(super) fn state<P: FragmentProgram + Sync>(
    list: &DrawList<'_, P>,
    signed: &[Option<DrawState>],
) -> u64 {
    let mut hasher = FixedState::default().build_hasher();
    put_state(&mut hasher, list, signed);
    if let Some(pass) = &list.behind {
        put_state(&mut hasher, &pass.list, &signed_before_passes(&pass.list));
    }
    hasher.finish()
}

/// Hashes the frame's settings and the signed state of its draws. A pass behind counts by its inputs: it may not be drawn
/// yet.
fn put_state<P: FragmentProgram>(
    hasher: &mut impl Hasher,
    list: &DrawList<'_, P>,
    signed: &[Option<DrawState>],
) {
    put_stream(hasher, &frame_bytes(&list.settings));
    for (draw, signed) in list.draws.iter().zip(signed.iter().flatten()) {
        hasher.write_u64(signed.signature.digest);
        hasher.write_u32(signed.signature.crc);
        put_stream(hasher, &draw.clip_from_world.to_cols_array());
        match draw.placement {
            Placement::Rigid(world_from_local) => {
                put_stream(hasher, &world_from_local.to_cols_array());
            }
            Placement::Skinned { joints, .. } => put_stream(hasher, joints),
        }
        put_stream(hasher, draw.morph_weights);
        let fixed_function = [
            draw.mode as u8,
            draw.depth as u8,
            draw.faces(),
            draw.program.varyings().len,
        ];
        put_stream(hasher, &fixed_function);
    }
}

/// A digest of all draws' vertex data.
pub(super) fn geometry<P: FragmentProgram + Sync>(list: &DrawList<'_, P>) -> u64 {
    let behind = list.behind.iter().flat_map(|pass| &pass.list.draws);
    let draws: Vec<&Draw<'_, P>> = list.draws.iter().chain(behind).collect();
    // Copies of a mesh are one primitive in memory, which is looked at once.
    let address = |draw: &&Draw<'_, P>| std::ptr::from_ref::<Primitive>(draw.primitive).addr();
    let mut distinct = draws.clone();
    distinct.sort_unstable_by_key(address);
    distinct.dedup_by_key(|draw| address(draw));
    let digests: Vec<u64> = (distinct.par_iter())
        .map(|draw| draw.identity.geometry_digest(draw.primitive))
        .collect();
    let mut hasher = FixedState::default().build_hasher();
    for draw in &draws {
        let at = distinct.partition_point(|other| address(other) < address(draw));
        hasher.write_u64(digests[at]);
    }
    hasher.finish()
}
