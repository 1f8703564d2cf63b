//! The rules: seven pieces fall into a well of ten columns, full rows vanish; and a player that plans one piece ahead. A
//! seed becomes a list of [`Turn`]s, played once at the start and looked up afterwards.

use crate::kit::motion::Dice;

/// Columns of the well.
pub(super) const WIDE: usize = 10;
/// Rows of the well.
pub(super) const HIGH: usize = 18;
/// Turns of a game.
const N_TURNS: usize = 260;
/// Frames in which a piece is steered above the well.
pub(super) const STEER: u64 = 22;
/// Frames in which a piece that has landed glows.
pub(super) const LOCK: u64 = 8;
/// Frames in which full rows burst, and in which the rest comes down.
pub(super) const BURST: u64 = 26;
pub(super) const SETTLE: u64 = 14;

/// Content of a cell: nothing, or the kind of the piece that left it.
pub(super) type Cell = Option<u8>;
/// Rows from the bottom up.
pub(super) type Board = [[Cell; WIDE]; HIGH];

/// Column and row of the four cells of each kind, upright.
const PIECES: [[(i32, i32); 4]; 7] = [
    [(0, 0), (1, 0), (2, 0), (3, 0)],
    [(0, 0), (1, 0), (0, 1), (1, 1)],
    [(0, 0), (1, 0), (2, 0), (1, 1)],
    [(0, 0), (1, 0), (1, 1), (2, 1)],
    [(1, 0), (2, 0), (0, 1), (1, 1)],
    [(0, 0), (1, 0), (2, 0), (0, 1)],
    [(0, 0), (1, 0), (2, 0), (2, 1)],
];

/// Number of piece kinds.
pub(super) const N_KINDS: usize = PIECES.len();

/// One piece from its start to the end of what it sets off.
#[derive(Debug, Clone)]
pub(super) struct Turn {
    /// The frame in which it begins.
    pub(super) start: u64,
    /// The well before the piece falls.
    pub(super) board: Board,
    pub(super) kind: u8,
    /// Quarter turns to the left.
    pub(super) quarters: i32,
    /// Column of its left edge after the fall.
    pub(super) column: i32,
    /// Row of its lowest cells at the end.
    pub(super) row: i32,
    /// Frames of the fall.
    pub(super) fall: u64,
    /// Full rows, from below.
    pub(super) full: Vec<usize>,
    /// Rows cleared and points made before.
    pub(super) lines: u32,
    pub(super) points: u32,
}

impl Turn {
    /// Frames until the next turn.
    pub(super) fn length(&self) -> u64 {
        let rows = if self.full.is_empty() {
            0
        } else {
            BURST + SETTLE
        };
        STEER + self.fall + LOCK + rows
    }

    /// The cells of the piece at the end.
    pub(super) fn landed(&self) -> [(i32, i32); 4] {
        shape(self.kind, self.quarters).map(|(x, y)| (x + self.column, y + self.row))
    }

    /// Points that its full rows bring.
    pub(super) fn gain(&self) -> u32 {
        [0, 100, 300, 500, 800][self.full.len().min(4)]
    }
}

/// A whole game, played from a seed.
#[derive(Debug)]
pub(super) struct Game {
    pub(super) turns: Vec<Turn>,
    /// Frames until it begins anew.
    pub(super) length: u64,
}

impl Game {
    pub(super) fn new(seed: u32) -> Self {
        let mut dice = Dice::new(seed, 0xb10c);
        let mut board = rubble(&mut dice);
        let mut bag: Vec<u8> = Vec::new();
        let (mut start, mut lines, mut points) = (0, 12, 8_400);
        let mut turns = Vec::new();
        for _ in 0..N_TURNS {
            if bag.is_empty() {
                bag.extend(0..N_KINDS as u8);
            }
            let kind = bag.swap_remove(dice.below(bag.len()));
            let Some((quarters, column, row)) = best(&board, kind) else {
                board = rubble(&mut dice);
                continue;
            };
            let drop = HIGH as i32 - row;
            let mut turn = Turn {
                start,
                board,
                kind,
                quarters,
                column,
                row,
                fall: 10 + 2 * drop.unsigned_abs() as u64,
                full: Vec::new(),
                lines,
                points,
            };
            for (x, y) in turn.landed() {
                board[y as usize][x as usize] = Some(kind);
            }
            turn.full = full_rows(&board);
            clear(&mut board, &turn.full);
            start += turn.length();
            lines += turn.full.len() as u32;
            points += turn.gain() + 10;
            turns.push(turn);
        }
        Self {
            turns,
            length: start,
        }
    }

    /// The number of the turn that plays at `frame`, and the frames since it began.
    pub(super) fn at(&self, frame: u64) -> (usize, u64) {
        let frame = frame % self.length.max(1);
        let next = self.turns.partition_point(|turn| turn.start <= frame);
        let number = next.saturating_sub(1);
        (number, frame - self.turns[number].start)
    }
}

/// The cells of a kind after quarter turns, moved so that column and row begin at 0.
pub(super) fn shape(kind: u8, quarters: i32) -> [(i32, i32); 4] {
    let mut cells = PIECES[kind as usize % N_KINDS];
    for _ in 0..quarters.rem_euclid(4) {
        cells = cells.map(|(x, y)| (-y, x));
    }
    let low = cells.iter().fold((i32::MAX, i32::MAX), |low, &(x, y)| {
        (low.0.min(x), low.1.min(y))
    });
    cells.map(|(x, y)| (x - low.0, y - low.1))
}

