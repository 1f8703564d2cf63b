"""What can go wrong: a file that is not what it should be, or a program that refuses."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from pathlib import Path


class AzulejoError(Exception):
    """Any error of this package."""


class LoadError(AzulejoError):
    """A file or folder that cannot be loaded.

    Attributes:
        path: The file or folder.
        problem: What is wrong with it, and at which element.
        expected: What should have been there.
    """

    def __init__(self, path: Path, problem: str, expected: str) -> None:
        super().__init__(f"{path}: {problem}; expected {expected}")
        self.path = path
        self.problem = problem
        self.expected = expected


class ProgramError(AzulejoError):
    """The program `azulejo` could not be started, or did not do what it was asked for.

    Attributes:
        command: The words of the command, the program first.
        exit_code: As the program ended: 1 it could not be done, 2 the command line is wrong, below 0
            it was ended by the signal of that number; None if it did not start.
        message: The program's own words, with its hint.
    """

    def __init__(self, command: Sequence[str], exit_code: int | None, message: str) -> None:
        self.command = list(command)
        self.exit_code = exit_code
        self.message = message.strip()
        how = "did not start" if exit_code is None else f"ended with exit code {exit_code}"
        super().__init__(f"{shlex.join(self.command)} {how}\n{self.message}")
