"""What `azulejo simulate` says: a line a frame with all counters, and lines of passes, tiles, draws, intervals."""

from __future__ import annotations

import json
import os
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import pandas as pd

from ._errors import AzulejoError, LoadError
from ._json import RUN, Element, load
from ._tables import names_of, of_rows, read_csv, read_parquet, require_full, with_attrs


@dataclass(frozen=True)
class _Table:
    """One of the tables of `azulejo simulate --csv`."""

    name: str
    first: tuple[str, ...]
    """Its first columns."""

    @property
    def expected(self) -> str:
        return f"the table {self.name}.csv of `azulejo simulate --csv DIR`"


_FRAMES = _Table("frames", ("machine", "clock"))
_PASSES = _Table("passes", ("machine", "frame", "pass", "name", "width", "height", "tile_size"))
_TILES = _Table("tiles", ("machine", "frame", "tile", "column", "row", "raster_unit"))
_DRAWS = _Table("draws", ("machine", "frame", "draw", "name"))
_INTERVALS = _Table("intervals", ("machine", "frame", "start", "core_busy_cycles"))
_TABLES = (_FRAMES, _PASSES, _TILES, _DRAWS, _INTERVALS)

_FLAGS = ("skipped", "flush_skipped")
"""Columns of tiles that are 0 or 1 in CSV."""

_NEEDED = ("frame", "clock", "cycles", "grid.width", "grid.height", "grid.tile_size")
"""Columns that every frame has, whatever the machine."""


