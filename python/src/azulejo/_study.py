"""What `azulejo study` says: figures of papers over demos, each beside what the paper states."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pandas as pd

from ._errors import LoadError
from ._json import NUMBERS, STUDIES, STUDY, Element, load
from ._tables import of_rows, read_csv, read_parquet, with_attrs

_MEANS = ("mean", "geometric mean")
_WEIGHTED = "weighted mean"
"""The last rows of a figure's CSV."""
_UNITS = {"percent": "1"}
"""Units of values, where figures are printed in another."""


@dataclass(frozen=True)
class Figure:
    """A figure of a paper, measured again.

    Attributes:
        id: What it is called on the command line, such as `re.fig16b`.
        title: What it plots; empty from CSV, which does not say it.
        unit: Unit that figures are printed in: `percent` (values are shares of 1), `per-kilo-instruction` (events for a
            thousand warp instructions), `tiles`, `kibibytes`, or empty from CSV.
        table: A row for each demo (the index `demo`), a float64 column for each bar, times `scale` in `unit`; NaN where
            nothing was measured.
        mean: A value for each column, over the demos in which it was measured.
        geometric_mean: The same; 0 where a demo has 0, NaN where one is negative.
        stated: A row for each average that the paper states: `column`, `paper` and `ours`, as in `table`. `ours` is NaN
            for a single demo, which has no average; no rows from CSV.
        weighted_mean: The mean in which each kind of demos has its share of the paper's games; None where it was not
            asked for by `--weigh-kinds`, or the paper tells no kinds.
    """

    id: str
    title: str
    unit: str
    table: pd.DataFrame
    mean: pd.Series[float]
    geometric_mean: pd.Series[float]
    stated: pd.DataFrame
    weighted_mean: pd.Series[float] | None = None

    @property
    def scale(self) -> float:
        """What to multiply values by to print them in `unit`: 100 for percent, else 1."""
        return 100.0 if self.unit == "percent" else 1.0


@dataclass(frozen=True)
class Study:
    """Figures that were measured together, from the same frames.

    Attributes:
        source: The file or folder that it was loaded from, or the command that was run.
        machine: The machine of the study; empty from CSV.
        figures: By their ids, in the paper's order.
        trends: A row for each trend that must hold over the paper's games or all demos: `claim`, `found` (texts) and
            `holds`, which is NA where it was not measured. None for another choice of demos, and from CSV.
        samples: Which frames stand for a demo: a row for each with `demo`, `frames` (drawn), `warm_up` (frames that
            run before each and do not count), `first` (that counts), `frame` and `stands_for` (frames). None for
            studies without samples, and from CSV.
        games: Every number that the figures are made of: a row for each demo (the index `demo`), columns by
            their paths in the JSON (`baseline.raster_cycles`). Cycles are of the GPU, `gpu`, `dram` and `technique`
            pJ, `*_lines` lines, the others counts. Empty from CSV.
    """

    source: Path
    machine: str
    figures: dict[str, Figure]
    trends: pd.DataFrame
    samples: pd.DataFrame
    games: pd.DataFrame = field(repr=False)

    @property
    def stated(self) -> pd.DataFrame:
        """All averages that the paper states beside ours.

        Columns: `figure`, `column`, `unit`, `paper`, `ours` and `difference` (ours less the paper's), in `unit`: `1` are
        shares of 1, which figures print in percent.
        """
        columns = ["figure", "column", "unit", "paper", "ours", "difference"]
        rows = [
            (figure.id, column, _UNITS.get(figure.unit, figure.unit), paper, ours, ours - paper)
            for figure in self.figures.values()
            for column, paper, ours in figure.stated.itertuples(index=False)
        ]
        table = pd.DataFrame(rows, columns=columns).astype(dict.fromkeys(columns[3:], "float64"))
        table.attrs.update(self.games.attrs)
        return table


def load_study(path: str | os.PathLike[str]) -> Study:
    """Loads what `azulejo study` measured.

    Args:
        path: A file of `azulejo study ID --json`; or a folder of `--csv DIR` or one table in it, which have the values of
            the figures alone.

    Raises:
        LoadError: If the file or a table is not what the program writes, or is cut. The error names file, element and
            what was expected.
    """
    source = Path(path)
    if source.is_dir():
        return _from_tables(source, _tables_of(source))
    if source.suffix in (".csv", ".parquet"):
        return _from_tables(source, [source])
    return from_top(load(source, STUDY))


