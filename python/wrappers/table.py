"""Check every wrapper against the contract, compare all on Boston, and write the end of docs/do/wrappers.md.

`just wrappers` runs this. Words are names of wrappers to check; without a word all are checked, and the page is
written. A check is run again where the wrapper is newer than its last one.
"""
import datetime
import json
import os
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import uqbench

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
CACHE = ROOT / "target" / "wrappers"
# Other files compare methods, and make none.
PYTHON = [path for path in HERE.glob("*.py") if "\n@method(" in path.read_text(encoding="utf-8")]
WRAPPERS = sorted([*PYTHON, *HERE.glob("*.R")], key=lambda path: path.name.lower())
METRICS = {"crps": "CRPS", "rmse": "RMSE", "picp(level=0.95)": "Coverage (95 %)"}
OURS = ["quantile-forest", "exact-gp", "linear-gaussian"]
REPEATS, ROWS = "the same seed gives the same numbers", "a row's prediction does not depend on the other test rows"
PAGE, HEADING = ROOT / "docs" / "do" / "wrappers.md", "## Checked and compared"


def command(wrapper):
    """The words that run a wrapper."""
    return ["Rscript" if wrapper.suffix == ".R" else sys.executable, str(wrapper)]


def kept(wrapper):
    """The file of the last check of a wrapper."""
    return CACHE / f"{wrapper.stem}.json"


def check(wrapper):
    """Runs `uqbench method check`, and keeps what it says."""
    words = [uqbench.command(), "method", "check", "--timeout", "600", *command(wrapper)]
    ended = subprocess.run(words, capture_output=True, text=True)
    lines = (ended.stdout + ended.stderr).splitlines()
    kept(wrapper).write_text(json.dumps({"follows": ended.returncode == 0, "lines": lines}))
    print(f"{wrapper.name}: {lines[-1]}", flush=True)


def compare():
    """Runs wrappers.toml."""
    folders = ["--store", CACHE / "store", "--out", CACHE / "report"]
    options = ["--allow-external", "--profile", "full", "--jobs", "1", *folders]
    # The `python` of wrappers.toml is the one that runs this file.
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    words = map(str, [uqbench.command(), "run", HERE / "wrappers.toml", *options])
    code = subprocess.run(words, env={**os.environ, "PATH": path}).returncode
    if code not in (0, 3):
        raise SystemExit(f"running wrappers.toml ended with code {code}; the reason is above")


def stored():
    """The scores of wrappers.toml. Every wrapper is the method `external`, whose parameters have its name."""
    scores = uqbench.scores(CACHE / "store", HERE / "wrappers.toml", profile="full")
    pairs = zip(scores["parameters"], scores["method"])
    named = uqbench.Table({**scores, "method": np.array([json.loads(text).get("name", id) for text, id in pairs])})
    # Means are comparable over the splits that all scored methods have.
    scored = named.where(metric="crps", outcome="ok")
    common = set.intersection(*(set(scored.where(method=method)["split"]) for method in set(scored["method"])))
    keep = np.isin(named["split"], list(common))
    return uqbench.Table({name: column[keep] for name, column in named.items()})


def found(lines, verdict, what):
    """Whether a line of a check has this verdict on a question that begins so."""
    return any(line.startswith(verdict) and what in line for line in lines)


def row(wrapper, scores):
    """The row of a wrapper: what the check says, and its mean scores, or why it has none."""
    last = json.loads(kept(wrapper).read_text())
    lines, own = last["lines"], scores.where(method=wrapper.stem)
    refused = sorted(set(own["reason"][own["outcome"] != "ok"]) - {""})
    verdict = "follows" if last["follows"] else "unavailable" if "unavailable:" in lines[1] else "does not follow"
    answers = ("yes" if found(lines, "passed", what) else "–" for what in (REPEATS, ROWS))
    return [f"`{wrapper.name}`", verdict, *answers, *means(own)], [f"`{wrapper.name}`: {reason}" for reason in refused]


def means(own):
    """The number of splits, and the mean of each metric over them, as text."""
    values = (own.where(metric=metric, outcome="ok")["score"] for metric in METRICS)
    splits = str(len(own.where(metric="crps", outcome="ok")["score"]))
    return [splits, *(f"{np.mean(scores):.3g}" if len(scores) else "–" for scores in values)]


def versions(wrappers):
    """Every package with its version, as the descriptions state them."""
    lines = [json.loads(kept(wrapper).read_text())["lines"][0] for wrapper in wrappers]
    stated = {pair for line in lines for pair in re.findall(r"([\w-]+) (\d[\w.]*)", line.split("`, ")[-1])}
    return ", ".join(f"{name} {version}" for name, version in sorted(stated, key=lambda pair: pair[0].lower()))


def write(scores):
    """Writes the end of docs/do/wrappers.md, from its heading on."""
    heading = ["Wrapper", "Contract", "Same seed, same numbers", "Rows independent", "n", *METRICS.values()]
    rows, reasons = zip(*(row(wrapper, scores) for wrapper in WRAPPERS))
    ours = [[f"`{own}` of uqbench", "", "", "", *means(scores.where(method=own))] for own in OURS]
    table = [heading, ["---"] * 4 + ["---:"] * (1 + len(METRICS)), *rows, *ours]
    program = subprocess.run([uqbench.command(), "--version"], capture_output=True, text=True).stdout.strip()
    parts = [
        PAGE.read_text(encoding="utf-8").split(HEADING)[0] + HEADING,
        f"Written by `just wrappers` on {datetime.date.today()}: {program}, {versions(WRAPPERS)}.",
        "\n".join("| " + " | ".join(cells) + " |" for cells in table),
        "\n".join(f"- {reason}" for several in reasons for reason in several),
    ]
    PAGE.write_text("\n\n".join(parts) + "\n", encoding="utf-8")


def main(names):
    CACHE.mkdir(parents=True, exist_ok=True)
    unknown = set(names) - {wrapper.stem for wrapper in WRAPPERS}
    if unknown:
        known = ", ".join(wrapper.stem for wrapper in WRAPPERS)
        raise SystemExit(f"no wrapper is called {', '.join(sorted(unknown))}; there are {known}")
    for wrapper in WRAPPERS:
        is_new = not kept(wrapper).exists() or kept(wrapper).stat().st_mtime < wrapper.stat().st_mtime
        if is_new and (not names or wrapper.stem in names):
            check(wrapper)
    if not names:
        compare()
        write(stored())


if __name__ == "__main__":
    main(sys.argv[1:])