class Run:
    """Frames on one or several machines, as one command of `azulejo simulate` modelled them.

    Every data frame has the column names of the program's CSV, and in `attrs` how it came about: `generator`
    (program and version), `command` (where the run was loaded from a folder of tables), `git` (where the build
    knew its commit), `scene`, `scene_hash` (CRC-32 of the decoded scene, hexadecimal) and `source` (the file
    or folder).

    Attributes:
        source: The file or folder that it was loaded from.
        stamp: What `attrs` of each table hold.
    """

    def __init__(
        self, source: Path, stamp: dict[str, Any], tables: dict[str, pd.DataFrame]
    ) -> None:
        self.source = source
        self.stamp = stamp
        self._tables = {name: with_attrs(table, stamp) for name, table in tables.items()}

    def __repr__(self) -> str:
        frames = len(self.frames)
        machines = ", ".join(names_of(self.frames["machine"]))
        return f"<Run of {self.stamp.get('scene')} on {machines}: {frames} rows of frames>"

    @property
    def frames(self) -> pd.DataFrame:
        """Every counter of every frame: a row for each machine and frame, a column for each counter.

        `machine` is a text, `frame` the frame's number. Names are paths in the JSON: `cycles`,
        `cores.3.instructions`, `dram.reads.texture`, `techniques.re.stall_cycles`. `azulejo.total` adds up
        those of all units. A counter that a machine does not have is <NA>.

        Units: `clock` is in Hz; names that end in `cycles`, `busy`, `idle` or `stalled` are cycles of that
        clock, but for `dram.cycles`, which like `dram.read_latency_sum` and `dram.read_latency_p95` counts
        cycles of the DRAM, `dram.period` ps each; `dram.read_wait_sum` is in cycles of the GPU.
        `dram.reads.*`, `dram.writes.*` and the L2's are lines of `dram.line_bytes` bytes. Names with `bytes`
        are bytes, with `_pJ` and in `dram.energy.*` pJ, with `_ps` ps; `grid.*` pixels; all others are counts.
        Ratios are in `derived` alone: `frames_per_second` at `clock`; `bytes_per_pixel` over the DRAM's pins;
        `raster_share`, `texture_hit_ratio` and `texture_quad_hit_ratio` from 0 to 1.
        """
        return self._tables["frames"]

    @property
    def passes(self) -> pd.DataFrame:
        """What each pass cost: a row for each machine, frame and pass; a frame of one pass has one, without a name.

        `pass` counts from 0 within the frame, `width`, `height` and `tile_size` are pixels. `start` is in cycles
        from the start of the frame, `cycles` and `geometry_cycles` are the pass's. `loaded_bytes` and
        `stored_bytes` are what its tiles began with and left in memory; other columns are those of `intervals`,
        over the time of the pass.

        Raises:
            AzulejoError: If the run was loaded from JSON, which has frames alone.
        """
        return self._beside("passes")

    @property
    def tiles(self) -> pd.DataFrame:
        """What each tile cost: a row for each machine, frame and tile.

        `tile` counts from 0 by rows, `column` and `row` say where it is, `raster_unit` who drew it. `start` and
        `end` are cycles from the start of the frame, `fragment_cycles` cycles between its first quad's entry
        into the fragment stage and its last quad's leaving it. `skipped` and `flush_skipped` are true where a
        technique left work out. `warps`, `instructions`, `*_threads`, `texture_accesses` and `texture_misses` are
        counts, `warp_cycles` the sum of all warps' cycles, `dram_*` lines. `programs_pJ` is the energy of the
        tile's programs (control, arithmetic, texture filters), `pins_pJ` that of its lines at the memory's pins;
        both are empty where the machine does not know its energy.

        Raises:
            AzulejoError: If the run was loaded from JSON, which has frames alone.
        """
        return self._beside("tiles")

    @property
    def draws(self) -> pd.DataFrame:
        """What each draw cost: a row for each machine, frame and draw.

        `draw` counts from 0 within the frame, `name` is that of mesh and material; costs are those of `tiles`.

        Raises:
            AzulejoError: If the run was loaded from JSON, which has frames alone.
        """
        return self._beside("draws")

    @property
    def intervals(self) -> pd.DataFrame:
        """What happened when: a row for each machine, frame and interval.

        `start` is in cycles from the start of the frame; intervals are 5000 cycles, the last of a frame is
        shorter. `core_busy_cycles` and `arithmetic_instructions` (of warps, all but those of textures) add up
        all cores; `l2_accesses` and `l2_misses` are lines, as are `dram_*`, which went over the pins, and
        `dram_queue`, which wait at the interval's end.

        Raises:
            AzulejoError: If the run was loaded from JSON, which has frames alone.
        """
        return self._beside("intervals")

    @cached_property
    def machines(self) -> pd.DataFrame:
        """A row for each machine, by its name, with what its frames took together.

        `baseline` and `technique` take the name of a machine with a technique apart (`mali450-re+re`:
        `mali450-re`, `re`); a machine without one is its own baseline. `frames` counts; `clock` is in Hz,
        `grid.*` in pixels; `cycles`, `geometry_cycles`, `raster_cycles`, `derived.time_ps`,
        `derived.dram_bytes`, `derived.instructions`, `energy.gpu_pJ` and `energy.dram_pJ` are sums over frames,
        energies only where the machine says what its events cost; `frames_per_second` is of all frames.
        """
        groups = self.frames.groupby("machine", sort=False)
        constant = groups[["clock", "grid.width", "grid.height", "grid.tile_size"]].first()
        names = [str(name) for name in constant.index]
        parts = [_baseline(name, names) for name in names]
        table = constant.assign(
            baseline=[baseline for baseline, _ in parts],
            technique=[technique for _, technique in parts],
            frames=groups.size(),
        )
        sums = [name for name in _SUMMED if name in self.frames.columns]
        table = table.join(groups[sums].sum(min_count=1))
        table["frames_per_second"] = table["clock"] * table["frames"] / table["cycles"]
        first = ["baseline", "technique", "frames"]
        rest = [name for name in table.columns if name not in first]
        return with_attrs(table[first + rest], self.stamp)

    def to_parquet(self, folder: str | os.PathLike[str]) -> None:
        """Writes all tables as Parquet files and `stamp.json` to a folder, which `load_run` reads again.

        A tenth of the size of the CSV, and quicker to read: for long runs. Needs pyarrow.
        """
        to = Path(folder)
        to.mkdir(parents=True, exist_ok=True)
        for name, table in self._tables.items():
            table.to_parquet(to / f"{name}.parquet", index=False)
        stamp = {name: value for name, value in self.stamp.items() if name != "source"}
        (to / "stamp.json").write_text(json.dumps(stamp, indent=2) + "\n", encoding="utf-8")

    def _beside(self, name: str) -> pd.DataFrame:
        if name not in self._tables:
            raise AzulejoError(
                f"{self.source}: JSON has no {name}; expected a folder that `azulejo simulate --csv DIR` wrote"
            )
        return self._tables[name]


_SUMMED = (
    "cycles",
    "geometry_cycles",
    "raster_cycles",
    "derived.time_ps",
    "derived.dram_bytes",
    "derived.instructions",
    "energy.gpu_pJ",
    "energy.dram_pJ",
)


def _baseline(name: str, names: list[str]) -> tuple[str, str]:
    """A machine runs with each technique beside itself without any: the other name that this one continues."""
    without = [other for other in names if name.startswith(f"{other}+")]
    if not without:
        return name, ""
    baseline = min(without, key=len)
    return baseline, name[len(baseline) + 1 :]


