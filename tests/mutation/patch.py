"""A mutant put into the functions of a process that has loaded the code already.

Loading the code and the tests takes two seconds, a test that notices a mutant some hundredths. What a function does
is its code object: each function that has the one before the change gets the one after it.
"""

import gc
from collections.abc import Iterator
from pathlib import Path
from types import CodeType, FunctionType

from cosmic_ray.mutating import mutate_code
from cosmic_ray.plugins import get_operator
from cosmic_ray.work_item import MutationSpec

_FUNCTION = 0x1 | 0x2
"""Flags of a function's code that a module's or a class's has not: ``CO_OPTIMIZED``, ``CO_NEWLOCALS``."""


class NotInFunctionError(Exception):
    """The change lies in code that runs once, when the module is imported: it has to be imported anew."""


def sources(spec: MutationSpec) -> tuple[str, str]:
    """A file's text before and after the change."""
    before = spec.module_path.read_text(encoding="utf-8")
    after = mutate_code(before, get_operator(spec.operator_name)(), spec.occurrence)
    assert after is not None, spec
    return before, after


def _own(code: CodeType) -> tuple[object, ...]:
    """What a code object is, without those inside it."""
    constants = tuple((type(one), one) for one in code.co_consts if not isinstance(one, CodeType))
    return (code.co_code, constants, code.co_names, code.co_varnames, code.co_freevars, code.co_exceptiontable)


def _changed(before: CodeType, after: CodeType) -> Iterator[tuple[CodeType, CodeType]]:
    """The functions' codes that differ, inner ones included.

    Raises:
        NotInFunctionError: the code of a module or a class differs.
    """
    inner = [[one for one in code.co_consts if isinstance(one, CodeType)] for code in (before, after)]
    differs = _own(before) != _own(after) or len(inner[0]) != len(inner[1])
    if before.co_flags & _FUNCTION != _FUNCTION:
        if differs:
            raise NotInFunctionError
    elif before != after or differs:
        yield before, after
    for old, new in zip(*inner, strict=False):
        yield from _changed(old, new)


def _pairs(spec: MutationSpec) -> dict[tuple[str, int], CodeType]:
    """The changed functions' new codes, by name and line."""
    file = str(spec.module_path.resolve())
    before, after = (compile(source, file, "exec") for source in sources(spec))
    return {(old.co_qualname, old.co_firstlineno): new for old, new in _changed(before, after)}


def in_functions_only(spec: MutationSpec) -> bool:
    """Whether a mutant leaves what runs at import as it is."""
    try:
        return bool(_pairs(spec))
    except (NotInFunctionError, SyntaxError):
        return False


def put_into_functions(spec: MutationSpec) -> None:
    """Change every function of this process that the mutant changes.

    Raises:
        NotInFunctionError: it cannot be done so.
    """
    file, pairs = spec.module_path.resolve(), _pairs(spec)
    put = 0
    for function in [one for one in gc.get_objects() if isinstance(one, FunctionType)]:
        code = function.__code__
        new = pairs.get((code.co_qualname, code.co_firstlineno))
        if new is not None and Path(code.co_filename).resolve() == file:
            function.__code__ = new
            put += 1
    if not put:
        raise NotInFunctionError
