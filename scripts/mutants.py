#!/usr/bin/env python3
"""Measure how sharp the tests are: change the program in one place at a time, and see whether a test fails.

    .venv/bin/python scripts/mutants.py FOLDER [--count 300] [--seed 42] [--tests tests/engine …]
    .venv/bin/python scripts/mutants.py FOLDER --again OTHER/results.tsv     the same changes, with other tests

All work is done in a copy of the project in FOLDER. A first run of the tests finds out which of them reach which of
the drawn places (``met.tsv``). Then each change meets those tests, and gets a line in ``results.tsv``. What is there
is not done again, so a run that was broken off goes on. A change is known by its file, function and text, not by its
line, and the draw depends on these alone: it is nearly the same when the code around has changed.
"""

import argparse
import ast
import os
import shutil
import signal
import subprocess
import time
from collections import Counter, defaultdict
from collections.abc import Iterator
from copy import copy
from hashlib import sha256
from pathlib import Path
from typing import Any, NamedTuple

ROOT = Path(__file__).resolve().parent.parent
ROOMS = ("engine", "match", "store", "bots", "layout", "ui", "cli")
TABLES = {"bots/truc_equilibrium_table.py", "bots/level_ratings.py"}
"""Files of data that scripts have written."""

COMPARISONS: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Eq: ast.NotEq, ast.NotEq: ast.Eq,
    ast.In: ast.NotIn, ast.NotIn: ast.In, ast.Is: ast.IsNot, ast.IsNot: ast.Is,
}  # fmt: skip
ARITHMETIC: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Add, ast.FloorDiv: ast.Mult, ast.Div: ast.Mult, ast.Mod: ast.Mult,
    ast.BitOr: ast.BitAnd, ast.BitAnd: ast.BitOr, ast.LShift: ast.RShift, ast.RShift: ast.LShift,
}  # fmt: skip
CALLS = {"min": "max", "max": "min", "any": "all", "all": "any"}

SECONDS = 60
"""The most that the tests for one change may have taken without it."""
MOST_TESTS = 400

PROBE = """'PYTEST_DONT_REWRITE'
import builtins, mmap

def places(found=[]):
    if not found:
        with open({met!r} + ".map", "r+b") as file:
            found.append(mmap.mmap(file.fileno(), 0))
    return found[0]

def probe(number):
    places()[number] = 1

builtins.mutant_probe = probe

def pytest_collection_finish(session):
    places()[:] = bytes(len(places()))

def pytest_runtest_makereport(item, call):
    item.failed = getattr(item, "failed", False) or bool(call.excinfo)
    item.seconds = getattr(item, "seconds", 0) + call.duration
    if call.when == "teardown":
        met = [str(number) for number, hit in enumerate(places()[:]) if hit]
        places()[:] = bytes(len(places()))
        row = [item.nodeid, "failed" if item.failed else "passed", f"{{item.seconds:.2f}}", *met]
        with open({met!r}, "a", encoding="utf-8") as file:
            print(*row, sep="\\t", file=file)
"""
"""A module of the copy's environment: notes the changed places that each test reaches, in all processes."""


class Mutant(NamedTuple):
    """A change: the file, the function's name with its classes, the kind of change, and the text before and after.

    ``nth`` counts equal changes in a function."""

    file: str
    function: str
    operator: str
    before: str
    after: str
    nth: str

    @property
    def room(self) -> str:
        return self.file.split("/")[1]


class Place(NamedTuple):
    """Where a mutant stands in the text of its file, in bytes, and whether that is a statement."""

    start: int
    end: int
    is_statement: bool


def changed(node: Any, **fields: Any) -> Any:
    """A copy of a node with other fields."""
    result = copy(node)
    for name, value in fields.items():
        setattr(result, name, value)
    return result


