"""Methods answer the three calls of the contract, and the program accepts them."""

import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import uqbench as uq

EXAMPLES = Path(__file__).parents[1] / "examples"

# Prints on standard output, also below Python, as libraries do.
BINNED = """
import numpy as np
from uqbench import method, piecewise

@method("binned", packages=["numpy"], deterministic=True)
def binned(X_train, y_train, X_test, request):
    edges = np.linspace(y_train.min(), y_train.max() + 1.0, 6)
    masses = 0.8 * np.histogram(y_train, edges)[0] / len(y_train)
    return piecewise(edges, np.tile(masses, (len(X_test), 1)), tails=[0.1, 0.5, 0.1, 0.5])

if __name__ == "__main__":
    binned.main()
"""

NOISY = """
import os
import numpy as np
from uqbench import Diverged, Unavailable, Unsupported, gaussian, method

@method("noisy", packages=["numpy"])
def fit_predict(X_train, y_train, X_test, request):
    print("training")
    os.write(1, b"from C\\n")
    if len(y_train) == 1:
        raise Unsupported("needs two rows")
    if request.seed == 13:
        raise Diverged("unlucky")
    if request.seed == 14:
        raise Unavailable("no weights")
    draws = request.rng().normal(size=len(X_test))
    return gaussian(X_test[:, 0] + draws, np.ones(len(X_test))).with_split(
        aleatoric=np.full(len(X_test), 0.5)
    ).with_table("loss", {"epoch": [1, 2], "nll": [1.5, float("nan")]})

if __name__ == "__main__":
    fit_predict.main()
"""


def request(folder: Path, **changes: object) -> dict:
    """A request with its arrays."""
    np.save(folder / "X_train.npy", np.arange(6.0).reshape(3, 2))
    np.save(folder / "y_train.npy", np.array([1.0, 2.0, 4.0]))
    np.save(folder / "X_test.npy", np.array([[7.0, 0.0], [9.0, 1.0]]))
    whole = {
        "contract": 1,
        "folder": str(folder),
        "arrays": "npy",
        "seed": 5,
        "settings": {},
        "levels": [0.5],
        "new": 1,
    }
    return {**whole, **changes}


def call(script: Path, word: str, folder: Path, text: str = "") -> subprocess.CompletedProcess:
    return subprocess.run([sys.executable, str(script), word], cwd=folder, input=text, capture_output=True, text=True)


@pytest.fixture
def noisy(tmp_path: Path) -> Path:
    script = tmp_path / "noisy.py"
    script.write_text(NOISY)
    return script


def test_the_description_has_the_versions_of_packages(noisy: Path, tmp_path: Path) -> None:
    description = json.loads(call(noisy, "describe", tmp_path).stdout.splitlines()[-1])
    assert description["name"] == "noisy" and description["server"] and not description["deterministic"]
    assert description["versions"]["numpy"] == np.__version__


def test_a_run_and_a_server_give_the_same_numbers(noisy: Path, tmp_path: Path) -> None:
    (tmp_path / "request.json").write_text(json.dumps(request(tmp_path)))
    assert call(noisy, "run", tmp_path).returncode == 0
    response = json.loads((tmp_path / "response.json").read_text())
    assert response["form"] == "gaussian"
    once = np.load(tmp_path / response["mean"])
    assert np.load(tmp_path / response["aleatoric"]).tolist() == [0.5, 0.5]
    assert response["tables"] == {"loss": {"epoch": [1.0, 2.0], "nll": [1.5, None]}}
    expected = [7.0, 9.0] + np.random.default_rng(5).normal(size=2)
    assert once.tolist() == expected.tolist()
    lines = "".join(json.dumps(request(tmp_path, seed=seed)) + "\n" for seed in (5, 13, 14))
    served = [json.loads(line) for line in call(noisy, "serve", tmp_path, lines).stdout.splitlines()]
    assert [one.get("error") for one in served] == [None, "diverged", "unavailable"], "what is printed is no response"
    assert np.load(tmp_path / served[0]["mean"]).tolist() == once.tolist()


def test_another_contract_is_refused(noisy: Path, tmp_path: Path) -> None:
    line = json.dumps(request(tmp_path, contract=2)) + "\n"
    response = json.loads(call(noisy, "serve", tmp_path, line).stdout)
    assert response["error"] == "unsupported" and response["contract"] == 1


def test_the_program_accepts_the_example_and_a_noisy_method(uqbench, noisy: Path) -> None:
    for script in (EXAMPLES / "fixed_ridge.py", noisy):
        ended = uqbench("method", "check", sys.executable, script)
        assert ended.returncode == 0, ended.stdout + ended.stderr
        assert "follows the contract" in ended.stdout


def test_the_example_is_one_more_row_of_a_table(uqbench, tmp_path: Path) -> None:
    generator = np.random.default_rng(1)
    X = generator.normal(size=(60, 2))
    y = X @ [1.0, -2.0] + 0.1 * generator.normal(size=60)
    np.savetxt(tmp_path / "my.csv", np.column_stack([X, y]), delimiter=",", header="a,b,y", comments="")
    ended = uqbench(
        "try",
        "--verbose",
        "my.csv",
        "--target",
        "y",
        "--methods",
        "linear-gaussian",
        "--with",
        f"{sys.executable} {EXAMPLES / 'fixed_ridge.py'}",
    )
    assert ended.returncode == 0 and "| fixed_ridge" in ended.stdout, ended.stdout + ended.stderr
    assert "`fixed_ridge`" in ended.stdout and "Failed" not in ended.stdout


def test_a_histogram_with_tails_follows_the_contract(uqbench, tmp_path: Path) -> None:
    (tmp_path / "binned.py").write_text(BINNED, encoding="utf-8")
    ended = uqbench("method", "check", sys.executable, "binned.py")
    assert ended.returncode == 0 and "piecewise, 12 rows" in ended.stdout, ended.stdout + ended.stderr


def test_a_method_is_called_as_its_function() -> None:
    @uq.method(deterministic=True)
    def constant(X_train, y_train, X_test, request):
        return uq.gaussian(np.zeros(len(X_test)), np.ones(len(X_test)))

    assert constant.description["name"] == "constant"
    assert len(constant(np.zeros((2, 1)), np.zeros(2), np.zeros((3, 1)), uq.Request(seed=1))) == 3
    with pytest.raises(SystemExit, match="describe, run or serve"):
        constant.main(["train"])


def test_wrong_shapes_are_refused_by_name() -> None:
    with pytest.raises(ValueError, match=r"variance has the shape \(3,\), expected 2 numbers"):
        uq.gaussian([1.0, 2.0], [1.0, 2.0, 3.0])
    with pytest.raises(ValueError, match="values have 2 columns, expected one for each of the 3 levels"):
        uq.quantiles([[1.0, 2.0]], [0.1, 0.5, 0.9])
    with pytest.raises(ValueError, match="weights have the shape"):
        uq.mixture([[0.5, 0.5]], np.zeros((2, 2)), np.ones((2, 2)))
    with pytest.raises(ValueError, match=r"edges have the shape \(2,\), expected \(1, 3\), or \(3,\) for all rows"):
        uq.piecewise([0.0, 1.0], [[0.5, 0.5]])
    assert uq.mixture([0.5, 0.5], np.zeros((2, 2)), np.ones((2, 2))).form == "mixture"
