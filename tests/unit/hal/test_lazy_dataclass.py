"""A class decorated by :mod:`hal.lazy_dataclass` is as one that the standard library has decorated."""

import copy
import dataclasses
import pickle
import subprocess
import sys
from collections.abc import Callable
from dataclasses import FrozenInstanceError, field, replace
from typing import Any

import pytest
from project import ROOT
from pydantic import TypeAdapter

from hal.lazy_dataclass import dataclass

Decorate = Callable[..., Any]
FORMS = [{"frozen": frozen, "slots": slots} for frozen in (False, True) for slots in (False, True)]


def both(define: Callable[[Decorate], Any]) -> tuple[Any, Any]:
    """The same class, once decorated by each."""
    return define(dataclasses.dataclass), define(dataclass)


def plain(decorate: Decorate, **options: bool) -> Any:
    @decorate(**options)
    class Shown:
        """Something with fields of every kind."""

        number: int
        name: str = "a"
        places: list[int] = field(default_factory=list, compare=False)
        hidden: int = field(default=3, repr=False)

    return Shown


@dataclass(frozen=True, slots=True)
class Kept:
    """At the top of a module, where pickle finds it."""

    number: int
    name: str = "a"


@pytest.mark.parametrize("options", FORMS)
def test_instances_are_alike_in_text_comparison_hash_and_refusals(options: dict[str, bool]) -> None:
    theirs, ours = both(lambda decorate: plain(decorate, **options))
    for cls in (theirs, ours):
        one, other = cls(1, places=[4]), cls(1, "a")
        assert one == other
        assert one != cls(2)
        assert one != 1
        assert replace(one, name="b").name == "b"
        assert dataclasses.asdict(one) == {"number": 1, "name": "a", "places": [4], "hidden": 3}
        assert cls.__match_args__ == ("number", "name", "places", "hidden")
        if options["frozen"]:
            assert hash(one) == hash(other)
            with pytest.raises(FrozenInstanceError, match="cannot assign to field 'number'"):
                one.number = 2
            with pytest.raises(FrozenInstanceError, match="cannot delete field 'number'"):
                del one.number
        else:
            one.number = 2
            assert one.number == 2
            assert cls.__hash__ is None
        with pytest.raises(TypeError, match=r"Shown\.__init__\(\) missing 1 required .*'number'"):
            cls()
    assert repr(theirs(1, places=[4])) == repr(ours(1, places=[4]))
    assert copy.deepcopy(ours(1, places=[4])).places == [4]


@pytest.mark.parametrize("options", FORMS)
def test_what_a_class_defines_itself_stays(options: dict[str, bool]) -> None:
    def define(decorate: Decorate) -> Any:
        @decorate(**options)
        class Own:
            """With functions of its own."""

            number: int

            def __post_init__(self) -> None:
                assert self.number > 0

            def __repr__(self) -> str:
                return "own"

            def __eq__(self, other: object) -> bool:
                return True

        return Own

    for cls in both(define):
        assert repr(cls(1)) == "own"
        assert cls(1) == 2
        assert (cls.__hash__ is None) is not options["frozen"]
        if options["frozen"]:
            assert hash(cls(1)) == hash(cls(1))
        with pytest.raises(AssertionError):
            cls(0)


def test_a_class_that_inherits_has_all_fields() -> None:
    def define(decorate: Decorate) -> Any:
        base = plain(decorate, frozen=True, slots=True)

        @decorate(frozen=True, slots=True)
        class Further(base):  # type: ignore[misc, valid-type]
            """One field more."""

            more: int = 9

        return Further

    theirs, ours = both(define)
    assert repr(theirs(1)) == repr(ours(1))
    assert ours(1).more == 9
    with pytest.raises(FrozenInstanceError):
        ours(1).more = 3


def test_a_field_may_be_given_by_its_name_only() -> None:
    def define(decorate: Decorate) -> Any:
        @decorate(frozen=True)
        class Named:
            """With fields that are left out of ``__init__``, or have to be named."""

            number: int
            name: str = field(kw_only=True)
            made: int = field(default=4, init=False)

        return Named

    theirs, ours = both(define)
    assert repr(theirs(1, name="b")) == repr(ours(1, name="b"))
    with pytest.raises(TypeError):
        ours(1, "b")


def test_it_is_pickled_and_read_by_pydantic() -> None:
    assert pickle.loads(pickle.dumps(Kept(2))) == Kept(2)
    assert TypeAdapter(Kept).validate_python({"number": 4}) == Kept(4)
    assert TypeAdapter(Kept).dump_json(Kept(4)) == b'{"number":4,"name":"a"}'


def test_order_is_the_librarys() -> None:
    @dataclass(frozen=True, order=True)
    class Ordered:
        """Compared."""

        number: int

    assert sorted([Ordered(2), Ordered(1)]) == [Ordered(1), Ordered(2)]


def test_events_that_a_table_does_not_make_have_no_functions_compiled() -> None:
    """Loading all of them compiles nothing: that would be a sixth of what a table does until it is ready."""
    script = (
        "import builtins, dataclasses; compiled = []; whole = builtins.exec\n"
        "def counted(text, *more):\n"
        "    compiled.append(text) if isinstance(text, str) else None\n"
        "    return whole(text, *more)\n"
        "import pydantic; from pydantic import Field\n"
        "builtins.exec = dataclasses.exec = counted\n"
        "import controller.events.event, controller.events.effect\n"
        "print(len([text for text in compiled if '__init__' in text or '__eq__' in text]))\n"
    )
    found = subprocess.run([sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, check=True)
    assert found.stdout.strip() == "0"
