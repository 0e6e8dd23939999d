"""The keys of the bench's page. A key acts on the table or opens a menu.

There are three kinds: keys of the table's own controls (a key is chosen for each), keys of the game, and keys of
every table.
"""

import string
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from controller.bench import documents
from controller.bench.live import LiveBench
from controller.events.words import plain

ENTER, ESCAPE, BACKSPACE = "Enter", "Escape", "Backspace"
NAMED = (ENTER, ESCAPE, BACKSPACE)
"""The keys that have a name, as a browser sends it. All others are one character."""
_BACK = (ESCAPE, BACKSPACE)
_PREFERRED = {
    "no-more-bets": "n",
    "done": "d",
    "clear": "c",
    "enter": ENTER,
    "no-spin": "x",
    "no-roll": "x",
    "correct": "e",
    "floor-key": "k",
}
_UNUSED = "q"
"""Ends many programs; here it presses nothing."""
_WHAT = {"floor-key": "turn the floorperson's key"}
CHOICES = "123456789abcdefghijklnoprst"
"""Keys of a menu's choices; a longer menu has pages. The key m repairs, even while a menu is open."""
LETTERS = CHOICES.lstrip(string.digits)
"""Keys of a menu whose choices are numbers."""


@dataclass(frozen=True)
class Choice:
    """One line of a menu."""

    label: str
    action: "KeyAction"


@dataclass(frozen=True)
class Menu:
    """Choices, each by its key."""

    title: str
    choices: tuple[Choice, ...]
    keys: str = CHOICES


KeyAction = Callable[[LiveBench], Menu | None]
"""The action of a key; may open a menu."""


@dataclass(frozen=True)
class Binding:
    """A key and its action."""

    key: str
    short: str
    """A word or two."""
    long: str
    """What it does."""
    action: KeyAction
    capital: KeyAction | None = None
    """The action of its capital letter: the same in the other direction."""
    control: str = ""
    """The control that it presses; empty if it does something else."""


def does(action: Callable[[LiveBench], None]) -> KeyAction:
    """An action that opens no menu."""

    def act(bench: LiveBench) -> None:
        action(bench)

    return act


def press(control: str) -> KeyAction:
    """Press a control of the table."""
    return does(lambda bench: bench.press(control))


GENERAL = (
    Binding("p", "power cut", "cut the power for three seconds", does(LiveBench.power_cut)),
    Binding("m", "fix", "repair all that is broken", does(LiveBench.repair)),
)


def for_controls(controls: Iterable[str], taken: Iterable[str]) -> tuple[Binding, ...]:
    """A key for every control: its usual one, its digit, a letter of its name, or any letter that is free."""
    used, bindings = set(taken), []
    names = list(controls)
    usual = {_PREFERRED.get(name, name) for name in names}
    for name in names:
        others = (letter for letter in (*name, *string.ascii_letters) if letter.isalpha() and letter not in usual)
        wishes = (_PREFERRED.get(name, name), *others)
        key = next((key for key in wishes if (len(key) == 1 or key in NAMED) and key not in used), "")
        if key:
            used.add(key)
            words = _WHAT.get(name, f"press {plain(name)}")
            bindings.append(Binding(key, plain(name), words, press(name), control=name))
    return tuple(bindings)


class BenchKeys:
    """Turns keys into actions on a bench.

    Args:
        bindings: the game's own keys, and those of every table (such as the fault menu's).
    """

    def __init__(self, bench: LiveBench, bindings: Iterable[Binding]) -> None:
        self._bench = bench
        own = (*bindings, *GENERAL)
        taken = {_UNUSED, *(key for binding in own for key in (binding.key, binding.key.upper()))}
        self.bindings = (*for_controls(bench.controls, taken), *own)
        self._actions = {binding.key: binding.action for binding in self.bindings}
        self._actions |= {b.key.upper(): b.capital for b in self.bindings if b.capital is not None}
        self._menu: Menu | None = None
        self._page = 0
        self.notice = ""
        """The message after a key without an action."""

    def press(self, key: str) -> None:
        """Take a key."""
        self.notice = ""
        if self._menu is not None:
            self._choose(self._menu, key)
        elif key in self._actions:
            self._open(self._actions[key](self._bench))
        elif key not in _BACK:
            self.notice = f"{_name_of(key)} does nothing here"

    @property
    def menu(self) -> documents.OpenMenu | None:
        """The open menu, or its page that is shown."""
        if self._menu is None:
            return None
        menu = self._menu
        choices: list[documents.MenuChoice] = [
            {"key": key, "short": choice.label} for key, choice in zip(menu.keys, self._shown(menu), strict=False)
        ]
        return {"title": menu.title, "choices": choices, "more": len(menu.choices) > len(menu.keys)}

    def _open(self, menu: Menu | None) -> None:
        self._menu, self._page = menu, 0

    def _shown(self, menu: Menu) -> tuple[Choice, ...]:
        first = self._page * len(menu.keys)
        return menu.choices[first : first + len(menu.keys)]

    def _choose(self, menu: Menu, key: str) -> None:
        shown = self._shown(menu)
        if key in _BACK:
            self._open(None)
        elif key == " ":
            self._page += 1
            if self._page * len(menu.keys) >= len(menu.choices):
                self._page = 0
        elif key == "m":
            self._open(self._actions["m"](self._bench))
        elif key in menu.keys[: len(shown)]:
            self._open(shown[menu.keys.index(key)].action(self._bench))
        else:
            self.notice = f"{_name_of(key)} is no choice; Esc goes back"


def _name_of(key: str) -> str:
    if key == " ":
        return "Space"
    return key if key.isprintable() else "that key"
