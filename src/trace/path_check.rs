//! Whether trees of regions have their programs' instructions, and paths their trees' shapes.

use std::ops::Range;

use super::invalid::{InvalidTrace, named, require};
use super::{
    DrawTrace, Executed, FrameTrace, InstructionClass, PathIdx, Program, ProgramId, Region,
};

/// Regions inside of each other. Inlined functions nest; deeper ones than this would be a machine's stack.
pub(super) const MAX_DEPTH: usize = 128;

/// Instructions, decisions and trips of a path: as many as a machine executes for it.
const MAX_LENGTH: u64 = 1 << 18;

/// Loops of a program.
#[derive(Debug, Default)]
pub(super) struct Loops {
    /// End of the outermost loop around each instruction, 0 where there is none; empty for a straight program.
    pub(super) ends: Vec<usize>,
}

/// Checks that a program's tree has its instructions, one behind the other.
pub(super) fn check_tree(
    program: &Program,
    element: &impl Fn() -> String,
) -> Result<Loops, InvalidTrace> {
    if !program.branches() {
        return Ok(Loops::default());
    }
    let mut tree = Tree {
        next: 0,
        ends: vec![0; program.instructions.len()],
        problem: None,
    };
    tree.sequence(&program.regions, 0);
    let (n, found) = (program.instructions.len(), tree.next as usize);
    let parts = |region: &Region| !matches!(region, Region::Block(_));
    let branches = program.regions.iter().any(parts);
    let problem = tree.problem.take();
    let problem = problem.or_else(|| {
        (found != n).then(|| format!("regions of {found} instructions; expected its {n}"))
    });
    let problem =
        problem.or_else(|| (!branches).then(|| "blocks alone; expected a branch".to_owned()));
    match problem {
        None => Ok(Loops { ends: tree.ends }),
        Some(problem) => Err(InvalidTrace {
            element: element(),
            problem,
        }),
    }
}

/// Walk over a tree up to its first problem.
struct Tree {
    next: u32,
    ends: Vec<usize>,
    problem: Option<String>,
}

impl Tree {
    fn sequence(&mut self, regions: &[Region], depth: usize) {
        if depth > MAX_DEPTH {
            let problem = format!("regions nested deeper than {MAX_DEPTH}");
            self.problem.get_or_insert(problem);
        }
        for region in regions {
            if self.problem.is_some() {
                return;
            }
            match region {
                Region::Block(instructions) => self.block(instructions),
                Region::If(arms) => arms.iter().for_each(|arm| self.sequence(arm, depth + 1)),
                Region::Loop(body) => {
                    self.filled(!body.is_empty(), "a loop without a body");
                    let first = self.next as usize;
                    self.sequence(body, depth + 1);
                    let end = self.next as usize;
                    let inside = self.ends.get_mut(first..end);
                    inside.into_iter().for_each(|ends| ends.fill(end));
                }
                Region::Switch(cases) => {
                    self.filled(!cases.is_empty(), "a switch without cases");
                    cases.iter().for_each(|case| self.sequence(case, depth + 1));
                }
            }
        }
    }

    fn filled(&mut self, is_filled: bool, problem: &str) {
        if !is_filled {
            self.problem.get_or_insert(problem.to_owned());
        }
    }

    fn block(&mut self, instructions: &Range<u32>) {
        let Range { start, end } = *instructions;
        if start != self.next || end <= start {
            let expected = self.next;
            self.problem.get_or_insert(format!(
                "a block of instructions {start} to {end}; expected one from {expected} on"
            ));
        }
        self.next = end;
    }
}

/// Instructions of some classes along the paths of a frame.
#[derive(Debug)]
pub(super) struct Executions {
    /// Instructions before each position, by program.
    numbers: Vec<Vec<u32>>,
    /// How many are executed, by path.
    counts: Vec<u64>,
    /// Their numbers in the program, for paths that were asked for.
    lists: Vec<Option<Vec<u32>>>,
}

impl Executions {
    fn new(frame: &FrameTrace, is_counted: impl Fn(InstructionClass) -> bool) -> Self {
        let programs = frame.programs.iter().filter(|_| !frame.paths.is_empty());
        Self {
            numbers: programs
                .map(|program| program.counts_before(&is_counted))
                .collect(),
            counts: vec![0; frame.paths.len()],
            lists: vec![None; frame.paths.len()],
        }
    }

