"""The project's modules as Python reads them, each parsed once for all tests that look through the sources."""

import ast
from functools import cache
from pathlib import Path


@cache
def parsed(file: Path) -> ast.Module:
    """What stands in a module; tests only read it."""
    return ast.parse(file.read_text(encoding="utf-8"))


@cache
def nodes_of(module: ast.Module) -> tuple[ast.AST, ...]:
    """All nodes of a module, as ``ast.walk`` finds them."""
    return tuple(ast.walk(module))
