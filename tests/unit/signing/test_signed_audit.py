"""The audit: the first wrong entry is named, by receipts alone as a range, with the floor's entries exactly."""

from collections.abc import Callable, Sequence
from typing import NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st
from signed_record import TABLE, Keys, some_entries
from tampering import chained

from controller.journal.chain import Entry
from controller.signing.audit import Finding
from controller.signing.receipts import Receipt

ENTRIES = some_entries(12)
Rewrite = Callable[[list[Entry], int], list[Entry]]


def changed(entries: Sequence[Entry], at: int) -> list[Entry]:
    body = entries[at].body.replace(":", ": ", 1)
    return [*entries[:at], entries[at]._replace(body=body), *entries[at + 1 :]]


def removed(entries: Sequence[Entry], at: int) -> list[Entry]:
    return [*entries[:at], *entries[at + 1 :]]


def inserted(entries: Sequence[Entry], at: int) -> list[Entry]:
    return [*entries[:at], entries[at]._replace(utc=""), *entries[at:]]


def exchanged(entries: Sequence[Entry], at: int) -> list[Entry]:
    """The text of an entry and of the next, the one for the other."""
    if at + 1 == len(entries):
        return changed(entries, at)
    bodies = {at + 1: entries[at + 1].body, at + 2: entries[at].body}
    return [entry._replace(body=bodies.get(entry.seq, entry.body)) for entry in entries]


def cut(entries: Sequence[Entry], at: int) -> list[Entry]:
    return list(entries[:at])


@given(
    st.sampled_from([changed, removed, inserted, exchanged, cut]),
    st.integers(0, len(ENTRIES) - 1),
    st.sets(st.integers(1, len(ENTRIES))),
    st.booleans(),
    st.integers(0, len(ENTRIES) - 1),
)
def test_any_rewrite_with_the_tables_key_is_named_up_to_the_last_receipt(
    keys: Keys, rewrite: Rewrite, at: int, ends: set[int], hide: bool, deleted: int
) -> None:
    """Whoever has that key rewrites from an entry on, signs that, and may hide all receipts but the newest.

    The floor may have deleted its oldest entries.
    """
    false = chained(rewrite(ENTRIES, at), at)
    own = [
        keys.head(false, seq)._replace(receipt=keys.table.sign(*keys.head(false, seq)[:4]))
        for seq in range(1, len(false) + 1)
    ]
    true = [keys.receipt(ENTRIES, seq) for seq in sorted(ends)[-1 if hide else 0 :]]
    last = max(ends, default=0)
    verdict = keys.audit(false, [*own, *true])
    exact = keys.audit(false, [*own, *true], ENTRIES)
    if at < last:
        good = max((one.seq for one in true if one.seq <= at), default=0)
        bad = min(one.seq for one in true if one.seq > at)
        assert verdict.finding is not None
        named = (1, 1) if at == 0 and rewrite is not cut else (good + 1, min(bad, len(false) + 1))
        assert verdict.finding[:2] == named
        assert exact.finding is not None
        assert exact.finding[:2] == (at + 1, at + 1)
        rest = keys.audit(false, [*own, *true], ENTRIES[deleted:]).finding
        assert rest is not None
        assert rest.first <= at + 1 <= rest.last
        assert (verdict.proven, exact.proven) == (good, at)
    else:  # Nobody but the table has seen it.
        assert verdict.finding is None
        assert verdict.proven == last
        assert verdict.signed == len(false)
        assert exact.finding is None
        words = f"the floor's entries differ from entry {at + 1} on, where no receipt covers them"
        assert (words in exact.problems) == (at < len(false))


@pytest.mark.parametrize("seq", range(1, 10))
def test_a_change_without_new_hashes_is_named_at_its_entry(keys: Keys, seq: int) -> None:
    """What somebody with an SQL shell does. The entries before it could have been rewritten with their hashes."""
    receipts = [keys.receipt(ENTRIES, at) for at in (3, 6, 9)]
    good = (seq - 1) // 3 * 3
    for false in (changed(ENTRIES, seq - 1), removed(ENTRIES, seq - 1)):
        for copy, named in (((), (1, 1) if seq == 1 else (good + 1, seq)), (ENTRIES, (seq, seq))):
            finding = keys.audit(false, receipts, copy).finding
            assert finding is not None
            assert finding[:2] == named
    hash_only = [*ENTRIES[: seq - 1], ENTRIES[seq - 1]._replace(hash="0" * 64), *ENTRIES[seq:]]
    assert keys.audit(hash_only, receipts).finding == Finding(seq, seq, "only its hash was changed")


STRANGE = (
    *({"seq": seq} for seq in (0, "5", None)),
    *({"checkpoint": checkpoint} for checkpoint in ("", 0, b"")),
    *({"body": body} for body in (None, "\ud800")),
    *({"round": "1"}, {"kind": "press\x1f"}, {"utc": b"x"}),
)
"""Of some of them the text that is hashed is the same."""


@pytest.mark.parametrize("strange", STRANGE)
def test_an_entry_that_no_table_writes_is_named(keys: Keys, strange: dict[str, object]) -> None:
    false = [*ENTRIES[:4], ENTRIES[4]._replace(**strange), *ENTRIES[5:]]  # type: ignore[arg-type]
    finding = keys.audit(false, [keys.receipt(ENTRIES, 4), keys.receipt(ENTRIES, 9)]).finding
    assert finding is not None
    assert finding[:2] == (5, 5)


