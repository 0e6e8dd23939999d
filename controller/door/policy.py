"""What a site asks of whom: which paths are open, and which role each action needs."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from controller.access.roles import Role
from controller.web.exchange import Request


@dataclass(frozen=True, slots=True)
class Policy:
    """The rules of one site. Whatever is not open needs a person who may look.

    Attributes:
        title: the table's or floor's name, on the log-on page and in authenticators.
        acts: the role that each action needs, by its path.
        is_open: whether a path needs no log-on.
        lets_in: whether a request is answered without log-on, as of a table's own screen.
        reads: the role that is needed to read addresses with this beginning, where that is more than to look.
        exports: the beginning of paths whose documents leave the floor, each on record; empty for none.
    """

    title: str
    acts: Mapping[str, Role]
    is_open: Callable[[str], bool] = lambda path: False
    lets_in: Callable[[Request], bool] = lambda request: False
    exports: str = ""
    reads: Mapping[str, Role] = field(default_factory=dict)

    def reading(self, path: str) -> tuple[str, Role] | None:
        """What is needed to read an address: the guarded beginning that it has, and the role; None to look."""
        return next(((begins, role) for begins, role in self.reads.items() if path.startswith(begins)), None)
