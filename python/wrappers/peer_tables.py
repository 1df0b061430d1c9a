"""Compare `uqbench try` with boosting and forests on tables that nothing was developed on: `just peer-tables`.

Two sets, whose pages are in reports/laboratory: `packages` (package-tables.md) and `judging` (tables-boosting.md), for which `--data` names
a copy of treforevans/uci_datasets. Both pages state the rules, which were committed before the first run. Every table, repetition and
method is stored in target/wrappers/peer-tables, so that a run that was stopped goes on; a run of the same command beside it takes what is not
yet stored. `--limit SECONDS` stops before the next one. `--write` writes the end of the page from what is stored, and the results
themselves into a CSV file beside it, from which a run on another machine goes on.
"""
import argparse
import csv
import datetime
import importlib
import json
import re
import resource
import subprocess
import tempfile
import time
from pathlib import Path

import numpy as np
import pandas as pd
import uqbench
from scipy.stats import beta

HERE = Path(__file__).parent
CACHE = HERE.parents[1] / "target" / "wrappers" / "peer-tables"
PAGES, HEADING = HERE.parents[1] / "reports" / "laboratory", "## Judged"
LEVEL, FOLDS = 0.9, 10
ALPHA = 1 - LEVEL
ENDS = (ALPHA / 2, 1 - ALPHA / 2)
#: Levels of the quantiles whose pinball losses approach the CRPS.
QUANTILES = tuple(round(0.05 * number, 2) for number in range(1, 20))
OURS = "uqbench try"
#: Page, rows of its list as (package, table, target), repetitions, and the peers that CV+ calibrates, of each set.
SETS = {
    "packages": (
        "package-tables.md",
        r"^\| (statsmodels|vega_datasets|MASS) \| (\S+) \| \d+ \| \d+ \| `([^`]+)`",
        (1, 2, 3),
        {"LightGBM", "CatBoost"},
    ),
    "judging": (
        "tables-boosting.md",
        r"^()\| (\S+) \| [89a-f] \| (judge) \|",
        (0, 1, 2),
        {"LightGBM", "CatBoost", "NGBoost", "quantile-forest"},
    ),
}
#: What is stored of one method on one table and repetition; a failed one has an error instead.
FIELDS = ("score", "crps", "covered", "rows", "blank", "width", "seconds", "chosen", "error")


def listed(name):
    """Package, table and target of each row of the set's page."""
    page, row, *_ = SETS[name]
    lines = (PAGES / page).read_text(encoding="utf-8").splitlines()
    return [("uci", found[2], "y") if found[1] == "" else found.groups() for line in lines if (found := re.match(row, line))]


def uci(name, folder):
    """A table of treforevans/uci_datasets, and for each fold which rows are its test set."""
    rows = np.loadtxt(folder / name / "data.csv.gz", delimiter=",")
    masks = np.loadtxt(folder / name / "test_mask.csv.gz", delimiter=",").astype(bool)
    names = [f"x{number}" for number in range(1, rows.shape[1])] + ["y"]
    return pd.DataFrame(rows, columns=names), masks


def table(package, name):
    """A table as its package has it; an index of dates is the column `date`."""
    if package == "statsmodels":
        data = importlib.import_module(f"statsmodels.datasets.{name}").load_pandas().data
        return data.rename_axis("date").reset_index() if isinstance(data.index, pd.DatetimeIndex) else data
    if package == "vega_datasets":
        return getattr(importlib.import_module(package).local_data, name.replace("-", "_"))()
    file = CACHE / "MASS" / f"{name}.csv"
    if not file.exists():
        file.parent.mkdir(parents=True, exist_ok=True)
        code = f'write.csv(MASS::{name}, "{file}", row.names = FALSE)'
        subprocess.run(["Rscript", "-e", code], check=True, capture_output=True)
    return pd.read_csv(file)


