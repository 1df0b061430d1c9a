"""Compare methods of uqbench with their peers in other packages, and write the end of peers.md
in reports/laboratory: `just peers`.

Reads the trials of peers.toml, whose methods come in pairs, ours first. Peers whose trials are too short for the clock of
processes are measured here.
"""
import datetime
import importlib
import json
import subprocess
import tempfile
import time
import tomllib
from pathlib import Path

import numpy as np
import uqbench
from scipy.stats import t as student
from threadpoolctl import threadpool_limits

HERE = Path(__file__).parent
CACHE = HERE.parents[1] / "target" / "wrappers"
PAGE, HEADING = HERE.parents[1] / "reports" / "laboratory" / "peers.md", "## Measured"
# Pairs of forests: the package counts distinct rows of a leaf, ours a row as often as it was drawn.
UNEQUAL = ("Quantile forest", "Conformalised quantiles")
BENCHMARK = tomllib.loads((HERE / "peers.toml").read_text(encoding="utf-8"))
PAIRS = list(zip(BENCHMARK["methods"][::2], BENCHMARK["methods"][1::2]))
#: Largest difference that agrees: a share of our mean, in nats for the log-likelihood, a difference for coverage.
METRICS = {"crps": 0.05, "rmse": 0.05, "log-likelihood": 0.02, "picp(level=0.95)": 0.03}
#: The scores of a method that has none: one for each split.
MISSING = np.full(BENCHMARK["profiles"]["full"]["splits"], np.nan)
#: Test rows by training rows: the correlation of splits (Nadeau and Bengio, 2003).
OVERLAP = 1 / 9
#: What trials cost, in seconds.
COSTS = ["fit-cpu-seconds", "predict-cpu-seconds", "predict-seconds"]
#: Shortest trial of a peer whose stored time is used: ten ticks of the clock of processes.
SHORTEST = 0.1


def stored():
    """The scores of each split by (heading, dataset, metric), from the store."""
    metrics = ",".join([*METRICS, *COSTS])
    with tempfile.TemporaryDirectory() as folder:
        words = ["--benchmarks", HERE / "peers.toml", "--profile", "full", "--metrics", metrics, "--out", folder]
        words += ["--store", CACHE / "peers"]
        ended = subprocess.run([uqbench.command(), "compare", *map(str, words)], capture_output=True, text=True)
        if ended.returncode not in (0, 3):
            raise SystemExit(ended.stderr.strip())
        rows = json.loads((Path(folder) / "comparison.json").read_text(encoding="utf-8"))
    def splits(row):
        """One score for each split; NaN where there is none, an empty text."""
        return np.array([float(cell or "nan") for cell in row["repetitions"].split(" ")])

    return {(row["method"], row["dataset"], row["metric"]): splits(row) for row in rows}


def stored_seconds(method, dataset, scores):
    """Processor seconds of fit and prediction of each split, NaN where it has no trial.

    The fit of an external method has those of its prediction. A trial of ours that is older than the measurement of predictions
    has their wall time, which is no shorter on one thread.
    """
    heading = method["columns"][0]["heading"]
    fit, predict, wall = (scores.get((heading, dataset, cost), MISSING) for cost in COSTS)
    return fit if method["id"] == "external" else fit + np.where(np.isfinite(predict), predict, wall)


def seconds(pair, dataset, scores):
    """Median processor seconds of fit and prediction of both, and whether the peer's were measured in this process.

    Both medians are over the same splits. The first one is left out: trials run by dataset and method, so that it has the start
    of the peer's server, Python and the import of packages, in it. So has the first one of a run that went on later, which a
    median leaves out, too.
    """
    ours, theirs = (stored_seconds(method, dataset, scores)[1:] for method in pair)
    common = np.isfinite(ours) & np.isfinite(theirs)
    if not common.any():
        return None
    mine, peer = np.median(ours[common]), np.median(theirs[common])
    is_short = bool(peer < SHORTEST)
    return mine, in_process(pair[1]["parameters"], dataset) if is_short else peer, is_short


