"""Studies: figures as the JSON has them, the same from CSV, and the bars that are drawn of them."""

from __future__ import annotations

import itertools
import json
import runpy
import sys
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from matplotlib import pyplot as plt
from matplotlib.patches import Rectangle

import azulejo
from azulejo import plot

FIGURE = "re.fig16b"


@pytest.fixture
def raw(data: Path) -> Any:
    """The file as the standard library reads it."""
    return json.loads((data / "study.json").read_text())


def test_figure_has_a_row_for_each_demo(data: Path, raw: Any) -> None:
    study = azulejo.load_study(data / "study.json")
    figure = study.figures[FIGURE]
    assert study.machine == "mali450-re"
    assert (figure.id, figure.title, figure.unit) == (
        FIGURE,
        "energy, of the baseline's",
        "percent",
    )
    assert figure.scale == 100
    of_file = raw["figures"][0]
    assert list(figure.table.index) == [demo for demo, _ in of_file["rows"]]
    assert len(figure.table) == 16
    assert figure.table.to_numpy().tolist() == [bars for _, bars in of_file["rows"]]
    assert list(figure.table.columns) == ["TE", "RE"]


def test_study_says_how_it_came_about(data: Path, raw: Any) -> None:
    attrs = azulejo.load_study(data / "study.json").games.attrs
    for name in ("generator", "results_version", "command", "inputs"):
        assert attrs[name] == raw[name], name


def test_report_holds_its_studies_by_name(data: Path) -> None:
    studies = azulejo.load_studies(data / "report")
    assert list(studies) == ["boustro"]
    figures = studies["boustro"].figures
    of_csv = azulejo.load_study(data / "report").figures
    assert sorted(figures) == sorted(of_csv)
    for name, figure in figures.items():
        pd.testing.assert_frame_equal(figure.table, of_csv[name].table, check_exact=True)


def test_figure_of_parquet_is_that_of_csv(data: Path, tmp_path: Path) -> None:
    csv = data / "report" / "boustro.fig4.csv"
    pd.read_csv(csv).to_parquet(tmp_path / "boustro.fig4.parquet", index=False)
    of_parquet = azulejo.load_study(tmp_path).figures["boustro.fig4"]
    of_csv = azulejo.load_study(csv).figures["boustro.fig4"]
    pd.testing.assert_frame_equal(of_parquet.table, of_csv.table, check_exact=True)
    pd.testing.assert_series_equal(of_parquet.mean, of_csv.mean, check_exact=True)


def test_mean_is_that_of_the_table(data: Path) -> None:
    figure = azulejo.load_study(data / "study.json").figures[FIGURE]
    pd.testing.assert_series_equal(figure.mean, figure.table.mean(), check_names=False)


def test_stated_is_beside_ours(data: Path) -> None:
    stated = azulejo.load_study(data / "study.json").stated
    assert list(stated.columns) == ["figure", "column", "unit", "paper", "ours", "difference"]
    assert list(stated["column"]) == ["TE", "RE"]
    assert list(stated["paper"]) == [0.91, 0.57]
    figure = azulejo.load_study(data / "study.json").figures[FIGURE]
    assert list(stated["ours"]) == list(figure.mean)
    assert list(stated["difference"]) == list(stated["ours"] - stated["paper"])


def test_stated_shares_say_that_they_are_shares(data: Path) -> None:
    study = azulejo.load_study(data / "study.json")
    assert study.figures[FIGURE].unit == "percent", "as it is printed"
    assert list(study.stated["unit"]) == ["1", "1"], "as the values are"


def test_trend_that_was_not_measured_has_no_verdict(raw: Any, tmp_path: Path) -> None:
    raw["trends"][1]["holds"] = None
    path = tmp_path / "study.json"
    path.write_text(json.dumps(raw))
    holds = azulejo.load_study(path).trends["holds"]
    assert holds.isna().tolist() == [nth == 1 for nth in range(len(holds))]


