//! Figures 4 and 9 of the paper, which need no game: loop traces in small caches, exactly.

use std::num::NonZeroU8;

use crate::figures::{Figure, FigureForm, FigureRow, Unit};
use crate::stated::Stated;
use azulejo_gpu::cache::{CachePolicy, LoopTrace};

/// Names of the figures that need no game.
pub const LOOP_FIGURES: [&str; 2] = ["boustro.fig4", "boustro.fig9"];

/// One of [`LOOP_FIGURES`], measured.
#[must_use]
pub fn loop_figure(id: &str) -> Option<Figure> {
    match id {
        "boustro.fig4" => Some(policies()),
        "boustro.fig9" => Some(saved()),
        _ => None,
    }
}

/// Misses of all accesses to `lines` lines in a cache of `ways`.
fn miss_ratio(lines: u8, ways: u8, alternates: bool, policy: CachePolicy) -> Option<f64> {
    let trace = LoopTrace {
        lines: NonZeroU8::new(lines)?,
        alternates,
    };
    let steady = trace.steady_state(NonZeroU8::new(ways)?, policy).ok()?;
    Some(steady.miss_ratio())
}

/// Misses of each policy over seven lines in three ways (Fig. 4).
fn policies() -> Figure {
    const COLUMNS: [&str; 7] = [
        "LRU",
        "OPT",
        "OPTPT",
        "MRU",
        "LRU reversed",
        "OPT reversed",
        "OPTPT reversed",
    ];
    let bar = |alternates, policy| miss_ratio(7, 3, alternates, policy);
    let bars = vec![
        bar(false, CachePolicy::Lru),
        bar(false, CachePolicy::Opt),
        bar(false, CachePolicy::OptBypass),
        bar(false, CachePolicy::Mru),
        bar(true, CachePolicy::Lru),
        bar(true, CachePolicy::Opt),
        bar(true, CachePolicy::OptBypass),
    ];
    // Section III-B: 1, (s - j) / (s - 1), (s - j) / s; MRU as OPT; reversed (s - j) / s.
    let (circular, least) = (4.0 / 6.0, 4.0 / 7.0);
    let stated = [1.0, circular, least, circular, least, least, least];
    figure(
        LOOP_FIGURES[0],
        "misses of a loop of 7 lines in a cache of 3, of all accesses",
        &COLUMNS,
        FigureRow {
            game: "s = 7, j = 3".to_owned(),
            bars,
        },
        &stated,
    )
}

/// Share of LRU's misses that reversal saves in a cache of eight ways (Fig. 9).
fn saved() -> Figure {
    const COLUMNS: [&str; 8] = [
        "s = 7", "s = 8", "s = 9", "s = 10", "s = 12", "s = 16", "s = 32", "s = 64",
    ];
    const LENGTHS: [u8; 8] = [7, 8, 9, 10, 12, 16, 32, 64];
    let saved = |lines| {
        let of = |alternates| miss_ratio(lines, 8, alternates, CachePolicy::Lru);
        let (forward, reversed) = (of(false)?, of(true)?);
        Some(match forward {
            0.0 => 0.0,
            forward => 1.0 - reversed / forward,
        })
    };
    // Section V-A: j / s where s > j, else 0.
    let stated = LENGTHS.map(|lines| match lines {
        0..=8 => 0.0,
        lines => 8.0 / f64::from(lines),
    });
    let bars = LENGTHS.map(saved).to_vec();
    let bars = figure(
        LOOP_FIGURES[1],
        "misses of a loop of s lines in a cache of 8 that reversal saves, of LRU's",
        &COLUMNS,
        FigureRow {
            game: "j = 8".to_owned(),
            bars,
        },
        &stated,
    );
    Figure {
        form: FigureForm::Lines,
        ..bars
    }
}

fn figure(
    id: &'static str,
    title: &'static str,
    columns: &'static [&'static str],
    row: FigureRow,
    stated: &[f64],
) -> Figure {
    let stated = columns.iter().zip(stated).zip(&row.bars);
    Figure {
        id,
        unit: Unit::Percent,
        form: FigureForm::Bars,
        note: None,
        title,
        columns,
        stated: stated
            .map(|((&column, &paper), &ours)| Stated {
                column,
                paper,
                ours,
            })
            .collect(),
        mean: row.bars.clone(),
        geometric_mean: row.bars.clone(),
        weighted_mean: None,
        rows: vec![row],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_of_loops_are_exactly_the_papers() {
        for id in LOOP_FIGURES {
            let figure = loop_figure(id).expect("known");
            assert_eq!(figure.stated.len(), figure.columns.len(), "{id}: every bar");
            for Stated {
                column,
                paper,
                ours,
            } in figure.stated
            {
                let ours = ours.expect("measured");
                assert!(
                    (ours - paper).abs() < 1e-12,
                    "{id} {column}: {ours} {paper}"
                );
            }
        }
        assert_eq!(loop_figure("boustro.fig1"), None, "needs games");
    }
}
