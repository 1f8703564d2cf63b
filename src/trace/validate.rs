//! Whether the parts of a frame fit together. Everything that reads a trace relies on it, so files are checked once at load.

use super::columns::{Bound, Columns};
use super::invalid::{InvalidTrace, named, require};
use super::path_check::{FramePaths, check_tree};
use super::{
    DrawTrace, FrameTrace, InstructionClass, Program, ShaderStage, TargetTexture, TextureIdx,
    TileTrace, limits,
};
use azulejo_grid::{TileGrid, TileId};

/// Largest screen edge, in pixels.
const MAX_EDGE: u32 = 16384;

/// Checks the screen, and that there is a tile for each of its places.
pub(crate) fn validate_grid(grid: &TileGrid, n_tiles: usize) -> Result<(), InvalidTrace> {
    let screen = || "screen".to_owned();
    let edges = [grid.width, grid.height];
    require(
        edges.iter().all(|edge| (1..=MAX_EDGE).contains(edge)),
        screen,
        || {
            let (width, height) = (grid.width, grid.height);
            format!("{width}x{height} pixels; expected 1 to {MAX_EDGE} each way")
        },
    )?;
    require(
        (8..=128).contains(&grid.tile_size) && grid.tile_size.is_power_of_two(),
        screen,
        || {
            let found = grid.tile_size;
            format!("tiles of {found} pixels; expected 8, 16, 32, 64 or 128")
        },
    )?;
    require(n_tiles == grid.n_tiles() as usize, screen, || {
        format!("{n_tiles} tiles for a grid of {}", grid.n_tiles())
    })
}

impl FrameTrace {
    /// Checks every index and every sum between the parts.
    ///
    /// # Errors
    /// Names the first part that contradicts another.
    pub fn validate(&self) -> Result<(), InvalidTrace> {
        let element = || "frame".to_owned();
        require(!self.is_compute(), element, || {
            "dispatches in the frame's last pass; expected them in passes before it".to_owned()
        })?;
        self.validate_pass()?;
        self.validate_passes_before()
    }

    fn validate_pass(&self) -> Result<(), InvalidTrace> {
        match self.is_compute() {
            true => self.validate_as_compute()?,
            false => validate_grid(&self.grid, self.tiles.len())?,
        }
        self.validate_screen()?;
        limits::check_frame(self)?;
        for (idx, program) in self.programs.iter().enumerate() {
            validate_program(idx, program)?;
        }
        let mut paths = FramePaths::new(self)?;
        for (idx, draw) in self.draws.iter().enumerate() {
            self.validate_draw(idx, draw)?;
            let element = || named("draw", idx, &draw.name);
            paths.check_vertices(self, draw, &element)?;
            self.validate_accesses_of_vertices(draw, &mut paths, &element)?;
        }
        self.validate_tiles(&mut paths)?;
        self.validate_dispatches(&mut paths)
    }

    /// Checks that a compute pass draws nothing.
    fn validate_as_compute(&self) -> Result<(), InvalidTrace> {
        let element = || "compute pass".to_owned();
        let pixels = u64::from(self.grid.width) + u64::from(self.grid.height);
        let others = [self.draws.len(), self.tiles.len(), self.targets.len()];
        let draws_nothing = pixels == 0 && others == [0; 3] && self.grid.tile_size == 8;
        require(draws_nothing, element, || {
            "draws, tiles, targets or pixels; expected dispatches alone".to_owned()
        })
    }

    fn validate_dispatches(&self, paths: &mut FramePaths<'_>) -> Result<(), InvalidTrace> {
        for (number, dispatch) in self.dispatches.iter().enumerate() {
            let element = || named("dispatch", number, &dispatch.name);
            limits::check_dispatch(dispatch, &element)?;
            let program = self.program(dispatch.program.0, ShaderStage::Compute, &element)?;
            let samples = program.count(InstructionClass::Texture);
            self.validate_bound(
                (&dispatch.textures, samples),
                (&dispatch.buffers, program),
                &element,
            )?;
            let bound = Bound {
                program: dispatch.program,
                textures: &dispatch.textures,
                buffers: &dispatch.buffers,
            };
            let blocks = (dispatch.block_counts.as_slice(), dispatch.blocks.as_slice());
            let mut columns = Columns::new(blocks, &dispatch.accesses, &dispatch.paths, &element)?;
            let groups = (dispatch.n_quads() as usize, &bound);
            self.validate_groups(groups, (&mut columns, paths), &element)?;
            columns.finish(&element)?;
        }
        Ok(())
    }

