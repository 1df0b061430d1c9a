"""Take the splits of a board as arrays, and bring predictions of them back."""

import re
import runpy
import warnings
from pathlib import Path

import numpy as np
import pytest

import uqbench as uq
from uqbench import league
from uqbench.league import _toml

ROOT = Path(__file__).parents[2]

CARD = {
    "board": "standard",
    "name": "mine",
    "version": "1",
    "authors": ['An "author" \\ with µ'],
    "licence": "CC0-1.0",
    "kind": "model",
    "searched": "nothing",
    "budget": "nothing",
    "hardware": "a processor",
    "seconds": np.float64(1.5),
    "data_seen": "unknown",
    "used_test_features": False,
    "description": "Least squares.\nIn two lines.",
}

BOARD = """
id = "small"
title = "Small"
protocol = "standard"
anchors = true
datasets = [{ key = "yacht", heading = "Yacht" }]
metrics = [{ id = "crps", heading = "CRPS" }, { id = "rmse", heading = "RMSE" }]
methods = [{ id = "tree", columns = [{ heading = "Tree", labels = { method = "tree" } }] }]
[profiles.full]
splits = 2
"""


@pytest.fixture
def board(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.chdir(tmp_path)
    Path("small.toml").write_text(BOARD)
    return "small.toml"


def linear(task: league.Task) -> tuple:
    design = np.c_[np.ones(len(task.X_train)), task.X_train]
    weights, *_ = np.linalg.lstsq(design, task.y_train, rcond=None)
    mean = np.c_[np.ones(len(task.X_test)), task.X_test] @ weights
    return mean, np.mean((task.y_train - design @ weights) ** 2)


def submit(predictions: dict, **more: object) -> league.Submitted:
    return league.submit(predictions, {**CARD, "board": "small", **more}, "entries", board="small.toml", offline=True)


def test_splits_are_arrays_with_what_is_known_of_their_columns(board: str) -> None:
    found = list(league.tasks(board, offline=True))
    assert [task.key for task in found] == [("yacht", 0), ("yacht", 1)]
    for task in found:
        assert task.X_train.shape == (277, 6) and task.y_train.shape == (277,) and task.X_test.shape == (31, 6)
        assert task.X_train.dtype == np.float64
        assert len(task.columns) == 6 and task.columns[5]["name"] == "Froude number" and task.columns[5]["kind"] == "numeric"
        assert task.target["name"] == "residuary resistance" and task.target["resolution"] == 0.01
    kept = [task.y_train for task in league.tasks(board, folder="kept", offline=True)]
    again = [task.y_train for task in league.tasks(board, folder="kept", splits=1)]
    assert len(kept) == 2 and len(again) == 1 and (kept[0] == again[0]).all()
    with pytest.raises(ValueError, match="has the splits of small, expected those of modern"):
        league.tasks("modern", folder="kept")
    with pytest.raises(ValueError, match="no split of boston"):
        league.tasks(board, ["boston"], folder="kept")
    with pytest.raises(uq.CommandError, match="no benchmark `standrad`"):
        league.tasks("standrad", offline=True)


def test_groups_and_times_of_training_rows_are_given_where_the_board_has_them(board: str) -> None:
    mirror = ROOT / "data" / "league-data.zip"
    places = {"folder": "grouped", "mirror": mirror, "offline": True}
    for task in league.tasks("beyond-groups", ["exam"], 1, **places):
        assert task.groups_train is not None and task.times_train is None
        assert task.groups_train.shape == task.y_train.shape and len(set(task.groups_train)) > 10
    for task in league.tasks("beyond-time", ["garments"], 1, **{**places, "folder": "timed"}):
        assert task.groups_train is None and task.times_train is not None
        assert (np.diff(task.times_train) >= 0).all() and task.times_train.dtype.kind == "i"
    assert all(task.groups_train is None for task in league.tasks(board, offline=True))


def test_every_form_becomes_an_entry_with_every_bit(board: str) -> None:
    shapes: dict = {}
    for task in league.tasks(board, offline=True):
        mean, variance = linear(task)
        many = np.full(len(mean), variance)
        sd = np.sqrt(variance)
        levels = [0.05, 0.1, 0.5, 0.9, 0.95]
        forms = {
            "gaussian": uq.gaussian(mean, many).with_split(aleatoric=many, epistemic=0 * many),
            "student-t": uq.student_t(mean, 0 * mean + sd, 0 * mean + 5),
            "mixture": uq.mixture([0.25, 0.75], np.c_[mean - 1, mean + 1], np.c_[many, many]),
            "quantiles": uq.quantiles(mean[:, None] + np.array([-1.6, -1.3, 0, 1.3, 1.6]) * sd, levels),
            "samples": uq.samples(mean[:, None] + sd * np.linspace(-2, 2, 21)),
        }
        for form, prediction in forms.items():
            shapes.setdefault(form, {})[task.key] = prediction
    for form, predictions in shapes.items():
        with warnings.catch_warnings(record=True) as told:
            warnings.simplefilter("always")
            submitted = submit(predictions, name=form)
        assert [Path(one.filename) == Path(__file__) for one in told] == [True] * (form == "quantiles")
        assert "| Yacht |" in submitted.page and f"small/{form}-1-" in submitted.page
        assert "is there already" in submit(predictions, name=form).page
        (folder,) = Path("entries/small").glob(f"{form}-1-*")
        scores = (folder / "scores.csv").read_text()
        assert scores.count("yacht,0,crps,") == 1 and ",crps,\n" not in scores
    (folder,) = Path("entries/small").glob("gaussian-1-*")
    rows = [line.split(",") for line in (folder / "scores.csv").read_text().splitlines()[1:]]
    found = {(int(row[1]), row[2]): float(row[3]) for row in rows}
    for (key, prediction), truth in zip(shapes["gaussian"].items(), outcomes()):
        rmse = np.sqrt(np.mean((prediction.arrays["mean"] - truth) ** 2))
        assert np.isclose(found[key[1], "rmse"], rmse, rtol=1e-12)


def outcomes() -> list:
    """The outcomes of the test rows: the rows of the dataset that a split's training rows do not have."""
    import subprocess

    words = [uq.command(), "data", "export", "yacht", "yacht.csv", "--offline"]
    subprocess.run(words, check=True, capture_output=True)
    table = np.loadtxt("yacht.csv", delimiter=",", skiprows=1)
    found = []
    for task in league.tasks("small.toml", offline=True):
        of_features = {tuple(row[:-1]): row[-1] for row in table.tolist()}
        found.append(np.array([of_features[tuple(row)] for row in task.X_test.tolist()]))
    return found


def test_errors_speak_of_predictions_and_of_the_card(board: str) -> None:
    good = {task.key: uq.gaussian(*[0 * task.X_test[:, 0] + 1] * 2) for task in league.tasks(board, offline=True)}
    with pytest.raises(uq.CommandError, match=r"the card: `name`: found \"Mine\"") as error:
        submit(good, name="Mine")
    assert "/tmp" not in str(error.value)
    with pytest.raises(uq.CommandError, match=r"the file of predictions is refused: dataset `yacht`: no row of 1 split \(1\)"):
        submit({("yacht", 0): good["yacht", 0]})
    assert "a part of the board alone, and is listed there as unranked" in submit({("yacht", 0): good["yacht", 0]}, name="some", part=True).page
    failed = [{"dataset": "yacht", "split": 1, "why": "no memory"}]
    other = uq.gaussian(np.zeros(31), np.ones(31))
    assert "| Yacht |" in submit({("yacht", 0): other}, name="one", failed=failed, version="2", description="é").page
    ragged = {**good, ("yacht", 1): uq.student_t([1.0], [1.0], [3.0])}
    with pytest.raises(ValueError, match=r"split 1 has the columns location, scale, df, expected mean, sd"):
        submit(ragged)
    with pytest.raises(ValueError, match=r"yacht, split 0: mean is missing"):
        submit({("yacht", 0): uq.gaussian([np.nan], [1.0])})
    with pytest.raises(ValueError, match="there are no predictions"):
        submit({})
    leak = {key: uq.gaussian(truth, 0 * truth + 1) for key, truth in zip(good, outcomes())}
    with pytest.raises(uq.CommandError, match="These are test outcomes, not predictions"):
        submit(leak)


def test_a_card_as_a_dictionary_is_toml() -> None:
    text = _toml({"a": 'b"\\\n\x7f\u202e', "n": 3, "x": 1e-7, "t": True, "l": ["é"], "none": None, "failed": [{"split": 0, "why": "w"}]})
    expected = 'a = "b\\"\\\\\\n\\u007f\u202e"\nn = 3\nx = 1e-07\nt = true\nl = ["é"]\n[[failed]]\nsplit = 0\nwhy = "w"\n'
    assert text.replace('"a" =', "a =").replace('"', "") == expected.replace('"', "")


def loop() -> str:
    text = (ROOT / "docs" / "do" / "league.md").read_text(encoding="utf-8")
    (code,) = re.findall(r"^```python\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
    return code


def test_the_loop_of_the_documentation_is_short_and_its_entry_is_scored(board: str) -> None:
    code = loop()
    assert len([line for line in code.splitlines() if line.strip()]) <= 15
    example = (ROOT / "examples" / "league" / "linear.py").read_text(encoding="utf-8")
    assert example.split('"""\n\n', 1)[1] == code
    card = (ROOT / "examples" / "league" / "card.toml").read_text(encoding="utf-8")
    Path("card.toml").write_text(card.replace("league-standard", "small"), encoding="utf-8")
    small = code.replace('tasks("standard")', 'tasks("small.toml", offline=True)')
    small = small.replace('"card.toml")', '"card.toml", board="small.toml", offline=True)')
    assert small.count("small.toml") == 2
    Path("loop.py").write_text(small, encoding="utf-8")
    runpy.run_path("loop.py")
    (folder,) = Path("uqbench-league/small").iterdir()
    assert folder.name.startswith("least-squares-1-")