def divided(package, name, target, repetition, folder):
    """Training and test rows, in the table's order: a published fold, or a fifth of the rows drawn by the seed."""
    if package == "uci":
        data, masks = uci(name, folder)
        return data[~masks[:, repetition]], data[masks[:, repetition]]
    data = table(package, name)
    data = data[data[target].notna()].reset_index(drop=True)
    test = np.random.default_rng(repetition).permutation(len(data))[: round(len(data) / 5)]
    is_test = np.isin(np.arange(len(data)), test)
    return data[~is_test], data[is_test]


def numbers(train, test, target, one_hot):
    """Features of both parts: categories as columns of 0 and 1 and medians for what is missing, or as pandas has them."""
    both = pd.concat([train, test]).drop(columns=target)
    for column in both.columns:
        if pd.api.types.is_datetime64_any_dtype(both[column]):
            both[column] = both[column].map(pd.Timestamp.toordinal).astype(float)
        elif not pd.api.types.is_numeric_dtype(both[column]):
            both[column] = both[column].astype("string").fillna("missing").astype("category")
        else:
            both[column] = both[column].astype(float)
    if one_hot:
        both = pd.get_dummies(both, dtype=float)
        both = both.fillna(both[: len(train)].median()).fillna(0.0)
    if both.shape[1] == 0:
        raise ValueError("the table has no feature")
    return both[: len(train)], both[len(train) :]


def cv_plus(fit_ends, train, y, test):
    """CV+ of conformalised quantiles (Romano et al., 2019; Barber et al., 2021): `fit_ends` fits rows and gives the ends of others."""
    fold = np.random.default_rng(0).permutation(len(y)) % FOLDS
    low, high = np.empty((len(y), len(test))), np.empty((len(y), len(test)))
    for number in range(FOLDS):
        out = fold == number
        ends = fit_ends(train[~out], y[~out], pd.concat([train[out], test]))
        held, new = ends[: out.sum()], ends[out.sum() :]
        miss = np.maximum(held[:, 0] - y[out], y[out] - held[:, 1])
        low[out], high[out] = new[:, 0] - miss[:, None], new[:, 1] + miss[:, None]
    rank = int(np.ceil(LEVEL * (len(y) + 1)))
    below = np.sort(low, axis=0)[::-1][min(rank, len(y)) - 1]
    above = np.sort(high, axis=0)[min(rank, len(y)) - 1]
    return np.column_stack([below, above])


class LightGbm:
    """One fit for each level. LightGBM refuses some signs in names."""

    one_hot = False

    def fit(self, x, y, levels):
        from lightgbm import LGBMRegressor

        one = lambda level: LGBMRegressor(objective="quantile", alpha=level, n_jobs=1, verbose=-1)
        fits = [one(level).fit(self.named(x), y) for level in levels]
        return lambda new: np.column_stack([fit.predict(self.named(new)) for fit in fits])

    def named(self, x):
        return x.rename(columns={column: f"f{number}" for number, column in enumerate(x.columns)})


class CatBoost:
    one_hot = False

    def fit(self, x, y, levels):
        from catboost import CatBoostRegressor

        categories = [column for column in x.columns if isinstance(x[column].dtype, pd.CategoricalDtype)]
        loss = "MultiQuantile:alpha=" + ",".join(str(level) for level in levels)
        model = CatBoostRegressor(loss_function=loss, thread_count=1, allow_writing_files=False, cat_features=categories)
        return model.fit(x, y, verbose=False).predict


class NgBoost:
    one_hot = True

    def fit(self, x, y, levels):
        from ngboost import NGBRegressor

        model = NGBRegressor(verbose=False, random_state=1).fit(x.to_numpy(), y)

        def quantiles(new):
            found = model.pred_dist(new.to_numpy())
            return np.column_stack([found.ppf(level) for level in levels])

        return quantiles


class QuantileForest:
    one_hot = True

    def fit(self, x, y, levels):
        from quantile_forest import RandomForestQuantileRegressor

        forest = RandomForestQuantileRegressor(random_state=1, n_jobs=1).fit(x.to_numpy(), y)
        return lambda new: forest.predict(new.to_numpy(), quantiles=list(levels))


