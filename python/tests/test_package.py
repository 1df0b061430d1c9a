"""The package as it is installed: CI runs this on the wheel."""

from pathlib import Path

import uqbench


def test_the_skill_for_coding_assistants_and_the_mark_of_types_are_part_of_it() -> None:
    folder = Path(uqbench.__file__).parent
    skill = (folder / "skills" / "uqbench-add-method" / "SKILL.md").read_text(encoding="utf-8")
    assert skill.startswith("---\nname: uqbench-add-method\n") and "uqbench method check" in skill
    assert (folder / "py.typed").is_file()