def expressions_for(node: ast.AST) -> Iterator[tuple[str, ast.expr]]:
    """The changes of an expression, each with its kind."""
    match node:
        case ast.Compare(ops=ops):
            for number, op in enumerate(ops):
                other = [*ops[:number], COMPARISONS[type(op)](), *ops[number + 1 :]]
                yield "comparison", changed(node, ops=other)
        case ast.BoolOp(op=op):
            yield "and-or", changed(node, op=ast.Or() if isinstance(op, ast.And) else ast.And())
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            yield "not", operand
        case ast.BinOp(op=op, left=left) if type(op) in ARITHMETIC and not isinstance(left, ast.JoinedStr):
            yield "arithmetic", changed(node, op=ARITHMETIC[type(op)]())
        case ast.Constant(value=bool(value)):
            yield "boolean", ast.Constant(not value)
        case ast.Constant(value=int() | float() as value):
            yield "number", ast.Constant(value + 1)
        case ast.Call(func=ast.Name(id=name)) if name in CALLS:
            yield "call", changed(node, func=ast.Name(CALLS[name]))


def conditions_of(node: ast.AST) -> list[ast.expr]:
    """The conditions in a node that no other change turns around."""
    tests = [node.test] if isinstance(node, ast.If | ast.While | ast.IfExp) else []
    tests += node.ifs if isinstance(node, ast.comprehension) else []
    return [test for test in tests if not isinstance(test, ast.Compare | ast.BoolOp) and not is_not(test)]


def is_not(node: ast.expr) -> bool:
    return isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not)


def is_left_out(node: ast.AST) -> bool:
    """Whether a mutant of this statement leaves it out."""
    match node:
        case ast.Expr(value=ast.Call()) | ast.AugAssign() | ast.Break() | ast.Continue() | ast.Raise():
            return True
        case ast.Assign(targets=[ast.Attribute() | ast.Subscript()]):
            return True
    return False


def children(node: ast.AST) -> Iterator[ast.AST]:
    """The nodes in a node, without annotations, patterns, decorators and f-strings, whose places Python 3.11 lacks."""
    for field, value in ast.iter_fields(node):
        if field not in ("annotation", "returns", "decorator_list", "pattern"):
            for child in value if isinstance(value, list) else [value]:
                if isinstance(child, ast.AST) and not isinstance(child, ast.JoinedStr):
                    yield child


def walk(node: ast.AST, function: str = "") -> Iterator[tuple[str, str, ast.AST, str]]:
    """All changes in a node: the function, the kind, the changed node, and the text after the change."""
    for operator, after in expressions_for(node):
        yield function, operator, node, ast.unparse(after)
    for test in conditions_of(node):
        yield function, "condition", test, f"not ({ast.unparse(test)})"
    if is_left_out(node):
        yield function, "statement", node, "pass"
    if isinstance(node, ast.FunctionDef | ast.ClassDef | ast.AsyncFunctionDef):
        function = f"{function}.{node.name}".lstrip(".")
    for child in children(node):
        yield from walk(child, function)


def mutants(root: Path) -> dict[Mutant, Place]:
    """All changes of the program, each with its place."""
    found: dict[Mutant, Place] = {}
    for path in sorted(path for room in ROOMS for path in (root / "cardgames" / room).rglob("*.py")):
        file = path.relative_to(root).as_posix()
        if file.removeprefix("cardgames/") in TABLES:
            continue
        text = path.read_bytes()
        starts = [0]
        for line in text.splitlines(keepends=True):
            starts.append(starts[-1] + len(line))
        equal = Counter[tuple[str, ...]]()
        for function, operator, node, after in walk(ast.parse(text)):
            assert isinstance(node, ast.expr | ast.stmt)
            assert node.end_lineno
            assert node.end_col_offset is not None
            named = (file, function, operator, one_line(ast.unparse(node)), one_line(after))
            equal[named] += 1
            start, end = starts[node.lineno - 1] + node.col_offset, starts[node.end_lineno - 1] + node.end_col_offset
            found[Mutant(*named, str(equal[named]))] = Place(start, end, isinstance(node, ast.stmt))
    return found


def one_line(text: str) -> str:
    return " ".join(text.split())


def draw(found: dict[Mutant, Place], seed: int, count: int) -> list[Mutant]:
    """Draw by a hash of each mutant, so that others that come or go do not matter."""
    return sorted(found, key=lambda mutant: sha256(f"{seed} {mutant[1:]}".encode()).digest())[:count]


