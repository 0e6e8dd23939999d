"""The bench's keys: actions, menus and help, independent of the terminal.

A key is one character as a terminal sends it. There are three kinds: keys of every table (here), keys of the
table's own controls (a key is chosen for each), and keys of the game's view.
"""

import string
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from controller.bench.live import LiveBench
from controller.events.text import plain

ENTER, ESCAPE, INTERRUPT = "\r", "\x1b", "\x03"
BACK = (ESCAPE, "\x7f", "\x08")
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
_NAMES = {ENTER: "Enter", ESCAPE: "Esc", " ": "Space"}
_WHAT = {"floor-key": "turn the floorperson's key"}
CHOICES = "123456789abcdefghijklnoprst"
"""Keys of a menu's choices; a longer menu has pages. Neither m (fix) nor q (quit) is among them."""
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
    """A word or two, for the line of keys; empty for a key that only the help lists."""
    long: str
    """What it does, for the help."""
    action: KeyAction
    capital: KeyAction | None = None
    """The action of its capital letter: the same in the other direction."""
    control: str = ""
    """The control that it presses; empty if it does something else."""


@dataclass(frozen=True, slots=True)
class Hint:
    """A key as the screen shows it."""

    key: str
    short: str
    long: str
    """Empty for a key that is not in the list of the help."""


@dataclass(frozen=True, slots=True)
class MenuPage:
    """The part of an open menu that the screen shows."""

    title: str
    choices: tuple[Hint, ...]
    more: bool


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
_HELP = Hint("?", "keys", "")  # The line below the list says it.
_QUIT = Hint("q", "quit", "leave the bench (also Ctrl-C)")
_RESERVED = {_HELP.key, _QUIT.key, "f"}


def for_controls(controls: Iterable[str], taken: Iterable[str]) -> tuple[Binding, ...]:
    """A key for every control: its usual one, its digit, a letter of its name, or any letter that is free."""
    used, bindings = set(taken), []
    names = list(controls)
    usual = {_PREFERRED.get(name, name) for name in names}
    for name in names:
        others = (letter for letter in (*name, *string.ascii_letters) if letter.isalpha() and letter not in usual)
        wishes = (_PREFERRED.get(name, name), *others)
        key = next((key for key in wishes if len(key) == 1 and key not in used), "")
        if key:
            used.add(key)
            words = _WHAT.get(name, f"press {plain(name)}")
            bindings.append(Binding(key, plain(name), words, press(name), control=name))
    return tuple(bindings)


class BenchKeys:
    """Turns keys into actions on a bench.

    Args:
        bindings: the view's own keys, and those of every table (such as the fault menu's).
    """

    def __init__(self, bench: LiveBench, bindings: Iterable[Binding]) -> None:
        self._bench = bench
        own = (*bindings, *GENERAL)
        taken = _RESERVED | {key for binding in own for key in (binding.key, binding.key.upper())}
        self.bindings = (*for_controls(bench.controls, taken), *own)
        self._actions = {binding.key: binding.action for binding in self.bindings}
        self._actions |= {b.key.upper(): b.capital for b in self.bindings if b.capital is not None}
        self._menu: Menu | None = None
        self._page = 0
        self.help = False
        self.notice = ""
        """The message after a key without an action."""
        self.quits = False

    def press(self, key: str) -> None:
        """Take a key."""
        self.notice = ""
        if key == INTERRUPT or key == _QUIT.key:
            self.quits = True
        elif self._menu is not None:
            self._choose(self._menu, key)
        elif key == _HELP.key or (self.help and key in BACK):
            self.help = not self.help
        elif key in self._actions:
            self._open(self._actions[key](self._bench))
        elif key not in BACK:
            self.notice = f"{name_of(key)} does nothing here; ? shows all keys"

    @property
    def hints(self) -> tuple[Hint, ...]:
        """Every key, for the screen."""
        digits = [b.key for b in self.bindings if b.key.isdigit()]
        hints = [Hint(_shown_key(b), b.short, b.long) for b in self.bindings if not b.key.isdigit()]
        if digits:
            hints.insert(0, Hint(f"{min(digits)}-{max(digits)}", "digits", "press the digit's key"))
        return (*hints, _HELP, _QUIT)

    @property
    def menu(self) -> MenuPage | None:
        """What the screen shows of the open menu."""
        if self._menu is None:
            return None
        menu = self._menu
        shown = zip(menu.keys, self._shown(menu), strict=False)
        hints = tuple(Hint(key, choice.label, "") for key, choice in shown)
        return MenuPage(menu.title, hints, len(menu.choices) > len(menu.keys))

    def _open(self, menu: Menu | None) -> None:
        self._menu, self._page = menu, 0

    def _shown(self, menu: Menu) -> tuple[Choice, ...]:
        first = self._page * len(menu.keys)
        return menu.choices[first : first + len(menu.keys)]

    def _choose(self, menu: Menu, key: str) -> None:
        shown = self._shown(menu)
        if key in BACK:
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
            self.notice = f"{name_of(key)} is no choice; Esc goes back"


def _shown_key(binding: Binding) -> str:
    name = name_of(binding.key)
    return f"{name} {name.upper()}" if binding.capital is not None else name


def name_of(key: str) -> str:
    """A key's name on the screen."""
    return _NAMES.get(key, key if key.isprintable() else "that key")
