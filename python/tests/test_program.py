"""The program itself: what it prints today is what this package loads, and its errors arrive in its own words."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pandas as pd
import pytest

import azulejo

SMALL = {"screen.width": 64, "screen.height": 32}


def test_simulate_gives_all_tables(program: str) -> None:
    run = azulejo.simulate(
        "match3",
        machine=["mali450-re", "valhall-libra"],
        technique="re",
        frames=2,
        size=(96, 64),
        program=program,
    )
    names = ["mali450-re", "mali450-re+re", "valhall-libra", "valhall-libra+re"]
    assert list(run.machines.index) == names
    assert list(run.machines["frames"]) == [2, 2, 2, 2]
    tiles = run.tiles.groupby("machine", sort=False).size()
    assert list(tiles) == [2 * 24, 2 * 24, 2 * 6, 2 * 6]
    assert run.draws["name"].iloc[0] == "landscape[0] landscape"
    assert run.stamp["command"].startswith("azulejo simulate match3 --machine mali450-re")
    assert len(run.intervals) > 0


def test_simulate_takes_changes_and_keeps_tables(program: str, tmp_path: Path) -> None:
    folder = tmp_path / "kept"
    settings = {"l2.size": "64KiB", "ideal_memory": True}
    run = azulejo.simulate(size=(64, 32), settings=settings, folder=folder, program=program)
    again = azulejo.load_run(folder)
    pd.testing.assert_frame_equal(run.frames, again.frames)
    assert "--set l2.size=64KiB --set ideal_memory=true" in again.stamp["command"]


def test_json_and_csv_of_the_program_are_the_same(program: str, tmp_path: Path) -> None:
    words = [
        "simulate",
        "towers",
        "--size",
        "64x32",
        "--frames",
        "2",
        "-t",
        "re,te",
        "-m",
        "mali450-re",
    ]
    (tmp_path / "run.json").write_text(
        azulejo.call([*words, "--json", "--csv", tmp_path / "run"], program), encoding="utf-8"
    )
    of_json = azulejo.load_run(tmp_path / "run.json").frames
    of_csv = azulejo.load_run(tmp_path / "run").frames
    pd.testing.assert_frame_equal(of_json, of_csv, check_exact=True)


def test_study_of_the_program(program: str) -> None:
    study = azulejo.study(
        "re.fig16a",
        demos=["match3", "towers"],
        frames=4,
        settings=SMALL,
        options=["--modelled", "1"],
        program=program,
    )
    figure = study.figures["re.fig16a"]
    assert list(figure.table.index) == ["match3", "towers"]
    assert len(study.trends) == 0, "two demos are not the suite"
    assert list(study.stated["column"]) == ["RE"]


@pytest.mark.parametrize("family", ["libra", "khepri", "boustro", "sampling"])
def test_study_of_every_paper(program: str, family: str) -> None:
    study = azulejo.study(family, demos="match3", frames=4, settings=SMALL, program=program)
    assert all(name.startswith(f"{family}.") for name in study.figures)
    assert all(
        figure.unit in {"percent", "per-kilo-instruction"} for figure in study.figures.values()
    )


def test_characterize_of_the_program(program: str) -> None:
    table = azulejo.characterize(["match3", "rope"], frames=3, settings=SMALL, program=program)
    assert list(table["demo"]) == ["match3", "rope"]
    assert list(table["frames"]) == [3, 3]
    assert "azulejo characterize match3 rope --frames 3" in table.attrs["command"]


def test_memory_models_of_the_program(program: str, tmp_path: Path) -> None:
    stream = tmp_path / "l2.bin"
    azulejo.call(
        ["simulate", "match3", "--size", "96x64", "--frames", "2", "--l2-stream", stream], program
    )
    accesses = azulejo.load_l2_stream(stream)
    cache = tmp_path / "cache.json"
    cache.write_text(
        azulejo.call(["cache", stream, "--size", "64KiB", "--ways", "8", "--json"], program)
    )
    assert azulejo.load_cache(cache).attrs["accesses"] == len(accesses)
    reuse = tmp_path / "reuse.json"
    reuse.write_text(azulejo.call(["reuse", stream, "--json"], program))
    assert azulejo.load_reuse(reuse).totals["distinct_lines"] == accesses["address"].nunique()


def test_error_of_the_program_is_in_its_own_words(program: str) -> None:
    with pytest.raises(azulejo.ProgramError) as error:
        azulejo.simulate("match3", machine="nope", program=program)
    assert error.value.exit_code == 2
    assert error.value.message.startswith(
        "error: --machine nope: no machine of this name and no such file"
    )
    assert "hint: expected a TOML file or one of mali450-re" in error.value.message
    assert "simulate match3 --machine nope --csv" in str(error.value)


def test_program_that_is_not_there_is_named(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.delenv("AZULEJO", raising=False)
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(
        azulejo.ProgramError, match="azulejo did not start\nno such program; expected azulejo on"
    ):
        azulejo.simulate("match3")


def script(folder: Path, text: str) -> Path:
    path = folder / "azulejo"
    path.write_text(f"#!/bin/sh\n{text}\n")
    path.chmod(path.stat().st_mode | stat.S_IXUSR)
    return path


def test_program_is_found_by_argument_then_environment_then_path(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    found = {}
    for name in ("argument", "environment", "path"):
        folder = tmp_path / name
        folder.mkdir()
        found[name] = str(script(folder, f"echo {name}"))
    monkeypatch.setenv("PATH", f"{tmp_path / 'path'}{os.pathsep}/usr/bin{os.pathsep}/bin")
    monkeypatch.setenv("AZULEJO", found["environment"])
    assert azulejo.call([], found["argument"]) == "argument\n"
    assert azulejo.call([]) == "environment\n"
    monkeypatch.delenv("AZULEJO")
    assert azulejo.call([]) == "path\n"


def test_warnings_of_the_program_are_warnings_here(tmp_path: Path) -> None:
    program = script(tmp_path, "echo 'warning: a.glb: an extension' >&2; echo done")
    with pytest.warns(UserWarning, match=r"^a\.glb: an extension$"):
        assert azulejo.call(["list"], program) == "done\n"


def test_program_that_prints_something_else_is_named(tmp_path: Path) -> None:
    program = script(tmp_path, "echo '{\"figures\": 3'")
    with pytest.raises(azulejo.LoadError, match="azulejo study re --json: is cut"):
        azulejo.study("re", program=program)


def test_program_that_is_killed_is_named(tmp_path: Path) -> None:
    program = script(tmp_path, "kill -9 $$")
    with pytest.raises(azulejo.ProgramError) as error:
        azulejo.call(["list"], program)
    assert error.value.exit_code == -9