def find_again(found: dict[Mutant, Place], results: Path) -> dict[Mutant, str]:
    """The mutants of other results that are still there, maybe in another file, and the test that killed each."""
    by_text = {mutant[1:]: mutant for mutant in found}
    again: dict[Mutant, str] = {}
    for line in results.read_text(encoding="utf-8").splitlines():
        row = line.split("\t")
        before = Mutant(*row[:6])
        if mutant := before if before in found else by_text.get(before[1:]):
            again[mutant] = row[6]
    return again


def apply(text: bytes, place: Place, code: str) -> bytes:
    if not place.is_statement:
        code = f"({code})"
    return text[: place.start] + code.encode() + text[place.end :]


def make_copy(copied: Path) -> None:
    """Copy the project with its environment, but without numba: it would compile all kernels anew for each mutant."""
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    for name in filter(None, listed.split("\0")):
        (copied / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(ROOT / name, copied / name)
    # some tests ask git for the project's files
    subprocess.run("git init -q && git add -A", cwd=copied, shell=True, check=True)
    shutil.copytree(ROOT / ".venv", copied / ".venv", symlinks=True, copy_function=os.link)
    packages = next((copied / ".venv/lib").glob("python*/site-packages"))
    shutil.rmtree(packages / "numba")
    for path in [*(copied / ".venv/bin").iterdir(), *packages.glob("*.pth"), copied / ".venv/pyvenv.cfg"]:
        data = path.read_bytes() if not path.is_symlink() and path.is_file() else b""
        if str(ROOT).encode() in data:
            mode = path.stat().st_mode
            path.unlink()
            path.write_bytes(data.replace(str(ROOT).encode(), str(copied).encode()))
            path.chmod(mode)


def pytest(copied: Path, arguments: list[str], timeout: float | None) -> tuple[int, str]:
    """Run tests in the copy; the exit code, or -1 if it took too long, and the output."""
    process = subprocess.Popen(
        [copied / ".venv/bin/python", "-m", "pytest", "-p", "no:cacheprovider", *arguments],
        cwd=copied, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, start_new_session=True,
    )  # fmt: skip
    try:
        output, _ = process.communicate(timeout=timeout)
        return process.returncode, output
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        return -1, ""


def find_tests(folder: Path, copied: Path, drawn: list[Mutant], places: dict[Mutant, Place], tests: list[str]) -> None:
    """Run the tests with a probe at each drawn place."""
    met = folder / "met.tsv"
    packages = next((copied / ".venv/lib").glob("python*/site-packages"))
    (packages / "mutant_probe.py").write_text(PROBE.format(met=str(met)))
    (packages / "mutant_probe.pth").write_text("import mutant_probe\n")
    Path(f"{met}.map").write_bytes(bytes(len(drawn)))
    by_file = defaultdict[str, list[int]](list)
    for number, mutant in enumerate(drawn):
        by_file[mutant.file].append(number)
    for file, numbers in by_file.items():
        inserted = []
        for number in numbers:
            place = places[drawn[number]]
            call = f"mutant_probe({number})"
            ends = [(place.end, 1, ")")] if not place.is_statement else []
            inserted += [
                (place.start, int(not place.is_statement), f"{call}; " if place.is_statement else f"({call} or ")
            ]
            inserted += ends
        text = (copied / file).read_bytes()
        for at, _, code in sorted(inserted, key=lambda part: part[:2], reverse=True):
            text = text[:at] + code.encode() + text[at:]
        ast.parse(text)
        (copied / file).write_bytes(text)
    done = folder / "done"
    done.touch()
    for test in tests:
        if test not in done.read_text().splitlines():
            _, output = pytest(copied, ["-p", "mutant_probe", "--tb=short", *test.split()], None)
            (folder / f"{test.replace('/', '-')[:40]}.log").write_text(output)
            print(time.strftime("%H:%M:%S"), test, output.splitlines()[-1:], flush=True)
            with done.open("a") as lines:
                lines.write(test + "\n")
    for file in by_file:
        shutil.copy2(ROOT / file, copied / file)
    (packages / "mutant_probe.pth").unlink()


class Met(NamedTuple):
    """A test that passes, with the seconds that it takes and the numbers of the places that it reaches."""

    test: str
    seconds: float
    places: frozenset[int]


def read_met(folder: Path) -> list[Met]:
    rows = [line.split("\t") for line in (folder / "met.tsv").read_text(encoding="utf-8").splitlines()]
    return [Met(row[0], float(row[2]), frozenset(map(int, row[3:]))) for row in rows if row[1] == "passed"]


def tests_for(mutant: Mutant, number: int, met: list[Met]) -> list[Met]:
    """The tests to run: those that reach the mutant, or those of its room if it is no part of a function."""
    stem = Path(mutant.file).stem
    if mutant.function and any(number in test.places for test in met):
        fitting = [test for test in met if number in test.places]
    else:
        fitting = [] if mutant.function else [test for test in met if f"tests/{mutant.room}/" in test.test]

    def order(test: Met) -> tuple[bool, bool, float]:
        return f"test_{stem}.py" not in test.test, f"tests/{mutant.room}/" not in test.test, test.seconds

    chosen: list[Met] = []
    total = 0.0
    for test in sorted(fitting, key=order):
        if len(chosen) < MOST_TESTS and (not chosen or total + test.seconds <= SECONDS):
            chosen.append(test)
            total += test.seconds
    return sorted(chosen, key=lambda test: test.seconds)


def result_of(mutant: Mutant, place: Place, copied: Path, chosen: list[Met]) -> str:
    """Run the tests on a mutant: the test that fails, "survived", "no test" or "timeout"."""
    if not chosen:
        return "no test"
    path = copied / mutant.file
    original = path.read_bytes()
    path.write_bytes(apply(original, place, mutant.after))
    try:
        names = copied / ".tests"
        names.write_text("\n".join(test.test for test in chosen), encoding="utf-8")
        allowed = 60 + 4 * sum(test.seconds for test in chosen)
        code, output = pytest(copied, ["-x", "--tb=no", "-rfE", f"@{names}"], allowed)
    finally:
        path.write_bytes(original)
    failed = [line for line in output.splitlines() if line.startswith(("FAILED ", "ERROR "))]
    if code == 0:
        return "survived"
    return (
        "timeout" if code == -1 else (failed or [f"exit code {code}"])[0].partition(" ")[2].split(" - ")[0] or str(code)
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--count", type=int, default=300)
    parser.add_argument("--seed", type=int, default=42)
    parser.add_argument("--again", type=Path)
    parser.add_argument("--tests", nargs="+", default=["tests"])
    given = parser.parse_args()
    folder = given.folder.resolve()
    copied = folder / "copy"
    if not (folder / "copied").exists():
        shutil.rmtree(copied, ignore_errors=True)
        make_copy(copied)
        (folder / "copied").touch()
    places = mutants(ROOT)
    killers = find_again(places, given.again) if given.again else {}
    drawn = [*killers] if given.again else draw(places, given.seed, given.count)
    print(f"{len(places):,} mutants, {len(drawn)} drawn", flush=True)
    print(Counter(mutant.room for mutant in drawn), Counter(mutant.operator for mutant in drawn), flush=True)
    if not (folder / "found").exists():
        find_tests(folder, copied, drawn, places, given.tests)
        (folder / "found").touch()
    met = read_met(folder)
    results = folder / "results.tsv"
    done = {tuple(line.split("\t")[:6]) for line in results.read_text().splitlines()} if results.exists() else set()
    for number, mutant in enumerate(drawn):
        if tuple(mutant) not in done:
            start = time.monotonic()
            chosen = tests_for(mutant, number, met)
            chosen.sort(key=lambda test: test.test != killers.get(mutant))
            result = result_of(mutant, places[mutant], copied, chosen)
            row = [*mutant, result, str(len(chosen)), f"{time.monotonic() - start:.1f}"]
            with results.open("a", encoding="utf-8") as file:
                file.write("\t".join(row) + "\n")


if __name__ == "__main__":
    main()