PEERS = {"LightGBM": LightGbm(), "CatBoost": CatBoost(), "NGBoost": NgBoost(), "quantile-forest": QuantileForest()}
METHODS = (OURS, *PEERS)


def of_peer(peer, calibrated, train, test, target, quantiles):
    """Interval ends of the test rows, by CV+ or as the package has them, and, if asked for, their quantiles by one further fit of all
    training rows; processor seconds of the ends."""
    start = seconds()
    x, new = numbers(train, test, target, peer.one_hot)
    y = train[target].to_numpy(dtype=float)

    def ends(rows, outcomes, others):
        return np.sort(peer.fit(rows, outcomes, ENDS)(others), axis=1)

    found = cv_plus(ends, x, y, new) if calibrated else ends(x, y, new)
    taken = seconds() - start
    return found, np.sort(peer.fit(x, y, QUANTILES)(new), axis=1) if quantiles else None, taken


def of_ours(train, test, target, quantiles):
    """The same by `uqbench try` as it comes."""
    start = seconds()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        train.to_csv(folder / "train.csv", index=False)
        test.drop(columns=target).to_csv(folder / "new.csv", index=False)
        words = ["try", folder / "train.csv", "--target", target, "--predict", folder / "new.csv"]
        words += ["--out", folder / "out.csv", "--figures", folder / "figures", "--jobs", "1"]
        words += ["--quantiles", ",".join(map(str, QUANTILES))] if quantiles else []
        ended = subprocess.run([uqbench.command(), *map(str, words)], capture_output=True, text=True)
        if ended.returncode != 0:
            raise ValueError(ended.stderr.strip()[-400:])
        # The default parser may be off by the last bit, which decides about outcomes at an end.
        out = pd.read_csv(folder / "out.csv", float_precision="round_trip")
    ends = out[["lower", "upper"]].to_numpy(dtype=float)
    asked = out[[f"q{level}" for level in QUANTILES]].to_numpy(dtype=float) if quantiles else None
    chosen = re.search(r"Recommended: `([^`]+)`", ended.stdout)
    return ends, asked, seconds() - start, chosen and chosen[1]


def seconds():
    """Processor seconds of this process and of those that it has ended."""
    own, ended = resource.getrusage(resource.RUSAGE_SELF), resource.getrusage(resource.RUSAGE_CHILDREN)
    return own.ru_utime + own.ru_stime + ended.ru_utime + ended.ru_stime


def measured(train, test, target, method, calibrated, quantiles):
    """Interval score, coverage, test rows and processor time; what went wrong, instead, where it did."""
    outcomes, start, chosen = test[target].to_numpy(dtype=float), seconds(), None
    try:
        if method == OURS:
            ends, asked, taken, chosen = of_ours(train, test, target, quantiles)
        else:
            ends, asked, taken = of_peer(PEERS[method], calibrated, train, test, target, quantiles)
    except Exception as error:  # noqa: BLE001: any failure is a result
        return {"error": f"{type(error).__name__}: {error}"[:400], "seconds": seconds() - start}
    answered = np.isfinite(ends).all(axis=1)
    low, high = ends[answered].T
    found = outcomes[answered]
    score = high - low + 2 / ALPHA * np.maximum(low - found, 0) + 2 / ALPHA * np.maximum(found - high, 0)
    result = {
        "score": float(score.mean()),
        "covered": int(((low <= found) & (found <= high)).sum()),
        "rows": len(found),
        "blank": int((~answered).sum()),
        "width": float((high - low).mean()),
        "seconds": taken,
        "chosen": chosen,
    }
    if asked is not None:
        off = found[:, None] - asked[answered]
        levels = np.array(QUANTILES)
        result["crps"] = float(2 * np.maximum(levels * off, (levels - 1) * off).mean())
    return result


def result_file(package, name, repetition, method):
    """Where a result is stored; an empty file is one that is being made."""
    return CACHE / "results" / f"{package}-{name}-{repetition}-{method}.json".replace(" ", "-")


