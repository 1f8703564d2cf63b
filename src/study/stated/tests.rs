//! Table of stated numbers: whole, each number once, each beside a figure that exists; and the words on ours.

use std::collections::BTreeMap;

use super::*;
use crate::figures::{Figure, FigureRow, Unit};
use crate::{
    AREA_FIGURES, BOUSTRO_FIGURES, EM1_FIGURES, EM2_FIGURES, FIGURES, KHEPRI_FIGURES,
    LIBRA_FIGURES, LOOP_FIGURES, SAMPLING_FIGURES, SENSITIVITY_FIGURES, SWEEP_FIGURES, loop_figure,
};

/// Numbers of the papers by study. The five papers print 138 beside figures; the others stand in running text and tables,
/// or follow from such: for RE a mean and a share, for LIBRA ranking, storage and area, for KHEPRI five absolute misses,
/// concurrent misses, ranking and area, for Boustrophedonic Frames a mean of Table I. `MEGsim`'s are four.
#[test]
fn numbers_are_all_there() {
    let mut counts = BTreeMap::new();
    for number in numbers() {
        *counts.entry(number.study()).or_insert(0) += 1;
    }
    let expected = [
        ("re", 23 + 2),
        ("libra", 38 + 3),
        ("khepri", 29 + 8),
        ("boustro", 23 + 1),
        ("em", 4),
        ("em1", 12),
        ("em2", 9),
        ("sampling", 4),
    ];
    assert_eq!(counts, BTreeMap::from(expected), "by study");
}

/// Printed numeral: of games their number.
fn printed(value: Value) -> Vec<f64> {
    match value {
        Value::Games(n, _) => vec![f64::from(n)],
        Value::Between(least, most) => vec![least, most],
        other => vec![other.number()],
    }
}

#[test]
fn numbers_stand_once() {
    let mut seen = Vec::new();
    for number in numbers() {
        let key = (
            number.id,
            number.what,
            format!("{:?}", printed(number.value)),
        );
        assert!(!seen.contains(&key), "{key:?} twice");
        assert!(!number.section.is_empty(), "{key:?}: its section");
        assert!(!number.paper().is_empty(), "{key:?}: its paper");
        seen.push(key);
    }
}

/// Every figure's name and columns.
fn columns() -> BTreeMap<&'static str, &'static [&'static str]> {
    let mut all: BTreeMap<_, _> = FIGURES.iter().map(|f| (f.id, f.columns)).collect();
    for figures in [
        LIBRA_FIGURES,
        SWEEP_FIGURES,
        KHEPRI_FIGURES,
        SENSITIVITY_FIGURES,
    ] {
        all.extend(figures.iter().map(|f| (f.id, f.columns)));
    }
    all.extend(BOUSTRO_FIGURES.iter().map(|f| (f.id, f.columns)));
    let loops = LOOP_FIGURES.into_iter().filter_map(loop_figure);
    all.extend(loops.map(|f| (f.id, f.columns)));
    all.extend(EM1_FIGURES.iter().map(|f| (f.id, f.columns)));
    all.extend(EM2_FIGURES.iter().map(|f| (f.id, f.columns)));
    all.extend(SAMPLING_FIGURES.iter().map(|f| (f.id, f.columns)));
    all.extend(AREA_FIGURES.iter().map(|f| (f.id, f.columns)));
    all
}

#[test]
fn numbers_name_columns_that_there_are_or_a_reason() {
    let known = columns();
    for number in numbers() {
        let (figure, names) = match number.ours {
            Ours::NotComparable(why) => {
                assert!(!why.is_empty(), "{}: {}: why", number.id, number.what);
                continue;
            }
            Ours::Measured { figure, column, .. } => match column {
                Column::One(name) => (figure, vec![name]),
                Column::Less(a, b) | Column::By(a, b) | Column::Both(a, b) => (figure, vec![a, b]),
            },
        };
        let columns = names.into_iter().map(|name| (figure, name));
        for (figure, name) in columns.chain(number.also.iter().copied()) {
            let there = known
                .get(figure)
                .unwrap_or_else(|| panic!("{figure}: no figure"));
            assert!(
                there.contains(&name),
                "{}: {figure} has no {name}",
                number.id
            );
        }
    }
}

