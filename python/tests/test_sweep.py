"""Sweeps: the same points from the table, from JSON and from Parquet; the program's own."""

from __future__ import annotations

import json
from pathlib import Path

import pandas as pd
import pyarrow.csv
import pyarrow.parquet
import pytest

import azulejo

COUNTERS = ("cycles", "derived.dram_bytes", "energy.gpu_pJ")


def test_sweep_has_a_row_for_each_point(data: Path) -> None:
    table = azulejo.load_sweep(data / "sweep")
    of_file = json.loads((data / "sweep.json").read_text())["points"]
    assert list(table["point"]) == [point["point"] for point in of_file]
    assert list(table["technique"]) == [point["technique"] for point in of_file]
    assert list(table["l2.size"]) == [point["changes"]["l2.size"] for point in of_file]
    assert table["l2.ways"].dtype == "int64"
    for name in COUNTERS:
        assert list(table[name]) == [point["counters"][name] for point in of_file], name
    assert (table["frames"] == 2).all()
    assert table.query("point == 0")["speedup"].item() == 1.0


def test_points_of_json_are_those_of_csv(data: Path) -> None:
    of_csv = azulejo.load_sweep(data / "sweep" / "results.csv")
    of_json = azulejo.load_sweep(data / "sweep.json")
    pd.testing.assert_frame_equal(of_json, of_csv, check_like=True, check_exact=True)
    for name in ("generator", "results_version", "command", "inputs"):
        assert name in of_json.attrs, name


def test_points_of_parquet_are_those_of_csv(data: Path, tmp_path: Path) -> None:
    of_json = azulejo.load_sweep(data / "sweep.json")
    stamp = {name: of_json.attrs[name] for name in ("generator", "results_version", "inputs")}
    # As the program writes it: the cells of the CSV, and how it came about under `azulejo`.
    table = pyarrow.csv.read_csv(data / "sweep" / "results.csv")
    table = table.replace_schema_metadata({"azulejo": json.dumps(stamp)})
    pyarrow.parquet.write_table(table, tmp_path / "results.parquet")
    of_parquet = azulejo.load_sweep(tmp_path)
    of_csv = azulejo.load_sweep(data / "sweep")
    pd.testing.assert_frame_equal(of_parquet, of_csv, check_exact=True)
    assert of_parquet.attrs.items() >= stamp.items()


def test_point_without_a_counter_has_nothing_there(data: Path, tmp_path: Path) -> None:
    of_file = json.loads((data / "sweep.json").read_text())
    del of_file["points"][0]["counters"]["cycles"]
    of_file["points"][1]["speedup"] = None
    path = tmp_path / "sweep.json"
    path.write_text(json.dumps(of_file))
    table = azulejo.load_sweep(path)
    assert table["cycles"].isna().tolist() == [True, *[False] * (len(table) - 1)]
    assert table["cycles"].dtype == "Int64"
    assert pd.isna(table["speedup"][1])


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        ("point,scene\n", "begins with the columns point, scene"),
        ("point,scene,machine,technique,frames\n0,a,b,none,1\n", "has no column speedup"),
        ("point,scene,machine,technique,frames,speedup,cycles\n0,a,b,none,1,1,x\n", "no number"),
        ("point,scene,machine,technique,frames,speedup\n0,a,b,none,1,1", "is cut"),
    ],
)
def test_table_that_is_none_is_named(tmp_path: Path, content: str, problem: str) -> None:
    (tmp_path / "results.csv").write_text(content)
    with pytest.raises(azulejo.LoadError, match=problem):
        azulejo.load_sweep(tmp_path)


def test_folder_without_a_table_is_refused(tmp_path: Path) -> None:
    with pytest.raises(azulejo.LoadError, match=r"no results\.csv"):
        azulejo.load_sweep(tmp_path)


def test_sweep_of_the_program(program: str, tmp_path: Path) -> None:
    file = tmp_path / "s.toml"
    file.write_text(
        'scenes = ["match3"]\nmachines = ["valhall-libra"]\n[set]\n"screen.width" = [64]\n'
        '"screen.height" = [32]\n"l2.size" = ["512KiB", "1MiB"]\n'
    )
    table = azulejo.sweep(file, folder=tmp_path / "kept", program=program)
    assert list(table["l2.size"]) == ["512KiB", "1MiB"]
    of_csv = azulejo.load_sweep(tmp_path / "kept")
    pd.testing.assert_frame_equal(table, of_csv, check_like=True, check_exact=True)
