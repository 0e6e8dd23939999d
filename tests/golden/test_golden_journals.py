"""Journals that earlier releases wrote are read by today's code as those releases read them.

Where a rule has changed since, ``differs.json`` beside the journal says which entries are decided otherwise now.
"""

import gzip
import json
import re
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from controller import __version__
from controller.configuration.shipped import load_table
from controller.journal.chain import GENESIS, Entry
from controller.journal.head_anchor import anchor_file
from tests.golden import judged, make, reading
from tests.golden.tables import GAMES, table_text

HERE = Path(__file__).parent
KEPT = sorted(file.parent for file in HERE.glob(f"*/*/{reading.EXPECTED}"))
CHANGED = "sic-bo"
"""The game whose journal is changed: it is read soonest."""
Change = Callable[[dict[str, Any]], None]


def differences(expected: object, found: object, path: str = "") -> Iterator[str]:
    """Where two pieces of plain data differ, each place by its path."""
    if isinstance(expected, dict) and isinstance(found, dict):
        for key in [*expected, *(key for key in found if key not in expected)]:
            place = f"{path}/{key}" if path else str(key)
            if key not in found or key not in expected:
                yield f"{place}: {'missing' if key not in found else 'not expected'}"
            else:
                yield from differences(expected[key], found[key], place)
    elif isinstance(expected, list) and isinstance(found, list):
        for number, (one, other) in enumerate(zip(expected, found, strict=False), 1):
            yield from differences(one, other, f"{path}/{number}")
        if len(expected) != len(found):
            yield f"{path}: expected {len(expected)} items, found {len(found)}"
    elif expected != found or type(expected) is not type(found):
        yield f"{path}: expected {expected!r:.300}, found {found!r:.300}"


def expected_of(folder: Path) -> dict[str, Any]:
    kept: dict[str, Any] = json.loads(gzip.decompress((folder / reading.EXPECTED).read_bytes()))
    return kept


DIFFERS = "differs.json"
"""After each was judged: where rules have changed since a release, and by which clause (``judged.py``)."""
FOUND = "of the sensors found again"
NOT_ON_RECORD = re.compile(r"messages/told/\d+/payload/(wheel|spins|(alerts/\d+/)?(text|remedy))\b")
"""What a message of 0.1.0 had from the table's file: the wheel's serial number, a ball's pockets, words for lamps.

Messages say now what is on record, and these records have neither serial number nor rules.
"""
LATER_PARTS = {
    "board": frozenset({"utc_offset_min", "shares", "frequent", "longest_ago"}),
    "dealer": frozenset({"menu", "task", "keyed", "paid", "floor"}),
}
"""Parts of the board and of the dealer's screen that came after 0.1.0; other tests hold them to the machine."""
DECIDED = ("outcome", "state", "effects")


def with_changed_rules(folder: Path, expected: dict[str, Any]) -> dict[str, Any]:
    """What is expected of an earlier release's journal by today's rules, reported as that release's decisions."""
    file = folder / DIFFERS
    differs = json.loads(file.read_text(encoding="utf-8")) if file.exists() else []
    approved: dict[str, Any] = {}
    if "rounds" in differs:  # Judged by their roots: see `differences_of`.
        approved, differs = {"replayed": {f"round {number}": {} for number in differs["rounds"]}}, []
        return _with_release_differences(expected, approved, folder.parent.name)
    if isinstance(differs, dict):  # Whole rounds, approved as they are replayed today; the file says why.
        approved, differs = differs["parts"], [*differs.get("continues", []), *differs.get("names", [])]
    for one in differs:
        if one.get("of") == "names":
            judged.renamed(expected, one)
            continue
        if "was" in one:
            judged.reworded(expected, one)
            continue
        if "cuts" in one:
            _continues_otherwise(one, expected)
            continue
        replayed, lines = expected["replayed"][f"round {one['round']}"], expected["shown"][f"replay {one['round']}"]
        differs_by = _decision_differs if one["what"] in DECIDED else _fact_differs
        differs_by(one, replayed, lines)
    for part, rounds in approved.items():
        expected[part] |= rounds
    return _with_release_differences(expected, approved, folder.parent.name)


