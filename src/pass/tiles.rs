//! Tiles of a pass: each loaded, drawn and stored, by whichever thread.

use std::cell::RefCell;

use azulejo_grid::TileId;
use azulejo_math::PixelRect;
use azulejo_render::tiling::TileEntry;
use azulejo_shader::{BufferLog, Resources, Runner};
use azulejo_simd::Backend;
use rayon::prelude::*;
use wgpu_types::Extent3d;

use crate::attach::Targets;
use crate::bind::{Bound, Written};
use crate::blocks::TexelNotes;
use crate::error::Result;
use crate::lines::LineNotes;
use crate::memory::{Memory, TexturePlace};
use crate::observe::{DrawFacts, TileFacts, TracedDraw};
use crate::run::{Binned, DrawRun, FragmentCounts};
use crate::tile::{Stored, Tile};
use crate::vertex::TRACED_BUDGET;

/// Tiles that are drawn before their content is written to memory.
const TILES_AT_ONCE: usize = 256;

/// A pass after tiling, with what its tiles are drawn into.
#[derive(Debug)]
pub(crate) struct TilePass<'t, 'p> {
    pub(crate) backend: Backend,
    pub(crate) binned: &'t Binned<'p>,
    pub(crate) targets: &'t Targets,
    /// Its draws as a trace has them, if one is wanted.
    pub(crate) traced: Option<&'t [TracedDraw]>,
}

/// A tile that is drawn.
#[derive(Debug)]
pub(crate) struct TileDone {
    stored: Stored,
    counts: FragmentCounts,
    facts: Option<TileFacts>,
}

/// One draw of a tile: its number, and its triangles.
type DrawOfTile<'t> = (usize, &'t [TileEntry]);

impl TilePass<'_, '_> {
    /// Draws all tiles and writes them to memory; `done` is told of each, in order. Those of a pass whose programs write to
    /// memory are drawn one after the other.
    pub(crate) fn draw_all(
        &self,
        memory: &mut Memory,
        mut done: impl FnMut(Option<TileFacts>, u32),
    ) -> Result<FragmentCounts> {
        let mut counts = FragmentCounts::default();
        let all: Vec<TileId> = (0..self.targets.grid.n_tiles()).map(TileId).collect();
        let writes = self.binned.writes();
        for some in all.chunks(if writes { 1 } else { TILES_AT_ONCE }) {
            let tiles: Vec<TileDone> = if writes {
                vec![self.writing_tile(memory, some[0])?]
            } else {
                let memory = &*memory;
                let draw = |tile: &TileId| self.tile(memory, *tile);
                some.par_iter().map(draw).collect::<Result<_>>()?
            };
            for tile in tiles {
                counts += tile.counts;
                put(memory, self.targets, &tile.stored)?;
                let color_crc = tile.facts.as_ref().map_or(0, |_| tile.stored.crc());
                done(tile.facts, color_crc);
            }
        }
        Ok(counts)
    }

    fn begin(&self, memory: &Memory, tile: TileId) -> Result<(Tile, Option<TileFacts>)> {
        let buffers = Tile::load(memory, self.targets, self.targets.grid.rect(tile))?;
        let facts = self.traced.map(|_| {
            let mut facts = TileFacts::default();
            buffers.sign(&mut facts.inputs);
            facts
        });
        Ok((buffers, facts))
    }

    fn tile(&self, memory: &Memory, tile: TileId) -> Result<TileDone> {
        let (mut buffers, mut facts) = self.begin(memory, tile)?;
        let counts = self.binned.sum_of_draws(tile, |number, entries| {
            let tile = (&mut buffers, facts.as_mut());
            self.draw(memory, tile, (number, entries), &mut Written::default())
        })?;
        Ok(TileDone {
            stored: buffers.store(self.targets),
            counts,
            facts,
        })
    }

    /// Draws a tile whose programs write to memory, which each draw takes while it runs.
    fn writing_tile(&self, memory: &mut Memory, tile: TileId) -> Result<TileDone> {
        let (mut buffers, mut facts) = self.begin(memory, tile)?;
        let counts = self.binned.sum_of_draws(tile, |number, entries| {
            let mut written = match &self.binned.draws[number].fragment {
                Some(bound) => bound.take(memory)?,
                None => Written::default(),
            };
            let tile = (&mut buffers, facts.as_mut());
            let done = self.draw(memory, tile, (number, entries), &mut written);
            written.give_back(memory)?;
            done
        })?;
        Ok(TileDone {
            stored: buffers.store(self.targets),
            counts,
            facts,
        })
    }

