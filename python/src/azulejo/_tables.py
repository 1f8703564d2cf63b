"""Tables as data frames: from rows of counters, from CSV and from Parquet, with the same names and the same types of columns."""

from __future__ import annotations

import csv
import io
import json
import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import pandas as pd

from ._errors import LoadError

TEXT = frozenset({"machine", "demo", "name", "scene", "technique"})
"""Columns of text; all others are numbers."""


def of_rows(rows: Sequence[Mapping[str, Any]]) -> pd.DataFrame:
    """A line for each row; columns in the order in which rows name them first.

    A column of integers is int64, or Int64 with <NA> where a row does not have it, so that no counter
    loses digits; a column with a fraction is float64.
    """
    names: dict[str, None] = {}
    for row in rows:
        names.update(dict.fromkeys(row))
    columns = {name: _column([row.get(name) for row in rows]) for name in names}
    return pd.DataFrame(columns)


def _column(values: list[Any]) -> Any:
    known = [value for value in values if value is not None]
    if all(isinstance(value, str) for value in known):
        return values
    if all(isinstance(value, bool) for value in known):
        return pd.array(values, dtype="bool" if len(known) == len(values) else "boolean")
    if all(isinstance(value, int) for value in known):
        return pd.array(values, dtype="int64" if len(known) == len(values) else "Int64")
    return [float("nan") if value is None else float(value) for value in values]


def of_cells(values: list[Any], *, is_text: bool) -> Any:
    """A column of what stands in cells: int64, Int64 with <NA>, float64, or texts where one is no number.

    Of a column that `is_text` all are texts, whatever they look like.
    """
    if is_text:
        return values
    try:
        numbers = [float("nan") if value is None else float(value) for value in values]
    except ValueError:
        return values
    known = [number for number in numbers if not math.isnan(number)]
    if known and all(number.is_integer() for number in known):
        cells = [None if math.isnan(number) else int(number) for number in numbers]
        return pd.array(cells, dtype="int64" if len(known) == len(cells) else "Int64")
    return numbers


def read_csv(
    path: Path,
    expected: str,
    first: Sequence[str],
    either: Callable[[Sequence[str]], Iterable[str]] = lambda _: (),
) -> pd.DataFrame:
    """A table of the program whose first columns are `first`.

    Args:
        path: The file.
        expected: What it should be, for errors.
        first: Its first columns.
        either: Of all columns, those that may hold texts as well as numbers.

    Raises:
        LoadError: If it cannot be read, begins with other columns, is cut, or holds a text where a number should be.
    """
    try:
        text = path.read_bytes().decode("utf-8")
    except OSError as error:
        raise LoadError(path, f"cannot be read: {error.strerror or error}", expected) from error
    except UnicodeDecodeError as error:
        raise LoadError(path, "is no text in UTF-8", expected) from error
    if not text.strip():
        raise LoadError(path, "is empty", expected)
    header = next(csv.reader(io.StringIO(text)))
    if header[: len(first)] != list(first):
        problem = f"begins with the columns {', '.join(header[:4])}"
        raise LoadError(path, problem, f"{expected}, which begins with {', '.join(first)}")
    if not text.endswith("\n"):
        raise LoadError(path, "is cut: its last line has no end", expected)
    _check_widths(path, text, len(header), expected)
    texts = frozenset(either(header))
    table = pd.read_csv(
        io.StringIO(text),
        dtype={name: "string" for name in header if name in TEXT},
        dtype_backend="numpy_nullable",
        keep_default_na=False,
        na_values=[""],
    )
    return _plain(path, table, text, expected, texts)


def _check_widths(path: Path, text: str, width: int, expected: str) -> None:
    reader = csv.reader(io.StringIO(text))
    for row in reader:
        # A line of one empty cell is how a table of one column says nothing.
        if len(row) != width and not (width == 1 and not row):
            problem = f"line {reader.line_num} has {len(row)} cells, its header {width}"
            raise LoadError(path, problem, expected)


