"""What kind of load demos are (`azulejo characterize`), and what each draw of a frame costs (`azulejo inspect`)."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pandas as pd

from ._json import CHARACTERIZE, INSPECTION, Element, load
from ._tables import of_rows, read_csv, with_attrs

_COUNTS = ("frames", "modelled_frames", "stands_for")
_MEASURES = (
    "texture_bytes",
    "equal_colors",
    "equal_inputs",
    "overdraw",
    "draws",
    "primitives",
    "raster_share",
    "memory_time",
    "l1_mpki",
    "fps",
)
_DRAM = ("textures", "parameter_buffer", "colors", "geometry")
_COLUMNS = ("demo", *_COUNTS, *_MEASURES, *(f"dram_{kind}" for kind in _DRAM))
_MORE = (
    "programs",
    "fragment_instructions",
    "fragment_samples",
    "geometry_cycles",
    "raster_cycles",
    "cycles",
    "l1_miss_mpki",
    "l1_copies",
    "l2_texture_mpki",
    "dram_reads",
    "tiles_alike",
    "intensity_variation",
    "eight_core_speed",
    "memory_core_speed",
    "memory_core_tiles",
)
"""Columns that older files have not."""


def load_characterize(path: str | os.PathLike[str]) -> pd.DataFrame:
    """Loads what `azulejo characterize` measured of demos.

    Args:
        path: A file of `--json` or of `--csv FILE.csv`; both hold the same.

    Returns:
        A row for each demo: `demo`; `frames`, `modelled_frames` and `stands_for` (frames);
        `texture_bytes` (distinct bytes that a frame touches), `draws` and `primitives` of a frame, mean;
        `overdraw` (fragments shaded for each pixel); `l1_mpki` (accesses that do not hit for 1000 warp instructions); `fps`
        (frames a second); and shares of 1: `equal_colors` and `equal_inputs` of tiles, `raster_share` and `memory_time` of
        cycles, `dram_*` of DRAM lines. Behind them, if the file has them: `programs` of a frame, `fragment_instructions` and
        `fragment_samples` of a fragment; `geometry_cycles`, `raster_cycles` and `cycles` of a frame; for 1000 warp
        instructions `l1_miss_mpki`, `l2_texture_mpki` and `dram_reads`; shares `l1_copies` of lines, `tiles_alike`,
        `intensity_variation` and `memory_core_tiles` of tiles; speeds `eight_core_speed` and `memory_core_speed`. NaN is what
        no frame could tell.

    Raises:
        LoadError: If the file is not what the program writes, or is cut.
    """
    source = Path(path)
    if source.suffix == ".csv":
        expected = "the table of `azulejo characterize DEMO --csv FILE.csv`"
        table = read_csv(source, expected, _COLUMNS)
        more = [name for name in _MORE if name in table]
        table = table.astype(dict.fromkeys([*_COLUMNS[4:], *more], "float64"))
        return with_attrs(table, {"source": str(source)})
    return characters(load(source, CHARACTERIZE))


def characters(top: Element) -> pd.DataFrame:
    """The demos that a file holds."""
    rows = [_character(row) for row in top["demos"].items()]
    more = [name for name in _MORE if any(name in row for row in rows)]
    table = pd.DataFrame(rows, columns=[*_COLUMNS, *more]).astype(dict.fromkeys(more, "float64"))
    return with_attrs(table, top.plain() | {"source": str(top.path)})


def _character(row: Element) -> dict[str, Any]:
    counts = {name: row[name].integer() for name in _COUNTS}
    measures = {name: row[name].optional() for name in _MEASURES}
    dram = {f"dram_{kind}": row["dram"][kind].optional() for kind in _DRAM}
    more = {name: row[name].optional() for name in _MORE if name in row.fields()}
    return {"demo": row["demo"].text()} | counts | measures | dram | more


@dataclass(frozen=True)
class Inspection:
    """One frame, draw by draw.

    Attributes:
        draws: A row for each draw: `draw` (its number), `name` (of mesh and material), `fate` (`opaque`, `blended`,
            ...), `double_sided`, then counters by their paths in the JSON: `geometry.primitives_in`,
            `raster.fragments_shaded`; with `--machine` also `modelled.*`, in which `warp_cycles` are cycles of the GPU and
            `dram_bytes.*` bytes.
        hints: A row for each published threshold that a draw passes: `draw`, `name`, `kind`, `value`, `limit`,
            `from_below` (true where less is worse), `share`, `unit` (what value and limit are, in words) and `source`.
    """

    draws: pd.DataFrame
    hints: pd.DataFrame


_HINT = ("draw", "name", "kind", "value", "limit", "from_below", "share", "unit", "source")


def load_inspection(path: str | os.PathLike[str]) -> Inspection:
    """Loads what `azulejo inspect --json` says of all draws of a frame.

    Raises:
        LoadError: If the file is not what the program writes, or is cut.
    """
    top = load(Path(path), INSPECTION)
    fields = top.fields().items()
    attrs = {name: field.value for name, field in fields if isinstance(field.value, str | float)}
    attrs |= {"source": str(top.path)}
    rows = []
    for draw in top["draws"]["costs"].items():
        texts = {"name": draw["name"].text(), "fate": draw["fate"].text()}
        first = {"draw": draw["draw"].integer()} | texts
        first["double_sided"] = draw["double_sided"].truth()
        rows.append(first | dict(draw.numbers()))
    hints = [{name: hint[name].value for name in _HINT} for hint in top["draws"]["hints"].items()]
    return Inspection(
        draws=with_attrs(of_rows(rows), attrs),
        hints=with_attrs(pd.DataFrame(hints, columns=list(_HINT)), attrs),
    )
