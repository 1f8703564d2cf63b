"""Runs: JSON and CSV say the same, names and types are those of the tables, damage is named."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

import azulejo

MACHINES = ["mali450-re", "mali450-re+re"]


def cells(path: Path) -> list[dict[str, str]]:
    """A table as text, read by the standard library."""
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def test_frames_of_json_are_those_of_csv(data: Path) -> None:
    of_json = azulejo.load_run(data / "run.json").frames
    of_csv = azulejo.load_run(data / "run").frames
    first = of_csv[of_csv["frame"] == 0].reset_index(drop=True)
    pd.testing.assert_frame_equal(of_json, first, check_exact=True)


@pytest.mark.parametrize("table", ["frames", "passes", "tiles", "draws", "intervals"])
def test_tables_have_every_cell_of_the_csv(data: Path, table: str) -> None:
    rows = cells(data / "run" / f"{table}.csv")
    frame: pd.DataFrame = getattr(azulejo.load_run(data / "run"), table)
    assert list(frame.columns) == list(rows[0])
    assert len(frame) == len(rows)
    for name in frame.columns:
        for text, value in zip([row[name] for row in rows], frame[name], strict=True):
            if text == "" and name != "name":
                assert value is pd.NA, name
            elif isinstance(value, str):
                assert value == text, name
            else:
                # Integers of any size exactly, fractions to the last bit.
                assert value == (float(text) if "." in text else int(text)), name


def test_frames_are_whole_numbers_but_what_is_derived(data: Path) -> None:
    frames = azulejo.load_run(data / "run").frames
    numbers = frames.drop(columns="machine")
    fractions = [name for name in numbers if numbers[name].dtype.kind == "f"]
    assert fractions == [
        "derived.bytes_per_pixel",
        "derived.frames_per_second",
        "derived.raster_share",
        "derived.texture_hit_ratio",
        "derived.texture_quad_hit_ratio",
    ]


def test_counter_that_a_machine_lacks_is_missing_and_no_fraction(data: Path) -> None:
    frames = azulejo.load_run(data / "run").frames
    stalls = frames.set_index("machine")["techniques.re.stall_cycles"]
    assert stalls.dtype == "Int64"
    assert stalls["mali450-re"].isna().all()
    assert (stalls["mali450-re+re"] > 0).all()


def test_tiles_know_what_was_skipped(data: Path) -> None:
    tiles = azulejo.load_run(data / "run").tiles
    assert tiles["skipped"].dtype == "bool"
    # Two frames of 64x32 pixels in tiles of 16, on two machines.
    assert len(tiles) == 2 * 2 * 8


@pytest.mark.parametrize("source", ["run", "run.json"])
def test_attrs_say_how_tables_came_about(data: Path, source: str) -> None:
    run = azulejo.load_run(data / source)
    stamp = run.frames.attrs
    assert stamp["generator"].startswith("azulejo ")
    assert stamp["scene"] == "match3"
    assert len(bytes.fromhex(stamp["scene_hash"])) == 4
    assert stamp["source"] == str(data / source)
    assert run.machines.attrs == stamp == run.stamp


def test_attrs_of_tables_hold_the_command(data: Path) -> None:
    attrs = azulejo.load_run(data / "run").tiles.attrs
    assert attrs["command"].startswith("azulejo --quiet simulate match3 --machine mali450-re")


def test_machines_are_sums_over_frames(data: Path) -> None:
    run = azulejo.load_run(data / "run")
    machines = run.machines
    assert list(machines.index) == MACHINES
    assert list(machines["baseline"]) == ["mali450-re", "mali450-re"]
    assert list(machines["technique"]) == ["", "re"]
    assert list(machines["frames"]) == [2, 2]
    rows = cells(run.source / "frames.csv")
    for name in MACHINES:
        own = [row for row in rows if row["machine"] == name]
        cycles = sum(int(row["cycles"]) for row in own)
        assert machines.loc[name, "cycles"] == cycles
        energy = sum(int(row["energy.gpu_pJ"]) for row in own)
        assert machines.loc[name, "energy.gpu_pJ"] == energy
        seconds = sum(int(row["derived.time_ps"]) for row in own) / 1e12
        assert machines.loc[name, "frames_per_second"] == pytest.approx(2 / seconds)


def test_baseline_is_a_machine_of_the_run(tmp_path: Path, data: Path) -> None:
    """A plus sign in a machine's own name is no technique."""
    record = json.loads((data / "run.json").read_text())
    for machine, name in zip(record["machines"], ["a+b.toml", "a+b.toml+re"], strict=True):
        machine["machine"] = name
    renamed = tmp_path / "run.json"
    renamed.write_text(json.dumps(record))
    machines = azulejo.load_run(renamed).machines
    assert list(machines["baseline"]) == ["a+b.toml", "a+b.toml"]
    assert list(machines["technique"]) == ["", "re"]