class Case(NamedTuple):
    """A record and its verdict. Receipts are numbers of entries; negative ones have the table's signature only."""

    journal: Sequence[Entry]
    receipts: Sequence[int]
    finding: Finding | None = None
    proven: int = 0
    copy: Sequence[Entry] = ()
    of_others: Sequence[tuple[Sequence[Entry], int]] = ()
    """Receipts of other records."""
    problems: Sequence[str] = ()
    notes: Sequence[str] = ()


FALSE_7 = chained(changed(ENTRIES, 6), 6)
ANOTHER = chained([ENTRIES[0]._replace(utc="x"), *ENTRIES[1:5]])
BRANCH = chained(changed(ENTRIES, 4), 4)
TWICE = [f"the {whose}'s key signed another entry 6 as well" for whose in ("floor", "table")]
CUT = "the journal ends at 7, and the table signed entries up to 10"
CASES = {
    "as signed": Case(ENTRIES, (4, 9, -11), proven=9),
    "rewritten without a key after the last receipt": Case(
        chained(changed(ENTRIES, 8), 8), (6, -8, -10), Finding(7, 10, "the table signed another entry 10"), 6
    ),
    "cut without a key after the last receipt": Case(ENTRIES[:7], (6, -8, -10), Finding(7, 8, CUT), 6),
    "a key signed two records": Case(ENTRIES, (9,), None, 9, of_others=[(BRANCH, 6)], problems=TWICE),
    "another record of the table": Case(
        ENTRIES,
        (12,),
        None,
        12,
        of_others=[(ANOTHER, 5)],
        notes=[f"the floor has another record of this table, {ANOTHER[0].hash}, up to entry 5"],
    ),
    "the floor's entries begin later": Case(
        FALSE_7, (3, 9), Finding(7, 7, "the floor has another one"), 6, copy=ENTRIES[4:]
    ),
    "and end after the last receipt": Case(
        chained(changed(ENTRIES, 10), 10),
        (3, 9),
        None,
        9,
        copy=ENTRIES[4:],
        problems=["the floor's entries differ from entry 11 on, where no receipt covers them"],
    ),
    **{
        f"entries that are not the floor's, {number}": Case(
            FALSE_7, (3, 9), Finding(4, 9, "the floor signed another entry 9"), 3, copy=copy
        )
        for number, copy in enumerate(
            (FALSE_7, FALSE_7[4:], [ENTRIES[3]._replace(seq="x"), *ENTRIES])  # type: ignore[arg-type]
        )
    },
    "an empty journal": Case(
        [],
        (3,),
        Finding(1, 1, "the floor has no record of this table that begins with it"),
        problems=["the table's key signed nothing of this record; is it the key of this table?"],
        notes=[f"the floor has another record of this table, {ENTRIES[0].hash}, up to entry 3"],
    ),
}


@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
def test_each_case_has_its_verdict(keys: Keys, case: Case) -> None:
    receipts = [keys.receipt(ENTRIES, seq) if seq > 0 else keys.head(ENTRIES, -seq) for seq in case.receipts]
    verdict = keys.audit(case.journal, [*receipts, *(keys.receipt(*one) for one in case.of_others)], case.copy)
    assert (verdict.finding, verdict.proven) == (case.finding, case.proven)
    assert (verdict.problems, verdict.notes) == ([*case.problems], [*case.notes])


def test_a_stolen_key_cannot_move_the_finding(keys: Keys) -> None:
    """It signs what is true as if it were wrong, and what is wrong as if the floor had it."""
    false = chained(changed(ENTRIES, 7), 7)
    lies = [keys.head(false, seq) for seq in range(8, 13)]
    lies += [one._replace(receipt=one.head) for one in lies]
    for seq in (2, 7):
        of = (TABLE, ENTRIES[0].hash, seq, "1" * 64)
        lies.append(Receipt(*of, head=keys.table.sign(*of)))
    verdict = keys.audit(false, [keys.receipt(ENTRIES, 6), keys.receipt(ENTRIES, 9), *lies])
    assert verdict.finding == Finding(7, 9, "the floor signed another entry 9")
    assert verdict.problems == ["the table's key signed another entry 2 as well"]
    assert verdict.notes == ["the table's key signed the wrong entries too: it may be stolen"]


def test_keys_and_receipts_of_others_prove_nothing(keys: Keys, tmp_path_factory: pytest.TempPathFactory) -> None:
    receipts = [keys.receipt(ENTRIES, 9)]
    verdict = Keys(tmp_path_factory.mktemp("strangers")).audit(ENTRIES, receipts)
    assert (verdict.proven, verdict.signed, verdict.finding) == (0, 0, None)
    assert verdict.problems == [
        "no receipt is signed by the floor's key",
        "the table's key signed nothing of this record; is it the key of this table?",
    ]
    another = [one._replace(table="sic-bo-2") for one in receipts]
    assert keys.audit(ENTRIES, another).problems == keys.audit(ENTRIES, []).problems == verdict.problems


def test_the_newest_receipt_of_the_broker_has_no_table_in_it(keys: Keys) -> None:
    have = keys.receipt(ENTRIES, 12)._replace(table="", head=None)
    found = keys.audit(ENTRIES[:11], [keys.receipt(ENTRIES, 6), have]).finding
    assert found == Finding(7, 12, "the journal ends at 11, and the floor signed entries up to 12")
