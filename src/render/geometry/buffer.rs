//! Buffers that live from frame to frame and do not hold far more memory than they need.

/// Gives memory back if more than a third of it is spare: growth by doubling leaves up to half, which over all chunks of a
/// large mesh is as much as the mesh.
pub(crate) fn give_back_spare<T>(buffer: &mut Vec<T>) {
    if buffer.capacity() > buffer.len() + buffer.len() / 2 {
        buffer.shrink_to_fit();
    }
}