def _with_release_differences(expected: dict[str, Any], approved: dict[str, Any], release: str) -> dict[str, Any]:
    """What was different for the release itself is its decision, in rounds that are not approved as they are."""
    for round_, replayed in expected["replayed"].items():
        if round_ in approved.get("replayed", {}):
            continue
        seqs = sorted({one["seq"] for one in replayed["differences"]})
        if seqs:
            lines = expected["shown"][f"replay {round_.split()[1]}"]
            _reported_of_release(release, seqs, len(replayed["differences"]), lines)
    return expected


def _continues_otherwise(one: dict[str, Any], expected: dict[str, Any]) -> None:
    """A journal that is cut after these entries is recovered to other words or data."""
    for cut in (f"cut {seq}" for seq in one["cuts"]):
        recovered = expected["recovered"][cut]
        recovered["data"] |= one.get("data", {})
        recovered["waiting_for"] = one.get("waiting_for", recovered["waiting_for"])
        expected["screens"][cut]["dealer"]["next"] = one.get("next", recovered["waiting_for"])


def _decision_differs(one: dict[str, Any], replayed: dict[str, Any], lines: list[str]) -> None:
    """An entry is decided otherwise by today's rules."""
    replayed["differences"] = sorted([*replayed["differences"], _difference(one)], key=lambda found: found["seq"])
    lines.insert(
        next(place for place, line in enumerate(lines) if line.startswith(f"{one['entry']:7}  ")) + 1, _line(one)
    )
    place = next(place for place, line in enumerate(lines) if line.endswith(" decisions as on record"))
    same, of_all = lines[place].split(" ", 1)
    lines[place] = f"{int(same) - 1} {of_all}"


def differences_of(folder: Path, found: dict[str, Any]) -> list[str]:
    """Where what is read differs from what is expected, in the parts that were read."""
    expected, file = with_changed_rules(folder, expected_of(folder)), folder / DIFFERS
    _without_later_parts(expected, found)
    differs = json.loads(file.read_text(encoding="utf-8")) if file.exists() else []
    otherwise = list(judged.judged(differs, expected, found)) if "rounds" in differs else []
    return [*differences({part: expected[part] for part in found}, found), *otherwise]


def _without_later_parts(expected: dict[str, Any], found: dict[str, Any]) -> None:
    """Of parts of the screens that this release's did not have, nothing can be expected."""
    for name, place in found.get("screens", {}).items():
        before = expected["screens"][name]
        for screen, later in LATER_PARTS.items():
            for part in later - set(before[screen]) if screen in place else ():
                place[screen].pop(part, None)
        for count in place.get("board", {}).get("counts", ()):
            if not any("since" in one for one in before["board"]["counts"]):
                count.pop("since")


def _fact_differs(one: dict[str, Any], replayed: dict[str, Any], lines: list[str]) -> None:
    """An event of the sensors differs by today's rules."""
    replayed["differences"].append(_difference(one))
    replayed["sensors"]["same"] -= 1
    place = next(place for place, line in enumerate(lines) if FOUND in line)
    lines[place : place + 1] = [
        f"{replayed['sensors']['same']} facts {FOUND} in their edges, as on record",
        _line(one),
    ]


def _difference(one: dict[str, Any]) -> dict[str, Any]:
    return {"seq": one["entry"], **{name: one[name] for name in ("kind", "what", "recorded", "replayed")}}


def _line(one: dict[str, Any]) -> str:
    return (
        f"    ≠   entry {one['entry']} ({one['kind']}): {one['what']}: "
        f"the record says {one['recorded']}, this software comes to {one['replayed']}"
    )