def _plain(
    path: Path, table: pd.DataFrame, text: str, expected: str, either: frozenset[str]
) -> pd.DataFrame:
    """The same with the types that `of_rows` gives; columns of `either` may hold texts."""
    columns: dict[str, Any] = {}
    for name in table.columns:
        column = table[name]
        if name in TEXT:
            columns[name] = column.fillna("").tolist()
        elif column.dtype == "Int64":
            columns[name] = column if column.hasnans else column.astype("int64")
        elif column.dtype == "Float64":
            columns[name] = _fractions(text, name)
        elif column.isna().all():
            columns[name] = [float("nan")] * len(column)
        elif name in either:
            columns[name] = column.fillna("").tolist()
        else:
            raise LoadError(path, f"column {name} holds what is no number", expected)
    return pd.DataFrame(columns, index=table.index)


def _fractions(text: str, name: str) -> list[float]:
    """A column to the last bit, which not every version of pandas reads."""
    column = pd.read_csv(io.StringIO(text), usecols=[name], dtype=str, keep_default_na=False)[name]
    return [float(cell) if cell else float("nan") for cell in column]


def read_parquet(path: Path, expected: str, first: Sequence[str]) -> pd.DataFrame:
    """The same from a Parquet file.

    Raises:
        LoadError: If it cannot be read, or has other columns.
    """
    try:
        table = pd.read_parquet(path, dtype_backend="numpy_nullable")
    except ImportError as error:
        problem = "cannot be read without pyarrow (pip install 'azulejo-tables[parquet]')"
        raise LoadError(path, problem, expected) from error
    # Each engine has errors of its own for what is no Parquet.
    except Exception as error:
        raise LoadError(path, f"is no Parquet file that can be read: {error}", expected) from error
    names = [str(name) for name in table.columns]
    if names[: len(first)] != list(first):
        problem = f"begins with the columns {', '.join(names[:4])}"
        raise LoadError(path, problem, f"{expected}, which begins with {', '.join(first)}")
    return pd.DataFrame({name: _plain_column(table[name]) for name in table.columns})


def _plain_column(column: pd.Series[Any]) -> Any:
    """With the types that `of_rows` gives."""
    match str(column.dtype):
        case "Int64":
            return column if column.hasnans else column.astype("int64")
        case "Float64":
            return column.astype("float64")
        case "boolean":
            return column if column.hasnans else column.astype("bool")
        case "string":
            return column.fillna("").tolist()
        case _:
            return column


def stamp_of(path: Path) -> dict[str, Any]:
    """How a Parquet file of the program came about, as far as it says."""
    from pyarrow import ArrowException, parquet

    try:
        metadata = parquet.read_metadata(path).metadata or {}
    except (ArrowException, OSError):
        return {}
    stamp = json.loads(metadata.get(b"azulejo", b"{}"))
    return stamp if isinstance(stamp, dict) else {}


def require_full(path: Path, table: pd.DataFrame, expected: str) -> None:
    """Refuses a table with an empty cell.

    Raises:
        LoadError: That names the first such cell.
    """
    for name in table.columns:
        missing = table[name].isna()
        if missing.any():
            row = int(missing.to_numpy().argmax())
            raise LoadError(path, f"row {row} has nothing in column {name}", expected)


def with_attrs(table: pd.DataFrame, attrs: Mapping[str, Any]) -> pd.DataFrame:
    """The same table, which says how it came about."""
    table.attrs.update(attrs)
    return table


def total(table: pd.DataFrame, pattern: str) -> pd.Series[Any]:
    """The sum over all columns that match, for each row: what all units or all kinds of traffic did together.

    Args:
        table: Such as `Run.frames`, with a column for each counter of each unit.
        pattern: A column's name in which `*` stands for one part between dots: `cores.*.instructions`,
            `dram.reads.*`, `raster_units.*.quads_shaded`.

    Returns:
        A number for each row, in the unit of the columns; a unit that a machine does not have counts nothing.

    Raises:
        KeyError: If no column matches.
    """
    wanted = pattern.split(".")

    def matches(name: str) -> bool:
        parts = name.split(".")
        pairs = zip(parts, wanted, strict=False)
        return len(parts) == len(wanted) and all(want in ("*", part) for part, want in pairs)

    columns = [name for name in table.columns if matches(str(name))]
    if not columns:
        raise KeyError(f"no column matches {pattern!r}")
    return table[columns].sum(axis=1).rename(pattern)


def names_of(values: Iterable[Any]) -> list[str]:
    """Different values in the order in which they come first, as text."""
    return list(dict.fromkeys(str(value) for value in values))