    /// Takes in that instructions of a program are executed so many times on a path.
    fn count(&mut self, path: usize, program: ProgramId, executed: &Executed) {
        let numbers = &self.numbers[program.0 as usize];
        let Range { start, end } = executed.instructions;
        let each = u64::from(numbers[end as usize] - numbers[start as usize]);
        let sum = &mut self.counts[path];
        *sum = sum.saturating_add(executed.times.saturating_mul(each));
    }

    /// How many a quad or a vertex executes on a path.
    pub(super) fn n(&self, path: PathIdx) -> u64 {
        self.counts[path.0 as usize]
    }

    /// Their numbers in the program.
    pub(super) fn list(&mut self, path: PathIdx, frame: &FrameTrace) -> &[u32] {
        self.lists[path.0 as usize].get_or_insert_with(|| {
            let known = frame.paths.get(path);
            known.map_or_else(Vec::new, |(program, steps)| {
                let program = program.0 as usize;
                let list = frame.programs[program].executions(&self.numbers[program], steps);
                list.unwrap_or_default()
            })
        })
    }
}

/// Paths of a frame, all of which fit their programs.
#[derive(Debug)]
pub(super) struct FramePaths<'f> {
    frame: &'f FrameTrace,
    /// Texture instructions.
    pub(super) samples: Executions,
    /// Instructions that access buffers.
    pub(super) accesses: Executions,
}

impl<'f> FramePaths<'f> {
    /// Follows each path once.
    pub(super) fn new(frame: &'f FrameTrace) -> Result<Self, InvalidTrace> {
        let mut paths = Self {
            frame,
            samples: Executions::new(frame, InstructionClass::is_texture),
            accesses: Executions::new(frame, InstructionClass::accesses_buffer),
        };
        for (path, found) in frame.paths.iter().enumerate() {
            paths.follow(path, found)?;
        }
        Ok(paths)
    }

    fn follow(
        &mut self,
        number: usize,
        (id, steps): (ProgramId, &[u8]),
    ) -> Result<(), InvalidTrace> {
        let program = self.frame.programs.get(id.0 as usize);
        let Some(program) = program.filter(|program| program.branches()) else {
            return Err(InvalidTrace {
                element: format!("path {number}"),
                problem: format!("of program {}; expected one that branches", id.0),
            });
        };
        let element = || {
            let of = named("program", id.0 as usize, &program.name);
            format!("path {number} of {of}")
        };
        let followed = program.follow(steps, |executed| {
            self.samples.count(number, id, &executed);
            self.accesses.count(number, id, &executed);
        });
        let length = followed.map_err(|misfit| InvalidTrace {
            element: element(),
            problem: misfit.to_string(),
        })?;
        require(length <= MAX_LENGTH, element, || {
            format!("{length} instructions, decisions and trips; expected at most {MAX_LENGTH}")
        })
    }

    /// Whether a path exists and is one of this program.
    pub(super) fn check(
        &self,
        path: PathIdx,
        program: ProgramId,
        element: &impl Fn() -> String,
    ) -> Result<(), InvalidTrace> {
        let found = self.frame.paths.get(path).map(|(program, _)| program);
        require(found == Some(program), element, || match found {
            None => format!("path {} of the {}", path.0, self.frame.paths.len()),
            Some(other) => format!(
                "path {} of program {}; expected one of program {}",
                path.0, other.0, program.0
            ),
        })
    }