def test_total_adds_units_up(data: Path) -> None:
    run = azulejo.load_run(data / "run")
    instructions = azulejo.total(run.frames, "cores.*.instructions")
    expected = [
        sum(int(row[name]) for name in row if name.split(".")[::2] == ["cores", "instructions"])
        for row in cells(run.source / "frames.csv")
    ]
    assert list(instructions) == expected
    assert list(instructions) == list(run.frames["derived.instructions"])


def test_total_adds_what_only_some_machines_have(data: Path) -> None:
    frames = azulejo.load_run(data / "run").frames
    stalls = azulejo.total(frames, "techniques.*.stall_cycles")
    assert list(stalls[frames["machine"] == "mali450-re"]) == [0, 0]


def test_total_of_nothing_is_refused(data: Path) -> None:
    with pytest.raises(KeyError, match=r"no column matches 'core\.\*\.instructions'"):
        azulejo.total(azulejo.load_run(data / "run").frames, "core.*.instructions")


def test_dram_lines_of_tiles_are_those_of_the_frame(data: Path) -> None:
    """Two tables that the program writes apart: texels are read for tiles alone."""
    run = azulejo.load_run(data / "run")
    by_tile = run.tiles.groupby(["machine", "frame"])["dram_texture"].sum()
    by_frame = run.frames.set_index(["machine", "frame"])["dram.reads.texture"]
    assert by_tile.to_dict() == by_frame.to_dict()


def test_json_has_no_tiles(data: Path) -> None:
    run = azulejo.load_run(data / "run.json")
    with pytest.raises(
        azulejo.AzulejoError, match=r"run\.json: JSON has no tiles; expected .* --csv DIR"
    ):
        _ = run.tiles


def test_parquet_is_what_csv_was(data: Path, tmp_path: Path) -> None:
    run = azulejo.load_run(data / "run")
    run.to_parquet(tmp_path)
    again = azulejo.load_run(tmp_path)
    for table in ("frames", "passes", "tiles", "draws", "intervals"):
        pd.testing.assert_frame_equal(getattr(again, table), getattr(run, table), check_exact=True)
    assert again.stamp == run.stamp | {"source": str(tmp_path)}


def test_parquet_that_is_none_is_named(data: Path, tmp_path: Path) -> None:
    azulejo.load_run(data / "run").to_parquet(tmp_path)
    (tmp_path / "tiles.parquet").write_bytes(b"PAR1 and no more")
    with pytest.raises(
        azulejo.LoadError, match=r"tiles\.parquet: is no Parquet file that can be read"
    ):
        azulejo.load_run(tmp_path)


def test_draws_of_strange_names_stay_texts(run_folder: Path) -> None:
    path = run_folder / "draws.csv"
    rows = cells(path)
    names = ["NA", "", "12", 'a "b", c']
    for row, name in zip(rows, names, strict=False):
        row["name"] = name
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, list(rows[0]), lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
    assert list(azulejo.load_run(run_folder).draws["name"][:4]) == names


def test_column_that_is_new_is_taken(run_folder: Path) -> None:
    path = run_folder / "intervals.csv"
    lines = path.read_text().splitlines()
    longer = [f"{line},{'new_cycles' if nth == 0 else nth}" for nth, line in enumerate(lines)]
    path.write_text("\n".join(longer) + "\n")
    new = azulejo.load_run(run_folder).intervals["new_cycles"]
    assert list(new) == list(range(1, len(lines)))


def refused(path: Path) -> str:
    with pytest.raises(azulejo.LoadError) as error:
        azulejo.load_run(path)
    return str(error.value)


def test_json_that_is_cut_is_named_wherever_it_ends(data: Path, tmp_path: Path) -> None:
    text = (data / "run.json").read_text()
    path = tmp_path / "cut.json"
    for length in [1, 2, 10, 11, 30, *range(40, len(text) - 2, 331), len(text) - 3]:
        path.write_text(text[:length])
        message = refused(path)
        assert message.startswith(f"{path}: is cut: it ends within line "), (length, message)
        assert message.endswith("; expected the JSON of `azulejo simulate --json`")


def test_table_that_is_cut_is_named_wherever_it_ends(run_folder: Path) -> None:
    path = run_folder / "tiles.csv"
    text = path.read_text()
    for length in range(0, len(text) - 1, 97):
        path.write_text(text[:length])
        assert refused(run_folder).startswith(f"{path}: "), length


