"""Records outlive rules: a round that another version decided is gone on with, or ended with the true reason."""

import json
from collections.abc import Iterator, Sequence
from typing import Any

import pytest
from other_rules import (
    FILE,
    GAMES,
    NEW,
    OTHER_END,
    OTHER_LAMPS,
    OTHER_STATES,
    OTHER_WINS,
    OTHER_WORDS,
    RAISES,
    Going,
    Rules,
    cut,
    eventful,
    golden,
    kinds_of,
    state_of,
    under,
)

from controller import __version__
from controller.journal.chain import Entry
from controller.journal.errors import JournalDamagedError, JournalOfOtherVersionError
from controller.journal.journal import Journal
from controller.journal.recovery import recover
from controller.journal.replay.replay import replay
from controller.journal.versions import UNKNOWN, Software
from controller.statechart.registry import find_game

DIFFERENT = {
    "states": OTHER_STATES,
    "end": OTHER_END,
    "lamps": OTHER_LAMPS,
    "wins": OTHER_WINS,
    "raises": RAISES,
}


class Golden:
    """A game's golden journal: the rounds that are cut, and a machine for every table, which takes long to make."""

    def __init__(self, game: str) -> None:
        self.config, entries = golden(game)
        self.start, self.rounds = entries[0], eventful(entries)
        self.kept = self.rounds[0]
        self.machine = find_game(game).machine(self.config)

    def cuts(self) -> Iterator[list[Entry]]:
        """The rounds, cut after each of their entries."""
        for kept in self.rounds:
            yield from (kept[:count] for count in range(2, len(kept) + 1))

    def going(self, journal: Journal) -> Going:
        return Going(self.config, self.machine, journal)


@pytest.fixture(scope="module", params=GAMES)
def played(request: pytest.FixtureRequest) -> Golden:
    return Golden(str(request.param))


def lit_by(entries: Sequence[Entry]) -> set[str]:
    """The lit areas by the record."""
    effects = [effect for entry in entries for effect in json.loads(entry.body)["effects"]]
    return set(next(effect["areas"] for effect in reversed(effects) if effect["kind"] == "light"))


def outcome_of(entries: Sequence[Entry]) -> str:
    """The outcome of the entries after a checkpoint: ``result`` lit, ``wagers`` placed, or ``nothing``."""
    found, before = "wagers", ""
    for entry in entries[1:]:
        effects = json.loads(entry.body)["effects"]
        if before == "correcting" and json.loads(entry.body)["fact"].get("control") == "floor-key":
            found = "wagers"
        elif found == "result" and {"areas": [], "kind": "light"} in effects:
            found = "nothing"
        found = "result" if "result" in kinds_of(entry) else found
        found = "nothing" if "wagers-returned" in kinds_of(entry) else found
        before = state_of(entry)
    return found


def restarted(played: Golden, going: Going) -> Going:
    """The same table, started once more."""
    before = (going.machine.snapshot(), going.machine.waiting_for(), going.panel.lit())
    going.table.stop()
    again = played.going(going.journal)
    assert (again.machine.snapshot(), again.machine.waiting_for(), again.panel.lit()) == before
    assert [kind for kind, _ in again.recorded()] == ["power-restored"]
    return again


# -- another version -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("rules", DIFFERENT.values(), ids=DIFFERENT)
def test_a_round_of_another_version_ends_by_the_record_wherever_it_was_cut(played: Golden, rules: Rules) -> None:
    changed = 0
    for kept in played.cuts():
        with under(rules):
            going = played.going(cut(played.start, kept))
            first, effects = going.recorded()[0]
            if first != "rules-changed":
                assert going.panel.lit() == lit_by(list(going.journal.entries()))
                continue
            changed += 1
            going = restarted(played, going)
        last = max(entry.round for entry in kept[1:])
        if outcome_of(kept) == "result":
            assert effects == ["light", "alert"]
            assert lit_by(list(going.journal.entries())) == lit_by(kept)
            assert going.panel.lit() == lit_by(kept)
            going.press("done", "clear", "no-more-bets")
            assert going.panel.lit() == lit_by(kept)
            assert "settle the round" in going.machine.waiting_for()
            going.press("floor-key")
        else:
            void = ["void", "wagers-returned"] if outcome_of(kept) == "wagers" else []
            assert effects[: len(void) + 1] == [*void, "light"]
        assert going.panel.lit() == set()
        going.play()
        assert any("result" in kinds for _, kinds in going.recorded())
        assert going.machine.round == last + 1
        assert going.panel.lit() == set(going.machine.lit)
        assert going.journal.verify().problem == ""
    assert changed