    /// Checks that a program has a texture for each texture instruction, and a buffer for each access, all of which exist.
    fn validate_bound(
        &self,
        (textures, samples): (&[TextureIdx], usize),
        (buffers, program): (&[u32], &Program),
        element: &impl Fn() -> String,
    ) -> Result<(), InvalidTrace> {
        require(textures.len() == samples, element, || {
            format!("{} textures bound, {samples} sampled", textures.len())
        })?;
        let n = self.textures.len();
        let known = textures.iter().all(|texture| (texture.0 as usize) < n);
        require(known, element, || {
            format!("a texture beyond the {n} there are")
        })?;
        let accessed = program.count_of_buffers();
        require(buffers.len() == accessed, element, || {
            let (bound, stage) = (buffers.len(), program.stage);
            format!("{bound} buffers bound, {accessed} accessed by its {stage:?} program")
        })?;
        let n = self.buffers.len();
        let known = buffers.iter().all(|buffer| (*buffer as usize) < n);
        require(known, element, || {
            format!("a buffer beyond the {n} there are")
        })
    }

    fn validate_passes_before(&self) -> Result<(), InvalidTrace> {
        for (number, pass) in self.before.iter().enumerate() {
            let element = || named("pass", number, &pass.name);
            require(pass.before.is_empty(), element, || {
                "passes before it; expected them before the frame's last alone".to_owned()
            })?;
            pass.validate_pass().map_err(|error| InvalidTrace {
                element: format!("{}, {}", element(), error.element),
                ..error
            })?;
        }
        Ok(())
    }

    fn validate_screen(&self) -> Result<(), InvalidTrace> {
        let screen = || "screen".to_owned();
        for target in &self.targets {
            let most = 16 * self.samples.get();
            let found = target.bytes_per_pixel;
            require((1..=most).contains(&found), screen, || {
                format!("a target with {found} bytes a pixel; expected 1 to {most}")
            })?;
            if let Some(place) = target.texture {
                self.validate_target(place)?;
            }
        }
        require(self.n_primitives() <= u64::from(u32::MAX), screen, || {
            "more primitives than numbers".to_owned()
        })
    }

    /// Checks that a target lies in its texture.
    fn validate_target(&self, place: TargetTexture) -> Result<(), InvalidTrace> {
        let element = || "screen".to_owned();
        let texture = self.textures.get(place.texture.0 as usize);
        let texture = texture.ok_or_else(|| InvalidTrace {
            element: element(),
            problem: format!("a target in texture {}; there is none", place.texture.0),
        })?;
        require(!texture.format.is_compressed(), element, || {
            format!("a target in `{}`, which is compressed", texture.name)
        })?;
        let [width, height] = texture.format.block_size();
        let blocks = u64::from(self.grid.width.div_ceil(width))
            * u64::from(self.grid.height.div_ceil(height));
        let end = u64::from(place.first_block) + blocks;
        require(end <= texture.n_blocks.into(), element, || {
            let (name, there) = (&texture.name, texture.n_blocks);
            format!("a target up to block {end} of `{name}`; expected at most {there}")
        })
    }

    fn validate_draw(&self, idx: usize, draw: &DrawTrace) -> Result<(), InvalidTrace> {
        let element = || named("draw", idx, &draw.name);
        limits::check_draw(draw, &element)?;
        let fragment = self.program(draw.fragment_program.0, ShaderStage::Fragment, &element)?;
        let samples = fragment.count(InstructionClass::Texture);
        let buffers = (draw.fragment_buffers.as_slice(), fragment);
        self.validate_bound((&draw.textures, samples), buffers, &element)?;
        let vertex = self.program(draw.vertex_program.0, ShaderStage::Vertex, &element)?;
        self.validate_bound((&[], 0), (&draw.vertex_buffers, vertex), &element)?;
        let n_buffers = self.buffers.len();
        let mut buffers = draw
            .vertex_streams
            .iter()
            .map(|stream| stream.buffer)
            .chain(draw.indices.map(|fetch| fetch.buffer));
        require(
            buffers.all(|buffer| (buffer as usize) < n_buffers),
            element,
            || format!("a buffer beyond the {n_buffers} there are"),
        )?;
        self.validate_fetch(draw, &element)?;
        let (mut vertices, mut binned) = (0, 0);
        for assembled in &draw.assembled {
            vertices += u64::from(assembled.new_vertices);
            binned += u64::from(assembled.binned);
        }
        require(vertices == draw.vertices.len() as u64, element, || {
            format!("{} vertices, {vertices} waited for", draw.vertices.len())
        })?;
        require(binned == u64::from(draw.n_primitives), element, || {
            format!("{} primitives, {binned} binned", draw.n_primitives)
        })
    }

    fn validate_fetch(
        &self,
        draw: &DrawTrace,
        element: &impl Fn() -> String,
    ) -> Result<(), InvalidTrace> {
        let parts = draw.instances.max(1) as usize;
        let are_equal = draw.instances > 0 && draw.vertices.len().is_multiple_of(parts);
        require(are_equal, element, || {
            let (vertices, instances) = (draw.vertices.len(), draw.instances);
            format!("{vertices} vertices of {instances} instances; expected equal parts")
        })?;
        if let Some(last_vertex) = draw.vertices.iter().max() {
            for stream in &draw.vertex_streams {
                let last = match stream.per_instance {
                    true => draw.instances - 1,
                    false => *last_vertex,
                };
                let size = self.buffers[stream.buffer as usize].bytes;
                let end = u64::from(last) * u64::from(stream.stride) + u64::from(stream.bytes);
                require(
                    stream
                        .offset
                        .checked_add(end)
                        .is_some_and(|end| end <= size),
                    element,
                    || format!("element {last} lies beyond its buffer of {size} bytes"),
                )?;
            }
        }
        let Some(fetch) = draw.indices else {
            return Ok(());
        };
        let size = self.buffers[fetch.buffer as usize].bytes;
        let bytes = u64::from(fetch.count) * u64::from(fetch.bytes_per_index);
        require(
            fetch
                .offset
                .checked_add(bytes)
                .is_some_and(|end| end <= size),
            element,
            || format!("{bytes} bytes of indices lie beyond their buffer of {size}"),
        )
    }