def results_file(name):
    """The committed results of a set."""
    return PAGES / SETS[name][0].replace(".md", ".csv")


def restore(name):
    """Stores the committed results that this machine does not have."""
    if not results_file(name).exists():
        return
    with results_file(name).open(newline="", encoding="utf-8") as lines:
        for row in csv.DictReader(lines):
            file = result_file(row["package"], row["table"], row["repetition"], row["method"])
            words = {"chosen", "error"}
            result = {key: row[key] if key in words else json.loads(row[key]) for key in FIELDS if row[key] != ""}
            file.parent.mkdir(parents=True, exist_ok=True)
            if not file.exists():
                file.write_text(json.dumps(result))


def keep(name):
    """Writes all stored results of a set, from which `restore` stores them on another machine."""
    with results_file(name).open("w", newline="", encoding="utf-8") as out:
        rows = csv.writer(out, lineterminator="\n")
        rows.writerow(["package", "table", "repetition", "method", *FIELDS])
        for package, table_name, _ in listed(name):
            for repetition in SETS[name][2]:
                for method in METHODS:
                    file = result_file(package, table_name, repetition, method)
                    if file.exists() and file.stat().st_size:
                        found = json.loads(file.read_text())
                        rows.writerow([package, table_name, repetition, method, *(found.get(key) for key in FIELDS)])


def run(options):
    """Measures what is not stored, table by table."""
    start = time.monotonic()
    _, _, repetitions, calibrated = SETS[options.set]
    restore(options.set)
    for repetition in options.repetitions or repetitions:
        for package, name, target in listed(options.set):
            for method in options.methods.split(","):
                file = result_file(package, name, repetition, method)
                if time.monotonic() - start > options.limit:
                    return
                file.parent.mkdir(parents=True, exist_ok=True)
                try:
                    # A run beside this one leaves what this one has begun.
                    file.touch(exist_ok=False)
                except FileExistsError:
                    continue
                try:
                    train, test = divided(package, name, target, repetition, options.data)
                    result = measured(train, test, target, method, method in calibrated, quantiles=package == "uci")
                    file.write_text(json.dumps(result))
                except BaseException:
                    file.unlink()
                    raise
                print(package, name, repetition, method, result, flush=True)


def stored(name, repetitions):
    """The results of each table by method, one for each of these repetitions, and the tables of each repetition; tables without a
    whole repetition are left out."""
    found, counts = {}, {repetition: 0 for repetition in repetitions}
    for package, table_name, _ in listed(name):
        each = {}
        for repetition in counts:
            files = {method: result_file(package, table_name, repetition, method) for method in METHODS}
            if all(file.exists() and file.stat().st_size for file in files.values()):
                counts[repetition] += 1
                for method, file in files.items():
                    each.setdefault(method, []).append(json.loads(file.read_text()))
        if each:
            found[f"{package} {table_name}" if package != "uci" else table_name] = each
    return found, counts


def mean(results, key):
    """The mean over repetitions; NaN where one has failed."""
    return float(np.mean([result.get(key, np.nan) for result in results]))


def covered(results):
    """Coverage, and its Clopper-Pearson interval with each repetition's rows counted once in all."""
    rows = sum(result.get("rows", 0) for result in results)
    hits = sum(result.get("covered", 0) for result in results)
    if rows == 0:
        return np.nan, np.nan, np.nan
    n, k = round(rows / len(results)), round(hits / len(results))
    low = beta.ppf(0.025, k, n - k + 1) if k else 0.0
    high = beta.ppf(0.975, k + 1, n - k) if k < n else 1.0
    return hits / rows, low, high


def in_words(ratios):
    """A geometric mean with its bootstrap interval over tables."""
    logs = np.log(ratios[np.isfinite(ratios)])
    drawn = np.random.default_rng(1).choice(logs, (10000, len(logs))).mean(axis=1)
    low, high = np.exp(np.quantile(drawn, [0.025, 0.975]))
    middle = np.exp(np.median(logs))
    return f"{np.exp(logs.mean()):.3f} | {low:.3f} to {high:.3f} | {middle:.3f} | {np.exp(logs.max()):.2f} | {len(logs)}"


