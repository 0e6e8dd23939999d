"""Makes one thing to do, in one line, of the sentence in which a machine says what it waits for.

The machine's sentence has everything in it, for a log and for the answer to a refused key. People at the table read
the screen while they deal: the act stands first; why, what else is possible and what follows stand under it.
"""

import re
from collections.abc import Callable, Iterator

from controller.viewmodel.documents import DealerTask

LINE = 84
"""Characters of an act that fit into one line of the dealer's screen."""
_CLAUSE = re.compile(r"; |(?<=[\w)])\. (?=[A-Z(])|(?<=\?) (?=The |Turn |Press )|, (?=or clear )")
_REASON = re.compile(r": (?![^(]*\))")
"""Between a reason and an act, but not within parentheses."""
_LISTED = re.compile(
    r"(?:(?<=\bpay )|(?<=numbers ))(?:[a-z0-9' -]+? \(?\d+ to \d+\)?(?:, |(?=$|[;,. ])))+", re.IGNORECASE
)
"""Wagers with what they pay: the list of what is paid has them."""
_VERBS = (
    "announce ask burn call choose collect confirm cover deal finish inspect key look mend move of offer pass pay "
    "place press put remove repair return set settle shuffle spin start take throw turn wait"
)
_ACT = re.compile(
    rf"(?:then )?(?:{'|'.join(_VERBS.split())})\b|clear, then |wagers stay, |.*\?(?: Choose)?$"
    r"|every area burns alone|.* wagers may be placed$|(?:the )?floorperson\b|who made it |the security member ",
    re.IGNORECASE,
)
_WHO = re.compile(r"floorperson: ", re.IGNORECASE)


def task_of(words: str, entry: str, in_words: Callable[[str], str] = str) -> DealerTask:
    """The task of a sentence.

    Args:
        words: what the table waits for, as a machine says it; phrases are separated by semicolons or full stops.
        entry: what is keyed, as the sentence may repeat it.
        in_words: says names of the record in the game's words.
    """
    sentence = in_words(_without(entry, words))
    brief = _LISTED.sub(lambda found: "the listed wagers" + ", " * found[0].endswith(", "), sentence)
    phrases = [part for clause in _CLAUSE.split(brief) for part in _parts(clause.rstrip("."))]
    place = next((at for at, phrase in enumerate(phrases) if _ACT.match(phrase)), 0)
    act, *rest = _in_one_line(phrases[place])
    return {"act": act, "more": [*rest, *phrases[:place], *phrases[place + 1 :]]}


def _without(entry: str, words: str) -> str:
    """The sentence without what is keyed."""
    for keyed in filter(None, (entry, "_")):
        words = re.sub(rf"^{re.escape(keyed)}(?: \([^)]*\))?: ", "", words)
        words = re.sub(rf"[;:] {re.escape(keyed)}(?=$|;| \()", "", words)
        words = words.replace(f" ({keyed})", "")
    return words


def _parts(clause: str) -> Iterator[str]:
    """A clause; of one with a reason before its act, or after it, both."""
    parts = [clause] if _WHO.match(clause) else _REASON.split(clause, maxsplit=1)
    yield parts[0]
    for rest in parts[1:]:
        yield from _parts(rest)


def _in_one_line(act: str) -> list[str]:
    """An act that fits into a line, and what is done after it or was seen of it."""
    if len(act) <= LINE:
        return [act]
    for sign, begins in ((", then ", "then "), (" (", ""), (", ", "")):
        first, found, after = act.rpartition(sign)
        if found:
            return [*_in_one_line(first), begins + (after.removesuffix(")") if sign == " (" else after)]
    return [act]
