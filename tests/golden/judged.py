"""Rounds of an earlier release that this software decides otherwise, each judged by the differences at its root.

What follows from them is a consequence: the round goes on from another state, and a table that is cut there
recovers by today's rules. Of consequences a digest is kept, so that a further change is found. ``differs.json``::

    rules   why, by the name of a rule
    added   fields that a later version added to the data, and that are not empty in some state: rule, fields
    prompts what a prompt says otherwise: rule, was (a pattern), is, cuts if not everywhere, restarted if only then
    names   of lamps and wagers that alerts, devices, lists and messages say in words: rule, was (a pattern), is
    alerts  that are decided and not active any more, where 0.1.0 kept them: rule, was (a pattern), cuts
    rounds  by number: roots (rule, entry, what, recorded, replayed), entries that differ, cuts, digests by part
"""

import hashlib
import json
import re
from collections.abc import Iterator
from typing import Any

Json = dict[str, Any]
_TEXTS = {"text", "remedy", "detail", "label"}
PARTS = ("replayed", "shown", "recovered", "screens")
"""The parts of what is read that a decision shows in."""


def judged(differs: Json, expected: Json, found: Json) -> Iterator[str]:
    """Where a judged round differs otherwise than it was judged; ``expected`` then has what was found of it."""
    for one in differs["prompts"]:
        reworded(expected, one)
    for one in differs.get("names", ()):
        renamed(expected, one)
    for one in differs.get("alerts", ()):
        _decided(expected, one)
    for place in found.get("recovered", {}).values():
        data = place.get("data", {})
        for name in differs["added"]["fields"]:
            data.pop(name, None)
    for number, round_ in differs["rounds"].items():
        yield from _round(number, round_, expected, found)


def digest(part: object) -> str:
    """Of plain data."""
    return hashlib.sha256(json.dumps(part, sort_keys=True, ensure_ascii=False).encode()).hexdigest()[:16]


def places(part: str, number: str, cuts: list[int]) -> list[str]:
    """Where a part says something of a round."""
    if part == "replayed":
        return [f"round {number}"]
    if part == "shown":
        return [f"replay {number}"]
    return [f"cut {count}" for count in cuts]


def roots_of(differences: list[Json]) -> list[Json]:
    """The differences of a round that follow from no other: up to the first by which it takes another way."""
    taken = next((one["seq"] for one in differences if one["what"] in ("outcome", "state")), None)
    return [
        {"entry": one["seq"], **{name: one[name] for name in ("what", "recorded", "replayed")}}
        for one in differences
        if taken is None or one["seq"] <= taken
    ]


def _round(number: str, round_: Json, expected: Json, found: Json) -> Iterator[str]:
    differences = found["replayed"][f"round {number}"]["differences"]
    entries = sorted({one["seq"] for one in differences})
    roots = [{name: one[name] for name in one if name != "rule"} for one in round_["roots"]]
    if entries != round_["entries"] or roots_of(differences) != roots:
        at = f"judged at {round_['entries']}, found at {entries}: {roots_of(differences)}"
        yield f"replayed/round {number}/differences: {at}"
    for part in PARTS:
        if part not in found:
            continue
        at = places(part, number, round_["cuts"])
        if digest([found[part][place] for place in at]) != round_["digests"][part]:
            yield f"{part}/{at[0]}: what follows from the roots of round {number} has changed"
        expected[part] |= {place: found[part][place] for place in at}


def _decided(expected: Json, alert: Json) -> None:
    """Alerts that these cuts no longer show."""
    for name in (f"cut {count}" for count in alert["cuts"]):
        dealer = expected["screens"][name]["dealer"]
        dealer["alerts"] = [shown for shown in dealer["alerts"] if not re.search(alert["was"], shown["text"])]


def renamed(part: object, name: Json) -> None:
    """In the texts of alerts and devices, and in lists of wagers, on screens and in messages."""
    if isinstance(part, dict) and not {"screens", "messages"} & part.keys():
        for key in _TEXTS & part.keys():
            if isinstance(part[key], str):
                part[key] = re.sub(name["was"], name["is"], part[key])
    inner = part
    if isinstance(part, dict):
        inner = [part[key] for key in ("screens", "messages") if key in part] or list(part.values())
    if isinstance(inner, list):
        for one in inner:
            renamed(one, name)


def reworded(expected: Json, prompt: Json) -> None:
    """What a table that was cut there waits for, and its dealer's screen."""
    was, is_ = re.compile(prompt["was"]), prompt["is"]
    cuts = {f"cut {count}" for count in prompt.get("cuts", ())}
    for name, place in expected["recovered"].items():
        if "waiting_for" in place and (not cuts or name in cuts) and not prompt.get("restarted"):
            place["waiting_for"] = was.sub(is_, place["waiting_for"])
    for name, place in expected["screens"].items():
        if "dealer" in place and (not cuts or name in cuts):
            place["dealer"]["next"] = was.sub(is_, place["dealer"]["next"])
