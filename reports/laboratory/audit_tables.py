"""Write the tables on which false alarms of `uqbench audit-table` are counted, audit each, and print what is found.

python3 reports/laboratory/audit_tables.py PROGRAM ORIGINALS OUT

ORIGINALS holds the printed results of other papers (original_tables.toml, and papers/ with authors' result files); a table
whose files are absent is left out and named. The other tables are printed from the committed reports of this repository.
"""
import csv
import gzip
import math
import statistics as st
import subprocess
import sys
import tomllib
from collections import defaultdict
from pathlib import Path

PROGRAM, ORIGINALS, OUT = sys.argv[1], Path(sys.argv[2]), Path(sys.argv[3])
REPORTS = Path(__file__).resolve().parent.parent
KEYS = {
    "bostonHousing": "boston", "power-plant": "power", "powerplant": "power", "naval-propulsion-plant": "naval",
    "protein-tertiary-structure": "protein", "wine-quality-red": "wine-red", "wine": "wine-red", "Boston": "boston",
    "Concrete": "concrete", "Energy": "energy", "Kin8nm": "kin8nm", "Naval": "naval", "Power": "power",
    "Protein": "protein", "Wine": "wine-red", "Yacht": "yacht",
}


def key(name):
    return KEYS.get(name, name)


def write(name, head, rows):
    """A file of printed numbers: rows of dataset, method, metric, value, spread."""
    with open(OUT / f"{name}.csv", "w", newline="") as file:
        file.writelines(f"# {line}\n" for line in head)
        writer = csv.writer(file)
        writer.writerow(["dataset", "method", "metric", "value", "spread", "spread_kind", "count"])
        writer.writerows(rows)


def digits(value, places):
    return f"{value:.{places}f}"


def originals():
    """Tables typed or computed from other papers, a table for each."""
    names = {"nll": "nll", "log_likelihood": "ll", "rmse": "rmse"}
    tables = defaultdict(list)
    with open(ORIGINALS / "original_tables.toml", "rb") as file:
        for cell in tomllib.load(file)["cell"]:
            if cell["metric"] in names and cell["status"].startswith("seen"):
                tables[cell["paper"]].append(cell)
    for paper, cells in tables.items():
        seen, rows = set(), []
        for cell in cells:
            row = [key(cell["dataset"]), cell["method"], names[cell["metric"]]]
            if tuple(row) in seen:
                continue
            seen.add(tuple(row))
            kind = cell.get("spread_kind", "").split(" ")[0] if cell.get("spread") else ""
            rows.append(row + [cell["value"], cell.get("spread", ""), kind, cell.get("count", "")])
        write(f"original-{paper}", [], rows)


def kompa():
    files = ["lr", "model_output_summary_gp", "model_output_summary_non_svi_eb", "model_output_summary_svi_eb"]
    scores = defaultdict(list)
    for file in files:
        path = ORIGINALS / "papers/kompa-2021/data/processed" / f"{file}.csv"
        for row in csv.DictReader(open(path)):
            if row["traintest"] == "test":
                for metric in ("coverage", "rmse"):
                    scores[key(row["dataset"]), row["method"], metric].append(float(row[metric]))
    rows = []
    for (dataset, method, metric), values in scores.items():
        error = st.stdev(values) / math.sqrt(len(values))
        rows.append([dataset, method, metric, digits(st.mean(values), 4), digits(error, 4), "se", len(values)])
    write("kompa-2021", ["protocol = standard"], rows)


def nnuncert(kind):
    names = {"rmse": "rmse", "crps": "crps", "log_score": "ll", "picp": "coverage", "mpiw": "width"}
    rows = []
    for path in sorted((ORIGINALS / "papers/nnuncert-2021/results/uci" / kind).glob("*_test.csv")):
        lines = list(csv.reader(open(path)))
        for at in range(1, len(lines[0])):
            if lines[1][at] in names:
                values = [float(line[at]) for line in lines[2:] if line[at]]
                rows.append([key(path.stem.removesuffix("_test")), lines[0][at], names[lines[1][at]],
                             digits(st.mean(values), 3), digits(st.stdev(values), 3), "sd", len(values)])
    write(f"nnuncert-{kind}", [], rows)


def easyuq():
    scores = defaultdict(list)
    with gzip.open(ORIGINALS / "papers/easyuq-2024/per-split-derived.csv.gz", "rt") as file:
        for row in csv.DictReader(file):
            names = {"test_crpsidr": "crps", "test_ll": "nll"}
            if row["repository"] == "easyuq" and row["quantity"] in names:
                scores[key(row["set"]), row["method"], names[row["quantity"]]].append(float(row["value"]))
    rows = [[*column, digits(st.mean(values), 3), digits(st.stdev(values), 3), "sd", len(values)]
            for column, values in scores.items()]
    write("easyuq-2024", ["protocol = standard"], rows)


def readme():
    rows = []
    for row in csv.DictReader(open(ORIGINALS / "papers/uq-bnn-readme/table.csv")):
        metric = {"rmse": "rmse", "nll": "nll", "ll": "ll", "log_likelihood": "ll"}.get(row["metric"])
        if metric:
            rows += [[key(row["set"]), method, metric, row[method], row[f"{method}_sd"], "sd", 20]
                     for method in ("keras", "dropout", "bbb")]
    write("uq-bnn-readme", ["protocol = standard"], rows)


def baselines():
    rows = []
    for row in csv.DictReader(open(ORIGINALS / "papers/uncertainty-baselines-uci/table.csv")):
        rows += [[key(name), row["method"], "nll", row[name], "", "", ""] for name in row if name != "method"]
    write("uncertainty-baselines-uci", [], rows)


def own(report, methods=None, places=2):
    """Our own means and standard deviations, printed as a paper would."""
    names = {"rmse": "rmse", "log-likelihood": "ll", "crps": "crps", "picp(level=0.95)": "coverage"}
    rows = []
    for row in csv.DictReader(open(REPORTS / f"{report}.csv")):
        is_whole = not row["x"] and row["mean"] and row["sd"] and row["n"] == row["expected"] and int(row["n"]) > 1
        if row["metric"] in names and not row["variant"] and is_whole and (methods is None or row["column"] in methods):
            metric = names[row["metric"]]
            more = places + (2 if metric == "coverage" else 0)
            rows.append([row["dataset"].split(":")[0], row["column"], metric, digits(float(row["mean"]), more),
                         digits(float(row["sd"]), more), "sd", row["n"]])
    write(f"own-{report}" + ("" if methods is None else f"-{places}"), [], rows)


def main():
    OUT.mkdir(parents=True, exist_ok=True)
    steps = [originals, kompa, *[lambda kind=kind: nnuncert(kind) for kind in ("random", "gap", "tail")], easyuq,
             readme, baselines, *[lambda name=name: own(name) for name in
                                  ("jcm-table-2", "jcm-table-3")],
             lambda: own("baselines-standard", {"ngboost", "exact-gp", "pbp", "ridge"}, 3)]
    for step in steps:
        try:
            step()
        except FileNotFoundError as error:
            print(f"left out: {error.filename} is absent")
    for path in sorted(OUT.glob("*.csv")):
        ended = subprocess.run([PROGRAM, "audit-table", str(path)], capture_output=True, text=True)
        print(f"\n=== {path.stem}: exit code {ended.returncode}{ended.stderr}")
        keep = [line for line in ended.stdout.splitlines()
                if line.startswith(("| excluded", "| unlikely", "| likelier", "| cannot")) or line.startswith("It has")]
        print("\n".join(keep))


main()
