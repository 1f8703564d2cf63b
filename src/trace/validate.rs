//! Whether the parts of a frame fit together. Everything that reads a trace relies on it, so files are checked once at load.

use super::invalid::{InvalidTrace, named, require};
use super::path_check::{Executions, FramePaths, check_tree};
use super::{
    BLOCK_BYTES, BufferAccesses, DrawTrace, FrameTrace, InstructionClass, PathIdx, Program,
    ShaderStage, TargetTexture, TextureIdx, TileTrace, limits,
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
        validate_grid(&self.grid, self.tiles.len())?;
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
        self.validate_tiles(paths)?;
        self.validate_passes_before()
    }

    fn validate_passes_before(&self) -> Result<(), InvalidTrace> {
        for (number, pass) in self.before.iter().enumerate() {
            let element = || named("pass", number, &pass.name);
            require(pass.before.is_empty(), element, || {
                "passes before it; expected them before the frame's last alone".to_owned()
            })?;
            pass.validate().map_err(|error| InvalidTrace {
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
        require(draw.textures.len() == samples, element, || {
            format!("{} textures bound, {samples} sampled", draw.textures.len())
        })?;
        let vertex = self.program(draw.vertex_program.0, ShaderStage::Vertex, &element)?;
        for (program, bound) in [
            (vertex, &draw.vertex_buffers),
            (fragment, &draw.fragment_buffers),
        ] {
            let accessed = program.count_of_buffers();
            require(bound.len() == accessed, element, || {
                let (bound, stage) = (bound.len(), program.stage);
                format!("{bound} buffers bound, {accessed} accessed by its {stage:?} program")
            })?;
        }
        let n_textures = self.textures.len();
        require(
            draw.textures.iter().all(|t| (t.0 as usize) < n_textures),
            element,
            || format!("a texture beyond the {n_textures} there are"),
        )?;
        let n_buffers = self.buffers.len();
        let mut buffers = draw
            .vertex_streams
            .iter()
            .map(|stream| stream.buffer)
            .chain(draw.indices.map(|fetch| fetch.buffer))
            .chain(draw.vertex_buffers.iter().copied())
            .chain(draw.fragment_buffers.iter().copied());
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

    fn validate_tiles(&self, mut paths: FramePaths<'_>) -> Result<(), InvalidTrace> {
        let draw_of_primitive = self.draw_of_primitive();
        for (id, tile) in (0..).map(TileId).zip(&self.tiles) {
            self.validate_tile(id, tile, (&draw_of_primitive, &mut paths))?;
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
        let blocks: u64 = tile.block_counts.iter().map(|&n| u64::from(n)).sum();
        require(blocks == tile.blocks.len() as u64, element, || {
            format!("{} blocks, {blocks} counted", tile.blocks.len())
        })?;
        let mut accesses = LineColumns::new(&tile.accesses, &element)?;
        let (wide, high) = self.quads_of(id);
        require(
            tile.quads
                .iter()
                .all(|q| q.column() < wide && q.row() < high),
            element,
            || format!("a quad outside {wide}x{high}"),
        )?;
        let mut columns = Columns {
            counts: tile.block_counts.iter(),
            blocks: tile.blocks.iter(),
            paths: tile.paths.iter(),
        };
        for (entry, quads) in tile.entries() {
            let draw = draw_of_primitive.get(entry.primitive as usize);
            let draw = draw.and_then(|&draw| self.draws.get(draw as usize));
            let draw = draw.ok_or_else(|| InvalidTrace {
                element: element(),
                problem: format!("primitive {} does not exist", entry.primitive),
            })?;
            let shaded = quads.iter().filter(|quad| quad.is_shaded()).count();
            if self.programs[draw.fragment_program.0 as usize].branches() {
                let columns = (&mut columns, &mut accesses);
                self.validate_branching(draw, shaded, (columns, paths), &element)?;
            } else {
                self.validate_straight(draw, shaded, &mut columns, &element)?;
                let buffers = &draw.fragment_buffers;
                self.validate_accesses((shaded, buffers), &mut accesses, &element)?;
            }
        }
        accesses.finish(&element)?;
        require(
            columns.blocks.next().is_none() && columns.counts.next().is_none(),
            element,
            || "blocks of no texture instruction".to_owned(),
        )?;
        require(columns.paths.next().is_none(), element, || {
            "paths of no shaded quad with a program that branches".to_owned()
        })?;
        let fragments = tile.counters().fragments_shaded;
        let hashes = tile.fragment_hashes.len() as u64;
        require(hashes == 0 || hashes == fragments, element, || {
            format!("{hashes} fragment hashes for {fragments} fragments")
        })
    }

    fn validate_straight(
        &self,
        draw: &DrawTrace,
        shaded: usize,
        columns: &mut Columns<'_>,
        element: &impl Fn() -> String,
    ) -> Result<(), InvalidTrace> {
        // Before the walk, so that a false trace cannot make it long.
        let needed = shaded.checked_mul(draw.textures.len());
        let there = needed.is_some_and(|n| n <= columns.counts.len());
        require(there, element, || "block counts are missing".to_owned())?;
        for texture in (0..shaded).flat_map(|_| &draw.textures) {
            self.validate_sample(*texture, columns, element)?;
        }
        Ok(())
    }

    fn validate_branching(
        &self,
        draw: &DrawTrace,
        shaded: usize,
        (columns, paths): (
            (&mut Columns<'_>, &mut LineColumns<'_>),
            &mut FramePaths<'_>,
        ),
        element: &impl Fn() -> String,
    ) -> Result<(), InvalidTrace> {
        let (columns, accesses) = columns;
        for _ in 0..shaded {
            let path = columns.paths.next().ok_or_else(|| InvalidTrace {
                element: element(),
                problem: "a shaded quad without a path; its program branches".to_owned(),
            })?;
            paths.check(*path, draw.fragment_program, element)?;
            let needed = paths.samples.n(*path);
            let there = needed <= columns.counts.len() as u64;
            require(there, element, || "block counts are missing".to_owned())?;
            for number in paths.samples.list(*path, self) {
                self.validate_sample(draw.textures[*number as usize], columns, element)?;
            }
            let buffers = &draw.fragment_buffers;
            self.validate_path(*path, buffers, (accesses, &mut paths.accesses), element)?;
        }
        Ok(())
    }

    /// Checks what a draw's vertices access.
    fn validate_accesses_of_vertices(
        &self,
        draw: &DrawTrace,
        paths: &mut FramePaths<'_>,
        element: &impl Fn() -> String,
    ) -> Result<(), InvalidTrace> {
        let mut accesses = LineColumns::new(&draw.vertex_accesses, element)?;
        let buffers = &draw.vertex_buffers;
        if draw.vertex_paths.is_empty() {
            let groups = draw.vertices.len();
            self.validate_accesses((groups, buffers), &mut accesses, element)?;
        }
        for path in &draw.vertex_paths {
            self.validate_path(
                *path,
                buffers,
                (&mut accesses, &mut paths.accesses),
                element,
            )?;
        }
        accesses.finish(element)
    }

    /// Checks what so many quads or vertices access with a straight program.
    fn validate_accesses(
        &self,
        (groups, buffers): (usize, &[u32]),
        accesses: &mut LineColumns<'_>,
        element: &impl Fn() -> String,
    ) -> Result<(), InvalidTrace> {
        // Before the walk, so that a false trace cannot make it long.
        let needed = (groups as u64).saturating_mul(buffers.len() as u64);
        accesses.require(needed, element)?;
        let mut buffers = (0..groups).flat_map(|_| buffers);
        buffers.try_for_each(|buffer| self.validate_access(*buffer, accesses, element))
    }

    /// Checks what a quad or a vertex accesses on its path.
    fn validate_path(
        &self,
        path: PathIdx,
        buffers: &[u32],
        (accesses, executed): (&mut LineColumns<'_>, &mut Executions),
        element: &impl Fn() -> String,
    ) -> Result<(), InvalidTrace> {
        accesses.require(executed.n(path), element)?;
        for number in executed.list(path, self) {
            self.validate_access(buffers[*number as usize], accesses, element)?;
        }
        Ok(())
    }

    fn validate_access(
        &self,
        buffer: u32,
        accesses: &mut LineColumns<'_>,
        element: &impl Fn() -> String,
    ) -> Result<(), InvalidTrace> {
        let n_lines = self.buffers[buffer as usize].bytes.div_ceil(BLOCK_BYTES);
        let count = accesses.counts.next().copied().unwrap_or_default();
        let mut lines = accesses.lines.by_ref().take(usize::from(count));
        require(
            lines.all(|line| u64::from(*line) < n_lines),
            element,
            || format!("a line beyond the {n_lines} of buffer {buffer}"),
        )
    }

    fn validate_sample(
        &self,
        texture: TextureIdx,
        columns: &mut Columns<'_>,
        element: &impl Fn() -> String,
    ) -> Result<(), InvalidTrace> {
        let count = columns.counts.next().copied().unwrap_or_default();
        let n_blocks = self.textures[texture.0 as usize].n_blocks;
        let mut touched = columns.blocks.by_ref().take(usize::from(count));
        require(touched.all(|&block| block < n_blocks), element, || {
            format!("a block beyond the {n_blocks} of texture {}", texture.0)
        })
    }

    /// Size of a tile in quads, partial ones included.
    fn quads_of(&self, id: TileId) -> (u32, u32) {
        let rect = self.grid.rect(id);
        let edge = |from: i32, to: i32| from.abs_diff(to).div_ceil(2);
        (edge(rect.x0, rect.x1), edge(rect.y0, rect.y1))
    }
}

/// Columns of a tile that quads take their own part of.
struct Columns<'t> {
    counts: std::slice::Iter<'t, u8>,
    blocks: std::slice::Iter<'t, u32>,
    paths: std::slice::Iter<'t, PathIdx>,
}

/// Accesses to buffers that quads or vertices take their own part of.
struct LineColumns<'t> {
    counts: std::slice::Iter<'t, u8>,
    lines: std::slice::Iter<'t, u32>,
}

impl<'t> LineColumns<'t> {
    fn new(
        accesses: &'t BufferAccesses,
        element: &impl Fn() -> String,
    ) -> Result<Self, InvalidTrace> {
        let counted: u64 = accesses.counts.iter().map(|&n| u64::from(n)).sum();
        require(counted == accesses.lines.len() as u64, element, || {
            format!("{} lines, {counted} counted", accesses.lines.len())
        })?;
        Ok(Self {
            counts: accesses.counts.iter(),
            lines: accesses.lines.iter(),
        })
    }

    /// Checks that there are so many executions.
    fn require(&self, needed: u64, element: &impl Fn() -> String) -> Result<(), InvalidTrace> {
        let there = needed <= self.counts.len() as u64;
        require(there, element, || "line counts are missing".to_owned())
    }

    fn finish(mut self, element: &impl Fn() -> String) -> Result<(), InvalidTrace> {
        let is_done = self.counts.next().is_none();
        require(is_done, element, || {
            "lines of no instruction that accesses a buffer".to_owned()
        })
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
