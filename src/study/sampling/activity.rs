//! Activity vectors of frames: traces in, for each frame its work by program and stage out.
//!
//! | group | a number for each | counts |
//! |---|---|---|
//! | vertices | vertex program | instructions run: vertices x length of the program |
//! | attributes | - | attributes of triangles written to the Parameter Buffer |
//! | list entries | kept or not | attributes of triangles read from it, once for each tile |
//! | fragments | fragment program, kept or not | instructions run: quads x length of the program, or of each quad's path through it |
//! | texels | kept or not | 64-byte blocks read by texture instructions |
//!
//! *Kept* is work in tiles whose inputs are those of the frame that their buffer holds, which techniques may leave out;
//! where there are none such, nothing is kept.

use std::collections::{HashMap, VecDeque};

use super::FRAME_BUFFERS;
use azulejo_trace::{FrameTrace, Program, TileTrace};

/// Kinds of work, one for each row of the table above.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Group {
    Vertices,
    Attributes,
    ListEntries,
    Fragments,
    Texels,
}

impl Group {
    const ALL: [Self; 5] = [
        Self::Vertices,
        Self::Attributes,
        Self::ListEntries,
        Self::Fragments,
        Self::Texels,
    ];

    /// Weight of this kind of work beside a game's other work; together 1. The Raster Pipeline has most, as it takes 88 %
    /// of the cycles of games (LIBRA, Fig. 1); within it texels have a third, as textures are 36 % of DRAM lines
    /// (Boustrophedonic Frames, Fig. 1).
    const fn weight(self) -> f64 {
        match self {
            Self::Vertices | Self::Attributes => 0.06,
            Self::ListEntries => 0.08,
            Self::Fragments => 0.5,
            Self::Texels => 0.3,
        }
    }
}

/// Meaning of one number of a vector.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
struct Column {
    group: Group,
    /// Position in [`Activities::programs`], where there is one for each program.
    program: usize,
    /// Whether it counts work in tiles whose inputs are those of their frame buffer.
    kept: bool,
}

/// Vectors of frames that follow each other.
#[derive(Debug, Default)]
pub(super) struct Activities {
    /// Whether work in tiles that may be kept is counted apart.
    knows_kept: bool,
    programs: HashMap<Program, usize>,
    columns: Vec<Column>,
    column_of: HashMap<Column, usize>,
    /// One row a frame; a row may end before columns that came up later.
    rows: Vec<Vec<f64>>,
    /// Inputs of the tiles of the last [`FRAME_BUFFERS`] frames; the one in front is in the buffer that the next draws
    /// into.
    before: VecDeque<Vec<u64>>,
}

impl Activities {
    /// Returns empty vectors, for machines that run `warm_up` frames before one that counts: only if these are more than
    /// the frame buffers have the machines techniques that leave work out.
    pub(super) fn new(warm_up: u64) -> Self {
        Self {
            knows_kept: warm_up > FRAME_BUFFERS,
            ..Self::default()
        }
    }

    /// Counts the next frame.
    pub(super) fn add(&mut self, frame: &FrameTrace) {
        let now: Vec<u64> = (frame.tiles.iter())
            .map(|tile| tile.digests.inputs)
            .collect();
        let mut counting = Counting {
            all: self,
            row: Vec::new(),
        };
        counting.geometry(frame);
        counting.tiles(frame, &now);
        let row = counting.row;
        self.rows.push(row);
        self.before.push_back(now);
        if self.before.len() as u64 > FRAME_BUFFERS {
            self.before.pop_front();
        }
    }

    /// Vectors of the frames from number `first` on, all of one length. The work of a mean frame sums to 1, so the distance
    /// between two vectors is a share of a frame's work.
    pub(super) fn vectors(&self, first: usize) -> Vec<Vec<f64>> {
        let rows = self.rows.get(first..).unwrap_or_default();
        let scales = Group::ALL.map(|group| {
            let of_row = |row: &Vec<f64>| -> f64 {
                let numbers = row.iter().zip(&self.columns);
                let own = numbers.filter(|(_, column)| column.group == group);
                own.map(|(number, _)| number).sum()
            };
            let total: f64 = rows.iter().map(of_row).sum();
            let mean = total / rows.len() as f64;
            // Work that no frame does distinguishes none.
            let scale = if total > 0.0 {
                group.weight() / mean
            } else {
                0.0
            };
            (group, scale)
        });
        let scale_of = |column: &Column| {
            let mut scales = scales.iter();
            let found = scales.find(|(group, _)| *group == column.group);
            found.map_or(0.0, |(_, scale)| *scale)
        };
        let scales: Vec<f64> = self.columns.iter().map(scale_of).collect();
        let scaled = |row: &Vec<f64>| {
            let numbers = row.iter().copied().chain(std::iter::repeat(0.0));
            scales.iter().zip(numbers).map(|(s, n)| s * n).collect()
        };
        rows.iter().map(scaled).collect()
    }