def in_process(peer, dataset, repeats=5):
    """Median processor seconds of fits of nine tenths of the rows and predictions of the rest, in this process.

    The first fit is left out, as the first trial of a server is.
    """
    kept = CACHE / f"median-cost-{peer['name']}-{dataset}.json"
    if kept.exists():
        return json.loads(kept.read_text())
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "rows.csv"
        words = ["data", "export", dataset, file]
        subprocess.run([uqbench.command(), *map(str, words)], check=True, capture_output=True)
        rows = np.loadtxt(file, delimiter=",", skiprows=1)
    rows = np.random.default_rng(1).permutation(rows)
    scale = np.where(np.ptp(rows, axis=0) > 0, rows.std(axis=0), 1.0)
    test, train = np.split((rows - rows.mean(axis=0)) / scale, [len(rows) // 10])
    request = uqbench.Request(seed=1, levels=BENCHMARK["ask"]["quantile_levels"], settings=peer["settings"])
    fit_predict = getattr(importlib.import_module(peer["name"]), peer["name"])
    times = []
    with threadpool_limits(1):
        for _ in range(1 + repeats):
            began = time.process_time()
            fit_predict(train[:, :-1], train[:, -1], test[:, :-1], request)
            times.append(time.process_time() - began)
    kept.write_text(json.dumps(np.median(times[1:])))
    return np.median(times[1:])


def compared(ours, theirs):
    """Mean difference, theirs less ours, with the half width of its 95 % interval."""
    differences = theirs - ours
    n = len(differences)
    half = student.ppf(0.975, n - 1) * np.sqrt((1 / n + OVERLAP) * differences.var(ddof=1)) if n > 1 else np.inf
    return differences.mean(), half


def judged(difference, half, margin):
    """What the interval of a difference says, of which a positive one is in our favour."""
    if abs(difference) > half:
        return "ours worse" if difference < 0 else "ours better"
    return "agree" if abs(difference) + half <= margin else "undecided"


def row(pair, dataset, scores):
    """The cells of a pair on a dataset, and its name where ours is worse, where slower; None without common splits."""
    ours, peer = (method["columns"][0]["heading"] for method in pair)
    found = {}
    for metric in METRICS:
        both = [scores.get((heading, dataset, metric), MISSING) for heading in (ours, peer)]
        common = np.isfinite(both[0]) & np.isfinite(both[1])
        found[metric] = [values[common] for values in both]
    n = len(found["crps"][0])
    if n == 0:
        return None
    cells, words = [ours, peer.removeprefix(f"{ours}, "), dataset, str(n)], []
    for metric, margin in METRICS.items():
        mine, theirs = found[metric]
        if not len(mine):
            cells.append("–")
            words.append("–")
            continue
        difference, half = compared(mine, theirs)
        if metric == "log-likelihood":
            change = f"{-difference:+.3f}" + (f" ± {half:.3f}" if np.isfinite(half) else "")
            cells.append(f"{mine.mean():.3f} / {theirs.mean():.3f} ({change})")
            words.append(judged(-difference, half, margin))
        elif metric.startswith("picp"):
            # Which coverage is better depends on its side of the level: only agreement is judged.
            cells.append(f"{mine.mean():.3f} / {theirs.mean():.3f}")
            word = judged(-abs(difference), half, margin)
            words.append("differ" if word == "ours worse" else word)
        else:
            share = 100 / mine.mean()
            change = f"{share * difference:+.1f} %" + (f" ± {share * half:.1f} %" if np.isfinite(half) else "")
            cells.append(f"{mine.mean():.3g} / {theirs.mean():.3g} ({change})")
            words.append(judged(difference, half, margin * mine.mean()))
    mine, theirs, is_short = seconds(pair, dataset, scores) or (np.nan, np.nan, False)
    mark = r" \*" if is_short else ""
    cost = f"{mine:.3g} / {theirs:.3g}{mark}" if np.isfinite(mine) else "–"
    cells += [" / ".join(words), cost]
    name = f"{ours} on {dataset}"
    return cells, (name if "ours worse" in words[:3] else None, name if mine > theirs else None)


def added(rows):
    """Which pairs have other splits than most: where splits were added, a count of the pairs that are worse is not that of the plan."""
    counts = [cells[3] for cells, _ in rows]
    most = max(set(counts), key=counts.count) if counts else "0"
    others = [f"{cells[0]} on {cells[2]} has {cells[3]}" for cells, _ in rows if cells[3] != most]
    return f" That is so with {most} splits a pair, but {', '.join(others)} (see below why)." if others else ""


def unequal(rows):
    """How many pairs are compared with settings that differ: what they show is not of the method."""
    count = sum(cells[0] in UNEQUAL for cells, _ in rows)
    names = " and ".join(name for name in UNEQUAL if any(cells[0] == name for cells, _ in rows))
    return f" {count} of these, those of {names}, compare other minimum leaves: “ours better” says nothing there." if count else ""


def write(scores):
    """Writes the first line and the end of reports/laboratory/peers.md."""
    datasets = [dataset["key"] for dataset in BENCHMARK["datasets"]]
    rows = [found for pair in PAIRS for dataset in datasets if (found := row(pair, dataset, scores))]
    worse, slower = ([flags[k] for _, flags in rows if flags[k]] for k in range(2))

    def listed(names):
        return f"{len(names)} ({'; '.join(names)})" if names else "none"

    heading = ["Ours", "Peer", "Dataset", "n", "CRPS", "RMSE", "Log-likelihood", "Coverage (95 %)", "Judgement", "Seconds"]
    table = [heading, ["---"] * 3 + ["---:"] * 5 + ["---", "---:"], *(cells for cells, _ in rows)]
    program = subprocess.run([uqbench.command(), "--version"], capture_output=True, text=True).stdout.strip()
    text = PAGE.read_text(encoding="utf-8").split(HEADING)[0].split("\n", 2)[2]
    lines = "\n".join("| " + " | ".join(cells) + " |" for cells in table)
    written = f"Written by `just peers` on {datetime.date.today()} with {program}; n splits are common to both."
    where = ", ".join(dict.fromkeys(cells[2] for cells, _ in rows))
    found = f"Of {len(rows)} comparisons (on {where}) ours is significantly worse by CRPS, RMSE or log-likelihood in {listed(worse)}"
    first = f"**{found}, and slower in {listed(slower)}.{added(rows)}{unequal(rows)}**"
    PAGE.write_text(f"{first}\n\n{text}{HEADING}\n\n{written}\n\n{lines}\n", encoding="utf-8")


if __name__ == "__main__":
    CACHE.mkdir(parents=True, exist_ok=True)
    write(stored())