def test_table_without_its_last_lines_is_named(run_folder: Path) -> None:
    path = run_folder / "tiles.csv"
    lines = path.read_text().splitlines(keepends=True)
    path.write_text("".join(lines[:-3]))
    assert refused(run_folder) == (
        f"{path}: has 5 tiles of frame 1 on mali450-re+re; expected 8, as its table of frames says"
    )


def test_table_with_a_short_line_is_named(run_folder: Path) -> None:
    path = run_folder / "frames.csv"
    lines = path.read_text().splitlines()
    lines[2] = lines[2].rsplit(",", 1)[0]
    path.write_text("\n".join(lines) + "\n")
    assert f"{path}: line 3 has " in refused(run_folder)


def test_cell_that_is_no_number_is_named(run_folder: Path) -> None:
    path = run_folder / "intervals.csv"
    lines = path.read_text().splitlines()
    cells_of_line = lines[1].split(",")
    cells_of_line[lines[0].split(",").index("l2_accesses")] = "many"
    lines[1] = ",".join(cells_of_line)
    path.write_text("\n".join(lines) + "\n")
    assert "column l2_accesses holds what is no number" in refused(run_folder)


@pytest.mark.parametrize(
    "name", ["frames.csv", "passes.csv", "tiles.csv", "draws.csv", "intervals.csv", "stamp.json"]
)
def test_file_that_is_absent_is_named(run_folder: Path, name: str) -> None:
    (run_folder / name).unlink()
    assert refused(run_folder).startswith(f"{run_folder / name}: cannot be read: No such file")


def test_table_of_another_kind_is_named(run_folder: Path) -> None:
    path = run_folder / "draws.csv"
    path.write_text((run_folder / "tiles.csv").read_text())
    message = refused(run_folder)
    assert f"{path}: begins with the columns machine, frame, tile, column" in message
    assert message.endswith("which begins with machine, frame, draw, name")


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("", "is empty"),
        ("frames\n", "is no JSON: Expecting value at line 1, column 1"),
        ("{'a': 1}", "is no JSON: Expecting property name"),
        ('{"a": 1}', "holds an object of `a`"),
        ("[]", "holds an array of 0"),
        ("3", "holds the number 3"),
        ("null", "holds null"),
        ("[" * 100_000, "is no JSON that can be held"),
        ("9" * 5_000, "is no JSON that can be held"),
        ('{"generator": "a", "machines": 3}', "machines is the number 3; expected an array"),
        ('{"generator": "a", "machines": []}', "machines is an array of 0; expected at least one"),
        (
            '{"generator": "a", "machines": [{"machine": "b"}]}',
            "machines[0] is an object of `machine`; expected `frames` in it",
        ),
        (
            '{"generator": "a", "machines": [{"machine": 1, "frames": []}]}',
            "machines[0].machine is the number 1; expected a text",
        ),
        (
            '{"generator": "a", "machines": [{"machine": "b", "frames": [7]}]}',
            "machines[0].frames[0] is the number 7; expected an object",
        ),
        (
            '{"generator": "a", "machines": [{"machine": "b", "frames": [{"frame": 7}]}]}',
            "frames have no `clock`",
        ),
    ],
)
def test_other_json_is_named_with_its_place(tmp_path: Path, text: str, problem: str) -> None:
    path = tmp_path / "some.json"
    path.write_text(text)
    assert refused(path).startswith(f"{path}: {problem}")


def test_bytes_that_are_no_text_are_named(tmp_path: Path) -> None:
    path = tmp_path / "some.json"
    path.write_bytes(b"\x8eL2S\xff")
    assert refused(path).startswith(f"{path}: is no text in UTF-8")


def test_no_file_is_named(tmp_path: Path) -> None:
    path = tmp_path / "nothing.json"
    assert refused(path).startswith(f"{path}: cannot be read: No such file or directory; expected")


LOADERS: list[tuple[str, Any]] = [
    ("run.json", azulejo.load_run),
    ("study.json", azulejo.load_study),
    ("characterize.json", azulejo.load_characterize),
    ("report/study.json", azulejo.load_studies),
    ("sweep.json", azulejo.load_sweep),
    ("cache.json", azulejo.load_cache),
    ("reuse.json", azulejo.load_reuse),
    ("dram.json", azulejo.load_dram),
    ("inspect.json", azulejo.load_inspection),
]


@pytest.mark.parametrize(("name", "loader"), LOADERS)
def test_each_layout_is_read_by_its_own_loader_alone(data: Path, name: str, loader: Any) -> None:
    loader(data / name)
    for _, other in LOADERS:
        if other is not loader:
            with pytest.raises(azulejo.LoadError, match=f"which azulejo.{loader.__name__} reads"):
                other(data / name)
