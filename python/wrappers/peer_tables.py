"""Compare `uqbench try` with boosting and forests on the tables of docs/package-tables.md: `just package-tables`.

The page states the rules, which were committed before the first run. Every table, seed and method is stored in
target/wrappers/package-tables, so that a run that was stopped goes on. `--limit SECONDS` stops before the next one.
"""
import argparse
import importlib
import json
import re
import resource
import subprocess
import time
from pathlib import Path

import numpy as np
import pandas as pd
import uqbench

HERE = Path(__file__).parent
CACHE = HERE.parents[1] / "target" / "wrappers" / "package-tables"
PAGE, HEADING = HERE.parents[1] / "docs" / "package-tables.md", "## Measured"
LEVEL, FOLDS, SEEDS = 0.9, 10, (1, 2, 3)
ALPHA = 1 - LEVEL
LEVELS = (ALPHA / 2, 1 - ALPHA / 2)
OURS = "uqbench try"


def listed():
    """Package, table and target of each row of the page."""
    row = re.compile(r"^\| (statsmodels|vega_datasets|MASS) \| (\S+) \| \d+ \| \d+ \| `([^`]+)`")
    return [found.groups() for line in PAGE.read_text(encoding="utf-8").splitlines() if (found := row.match(line))]


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


def divided(data, target, seed):
    """Training and test rows, in the table's order."""
    data = data[data[target].notna()].reset_index(drop=True)
    test = np.random.default_rng(seed).permutation(len(data))[: round(len(data) / 5)]
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


def lightgbm(train, y, test, target):
    from lightgbm import LGBMRegressor

    def ends(rows, outcomes, others):
        one = lambda level: LGBMRegressor(objective="quantile", alpha=level, n_jobs=1, verbose=-1)
        return np.column_stack([one(level).fit(rows, outcomes).predict(others) for level in LEVELS])

    x, new = numbers(train, test, target, one_hot=False)
    names = {column: f"f{number}" for number, column in enumerate(x.columns)}  # LightGBM refuses some signs in names
    return cv_plus(ends, x.rename(columns=names), y, new.rename(columns=names))


def catboost(train, y, test, target):
    from catboost import CatBoostRegressor

    x, new = numbers(train, test, target, one_hot=False)
    categories = [column for column in x.columns if isinstance(x[column].dtype, pd.CategoricalDtype)]
    loss = f"MultiQuantile:alpha={LEVELS[0]},{LEVELS[1]}"

    def ends(rows, outcomes, others):
        model = CatBoostRegressor(loss_function=loss, thread_count=1, allow_writing_files=False, cat_features=categories)
        return np.sort(model.fit(rows, outcomes, verbose=False).predict(others), axis=1)

    return cv_plus(ends, x, y, new)


def ngboost(train, y, test, target):
    from ngboost import NGBRegressor

    x, new = numbers(train, test, target, one_hot=True)
    found = NGBRegressor(verbose=False, random_state=1).fit(x.to_numpy(), y).pred_dist(new.to_numpy())
    return np.column_stack([found.ppf(level) for level in LEVELS])


def quantile_forest(train, y, test, target):
    from quantile_forest import RandomForestQuantileRegressor

    x, new = numbers(train, test, target, one_hot=True)
    forest = RandomForestQuantileRegressor(random_state=1, n_jobs=1).fit(x.to_numpy(), y)
    return forest.predict(new.to_numpy(), quantiles=list(LEVELS))


def ours(train, y, test, target):
    folder = CACHE / "files"
    folder.mkdir(parents=True, exist_ok=True)
    train.to_csv(folder / "train.csv", index=False)
    test.drop(columns=target).to_csv(folder / "new.csv", index=False)
    words = ["try", folder / "train.csv", "--target", target, "--predict", folder / "new.csv", "--out", folder / "out.csv"]
    words += ["--figures", folder / "figures", "--jobs", "1"]
    ended = subprocess.run([uqbench.command(), *map(str, words)], capture_output=True, text=True)
    if ended.returncode != 0:
        raise ValueError(ended.stderr.strip()[-400:])
    out = pd.read_csv(folder / "out.csv")
    return out[["lower", "upper"]].to_numpy(dtype=float)


METHODS = {OURS: ours, "LightGBM": lightgbm, "CatBoost": catboost, "NGBoost": ngboost, "quantile-forest": quantile_forest}


def seconds():
    """Processor seconds of this process and of those that it has ended."""
    own, ended = resource.getrusage(resource.RUSAGE_SELF), resource.getrusage(resource.RUSAGE_CHILDREN)
    return own.ru_utime + own.ru_stime + ended.ru_utime + ended.ru_stime


def measured(package, name, target, seed, method):
    """Interval score, coverage, test rows and processor time; what went wrong, instead, where it did."""
    data = table(package, name)
    train, test = divided(data, target, seed)
    y, outcomes = train[target].to_numpy(dtype=float), test[target].to_numpy(dtype=float)
    start = seconds()
    try:
        ends = METHODS[method](train, y, test, target)
    except Exception as error:  # noqa: BLE001: any failure is a result
        return {"error": f"{type(error).__name__}: {error}"[:400], "seconds": seconds() - start}
    answered = np.isfinite(ends).all(axis=1)
    low, high = ends[answered].T
    found = outcomes[answered]
    score = high - low + 2 / ALPHA * np.maximum(low - found, 0) + 2 / ALPHA * np.maximum(found - high, 0)
    return {
        "score": float(score.mean()),
        "covered": int(((low <= found) & (found <= high)).sum()),
        "rows": len(found),
        "blank": int((~answered).sum()),
        "width": float((high - low).mean()),
        "seconds": seconds() - start,
    }


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--limit", type=float, default=float("inf"), help="seconds after which nothing new starts")
    parser.add_argument("--methods", default=",".join(METHODS), help="only these")
    options = parser.parse_args()
    start = time.monotonic()
    for seed in SEEDS:
        for package, name, target in listed():
            for method in options.methods.split(","):
                file = CACHE / "results" / f"{package}-{name}-{seed}-{method}.json".replace(" ", "-")
                if file.exists():
                    continue
                if time.monotonic() - start > options.limit:
                    return
                result = measured(package, name, target, seed, method)
                file.parent.mkdir(parents=True, exist_ok=True)
                file.write_text(json.dumps(result))
                print(package, name, seed, method, result, flush=True)


if __name__ == "__main__":
    main()
