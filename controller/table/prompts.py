"""The prompts of a table: identification, the floor menu, confirmations, the dealer's log-on.

An open prompt owns the digits, ``enter`` and ``clear``. Only complete acts leave it, as events: no digit of a
credential number or a PIN does. Pure: each press carries its time.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from enum import Enum

from controller.access.credentials import LONGEST_NUMBER, MOST_PIN_DIGITS
from controller.events.words import NOTHING, Text, Words, say, text
from controller.machine.offers import Offer

PATIENCE_NS = 30_000_000_000
"""A prompt without input for this time closes by itself."""
LIST_NS = 5_000_000_000
"""The same for a dealer's list whose digits the game takes, too: a later one is an entry, and gives no reason."""
Place = tuple[int, str]
"""The round and the state of the table in which something was offered."""


class Asked(Enum):
    """Who identifies, and what happens then."""

    FLOORPERSON = "floorperson"
    DEALER = "log-on"


@dataclass(frozen=True, slots=True)
class Entry:
    """A line of a menu: one offer, or a list of them."""

    key: str
    """``floor-key`` for what the state waits for; else a digit."""
    offers: tuple[Offer, ...]
    words: Text

    @property
    def unavailable(self) -> Text:
        """Why it cannot be chosen; nothing if an offer of it can, or if it closes the menu."""
        why = [offer.unavailable for offer in self.offers]
        return why[0] if why and all(why) else NOTHING


@dataclass(frozen=True, slots=True)
class Identify:
    asked: Asked
    offer: Offer | None = None
    """What is done then; None: the floor menu opens."""
    place: Place = (0, "")
    number: str | None = None
    """None while it is keyed."""
    keyed: str = ""

    @property
    def longest(self) -> int:
        return LONGEST_NUMBER if self.number is None else MOST_PIN_DIGITS


@dataclass(frozen=True, slots=True)
class Menu:
    by: str
    floor: bool
    """The floorperson's menu; False: the dealer's, after a key that asks for a reason."""
    place: Place
    entries: tuple[Entry, ...]
    title: Text
    patience_ns: int = PATIENCE_NS


@dataclass(frozen=True, slots=True)
class Confirm:
    """A choice of the floor menu, to be confirmed with the key: no key of the dealer's confirms it."""

    by: str
    place: Place
    offer: Offer


@dataclass(frozen=True, slots=True)
class KeyNeeded:
    """The floorperson's key is waited for, or ``clear``; after a refused log-on, the key LOG-ON.

    Somebody may key number and PIN without it: digits are refused, and ``enter`` does not end it.
    """

    asked: Asked
    why: Text
    offer: Offer | None = None
    """What the dealer asked for, and the key allows."""
    place: Place | None = None
    keyed: bool = False


@dataclass(frozen=True, slots=True)
class Dark:
    """Digits that may be the rest of a PIN are discarded until ``enter`` or ``clear``."""

    asked: Asked


Prompt = Identify | Menu | Confirm | KeyNeeded | Dark


@dataclass(frozen=True, slots=True)
class View:
    """What the dealer's screen shows of a prompt; of none, a notice that is shown for a while, or nothing."""

    text: Text = NOTHING
    lines: tuple[Entry, ...] = ()
    dots: int = 0


def name_of(prompt: Prompt) -> str:
    """The name of a prompt on record."""
    if isinstance(prompt, Menu):
        return "floor-menu" if prompt.floor else "reasons"
    if isinstance(prompt, Confirm):
        return "confirm"
    return "request" if isinstance(prompt, KeyNeeded) and prompt.offer is not None else prompt.asked.value


def asks(prompt: Prompt | None) -> Asked | None:
    """Whose PIN may be among the digits that follow; None if nobody's."""
    if isinstance(prompt, KeyNeeded) and prompt.offer is not None and not prompt.keyed:
        return None
    return prompt.asked if isinstance(prompt, Identify | Dark | KeyNeeded) else None


def requested(offer: Offer, place: Place) -> KeyNeeded:
    """The dealer asked for what only the floorperson may do."""
    why = text("turn-the-key", act=f"menu-{offer.act}", argument=offer.argument)
    return KeyNeeded(Asked.FLOORPERSON, why, offer, place)


def menu_of(offers: Iterable[Offer]) -> tuple[Entry, ...]:
    """The entries of the floor menu: offers of one act are one entry; the key itself does what is waited for."""
    groups: dict[str, list[Offer]] = {}
    expected: list[Entry] = []
    for offer in offers:
        if offer.expected and not expected:
            expected.append(Entry("floor-key", (offer,), _choice(offer)))
        else:
            groups.setdefault(offer.act, []).append(offer)
    numbered = (
        Entry(str(key), tuple(group), _choice(group[0]) if len(group) == 1 else text(f"menu-{act}"))
        for key, (act, group) in enumerate(groups.items(), 1)
    )
    return (*expected, *numbered)


def reasons_of(offers: Iterable[Offer]) -> tuple[Entry, ...]:
    """The entries of a list of reasons, or of what can be corrected."""
    return tuple(
        Entry(str(key), (offer,), Text(offer.argument) if offer.argument else _choice(offer))
        for key, offer in enumerate(offers, 1)
    )


def chosen_by(menu: Menu, control: str) -> Entry | None:
    """The entry that a key chooses, if it is possible now."""
    return next((one for one in menu.entries if one.key == control and not one.unavailable), None)


def _choice(offer: Offer) -> Text:
    return text("choice", act=f"menu-{offer.act}", argument=offer.argument)


def view_of(prompt: Prompt) -> View:
    """A prompt as the screen shows it. Digits are dots: they may be those of a PIN."""
    if isinstance(prompt, Dark):
        return View(text("entry-discarded"))
    if isinstance(prompt, Identify):
        what = "number" if prompt.number is None else "pin"
        return View(text(f"key-{prompt.asked.value}-{what}"), dots=len(prompt.keyed))
    if isinstance(prompt, KeyNeeded):
        return View(prompt.why)
    if isinstance(prompt, Confirm):
        return View(text("confirm", act=f"menu-{prompt.offer.act}", argument=prompt.offer.argument))
    other = [Entry("enter", (), text("menu-other"))] if prompt.by else []
    return View(prompt.title, (*prompt.entries, *other, Entry("clear", (), text("menu-leave"))))


def sentence_of(view: View, words: Words, name: Callable[[str], str] = str) -> str:
    """A prompt in one line, with a dot for each digit; of a menu, what can be chosen."""
    if not view.text:
        return ""
    said = say(words, view.text, name)
    choices = (
        f"{line.key.upper().replace('FLOOR-KEY', 'KEY')} {say(words, line.words, name)}"
        for line in view.lines
        if not line.unavailable
    )
    listed = ", ".join(choices)
    return " ".join(filter(None, (said, listed, "•" * view.dots)))