    fn program(
        &self,
        id: u32,
        stage: ShaderStage,
        element: &impl Fn() -> String,
    ) -> Result<&Program, InvalidTrace> {
        let program = self.programs.get(id as usize);
        let found = program.filter(|program| program.stage == stage);
        found.ok_or_else(|| InvalidTrace {
            element: element(),
            problem: format!("program {id} is not a {stage:?} program of this frame"),
        })
    }

    fn validate_tiles(&self, paths: &mut FramePaths<'_>) -> Result<(), InvalidTrace> {
        let draw_of_primitive = self.draw_of_primitive();
        for (id, tile) in (0..).map(TileId).zip(&self.tiles) {
            self.validate_tile(id, tile, (&draw_of_primitive, paths))?;
        }
        Ok(())
    }

    fn validate_tile(
        &self,
        id: TileId,
        tile: &TileTrace,
        (draw_of_primitive, paths): (&[u32], &mut FramePaths<'_>),
    ) -> Result<(), InvalidTrace> {
        let element = || format!("tile {}", id.0);
        let told: u64 = tile.primitives.iter().map(|e| u64::from(e.n_quads)).sum();
        require(told == tile.quads.len() as u64, element, || {
            format!("{} quads, {told} in its list", tile.quads.len())
        })?;
        let blocks = (tile.block_counts.as_slice(), tile.blocks.as_slice());
        let mut columns = Columns::new(blocks, &tile.accesses, &tile.paths, &element)?;
        let (wide, high) = self.quads_of(id);
        require(
            tile.quads
                .iter()
                .all(|q| q.column() < wide && q.row() < high),
            element,
            || format!("a quad outside {wide}x{high}"),
        )?;
        for (entry, quads) in tile.entries() {
            let draw = draw_of_primitive.get(entry.primitive as usize);
            let draw = draw.and_then(|&draw| self.draws.get(draw as usize));
            let draw = draw.ok_or_else(|| InvalidTrace {
                element: element(),
                problem: format!("primitive {} does not exist", entry.primitive),
            })?;
            let shaded = quads.iter().filter(|quad| quad.is_shaded()).count();
            let bound = Bound {
                program: draw.fragment_program,
                textures: &draw.textures,
                buffers: &draw.fragment_buffers,
            };
            self.validate_groups((shaded, &bound), (&mut columns, paths), &element)?;
        }
        columns.finish(&element)?;
        let fragments = tile.counters().fragments_shaded;
        let hashes = tile.fragment_hashes.len() as u64;
        require(hashes == 0 || hashes == fragments, element, || {
            format!("{hashes} fragment hashes for {fragments} fragments")
        })
    }

    /// Checks what a draw's vertices access.
    fn validate_accesses_of_vertices(
        &self,
        draw: &DrawTrace,
        paths: &mut FramePaths<'_>,
        element: &impl Fn() -> String,
    ) -> Result<(), InvalidTrace> {
        let (accesses, taken) = (&draw.vertex_accesses, draw.vertex_paths.as_slice());
        let mut columns = Columns::new((&[], &[]), accesses, taken, element)?;
        let bound = Bound {
            program: draw.vertex_program,
            textures: &[],
            buffers: &draw.vertex_buffers,
        };
        let groups = (draw.vertices.len(), &bound);
        self.validate_groups(groups, (&mut columns, paths), element)?;
        columns.finish(element)
    }

    /// Size of a tile in quads, partial ones included.
    fn quads_of(&self, id: TileId) -> (u32, u32) {
        let rect = self.grid.rect(id);
        let edge = |from: i32, to: i32| from.abs_diff(to).div_ceil(2);
        (edge(rect.x0, rect.x1), edge(rect.y0, rect.y1))
    }
}

fn validate_program(idx: usize, program: &Program) -> Result<(), InvalidTrace> {
    let element = || named("program", idx, &program.name);
    let loops = check_tree(program, &element)?;
    for (position, instruction) in program.instructions.iter().enumerate() {
        let known = loops
            .ends
            .get(position)
            .map_or(position, |end| position.max(*end));
        require(
            instruction.reads().all(|source| source < known),
            || format!("{}, instruction {position}", element()),
            || "reads a result that comes later".to_owned(),
        )?;
    }
    Ok(())
}