def load_studies(path: str | os.PathLike[str]) -> dict[str, Study]:
    """Loads the studies of a report.

    Args:
        path: The folder of `azulejo study ID -o FOLDER`, or `study.json` in it.

    Returns:
        Each study by its name, such as `re`, in the order of the report.

    Raises:
        LoadError: If the file is not what the program writes, or is cut.
    """
    source = Path(path)
    top = load(source / "study.json" if source.is_dir() else source, STUDIES)
    return {study["id"].text(): from_top(study) for study in top["studies"].items()}


_TEXTS = ("paper", "id", "section", "what", "of", "stated", "unit", "verdict")


def load_numbers(path: str | os.PathLike[str]) -> pd.DataFrame:
    """Loads the numbers that the papers state, each beside ours.

    Args:
        path: A file of `azulejo study numbers --json`; or the folder of `azulejo study ID -o FOLDER`, or `study.json` in it.

    Returns:
        A row for each number: `paper`, `id`, `section`, `what`, `of` (the games), `stated` (in words), `value` (the
        same as a number), `unit`, `ours` and `distance` (NaN where nothing was measured), `verdict`, and `why` there is
        nothing to compare (NA where there is).

    Raises:
        LoadError: If the file is not what the program writes, or is cut.
    """
    source = Path(path)
    top = load(source / "study.json" if source.is_dir() else source, NUMBERS)
    rows: list[dict[str, Any]] = []
    for number in top["numbers"].items():
        row: dict[str, Any] = {name: number[name].text() for name in _TEXTS}
        row["value"] = number["value"].number()
        row |= {name: number[name].optional() for name in ("ours", "distance")}
        why = number.get("why")
        row["why"] = None if why is None else why.text()
        rows.append(row)
    columns = [*_TEXTS[:6], "value", "unit", "ours", "distance", "verdict", "why"]
    return with_attrs(pd.DataFrame(rows, columns=columns), {"source": str(source)})


def from_top(top: Element) -> Study:
    """The study that a file holds."""
    attrs = top.plain() | {"source": str(top.path)}
    figures = [_figure(figure, attrs) for figure in top["figures"].items()]
    if not figures:
        raise top["figures"].refuse("at least one figure")
    return Study(
        source=top.path,
        machine=top["machine"].text(),
        figures={figure.id: figure for figure in figures},
        trends=with_attrs(_trends(top["trends"]), attrs),
        samples=with_attrs(_samples(top["samples"]), attrs),
        games=with_attrs(_games(top["games"]), attrs),
    )


def _figure(figure: Element, attrs: dict[str, Any]) -> Figure:
    columns = [column.text() for column in figure["columns"].items()]

    def values(bars: Element) -> list[float]:
        return [bar.optional() for bar in bars.items(len(columns))]

    def series(name: str) -> pd.Series[float]:
        return pd.Series(values(figure[name]), index=columns, name=name, dtype="float64")

    demos, bars = [], []
    for row in figure["rows"].items():
        demo, of_demo = row.items(2)
        demos.append(demo.text())
        bars.append(values(of_demo))
    own = {name: figure[name].text() for name in ("id", "title", "unit")}
    index = pd.Index(demos, name="demo")
    table = pd.DataFrame(bars, index=index, columns=pd.Index(columns), dtype="float64")
    return Figure(
        table=with_attrs(table, attrs | {"figure": own["id"]} | own),
        mean=series("mean"),
        geometric_mean=series("geometric_mean"),
        stated=with_attrs(_stated(figure["stated"], columns), attrs),
        weighted_mean=None if figure.get("weighted_mean") is None else series("weighted_mean"),
        **own,
    )


def _stated(stated: Element, columns: list[str]) -> pd.DataFrame:
    rows: list[tuple[str, float, float]] = []
    for entry in stated.items():
        column, paper, ours = entry.items(3)
        if column.text() not in columns:
            raise column.refuse(f"one of {', '.join(columns)}")
        rows.append((column.text(), paper.number(), ours.optional()))
    return _stated_table(rows)


