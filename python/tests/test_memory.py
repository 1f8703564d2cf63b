"""Results of the memory models, of demos, of one frame, and the stream of an L2."""

from __future__ import annotations

import csv
import json
import shutil
import struct
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

import azulejo


def raw(path: Path) -> Any:
    return json.loads(path.read_text())


def test_cache_has_a_row_for_each_policy(data: Path) -> None:
    table = azulejo.load_cache(data / "cache.json")
    of_file = raw(data / "cache.json")
    assert list(table.index) == ["lru", "opt_bypass"]
    assert table.loc["lru"].to_dict() == of_file["lru"]
    hits = table["read_hits"] + table["write_hits"]
    assert (hits + table["misses"] == table.attrs["accesses"]).all()
    assert table.attrs["size"] == 16384
    assert table.attrs["opt_bypass_count"] == of_file["opt_bypass_count"]


def test_reuses_and_new_lines_are_all_accesses(data: Path) -> None:
    reuse = azulejo.load_reuse(data / "reuse.json")
    n = reuse.distances.groupby("kind")["n"].sum()
    totals = reuse.totals
    assert n["within_frame"] == totals["within_frame.accesses"]
    assert totals["new"] + n.sum() == totals["accesses"]
    assert reuse.per_tile_and_set["to"].dtype == "Int64"
    assert reuse.distances.attrs["stream"] == "stream.bin"


def test_bin_without_an_end_has_none(data: Path, tmp_path: Path) -> None:
    of_file = raw(data / "reuse.json")
    of_file["per_tile_and_set"] = [{"from": 16, "to": 2**32 - 1, "n": 3}]
    path = tmp_path / "reuse.json"
    path.write_text(json.dumps(of_file))
    assert azulejo.load_reuse(path).per_tile_and_set["to"].isna().all()


def test_dram_channels_add_up_to_the_total(data: Path) -> None:
    dram = azulejo.load_dram(data / "dram.json")
    for name in ("reads_done", "writes_done", "act", "energy_pJ.total"):
        assert dram.channels[name].sum() == dram.total[name], name
    assert dram.latencies.to_dict("list") == {"channel": [0, 0], "from": [40, 60], "n": [1, 1]}
    assert dram.channels.attrs["config"] == "lpddr4_1ch"


def test_characters_of_json_are_those_of_csv(data: Path) -> None:
    of_json = azulejo.load_characterize(data / "characterize.json")
    of_csv = azulejo.load_characterize(data / "characterize.csv")
    pd.testing.assert_frame_equal(of_json, of_csv, check_exact=True)
    with (data / "characterize.csv").open() as file:
        rows = list(csv.DictReader(file))
    assert list(of_csv.columns) == list(rows[0])
    assert [str(demo) for demo in of_csv["demo"]] == [row["demo"] for row in rows]
    shares = of_csv[["dram_textures", "dram_parameter_buffer", "dram_colors", "dram_geometry"]]
    assert shares.sum(axis=1).tolist() == pytest.approx([1, 1])


def test_inspection_has_a_row_for_each_draw(data: Path) -> None:
    inspection = azulejo.load_inspection(data / "inspect.json")
    of_file = raw(data / "inspect.json")["draws"]
    draws = inspection.draws
    assert list(draws["name"]) == [draw["name"] for draw in of_file["costs"]]
    shaded = [draw["raster"]["fragments_shaded"] for draw in of_file["costs"]]
    assert list(draws["raster.fragments_shaded"]) == shaded
    assert draws["double_sided"].dtype == "bool"
    assert len(inspection.hints) == len(of_file["hints"])
    assert draws.attrs["machine"] == "mali450-re"