    /// One draw's triangles of one tile.
    fn draw(
        &self,
        memory: &Memory,
        (tile, facts): (&mut Tile, Option<&mut TileFacts>),
        (number, entries): DrawOfTile<'_>,
        written: &mut Written,
    ) -> Result<FragmentCounts> {
        let prepared = &self.binned.draws[number];
        let traced = self.traced.map(|draws| &draws[number]);
        let noted = traced.map_or_else(Vec::new, |draw| draw.noted.clone());
        let notes = RefCell::new(TexelNotes::new(noted, 1));
        let bound = prepared.fragment.as_ref();
        let lines = bound.map_or_else(LineNotes::default, |bound| {
            LineNotes::new(bound.first_words(), 4, 1)
        });
        let corner = [tile.rect.x0, tile.rect.y0];
        let facts = facts.zip(traced).map(|(facts, draw)| {
            facts.inputs.add(&draw.digest.to_le_bytes());
            DrawFacts {
                tile: facts,
                draw,
                notes: &notes,
                lines: &lines,
                corner,
            }
        });
        let run = |program, resources: Option<Resources<'_>>| {
            let mut run = DrawRun {
                prepared,
                targets: self.targets,
                tile,
                backend: self.backend,
                program,
                setups: Vec::new(),
                quads: Vec::new(),
                counts: FragmentCounts::default(),
                facts,
            };
            run.run(self.binned, entries, resources)?;
            Ok(run.counts)
        };
        let code = prepared.draw.pipeline.spec.fragment.as_ref();
        let (Some(code), Some(bound)) = (code, bound) else {
            return run(None, None);
        };
        let (buffers, textures) = written.parts();
        let images = bound.images(memory, code, textures)?;
        let images = match traced {
            Some(_) => images.noted(&notes, Some(&lines)),
            None => images,
        };
        let logged = traced.filter(|draw| draw.accesses);
        let resources = bound.resources(memory, code, (buffers, &images))?;
        let mut resources = resources.with_log(logged.map(|_| &lines as &dyn BufferLog));
        let noting = traced.and_then(|draw| draw.pipeline.fragment.as_ref());
        let runner = match noting {
            Some(noting) => {
                Runner::new(noting.code(), self.backend, &mut resources)?.with_budget(TRACED_BUDGET)
            }
            None => Runner::new(code, self.backend, &mut resources)?,
        };
        let batch = runner.batch();
        run(Some((&runner, batch)), Some(resources))
    }
}

impl<'p> Binned<'p> {
    /// Whether a fragment program writes to memory.
    fn writes(&self) -> bool {
        let mut bound = self.draws.iter().filter_map(|draw| draw.fragment.as_ref());
        bound.any(Bound::writes)
    }

    /// Counts of a tile's draws, each drawn by `draw`; a fault names it.
    fn sum_of_draws(
        &self,
        tile: TileId,
        mut draw: impl FnMut(usize, &[TileEntry]) -> Result<FragmentCounts>,
    ) -> Result<FragmentCounts> {
        let mut counts = FragmentCounts::default();
        for (number, entries) in self.runs(tile) {
            counts +=
                draw(number, entries).map_err(|error| error.within(format!("draw {number}")))?;
        }
        Ok(counts)
    }

    /// A tile's triangles by draw.
    fn runs(&self, tile: TileId) -> impl Iterator<Item = (usize, &[TileEntry])> {
        let draw = |entry: &TileEntry| self.chunks[entry.chunk as usize].draw;
        let runs = self
            .lists
            .entries(tile)
            .chunk_by(move |a, b| draw(a) == draw(b));
        runs.map(move |entries| (draw(&entries[0]) as usize, entries))
    }
}

/// Writes a tile's content to memory.
fn put(memory: &mut Memory, targets: &Targets, stored: &Stored) -> Result<()> {
    let PixelRect { x0, y0, .. } = stored.rect;
    for (view, content) in targets.stores().iter().zip(&stored.contents) {
        let place = TexturePlace {
            texture: view.texture,
            mip: view.first_mip,
            origin: view.place([x0.cast_unsigned(), y0.cast_unsigned(), 0]),
        };
        let size = Extent3d {
            width: stored.rect.width(),
            height: stored.rect.height(),
            depth_or_array_layers: 1,
        };
        let row_bytes = content.len() / size.height.max(1) as usize;
        let contents = content.chunks_exact(row_bytes.max(1));
        for ((_, row), content) in memory.rows_mut(place, size)?.into_iter().zip(contents) {
            row.copy_from_slice(content);
        }
    }
    Ok(())
}
