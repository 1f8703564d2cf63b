//! Opening a file, up to the raw buffers: the container taken apart, its JSON typed, its buffers fetched and decompressed.

use std::sync::atomic::AtomicU64;

use super::buffers::Buffers;
use super::error::LoadError;
use super::file::File;
use super::uri::Resolve;
use super::warnings::Warnings;
use super::{container, extensions, json, meshopt};

/// Opens the .gltf or .glb in `bytes`; what is decoded from it later may take `memory_limit` bytes.
pub(super) fn open(
    bytes: Vec<u8>,
    resolve: &Resolve<'_>,
    memory_limit: u64,
) -> Result<File, LoadError> {
    let parts = container::split(bytes)?;
    let mut tree = json::parse(&parts.json)?;
    drop(parts.json);
    extensions::check_required(&tree.root)?;
    let warnings = Warnings::default();
    let buffers = Buffers::fetch(&mut tree.root, parts.binary, resolve, &warnings);
    let mut file = File {
        root: tree.root,
        extra_morphs: tree.extra_morphs,
        places: tree.places,
        pointers: tree.pointers,
        buffers,
        warnings,
        budget: AtomicU64::new(memory_limit),
    };
    file.buffers.decoded = meshopt::decode_views(&file);
    extensions::warnings(&file.root).for_each(|warning| file.warn(warning));
    tree.warning
        .into_iter()
        .for_each(|warning| file.warn(warning));
    for (animation, count) in tree.channels_left_out {
        file.warn(format!(
            "animation {animation}: {count} channels animate no node: left out"
        ));
    }
    Ok(file)
}
