"""Names: a public type stands in one module only, and what the field has a word for is called by that
word, in the scripts of the pages, too."""

import ast
import re
from collections import defaultdict
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from parsed_modules import nodes_of, parsed
from project import ROOT

PACKAGES = ("controller", "hal", "config")
PROGRAMS = (*PACKAGES, "benchmarks", "tools", "tests")
FIELD_SAYS = {
    "told": "reported, published, or what it is: a reaction, a message",
    "teller": "writer, formatter",
    "telling": "formatter",
    "standing": "table state; active alerts; on record",
    "underway": "round in progress",
    "aside": "quarantine",
    "troubles": "failures; injected faults",
    "lives": "killed process; runs",
    "asked": "commanded, requested; request validation",
    "wanted": "expected, required, selected; resend request",
    "keeping": "writer",
    "intake": "validation",
    "desk": "query pool",
    "digests": "summaries; only a hash is a digest",
    "course": "motion",
    "retrace": "edge replay",
    "happening": "event, recorded decision",
    "doings": "actions",
    "standin": "mock, simulated device",
    "wording": "error messages",
    "mend": "repair, restore",
}
"""Words that are no names here, each with what the field says instead."""
_ON_THE_WIRE = "the MQTT topic on which a floor requests entries"
_IN_JSON = "a field of a document that the floor's pages receive"
MAY_STAND = {
    ("wanted", "controller/messages/topics.py"): _ON_THE_WIRE,
    ("standing", "controller/floor/pages/documents.py"): _IN_JSON,
    ("told", "controller/floor/pages/documents.py"): _IN_JSON,
    ("mend", "controller/bench/scenarios/steps.py"): "a key of scenarios' files",
    ("digests", "controller/runtime/manifest.py"): "these are hashes",
}
"""Names that outlive the code or are right where they stand, by word and module, each with the reason."""


def modules(package: str) -> Iterator[tuple[Path, ast.Module]]:
    """The modules of a package, by their paths in the repository."""
    for file in sorted((ROOT / package).rglob("*.py")):
        yield file.relative_to(ROOT), parsed(file)


def types_of(module: ast.Module) -> Iterator[str]:
    """The names of a module's classes, wherever they stand, and of the types that it names at its top level."""
    for node in nodes_of(module):
        if isinstance(node, ast.ClassDef):
            yield node.name
    for statement in module.body:
        targets = statement.targets if isinstance(statement, ast.Assign) else [getattr(statement, "target", None)]
        for target in targets:
            # ``Odds = Annotated[...]`` names a type; ``MOST`` is a constant, ``T`` the variable of a generic.
            if isinstance(target, ast.Name) and target.id[0].isupper() and not target.id.isupper():
                yield target.id


def test_a_public_type_is_defined_in_one_module() -> None:
    found: dict[str, set[str]] = defaultdict(set)
    for package in PACKAGES:
        for path, module in modules(package):
            for name in types_of(module):
                found[name].add(str(path))
    public = {name: sorted(paths) for name, paths in found.items() if name[0] != "_"}
    several = {name: paths for name, paths in public.items() if len(paths) > 1}
    assert several == {}, "say in each name what the one is and the other is not"


def definitions(module: ast.Module) -> Iterator[str]:
    """What a module names itself: classes, functions, parameters, attributes and variables."""
    for node in nodes_of(module):
        if isinstance(node, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            yield node.name
        elif isinstance(node, ast.arg):
            yield node.arg
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            yield node.id
        elif isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store):
            yield node.attr
        elif isinstance(node, ast.alias) and node.asname is not None:
            yield node.asname


@cache
def words_of(name: str) -> frozenset[str]:
    """The words of a name: ``told_by``, ``ToldRig`` and ``TOLD`` have ``told`` in common."""
    return frozenset(word.lower() for word in re.findall(r"[A-Z]?[a-z0-9]+|[A-Z0-9]+", name))


_NAMED = re.compile(r"\b(?:const|let|var|function\*?|class|as)\s+(\{[^}]*\}|\[[^\]]*\]|[\w$]+)")


def script_definitions(script: str) -> Iterator[str]:
    """What a script of the pages names itself: also ``told`` of ``const { code: told } = ...``, not ``code``."""
    for pattern in _NAMED.findall(re.sub(r"/\*.*?\*/|//[^\n]*", "", script, flags=re.DOTALL)):
        yield from re.findall(r"[\w$]+(?=\s*(?:[,}\]=]|$))", pattern)


def named() -> Iterator[tuple[Path, Iterator[str]]]:
    """Every module and every script by its path in the repository, with the names that it defines."""
    for package in PROGRAMS:
        for path, module in modules(package):
            yield path, definitions(module)
    for file in sorted((ROOT / "controller").rglob("*.js")):
        yield file.relative_to(ROOT), script_definitions(file.read_text(encoding="utf-8"))


@cache
def foreign_words() -> dict[tuple[str, str], set[str]]:
    """The names in which a word stands that the field does not use, by word and file."""
    found: dict[tuple[str, str], set[str]] = defaultdict(set)
    for path, names in named():
        for name in (*path.with_suffix("").parts, *names):
            for word in words_of(name) & FIELD_SAYS.keys():
                found[word, path.as_posix()].add(name)
    return found


def test_the_names_of_a_script_are_found() -> None:
    script = """
        import { say as told } from "./dom.js"; // const comment = 1
        /** let documented be */ export function mend(asked) { const { code: wanted, desk } = asked; }
        let [one, other] = desk;
    """
    assert [*script_definitions(script)] == ["told", "mend", "wanted", "desk", "one", "other"]


def test_names_are_the_words_of_the_field() -> None:
    said = {
        f"{path}: {', '.join(sorted(names))}": f"the field says: {FIELD_SAYS[word]}"
        for (word, path), names in foreign_words().items()
        if (word, path) not in MAY_STAND
    }
    assert said == {}


def test_every_exception_is_of_a_name_that_there_is() -> None:
    assert MAY_STAND.keys() - foreign_words().keys() == set()
