"""Makes one thing to do, in one line, of the sentences in which a machine says what it waits for.

The machine's sentences have everything in them, for a log and for the answer to a refused key. People at the table
read the screen while they deal: the act is in front; why, what else is possible and what follows are under it.
"""

import re
from collections.abc import Callable

from controller.viewmodel.documents import DealerTask

LINE = 84
"""Characters that fit into one line of the dealer's screen: the most that an act of the machines' words has."""
_SENTENCE = re.compile(r"(?<=[\w)'\"]\.) (?=[A-Z0-9(])|(?<=[?:]) (?=FLOORPERSON|If |\()|(?<=_) (?=\()|; ")
_LISTED = re.compile(
    r"(?:(?<=\bpay )|(?<=numbers ))(?:[a-z0-9' -]+? \(?\d+ to \d+\)?(?:, |(?=$|[;,. ])))+", re.IGNORECASE
)
"""Wagers with what they pay: the list of what is paid has them."""
_VERBS = (
    "announce ask burn call choose collect confirm cover deal finish have inspect key let look move offer pass pay "
    "place press put remove repair return set settle shuffle spin start take throw turn wait watch"
)
_ACT = re.compile(
    rf"(?:[^:]*: )?(?:{'|'.join(_VERBS.split())})\b|floorperson: |the floorperson's key|the security member |.*\?$"
    r"|.* wagers may be placed$",
    re.IGNORECASE,
)


def task_of(words: str, entry: str, in_words: Callable[[str], str] = str) -> DealerTask:
    """The task of some sentences.

    Args:
        words: what the table waits for, as a machine says it.
        entry: what is keyed, as the words may repeat it.
        in_words: says names of the record in the game's words.
    """
    told = in_words(_without(entry, words))
    brief = _LISTED.sub(lambda found: "the listed wagers" + ", " * found[0].endswith(", "), told)
    sentences = [sentence.rstrip(".") for sentence in _SENTENCE.split(brief)]
    place = next((at for at, sentence in enumerate(sentences) if _ACT.match(sentence)), 0)
    return DealerTask(sentences.pop(place), sentences)


def _without(entry: str, words: str) -> str:
    """The words without what is keyed."""
    for keyed in filter(None, (entry, entry.removesuffix("_"), "_")):
        words = re.sub(rf"^{re.escape(keyed)}(?: \([^)]*\))?: ", "", words)
        words = re.sub(rf"[;:] {re.escape(keyed)}(?=$|[;.]| \()", "", words)
        words = words.replace(f" ({keyed})", "")
    return words