    fn program(&mut self, program: &Program) -> usize {
        if let Some(&known) = self.programs.get(program) {
            return known;
        }
        let new = self.programs.len();
        self.programs.insert(program.clone(), new);
        new
    }

    fn column(&mut self, column: Column) -> usize {
        let columns = &mut self.columns;
        *self.column_of.entry(column).or_insert_with(|| {
            columns.push(column);
            columns.len() - 1
        })
    }
}

/// Row of the frame that is being counted.
struct Counting<'a> {
    all: &'a mut Activities,
    row: Vec<f64>,
}

impl Counting<'_> {
    fn count(&mut self, group: Group, program: usize, kept: bool, amount: u64) {
        let column = self.all.column(Column {
            group,
            program,
            kept,
        });
        if self.row.len() <= column {
            self.row.resize(column + 1, 0.0);
        }
        self.row[column] += amount as f64;
    }

    fn geometry(&mut self, frame: &FrameTrace) {
        for draw in &frame.draws {
            let program = &frame.programs[draw.vertex_program.0 as usize];
            let length = program.instructions.len() as u64;
            let program = self.all.program(program);
            let vertices = draw.vertices.len() as u64;
            self.count(Group::Vertices, program, false, vertices * length);
            let attributes = u64::from(draw.n_primitives) * u64::from(draw.n_attributes);
            self.count(Group::Attributes, 0, false, attributes);
        }
    }

    fn tiles(&mut self, frame: &FrameTrace, now: &[u64]) {
        let lengths = Lengths::of(frame);
        let is_known = self.all.knows_kept && self.all.before.len() as u64 == FRAME_BUFFERS;
        let held = self.all.before.front().filter(|_| is_known).cloned();
        // Tiles of another screen are not comparable.
        let held = held.filter(|held| held.len() == now.len());
        let mut of_draw = vec![[DrawWork::default(); 2]; frame.draws.len()];
        let mut texels = [0; 2];
        for (number, tile) in frame.tiles.iter().enumerate() {
            let kept = held
                .as_ref()
                .is_some_and(|held| held[number] == now[number]);
            let kept = usize::from(kept);
            texels[kept] += tile.blocks.len() as u64;
            count_tile(tile, &lengths, kept, &mut of_draw);
        }
        for (kept, texels) in [false, true].into_iter().zip(texels) {
            self.count(Group::Texels, 0, kept, texels);
        }
        for (draw, work) in frame.draws.iter().zip(of_draw) {
            let program = &frame.programs[draw.fragment_program.0 as usize];
            let program = self.all.program(program);
            for (kept, work) in [false, true].into_iter().zip(work) {
                let attributes = work.entries * u64::from(draw.n_attributes);
                self.count(Group::ListEntries, 0, kept, attributes);
                self.count(Group::Fragments, program, kept, work.instructions);
            }
        }
    }
}

/// Work of a draw in some tiles.
#[derive(Debug, Clone, Copy, Default)]
struct DrawWork {
    /// Entries of tile lists.
    entries: u64,
    /// Instructions that quads executed.
    instructions: u64,
}

/// Instructions of a frame's quads.
struct Lengths {
    draw_of_primitive: Vec<u32>,
    /// Length of each draw's fragment program, if it does not branch.
    of_draws: Vec<Option<u64>>,
    /// Instructions on each path, and samples among them.
    of_paths: Vec<[u64; 2]>,
}

impl Lengths {
    fn of(frame: &FrameTrace) -> Self {
        let of_draws = frame.draws.iter().map(|draw| {
            let program = &frame.programs[draw.fragment_program.0 as usize];
            (!program.branches()).then_some(program.instructions.len() as u64)
        });
        Self {
            draw_of_primitive: frame.draw_of_primitive(),
            of_draws: of_draws.collect(),
            of_paths: frame.path_lengths(),
        }
    }
}