    /// Checks that a draw's vertices have paths where its vertex program branches.
    pub(super) fn check_vertices(
        &self,
        frame: &FrameTrace,
        draw: &DrawTrace,
        element: &impl Fn() -> String,
    ) -> Result<(), InvalidTrace> {
        let program = draw.vertex_program;
        let branches = frame.programs[program.0 as usize].branches();
        let expected = if branches { draw.vertices.len() } else { 0 };
        let found = draw.vertex_paths.len();
        require(found == expected, element, || {
            format!("{found} paths of vertices; expected {expected}")
        })?;
        let mut paths = draw.vertex_paths.iter();
        paths.try_for_each(|path| self.check(*path, program, element))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::synthetic::{CoveredScreen, TexelPattern, fragment_program};
    use crate::{Instruction, PathTable};
    use azulejo_grid::TileGrid;

    const GRID: TileGrid = TileGrid {
        width: 8,
        height: 4,
        tile_size: 8,
    };

    /// A lawful frame: an instruction, and a loop over two, of which one is a texture; quads make one trip and two in turn.
    fn frame() -> FrameTrace {
        let op = |class, sources: &[u32]| Instruction::new(class, sources);
        let list = vec![
            op(InstructionClass::Alu, &[]),
            op(InstructionClass::Alu, &[0, 2]),
            op(InstructionClass::Texture, &[1]),
        ];
        let mut program = fragment_program("loop", list);
        program.regions = vec![Region::Block(0..1), Region::Loop(vec![Region::Block(1..3)])];
        let mut screen = CoveredScreen::new(GRID, program);
        screen.paths = vec![vec![15, 1, 15, 0], vec![15, 2, 15, 0]];
        screen.texels = TexelPattern::AlwaysNew;
        screen.frame(0)
    }

    /// Error message for the lawful frame after a change.
    fn complaint(change: impl FnOnce(&mut FrameTrace)) -> String {
        let mut frame = frame();
        assert_eq!(frame.validate(), Ok(()), "lawful before the change");
        change(&mut frame);
        frame.validate().expect_err("a contradiction").to_string()
    }

    fn regions(regions: Vec<Region>) -> String {
        complaint(|frame| frame.programs[1].regions = regions)
    }

    #[test]
    fn tree_has_its_instructions_once_and_in_order() {
        let block = |from, to| Region::Block(from..to);
        let of = "program 1 'loop': ";
        let said = regions(vec![Region::Loop(vec![block(0, 2)])]);
        assert_eq!(
            said,
            format!("{of}regions of 2 instructions; expected its 3")
        );
        let said = regions(vec![Region::Loop(vec![block(0, 1), block(2, 3)])]);
        let expected = "a block of instructions 2 to 3; expected one from 1 on";
        assert_eq!(said, format!("{of}{expected}"), "1 is left out");
        let said = regions(vec![Region::Loop(vec![block(0, 3), block(3, 3)])]);
        assert!(said.contains("a block of instructions 3 to 3"), "{said}");
        let said = regions(vec![block(0, 1), block(1, 3)]);
        assert_eq!(said, format!("{of}blocks alone; expected a branch"));
        let said = regions(vec![block(0, 3), Region::Switch(vec![])]);
        assert_eq!(said, format!("{of}a switch without cases"));
        let said = regions(vec![block(0, 3), Region::Loop(vec![])]);
        assert_eq!(said, format!("{of}a loop without a body"));
    }

    #[test]
    fn tree_is_not_deeper_than_its_limit() {
        let nested = |depth| {
            let inner = vec![Region::Block(0..3)];
            (0..depth).fold(inner, |inner, _| vec![Region::If([inner, vec![]])])
        };
        let said = regions(nested(MAX_DEPTH + 1));
        assert_eq!(said, "program 1 'loop': regions nested deeper than 128");
    }

    #[test]
    fn tree_lets_a_loop_read_the_trip_before_and_nothing_else() {
        let said = complaint(|frame| frame.programs[1].instructions[0].sources[0] = 0);
        let expected = "program 1 'loop', instruction 0: reads a result that comes later";
        assert_eq!(said, expected, "it stands before the loop");
        let said = complaint(|frame| frame.programs[1].instructions[1].sources[0] = 3);
        let expected = "program 1 'loop', instruction 1: reads a result that comes later";
        assert_eq!(said, expected, "behind the loop");
    }

    #[test]
    fn path_is_one_of_the_program_that_ran() {
        let said = complaint(|frame| {
            let path = frame.paths.push(ProgramId(0), &[]);
            frame.tiles[0].paths[1] = path;
        });
        assert_eq!(said, "path 2: of program 0; expected one that branches");
        let said = complaint(|frame| {
            let other = frame.programs[1].clone();
            frame.programs.push(other);
            let path = frame.paths.push(ProgramId(2), &[15, 0]);
            frame.tiles[0].paths[1] = path;
        });
        assert_eq!(
            said,
            "tile 0: path 2 of program 2; expected one of program 1"
        );
        let said = complaint(|frame| frame.tiles[0].paths[1] = PathIdx(9));
        assert_eq!(said, "tile 0: path 9 of the 2");
    }

    #[test]
    fn path_that_does_not_fit_its_tree_is_named() {
        let said = complaint(|frame| {
            frame.paths.push(ProgramId(1), &[15, 1, 15]);
        });
        let expected = "path 2 of program 1 'loop': ends after 3 steps inside a region; expected a \
                        step for every region that it enters";
        assert_eq!(said, expected, "the loop has no end");
    }

    #[test]
    fn path_of_more_steps_than_a_machine_has_time_for_is_refused() {
        let said = complaint(|frame| {
            let mut body = vec![Region::Block(0..3)];
            for _ in 0..4 {
                body = vec![Region::Loop(body)];
            }
            frame.programs[1].regions = body;
            let trips = [255; 4];
            frame.paths = PathTable::default();
            frame
                .paths
                .push(ProgramId(1), &[&trips[..], &[15, 0, 0, 0, 0]].concat());
        });
        // Each level: runs, trips and ends; the innermost block is a step and three instructions.
        let trips = |level| 255_u64.pow(level);
        let levels: u64 = (1..=4)
            .map(|level| 2 * trips(level - 1) + trips(level))
            .sum();
        let length = levels + 4 * trips(4);
        let limit = "instructions, decisions and trips; expected at most 262144";
        let expected = format!("path 0 of program 1 'loop': {length} {limit}");
        assert_eq!(said, expected, "255^4 trips");
    }

    #[test]
    fn paths_are_as_many_as_quads_and_vertices_that_branch() {
        let said = complaint(|frame| {
            frame.tiles[0].paths.pop();
        });
        assert!(said.contains("a shaded quad without a path"), "{said}");
        let said = complaint(|frame| frame.tiles[0].paths.push(PathIdx(0)));
        assert!(said.contains("paths of no shaded quad"), "{said}");
        let said = complaint(|frame| frame.draws[0].vertex_paths.push(PathIdx(0)));
        assert_eq!(said, "draw 0 'layers': 1 paths of vertices; expected 0");
        let said = complaint(|frame| {
            frame.programs[0].regions = vec![Region::Loop(vec![Region::Block(0..2)])];
            frame.draws[0].vertex_paths = vec![PathIdx(0); 3];
        });
        let expected = "draw 0 'layers': path 0 of program 1; expected one of program 0";
        assert_eq!(said, expected, "of fragments");
    }

    #[test]
    fn paths_tell_how_many_accesses_are_counted() {
        let load = |frame: &mut FrameTrace| {
            let program = &mut frame.programs[1];
            program.instructions[2].class = InstructionClass::Load;
            let draw = &mut frame.draws[0];
            (draw.fragment_buffers, draw.textures) = (vec![0], vec![]);
            for tile in &mut frame.tiles {
                tile.accesses.counts = std::mem::take(&mut tile.block_counts);
                tile.accesses.lines = vec![0; tile.blocks.len()];
                tile.blocks.clear();
            }
        };
        let mut lawful = frame();
        load(&mut lawful);
        assert_eq!(lawful.validate(), Ok(()), "as many as textures were");
        let said = complaint(|frame| {
            load(frame);
            let tile = &mut frame.tiles[0];
            tile.paths[0] = tile.paths[1];
        });
        assert_eq!(said, "tile 0: line counts are missing");
        let said = complaint(|frame| {
            load(frame);
            frame.tiles[0].accesses.push([]);
        });
        let expected = "tile 0: lines of no instruction that accesses a buffer";
        assert_eq!(said, expected);
        let said = complaint(|frame| {
            load(frame);
            frame.tiles[0].accesses.lines[0] = 1;
        });
        assert_eq!(said, "tile 0: a line beyond the 1 of buffer 0");
        let said = complaint(|frame| {
            load(frame);
            frame.draws[0].fragment_buffers.clear();
        });
        let expected = "draw 0 'layers': 0 buffers bound, 1 accessed by its Fragment program";
        assert_eq!(said, expected);
        let said = complaint(|frame| {
            load(frame);
            frame.draws[0].vertex_accesses.push([0]);
        });
        let expected = "draw 0 'layers': lines of no instruction that accesses a buffer";
        assert_eq!(said, expected, "its vertices make none");
    }

    #[test]
    fn paths_tell_how_many_blocks_are_counted() {
        let counted = frame().tiles[0].block_counts.len();
        assert_eq!(counted, 4 + 4 * 2, "quads of one trip and of two");
        let said = complaint(|frame| {
            let tile = &mut frame.tiles[0];
            tile.paths[0] = tile.paths[1];
        });
        assert_eq!(said, "tile 0: block counts are missing");
        let said = complaint(|frame| {
            let tile = &mut frame.tiles[0];
            tile.paths[1] = tile.paths[0];
        });
        assert_eq!(said, "tile 0: blocks of no texture instruction");
    }
}
