"""What tests share: the files of `data`, copies of them to be damaged, and the program where `AZULEJO` names it."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import matplotlib as mpl
import pytest

mpl.use("agg")

DATA = Path(__file__).parent / "data"


@pytest.fixture
def data() -> Path:
    """The folder of files that `data/make` made by the program."""
    return DATA


@pytest.fixture
def run_folder(tmp_path: Path) -> Path:
    """A copy of the tables of a run."""
    return Path(shutil.copytree(DATA / "run", tmp_path / "run"))


@pytest.fixture(scope="session")
def program() -> str:
    """The program; where nothing names it, its tests are skipped, and `AZULEJO_REQUIRED=1` makes them fail."""
    named = os.environ.get("AZULEJO")
    if not named:
        assert not os.environ.get("AZULEJO_REQUIRED"), "AZULEJO names no program"
        pytest.skip("AZULEJO names no program")
    return named
