//! Bytes that tell a draw from another with the same vertices: constants, which its two programs read, and bindings, which
//! tell programs, textures and samplers apart.
//!
//! Equality of these bytes decides whether a tile's inputs count as unchanged. A scene's draws say what an engine would set
//! for them. For every other draw the bytes follow from the draw's fields and from its program, run once on recording
//! lanes, so there is nothing that could be forgotten. Either way they are made on demand: a frame that is only drawn needs
//! none.

/// State of a draw, as bytes that tell it from another.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct StateBytes {
    /// Constants that an engine would set for this draw (uniforms of both programs, fixed-function state): size and digest
    /// are facts for the hardware model.
    pub(super) constants: Vec<u8>,
    /// Everything else that decides how it looks (program, textures, samplers): equal bytes, equal bindings. Drivers have
    /// it without asking the chip, so it costs nothing in the hardware model.
    pub(super) bindings: Vec<u8>,
}

/// Which faces are drawn, and which way those of a skin are turned.
pub(super) fn faces(double_sided: bool, mirrored_skin: bool) -> u8 {
    u8::from(double_sided) | u8::from(mirrored_skin) << 1
}

impl StateBytes {
    /// Forgets the bytes, and keeps the room that they had.
    pub(super) fn clear(&mut self) {
        self.constants.clear();
        self.bindings.clear();
    }

    /// CRC32 of all of it.
    pub(super) fn crc(&self) -> u32 {
        let mut hasher = crc32fast::Hasher::new();
        hasher.update(&self.constants);
        hasher.update(&self.bindings);
        hasher.finalize()
    }
}