def summary(found, key):
    """A row for each peer and for the best of them: the ratio of ours to theirs."""
    ours = np.array([mean(each[OURS], key) for each in found.values()])
    theirs = np.array([[mean(each[peer], key) for peer in PEERS] for each in found.values()])
    rows = [f"| {peer} | {in_words(ours / theirs[:, number])} |" for number, peer in enumerate(PEERS)]
    rows.append(f"| the best of each table | {in_words(ours / np.nanmin(theirs, axis=1))} |")
    head = "| ours against | geometric mean of the ratios | 95 % interval | median | worst table | tables |"
    return [head, "| --- | ---: | --- | ---: | ---: | ---: |", *rows]


def write(name, repetitions):
    """Replaces the end of the set's page by what is stored of these repetitions, and keeps the results of all."""
    restore(name)
    keep(name)
    page = PAGES / SETS[name][0]
    found, counts = stored(name, repetitions)
    of_each = ", ".join(f"repetition {repetition} of {count}" for repetition, count in counts.items() if count)
    lines = [HEADING, "", f"{len(found)} of {len(listed(name))} tables: {of_each} [`just peer-tables {name}`, {datetime.date.today()}]. "
             "A score is a mean over a table's repetitions, a ratio that of two such means. Intervals are bootstrap intervals over "
             "tables.", "", "Interval score:", ""]
    lines += summary(found, "score")
    if name == "judging":
        lines += ["", "CRPS, by 19 quantiles of a fit of all training rows:", "", *summary(found, "crps")]
    lines += ["", "| method | mean coverage | tables whose 95 % interval ends below 0.86 | failed | processor seconds |"]
    lines += ["| --- | ---: | --- | --- | ---: |"]
    for method in METHODS:
        each = {table_name: covered(results[method]) for table_name, results in found.items()}
        low = [table_name for table_name, (_, _, high) in each.items() if high < LEVEL - 0.04]
        failed = [table_name for table_name, results in found.items() if any("error" in one for one in results[method])]
        taken = sum(result["seconds"] for results in found.values() for result in results[method])
        mean_covered = np.nanmean([share for share, _, _ in each.values()])
        lines.append(f"| {method} | {mean_covered:.3f} | {', '.join(low) or '–'} | {', '.join(failed) or '–'} | {taken:.0f} |")
    lines += ["", f"| table | chosen | interval score of ours | {' | '.join(f'ours / {peer}' for peer in PEERS)} | coverage of ours | blank rows |"]
    lines += ["| --- | --- | ---: |" + " ---: |" * (len(PEERS) + 2)]
    for table_name, results in found.items():
        ours = mean(results[OURS], "score")
        ratios = " | ".join(f"{ours / mean(results[peer], 'score'):.3f}" for peer in PEERS)
        chosen = ", ".join(sorted({str(one.get("chosen")) for one in results[OURS]}))
        blank = sum(one.get("blank", 0) for one in results[OURS])
        lines.append(f"| {table_name} | {chosen} | {ours:.4g} | {ratios} | {covered(results[OURS])[0]:.3f} | {blank} |")
    text = page.read_text(encoding="utf-8")
    page.write_text(text.split(f"\n{HEADING}\n")[0].rstrip() + "\n\n" + "\n".join(lines) + "\n", encoding="utf-8")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("set", choices=SETS)
    parser.add_argument("--limit", type=float, default=float("inf"), help="seconds after which nothing new starts")
    parser.add_argument("--methods", default=",".join(METHODS), help="only these")
    parser.add_argument("--repetitions", type=int, nargs="+", help="only these")
    parser.add_argument("--data", type=Path, help="folder of treforevans/uci_datasets")
    parser.add_argument("--write", action="store_true", help="write the page's end from what is stored, and run nothing")
    options = parser.parse_args()
    write(options.set, options.repetitions or SETS[options.set][2]) if options.write else run(options)


if __name__ == "__main__":
    main()
