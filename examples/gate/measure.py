"""How often the gate fails: with other draws of the same model, and where it states its errors too large."""

import os
import sys
import tempfile
from pathlib import Path

import uqbench

#: Factors by which the stated standard deviation is too large.
STRETCHES = (1.0, 1.05, 1.1, 1.15, 1.2, 1.3)


def fails(draw: int, stretch: float) -> bool:
    """Whether the gate fails with these draws and this factor."""
    os.environ.update(GATE_DRAW=str(draw), GATE_STRETCH=str(stretch))
    with tempfile.TemporaryDirectory() as folder:
        try:
            uqbench.check("gate.toml", "gate-scores.toml", metrics=["log-likelihood"], store=folder + "/store")
        except uqbench.GotWorse:
            return True
    return False


def main() -> None:
    os.chdir(Path(__file__).parent)
    runs = int(sys.argv[1])
    print("| Stated sd, times | Failed | Runs |\n| ---: | ---: | ---: |")
    for stretch in STRETCHES:
        failed = sum(fails(draw, stretch) for draw in range(1, runs + 1))
        print(f"| {stretch} | {failed} | {runs} |", flush=True)


if __name__ == "__main__":
    main()
