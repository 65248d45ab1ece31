"""Write the files of a new game from the templates in this folder and register the game: ``scripts/new-game NAME``."""

import re
import sys
from pathlib import Path
from subprocess import run

FILES = {
    "engine.py": "cardgames/engine/{}.py",
    "texts.py": "cardgames/texts/en/{}.py",
    "rules.md": "cardgames/texts/en/{}.md",
    "expected.py": "tests/games/{}.py",
    "test_rules.py": "tests/engine/test_{}.py",
}
REGISTRY = Path("cardgames/engine/game.py")
GAMES = re.compile(r"^(GAMES = \(.*?),?\)$", re.M)

NEXT_STEPS = """Wrote a game of tricks that stands in for {title}, and registered it in cardgames/engine/game.py:

{files}

It can be played, and its tests pass:

    scripts/play play {name} --computer fair
    scripts/test tests/engine tests/conformance tests/texts -k {name}

Now make it {title}, in this order; after each step the second line says what is missing.

1. The rules page: a paragraph a clause, {letter}1, {letter}2, …; `clauses` in tests/games/{name}.py says how many.
2. The rules, and a test a clause. New fields of the observation go into `fields` in tests/games/{name}.py.
3. The messages: the tests name each key that lacks one, and each that nothing says. Fields of the observation are shown
   on the table by `table.FIELD`, as cardgames/layout/default.py tells.

“Adding a game” in .github/CONTRIBUTING.md has what comes after that, for a game that menus offer."""


def main(*words: str) -> str:
    """Write a new game with the name ``words``; return a report. Raises ``SystemExit`` if the name cannot be used."""
    if len(words) != 1 or not re.fullmatch("[a-z]{3,}", words[0]):
        raise SystemExit("usage: scripts/new-game NAME, of three or more small letters: it names a Python module")
    (name,) = words
    existing = [path for pattern in FILES.values() if (path := Path(pattern.format(name))).exists()]
    if existing:
        raise SystemExit(f"{existing[0]} exists already")
    registry = REGISTRY.read_text(encoding="utf-8")
    paths = []
    for template, pattern in FILES.items():
        text = (Path(__file__).parent / template).read_text(encoding="utf-8")
        text = text.replace("skeleton", name).replace("Skeleton", name.capitalize())
        text = re.sub(r"\bS(?=\d\b)", name[0].upper(), text).replace('("S", 4)', f'("{name[0].upper()}", 4)')
        paths.append(Path(pattern.format(name)))
        paths[-1].write_text(text.replace("test_s", f"test_{name[0]}"), encoding="utf-8")
    REGISTRY.write_text(GAMES.sub(rf'\1, "{name}")', registry), encoding="utf-8")
    modules = [path for path in paths if path.suffix == ".py"]
    ruff = sys.executable, "-m", "ruff"
    run([*ruff, "check", "-q", "--fix", "--select", "I", *modules], check=True)
    run([*ruff, "format", "-q", *modules], check=True)
    files = "\n".join(f"    {path}" for path in paths)
    return NEXT_STEPS.format(name=name, title=name.capitalize(), letter=name[0].upper(), files=files)


if __name__ == "__main__":
    print(main(*sys.argv[1:]))
