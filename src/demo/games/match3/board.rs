//! The rules: a board, its matches, and a whole game played beforehand as a list of steps.

use crate::kit::motion::Dice;

/// Cells along an edge.
pub(super) const EDGE: usize = 8;
/// Number of the kinds of sweets.
pub(super) const KINDS: usize = 6;

/// A place on the board, row 0 on top.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Cell {
    pub(super) column: usize,
    pub(super) row: usize,
}

impl Cell {
    pub(super) const fn number(number: usize) -> Self {
        Self {
            column: number / EDGE,
            row: number % EDGE,
        }
    }

    pub(super) fn all() -> impl Iterator<Item = Self> {
        (0..EDGE * EDGE).map(Self::number)
    }

    /// Cell so many columns to the right and rows down, if that is on the board.
    fn moved(self, columns: isize, rows: isize) -> Option<Self> {
        let column = self.column.checked_add_signed(columns)?;
        let row = self.row.checked_add_signed(rows)?;
        (column < EDGE && row < EDGE).then_some(Self { column, row })
    }

    const fn index(self) -> usize {
        self.column * EDGE + self.row
    }
}

/// Kind of the sweet by cell; `None` after a burst.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Board([Option<u8>; EDGE * EDGE]);

impl Board {
    pub(super) fn kind(&self, cell: Cell) -> Option<usize> {
        self.0[cell.index()].map(usize::from)
    }

    /// A board without matches.
    fn new(dice: &mut Dice) -> Self {
        let mut board = Self([None; EDGE * EDGE]);
        for cell in Cell::all() {
            loop {
                board.0[cell.index()] = Some(dice.below(KINDS) as u8);
                if board.matches().is_empty() {
                    break;
                }
            }
        }
        board
    }

    /// Cells that lie in a row or column of at least three of a kind.
    fn matches(&self) -> Vec<Cell> {
        let lies_in_line = |cell: Cell| {
            let own = self.kind(cell);
            let run = |columns: isize, rows: isize| {
                let same = |n: &isize| {
                    let other = cell.moved(columns * n, rows * n);
                    other.is_some_and(|other| self.kind(other) == own)
                };
                (1..EDGE as isize).take_while(same).count()
            };
            let across = run(-1, 0) + run(1, 0);
            let down = run(0, -1) + run(0, 1);
            own.is_some() && across.max(down) >= 2
        };
        Cell::all().filter(|&cell| lies_in_line(cell)).collect()
    }

    fn swapped(&self, a: Cell, b: Cell) -> Self {
        let mut board = self.clone();
        board.0.swap(a.index(), b.index());
        board
    }

    /// A random one of all swaps that make a match.
    fn choose_swap(&self, dice: &mut Dice) -> Option<(Cell, Cell)> {
        let neighbours = |cell: Cell| {
            let (right, below) = (cell.moved(1, 0), cell.moved(0, 1));
            right.into_iter().chain(below).map(move |b| (cell, b))
        };
        let good = |&(a, b): &(Cell, Cell)| !self.swapped(a, b).matches().is_empty();
        let swaps: Vec<_> = Cell::all().flat_map(neighbours).filter(good).collect();
        (!swaps.is_empty()).then(|| swaps[dice.below(swaps.len())])
    }

    /// Takes `cells` away, lets what is above fall and new sweets come from the top; by cell how far each fell.
    fn refilled(&self, cells: &[Cell], dice: &mut Dice) -> (Self, Vec<u8>) {
        let mut board = Self([None; EDGE * EDGE]);
        let mut drops = vec![0; EDGE * EDGE];
        for column in 0..EDGE {
            let kept = (0..EDGE)
                .rev()
                .map(|row| Cell { column, row })
                .filter(|c| !cells.contains(c));
            let mut to = EDGE;
            for from in kept {
                to -= 1;
                let cell = Cell { column, row: to };
                board.0[cell.index()] = self.0[from.index()];
                drops[cell.index()] = (to - from.row) as u8;
            }
            for row in 0..to {
                let cell = Cell { column, row };
                board.0[cell.index()] = Some(dice.below(KINDS) as u8);
                drops[cell.index()] = to as u8;
            }
        }
        (board, drops)
    }
}