def test_numbers_are_a_row_each(tmp_path: Path) -> None:
    number = {
        "paper": "LIBRA",
        "id": "libra.fig4",
        "section": "III-A",
        "what": "games that eight cores speed up by less than 1.5",
        "of": "games",
        "stated": "16 of 32",
        "value": 50.0,
        "unit": "%",
        "ours": 56.25,
        "distance": 6.25,
        "verdict": "differs",
        "why": None,
        "figure": "libra.fig4",
    }
    absent = number | {"ours": None, "distance": None, "verdict": "not-measured", "why": "why"}
    path = tmp_path / "numbers.json"
    path.write_text(json.dumps({"rule": "", "studies": [], "numbers": [number, absent]}))
    table = azulejo.load_numbers(path)
    assert table["ours"].isna().tolist() == [False, True]
    assert table["why"].isna().tolist() == [True, False]
    assert (table["ours"] - table["value"] == table["distance"])[0]
    with pytest.raises(azulejo.LoadError, match=r"expected what `azulejo study ID --json`"):
        azulejo.load_study(path)


def test_trends_are_claims_with_a_verdict(data: Path, raw: Any) -> None:
    trends = azulejo.load_study(data / "study.json").trends
    assert trends["holds"].dtype == "bool"
    assert trends.to_dict("records") == raw["trends"]
    assert len(trends) == 5


def test_samples_stand_for_the_frames_that_count(data: Path) -> None:
    samples = azulejo.load_study(data / "study.json").samples
    by_demo = samples.groupby("demo", sort=False)
    counted = by_demo["frames"].first() - by_demo["first"].first()
    assert (by_demo["stands_for"].sum() == counted).all()


def test_games_have_what_figures_are_made_of(data: Path) -> None:
    study = azulejo.load_study(data / "study.json")
    games = study.games
    energy = games["re.gpu"] + games["re.dram"]
    baseline = games["baseline.gpu"] + games["baseline.dram"]
    pd.testing.assert_series_equal(
        energy / baseline, study.figures[FIGURE].table["RE"], check_names=False
    )
    assert games["tiles.all"].dtype == "int64"


@pytest.mark.parametrize("source", ["study", f"study/{FIGURE}.csv"])
def test_csv_has_the_values_of_json(data: Path, source: str) -> None:
    of_csv = azulejo.load_study(data / source).figures
    of_json = azulejo.load_study(data / "study.json").figures
    assert list(of_csv) == [FIGURE]
    pd.testing.assert_frame_equal(of_csv[FIGURE].table, of_json[FIGURE].table, check_exact=True)
    for name in ("mean", "geometric_mean"):
        ours, expected = getattr(of_csv[FIGURE], name), getattr(of_json[FIGURE], name)
        pd.testing.assert_series_equal(ours, expected, check_exact=True)
    assert len(azulejo.load_study(data / source).stated) == 0


def changed(raw: Any, tmp_path: Path) -> str:
    path = tmp_path / "study.json"
    path.write_text(json.dumps(raw))
    with pytest.raises(azulejo.LoadError) as error:
        azulejo.load_study(path)
    return str(error.value).removeprefix(f"{path}: ")


def test_bars_that_are_too_few_are_named(raw: Any, tmp_path: Path) -> None:
    raw["figures"][0]["rows"][3][1].pop()
    assert (
        changed(raw, tmp_path) == "figures[0].rows[3][1] is an array of 1; expected an array of 2"
    )


def test_bar_that_is_no_number_is_named(raw: Any, tmp_path: Path) -> None:
    raw["figures"][0]["rows"][3][1][0] = "much"
    assert (
        changed(raw, tmp_path) == "figures[0].rows[3][1][0] is the text 'much'; expected a number"
    )


def test_average_of_no_column_is_named(raw: Any, tmp_path: Path) -> None:
    raw["figures"][0]["stated"][0][0] = "ET"
    assert (
        changed(raw, tmp_path) == "figures[0].stated[0][0] is the text 'ET'; expected one of TE, RE"
    )


def test_verdict_that_is_none_is_named(raw: Any, tmp_path: Path) -> None:
    raw["trends"][1]["holds"] = 1
    assert changed(raw, tmp_path) == "trends[1].holds is the number 1; expected true or false"


def test_study_without_figures_is_named(raw: Any, tmp_path: Path) -> None:
    raw["figures"] = []
    assert changed(raw, tmp_path) == "figures is an array of 0; expected at least one figure"


def test_bars_that_were_not_measured_are_nan(raw: Any, tmp_path: Path) -> None:
    raw["figures"][0]["rows"][0][1] = [None, 0.5]
    raw["figures"][0]["stated"][0][2] = None
    path = tmp_path / "study.json"
    path.write_text(json.dumps(raw))
    study = azulejo.load_study(path)
    assert study.figures[FIGURE].table.isna().sum().sum() == 1
    assert study.stated["ours"].isna().tolist() == [True, False]


