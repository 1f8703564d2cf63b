//! Pace of frames: how often they are drawn, and how coarse they may be while the camera moves.

use std::time::{Duration, Instant};

use super::history::History;

/// Interval between two frames of playback.
pub(super) const FRAME: Duration = Duration::from_micros(16_000);
/// Time after the camera's last move until the picture is drawn in full again.
pub(super) const SETTLE: Duration = Duration::from_millis(180);
/// Milliseconds that a frame may take while the camera moves.
const TARGET_MS: f64 = 33.0;
/// Coarsest picture while the camera moves: one pixel for this many, along each axis.
const MAX_DIVISOR: u32 = 8;

/// Whether the camera was moved just now.
pub(super) fn is_moving(moved: Option<Instant>, now: Instant) -> bool {
    moved.is_some_and(|moved| now < moved + SETTLE)
}

/// Divisor for the edges of a picture of `size` pixels, so that frames follow the hand. Raster time goes with the pixels;
/// the stages before it do not.
pub(super) fn divisor(history: &History, size: [u32; 2]) -> u32 {
    let Some(last) = history.samples.back() else {
        return 1;
    };
    let before = last.times.total() - last.times.raster;
    let pixels = f64::from(size[0]) * f64::from(size[1]);
    let raster = last.times.raster * pixels / last.pixels.max(1) as f64;
    (1..MAX_DIVISOR)
        .find(|divisor| before + raster / f64::from(divisor * divisor) <= TARGET_MS)
        .unwrap_or(MAX_DIVISOR)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::window::history::Sample;
    use crate::window::render_thread::StageTimes;

    fn history(raster: f64, pixels: u64) -> History {
        let mut history = History::default();
        history.samples.push_back(Sample {
            at: Instant::now(),
            times: StageTimes {
                geometry: 3.0,
                raster,
                ..StageTimes::default()
            },
            pixels,
            overdraw: None,
            primitives: None,
            reduced: false,
        });
        history
    }

    #[test]
    fn pacing_reduces_only_slow_frames() {
        let size = [1000, 1000];
        let of = |raster, pixels| divisor(&history(raster, pixels), size);
        assert_eq!(of(20.0, 1_000_000), 1, "fast enough");
        assert_eq!(of(100.0, 1_000_000), 2, "a quarter of the pixels");
        assert_eq!(
            of(25.0, 250_000),
            2,
            "judged by pixels, not by the last size"
        );
        assert_eq!(of(1e5, 1_000_000), MAX_DIVISOR, "but never coarser");
    }
}