/// Adds a tile's work to that of its draws, in tiles that are not kept or in those that are.
fn count_tile(tile: &TileTrace, lengths: &Lengths, kept: usize, of_draw: &mut [[DrawWork; 2]]) {
    let mut paths = tile.paths.iter();
    for (entry, quads) in tile.entries() {
        let draw = lengths.draw_of_primitive[entry.primitive as usize] as usize;
        let work = &mut of_draw[draw][kept];
        work.entries += 1;
        let shaded = quads.iter().filter(|quad| quad.is_shaded()).count();
        work.instructions += match lengths.of_draws[draw] {
            Some(length) => shaded as u64 * length,
            None => {
                let own = paths.by_ref().take(shaded);
                own.map(|path| lengths.of_paths[path.0 as usize][0]).sum()
            }
        };
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use azulejo_grid::TileGrid;
    use azulejo_trace::synthetic::{CoveredScreen, independent};
    use azulejo_trace::{InstructionClass, Region};

    /// Two tiles covered once by a program of `length` instructions.
    fn frame(number: u64, length: usize) -> FrameTrace {
        let grid = TileGrid {
            width: 64,
            height: 32,
            tile_size: 32,
        };
        CoveredScreen::new(grid, independent(InstructionClass::Alu, length)).frame(number)
    }

    fn vectors(frames: &[FrameTrace], first: usize) -> Vec<Vec<f64>> {
        let mut activities = Activities::new(FRAME_BUFFERS + 1);
        for frame in frames {
            activities.add(frame);
        }
        activities.vectors(first)
    }

    #[test]
    fn activity_of_a_mean_frame_weighs_one_but_what_no_frame_does() {
        let vectors = vectors(&[frame(0, 10)], 0);
        let total: f64 = vectors[0].iter().sum();
        let texels = Group::Texels.weight();
        assert!((total - (1.0 - texels)).abs() < 1e-12, "no texels: {total}");
    }

    #[test]
    fn activity_of_programs_is_counted_apart() {
        let vectors = vectors(&[frame(0, 10), frame(1, 30)], 0);
        assert_eq!(vectors[0].len(), vectors[1].len(), "of one length");
        let both = vectors[0].iter().zip(&vectors[1]);
        let [only_first, only_second] = [(true, false), (false, true)].map(|kind| {
            let own = both.clone().filter(|(a, b)| (**a > 0.0, **b > 0.0) == kind);
            own.map(|(a, b)| a + b).sum::<f64>()
        });
        // As many quads, of 10 and of 30 instructions, share twice the weight.
        assert!((only_second / only_first - 3.0).abs() < 1e-9, "{vectors:?}");
        let weight = Group::Fragments.weight();
        assert!(
            (only_first + only_second - 2.0 * weight).abs() < 1e-9,
            "all"
        );
    }

    #[test]
    fn activity_of_a_program_that_branches_goes_by_the_paths_of_quads() {
        let mut program = independent(InstructionClass::Alu, 7);
        program.regions = vec![
            Region::Block(0..1),
            Region::If([vec![Region::Block(1..5)], vec![Region::Block(5..6)]]),
            Region::Block(6..7),
        ];
        let grid = TileGrid {
            width: 64,
            height: 32,
            tile_size: 32,
        };
        let mut screen = CoveredScreen::new(grid, program);
        // Both arms, and the second alone, in turn.
        screen.paths = vec![vec![15, 0x87, 7, 8, 15], vec![15, 0xf0, 15, 15]];
        let frame = screen.frame(0);
        let lengths = Lengths::of(&frame);
        let mut of_draw = vec![[DrawWork::default(); 2]; 1];
        for tile in &frame.tiles {
            count_tile(tile, &lengths, 0, &mut of_draw);
        }
        assert_eq!(
            of_draw[0][0].instructions,
            512 / 2 * (7 + 3),
            "of 512 quads"
        );
    }

    #[test]
    fn activity_in_tiles_that_stay_is_counted_apart_from_the_third_frame_on() {
        let mut frames: Vec<_> = (0..4).map(|number| frame(number, 10)).collect();
        frames[3].tiles[1].digests.inputs ^= 1;
        let vectors = vectors(&frames, 0);
        assert_eq!(vectors[0], vectors[1], "two that nothing was kept for");
        assert_ne!(vectors[1], vectors[2], "the third has both tiles kept");
        assert_ne!(vectors[2], vectors[3], "the fourth one of them");
        let totals = vectors.iter().map(|v| v.iter().sum::<f64>());
        let totals: Vec<f64> = totals.collect();
        assert!(
            totals.iter().all(|total| (total - totals[0]).abs() < 1e-12),
            "all do the same work: {totals:?}"
        );
    }

    #[test]
    fn activity_in_tiles_that_stay_is_the_same_where_nothing_is_left_out() {
        let mut activities = Activities::new(1);
        for number in 0..4 {
            activities.add(&frame(number, 10));
        }
        let vectors = activities.vectors(0);
        assert_eq!(vectors[0], vectors[3], "kept or not");
    }

    #[test]
    fn activity_of_frames_before_the_first_is_not_in_the_mean() {
        let frames = [frame(0, 1000), frame(1, 10)];
        let vectors = vectors(&frames, 1);
        assert_eq!(vectors.len(), 1, "one frame");
        let total: f64 = vectors[0].iter().sum();
        assert!((total - 0.7).abs() < 1e-12, "it is the mean: {total}");
    }

    #[test]
    fn activity_of_an_empty_frame_is_zero() {
        let mut empty = frame(0, 1);
        empty.draws.clear();
        for tile in &mut empty.tiles {
            *tile = TileTrace::default();
        }
        let vectors = vectors(&[empty], 0);
        assert!(vectors[0].iter().all(|number| *number == 0.0), "and no NaN");
    }
}
