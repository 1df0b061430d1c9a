"""What ``score`` does with what other programs give it: notes, ends of distributions, masks, further forms."""

import math
import re
import warnings
from pathlib import Path
from statistics import NormalDist

import numpy as np
import pytest

import uqbench as uq

Y = np.array([0.3, 1.7, -0.4, 2.2, 0.9])


def test_notes_and_warnings_of_the_program_are_warnings_of_python() -> None:
    rows = np.repeat(np.sqrt(np.arange(30.0)), 2)
    with pytest.warns(UserWarning) as told:
        uq.score(rows, uq.gaussian(rows + 1, np.ones(60)))
    assert len(told) == 1 and str(told[0].message).startswith("warning: prediction:")
    assert Path(told[0].filename) == Path(__file__), "the caller's line is named"
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        uq.score(np.sqrt(np.arange(60.0)), uq.gaussian(np.zeros(60), np.ones(60)))


def test_levels_0_and_1_are_ends_of_the_distribution() -> None:
    levels, quantiles = [0, 0.5, 1], np.array([-4.26, 0.0, 4.26])
    scored = uq.score(Y, uq.quantiles(0.5 + np.tile(quantiles, (5, 1)), levels))
    t = (np.arange(200000) + 0.5) / 200000
    v = 0.5 + np.interp(t, levels, quantiles)
    expected = np.mean([2 * np.mean(np.where(y <= v, (1 - t) * (v - y), t * (y - v))) for y in Y])
    assert math.isclose(scored.of("crps"), expected, rel_tol=1e-6)
    for outside in ([-0.1, 0.5], [0.5, 1.5]):
        with pytest.raises(ValueError, match="level"):
            uq.quantiles(np.zeros((5, 2)), outside)


def crps_of_last_four() -> float:
    return uq.score(Y[1:], uq.gaussian(np.zeros(4), np.ones(4))).of("crps")


def test_rows_without_an_outcome_are_left_out() -> None:
    outcomes = [np.ma.masked_array(Y, mask=[1, 0, 0, 0, 0]), np.where(Y == 0.3, np.nan, Y), [None, *Y[1:]]]
    for y in outcomes:
        with pytest.warns(UserWarning, match="1 of 5 rows"):
            scored = uq.score(y, uq.gaussian(np.zeros(5), np.ones(5)), group=["a", "b", "b", "b", "b"])
        assert scored.of("crps") == crps_of_last_four()
        assert set(scored.numbers["group"]) == {"", "b"}
    with pytest.raises(ValueError, match="y has no outcome"):
        uq.score(np.ma.masked_all(3), uq.gaussian(np.zeros(3), np.ones(3)))


def test_pandas_na_is_missing() -> None:
    pandas = pytest.importorskip("pandas")
    for y in (pandas.Series([pandas.NA, *Y[1:]], dtype="Float64"), pandas.Series([pandas.NA, *Y[1:]], dtype=object)):
        with pytest.warns(UserWarning, match="1 of 5 rows"):
            assert uq.score(y, uq.gaussian(np.zeros(5), np.ones(5))).of("crps") == crps_of_last_four()
    with pytest.raises(ValueError, match="prediction: mean .* row 2"):
        uq.score(Y, uq.gaussian(pandas.Series([1, 2, pandas.NA, 4, 5], dtype="Int64"), np.ones(5)))


def test_a_missing_prediction_is_refused_by_its_argument() -> None:
    mask = np.ma.masked_array(np.ones(5), mask=[0, 0, 0, 1, 0])
    matrix = np.ma.masked_array(np.tile([0.0, 1.0], (5, 1)), mask=[[0, 0]] * 4 + [[0, 1]])
    predictions = {
        "mean": uq.gaussian(mask, np.ones(5)),
        "variance": uq.gaussian(np.ones(5), mask),
        "values": uq.quantiles(matrix, [0.1, 0.9]),
        "lower": uq.interval(mask, np.full(5, 3.0)),
    }
    for argument, prediction in predictions.items():
        with pytest.raises(ValueError, match=rf"prediction 'b': {argument} .* row [34]"):
            uq.score(Y, {"a": uq.gaussian(Y, np.ones(5)), "b": prediction}, level=0.8)
    with pytest.raises(ValueError, match="group .* row 1"):
        uq.score(Y, uq.gaussian(Y, np.ones(5)), group=["a", None, "a", "b", "b"])


