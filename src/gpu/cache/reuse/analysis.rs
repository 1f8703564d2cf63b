//! The analysis of a whole stream: every access is new, or a reuse within its frame or of an earlier frame, at some
//! distance.

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::distance::StackDistances;
use super::histogram::{Bin, DistanceHistogram};
use super::sub_traces::{FrameLines, SubTraceSums, SubTraces};
use crate::cache::ByAddress;
use crate::cache::offline::StreamFull;
use crate::cache::spec::{CacheSpec, CacheSpecError};
use crate::cache::stream::{StreamAccess, StreamEvent};

/// Most pairs of a tile and a set that are told apart in a frame: about 600 MB.
const MAX_TILE_SETS: usize = 1 << 24;

/// Reuses of one kind.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Reuses {
    /// Their distances: other lines of the set since the last use.
    pub distances: DistanceHistogram,
}

impl Serialize for Reuses {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        #[derive(Serialize)]
        struct Fields {
            accesses: u64,
            mean_distance: Option<f64>,
            distances: Vec<Bin>,
        }
        let fields = Fields {
            accesses: self.distances.n(),
            mean_distance: self.distances.mean(),
            distances: self.distances.bins(),
        };
        fields.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Reuses {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        #[derive(Deserialize)]
        struct Fields {
            mean_distance: Option<f64>,
            distances: Vec<Bin>,
        }
        let fields = Fields::deserialize(from)?;
        let mean = fields.mean_distance.unwrap_or(0.0);
        let distances = DistanceHistogram::of_bins(&fields.distances, mean);
        Ok(Self { distances })
    }
}

/// How a stream reuses its lines.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ReuseReport {
    /// Frames that were counted.
    pub frames: u64,
    /// Accesses of the counted frames.
    pub accesses: u64,
    /// Different lines of the whole stream.
    pub distinct_lines: u64,
    /// Different lines of a frame, on average.
    pub lines_per_frame: Option<f64>,
    /// Sets of the cache.
    pub sets: u64,
    /// Bytes in a line.
    pub line: u64,
    /// Accesses to lines that no frame had used.
    pub new: u64,
    /// Accesses to lines that the same frame has used.
    pub within_frame: Reuses,
    /// Accesses to lines that an earlier frame used last.
    pub between_frames: Reuses,
    /// How often a tile uses a set that it uses at all: pairs of a tile and a set with so many accesses.
    pub per_tile_and_set: Vec<Bin>,
    /// From frame to frame.
    pub sub_traces: SubTraces,
}

/// An analysis under way: [`offer`](Self::offer) each event, then [`finish`](Self::finish).
#[derive(Debug)]
pub struct ReuseAnalysis {
    spec: CacheSpec,
    distances: StackDistances,
    frame: FrameLines,
    sub_traces: SubTraceSums,
    /// Accesses of each tile to each set in the frame under way.
    tile_sets: ByAddress<u32>,
    /// Pairs by their accesses, of the frames before and of this one.
    per_tile_and_set: Vec<u64>,
    max_tile_sets: usize,
    /// A frame has begun, by a mark or by an access.
    in_frame: bool,
    frames: u64,
    accesses: u64,
    /// Lines of each frame, summed over frames.
    lines_of_frames: u64,
    new: u64,
    within_frame: Reuses,
    between_frames: Reuses,
}

/// Accesses of a tile to a set that are told apart; the last stands for all above.
const MAX_PER_TILE: usize = 16;

impl ReuseAnalysis {
    /// By sets and lines of a cache.
    ///
    /// # Errors
    /// If the specification does not validate.
    pub fn new(spec: CacheSpec) -> Result<Self, CacheSpecError> {
        spec.validate()?;
        let n_sets = usize::try_from(spec.n_sets()).unwrap_or(usize::MAX);
        Ok(Self {
            spec,
            distances: StackDistances::new(n_sets),
            frame: FrameLines::default(),
            sub_traces: SubTraceSums::new(n_sets),
            tile_sets: ByAddress::default(),
            per_tile_and_set: vec![0; MAX_PER_TILE + 1],
            max_tile_sets: MAX_TILE_SETS,
            in_frame: false,
            frames: 0,
            accesses: 0,
            lines_of_frames: 0,
            new: 0,
            within_frame: Reuses::default(),
            between_frames: Reuses::default(),
        })
    }

