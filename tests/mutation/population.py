"""The mutants there are, made by cosmic-ray, and a sample of them that a seed draws."""

import ast
import hashlib
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from cosmic_ray.ast import ast_nodes, get_ast_from_path
from cosmic_ray.ast.ast_query import ASTQuery
from cosmic_ray.modules import find_modules
from cosmic_ray.plugins import get_operator
from cosmic_ray.work_item import MutationSpec

from mutation.patch import sources

PACKAGES = ("controller/games", "controller/limits", "controller/odds", "controller/tracking")
BENCH_FILES = frozenset({"bench.py", "demo.py", "people.py", "terminal.py", "ways.py"})
"""A game's files for the simulated bench, which no live table loads."""

_ARITHMETIC = (
    "Add_Sub Sub_Add Mul_Div Div_Mul FloorDiv_Mul Mod_FloorDiv Pow_Mul "
    "BitAnd_BitOr BitOr_BitAnd BitXor_BitOr LShift_RShift RShift_LShift"
)
_COMPARISONS = (
    "Eq_NotEq Eq_LtE Eq_GtE NotEq_Eq NotEq_Lt NotEq_Gt Lt_LtE Lt_GtE LtE_Lt LtE_Gt Gt_GtE Gt_LtE GtE_Gt GtE_Lt "
    "Is_IsNot IsNot_Is"
)
OPERATORS = frozenset(
    {
        *(f"core/ReplaceBinaryOperator_{pair}" for pair in _ARITHMETIC.split()),
        *(f"core/ReplaceComparisonOperator_{pair}" for pair in _COMPARISONS.split()),
        *(f"core/ReplaceUnaryOperator_{pair}" for pair in ("Delete_Not", "USub_UAdd")),
        *("core/NumberReplacer", "core/AddNot", "core/ReplaceAndWithOr", "core/ReplaceOrWithAnd"),
        *("core/ReplaceTrueWithFalse", "core/ReplaceFalseWithTrue", "core/ZeroIterationForLoop"),
        *("core/ReplaceBreakWithContinue", "core/ReplaceContinueWithBreak"),
        *("core/ExceptionReplacer", "core/RemoveDecorator"),
    }
)
"""One change for each operator of arithmetic and the neighbours of each comparison. cosmic-ray's others change the
same places once more (``+`` to ``>>``, ``**``, ...), or change nothing (``is`` to ``==`` between states)."""
_UNPACKS = "core/ReplaceBinaryOperator_Pow_Mul"
"""It takes the ``**`` before a mapping in braces for an operator, too; with ``*`` that is no Python."""


@dataclass(frozen=True)
class DrawnMutant:
    """A mutant of the sample.

    Attributes:
        name: eight hexadecimal digits, of the file, the definition, the change and its number there: an edit
            elsewhere in the file leaves it as it is.
        spec: where and what, as cosmic-ray applies it.
    """

    name: str
    spec: MutationSpec

    def __str__(self) -> str:
        place = f"{self.spec.module_path}:{self.spec.start_pos[0]}"
        return f"{self.name} {place} {self.spec.definition_name or 'module'} {self.spec.operator_name[5:]}"


def _left_to_types(path: Path) -> list[tuple[tuple[int, int], tuple[int, int]]]:
    """Where annotations and the options of dataclasses lie (``frozen``): mypy holds them, no test."""
    nodes = []
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        nodes += [getattr(node, "annotation", None), getattr(node, "returns", None)]
        for decorator in getattr(node, "decorator_list", ()):
            nodes += [keyword.value for keyword in getattr(decorator, "keywords", ())]
    expressions = [node for node in nodes if isinstance(node, ast.expr)]
    return [((n.lineno, n.col_offset), (n.end_lineno or 0, n.end_col_offset or 0)) for n in expressions]


def _specs() -> Iterator[MutationSpec]:
    operators = {name: get_operator(name)() for name in sorted(OPERATORS)}
    for path in sorted(find_modules(Path(package) for package in PACKAGES)):
        if path.name in BENCH_FILES:
            continue
        nodes, left_out = list(ast_nodes(get_ast_from_path(path))), _left_to_types(path)
        for name, operator in operators.items():
            places = ((node, span) for node in nodes for span in operator.mutation_positions(node))
            for occurrence, (node, (start, end)) in enumerate(places):
                if not any(first <= tuple(start) < last for first, last in left_out):
                    definition = ASTQuery(node).get_definition_name()
                    yield MutationSpec(path, name, occurrence, start, end, definition_name=definition)


def _is_python(spec: MutationSpec) -> bool:
    """Whether the changed file can be compiled at all."""
    try:
        compile(sources(spec)[1], str(spec.module_path), "exec")
    except SyntaxError:
        return False
    return True


def population() -> list[DrawnMutant]:
    """Every mutant of the packages; the working folder is the project's root."""
    seen: Counter[str] = Counter()
    found = []
    for spec in _specs():
        place = f"{spec.module_path} {spec.definition_name} {spec.operator_name}"
        seen[place] += 1
        if spec.operator_name == _UNPACKS and not _is_python(spec):
            continue
        found.append(DrawnMutant(hashlib.sha256(f"{place} {seen[place]}".encode()).hexdigest()[:8], spec))
    return found


def drawn(mutants: Sequence[DrawnMutant], many: int, seed: int) -> list[DrawnMutant]:
    """The sample of a seed: a mutant's place in it hangs on its own name alone, not on what else there is."""

    def place(mutant: DrawnMutant) -> bytes:
        return hashlib.sha256(f"{seed} {mutant.name}".encode()).digest()

    return sorted(mutants, key=place)[:many]