def test_errors_speak_of_arguments() -> None:
    with pytest.warns(UserWarning, match="1 of 3 rows"), pytest.raises(uq.CommandError) as error:
        uq.score([1.0, math.nan, 2.0], {"a": uq.gaussian(np.zeros(3), np.ones(3)), "b": uq.gaussian(np.zeros(3), [1, 1, 0])})
    message = str(error.value)
    assert "prediction 'b', row 2" in message and "variance" in message
    with pytest.raises(uq.CommandError) as error:
        uq.score([1.0], uq.interval([0.0], [2.0]))
    assert "level=0.9" in str(error.value)
    with pytest.raises(ValueError, match="variance of row 1 is below 0"):
        uq.score([1.0, 2.0], uq.gaussian([1.0, 2.0], [1.0, -1.0]))
    for part in ("/tmp", ".csv", "line "):
        assert part not in message and part not in str(error.value)


def test_student_t_and_mixtures_are_scored_as_they_are() -> None:
    y = np.array([0.0, 0.0])
    t = uq.score(y + 0.5, uq.student_t([0.5, 0.5], [2.0, 2.0], [3.0, 3.0]))
    # The density of t with 3 degrees of freedom at 0 is 2/(π√3), that of scale 2 half of it; two outcomes are discrete, so that
    # the CRPS is compared: of N(0, 1) at 0 it is (√2 − 1)/√π, and two equal components are one.
    assert t.of("rmse") == 0.0
    mixed = uq.score(y, uq.mixture([0.3, 0.7], [[0.0, 0.0], [0.0, 0.0]], [[1.0, 1.0], [1.0, 1.0]]))
    assert math.isclose(mixed.of("crps"), (math.sqrt(2) - 1) / math.sqrt(math.pi), rel_tol=1e-12)
    normal = uq.score(y, uq.student_t(np.zeros(2), np.ones(2), np.full(2, 1e9)))
    assert math.isclose(normal.of("crps"), mixed.of("crps"), rel_tol=1e-6)
    with pytest.raises(ValueError, match="piecewise"):
        uq.score([0.5], uq.piecewise([0.0, 1.0], [[1.0]]))


def test_training_rows_and_labels_of_rows_are_passed_on() -> None:
    generator = np.random.default_rng(2)
    order = np.concatenate([generator.permutation(150)[:15] for _ in range(20)])
    y = np.sin(np.arange(150.0))[order]
    split = np.repeat(np.arange(20), 15).tolist()
    prediction = uq.gaussian(np.zeros(300), np.ones(300))

    def half_width(**stated: object) -> float:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            table = uq.score(y, prediction, split=split, **stated).numbers.where(metric="crps", split="", group="")
        return float(table["high"][0] - table["score"][0])

    assert math.isclose(half_width(train_rows=135), half_width(train_rows=np.full(300, 135)), rel_tol=1e-12)
    assert half_width(row=order.tolist()) > half_width(train_rows=135) > half_width(train_rows=100000)
    with pytest.warns(UserWarning, match="train_rows"):
        uq.score(y, prediction, split=split, row=order.tolist())


def test_infinite_ends_are_scored() -> None:
    scored = uq.score(Y, uq.interval([-np.inf, 0, -1, 3, 0], [np.inf, 2, 0, np.inf, 1]), level=0.8)
    assert scored.of("picp(level=0.8)") == 0.8 and scored.of("mpiw(level=0.8)") == math.inf


def test_a_level_that_is_given_twice_is_named() -> None:
    for levels, twice in (([0.05, 0.5, 0.5], "0.5"), ([0.5, 0.05, 0.05], "0.05"), ([0, -0.0, 0.5], "0.0")):
        with pytest.raises(ValueError, match=rf"levels have -?{twice} 2 times"):
            uq.quantiles(np.tile([0.0, 1.0, 2.0], (5, 1)), levels)
    uq.quantiles(np.tile([0.0, 1.0, 2.0], (5, 1)), [0.05, 0.5, 0.95])


def test_names_of_levels_are_those_that_were_asked_for() -> None:
    for level in (0.7, 0.8, 0.9, 0.95, 0.99):
        scored = uq.score(Y, uq.gaussian(np.zeros(5), np.ones(5)), level=level)
        tail = f"{(1 - level) / 2:.3f}".rstrip("0")
        z = NormalDist().inv_cdf(1 - float(tail))
        low, high = scored.of(f"pinball(level={tail})"), scored.of(f"pinball(level={round(1 - float(tail), 3):g})")
        assert math.isfinite(low) and math.isfinite(high) and z > 0
        assert not re.search(r"level=0\.\d{6}", " ".join(scored.numbers["metric"]))
        assert not {"best-value", "simple-regret", "mean-variance"} & set(scored.numbers["metric"])
