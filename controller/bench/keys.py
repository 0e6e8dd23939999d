"""The keys of the bench's page. A key acts on the table or opens a menu.

There are three kinds: keys of the table's own controls (a key is chosen for each), keys of the game, and keys of
every table.
"""

import string
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from controller.bench import documents
from controller.bench.live import REPAIR, LiveBench
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


@dataclass(frozen=True)
class Choice:
    """One line of a menu."""

    label: str
    action: "KeyAction"


@dataclass(frozen=True)
class Menu:
    """Choices, each by a letter: at most 52. They are numbers, so that digits would mislead."""

    title: str
    choices: tuple[Choice, ...]

    @property
    def keys(self) -> dict[str, Choice]:
        return dict(zip(string.ascii_letters, self.choices, strict=False))


KeyAction = Callable[[LiveBench], Menu | None]
"""The action of a key; may open a menu."""


@dataclass(frozen=True)
class Binding:
    """A key and its action."""

    key: str
    words: str
    """What it does."""
    action: KeyAction
    capital: KeyAction | None = None
    """The action of its capital letter: the same in the other direction."""
    control: str = ""
    """The control that it presses; empty if it does something else."""


GENERAL = (
    Binding("p", "cut the power for three seconds", LiveBench.power_cut),
    Binding(REPAIR, "repair all that is broken", LiveBench.repair),
)


def for_controls(controls: Iterable[str], taken: Iterable[str]) -> tuple[Binding, ...]:
    """A key for every control: its usual one, its digit, a letter of its name, or any letter that is free."""
    used, bindings, names = set(taken), [], list(controls)
    usual = {_PREFERRED.get(name, name) for name in names}

    def press(control: str) -> KeyAction:
        return lambda bench: bench.press(control)

    for name in names:
        others = (letter for letter in (*name, *string.ascii_letters) if letter.isalpha() and letter not in usual)
        wishes = (_PREFERRED.get(name, name), *others)
        key = next((key for key in wishes if (len(key) == 1 or key in NAMED) and key not in used), "")
        if key:
            used.add(key)
            bindings.append(Binding(key, f"press {plain(name)}", press(name), control=name))
    return tuple(bindings)


class BenchKeys:
    """Turns keys into actions on a bench.

    Args:
        bindings: the game's own keys.
    """

    def __init__(self, bench: LiveBench, bindings: Iterable[Binding]) -> None:
        self._bench = bench
        own = (*bindings, *GENERAL)
        taken = {_UNUSED, *(key for binding in own for key in (binding.key, binding.key.upper()))}
        self.bindings = (*for_controls(bench.controls, taken), *own)
        self._actions = {binding.key: binding.action for binding in self.bindings}
        self._actions |= {b.key.upper(): b.capital for b in self.bindings if b.capital is not None}
        self._menu: Menu | None = None
        self.notice = ""
        """The message after a key without an action."""

    def press(self, key: str) -> None:
        """Take a key."""
        menu, self.notice = self._menu, ""
        chosen = menu.keys.get(key) if menu is not None else None
        if menu is None and key in self._actions:
            self._menu = self._actions[key](self._bench)
        elif chosen is not None:
            self._menu = chosen.action(self._bench)
        elif key in _BACK:
            self._menu = None
        else:
            name = key if key.isprintable() and key != " " else "that key"
            self.notice = f"{name} does nothing here" if menu is None else f"{name} is no choice; Esc goes back"

    @property
    def menu(self) -> documents.OpenMenu | None:
        """The open menu."""
        if self._menu is None:
            return None
        choices: list[documents.MenuChoice] = [
            {"key": key, "short": choice.label} for key, choice in self._menu.keys.items()
        ]
        return {"title": self._menu.title, "choices": choices}
