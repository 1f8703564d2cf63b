"""Figures in the form in which papers print them; needs the extra `plot` (matplotlib).

What comes in is a `Figure` of a study; what goes out are axes of matplotlib, to be changed and saved as the caller likes.
"""

from __future__ import annotations

import os
import textwrap
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, cast

import matplotlib as mpl
import numpy as np
from matplotlib import pyplot as plt
from matplotlib.axes import Axes
from matplotlib.colors import to_rgb
from matplotlib.figure import Figure as Canvas
from matplotlib.patches import Patch

from ._study import Figure

COLORS = ("#0072b2", "#e69f00", "#009e73", "#cc79a7", "#56b4e9", "#d55e00")
"""Of columns, in order: Okabe and Ito's, which readers with any colour vision tell apart; dark and light take turns, for print
in grey."""

STYLE: Mapping[str, Any] = {
    "font.size": 8,
    "axes.labelsize": 8,
    "axes.titlesize": 8,
    "xtick.labelsize": 7.5,
    "ytick.labelsize": 7.5,
    "legend.fontsize": 7.5,
    "axes.linewidth": 0.6,
    "hatch.linewidth": 0.6,
    # Letters as letters, not as outlines, which publishers ask for.
    "pdf.fonttype": 42,
    "svg.fonttype": "none",
}
"""What a printed figure of 7 inches, two columns of a paper, wants."""

_GROUP = 0.78
"""Share of a demo's place that its bars take."""
_GAP = 0.6
"""Places left free before the mean."""
_GREY = "#555555"
_HATCH = "//////"
_LEAST_SEGMENT = 0.07
"""Part of the axis that a part of a stack must take for its value to stand in it."""


@contextmanager
def style() -> Iterator[None]:
    """Within it, matplotlib draws for print: small letters, thin lines, text kept as text."""
    with mpl.rc_context(cast("Any", dict(STYLE))):
        yield


def save(ax: Axes, path: str | os.PathLike[str]) -> None:
    """Writes the figure of these axes to a file (PDF, SVG or PNG of 300 points an inch) in the style of `style`."""
    figure = ax.get_figure()
    if not isinstance(figure, Canvas):
        raise ValueError("expected axes of a whole figure")
    with style():
        figure.savefig(Path(path), dpi=300)


@dataclass(frozen=True)
class _Bar:
    """One bar, in the unit that is printed."""

    middle: float
    width: float
    base: float
    height: float
    color: str
    of_paper: bool = False
    is_labelled: bool = False
    """Its height stands above it, or within it where it is a part of a stack."""


def bars(
    figure: Figure,
    *,
    columns: Sequence[str] | None = None,
    stacked: bool = False,
    top: float | None = None,
    ax: Axes | None = None,
) -> Axes:
    """Draws a figure as bars by demo, then our mean, then what the paper states.

    Args:
        figure: Of `load_study` or `study`.
        columns: Which bars a demo has; None is all.
        stacked: Bars stand on each other, where columns are parts of a whole, such as the cycles of `re.fig13a`; else side by side.
        top: The end of the axis, in the unit that is printed (percent: 100 is all). A higher bar is cut, and its value
            stands above it. None is as high as needed.
        ax: Where to draw; None makes a figure of 7 by 2.3 inches in the style of `style`.

    Returns:
        The axes, to be saved by `save`.

    Raises:
        KeyError: If the figure has no column of this name.
    """
    chosen = list(figure.table.columns) if columns is None else list(columns)
    if unknown := [column for column in chosen if column not in figure.table.columns]:
        known = ", ".join(str(column) for column in figure.table.columns)
        raise KeyError(f"{figure.id} has no column {unknown[0]!r}; expected one of {known}")
    with style():
        if ax is None:
            _, ax = plt.subplots(figsize=(7.0, 2.3), layout="constrained")
        _draw(ax, figure, [str(column) for column in chosen], stacked, top)
    return ax


def _draw(ax: Axes, figure: Figure, columns: list[str], stacked: bool, top: float | None) -> None:
    demos = [str(demo) for demo in figure.table.index]
    mean_at = len(demos) + _GAP
    colors = {column: COLORS[nth % len(COLORS)] for nth, column in enumerate(columns)}
    stated = _stated(figure, columns, stacked)
    places = dict(zip([*demos, "mean"], [*range(len(demos)), mean_at], strict=True))
    drawn: list[_Bar] = []
    for demo, (_, row) in zip(demos, figure.table[columns].iterrows(), strict=True):
        values = {column: figure.scale * float(row[column]) for column in columns}
        drawn += _group(places[demo], values, colors, stacked)
    means = {column: figure.scale * float(figure.mean[column]) for column in columns}
    parts = stacked and set(stated) == set(columns)
    ours = _group(mean_at, means, colors, stacked)
    drawn += [replace(bar, is_labelled=parts or not stacked) for bar in ours]
    if stated:
        places["paper"] = mean_at + 1
        papers = _group(mean_at + 1, stated, colors, parts, n_places=1 if stacked else len(columns))
        drawn += [replace(bar, of_paper=True, is_labelled=True) for bar in papers]
    for bar in drawn:
        _draw_bar(ax, bar)
    _decorate(ax, figure, places, colors)
    if top is not None:
        ax.set_ylim(top=top)
    _label_bars(ax, drawn, stacked=parts, rotated=not stacked and len(columns) > 2)
    if stacked and not parts:
        _label(ax, mean_at, sum(means.values()))
    for bar in drawn:
        if top is not None and bar.base + bar.height > top and not bar.is_labelled:
            _label(ax, bar.middle, bar.base + bar.height)