def naive_stream(path: Path) -> list[tuple[int, int | None, int | None, int, bool]]:
    """Word by word: frame, tile, Raster Unit, address, whether it writes."""
    words = struct.unpack(f"<{path.stat().st_size // 4}I", path.read_bytes())
    line_bytes, rest = words[2], iter(words[4:])
    frame, high = 0, 0
    place: tuple[int, int] | None = None
    accesses: list[tuple[int, int | None, int | None, int, bool]] = []
    for word in rest:
        if word % 4 < 2:
            tile, unit = place if place else (None, None)
            line = high * 2**30 + word // 4
            accesses.append((frame, tile, unit, line * line_bytes, word % 4 == 1))
        elif word % 4 == 2:
            place = (word // 128, word // 4 % 32)
        elif word == 3:
            frame = next(rest) + 2**32 * next(rest)
            _ = [next(rest) for _ in range(3)]
            place, high = None, 0
        elif word == 7:
            place = None
        else:
            high = word // 32
    return accesses


def rows(table: pd.DataFrame) -> list[tuple[Any, ...]]:
    found = table.astype("object").itertuples(index=False, name=None)
    return [tuple(None if value is pd.NA else value for value in row) for row in found]


def test_stream_is_what_a_reader_of_single_words_finds(data: Path) -> None:
    table = azulejo.load_l2_stream(data / "stream.bin")
    assert rows(table) == naive_stream(data / "stream.bin")
    assert list(table.columns) == ["frame", "tile", "raster_unit", "address", "write"]
    assert table.attrs["grids"] == {0: (64, 32, 32), 1: (64, 32, 32)}


def test_stream_has_as_many_accesses_as_the_program_counts(data: Path) -> None:
    table = azulejo.load_l2_stream(data / "stream.bin")
    assert len(table) == raw(data / "cache.json")["accesses"]
    assert table["address"].nunique() == raw(data / "cache.json")["distinct_lines"]


def stream(path: Path, *records: int) -> Path:
    path.write_bytes(struct.pack(f"<{4 + len(records)}I", 0x53324C8E, 1, 64, 2, *records))
    return path


FRAME = (3, 5, 0, 64, 32, 32)
"""Frame 5 of two tiles."""


def test_stream_with_every_kind_of_word(tmp_path: Path) -> None:
    path = stream(
        tmp_path / "some.bin",
        *FRAME,
        4 << 2,  # a read for no tile
        1 << 7 | 1 << 2 | 2,  # tile 1 on unit 1
        9 << 2 | 1,  # a write
        1 << 5 | 11,  # high part 1
        2 << 2,
        7,  # no tile
        3 << 2,
        # A frame whose number looks like marks; high part and tile begin anew.
        *(3, 3, 3, 64, 32, 32),
        6 << 2,
    )
    expected = [
        (5, None, None, 4 * 64, False),
        (5, 1, 1, 9 * 64, True),
        (5, 1, 1, (2**30 + 2) * 64, False),
        (5, None, None, (2**30 + 3) * 64, False),
        (3 + 3 * 2**32, None, None, 6 * 64, False),
    ]
    assert naive_stream(path) == expected
    assert rows(azulejo.load_l2_stream(path)) == expected


def test_stream_without_frames_is_empty(tmp_path: Path) -> None:
    table = azulejo.load_l2_stream(stream(tmp_path / "some.bin"))
    assert len(table) == 0
    assert table["tile"].dtype == "Int64"


@pytest.mark.parametrize(
    ("records", "problem"),
    [
        ((4,), "word 4 is no mark of a frame"),
        (FRAME[:4], "is cut: it ends within the mark of a frame"),
        ((3, 5, 0, 64, 0, 32), "word 4 marks a frame without pixels or tiles"),
        ((*FRAME, 2 << 7 | 2), "word 10 is 0x00000102; expected a tile of the grid"),
        ((*FRAME, 0, 15), "word 11 is 0x0000000f; expected a mark"),
    ],
)
def test_stream_that_is_wrong_is_named(
    tmp_path: Path, records: tuple[int, ...], problem: str
) -> None:
    path = stream(tmp_path / "some.bin", *records)
    with pytest.raises(azulejo.LoadError) as error:
        azulejo.load_l2_stream(path)
    assert str(error.value).startswith(f"{path}: {problem}")


def test_stream_that_is_none_is_named(tmp_path: Path, data: Path) -> None:
    path = tmp_path / "some.bin"
    for content, problem in (
        (b"", "does not begin with 0x53324c8e"),
        ((data / "run.json").read_bytes(), "does not begin with"),
        ((data / "stream.bin").read_bytes()[:15], "is cut: 15 bytes"),
        (struct.pack("<4I", 0x53324C8E, 2, 64, 1), "is of version 2"),
    ):
        path.write_bytes(content)
        with pytest.raises(azulejo.LoadError, match=problem):
            azulejo.load_l2_stream(path)


def test_files_that_are_cut_are_named(data: Path, tmp_path: Path) -> None:
    for name, loader in (
        ("cache.json", azulejo.load_cache),
        ("reuse.json", azulejo.load_reuse),
        ("dram.json", azulejo.load_dram),
        ("characterize.json", azulejo.load_characterize),
        ("inspect.json", azulejo.load_inspection),
    ):
        path = Path(shutil.copy(data / name, tmp_path))
        path.write_text(path.read_text()[:-20])
        with pytest.raises(azulejo.LoadError, match=f"{name}: is cut"):
            loader(path)