def test_the_end_of_another_versions_round_is_replayed_as_recorded(played: Golden) -> None:
    """Whatever the rules are by then: it depends on nothing but its own entry."""
    game, last = played.config.game, played.kept[-1]
    with under(OTHER_STATES):
        going = played.going(cut(played.start, [played.kept[0]._replace(round=last.round - 1), *played.kept[1:]]))
        again = replay(last.round, game, played.machine, going.journal)
    assert again.differences
    assert again.failed == []
    assert {again.decided_by(one.seq).version for one in again.differences} == {"0.1.0"}
    (ended,) = (one for one in again.entries if one.entry.kind == "rules-changed")
    assert not ended.differences
    today = replay(last.round, game, played.machine, going.journal)
    assert today.failed == []
    # Roulette's correction names the pocket by now: what 0.1.0 decided, and never the entry that ended the round.
    assert {today.decided_by(one.seq).version for one in today.differences} <= {"0.1.0"}
    assert not any(entry.differences for entry in today.entries if entry.entry.kind == "rules-changed")


def test_a_difference_in_text_leaves_a_round_as_recorded(played: Golden) -> None:
    followed = 0
    for kept in played.cuts():
        journal = cut(played.start, kept)
        if recover(played.config.game, played.machine, journal).interrupted is not None:
            continue  # This version has other rules there, whatever it says of them.
        expected = played.machine.snapshot()
        with under(OTHER_WORDS):
            assert recover(played.config.game, played.machine, journal).interrupted is None
        assert played.machine.snapshot() == expected
        followed += 1
    assert followed


# -- this version --------------------------------------------------------------------------------------------------


def test_a_different_decision_of_the_same_version_is_damage(played: Golden) -> None:
    journal = cut(played.start, played.kept, __version__)
    with under(OTHER_STATES), pytest.raises(JournalDamagedError, match=r"entry \d+ \(.*\): the record says '"):
        played.going(journal)


def test_another_build_of_this_version_is_another_version(played: Golden) -> None:
    journal = cut(played.start, played.kept, __version__)
    with under(OTHER_STATES):
        found = recover(played.config.game, played.machine, journal, Software(__version__, "e" * 64))
    assert found.interrupted is not None
    assert str(found.interrupted.decided_by) == f"{__version__} (software ffffffffffff)"


@pytest.mark.clause("521.8(b)")
def test_a_different_decision_under_another_file_of_the_table_is_no_damage(played: Golden) -> None:
    """Where it is not known under which file an entry was decided, it is."""
    journal, this = cut(played.start, played.kept, __version__), Software(__version__, NEW)
    with under(OTHER_STATES):
        found = recover(played.config.game, played.machine, journal, this, "d")
        for unknown in ("", FILE):
            with pytest.raises(JournalDamagedError, match=r"entry \d+ \(.*\): the record says '"):
                recover(played.config.game, played.machine, journal, this, unknown)
    assert found.interrupted is not None
    assert found.interrupted.file == FILE


# -- what cannot be read -------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def dice() -> Golden:
    return Golden("sic-bo")


def rewritten(entry: Entry, **changed: Any) -> Entry:
    body = json.loads(entry.body)
    for name, value in changed.items():
        body[name] = body[name] | value if isinstance(value, dict) else value
    return entry._replace(body=json.dumps(body))


@pytest.mark.parametrize(
    ("changed", "detail"),
    [
        ({"fact": {"kind": "dice-weighed"}}, "cannot be read by this version"),
        ({"effects": [{"kind": "trumpet"}]}, "cannot be read by this version"),
        ({"fact": {"force": 9}}, "it says force, which this version does not read"),
        ({"outcome": "refused"}, "the record says 'refused', this software comes to 'accepted'"),
    ],
)
def test_an_entry_that_this_version_cannot_read_ends_the_round(
    dice: Golden, changed: dict[str, Any], detail: str
) -> None:
    pressed = next(entry for entry in dice.kept[1:] if entry.kind == "press")
    journal = cut(dice.start, [dice.kept[0], rewritten(pressed, **changed)])
    going = dice.going(journal)
    event = json.loads(next(journal.entries(after=going.began)).body)["fact"]
    assert (event["kind"], event["entry"], event["detail"]) == ("rules-changed", 3, detail)
    assert event["recorded_by"] == "0.1.0 (software 000000000000)"
    assert restarted(dice, going).machine.state.value == "closed"


def test_a_checkpoint_of_another_version_is_not_called_damaged(dice: Golden) -> None:
    first = dice.kept[0]
    kept = json.loads(first.checkpoint or "")
    kept["data"]["weight"] = 9
    for version, refused in (("", JournalOfOtherVersionError), (__version__, JournalDamagedError)):
        journal = cut(dice.start, [first._replace(checkpoint=json.dumps(kept))], version)
        with pytest.raises(refused, match=r"data\.weight: unknown") as refusal:
            dice.going(journal)
        assert ("go on with version 0.1.0" in str(refusal.value)) == (version == "")


# -- who decided ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("one", "other", "differ"),
    [
        (Software("1"), Software("1", "a"), False),
        (Software("1", "a"), Software("1", "a"), False),
        (Software("1", "a"), Software("1", "b"), True),
        (Software("1"), Software("2"), True),
        (Software("1", "a"), Software("2", "a"), True),
        (UNKNOWN, Software("2", "a"), False),
    ],
)
def test_builds_are_compared_where_both_are_named(one: Software, other: Software, differ: bool) -> None:
    assert one.differs(other) == other.differs(one) == differ
