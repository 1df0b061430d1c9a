"""Bring `uqbench try` to a board of the league: as a system that chooses a method for each split from its training rows alone.

    python benchmarks/league/bring_try.py modern entry [--mirror DATA] [--jobs N]

Each split is a table as a user has it: features, outcome, and test rows without one. `try` compares its default methods on the training
rows and predicts the test rows with the method that it recommends. Its plan may take 30 s of processor time (--budget), which was fixed
before any of these predictions had a score. The folder keeps the predictions of each split, so that an interrupted run goes on; at the end
it has predictions.csv and card.toml for `uqbench league add`. Needs uqbench, its Python package and numpy.
"""

import argparse
import csv
import json
import os
import resource
import subprocess
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
from uqbench import league

BUDGET = "30s"
LEVELS = [k / 100 for k in range(1, 100)]
TARGET = "outcome"


def write_table(path, columns, rows):
    """A CSV file of doubles; a missing number is an empty cell."""
    with open(path, "w", newline="", encoding="utf-8") as out:
        writer = csv.writer(out)
        writer.writerow(columns)
        writer.writerows([["" if np.isnan(value) else repr(float(value)) for value in row] for row in rows])


def predict(task, folder):
    """The quantiles of the test rows of a split, kept in `folder`."""
    done = folder / "quantiles.npy"
    if done.is_file():
        return
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "failed.txt").unlink(missing_ok=True)  # of an earlier call
    names = [f"x{at}" for at in range(task.X_train.shape[1])]
    write_table(folder / "train.csv", [*names, TARGET], np.column_stack([task.X_train, task.y_train]))
    write_table(folder / "test.csv", names, task.X_test)
    command = [
        *os.environ.get("UQBENCH", "uqbench").split(),
        *("try", folder / "train.csv", "--target", TARGET, "--predict", folder / "test.csv", "--out", folder / "new.csv"),
        *("--quantiles", ",".join(map(str, LEVELS)), "--budget", BUDGET, "--jobs", "1", "--figures", folder / "page"),
    ]
    began = time.monotonic()
    ran = subprocess.run(list(map(str, command)), capture_output=True, text=True)
    (folder / "log.txt").write_text(ran.stdout + ran.stderr, encoding="utf-8")
    if ran.returncode not in (0, 3):
        (folder / "failed.txt").write_text(ran.stderr.strip().splitlines()[0] if ran.stderr.strip() else "no message", encoding="utf-8")
        return
    with open(folder / "new.csv", newline="", encoding="utf-8") as read:
        rows = list(csv.DictReader(read))
    quantiles = np.array([[float(row[f"q{level}"]) for level in LEVELS] for row in rows])
    assert quantiles.shape == (len(task.X_test), len(LEVELS)), "a prediction of every test row"
    partial = folder / "partial.npy"
    np.save(partial, quantiles)
    partial.rename(done)
    for name in ("train.csv", "test.csv", "new.csv"):
        (folder / name).unlink()
    print(f"{task.dataset}, split {task.split}: {time.monotonic() - began:.0f} s", flush=True)


def main():
    parser = argparse.ArgumentParser(description="Bring `uqbench try` to a board of the league.")
    parser.add_argument("board")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--mirror")
    parser.add_argument("--jobs", type=int, default=1)
    options = parser.parse_args()
    options.folder.mkdir(parents=True, exist_ok=True)

    def place(task):
        return options.folder / "splits" / task.dataset.replace(":", "-") / str(task.split)

    tasks = list(league.tasks(options.board, folder=options.folder / "tasks", mirror=options.mirror))
    with ThreadPoolExecutor(options.jobs) as pool:
        list(pool.map(lambda task: predict(task, place(task)), tasks))
    failed = []
    with open(options.folder / "predictions.csv", "w", newline="", encoding="utf-8") as out:
        writer = csv.writer(out)
        writer.writerow(["dataset", "split", "row", *(f"q{level}" for level in LEVELS)])
        for task in tasks:
            if (place(task) / "failed.txt").is_file():
                why = (place(task) / "failed.txt").read_text(encoding="utf-8")
                failed.append({"dataset": task.dataset, "split": task.split, "why": why[:200]})
                continue
            quantiles = np.load(place(task) / "quantiles.npy")
            writer.writerows([task.dataset, task.split, row, *of_row] for row, of_row in enumerate(quantiles.tolist()))
    seconds = resource.getrusage(resource.RUSAGE_CHILDREN)
    card = {
        "board": json.loads((options.folder / "tasks" / "task.json").read_text(encoding="utf-8"))["board"],
        "name": "uqbench-try",
        "version": "0.1.0",
        "authors": ["The authors of uqbench"],
        "licence": "CC0-1.0",
        "kind": "system",
        "searched": "the default methods of `uqbench try`, compared on the training rows",
        "budget": f"{BUDGET} of processor time a split (--budget)",
        "hardware": "one processor",
        "data_seen": "documented free of these sets",
        "used_test_features": False,
        "description": "`uqbench try` as a user runs it: 99 quantiles of the method that it recommends. benchmarks/league/bring_try.py made it.",
    }
    lines = [f"{key} = {json.dumps(value, ensure_ascii=False)}" for key, value in card.items()]
    for one in failed:
        lines += ["", "[[failed]]", *(f"{key} = {json.dumps(value, ensure_ascii=False)}" for key, value in one.items())]
    (options.folder / "card.toml").write_text("\n".join(lines) + "\n", encoding="utf-8")
    print(f"{len(tasks) - len(failed)} of {len(tasks)} splits; {seconds.ru_utime + seconds.ru_stime:.0f} s of processor time in this call")


if __name__ == "__main__":
    main()