def _reported_of_release(release: str, seqs: list[int], count: int, lines: list[str]) -> None:
    """Differences of another version's record are reported as such, and no failure; 0.1.0 knew none."""
    decided = f"note: decided by {release} (software 000000000000)"
    lines[:] = [line for line in lines if not line.startswith(decided)]
    place = next(place for place, line in enumerate(lines) if " as on record" in line) + 1
    while FOUND in lines[place] or lines[place].startswith("    ≠"):
        place += 1
    at = f"entr{'y' if len(seqs) == 1 else 'ies'} {', '.join(map(str, seqs))}"
    note = f"{decided}; this is THIS: it decides otherwise at {at}"
    verdict = f"as another version decided it, but for {count} difference{'s'[: count - 1]} by this one's rules"
    lines[-2:] = [verdict, "exit code 0"]
    lines.insert(place, note)


def plain(found: object) -> Any:
    """As JSON gives it back: tuples are lists."""
    return json.loads(json.dumps(found, allow_nan=False))


def test_there_is_a_journal_of_every_game() -> None:
    assert {folder.name for folder in KEPT} >= {
        "dreamcatcher",
        "big-six",
        "sic-bo",
        "three-dice-football",
        "roulette",
        "casino-war",
    }


@pytest.mark.parametrize("folder", KEPT, ids=lambda folder: f"{folder.parent.name}-{folder.name}")
def test_a_journal_of_a_release_is_read_as_that_release_read_it(folder: Path) -> None:
    found = [one for one in differences_of(folder, plain(reading.read(folder))) if not NOT_ON_RECORD.match(one)]
    more = f" (and {len(found) - 1} more differences)" if len(found) > 1 else ""
    assert not found, f"{folder.parent.name}/{folder.name}: {found[0]}{more}"


# -- changes that are found ----------------------------------------------------------------------------------------


@pytest.fixture
def journal(tmp_path: Path) -> Path:
    """A golden journal, unpacked."""
    return reading.unpacked(_changed_folder(), tmp_path)


def _changed_folder() -> Path:
    return next(folder for folder in KEPT if folder.name == CHANGED)


def _found(journal: Path) -> list[str]:
    """What reading finds other than expected, in all but what is cut: that repeats what the whole says."""
    listed = reading.entries(journal)
    loaded = load_table(journal.with_name(reading.TABLE))
    parts = {
        "entries": listed,
        "verify": reading.verified(journal),
        "replayed": reading.replayed(loaded, journal, listed),
    }
    return differences_of(_changed_folder(), plain(parts))


def _rewrite(journal: Path, seq: int, change: Change, chained: bool) -> None:
    """Change an entry's body; chained, with every hash from there on made to fit, and the file beside it too."""
    with closing(sqlite3.connect(journal, isolation_level=None)) as db:
        db.execute("PRAGMA synchronous=OFF")
        db.execute("DROP TRIGGER no_update")
        head = GENESIS
        for row in db.execute("SELECT * FROM entries ORDER BY seq").fetchall():
            entry = Entry(*row)
            if entry.seq == seq:
                body = json.loads(entry.body)
                change(body)
                entry = entry._replace(body=json.dumps(body, separators=(",", ":"), ensure_ascii=False))
            if chained:
                entry = entry._replace(hash=entry.expected_hash(head))
            head = entry.hash
            db.execute("UPDATE entries SET body = ?, hash = ? WHERE seq = ?", (entry.body, entry.hash, entry.seq))
            if chained and entry.checkpoint is not None:
                anchor_file(journal).write_text(f"{entry.seq:012d} {entry.hash}\n")


