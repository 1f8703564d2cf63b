"""A figure of a paper again, with the paper's numbers beside ours, from a study's JSON.

    azulejo study re --quick --json > re.json
    python paper_figure.py re.json re.fig16a figure.pdf

Cells begin with `# %%`: editors and Jupyter (with jupytext) run them one by one.
"""

# %% What to draw: a study's file, one of its figures, and where to (PDF, SVG or PNG).
import sys

import azulejo
from azulejo import plot

words = [*sys.argv[1:], *["re.json", "re.fig16a", "figure.pdf"][len(sys.argv) - 1 :]]
source, figure_id, output = words[:3]

# %% The study: figures by their ids, each a data frame with a row for each demo.
study = azulejo.load_study(source)
print(study.machine, *study.figures)
figure = study.figures[figure_id]
print((figure.scale * figure.table).round(1).to_string())

# %% What the paper states, what we found, and the trends that must hold over all demos.
print(study.stated.round(3).to_string(index=False))
for trend in study.trends.itertuples():
    print("holds        " if trend.holds else "does not hold", trend.claim, f"({trend.found})")

# %% The figure: bars by demo, our mean, and the paper's. Parts of a whole stand on each other.
parts = {
    "re.fig13a": ["geometry", "raster"],
    "re.fig13b": ["memory", "GPU"],
    "re.fig14a": ["equal inputs", "equal colours only", "different"],
    "re.fig14b": ["Parameter Buffer", "texels", "colours"],
}
stacked = figure_id in parts
ax = plot.bars(figure, columns=parts.get(figure_id), stacked=stacked)
if figure.unit == "percent" and figure_id != "re.fig2":
    ax.axhline(100, color="black", linewidth=0.6, zorder=2)
plot.save(ax, output)
