"""Runs the program `azulejo` and loads what it says."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
import warnings
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import pandas as pd

from ._demos import characters
from ._errors import ProgramError
from ._json import CHARACTERIZE, STUDY, SWEEP, Element, Layout, of_text
from ._run import Run, load_run
from ._study import Study, from_top
from ._sweep import points
from ._tables import with_attrs

Word = str | os.PathLike[str]


def find_program(program: Word | None = None) -> str:
    """The program that the functions of this module start.

    Args:
        program: Its path or name; if None, what the environment's `AZULEJO` names, else `azulejo` on the PATH.

    Raises:
        ProgramError: If there is no such program.
    """
    wanted = os.fspath(program or os.environ.get("AZULEJO") or "azulejo")
    found = shutil.which(wanted)
    if found is None:
        message = "no such program; expected azulejo on the PATH, in the environment's AZULEJO, or as `program`"
        raise ProgramError([wanted], None, message)
    return found


def call(words: Sequence[Word], program: Word | None = None) -> str:
    """Runs `azulejo` with these words, whatever they are.

    Args:
        words: The command and its options, such as `["list"]`.
        program: As in `find_program`.

    Returns:
        What it wrote to standard output.

    Raises:
        ProgramError: If it does not start or ends with another exit code than 0; it carries the program's own message.

    Warns:
        UserWarning: For each warning of the program, in its words.
    """
    command = [find_program(program), *(os.fspath(word) for word in words)]
    try:
        done = subprocess.run(command, capture_output=True, check=False)
    except OSError as error:
        raise ProgramError(command, None, error.strerror or str(error)) from error
    errors = done.stderr.decode("utf-8", "replace")
    if done.returncode != 0:
        raise ProgramError(command, done.returncode, errors)
    for line in errors.splitlines():
        if line.startswith("warning: "):
            warnings.warn(line.removeprefix("warning: "), stacklevel=3)
    return done.stdout.decode("utf-8", "replace")


def simulate(
    scene: Word | None = None,
    *,
    machine: Word | Iterable[Word] = (),
    technique: str | Iterable[str] = (),
    frames: int | None = None,
    size: tuple[int, int] | None = None,
    settings: Mapping[str, object] | None = None,
    options: Sequence[Word] = (),
    folder: Word | None = None,
    program: Word | None = None,
) -> Run:
    """Runs `azulejo simulate`: what frames of a scene would cost on a chip.

    Args:
        scene: A demo, a glTF file or a trace (.azt); if None, the built-in scene.
        machine: A machine by name or a TOML file, or several; none is the program's default.
        technique: A technique or several, each beside every machine without: `"re"`, `["re", "te"]`.
        frames: How many follow each other; if None 1, of a trace all.
        size: Width and height of the screen in pixels, in place of the machines' own.
        settings: Values of every machine to change: `{"l2.size": "1MiB"}`.
        options: More words of the command line, such as `["--seed", "7"]`.
        folder: Where the tables are kept for `load_run`; if None, nowhere.
        program: As in `find_program`.

    Returns:
        The run, with all tables.

    Raises:
        ProgramError: If the program refuses; it carries the program's own message.
    """
    words: list[Word] = ["simulate", *([] if scene is None else [scene])]
    for name in _several(machine):
        words += ["--machine", name]
    for name in _several(technique):
        words += ["--technique", name]
    if frames is not None:
        words += ["--frames", str(frames)]
    if size is not None:
        words += ["--size", f"{size[0]}x{size[1]}"]
    words += [*_settings(settings), *options]
    if folder is not None:
        call([*words, "--csv", folder], program)
        return load_run(folder)
    with tempfile.TemporaryDirectory(prefix="azulejo-") as kept:
        call([*words, "--csv", kept], program)
        return load_run(kept)


def study(
    id: str,  # noqa: A002 - as the command line calls it
    *,
    demos: str | Iterable[str] = (),
    machine: Word | None = None,
    frames: int | None = None,
    quick: bool = False,
    settings: Mapping[str, object] | None = None,
    options: Sequence[Word] = (),
    program: Word | None = None,
) -> Study:
    """Runs `azulejo study`: the figures of a paper again, each beside what the paper states.

    All demos in full take hours of a small machine; `quick` takes minutes.

    Args:
        id: A figure such as `"re.fig16b"`, or all of a study: `"re"`.
        demos: Which demos; none is those that stand for the games of the paper, `"all"` is all.
        machine: A machine by name or a TOML file; if None, that of the paper.
        frames: How many of each demo; if None, as many as the study takes.
        quick: Half as many pixels each way, and five frames where `frames` says nothing.
        settings: Values of the machine to change: `{"screen.width": 320}`.
        options: More words of the command line, such as `["--modelled", "2"]`.
        program: As in `find_program`.

    Raises:
        ProgramError: If the program refuses; it carries the program's own message.
    """
    words: list[Word] = ["study", id, *(["--quick"] if quick else [])]
    if chosen := _several(demos):
        words += ["--demos", ",".join(os.fspath(demo) for demo in chosen)]
    return from_top(_json(_suite(words, machine, frames, settings, options), STUDY, program))


def characterize(
    demos: str | Iterable[str] = "all",
    *,
    machine: Word | None = None,
    frames: int | None = None,
    settings: Mapping[str, object] | None = None,
    options: Sequence[Word] = (),
    program: Word | None = None,
) -> pd.DataFrame:
    """Runs `azulejo characterize`: what kind of load demos are.

    Args:
        demos: Which demos.
        machine: A machine by name or a TOML file; if None, the program's default.
        frames: How many of each demo; if None 50.
        settings: Values of the machine to change: `{"screen.width": 320}`.
        options: More words of the command line.
        program: As in `find_program`.

    Returns:
        The table of `load_characterize`.

    Raises:
        ProgramError: If the program refuses; it carries the program's own message.
    """
    words: list[Word] = ["characterize", *_several(demos)]
    top = _json(_suite(words, machine, frames, settings, options), CHARACTERIZE, program)
    return with_attrs(characters(top), {"command": str(top.path)})


def sweep(
    file: Word,
    *,
    folder: Word | None = None,
    options: Sequence[Word] = (),
    program: Word | None = None,
) -> pd.DataFrame:
    """Runs `azulejo sweep`: every combination of scenes, machines, techniques and parameters that a file lists.

    What is finished is never run again.

    Args:
        file: The sweep (TOML).
        folder: Where results lie; if None, the file's name with `.sweep`, in the current directory.
        options: More words of the command line, such as `["--on", "slurm"]`.
        program: As in `find_program`.

    Returns:
        The table of `load_sweep`.

    Raises:
        ProgramError: If the program refuses or a point fails; it carries the program's own message.
    """
    words: list[Word] = ["sweep", file, *([] if folder is None else ["-o", folder])]
    return points(_json([*words, *options, "--json"], SWEEP, program))


def _suite(
    words: list[Word],
    machine: Word | None,
    frames: int | None,
    settings: Mapping[str, object] | None,
    options: Sequence[Word],
) -> list[Word]:
    """With the options that commands over demos share."""
    if machine is not None:
        words = [*words, "--machine", machine]
    if frames is not None:
        words = [*words, "--frames", str(frames)]
    return [*words, *_settings(settings), *options, "--json"]


def _json(words: list[Word], layout: Layout, program: Word | None) -> Element:
    text = call(words, program)
    return of_text(" ".join(["azulejo", *(os.fspath(word) for word in words)]), text, layout)


def _settings(settings: Mapping[str, Any] | None) -> list[str]:
    pairs = (settings or {}).items()
    return [word for key, value in pairs for word in ("--set", f"{key}={_toml(value)}")]


def _toml(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _several(one_or_more: Word | Iterable[Word]) -> list[Word]:
    return [one_or_more] if isinstance(one_or_more, str | os.PathLike) else list(one_or_more)
