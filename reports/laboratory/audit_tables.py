"""Write the tables on which false alarms of `uqbench audit-table` are counted, audit each, and print what is found.

python3 reports/laboratory/audit_tables.py PROGRAM ORIGINALS OUT

First come the tables of the first count, then those of the second one, which nobody had looked at before (ibug-*, clear-*).

ORIGINALS holds the printed results of other papers (original_tables.toml, and papers/ with authors' result files); a table
whose files are absent is left out and named. The other tables are printed from the committed reports of this repository.
"""
import csv
import gzip
import math
import re
import statistics as st
import subprocess
import sys
import tomllib
from collections import Counter, defaultdict
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


def write(name, head, rows, more=()):
    """A file of printed numbers: rows of dataset, method, metric, value, spread, its kind, the count, and more fields."""
    with open(OUT / f"{name}.csv", "w", newline="") as file:
        file.writelines(f"# {line}\n" for line in head)
        writer = csv.writer(file)
        writer.writerow(["dataset", "method", "metric", "value", "spread", "spread_kind", "count", *more])
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


def ibug():
    """LaTeX cells such as `{\\bfseries 0.829$_{(0.013)}$}`: the mean of 20 splits and its standard error."""
    for folder, metric in (("CRPS", "crps"), ("NLL", "nll"), ("CRPS", "rmse"), ("NLL", "rmse")):
        path = ORIGINALS / f"papers/ibug-2022/extended_results/{folder}/test_{metric.upper()}.csv"
        rows = []
        for row in csv.DictReader(open(path)):
            for method in list(row)[1:]:
                cell = re.search(r"(-?[0-9.]+)\$_\{\(([0-9.]+)\)\}", row[method] or "")
                if cell:
                    rows.append([key(row["dataset"]), method.split("_")[0], metric, cell[1], cell[2], "se", 20])
        write(f"ibug-{metric}-by-{folder.lower()}", [], rows)


def clear():
    """Means and standard deviations over ten splits; the test rows are a fifth, of sets whose size we know."""
    sizes = {"concrete": 1030, "energy": 768, "kin8nm": 8192, "naval": 11934, "power": 9568}
    keys = {"energy_efficiency": "energy", "naval_propulsion": "naval", "powerplant": "power"}
    names = {"picp": "coverage", "mpiw": "width", "crps": "crps"}
    rows = defaultdict(list)
    with gzip.open(ORIGINALS / "papers/clear-2025/summary-derived.csv.gz", "rt") as file:
        for row in csv.DictReader(file):
            dataset = row["Dataset"].removeprefix("data_")
            dataset = keys.get(dataset, dataset)
            if row["Metric"] in names:
                places = 5 if row["Metric"] == "picp" else 4
                tested = math.ceil(0.2 * sizes[dataset]) if dataset in sizes else ""
                rows[row["variant"]].append([dataset, row["Method"], names[row["Metric"]], digits(float(row["mean"]), places),
                                             digits(float(row["std"]), places), "sd", row["count"], tested])
    for variant, numbers in rows.items():
        write(f"clear-{variant}", [], numbers, ["test_rows"])


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


def audited(path):
    """The findings on a table, one a line, and how many there are of each verdict."""
    ended = subprocess.run([PROGRAM, "audit-table", str(path)], capture_output=True, text=True)
    rows = [[cell.strip() for cell in line.strip("|").split(" | ")] for line in ended.stdout.splitlines()
            if line.startswith("| ")]
    verdicts = ("excluded", "unlikely", "likelier", "the same", "cannot")
    found = [row for row in rows if row[0].startswith(verdicts)]
    counted = re.search(r"It has ([^.]*)", ended.stdout)
    print(f"\n=== {path.stem}: exit code {ended.returncode}; {counted[1] if counted else ended.stderr.strip()}")
    same = Counter(re.search(r"are those of (.*?),", row[5])[1] for row in found if row[0].startswith("the same"))
    for table, count in same.items():
        print(f"the same numbers | {count} column{'s are' if count > 1 else ' is'} among those of {table}")
    for verdict, rule, lines, dataset, column, evidence in found:
        if verdict.startswith("the same"):
            continue
        lines = lines if len(lines) < 30 else lines[:27] + "..."
        print(f"{verdict} | {rule} | lines {lines} | {dataset or 'all datasets'} | {column} | {evidence}")
    return Counter(re.sub(r", [0-9o].*", "", row[0]) for row in found)


def main():
    OUT.mkdir(parents=True, exist_ok=True)
    first = [originals, kompa, *[lambda kind=kind: nnuncert(kind) for kind in ("random", "gap", "tail")], easyuq,
             readme, baselines, *[lambda name=name: own(name) for name in
                                  ("jcm-table-2", "jcm-table-3")],
             lambda: own("baselines-standard", {"ngboost", "exact-gp", "pbp", "ridge"}, 3)]
    for step in [*first, ibug, clear]:
        try:
            step()
        except FileNotFoundError as error:
            print(f"left out: {Path(error.filename).name} is absent")
    files = sorted(OUT.glob("*.csv"))
    is_second = lambda path: path.stem.startswith(("ibug", "clear"))
    for title, chosen in (("First count", [path for path in files if not is_second(path)]),
                          ("Second count", [path for path in files if is_second(path)])):
        print(f"\n# {title}")
        counts = sum((audited(path) for path in chosen), Counter())
        print(f"\n{len(chosen)} tables: " + (", ".join(f"{count} {verdict}" for verdict, count in sorted(counts.items()))))


main()