/// Action of a step.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Action {
    Rest,
    Swap(Cell, Cell),
    Pop {
        cells: Vec<Cell>,
        points: u32,
    },
    /// Fall of sweets, by cell (column, then row): cells that its sweet falls.
    Fall(Vec<u8>),
}

/// A stretch of the game.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Step {
    pub(super) start: u64,
    pub(super) frames: u64,
    /// Board as the step begins; for falls as they end.
    pub(super) board: Board,
    pub(super) action: Action,
    pub(super) score: u32,
    pub(super) moves_left: u32,
    /// Bursts that this move has brought so far.
    pub(super) chain: usize,
}

/// A game from the first move to the last.
#[derive(Debug)]
pub(super) struct Timeline {
    steps: Vec<Step>,
    frames: u64,
}

/// Moves of a game.
const MOVES: u32 = 40;

impl Timeline {
    /// Plays a game from a seed.
    pub(super) fn play(seed: u32) -> Self {
        let mut dice = Dice::new(seed, 0x3a7c);
        let mut game = Player {
            step: Step {
                start: 0,
                frames: 0,
                board: Board::new(&mut dice),
                action: Action::Rest,
                score: 0,
                moves_left: MOVES,
                chain: 0,
            },
            steps: Vec::new(),
        };
        while game.step.moves_left > 0 {
            game.play_move(&mut dice);
        }
        Self {
            frames: game.step.start,
            steps: game.steps,
        }
    }

    /// The step of a frame, and the frames since it began. After the last move the game begins again.
    pub(super) fn at(&self, frame: u64) -> (&Step, f32) {
        let frame = frame % self.frames.max(1);
        let after = self.steps.partition_point(|step| step.start <= frame);
        let step = &self.steps[after.saturating_sub(1)];
        (step, (frame - step.start) as f32)
    }
}

struct Player {
    /// The state that the next step begins with.
    step: Step,
    steps: Vec<Step>,
}

impl Player {
    fn push(&mut self, action: Action, frames: u64) {
        self.step.frames = frames;
        self.step.action = action;
        self.steps.push(self.step.clone());
        self.step.start += frames;
    }

    fn play_move(&mut self, dice: &mut Dice) {
        self.step.chain = 0;
        self.push(Action::Rest, 24 + dice.below(20) as u64);
        let Some((a, b)) = self.step.board.choose_swap(dice) else {
            self.step.board = Board::new(dice);
            return;
        };
        self.push(Action::Swap(a, b), 13);
        self.step.moves_left -= 1;
        self.step.board = self.step.board.swapped(a, b);
        loop {
            let cells = self.step.board.matches();
            if cells.is_empty() {
                break;
            }
            self.step.chain += 1;
            let points = 20 * (cells.len() * self.step.chain) as u32;
            self.step.score += points;
            let burst = cells.clone();
            self.push(Action::Pop { cells, points }, 20);
            let (board, drops) = self.step.board.refilled(&burst, dice);
            let deepest = drops.iter().copied().max().unwrap_or(0);
            self.step.board = board;
            // Free fall at 0.034 cells a frame squared, and the bounce.
            let frames = (f32::from(deepest) / 0.017).sqrt().ceil() as u64 + 8;
            self.push(Action::Fall(drops), frames);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn game_rests_only_on_boards_without_matches() {
        let timeline = Timeline::play(3);
        let rests = timeline
            .steps
            .iter()
            .filter(|step| step.action == Action::Rest);
        let mut n = 0;
        for step in rests {
            assert!(step.board.matches().is_empty(), "at {}", step.start);
            assert!(
                Cell::all().all(|cell| step.board.kind(cell).is_some()),
                "full"
            );
            n += 1;
        }
        assert!(n >= MOVES, "a rest before each move");
    }

    #[test]
    fn game_steps_follow_each_other_without_gap() {
        let timeline = Timeline::play(4);
        for pair in timeline.steps.windows(2) {
            assert_eq!(pair[0].start + pair[0].frames, pair[1].start, "seamless");
        }
    }
}
