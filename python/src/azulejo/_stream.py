"""The texture accesses that the L2 saw, as `azulejo simulate --l2-stream FILE` records them: 32-bit little-endian words.

The two low bits of a word say what it is: 0 a read and 1 a write of the line whose number the other 30 bits are; 2 the
tile (25 bits) and the Raster Unit (5 bits) for which what follows is; 3 a mark: of a frame, which five words
follow, of no tile, or of the high part of line numbers. Before the first record stand four words: magic, version, bytes of
a line, Raster Units.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from ._errors import LoadError
from ._tables import with_attrs

_EXPECTED = "a stream of `azulejo simulate --l2-stream FILE`"
_MAGIC = 0x5332_4C8E
_VERSION = 1
_HEADER_WORDS = 4
_FRAME_WORDS = 5
_TILE = 2
_FRAME_MARK = 3
_NO_TILE_MARK = 7
_HIGH_MARK = 0b01011
_LOW_BITS = 30

Words = NDArray[np.uint32]


def load_l2_stream(path: str | os.PathLike[str]) -> pd.DataFrame:
    """Loads a recorded stream of texture accesses.

    Returns:
        A row for each access of a line, in order: `frame` (its number), `tile` (its number, <NA> for no tile),
        `raster_unit` (<NA> for no tile), `address` (of the line's first byte) and `write` (false for reads). `attrs` hold
        `line_bytes`, `raster_units`, and `grids`: width, height and edge of a tile in pixels by the frame's number.

    Raises:
        LoadError: If the file is no such stream, or is cut.
    """
    source = Path(path)
    words = _read(source)
    attrs = {
        "line_bytes": int(words[2]),
        "raster_units": int(words[3]),
        "source": str(source),
    }
    starts = _frame_marks(source, words)
    ends = [*starts[1:], len(words)][: len(starts)]
    grids: dict[int, tuple[int, int, int]] = {}
    frames = []
    for start, end in zip(starts, ends, strict=True):
        low, high, width, height, edge = (int(word) for word in words[start + 1 : start + 6])
        number = high << 32 | low
        grids[number] = (width, height, edge)
        records = words[start + 1 + _FRAME_WORDS : end]
        _check(source, records, start + 1 + _FRAME_WORDS, -(-width // edge) * -(-height // edge))
        frames.append(_accesses(records, number, int(words[2])))
    table = pd.concat(frames, ignore_index=True) if frames else _accesses(words[:0], 0, 1)
    return with_attrs(table, attrs | {"grids": grids})


def _read(path: Path) -> Words:
    try:
        data = path.read_bytes()
    except OSError as error:
        raise LoadError(path, f"cannot be read: {error.strerror or error}", _EXPECTED) from error
    if len(data) < 4 or int.from_bytes(data[:4], "little") != _MAGIC:
        raise LoadError(path, f"does not begin with {_MAGIC:#010x}", _EXPECTED)
    if len(data) % 4 or len(data) < 4 * _HEADER_WORDS:
        raise LoadError(
            path, f"is cut: {len(data)} bytes are no whole words or no header", _EXPECTED
        )
    words = np.frombuffer(data, dtype="<u4").astype(np.uint32)
    if words[1] != _VERSION:
        raise LoadError(path, f"is of version {words[1]}", f"{_EXPECTED} of version {_VERSION}")
    return words


def _frame_marks(path: Path, words: Words) -> list[int]:
    """Where frames begin. A word behind a mark may look like one, so that they are taken in order."""
    starts: list[int] = []
    free = _HEADER_WORDS
    for at in np.flatnonzero(words == _FRAME_MARK).tolist():
        if at < free:
            continue
        free = at + 1 + _FRAME_WORDS
        if free > len(words):
            raise LoadError(path, "is cut: it ends within the mark of a frame", _EXPECTED)
        if 0 in words[free - 3 : free]:
            raise LoadError(path, f"word {at} marks a frame without pixels or tiles", _EXPECTED)
        starts.append(at)
    if (starts[0] if starts else len(words)) != _HEADER_WORDS and len(words) > _HEADER_WORDS:
        raise LoadError(path, f"word {_HEADER_WORDS} is no mark of a frame", _EXPECTED)
    return starts


def _check(path: Path, records: Words, first: int, n_tiles: int) -> None:
    """Refuses words that may not stand among the records of a frame."""
    kind = records & 3
    marks = (kind == 3) & (records != _NO_TILE_MARK) & (records & 31 != _HIGH_MARK)
    tiles = (kind == _TILE) & (records >> 7 >= n_tiles)
    for wrong, expected in (
        (marks, "a mark of no tile or of high lines"),
        (tiles, "a tile of the grid"),
    ):
        if wrong.any():
            at = int(wrong.argmax())
            raise LoadError(path, f"word {first + at} is {records[at]:#010x}", expected)


def _accesses(records: Words, frame: int, line_bytes: int) -> pd.DataFrame:
    kind = records & 3
    is_access = kind < 2
    # Marks are few: what they say holds for all words up to the next of their kind.
    places = _in_force(records, (kind == _TILE) | (records == _NO_TILE_MARK), _NO_TILE_MARK)
    highs = _in_force(records, (records & 31) == _HIGH_MARK, 0)
    place, high, access = places[is_access], highs[is_access], records[is_access]
    no_tile = place == _NO_TILE_MARK
    line = (high >> 5).astype(np.uint64) << np.uint64(_LOW_BITS) | (access >> 2).astype(np.uint64)
    return pd.DataFrame(
        {
            "frame": np.full(len(access), frame, dtype=np.uint64),
            "tile": _nullable(place >> 7, no_tile),
            "raster_unit": _nullable(place >> 2 & 31, no_tile),
            "address": line * np.uint64(line_bytes),
            "write": (access & 3) == 1,
        }
    )


def _in_force(records: Words, is_mark: NDArray[np.bool_], before: int) -> Words:
    """For each word the last mark before it; `before` where there is none."""
    marks = np.concatenate(([before], records[is_mark])).astype(np.uint32)
    return marks[np.cumsum(is_mark)]


def _nullable(values: NDArray[np.integer[Any]], missing: NDArray[np.bool_]) -> Any:
    return pd.arrays.IntegerArray(values.astype(np.int64), missing.copy())