def _accepted(journal: Path, control: str) -> int:
    """An entry in the middle of the journal by which a control was pressed, and accepted."""
    with closing(sqlite3.connect(journal)) as db:
        rows = db.execute("SELECT seq, body FROM entries WHERE kind = 'press' ORDER BY seq").fetchall()
    pressed = [
        seq
        for seq, text in rows
        for body in [json.loads(text)]
        if body["fact"]["control"] == control and body["outcome"] == "accepted"
    ]
    return int(pressed[len(pressed) // 2])


def _set(**fields: object) -> Change:
    return lambda body: body.update(fields)


def test_nothing_is_found_in_a_journal_that_was_not_changed(journal: Path) -> None:
    assert _found(journal) == []


def test_a_changed_field_is_found_and_its_entry_named(journal: Path) -> None:
    seq = _accepted(journal, "no-more-bets")
    _rewrite(journal, seq, lambda body: body["fact"].update(at_ns=body["fact"]["at_ns"] + 1), chained=False)
    assert f"entry {seq} " in reading.verified(journal)["problem"]
    found = [line for line in _found(journal) if line.startswith("verify/problem")]
    assert f"entry {seq} (" in found[0]


def test_a_changed_hash_is_found_and_its_entry_named(journal: Path) -> None:
    seq = _accepted(journal, "no-more-bets")
    with closing(sqlite3.connect(journal, isolation_level=None)) as db:
        db.execute("DROP TRIGGER no_update")
        db.execute("UPDATE entries SET hash = ? WHERE seq = ?", ("f" * 64, seq))
    found = _found(journal)
    assert found[0].startswith(f"entries/{seq}/hash: expected ")
    assert any(line.startswith("verify/problem") and f"entry {seq} (" in line for line in found)


def test_a_changed_state_is_found_although_every_hash_matches(journal: Path) -> None:
    seq = _accepted(journal, "no-more-bets")
    _rewrite(journal, seq, _set(state="entry"), chained=True)
    assert reading.verified(journal)["problem"] == ""
    found = _found(journal)
    assert f"entries/{seq}/state: expected 'shaking', found 'entry'" in found
    replayed = reading.replayed(load_table(journal.with_name(reading.TABLE)), journal, reading.entries(journal))
    again = [one for round_ in replayed.values() for one in round_["differences"] if one["seq"] == seq]
    assert {"what": "state", "recorded": "entry", "replayed": "shaking"}.items() <= again[0].items()
    assert {"entries", "verify", "replayed"} == {line.partition("/")[0] for line in found}


def test_entries_that_are_missing_at_the_end_are_found(journal: Path) -> None:
    with closing(sqlite3.connect(journal, isolation_level=None)) as db:
        db.execute("DROP TRIGGER no_delete")
        count = db.execute("SELECT max(seq) FROM entries WHERE checkpoint IS NOT NULL").fetchone()[0]
        db.execute("DELETE FROM entries WHERE seq >= ?", (count,))
    assert f"JOURNAL: entry {count} is missing at its end" in reading.verified(journal)["witness"]


def test_a_recovery_with_another_outcome_is_reported_by_its_path() -> None:
    expected = expected_of(_changed_folder())
    found = expected_of(_changed_folder())
    place = next(iter(name for name in found["recovered"] if name.startswith("cut ")))
    found["recovered"][place]["data"]["round"] = True
    reported = list(differences(expected, found))
    assert len(reported) == 1
    assert reported[0].startswith(f"recovered/{place}/data/round: expected ")


# -- the program that writes them ----------------------------------------------------------------------------------


def test_golden_files_are_kept(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    folder = _changed_folder()
    before = (folder / reading.JOURNAL).read_bytes()
    monkeypatch.setattr(make, "__version__", folder.parent.name)
    assert make.main([str(HERE), "--game", CHANGED, "--overwrite"]) == 2
    assert "golden files are kept; name another folder" in capsys.readouterr().err
    assert (folder / reading.JOURNAL).read_bytes() == before


@pytest.mark.parametrize("game", GAMES)
def test_the_tables_that_are_played_at_are_valid(game: str, tmp_path: Path) -> None:
    file = tmp_path / reading.TABLE
    file.write_text(table_text(game), encoding="utf-8")
    assert load_table(file).config.game == game


def test_what_is_made_is_read_as_it_was_made(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Some rounds; a whole set is played by the test below."""
    monkeypatch.setattr(make, "ROUNDS", 2)
    _is_read_as_made(CHANGED, tmp_path)


@pytest.mark.campaign
@pytest.mark.parametrize("game", GAMES)
def test_a_complete_set_is_made_and_read(game: str, tmp_path: Path) -> None:
    _is_read_as_made(game, tmp_path)


def _is_read_as_made(game: str, folder: Path) -> None:
    assert make.main([str(folder), "--game", game]) == 0
    made = folder / __version__ / game
    assert differences_of(made, plain(reading.read(made))) == []
