"""The blocks of Python in the READMEs and the guide run as they stand there, on small files and few frames."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest
from matplotlib import pyplot as plt

import azulejo

README = Path(__file__).parents[1] / "README.md"
TOP = Path(__file__).parents[2]


def blocks(readme: Path = README) -> list[str]:
    """The blocks of Python: here what is loaded, and what is run."""
    return re.findall(r"```python\n(.*?)```", readme.read_text(encoding="utf-8"), re.DOTALL)


def test_what_is_loaded(data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shutil.copytree(data / "run", tmp_path / "tables")
    monkeypatch.chdir(tmp_path)
    exec(blocks()[0], {})
    plt.close("all")


def test_what_is_run(program: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AZULEJO", program)
    monkeypatch.chdir(tmp_path)
    sweep = 'scenes = ["match3"]\n[set]\n"screen.width" = [64]\n"screen.height" = [32]\n'
    (tmp_path / "l2.toml").write_text(sweep)
    code = blocks()[1]
    small = 'settings={"screen.width": 64, "screen.height": 32}'
    for shown, smaller in (
        ("frames=6, size=(598, 384)", "frames=2, size=(64, 32)"),
        ("quick=True", f"frames=4, {small}"),
        ("frames=20", f"frames=3, {small}"),
    ):
        assert shown in code, "what is made smaller stands there"
        code = code.replace(shown, smaller)
    exec(code, {"azulejo": azulejo})


@pytest.mark.parametrize("text", ["README.md", "src/guide/python.md"])
def test_what_the_whole_repository_shows(
    text: str, program: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("AZULEJO", program)
    (code,) = blocks(TOP / text)
    assert "frames=6)" in code, "what is made smaller stands there"
    exec(code.replace("frames=6)", "frames=2, size=(64, 32))"), {})


def test_every_function_is_named() -> None:
    text = README.read_text(encoding="utf-8")
    functions = [name for name in azulejo.__all__ if name.islower() and name != "find_program"]
    assert [name for name in functions if f"{name}`" not in text and f".{name}(" not in text] == []
