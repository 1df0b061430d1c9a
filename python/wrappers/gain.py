"""Measure what a server saves, and write it into docs/do/external-methods.md: `just server-gain`.

The same methods run twice on splits of Boston, one trial at a time: each trial in a process of its own, and all by one server.
"""
import datetime
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np
import uqbench

HERE = Path(__file__).parent
PAGE = HERE.parents[1] / "docs" / "do" / "external-methods.md"
HEADING, WRITTEN, NEXT = "## What a server saves", "Written by `just server-gain`", "\n## "
METHODS = {
    "numpy alone": HERE.parent / "examples" / "fixed_ridge.py",
    "LightGBM": HERE / "lightgbm_quantiles.py",
    "torch": HERE / "torch_ensemble.py",
}
COSTS = ["fit-cpu-seconds", "predict-seconds"]
BENCHMARK = """
id = "gain"
title = "Gain of a server"
protocol = {{ holdout = {{ test = {{ fraction = 0.1 }} }} }}
datasets = [{{ key = "boston", heading = "Boston" }}]
metrics = [{metrics}]
[[methods]]
id = "external"
parameters = {{ name = "method", command = ["{python}", "method.py"], files = ["method.py"] }}
columns = [{{ heading = "method" }}]
[profiles.smoke]
splits = {n}
[profiles.quick]
splits = {n}
[profiles.full]
splits = {n}
"""


def trials(wrapper, serves, n):
    """Processor seconds and wall seconds of each trial, in their order."""
    text = wrapper.read_text(encoding="utf-8")
    if not serves:
        text, found = re.subn(r'@method\("[^"]+"', r"\g<0>, server=False", text)
        assert found == 1, f"{wrapper} has no method that names itself"
    with tempfile.TemporaryDirectory() as folder:
        folder = Path(folder)
        (folder / "method.py").write_text(text, encoding="utf-8")
        # Where a benchmark scores times, each trial has a worker of its own, and a server would answer once.
        for name, metrics in (("gain.toml", ["crps"]), ("costs.toml", COSTS)):
            listed = ", ".join(f'{{ id = "{metric}", heading = "{metric}" }}' for metric in metrics)
            stated = BENCHMARK.format(python=sys.executable, n=n, metrics=listed)
            (folder / name).write_text(stated, encoding="utf-8")
        words = ["run", "gain.toml", "--allow-external", "--jobs", "1", "--store", "store", "--out", "out"]
        subprocess.run([uqbench.command(), *words], cwd=folder, check=True, stdout=subprocess.DEVNULL)
        scores = uqbench.scores(folder / "store", folder / "costs.toml")
        return [scores.where(metric=metric)["score"] for metric in COSTS]


def row(label, wrapper, n):
    """The cells of a method."""
    (alone, alone_wall), (served, served_wall) = (trials(wrapper, serves, n) for serves in (False, True))
    saved = 1 - served.sum() / alone.sum()
    processor = [np.median(alone), served[0], np.median(served[1:])]
    wall = [np.median(alone_wall), served_wall[0], np.median(served_wall[1:])]
    cells = (" / ".join(f"{value:.2f}" for value in values) for values in (processor, wall))
    return [f"{label} (`{wrapper.name}`)", str(n), *cells, f"{100 * saved:.0f} %"]


def main(n):
    heading = ["Method", "n", "Processor seconds", "Wall seconds", "Saved"]
    rows = [row(label, wrapper, n) for label, wrapper in METHODS.items()]
    table = [heading, ["---"] + ["---:"] * 4, *rows]
    lines = "\n".join("| " + " | ".join(cells) + " |" for cells in table)
    before, rest = PAGE.read_text(encoding="utf-8").split(HEADING)
    text, after = rest.split(NEXT, 1)
    said = text.split(WRITTEN)[0]
    day, load = datetime.date.today(), os.getloadavg()[1]
    written = f"{WRITTEN} on {day}, when {load:.1f} processes wanted the {os.cpu_count()} processors of the machine."
    PAGE.write_text(f"{before}{HEADING}{said}{written}\n\n{lines}\n{NEXT}{after}", encoding="utf-8")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 10)
