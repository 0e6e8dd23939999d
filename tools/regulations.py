"""The clauses of the law and the tests that enforce them: ``docs/regulations.md``. Run by ``make docs``.

``tests/clauses.yaml`` lists the clauses, and each test names its own in the marker ``clause``. ``make lint`` runs
``python -m tools.regulations --check``, which writes nothing.
"""

import ast
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import Path

import yaml

ROOT = Path(__file__).parents[1]
CLAUSES = ROOT / "tests" / "clauses.yaml"
PAGE = ROOT / "docs" / "regulations.md"
_HEAD = """# From the clauses to the tests

Made by `make docs` from `tests/clauses.yaml` and the `clause` markers of the tests. The law is 58 Pa. Code. The
sentences here are ours and replace none of its text. A clause includes its paragraphs, unless they have lines too.

The last column names the tests that show that the table enforces the clause. No firmware can enforce a clause for
**people** (dealers, floorpersons, players, the Board) or for **equipment** (how wheel, layout and table are built).
"""


@dataclass(frozen=True, slots=True)
class Clause:
    """One entry of the list.

    Attributes:
        numbers: more than one if chapters have the same text.
        by: ``people`` or ``equipment``; empty if the firmware enforces the clause.
    """

    numbers: tuple[str, ...]
    asks: str
    by: str

    def tests(self, marked: Mapping[str, Sequence[str]]) -> list[str]:
        return [test for number in self.numbers for test in marked.get(number, ())]


def clauses() -> dict[str, list[Clause]]:
    """The entries of each chapter."""
    listed = yaml.load(CLAUSES.read_text(encoding="utf-8"), Loader=yaml.BaseLoader)
    return {title: list(map(_clause, entries)) for title, entries in listed.items()}


def _clause(entry: dict[str, str]) -> Clause:
    by = entry.pop("by", "")
    ((numbers, asks),) = entry.items()
    return Clause(tuple(numbers.split(", ")), asks, by)


def marked_tests() -> dict[str, list[str]]:
    """The tests of each clause, under their pytest names. Nothing is imported or run."""
    marked = defaultdict(list)
    for path in sorted((ROOT / "tests").rglob("*.py")):
        text = path.read_text(encoding="utf-8")
        if "mark.clause" in text:
            for test, number in _marks(ast.parse(text), path.relative_to(ROOT).as_posix(), []):
                marked[number].append(test)
    return dict(marked)


def _marks(scope: ast.Module | ast.ClassDef, name: str, outer: list[ast.expr]) -> Iterator[tuple[str, str]]:
    for node in scope.body:
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "pytestmark":
            outer = [*outer, node.value]
        elif isinstance(node, ast.ClassDef):
            yield from _marks(node, f"{name}::{node.name}", [*outer, *node.decorator_list])
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.name.startswith("test"):
            for call in chain.from_iterable(map(ast.walk, [*outer, *node.decorator_list])):
                if isinstance(call, ast.Call) and ast.unparse(call.func) == "pytest.mark.clause":
                    yield from ((f"{name}::{node.name}", ast.literal_eval(number)) for number in call.args)


def problems(listed: Sequence[Clause], marked: Mapping[str, Sequence[str]]) -> Iterator[str]:
    times = Counter(number for clause in listed for number in clause.numbers)
    yield from (f"§ {number} is listed twice" for number in times if times[number] > 1)
    yield from (f"§ {number} of {marked[number][0]} is not listed" for number in marked if number not in times)
    for clause in listed:
        number, tests = clause.numbers[0], clause.tests(marked)
        if clause.by not in ("", "people", "equipment"):
            yield f"§ {number} is by {clause.by!r}: write people or equipment, or remove the line"
        elif clause.by and tests:
            yield f"§ {number} is by {clause.by}, but {tests[0]} has its marker"
        elif not clause.by and not tests:
            yield f"§ {number} is enforced by no test: mark one, or write by: people or by: equipment"


def page(chapters: Mapping[str, Sequence[Clause]], marked: Mapping[str, Sequence[str]]) -> str:
    lines = [_HEAD]
    for title, listed in chapters.items():
        lines += [f"## {title}\n", "| clause | requirement | enforced by |", "| --- | --- | --- |"]
        for clause in listed:
            numbers = ", ".join(f"§ {number}" for number in clause.numbers)
            tests = ", ".join(test.rpartition("/")[2] for test in clause.tests(marked))
            lines.append(f"| {numbers} | {clause.asks} | {tests or clause.by} |")
        lines.append("")
    return "\n".join(lines)


def main(check: bool) -> int:
    chapters, marked = clauses(), marked_tests()
    wrong = list(problems(list(chain.from_iterable(chapters.values())), marked))
    if wrong:
        print(*(f"tests/clauses.yaml: {line}" for line in wrong), sep="\n", file=sys.stderr)
    elif not check:
        PAGE.write_text(page(chapters, marked), encoding="utf-8")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(check="--check" in sys.argv))
