//! One of a core's two caches of depths and colours, and the lines that warps access in it: a line for each row of quads,
//! each once a warp.

use std::collections::VecDeque;

use super::quads::TcQuad;
use super::surface::Surface;
use crate::memory::{LineCache, Traffic};

/// An access of a warp to a line.
#[derive(Debug, Clone, Copy)]
pub(super) struct Access {
    pub(super) flight: u32,
    pub(super) line: u64,
    pub(super) is_write: bool,
}

/// One of the two caches with the accesses that wait for it.
#[derive(Debug)]
pub(super) struct Port {
    pub(super) cache: LineCache,
    pub(super) traffic: Traffic,
    pub(super) waiting: VecDeque<Access>,
}

impl Port {
    /// Reads lines with fragments in `wanted`; lines that hold nothing yet are written without a read.
    pub(super) fn read(
        &mut self,
        flight: u32,
        quads: &[TcQuad],
        wanted: impl Fn(&TcQuad) -> u32,
        surface: &mut Surface,
    ) {
        let first = self.waiting.len();
        for at in pixels(quads, &wanted) {
            let line = self.cache.line_of(surface.address(at));
            let is_write = !surface.holds(at);
            let mut known = self.waiting.range_mut(first..);
            match known.find(|access| access.line == line) {
                // One stretch of the line holds something: it has to be read.
                Some(access) => access.is_write &= is_write,
                None => self.waiting.push_back(Access {
                    flight,
                    line,
                    is_write,
                }),
            }
        }
        for at in pixels(quads, wanted) {
            surface.touch(at);
        }
    }

    /// Lines with fragments that are written.
    pub(super) fn write(
        &mut self,
        flight: u32,
        quads: &[TcQuad],
        written: impl Fn(&TcQuad) -> u32,
        surface: &mut Surface,
    ) {
        let first = self.waiting.len();
        for at in pixels(quads, written) {
            let line = self.cache.line_of(surface.address(at));
            surface.touch(at);
            let mut known = self.waiting.range(first..);
            if !known.any(|access| access.line == line) {
                self.waiting.push_back(Access {
                    flight,
                    line,
                    is_write: true,
                });
            }
        }
    }
}

/// One pixel of each row of each quad that has fragments.
fn pixels(quads: &[TcQuad], fragments: impl Fn(&TcQuad) -> u32) -> impl Iterator<Item = [u32; 2]> {
    quads.iter().flat_map(move |quad| {
        let bits = fragments(quad);
        let [x, y] = quad.at;
        let rows = [(bits & 0b0011, y), (bits & 0b1100, y + 1)];
        rows.into_iter()
            .filter(|(bits, _)| *bits != 0)
            .map(move |(_, y)| [x, y])
    })
}
