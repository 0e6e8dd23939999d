"""What events and effects have in common as values. Used by their modules alone."""

from typing import ClassVar


class Frozen:
    """Equality, hash and text of a frozen data class, made of its fields when they are asked for.

    ``dataclass`` would write them for each class, and Python compile them each time a table starts: a third of
    what such a class costs then. A class that has them from here says ``eq=False, repr=False``.
    """

    __slots__ = ()
    __match_args__: ClassVar[tuple[str, ...]]

    def __eq__(self, other: object) -> bool:
        if other.__class__ is not self.__class__:
            return NotImplemented
        return all(getattr(self, name) == getattr(other, name) for name in self.__match_args__)

    def __hash__(self) -> int:
        return hash(tuple([getattr(self, name) for name in self.__match_args__]))

    def __repr__(self) -> str:
        fields = ", ".join(f"{name}={getattr(self, name)!r}" for name in self.__match_args__)
        return f"{self.__class__.__qualname__}({fields})"