def _stated(figure: Figure, columns: list[str], stacked: bool) -> dict[str, float]:
    """What the paper states of the columns that are drawn, or else of their sum `total`."""
    pairs = zip(figure.stated["column"], figure.stated["paper"], strict=True)
    named = {str(column): figure.scale * float(paper) for column, paper in pairs}
    found = {column: named[column] for column in columns if column in named}
    if stacked and set(found) != set(columns):
        return {"total": named["total"]} if "total" in named else {}
    return found


def _group(
    middle: float,
    values: dict[str, float],
    colors: dict[str, str],
    stacked: bool,
    n_places: int | None = None,
) -> list[_Bar]:
    """Bars around a place: on each other, or side by side, each as wide as if there were `n_places`."""
    width = _GROUP / (1 if stacked else n_places or len(values))
    bars_of_group = []
    base = 0.0
    for nth, (column, value) in enumerate(values.items()):
        offset = 0.0 if stacked else (nth - (len(values) - 1) / 2) * width
        height = value if np.isfinite(value) else 0.0
        color = colors.get(column, _GREY)
        bars_of_group.append(_Bar(middle + offset, width, base if stacked else 0.0, height, color))
        base += height
    return bars_of_group


def _draw_bar(ax: Axes, bar: _Bar) -> None:
    how: dict[str, Any] = {"facecolor": bar.color, "edgecolor": "black", "linewidth": 0.4}
    if bar.of_paper:
        how = {"facecolor": "white", "edgecolor": bar.color, "linewidth": 0.8, "hatch": _HATCH}
    ax.bar(bar.middle, bar.height, bar.width, bottom=bar.base, zorder=3, **how)


def _decorate(ax: Axes, figure: Figure, places: dict[str, float], colors: dict[str, str]) -> None:
    ax.set_xticks(
        list(places.values()), list(places), rotation=38, ha="right", rotation_mode="anchor"
    )
    ax.tick_params(axis="x", length=0, pad=2)
    ax.tick_params(axis="y", length=2)
    ax.set_ylabel(_axis_label(figure))
    ax.grid(axis="y", color="#d0d0d0", linewidth=0.5, zorder=0)
    ax.spines[["top", "right"]].set_visible(False)
    ax.margins(x=0.01)
    between = places["mean"] - (1 + _GAP) / 2
    ax.axvline(between, color=_GREY, linewidth=0.6, linestyle=(0, (3, 2)))
    handles = [
        Patch(facecolor=color, edgecolor="black", linewidth=0.4, label=column)
        for column, color in colors.items()
    ]
    if "paper" in places:
        mean = "mean that the paper states"
        handles.append(Patch(facecolor="white", edgecolor=_GREY, hatch=_HATCH, label=mean))
    ax.legend(
        handles=handles,
        ncols=len(handles),
        loc="lower left",
        bbox_to_anchor=(0, 1),
        borderaxespad=0.2,
        frameon=False,
        handlelength=1.6,
    )


def _axis_label(figure: Figure) -> str:
    what = textwrap.fill(figure.title or figure.id, 26)
    match figure.unit:
        case "percent":
            return f"{what} [%]"
        case "per-kilo-instruction":
            return f"{what}\n[per 1000 warp instructions]"
        case _:
            return what


def _label_bars(ax: Axes, drawn: list[_Bar], *, stacked: bool, rotated: bool) -> None:
    bottom, top = ax.get_ylim()
    for bar in drawn:
        if not bar.is_labelled:
            continue
        if not stacked:
            _label(ax, bar.middle, bar.base + bar.height, rotated=rotated)
        elif bar.height > _LEAST_SEGMENT * (top - bottom):
            color = "black" if bar.of_paper or _is_light(bar.color) else "white"
            ground = "white" if bar.of_paper else "none"
            at = bar.base + bar.height / 2
            text = ax.text(bar.middle, at, _printed(bar.height), ha="center", va="center", zorder=5)
            text.set(fontsize=6.5, color=color)
            text.set_bbox({"boxstyle": "square,pad=0.1", "facecolor": ground, "edgecolor": "none"})


def _label(ax: Axes, middle: float, height: float, *, rotated: bool = False) -> None:
    _, top = ax.get_ylim()
    ax.annotate(
        _printed(height),
        (middle, min(max(height, 0.0), top)),
        xytext=(0, 1.5),
        textcoords="offset points",
        ha="center",
        va="bottom",
        rotation=90 if rotated else 0,
        fontsize=6.5,
        # Readable where a line of the grid goes through; between narrow bars there is no room.
        bbox=None if rotated else {"boxstyle": "square,pad=0.1", "fc": "white", "ec": "none"},
        zorder=4,
    )


def _printed(height: float) -> str:
    return f"{height:.0f}" if abs(height) >= 10 else f"{height:.1f}"


def _is_light(color: str) -> bool:
    red, green, blue = to_rgb(color)
    return 0.3 * red + 0.59 * green + 0.11 * blue > 0.5
