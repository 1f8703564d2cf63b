//! Choice of the measurements recorded while a picture is drawn.

/// Measurements recorded while a picture is drawn. As a [`Sink`](super::Sink) it gives a [`Frame`](super::Frame).
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Recording {
    /// Nothing: the observer's calls are compiled away.
    #[default]
    Off,
    /// Counters by frame, draw and tile.
    Counters,
}
