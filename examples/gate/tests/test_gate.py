import uqbench


def test_the_log_score_did_not_get_worse():
    uqbench.check("gate.toml", against="gate-scores.toml", metrics=["log-likelihood"])
