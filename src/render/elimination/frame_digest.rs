//! Digests of a frame's draws before any stage has run: a frame whose draws are those of the picture that it is drawn over
//! needs no geometry either.
//!
//! State (constants, bindings, placement) is small and shows most changes. Vertex data are large, so they are looked at only
//! where the state is the same.

use std::hash::{BuildHasher, Hasher};

use foldhash::quality::FixedState;
use rayon::prelude::*;

use super::signature::DrawState;
use super::signer::signed_before_passes;
use crate::render::DrawList;
use crate::render::constants::frame_bytes;
use crate::render::geometry::Placement;
use crate::render::shading::FragmentProgram;
use crate::scene::{MorphTarget, Primitive, Topology};

/// A digest of all draws of all passes but for their vertex data, and of how the frame leaves the chip; `signed` are the frame's own draws
/// before passes.
pub(super) fn state<P: FragmentProgram + Sync>(
    list: &DrawList<'_, P>,
    signed: &[DrawState],
) -> u64 {
    let mut hasher = FixedState::default().build_hasher();
    put_state(&mut hasher, list, signed);
    if let Some(pass) = &list.behind {
        put_state(&mut hasher, &pass.list, &signed_before_passes(&pass.list));
    }
    hasher.finish()
}

/// What lies behind counts by what it is drawn from: it may not be drawn yet.
fn put_state<P: FragmentProgram>(
    hasher: &mut impl Hasher,
    list: &DrawList<'_, P>,
    signed: &[DrawState],
) {
    put(hasher, &frame_bytes(&list.settings));
    for (draw, signed) in list.draws.iter().zip(signed) {
        hasher.write_u64(signed.signature.digest);
        hasher.write_u32(signed.signature.crc);
        put(hasher, &draw.clip_from_world.to_cols_array());
        match draw.placement {
            Placement::Rigid(world_from_local) => {
                put(hasher, &world_from_local.to_cols_array());
            }
            Placement::Skinned(joints) => put(hasher, joints),
        }
        put(hasher, draw.morph_weights);
        let fixed_function = [
            draw.mode as u8,
            draw.depth as u8,
            draw.double_sided.into(),
            draw.program.varyings().len,
        ];
        put(hasher, &fixed_function);
    }
}

/// A digest of all draws' vertex data.
pub(super) fn geometry<P: FragmentProgram + Sync>(list: &DrawList<'_, P>) -> u64 {
    let behind = list.behind.iter().flat_map(|pass| &pass.list.draws);
    let drawn: Vec<&Primitive> = (list.draws.iter().chain(behind))
        .map(|draw| draw.primitive)
        .collect();
    // Copies of a mesh are one primitive in memory, which is looked at once.
    let address = |primitive: &&Primitive| std::ptr::from_ref::<Primitive>(primitive).addr();
    let mut distinct = drawn.clone();
    distinct.sort_unstable_by_key(address);
    distinct.dedup_by_key(|primitive| address(primitive));
    let digests: Vec<u64> = distinct.par_iter().map(|each| primitive(each)).collect();
    let mut hasher = FixedState::default().build_hasher();
    for primitive in &drawn {
        let at = distinct.partition_point(|other| address(other) < address(primitive));
        hasher.write_u64(digests[at]);
    }
    hasher.finish()
}

fn primitive(primitive: &Primitive) -> u64 {
    let mut hasher = FixedState::default().build_hasher();
    let topology = match primitive.topology {
        Topology::Points => 0,
        Topology::Lines => 1,
        Topology::Triangles => 2_u8,
    };
    put(&mut hasher, &[topology]);
    put(&mut hasher, &primitive.indices);
    put(&mut hasher, &primitive.positions);
    put(&mut hasher, &primitive.normals);
    put(&mut hasher, &primitive.tangents);
    put_all(&mut hasher, &primitive.tex_coords);
    put(&mut hasher, &primitive.colors);
    put_all(&mut hasher, &primitive.joints);
    put_all(&mut hasher, &primitive.weights);
    for target in &primitive.morph_targets {
        let MorphTarget {
            positions,
            normals,
            tangents,
            tex_coords,
            colors,
        } = target;
        put_all(&mut hasher, &[positions, normals, tangents]);
        put_all(&mut hasher, tex_coords);
        put(&mut hasher, colors);
    }
    hasher.finish()
}

/// A stream with its length, so that what moves from one to the next is not the same.
fn put<T: bytemuck::NoUninit>(hasher: &mut impl Hasher, values: &[T]) {
    hasher.write_usize(values.len());
    hasher.write(bytemuck::cast_slice(values));
}

fn put_all<T: bytemuck::NoUninit>(hasher: &mut impl Hasher, streams: &[impl AsRef<[T]>]) {
    hasher.write_usize(streams.len());
    for stream in streams {
        put(hasher, stream.as_ref());
    }
}