def load_run(path: str | os.PathLike[str]) -> Run:
    """Loads what `azulejo simulate` said of frames.

    Args:
        path: A file of `azulejo simulate --json`, which has frames alone, or a folder of `--csv DIR`, which also
            has passes, tiles, draws and intervals. In the folder each table may be a Parquet file instead.

    Raises:
        LoadError: If the file or a table is not what the program writes, or is cut. The error names file, element
            and what was expected.
    """
    source = Path(path)
    return _from_folder(source) if source.is_dir() else _from_json(source)


def _from_json(source: Path) -> Run:
    top = load(source, RUN)
    rows = []
    for machine in top["machines"].items():
        name = machine["machine"].text()
        for frame in machine["frames"].items():
            frame.fields()
            rows.append({"machine": name} | dict(frame.numbers()))
    if not rows:
        raise top["machines"].refuse("at least one machine with a frame")
    frames = of_rows(rows)
    _check_frames(source, frames, f"a frame's record of `{RUN.what}`")
    return Run(source, _stamp(top), {"frames": frames})


def _stamp(top: Element) -> dict[str, Any]:
    """Everything at the top of a file but its results."""
    stamp = {
        name: field.value
        for name, field in top.fields().items()
        if name != "machines" and isinstance(field.value, str | list)
    }
    return stamp | {"source": str(top.path)}


def _from_folder(source: Path) -> Run:
    tables = {table.name: _read(source, table) for table in _TABLES}
    frames, tiles = tables["frames"], tables["tiles"]
    path = _path(source, _FRAMES)
    if frames.empty:
        raise LoadError(path, "has no frames", f"a row a frame in {_FRAMES.expected}")
    _check_frames(path, frames, _FRAMES.expected)
    for table in (_TILES, _DRAWS, _INTERVALS):
        require_full(_path(source, table), tables[table.name], table.expected)
    for name in _FLAGS:
        tiles[name] = tiles[name].astype("bool")
    _check_tiles(_path(source, _TILES), frames, tiles)
    return Run(source, _folder_stamp(source), tables)


def _path(source: Path, table: _Table) -> Path:
    parquet = source / f"{table.name}.parquet"
    text = source / f"{table.name}.csv"
    return parquet if parquet.exists() and not text.exists() else text


def _read(source: Path, table: _Table) -> pd.DataFrame:
    path = _path(source, table)
    if not path.exists() and table is _FRAMES and any(source.glob("*.*.csv")):
        problem = "has no frames.csv; tables of figures are what azulejo.load_study reads"
        raise LoadError(source, problem, table.expected)
    read = read_parquet if path.suffix == ".parquet" else read_csv
    return read(path, table.expected, table.first)


def _folder_stamp(source: Path) -> dict[str, Any]:
    path = source / "stamp.json"
    expected = "the stamp.json of `azulejo simulate --csv DIR`"
    try:
        stamp = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise LoadError(path, f"cannot be read: {error.strerror or error}", expected) from error
    except ValueError as error:
        raise LoadError(path, f"is no whole JSON: {error}", expected) from error
    if not isinstance(stamp, dict) or not {"generator", "scene"} <= stamp.keys():
        raise LoadError(path, "has no `generator` and `scene`", expected)
    return stamp | {"source": str(source)}


def _check_frames(path: Path, frames: pd.DataFrame, expected: str) -> None:
    missing = [name for name in _NEEDED if name not in frames.columns]
    if missing:
        raise LoadError(path, f"frames have no `{missing[0]}`", expected)
    require_full(path, frames[list(_NEEDED)], expected)


def _check_tiles(path: Path, frames: pd.DataFrame, tiles: pd.DataFrame) -> None:
    """Every frame has all tiles of its grid: a table that was cut between two lines has not."""
    size = frames["grid.tile_size"]
    n_tiles = -(-frames["grid.width"] // size) * -(-frames["grid.height"] // size)
    # A machine that was given twice has the same name twice.
    expected = n_tiles.groupby([frames["machine"], frames["frame"]], sort=False).sum()
    found = tiles.groupby(["machine", "frame"]).size().reindex(expected.index, fill_value=0)
    for key in expected.index[(found != expected).to_numpy()]:
        machine, frame = key
        problem = f"has {found[key]} tiles of frame {frame} on {machine}"
        raise LoadError(path, problem, f"{expected[key]}, as its table of frames says")
