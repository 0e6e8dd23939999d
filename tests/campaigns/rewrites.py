"""How an attacker rewrites a record, one place at a time. Every rewrite is numbered and hashed anew afterwards."""

import json
import random
from collections.abc import Callable, Sequence

from controller.journal.chain import Entry

Rewrite = Callable[[list[Entry], int, random.Random], list[Entry]]
"""Takes the entries, the number of one (from 0) and chance; gives the record as the attacker wants it."""


def _with_body(entries: list[Entry], at: int, body: dict[str, object]) -> list[Entry]:
    text = json.dumps(body, ensure_ascii=False, separators=(",", ":"))
    return [*entries[:at], entries[at]._replace(body=text), *entries[at + 1 :]]


def _nearest(entries: Sequence[Entry], at: int, words: str) -> int:
    """The next entry whose body has these words, from a place on; around the end if needed. The place if none
    has."""
    order = (*range(at, len(entries)), *range(at))
    return next((number for number in order if words in entries[number].body), at)


def results(entries: list[Entry], at: int, chance: random.Random) -> list[Entry]:
    """Another result than the one that was decided."""
    at = _nearest(entries, at, '"kind":"result"')
    body = json.loads(entries[at].body)
    effects = [one for one in body["effects"] if one.get("kind") == "result"] or body["effects"]
    if effects:
        effects[0]["text"] = f"{effects[0].get('text', '')}{chance.randint(1, 6)}"
    else:
        body["outcome"] = f"{body['outcome']} "
    return _with_body(entries, at, body)


def dealers(entries: list[Entry], at: int, chance: random.Random) -> list[Entry]:
    """Another dealer, in what the record says of the table from there on."""
    order = (*range(at, len(entries)), *range(at))
    at = next(number for number in order if entries[number].checkpoint is not None)
    kept = json.loads(entries[at].checkpoint or "")
    kept.setdefault("standing", {})["dealer"] = f"dealer-{chance.randint(100, 999)}"
    text = json.dumps(kept, ensure_ascii=False, separators=(",", ":"))
    return [*entries[:at], entries[at]._replace(checkpoint=text), *entries[at + 1 :]]


def voids(entries: list[Entry], at: int, chance: random.Random) -> list[Entry]:
    """A void that was taken out, or one that never was."""
    at = _nearest(entries, at, '"kind":"void"')
    body = json.loads(entries[at].body)
    left = [one for one in body["effects"] if one.get("kind") != "void"]
    if len(left) == len(body["effects"]):
        left.append({"kind": "void", "reason": chance.choice(("no-spin", "ball-lost"))})
    body["effects"] = left
    return _with_body(entries, at, body)


def times(entries: list[Entry], at: int, chance: random.Random) -> list[Entry]:
    """Another time, on the wall or on the clock of the table."""
    entry = entries[at]
    if chance.random() < 0.5:
        changed = entry._replace(at_ns=entry.at_ns + chance.randint(1, 1_000_000_000))
    else:
        digit = chance.choice([digit for digit in "0123456789" if digit != entry.utc[-2]])
        changed = entry._replace(utc=f"{entry.utc[:-2]}{digit}Z")
    return [*entries[:at], changed, *entries[at + 1 :]]


def entry_out(entries: list[Entry], at: int, chance: random.Random) -> list[Entry]:
    """An entry that was taken out."""
    return [*entries[:at], *entries[at + 1 :]]


def entry_in(entries: list[Entry], at: int, chance: random.Random) -> list[Entry]:
    """An entry that was put in, another one of the record's."""
    return [*entries[:at], chance.choice(entries), *entries[at:]]


def round_out(entries: list[Entry], at: int, chance: random.Random) -> list[Entry]:
    """A whole round that was taken out; those after it are numbered anew."""
    number = entries[at].round
    left = [entry for entry in entries if entry.round != number]
    return [entry._replace(round=entry.round - (entry.round > number)) for entry in left]


def rounds_swapped(entries: list[Entry], at: int, chance: random.Random) -> list[Entry]:
    """What two rounds say, the one for the other."""
    number = entries[at].round
    first = [entry for entry in entries if entry.round == number]
    second = [entry for entry in entries if entry.round == number + 1]
    before = [entry for entry in entries if entry.round < number]
    after = [entry for entry in entries if entry.round > number + 1]
    if not second:
        return [*before, *first[::-1]]
    moved = (
        [entry._replace(round=number) for entry in second],
        [entry._replace(round=number + 1) for entry in first],
    )
    return [*before, *moved[0], *moved[1], *after]


def tails(entries: list[Entry], at: int, chance: random.Random) -> list[Entry]:
    """A record that ends earlier."""
    return entries[: max(1, at)]


def heads(entries: list[Entry], at: int, chance: random.Random) -> list[Entry]:
    """Another first entry, and so another record, that of the attacker from the beginning."""
    first = entries[0]._replace(at_ns=entries[0].at_ns + chance.randint(1, 1_000_000_000))
    return [first, *entries[1:]]


REWRITES: dict[str, Rewrite] = {
    "results": results,
    "dealers": dealers,
    "voids": voids,
    "times": times,
    "entry taken out": entry_out,
    "entry put in": entry_in,
    "round taken out": round_out,
    "rounds swapped": rounds_swapped,
    "tails": tails,
    "heads": heads,
}
