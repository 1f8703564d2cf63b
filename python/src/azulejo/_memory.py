"""What the memory models say of traces: `azulejo cache`, `azulejo reuse` and `azulejo dram`."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pandas as pd

from ._json import CACHE, DRAM, REUSE, Element, load
from ._tables import of_rows, with_attrs

_POLICIES = ("lru", "mru", "opt", "opt_bypass")
_OPEN_END = 2**32 - 1
"""The upper bound of a bin that has none."""


def load_cache(path: str | os.PathLike[str]) -> pd.DataFrame:
    """Loads what `azulejo cache TRACE --json` counted.

    Returns:
        A row for each policy that ran (the index `policy`: `lru`, `mru`, `opt`, `opt_bypass`) with `read_hits`,
        `read_misses`, `write_hits`, `write_misses`, `evictions`, `dirty_writebacks`, `misses` (of both kinds) and
        `dirty_lines_left`, all counts of lines. `attrs` hold `trace`, `size` and `line` (bytes), `sets`, `ways`,
        `accesses`, `writes`, `distinct_lines` and, with `opt_bypass`, `opt_bypass_count`: the misses that it left out.

    Raises:
        LoadError: If the file is not what the program writes, or is cut.
    """
    top = load(Path(path), CACHE)
    found = {name: top.get(name) for name in _POLICIES}
    rows = {name: dict(policy.numbers()) for name, policy in found.items() if policy}
    if not rows:
        raise top.refuse(f"one of {', '.join(_POLICIES)} in it")
    table = of_rows(list(rows.values())).set_axis(pd.Index(list(rows), name="policy"), axis="index")
    return with_attrs(table, _plain(top))


@dataclass(frozen=True)
class Reuse:
    """How a stream of accesses uses its lines again.

    Attributes:
        distances: How many other lines of the set come between two uses: a row for each bin with `kind`
            (`within_frame` or `between_frames`), `from` and `to` (lines, both within; `to` is <NA> for the last,
            open one) and `n` (accesses).
        per_tile_and_set: How often a tile uses a set that it uses at all: `from` and `to` (accesses) and `n` (pairs
            of a tile and a set).
        totals: All other numbers by their paths in the JSON: `accesses`, `distinct_lines`, `new`,
            `within_frame.mean_distance` (lines), `sub_traces.last_first` (lines), ...
    """

    distances: pd.DataFrame
    per_tile_and_set: pd.DataFrame
    totals: pd.Series[float]


def load_reuse(path: str | os.PathLike[str]) -> Reuse:
    """Loads what `azulejo reuse STREAM --json` found.

    Raises:
        LoadError: If the file is not what the program writes, or is cut.
    """
    top = load(Path(path), REUSE)
    kinds = ("within_frame", "between_frames")
    bins = [{"kind": kind} | _bin(one) for kind in kinds for one in top[kind]["distances"].items()]
    per_tile = [_bin(one) for one in top["per_tile_and_set"].items()]
    is_total = [
        (name, float(value))
        for name, value in top.numbers()
        if ".distances." not in name
        and not name.startswith("per_tile_and_set.")
        and name != "results_version"
    ]
    attrs = _plain(top)
    return Reuse(
        distances=with_attrs(_bins(bins, ["kind"]), attrs),
        per_tile_and_set=with_attrs(_bins(per_tile, []), attrs),
        totals=pd.Series(dict(is_total), name="totals", dtype="float64"),
    )


def _bin(one: Element) -> dict[str, Any]:
    to = one["to"].integer()
    return {
        "from": one["from"].integer(),
        "to": None if to == _OPEN_END else to,
        "n": one["n"].integer(),
    }


def _bins(rows: list[dict[str, Any]], first: list[str]) -> pd.DataFrame:
    table = pd.DataFrame(rows, columns=[*first, "from", "to", "n"])
    return table.astype({"from": "int64", "to": "Int64", "n": "int64"})


@dataclass(frozen=True)
class Dram:
    """A trace of requests through a DRAM.

    Attributes:
        channels: A row for each channel (the index `channel`), columns by their paths in the JSON: counts of commands
            (`read_cmds`, `act`, `ref`), `read_latency.mean` and `write_latency.p99` in DRAM cycles,
            `bandwidth_GBps` in GB/s, `energy_pJ.*` in pJ, `power_mW` in mW.
        total: The same of all channels together.
        latencies: How long reads took: `channel`, `from` (DRAM cycles; a bin is 10 wide) and `n` (reads).
    """

    channels: pd.DataFrame
    total: pd.Series[float]
    latencies: pd.DataFrame


def load_dram(path: str | os.PathLike[str]) -> Dram:
    """Loads what `azulejo dram TRACE --json` measured.

    Raises:
        LoadError: If the file is not what the program writes, or is cut.
    """
    top = load(Path(path), DRAM)
    rows: list[dict[str, Any]] = []
    bins: list[tuple[int, int, int]] = []
    for number, channel in enumerate(top["channels"].items()):
        numbers = channel.numbers()
        rows.append({name: value for name, value in numbers if ".hist10." not in name})
        histogram = channel["read_latency"].get("hist10")
        for start, n in histogram.fields().items() if histogram else ():
            if not start.isdecimal():
                raise n.refuse("a bin named by its first cycle")
            bins.append((number, int(start), n.integer()))
    attrs = _plain(top)
    channels = of_rows(rows).rename_axis(index="channel")
    latencies = pd.DataFrame(bins, columns=["channel", "from", "n"]).astype("int64")
    return Dram(
        channels=with_attrs(channels, attrs),
        total=pd.Series(dict(top["total"].numbers()), name="total", dtype="float64"),
        latencies=with_attrs(latencies, attrs),
    )


def _plain(top: Element) -> dict[str, Any]:
    """What the file says of itself: its texts and numbers at the top."""
    return top.plain() | {"source": str(top.path)}