def _stated_table(rows: list[tuple[str, float, float]]) -> pd.DataFrame:
    table = pd.DataFrame(rows, columns=["column", "paper", "ours"])
    return table.astype({"paper": "float64", "ours": "float64"})


def _trends(trends: Element) -> pd.DataFrame:
    rows = [
        {
            "claim": trend["claim"].text(),
            "found": trend["found"].text(),
            "holds": None if trend["holds"].value is None else trend["holds"].truth(),
        }
        for trend in trends.items()
    ]
    table = pd.DataFrame(rows, columns=["claim", "found", "holds"])
    is_whole = all(row["holds"] is not None for row in rows)
    return table.astype({"holds": "bool" if is_whole else "boolean"})


_SAMPLE = ("frames", "warm_up", "first")
_REPRESENTATIVE = ("frame", "stands_for")


def _samples(samples: Element) -> pd.DataFrame:
    rows: list[dict[str, str | int]] = []
    for sample in samples.items():
        demo: dict[str, str | int] = {"demo": sample["demo"].text()}
        demo |= {name: sample[name].integer() for name in _SAMPLE}
        rows += [
            demo | {name: one[name].integer() for name in _REPRESENTATIVE}
            for one in sample["representatives"].items()
        ]
    table = pd.DataFrame(rows, columns=["demo", *_SAMPLE, *_REPRESENTATIVE])
    return table.astype(dict.fromkeys((*_SAMPLE, *_REPRESENTATIVE), "int64"))


def _games(games: Element) -> pd.DataFrame:
    demos, rows = [], []
    for game in games.items():
        demo, measured = game.items(2)
        demos.append(demo.text())
        rows.append(dict(measured.numbers()))
    return of_rows(rows).set_axis(pd.Index(demos, name="demo"), axis="index")


def _tables_of(folder: Path) -> list[Path]:
    """The tables of figures in a folder: `PAPER.FIGURE.csv`; Parquet where there are none."""
    found = sorted(folder.glob("*.*.csv")) or sorted(folder.glob("*.*.parquet"))
    if not found:
        has_run = (folder / "frames.csv").exists()
        problem = (
            "holds what `azulejo simulate --csv DIR` writes, which azulejo.load_run reads"
            if has_run
            else "has no table of a figure"
        )
        raise LoadError(
            folder, problem, "files such as re.fig16b.csv of `azulejo study ID --csv DIR`"
        )
    return found


def _from_tables(source: Path, paths: list[Path]) -> Study:
    attrs = {"source": str(source)}
    figures = [_figure_of_table(path, attrs) for path in paths]
    no_rows = Element(source, "", [])
    return Study(
        source=source,
        machine="",
        figures={figure.id: figure for figure in figures},
        trends=with_attrs(_trends(no_rows), attrs),
        samples=with_attrs(_samples(no_rows), attrs),
        games=with_attrs(_games(no_rows), attrs),
    )


def _figure_of_table(path: Path, attrs: dict[str, Any]) -> Figure:
    expected = "a figure's table of `azulejo study ID --csv DIR`"
    read = read_parquet if path.suffix == ".parquet" else read_csv
    rows = read(path, expected, ["demo"]).set_index("demo").astype("float64")
    weighted = None
    if len(rows) and str(rows.index[-1]) == _WEIGHTED:
        weighted = rows.iloc[-1].rename("weighted_mean")
        rows = rows.iloc[:-1]
    last = [str(name) for name in rows.index[-2:]]
    if last != list(_MEANS):
        raise LoadError(path, "does not end with its means: it is cut, or another table", expected)
    table = rows.iloc[:-2]
    return Figure(
        id=path.stem,
        title="",
        unit="",
        table=with_attrs(table, attrs | {"figure": path.stem}),
        mean=rows.iloc[-2].rename("mean"),
        geometric_mean=rows.iloc[-1].rename("geometric_mean"),
        stated=with_attrs(_stated_table([]), attrs),
        weighted_mean=weighted,
    )