def test_table_of_a_figure_that_is_cut_is_named(tmp_path: Path, data: Path) -> None:
    path = tmp_path / f"{FIGURE}.csv"
    lines = (data / "study" / f"{FIGURE}.csv").read_text().splitlines(keepends=True)
    path.write_text("".join(lines[:-1]))
    with pytest.raises(azulejo.LoadError, match="does not end with its means: it is cut"):
        azulejo.load_study(tmp_path)


def test_folders_of_other_commands_are_named(data: Path, tmp_path: Path) -> None:
    with pytest.raises(azulejo.LoadError, match=r"which azulejo\.load_run reads"):
        azulejo.load_study(data / "run")
    with pytest.raises(azulejo.LoadError, match=r"azulejo\.load_study reads"):
        azulejo.load_run(data / "study")
    with pytest.raises(azulejo.LoadError, match="has no table of a figure"):
        azulejo.load_study(tmp_path)


def bars_of(figure: azulejo.Figure, **how: Any) -> list[tuple[float, float]]:
    """Middle and height of each bar that is drawn."""
    ax = plot.bars(figure, **how)
    bars = [patch for patch in ax.patches if isinstance(patch, Rectangle)]
    found = [(bar.get_x() + bar.get_width() / 2, bar.get_height()) for bar in bars]
    plt.close("all")
    return found


def test_bars_are_demos_then_our_mean_then_the_papers(data: Path) -> None:
    figure = azulejo.load_study(data / "study.json").figures[FIGURE]
    bars = bars_of(figure)
    expected = [100 * value for row in figure.table.to_numpy() for value in row]
    expected += [100 * value for value in figure.mean] + [91, 57]
    assert [height for _, height in bars] == pytest.approx(expected)
    middles = [middle for middle, _ in bars]
    assert middles == sorted(middles), "from left to right"


def test_bars_stand_side_by_side_without_overlap(data: Path) -> None:
    figure = azulejo.load_study(data / "study.json").figures[FIGURE]
    ax = plot.bars(figure)
    bars = [patch for patch in ax.patches if isinstance(patch, Rectangle)]
    for left, right in itertools.pairwise(bars):
        assert left.get_x() + left.get_width() <= right.get_x() + 1e-9
    plt.close("all")


def test_stacked_bars_stand_on_each_other(data: Path) -> None:
    figure = azulejo.load_study(data / "study.json").figures[FIGURE]
    ax = plot.bars(figure, stacked=True)
    bars = [patch for patch in ax.patches if isinstance(patch, Rectangle)]
    for lower, upper in zip(bars[::2], bars[1::2], strict=True):
        assert upper.get_y() == pytest.approx(lower.get_y() + lower.get_height())
        assert upper.get_x() == pytest.approx(lower.get_x())
    plt.close("all")


def test_bar_above_the_end_of_the_axis_says_its_value(data: Path) -> None:
    figure = azulejo.load_study(data / "study.json").figures[FIGURE]
    ax = plot.bars(figure, columns=["TE"], top=50)
    assert ax.get_ylim()[1] == 50
    texts = [text.get_text() for text in ax.texts]
    assert len(texts) == 18, "16 demos, our mean and the paper's"
    assert texts.count("91") >= 1
    plt.close("all")


def test_unknown_column_is_refused(data: Path) -> None:
    figure = azulejo.load_study(data / "study.json").figures[FIGURE]
    with pytest.raises(KeyError, match="has no column 'XE'; expected one of TE, RE"):
        plot.bars(figure, columns=["XE"])


@pytest.mark.parametrize("suffix", ["pdf", "svg", "png"])
def test_example_draws_a_figure(
    data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, suffix: str
) -> None:
    output = tmp_path / f"figure.{suffix}"
    example = Path(__file__).parents[1] / "examples" / "paper_figure.py"
    monkeypatch.setattr(sys, "argv", ["", str(data / "study.json"), FIGURE, str(output)])
    runpy.run_path(str(example), run_name="__main__")
    plt.close("all")
    assert output.stat().st_size > 5_000
    if suffix == "svg":
        text = output.read_text()
        assert "match3" in text, "letters stay letters"
        assert "mean that the paper states" in text
