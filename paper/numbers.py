"""Write the numbers of paper.md from the committed reports; ``--check`` changes nothing and fails where one differs.

A number stands between ``<!--NAME-->`` and ``<!---->``. The texts around it are written by hand.
"""

import re
import sys
from pathlib import Path

HERE = Path(__file__).parent


def numbers() -> dict[str, str]:
    """The numbers by name."""
    index = (HERE.parent / "reports" / "index.md").read_text(encoding="utf-8")
    found = re.search(
        r"Of (\d+) printed numbers .*? \*\*(\d+)\*\* agree .*?; (\d+) would by chance.*? Of (\d+) claims.*? "
        r"\*\*(\d+)\*\* hold, (\d+) fail, (\d+) depend .*?, and (\d+) cannot",
        index,
    )
    if found is None:
        sys.exit("error: reports/index.md has no sentence on printed numbers and claims")
    names = ("judged", "agree", "chance", "claims", "hold", "fail", "depend", "open")
    values = dict(zip(names, found.groups()))
    packs = sorted((HERE.parent / "reports" / "packs").glob("*.pack"))
    values["packs"] = str(len(packs))
    values["megabytes"] = str(round(sum(pack.stat().st_size for pack in packs) / 1e6))
    return values


def written(text: str, values: dict[str, str]) -> str:
    """The text with these numbers."""

    def number(mark: re.Match[str]) -> str:
        if mark[1] not in values:
            sys.exit(f"error: paper.md has the number {mark[1]!r}; expected one of {', '.join(sorted(values))}")
        return f"<!--{mark[1]}-->{values[mark[1]]}<!---->"

    return re.sub(r"<!--(\w+)-->.*?<!---->", number, text)


def main() -> None:
    page = HERE / "paper.md"
    text = page.read_text(encoding="utf-8")
    new = written(text, numbers())
    if "--check" in sys.argv[1:]:
        if new != text:
            sys.exit("error: numbers of paper/paper.md are not those of reports/: `just paper` writes them")
    else:
        page.write_text(new, encoding="utf-8")


if __name__ == "__main__":
    main()
