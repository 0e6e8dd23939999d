"""The bench's page: its keys, its faults, and invalid actions."""

import json
from collections.abc import Callable

import pytest
from bench_page import Page
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from config.schema import TableConfig
from controller.bench.faults import BREAKAGES
from controller.configuration.shipped import shipped_tables

GAMES = sorted(shipped_tables())
Shipped = Callable[[str], TableConfig]


# -- faults --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", GAMES)
def test_every_offered_fault_can_be_injected_and_repaired(page: Callable[[str], Page], game: str) -> None:
    bench = page(game)
    offered = json.loads(json.dumps(bench.web.breakages()))
    assert {"dead-lamp", "burning-lamp", "stuck-key", "keys-unplugged"} <= {item["fault"] for item in offered}
    for item in offered:
        target = {"target": item["targets"][-1]} if item["targets"] else {}
        for amount in ({}, {"amount": item["amount"]}):
            bench.act(fault=item["fault"], **target, **amount)
            assert len(bench.picture["faults"]) == 1
            bench.act(repair=True)
            assert bench.picture["faults"] == []
    assert "not possible" not in " ".join(line.text for line in bench.bench.watch.log)


# -- invalid actions -----------------------------------------------------------------------------------------------


HUGE = 10**4000
BAD: list[tuple[str, object, str]] = [
    ("dreamcatcher", [], "not a list"),
    ("dreamcatcher", {}, "exactly one of the keys key, press, throw, ball, fault, repair, cut"),
    ("dreamcatcher", {"press": "done", "key": "t"}, "exactly one"),
    ("dreamcatcher", {"press": "done", "Press": "done"}, "unknown key 'Press'; with 'press' go only: press"),
    ("dreamcatcher", {"press": "\ud800" * 99}, r"'\ud800\ud800"),
    ("dreamcatcher", {"press": "war"}, "'war' is no control of this table; it has: no-more-bets"),
    ("dreamcatcher", {"key": ""}, "one character or one of Enter, Escape, Backspace"),
    *(
        ("dreamcatcher", {"throw": turns}, "a number of turns from 0.2 to 12; negative")
        for turns in (0, 0.19, -0.19, 12.01, -13, HUGE, -HUGE, 1e400, -1e400, float("nan"), "4", True, None, [4])
    ),
    *(
        ("roulette", {"ball": turns}, "a number of turns from 0.5 to 15; negative")
        for turns in (0, 0.4, 15.1, -16, HUGE, 1e400, float("nan"), "9", True, None, {})
    ),
    ("roulette", {"throw": 4}, "no wheel with a clapper"),
    ("dreamcatcher", {"fault": "fire"}, "'fire' is no fault of this table; it has: stuck-high"),
    ("dreamcatcher", {"fault": "dead-lamp"}, "'' is no lamp of this table; it has: 1, 2"),
    ("dreamcatcher", {"fault": "dead-lamp", "target": "3"}, "'3' is no lamp"),
    ("dreamcatcher", {"fault": "swapped", "target": "index"}, "'swapped' has no target"),
    ("dreamcatcher", {"fault": "slip", "amount": 0}, "a number above 0, at most 1"),
    ("dreamcatcher", {"fault": "overflow", "amount": HUGE}, "a whole number from 1 to 10000"),
    ("dreamcatcher", {"fault": "noise", "target": "index", "amount": -5}, "a whole number from 1 to 1000"),
    ("dreamcatcher", {"repair": False}, "'repair' can only be true"),
]


@pytest.mark.parametrize(("game", "body", "words"), BAD, ids=[f"{i}" for i in range(len(BAD))])
def test_an_unknown_action_is_refused_naming_the_allowed_ones(
    page: Callable[[str], Page], game: str, body: object, words: str
) -> None:
    refusal = page(game).refusal(body)
    assert words in refusal
    assert refusal.isprintable()


ACTS = ("key", "press", "throw", "ball", "fault", "repair", "cut", "target", "amount")
NAMES = (
    *(item.fault for item in BREAKAGES),
    *("no-more-bets", "done", "clear", "enter", "floor-key", "1", "40", "big", "straight-17", "encoder_a", "index"),
)
NUMBERS = st.one_of(
    st.floats(-16, 16), st.integers(-20, 60), st.floats(), st.integers(), st.sampled_from((0.2, -12, 15, HUGE))
)
VALUES = st.one_of(
    st.booleans(),
    NUMBERS,
    st.none(),
    st.sampled_from(NAMES),
    st.sampled_from((*"thwbsgroTRHkfpm123 ", "Enter", "Escape")),
    st.characters(codec=None),
    st.text(max_size=50),
)
JSON = st.recursive(
    VALUES, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3)
)
LIKELY = st.one_of(
    st.dictionaries(st.sampled_from(ACTS), VALUES, max_size=3),
    st.fixed_dictionaries({"key": st.sampled_from((*"thwbsgroTRHkfpm123 ", "Enter", "Escape"))}),
    st.fixed_dictionaries({"throw": NUMBERS}),
    st.fixed_dictionaries({"ball": NUMBERS}),
    st.fixed_dictionaries(
        {"fault": st.sampled_from(NAMES)}, optional={"target": st.sampled_from(NAMES), "amount": NUMBERS}
    ),
)


@settings(max_examples=150, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(game=st.sampled_from(GAMES), bodies=st.lists(LIKELY | JSON, min_size=1, max_size=12))
@pytest.mark.campaign
def test_any_action_is_done_or_refused_and_the_document_stays_json(
    shipped: Shipped, game: str, bodies: list[object]
) -> None:
    bench = Page(shipped(game))
    for body in bodies:
        before, refusal = bench.sees, ""
        try:
            bench.web.act(body)
        except ValueError as error:
            refusal = str(error)
        if refusal:
            assert bench.sees == before, "a refused act does nothing"
            assert refusal.isprintable()
        else:
            assert isinstance(body, dict)
            assert len(body.keys() & {*ACTS[:7]}) == 1
        bench.wait(0.7)
        picture = bench.picture
        assert picture["true"] is None or 0 <= picture["true"]["angle"] < 1
        assert "not possible" not in " ".join(bench.log()), "what cannot be done is refused before"
    bench.bench.close()
