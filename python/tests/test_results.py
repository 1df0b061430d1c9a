"""Stores are read, and predictions are scored, as the program does it."""

import math
import subprocess
import sys
from pathlib import Path
from statistics import NormalDist

import numpy as np
import pytest

import uqbench as uq

BENCHMARK = """
id = "own"
paper = "none"
artefact = "Table 0"
title = "Own"
protocol_source = "printed"
protocol = { holdout = { test = { fraction = 0.2 } } }
datasets = [{ key = "yacht", heading = "Yacht" }]
metrics = [{ id = "crps", heading = "CRPS" }]
[[methods]]
id = "linear-gaussian"
columns = [{ heading = "Linear", labels = { m = "l" } }]
[profiles.smoke]
splits = 2
[profiles.quick]
splits = 2
[profiles.full]
splits = 2
"""


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("store")
    (folder / "own.toml").write_text(BENCHMARK)
    words = ["run", "own.toml", "--store", "store", "--out", "out", "--cache", "cache", "--offline"]
    ended = subprocess.run([uq.command(), *words], cwd=folder, capture_output=True, text=True)
    assert ended.returncode == 0, ended.stderr
    return folder


def test_scores_are_columns_of_numpy(store: Path) -> None:
    table = uq.scores(store / "store", store / "own.toml")
    crps = table.where(metric="crps")
    assert crps.rows == 2 and crps["split"].tolist() == [0, 1] and crps["split"].dtype == np.int64
    assert np.isfinite(crps["score"]).all() and crps["validation"].dtype == bool
    assert set(table["method"]) == {"linear-gaussian"}


def test_the_file_of_a_selection_stands_for_its_benchmarks_and_options(store: Path) -> None:
    chosen = store / "chosen.toml"
    chosen.write_text(f"select = ['{store / 'own.toml'}']\nsplits = 1\n")
    assert uq.scores(store / "store", chosen)["split"].max() == 0
    assert uq.scores(store / "store", chosen, splits=2)["split"].max() == 1


def test_predictions_have_the_scores_of_their_trials(store: Path) -> None:
    rows = uq.predictions(store / "store", store / "own.toml", datasets=["yacht"])
    assert rows.rows == 2 * 62 and (rows["q0.025"] < rows["q0.975"]).all()
    scored = uq.score(rows["y"], uq.gaussian(rows["mean"], rows["sd"] ** 2), split=rows["split"].tolist(), train_rows=rows["train_rows"])
    stored = uq.scores(store / "store", store / "own.toml").where(metric="crps")
    assert math.isclose(scored.of("crps"), stored["score"].mean(), rel_tol=1e-9)


def test_a_closed_form() -> None:
    y = np.sqrt(np.arange(40.0))
    scored = uq.score(y, uq.gaussian(y, np.full(40, 4.0)), level=0.8)
    assert math.isclose(scored.of("crps"), 2 * (math.sqrt(2) - 1) / math.sqrt(math.pi), rel_tol=1e-12)
    assert scored.of("picp(level=0.8)") == 1.0
    assert scored.page.startswith("# Scores of predictions.csv")


def test_methods_are_compared_and_groups_judged(tmp_path: Path) -> None:
    generator = np.random.default_rng(1)
    y = generator.normal(size=400)
    # So many that their CRPS is compared with that of draws.
    levels = np.arange(1, 100) / 100
    wide = uq.quantiles(np.tile([NormalDist().inv_cdf(level) for level in levels], (400, 1)), levels)
    draws = uq.samples(generator.normal(size=(400, 50)) + 1.0)
    scored = uq.score(y, {"wide": wide, "shifted": draws}, level=0.9, group=["a", "b"] * 200, out=tmp_path / "out")
    assert scored.of("crps", "wide") < scored.of("crps", "shifted")
    assert scored.numbers.where(group="a", method="wide", metric="picp(level=0.9)").rows == 1
    assert (tmp_path / "out" / "score-crps-gains.svg").is_file()
    with pytest.raises(KeyError, match="2 scores by 'crps'"):
        scored.of("crps")


def test_the_message_of_the_program_is_the_error() -> None:
    with pytest.raises(uq.CommandError, match='column "sd": found 0, expected a standard deviation above 0'):
        uq.score([1.0, 2.0], uq.gaussian([1.0, 2.0], [1.0, 0.0]))
    with pytest.raises(uq.CommandError, match="--level 0.9"):
        uq.score([1.0], uq.interval([0.0], [2.0]))
    with pytest.raises(ValueError, match="y has 3 rows, but mean has 2, sd has 2"):
        uq.score([1.0, 2.0, 3.0], uq.gaussian([1.0, 2.0], [1.0, 1.0]))
    with pytest.raises(ValueError, match="atoms has no columns"):
        uq.score([1.0], uq.atoms([[0.0]], [1.0]))
    with pytest.raises(uq.CommandError, match="unknown|no benchmark|there is no"):
        uq.scores("absent", "no-such-benchmark")


def test_frames_are_made_where_their_packages_are_installed(store: Path) -> None:
    table = uq.scores(store / "store", store / "own.toml")
    pandas = pytest.importorskip("pandas")
    assert isinstance(table.to_pandas(), pandas.DataFrame) and len(table.to_pandas()) == table.rows


FLAT = """
from uqbench import gaussian, method
import numpy as np

@method("flat", deterministic=True)
def flat(X_train, y_train, X_test, request):
    return gaussian(np.full(len(X_test), y_train.mean()), np.full(len(X_test), y_train.var()))

if __name__ == "__main__":
    flat.main()
"""


def test_scores_of_a_method_by_its_command(store: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(store)
    Path("flat.py").write_text(FLAT)
    command = f"{sys.executable} flat.py"
    words = ["run", "own.toml", "--store", "store", "--out", "out", "--cache", "cache", "--offline", "--with", command]
    ended = subprocess.run([uq.command(), *words], capture_output=True, text=True)
    assert ended.returncode == 0, ended.stderr
    chosen = {"metric": "crps", "method": "external"}
    mine = uq.scores("store", "own.toml", with_=command).where(**chosen)
    assert mine.rows == 2 and np.isfinite(mine["score"]).all()
    assert uq.scores("store", "own.toml", with_=[command], methods="external", splits=1).where(**chosen).rows == 1
    assert uq.predictions("store", "own.toml", with_=command, methods="external", splits=1).rows == 62
    with pytest.warns(UserWarning, match="linear-gaussian"):
        assert uq.scores("store", "own.toml").where(**chosen).rows == 0
    Path("other.py").write_text(FLAT.replace('"flat"', '"other"'))
    with pytest.raises(uq.CommandError, match="other"):
        uq.scores("store", "own.toml", with_=f"{sys.executable} other.py")
    words[words.index("store")] = "second"
    ended = subprocess.run([uq.command(), *words, "--methods", "external"], capture_output=True, text=True)
    assert ended.returncode == 0, ended.stderr
    with pytest.warns(UserWarning, match="no finished trial"):
        assert set(uq.scores("second", "own.toml", methods="linear-gaussian")["outcome"]) == {"not run"}


def test_a_program_that_is_not_there_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("UQBENCH", "/absent/uqbench")
    with pytest.raises(uq.CommandError, match="UQBENCH is '/absent/uqbench'"):
        uq.command()
