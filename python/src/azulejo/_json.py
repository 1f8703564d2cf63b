"""JSON files of azulejo: read whole, told apart by what they hold, walked with the place of each value at hand."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ._errors import LoadError

Number = int | float


@dataclass(frozen=True)
class Layout:
    """One kind of JSON that the program prints."""

    what: str
    """The command that prints it."""
    loader: str
    """The function of this package that reads it."""
    matches: Callable[[Any], bool]
    """Whether a value is of this kind, by the names at its top."""


def _object_with(*names: str) -> Callable[[Any], bool]:
    return lambda value: isinstance(value, dict) and all(name in value for name in names)


RUN = Layout("azulejo simulate --json", "load_run", _object_with("generator", "machines"))
STUDY = Layout("azulejo study ID --json", "load_study", _object_with("machine", "figures"))
STUDIES = Layout("azulejo study ID -o FOLDER", "load_studies", _object_with("studies"))
NUMBERS = Layout("azulejo study numbers --json", "load_numbers", _object_with("numbers"))
SWEEP = Layout("azulejo sweep FILE.toml --json", "load_sweep", _object_with("inputs", "points"))
CHARACTERIZE = Layout(
    "azulejo characterize DEMO --json", "load_characterize", _object_with("machine", "demos")
)
CACHE = Layout("azulejo cache TRACE --json", "load_cache", _object_with("trace", "distinct_lines"))
REUSE = Layout("azulejo reuse STREAM --json", "load_reuse", _object_with("stream", "sub_traces"))
DRAM = Layout("azulejo dram TRACE --json", "load_dram", _object_with("trace", "config", "channels"))
INSPECTION = Layout(
    "azulejo inspect --json", "load_inspection", _object_with("generator", "draws", "grid")
)

LAYOUTS = (RUN, STUDY, STUDIES, NUMBERS, SWEEP, CHARACTERIZE, CACHE, REUSE, DRAM, INSPECTION)


@dataclass(frozen=True)
class Element:
    """A value of a JSON file that knows where it stands, so that errors can name it."""

    path: Path
    place: str
    value: Any

    def __getitem__(self, name: str) -> Element:
        """The value of this name in an object."""
        fields = self.fields()
        if name not in fields:
            raise self.refuse(f"`{name}` in it")
        return fields[name]

    def get(self, name: str) -> Element | None:
        """The value of this name in an object; None where it is absent or null."""
        found = self.fields().get(name)
        return None if found is None or found.value is None else found

    def fields(self) -> dict[str, Element]:
        """The values of an object by their names."""
        if not isinstance(self.value, dict):
            raise self.refuse("an object")
        dot = "." if self.place else ""
        return {
            name: Element(self.path, f"{self.place}{dot}{name}", value)
            for name, value in self.value.items()
        }

    def items(self, length: int | None = None) -> list[Element]:
        """The values of an array, which has `length` of them where that is known."""
        if not isinstance(self.value, list):
            raise self.refuse("an array")
        if length is not None and len(self.value) != length:
            raise self.refuse(f"an array of {length}")
        return [
            Element(self.path, f"{self.place}[{nth}]", value)
            for nth, value in enumerate(self.value)
        ]

    def text(self) -> str:
        """A string."""
        if not isinstance(self.value, str):
            raise self.refuse("a text")
        return self.value

    def integer(self) -> int:
        """An integer."""
        if not isinstance(self.value, int) or isinstance(self.value, bool):
            raise self.refuse("an integer")
        return self.value

    def number(self) -> float:
        """A number."""
        if not isinstance(self.value, Number) or isinstance(self.value, bool):
            raise self.refuse("a number")
        return float(self.value)

    def optional(self) -> float:
        """A number, or NaN for the null of what was not measured."""
        return float("nan") if self.value is None else self.number()

    def truth(self) -> bool:
        """True or false."""
        if not isinstance(self.value, bool):
            raise self.refuse("true or false")
        return self.value

    def plain(self) -> dict[str, Any]:
        """The texts and numbers of an object by their names, without what is within them."""
        fields = self.fields().items()
        return {
            name: field.value for name, field in fields if isinstance(field.value, str | Number)
        }

    def numbers(self) -> Iterator[tuple[str, Number]]:
        """Each number within, by its dotted name: the names of the tables' columns."""
        return _numbers("", self.value)

    def refuse(self, expected: str) -> LoadError:
        """The error that this is something else than `expected`."""
        place = self.place or "the whole"
        return LoadError(self.path, f"{place} is {_kind(self.value)}", expected)


def _numbers(name: str, value: Any) -> Iterator[tuple[str, Number]]:
    if isinstance(value, dict | list):
        below = value.items() if isinstance(value, dict) else enumerate(value)
        dot = "." if name else ""
        for key, item in below:
            yield from _numbers(f"{name}{dot}{key}", item)
    elif isinstance(value, Number) and not isinstance(value, bool):
        yield name, value


def load(path: Path, layout: Layout) -> Element:
    """The top of a file of this layout.

    Raises:
        LoadError: If the file cannot be read, is no whole JSON, or is of another layout.
    """
    value = _parse(path, _read(path, layout), layout)
    if not layout.matches(value):
        raise LoadError(path, _other(value), f"what `{layout.what}` prints")
    return Element(path, "", value)


def of_text(name: str, text: str, layout: Layout) -> Element:
    """The same of text that was not read from a file; errors call it `name`."""
    path = Path(name)
    value = _parse(path, text, layout)
    if not layout.matches(value):
        raise LoadError(path, _other(value), f"what `{layout.what}` prints")
    return Element(path, "", value)


def _read(path: Path, layout: Layout) -> str:
    expected = f"the JSON of `{layout.what}`"
    try:
        return path.read_text(encoding="utf-8")
    except OSError as error:
        problem = f"cannot be read: {error.strerror or error}"
        raise LoadError(path, problem, expected) from error
    except UnicodeDecodeError as error:
        raise LoadError(path, "is no text in UTF-8", expected) from error


def _parse(path: Path, text: str, layout: Layout) -> Any:
    expected = f"the JSON of `{layout.what}`"
    if not text.strip():
        raise LoadError(path, "is empty", expected)
    try:
        return json.loads(text)
    except json.JSONDecodeError as error:
        if _is_cut(text, error):
            problem = f"is cut: it ends within line {error.lineno} before its JSON is whole"
        else:
            problem = f"is no JSON: {error.msg} at line {error.lineno}, column {error.colno}"
        raise LoadError(path, problem, expected) from error
    except (RecursionError, ValueError) as error:
        raise LoadError(path, f"is no JSON that can be held: {error}", expected) from error


def _is_cut(text: str, error: json.JSONDecodeError) -> bool:
    if error.msg.startswith("Unterminated string"):
        return True
    rest = text[error.pos :].rstrip()
    is_json = text.lstrip()[0] in "{["
    return is_json and any(word.startswith(rest) for word in ("", "true", "false", "null"))


def _other(value: Any) -> str:
    for layout in LAYOUTS:
        if layout.matches(value):
            return f"holds what `{layout.what}` prints, which azulejo.{layout.loader} reads"
    return f"holds {_kind(value)}"


def _kind(value: Any) -> str:
    match value:
        case None:
            return "null"
        case bool():
            return str(value).lower()
        case dict():
            names = ", ".join(f"`{name}`" for name in list(value)[:4])
            more = ", ..." if len(value) > 4 else ""
            return f"an object of {names}{more}" if names else "an empty object"
        case list():
            return f"an array of {len(value)}"
        case str():
            return f"the text {value[:40]!r}"
        case _:
            return f"the number {value}"