/// Games without a demo are named only beside one that has it, or where the most or least is meant.
#[test]
fn numbers_of_games_have_a_demo() {
    for number in numbers() {
        if let Ours::Measured {
            over: Over::Games(games) | Over::EachGame(games),
            ..
        } = number.ours
        {
            let has_one = games.iter().any(|game| number.stand_in(game).is_some());
            assert!(has_one, "{}: {games:?}", number.id);
        }
    }
}

fn figure(id: &'static str, columns: &'static [&'static str], rows: &[(&str, &[f64])]) -> Figure {
    let rows: Vec<_> = rows
        .iter()
        .map(|(game, bars)| FigureRow {
            game: (*game).to_owned(),
            bars: bars.iter().copied().map(Some).collect(),
        })
        .collect();
    let mean = (0..columns.len()).map(|at| {
        let values = rows.iter().filter_map(|row| row.bars[at]);
        crate::figures::mean(&values.collect::<Vec<_>>())
    });
    let mean: Vec<_> = mean.collect();
    Figure {
        id,
        title: "",
        unit: Unit::Percent,
        form: crate::figures::FigureForm::Bars,
        note: None,
        columns,
        stated: means(id, columns, &mean, rows.len()),
        geometric_mean: mean.clone(),
        weighted_mean: None,
        mean,
        rows,
    }
}

fn of(figure: &Figure, what: &str, over: &str) -> Compared {
    let all = compare(&[figure], |number| number.figure() == Some(figure.id));
    let found = all
        .into_iter()
        .find(|number| number.what == what && number.of == over);
    found.unwrap_or_else(|| panic!("{what}, {over}"))
}

#[test]
fn mean_and_game_and_most_are_in_the_papers_terms() {
    let columns = &["geometry", "raster", "total"];
    let rows: [(&str, &[f64]); 2] = [
        ("towers", &[0.1, 0.1, 0.2]),
        ("corridor", &[0.1, 0.9, 1.004]),
    ];
    let time = figure("re.fig13a", columns, &rows);
    let close = |found: Option<f64>, expected: f64| {
        let found = found.expect("measured");
        assert!((found - expected).abs() < 1e-9, "{found} {expected}");
    };
    let mean = of(&time, "time saved", "mean");
    close(mean.ours, 39.8);
    close(mean.distance, 39.8 - 42.0);
    assert_eq!(mean.verdict, Verdict::Agrees, "5 % off");
    close(of(&time, "speedup", "mean").ours, 1.0 / 0.602);
    close(of(&time, "time saved", "cde (towers)").ours, 80.0);
    close(of(&time, "speedup", "most").ours, 5.0);
    let lost = of(&time, "time lost without redundant tiles", "mst (corridor)");
    close(lost.ours, 0.4);
    assert_eq!(
        (lost.verdict, &*lost.stated),
        (Verdict::Agrees, "< 1 %"),
        "below"
    );
    assert_eq!(time.stated[0].column, "total", "the mean alone");
    assert_eq!(time.stated[0].paper, 0.58, "in the figure's terms");
}

#[test]
fn games_below_a_bound_are_shares_of_all() {
    let rows: [(&str, &[f64]); 4] = [
        ("match3", &[1.05]),
        ("b", &[1.4]),
        ("c", &[1.5]),
        ("d", &[1.9]),
    ];
    let speed = figure("libra.fig4", &["speedup"], &rows);
    let below = of(
        &speed,
        "games that eight cores speed up by less than 1.5",
        "games",
    );
    assert_eq!(
        (below.ours, below.distance),
        (Some(50.0), Some(0.0)),
        "two of four"
    );
    assert_eq!(below.stated, "16 of 32", "as printed");
    let of_one = of(
        &speed,
        "speedup by eight cores, of four",
        "BlB, CCS (match3)",
    );
    assert_eq!(of_one.ours, Some(1.05), "the one that a demo stands for");
}

#[test]
fn best_threshold_is_that_of_the_column_with_the_greatest_mean() {
    let columns = &["0 %", "0.25 %", "1 %", "5 %", "15 %", "never"];
    let what = "best threshold for another size of supertiles, in %";
    for (bars, best) in [
        ([1.0, 1.2, 1.1, 1.0, 1.0, 1.0], 0.25),
        ([1.0, 1.1, 1.1, 1.2, 1.0, 1.0], 5.0),
        ([1.0, 1.0, 1.0, 1.0, 1.0, 1.1], 100.0),
    ] {
        let speed = figure("libra.fig19a", columns, &[("a", &bars)]);
        assert_eq!(of(&speed, what, "best mean").ours, Some(best), "{bars:?}");
    }
}

#[test]
fn what_was_not_measured_says_what_measures_it() {
    let all = compare(&[], |_| true);
    assert_eq!(all.len(), numbers().count(), "each has a row");
    for number in &all {
        let is_there = matches!(
            number.verdict,
            Verdict::NotMeasured | Verdict::NotComparable
        );
        assert!(is_there && number.ours.is_none(), "{number:?}");
        let why = number.why.as_ref().expect("a reason");
        let names_study = number.figure.is_none_or(|figure| why.contains(figure));
        assert!(names_study, "{number:?}");
    }
    let one = figure("re.fig2", &["equal"], &[("match3", &[0.95])]);
    let mean = of(&one, "tiles with the colours of the frame before", "mean");
    assert_eq!(
        mean.verdict_in_words(),
        "not measured: a single demo has no mean"
    );
}

/// By hand: 9.2 % and 10 % about it; sides; bounds with and without a side.
#[test]
fn verdict_follows_its_rule() {
    use Terms::{ChangePerKiloInstruction, Less, More, Share, Times};
    use Value::{Above, Below, Between, Exactly};
    use Verdict::{Agrees, Differs, SameDirection};
    for (stated, terms, ours, expected) in [
        (Exactly(10.0), More, 9.0, Agrees),
        (Exactly(10.0), More, 8.9, SameDirection),
        (Exactly(10.0), More, -0.1, Differs),
        (Exactly(10.0), Share, 8.9, Differs),
        (Exactly(-1.4), ChangePerKiloInstruction, -9.0, SameDirection),
        (Exactly(2.0), Times, 1.5, SameDirection),
        (Exactly(2.0), Times, 0.9, Differs),
        (Exactly(0.0), Share, 0.0, Agrees),
        (Exactly(0.0), Share, 0.1, Differs),
        (Below(1.0), More, -3.0, Agrees),
        (Below(1.0), More, 5.0, Differs),
        (Below(-20.0), More, -30.0, Agrees),
        (Below(-20.0), More, -3.0, SameDirection),
        (Above(5.0), More, 2.0, SameDirection),
        (Above(80.0), Share, 60.0, Differs),
        (Between(19.0, 20.0), More, 21.9, Agrees),
        (Between(19.0, 20.0), More, 30.0, SameDirection),
        (Exactly(38.0), Less, 35.0, Agrees),
    ] {
        let found = compare::verdict(stated, terms, ours);
        assert_eq!(found, expected, "{stated:?} {terms:?} {ours}");
    }
}

/// There and back for every kind of terms.
#[test]
fn terms_turn_columns_into_numbers_and_back() {
    use Terms::{
        Change, ChangePerKiloInstruction, Count, Faster, Kibibytes, Less, More, PerKiloInstruction,
        Share, Times, TimesFaster, TimesLeft,
    };
    for (terms, column, number) in [
        (Share, 0.62, 62.0),
        (Change, -0.036, -3.6),
        (Less, 0.58, 42.0),
        (More, 1.132, 13.2),
        (Faster, 0.8, 25.0),
        (Times, 2.0, 2.0),
        (TimesFaster, 0.5, 2.0),
        (TimesLeft, -1.6, 2.6),
        (PerKiloInstruction, 77.0, 77.0),
        (ChangePerKiloInstruction, -1.4, -1.4),
        (Count, 5.0, 5.0),
        (Kibibytes, 4.0, 4.0),
    ] {
        let there = terms.of_column(column);
        assert!((there - number).abs() < 1e-9, "{terms:?}: {there}");
        let back = terms.column(number);
        assert!((back - column).abs() < 1e-9, "{terms:?}: {back}");
    }
}
