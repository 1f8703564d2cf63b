//! Requests between caches and memory: the request for one line, and the kinds of data that reports tell apart.

use std::ops::{AddAssign, Index, IndexMut};

use crate::dram::AgentId;

/// Why a line is moved.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize)]
#[serde(rename_all = "kebab-case")]
#[repr(u8)]
pub enum Traffic {
    /// Draw commands and constants.
    Command,
    /// Vertices and indices, to vertex fetch.
    Vertex,
    /// Attributes and tile lists, from the Polygon List Builder.
    ParameterWrite,
    /// Attributes and tile lists, to the Tile Fetcher.
    ParameterRead,
    /// Texel blocks, to the texture caches.
    Texture,
    /// Tiles that begin with the target's colours.
    ColorLoad,
    /// Finished tiles, to the frame buffer.
    ColorFlush,
    /// The picture, to the display.
    Display,
    /// Outputs of vertex programs, where there is no Parameter Buffer: from the cores, and to triangle set-up.
    VertexOutput,
    /// The depth buffer in memory, through the cores' depth caches.
    Depth,
    /// Colours in memory, through the cores' data caches; attachments of passes that are textures, through the L2.
    Color,
    /// Buffers that programs load from, store to and change.
    Buffer,
}

impl Traffic {
    /// Number of kinds of traffic.
    pub const N: usize = 12;
    /// Number of kinds that every frame has: the first ones; the others are of machines that render immediately, of passes, and
    /// of programs that access buffers.
    pub const N_OF_ALL: usize = 8;

    /// Every kind with its name in reports, in declaration order.
    pub const ALL: [(Self, &'static str); Self::N] = [
        (Self::Command, "command"),
        (Self::Vertex, "vertex"),
        (Self::ParameterWrite, "parameter-write"),
        (Self::ParameterRead, "parameter-read"),
        (Self::Texture, "texture"),
        (Self::ColorLoad, "color-load"),
        (Self::ColorFlush, "color-flush"),
        (Self::Display, "display"),
        (Self::VertexOutput, "vertex-output"),
        (Self::Depth, "depth"),
        (Self::Color, "color"),
        (Self::Buffer, "buffer"),
    ];

    /// Traffic of the Raster Pipeline: lists and attributes that are read back, texels, tiles loaded and flushed, and
    /// lines of buffers, of which a vertex program's have no tile.
    pub const OF_THE_RASTER_PIPELINE: [Self; 7] = [
        Self::ParameterRead,
        Self::Texture,
        Self::ColorLoad,
        Self::ColorFlush,
        Self::Depth,
        Self::Color,
        Self::Buffer,
    ];

    /// Agent that makes the requests of this kind.
    #[must_use]
    pub const fn agent(self) -> AgentId {
        match self {
            Self::Display => AgentId::DISPLAY,
            _ => AgentId::GPU,
        }
    }

    pub(crate) const fn of_code(code: u8) -> Self {
        Self::ALL[code as usize % Self::N].0
    }
}

/// A number for each kind.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct TrafficCounts(pub [u64; Traffic::N]);

impl TrafficCounts {
    /// Sum over all kinds.
    #[must_use]
    pub fn total(&self) -> u64 {
        self.0.iter().sum()
    }

    /// Each kind's name and number; kinds that not every frame has are left out where there is nothing of them.
    pub fn entries(&self) -> impl Iterator<Item = (&'static str, u64)> {
        let kinds = Traffic::ALL.iter().enumerate();
        let kinds = kinds.map(|(nth, (kind, name))| (nth, *name, self[*kind]));
        kinds
            .filter(|(nth, _, number)| *nth < Traffic::N_OF_ALL || *number > 0)
            .map(|(_, name, number)| (name, number))
    }
}

impl Index<Traffic> for TrafficCounts {
    type Output = u64;

    fn index(&self, kind: Traffic) -> &u64 {
        &self.0[kind as usize]
    }
}

impl IndexMut<Traffic> for TrafficCounts {
    fn index_mut(&mut self, kind: Traffic) -> &mut u64 {
        &mut self.0[kind as usize]
    }
}

impl AddAssign for TrafficCounts {
    fn add_assign(&mut self, other: Self) {
        for (sum, value) in self.0.iter_mut().zip(other.0) {
            *sum += value;
        }
    }
}

impl serde::Serialize for TrafficCounts {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.entries())
    }
}

/// From a map of names; kinds that it does not name have none.
impl<'de> serde::Deserialize<'de> for TrafficCounts {
    fn deserialize<D: serde::Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let named = std::collections::BTreeMap::<String, u64>::deserialize(from)?;
        let mut counts = Self::default();
        for (name, number) in named {
            let kind = Traffic::ALL.iter().find(|(_, known)| *known == name);
            let (kind, _) = kind.ok_or_else(|| {
                serde::de::Error::custom(format!("no kind of traffic is called {name}"))
            })?;
            counts[*kind] = number;
        }
        Ok(counts)
    }
}

/// A first-level cache, by number: the texture caches of all cores first, then the others. The data caches of cores have a
/// number space of their own, and so have the lines that cores change by atomics.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Source(pub(crate) u16);

impl Source {
    const DATA: u16 = 1 << 14;
    const ATOMICS: u16 = 1 << 15;

    /// Data cache of the core with this texture cache.
    pub(crate) const fn data(self) -> Self {
        Self(self.0 | Self::DATA)
    }

    /// Atomics of the core with this texture cache.
    pub(crate) const fn atomics(self) -> Self {
        Self(self.0 | Self::ATOMICS)
    }

    /// Core of a data cache, or of atomics, and whether it is of atomics; `None` for other caches.
    pub(crate) const fn core_of_data(self) -> Option<(usize, bool)> {
        let core = self.0 & (Self::DATA - 1);
        if self.0 == core {
            return None;
        }
        Some((core as usize, self.0 & Self::ATOMICS != 0))
    }

    /// Core of a texture or data cache, or of atomics; a number beyond all cores for the others.
    pub(crate) const fn core(self) -> u32 {
        (self.0 & (Self::DATA - 1)) as u32
    }
}

/// No tile, or no draw.
pub(crate) const NOBODY: u32 = u32::MAX;

/// Kind of traffic, tile and draw for which a line is moved.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Requester {
    pub(crate) traffic: Traffic,
    /// Tile that the line is for, or [`NOBODY`].
    pub(crate) tile: u32,
    /// Draw that the line is for, or [`NOBODY`].
    pub(crate) draw: u32,
}

/// A first-level cache asks the L2 for a line, or gives one back.
#[derive(Debug, Clone, Copy)]
pub(crate) struct LineRequest {
    /// Address of the line's first byte.
    pub(crate) line: u64,
    pub(crate) source: Source,
    pub(crate) requester: Requester,
    /// A whole dirty line, for which no answer comes.
    pub(crate) is_write: bool,
}