/// A few rows to begin with.
fn rubble(dice: &mut Dice) -> Board {
    let mut board = [[None; WIDE]; HIGH];
    for (y, row) in board.iter_mut().enumerate().take(8) {
        let gap = dice.below(WIDE);
        for (x, cell) in row.iter_mut().enumerate() {
            let filled = x.abs_diff(gap) > 1 && dice.unit() > 0.09 * y as f32;
            *cell = filled.then(|| dice.below(N_KINDS) as u8);
        }
    }
    // Nothing hangs over a hole.
    for x in 0..WIDE {
        let column: Vec<Cell> = board.iter().filter_map(|row| row[x].map(Some)).collect();
        for (y, row) in board.iter_mut().enumerate() {
            row[x] = column.get(y).copied().flatten();
        }
    }
    let full = full_rows(&board);
    clear(&mut board, &full);
    board
}

fn full_rows(board: &Board) -> Vec<usize> {
    (0..HIGH)
        .filter(|&y| board[y].iter().all(Option::is_some))
        .collect()
}

fn clear(board: &mut Board, full: &[usize]) {
    let mut to = 0;
    for y in 0..HIGH {
        if !full.contains(&y) {
            board[to] = board[y];
            to += 1;
        }
    }
    for row in &mut board[to..] {
        *row = [None; WIDE];
    }
}

fn is_free(board: &Board, cells: &[(i32, i32); 4], (column, row): (i32, i32)) -> bool {
    cells.iter().all(|&(x, y)| {
        let (x, y) = (x + column, y + row);
        let inside = (0..WIDE as i32).contains(&x) && y >= 0;
        inside && (y >= HIGH as i32 || board[y as usize][x as usize].is_none())
    })
}

/// Lowest row that a piece reaches in a column, if it fits below the rim.
fn rest(board: &Board, cells: &[(i32, i32); 4], column: i32) -> Option<i32> {
    let mut row = HIGH as i32;
    while is_free(board, cells, (column, row - 1)) {
        row -= 1;
    }
    let fits =
        is_free(board, cells, (column, row)) && cells.iter().all(|(_, y)| y + row < HIGH as i32);
    fits.then_some(row)
}

/// Quarter turns, column and row that leave the best well.
fn best(board: &Board, kind: u8) -> Option<(i32, i32, i32)> {
    let mut found: Option<(f32, (i32, i32, i32))> = None;
    for quarters in 0..4 {
        let cells = shape(kind, quarters);
        for column in 0..WIDE as i32 {
            let Some(row) = rest(board, &cells, column) else {
                continue;
            };
            let mut after = *board;
            for (x, y) in cells {
                after[(y + row) as usize][(x + column) as usize] = Some(kind);
            }
            let value = worth(&mut after);
            if found.is_none_or(|(best, _)| value > best) {
                found = Some((value, (quarters, column, row)));
            }
        }
    }
    found.map(|(_, place)| place)
}

/// How good a well is: low, even, without holes. Weights of Yiyuan Lee's player ("Tetris AI - The (Near) Perfect Bot",
/// 2013), but single rows count for little as long as the well is low: this player waits for more at once.
fn worth(board: &mut Board) -> f32 {
    let full = full_rows(board);
    clear(board, &full);
    let top = |x: usize| {
        (0..HIGH)
            .rev()
            .find(|&y| board[y][x].is_some())
            .map_or(0, |y| y + 1)
    };
    let tops: Vec<usize> = (0..WIDE).map(top).collect();
    let holes: usize = (0..WIDE)
        .map(|x| (0..tops[x]).filter(|&y| board[y][x].is_none()).count())
        .sum();
    let uneven: usize = tops.windows(2).map(|pair| pair[0].abs_diff(pair[1])).sum();
    let highest = tops.iter().copied().max().unwrap_or(0);
    let rows = match (full.len(), highest) {
        (1 | 2, 0..=8) => -3.4,
        (n, _) => 0.76 * n as f32,
    };
    rows - 0.51 * tops.iter().sum::<usize>() as f32 / 1.6
        - 0.8 * holes as f32
        - 0.18 * uneven as f32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn game_turns_follow_each_other_without_gap() {
        let game = Game::new(1);
        for pair in game.turns.windows(2) {
            assert_eq!(pair[0].start + pair[0].length(), pair[1].start, "no gap");
        }
        let (number, since) = game.at(game.turns[7].start + 3);
        assert_eq!((number, since), (7, 3), "found again");
    }

    #[test]
    fn game_goes_on_and_clears_rows() {
        for seed in 0..6 {
            let game = Game::new(seed);
            assert!(game.turns.len() > 200, "seed {seed}: it is not lost early");
            let rows: usize = game.turns.iter().map(|turn| turn.full.len()).sum();
            assert!(rows > 60, "seed {seed}: {rows} rows");
        }
    }

    #[test]
    fn pieces_come_to_rest_in_free_cells() {
        for turn in Game::new(3).turns {
            for (x, y) in turn.landed() {
                assert!(turn.board[y as usize][x as usize].is_none(), "({x}, {y})");
            }
        }
    }

    #[test]
    fn clearing_moves_upper_rows_down() {
        let mut board = [[None; WIDE]; HIGH];
        board[0] = [Some(1); WIDE];
        board[1][4] = Some(2);
        let full = full_rows(&board);
        clear(&mut board, &full);
        assert_eq!(full, [0], "one full row");
        assert_eq!(board[0][4], Some(2), "what lay above");
        assert!(board[1].iter().all(Option::is_none), "nothing stays behind");
    }
}
