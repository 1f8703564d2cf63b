"""What `azulejo sweep` found: a row for each point, from its table (CSV or Parquet) or its JSON."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pandas as pd

from ._errors import LoadError
from ._json import SWEEP, Element, load
from ._tables import of_cells, read_csv, read_parquet, stamp_of, with_attrs

_FIRST = ("point", "scene", "machine", "technique")
_LAST = ("frames", "speedup")
_EXPECTED = "the results.csv or results.parquet of `azulejo sweep FILE.toml`"


def load_sweep(path: str | os.PathLike[str]) -> pd.DataFrame:
    """Loads the results of a sweep.

    Args:
        path: The folder of a sweep, `results.csv` or `results.parquet` in it, or a file of `azulejo sweep FILE.toml --json`
            or `azulejo sweep report FILE.toml --json`; all hold the same.

    Returns:
        A row for each finished point: `point` (its number), `scene`, `machine`, `technique` (texts); a column for each
        range of the sweep by its key, such as `l2.size`, which holds numbers where all its values are numbers, else
        texts (`1MiB`); `frames` (how many it ran); `speedup` (in time, over the first point of its scene; NaN where
        that is missing); then every counter by its name, of all frames together (counts and times are sums, ratios are
        ratios of sums, parameters such as `clock` stand once), with NaN or <NA> where a point does not have it. `attrs`
        hold the program's version, the command line and the fingerprint of all inputs as far as the file has them: CSV
        has none.

    Raises:
        LoadError: If the file is not what the program writes, or is cut.
    """
    source = Path(path)
    if source.is_dir():
        source = _table_of(source)
    if source.suffix == ".csv":
        table = read_csv(source, _EXPECTED, _FIRST, _ranges)
        return with_attrs(_checked(source, table), {"source": str(source)})
    if source.suffix == ".parquet":
        table = read_parquet(source, _EXPECTED, _FIRST)
        return with_attrs(_checked(source, table), stamp_of(source) | {"source": str(source)})
    return points(load(source, SWEEP))


def _ranges(columns: Sequence[str]) -> list[str]:
    """Columns of the ranges: those before `frames`."""
    end = columns.index("frames") if "frames" in columns else len(columns)
    return list(columns[len(_FIRST) : end])


def points(top: Element) -> pd.DataFrame:
    """The points that a file holds."""
    rows = [_point(point) for point in top["points"].items()]
    names: dict[str, None] = dict.fromkeys((*_FIRST, *_LAST) if not rows else ())
    for part in ("first", "changes", "own", "counters"):
        for row in rows:
            names.update(dict.fromkeys(row[part]))
    cells = [{name: cell for part in row.values() for name, cell in part.items()} for row in rows]
    columns = {
        name: of_cells([row.get(name) for row in cells], is_text=name in _FIRST[1:])
        for name in names
    }
    table = _checked(top.path, pd.DataFrame(columns))
    return with_attrs(table, top.plain() | {"source": str(top.path)})


def _point(point: Element) -> dict[str, dict[str, Any]]:
    return {
        "first": {"point": point["point"].integer()}
        | {name: point[name].text() for name in _FIRST[1:]},
        "changes": {key: value.text() for key, value in point["changes"].fields().items()},
        "own": {"frames": point["frames"].integer(), "speedup": point["speedup"].optional()},
        "counters": {name: value.number() for name, value in point["counters"].fields().items()},
    }


def _table_of(folder: Path) -> Path:
    for ending in ("csv", "parquet"):
        if (found := folder / f"results.{ending}").exists():
            return found
    raise LoadError(folder, "has no results.csv and no results.parquet", _EXPECTED)


def _checked(path: Path, table: pd.DataFrame) -> pd.DataFrame:
    missing = [name for name in _LAST if name not in table.columns]
    if missing:
        raise LoadError(path, f"has no column {missing[0]}", _EXPECTED)
    return table.astype({"speedup": "float64"})
