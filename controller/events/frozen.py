"""What events, effects and their parts have in common as values."""

import re
from dataclasses import dataclass
from typing import ClassVar, dataclass_transform


@dataclass_transform(frozen_default=True, eq_default=False)
class Frozen:
    """Makes each subclass a frozen data class.

    Equality, hash and text are made of the fields when they are asked for. ``dataclass`` would write them for each
    class, and Python compile them each time a table starts: a third of what such a class costs then.
    """

    __match_args__: ClassVar[tuple[str, ...]]

    def __init_subclass__(cls) -> None:
        dataclass(frozen=True, eq=False, repr=False)(cls)

    def __eq__(self, other: object) -> bool:
        if other.__class__ is not self.__class__:
            return NotImplemented
        return all(getattr(self, name) == getattr(other, name) for name in self.__match_args__)

    def __hash__(self) -> int:
        return hash(tuple([getattr(self, name) for name in self.__match_args__]))

    def __repr__(self) -> str:
        fields = ", ".join(f"{name}={getattr(self, name)!r}" for name in self.__match_args__)
        return f"{self.__class__.__qualname__}({fields})"


class Recorded(Frozen):
    """The base of events and effects. Each of their classes has its ``kind`` as its last field."""

    kind = ""
    """The name in the record, made of that of the class: ``wheel-thrown`` of ``WheelThrown``."""

    def __init_subclass__(cls) -> None:
        if Recorded not in cls.__bases__:
            cls.kind = re.sub(r"(?<=[a-z])(?=[A-Z])", "-", cls.__name__).lower()
            cls.__annotations__["kind"] = str
        super().__init_subclass__()