    /// Takes the next event of the stream. Events before the first frame are a frame.
    ///
    /// # Errors
    /// If the stream has become too large to be told apart: 2^24 different lines, or pairs of tiles and sets in a frame.
    pub fn offer(&mut self, event: &StreamEvent) -> Result<(), StreamFull> {
        match event {
            StreamEvent::Frame { .. } => self.begin_frame(),
            StreamEvent::Access(access) => {
                if !self.in_frame {
                    self.begin_frame()?;
                }
                self.access(access)
            }
        }
    }

    /// All that came so far has only warmed up: counting begins with the next frame, which must be the next event.
    ///
    /// # Errors
    /// As for [`Self::offer`].
    pub fn count_from_here(&mut self) -> Result<(), StreamFull> {
        self.end_frame()?;
        self.sub_traces.restart();
        self.per_tile_and_set.fill(0);
        (self.frames, self.accesses, self.new) = (0, 0, 0);
        self.lines_of_frames = 0;
        self.within_frame = Reuses::default();
        self.between_frames = Reuses::default();
        Ok(())
    }

    /// Counts together.
    ///
    /// # Errors
    /// As for [`Self::offer`].
    pub fn finish(mut self) -> Result<ReuseReport, StreamFull> {
        self.end_frame()?;
        Ok(ReuseReport {
            frames: self.frames,
            accesses: self.accesses,
            distinct_lines: self.distances.n_lines() as u64,
            lines_per_frame: (self.frames > 0)
                .then(|| self.lines_of_frames as f64 / self.frames as f64),
            sets: self.spec.n_sets(),
            line: self.spec.line.0,
            new: self.new,
            within_frame: self.within_frame,
            between_frames: self.between_frames,
            per_tile_and_set: bins_of_counts(&self.per_tile_and_set),
            sub_traces: self.sub_traces.report(),
        })
    }

    fn begin_frame(&mut self) -> Result<(), StreamFull> {
        self.end_frame()?;
        self.in_frame = true;
        self.frames += 1;
        Ok(())
    }

    fn end_frame(&mut self) -> Result<(), StreamFull> {
        if !self.in_frame {
            return Ok(());
        }
        self.in_frame = false;
        self.tile_sets.clear();
        let frame = std::mem::take(&mut self.frame);
        self.sub_traces.end_frame(&frame)
    }

    fn access(&mut self, access: &StreamAccess) -> Result<(), StreamFull> {
        let line = access.address / self.spec.line.0;
        let distance = self.distances.access(line)?;
        let again = self.frame.access(line);
        self.lines_of_frames += u64::from(!again);
        self.accesses += 1;
        match distance {
            None => self.new += 1,
            Some(distance) if again => self.within_frame.distances.add(distance),
            Some(distance) => self.between_frames.distances.add(distance),
        }
        match access.place {
            Some(place) => self.count_tile_set(place.tile.0, line % self.spec.n_sets()),
            None => Ok(()),
        }
    }

    fn count_tile_set(&mut self, tile: u32, set: u64) -> Result<(), StreamFull> {
        // There are fewer sets than lines, of which a cache has at most 2^24.
        let pair = u64::from(tile) << 32 | set;
        let is_full = self.tile_sets.len() >= self.max_tile_sets;
        if is_full && !self.tile_sets.contains_key(&pair) {
            return Err(StreamFull::TileSets);
        }
        let n = self.tile_sets.entry(pair).or_insert(0);
        let bin = |n: u32| (n as usize).min(MAX_PER_TILE);
        if *n > 0 {
            self.per_tile_and_set[bin(*n)] -= 1;
        }
        *n = n.saturating_add(1);
        self.per_tile_and_set[bin(*n)] += 1;
        Ok(())
    }
}

/// Counts from 1 on; the last is of all that are at least as many. Up to the last that is not 0.
fn bins_of_counts(counts: &[u64]) -> Vec<Bin> {
    let last = counts.iter().rposition(|n| *n > 0).unwrap_or(0);
    let bin = |(at, n): (u32, &u64)| Bin {
        from: at,
        to: if at as usize == MAX_PER_TILE {
            u32::MAX
        } else {
            at
        },
        n: *n,
    };
    (0..).zip(&counts[..=last]).skip(1).map(bin).collect()
}

#[cfg(test)]
mod tests;
