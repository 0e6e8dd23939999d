"""What people read in every place of every game's machine: prompts, menus and refusals name what is possible there.

The rules of :mod:`campaigns.people_rules` about texts.
"""

import re
from collections.abc import Iterator

from campaigns.explored import Exploration, Finding, Node

from controller.bench.people import KEY
from controller.events.effect import Refused
from controller.events.text import plain
from controller.statechart.machine import Outcome
from controller.statechart.menu import MenuEntry

MOST_KEYS = 2
"""Keys that the first clause of a prompt may name: an entry, or an act of the hand, and what ends it."""
MOST_CLAUSES = 4
"""Clauses of a prompt: what is due, and what else is possible."""
CHOOSE = "hoose"
"""Of choose: refers to the menu."""
OUT = "clear"
"""Leaves a menu, or takes back what led to it."""
_KEY_NAMES = r"floorperson's key|\b(?:the|turns the) key\b|\bfloor-key\b"


def refusals(found: Exploration) -> Iterator[Finding]:
    """Who is refused reads why, and a key or an act that is possible there."""
    judged: set[tuple[str, str, frozenset[str]]] = set()
    for node, edges in found.places.items():
        taken = [edge for edge in edges if edge.outcome is Outcome.ACCEPTED and not edge.has(Refused)]
        kinds = frozenset(edge.kind for edge in taken)
        for edge in edges:
            for refused in edge.effects:
                if isinstance(refused, Refused) and (node[0].value, refused.waiting_for, kinds) not in judged:
                    judged.add((node[0].value, refused.waiting_for, kinds))
                    chooses = CHOOSE in refused.waiting_for and _may_choose(found, node)
                    said = chooses or _says_what(found, refused.waiting_for, kinds)
                    if not said or refused.waiting_for == node[0].value:
                        detail = f"{refused.waiting_for!r} names nothing that is possible"
                        yield Finding("refusal", f"{node[0].value}: {edge.control}", detail, node)


def _may_choose(found: Exploration, node: Node) -> bool:
    """Whether a menu stands beside what is said, and something in it can be chosen."""
    return any(not entry.unavailable for entry in found.menu(node))


def _says_what(found: Exploration, text: str, kinds: frozenset[str]) -> bool:
    controls = [kind.removeprefix("press ") for kind in kinds if kind.startswith("press ")]
    acts = found.people.acts
    return any(names(text, control) for control in controls) or any(
        phrase in text and on in kinds for phrase, on in acts.items()
    )


def names(text: str, control: str) -> bool:
    """Whether a text names a control as people read it on the key."""
    if control == KEY:
        return re.search(_KEY_NAMES, text) is not None
    if control.isdigit() and len(control) == 1:
        ranges = re.findall(r"\b(\d) to (\d+)\b", text)
        if any(int(low) <= int(control) <= int(high) for low, high in ranges):
            return True
    return re.search(rf"\b{re.escape(plain(control))}\b", text, re.IGNORECASE) is not None


def prompts(found: Exploration) -> dict[str, Node]:
    """Every prompt, with the nearest place that has it."""
    said: dict[str, Node] = {}
    for node in found.places:
        said.setdefault(found.prompt(node), node)
    return said


def is_choice(text: str) -> bool:
    """A question: the menu beside it has the answers."""
    return "?" in text


def menus(found: Exploration) -> Iterator[Finding]:
    """The prompt of a menu names none of its entries: the list shows them. The way out may be named."""
    for node in found.places:
        listed = found.menu(node)
        text = found.prompt(node) if listed else ""
        named = [entry.control for entry in listed if _offers(text, entry)]
        if named or sum(entry.words in text for entry in listed) > 1:
            where = ", ".join(named) or "several entries"
            yield Finding("menu", node[0].value, f"{text!r} lists {where}, and the menu does, too", node)


def _offers(text: str, entry: MenuEntry) -> bool:
    """Whether a prompt offers an entry of the menu beside it."""
    key = f"(?:{re.escape(entry.control)}|{re.escape(plain(entry.control))})"
    if re.search(rf"\b{key}:? {re.escape(entry.words)}", text, re.IGNORECASE):
        return True
    if entry.control == KEY:
        return names(text, KEY)
    return entry.control != OUT and not entry.control.isdigit() and _has_pressed(text, entry.control)


def one_action(found: Exploration) -> Iterator[Finding]:
    """A prompt asks for one thing: one question, one choice of a menu, or one act and the key that ends it."""
    digits = {control for control in found.setup.machine.controls() if control.isdigit()}
    controls = sorted(found.setup.machine.controls() - digits - found.people.invented)
    for text, node in prompts(found).items():
        if not text:
            yield Finding("prompt", node[0].value, "the table waits for nothing", node)
        elif is_choice(text):
            continue
        first, *others = re.split(r"; |\. ", text)
        keys = [control for control in controls if names(first, control)]
        if len(keys) > MOST_KEYS:
            yield Finding("prompt", node[0].value, f"{text!r} begins with {len(keys)} keys", node)
        elif len(others) >= MOST_CLAUSES:
            yield Finding("prompt", node[0].value, f"{text!r} has {len(others) + 1} clauses", node)


def _has_pressed(text: str, control: str) -> bool:
    """Whether a text names a control as a key to press: where an instruction begins, or behind its verb."""
    before = r"(?:^|[;,.:?] |\bor |\bpress |\bthen )"
    return re.search(rf"{before}{re.escape(plain(control))}\b", text, re.IGNORECASE) is not None


def true_words(found: Exploration) -> Iterator[Finding]:
    """A key that a prompt names is taken. Enter is named before what it ends is keyed."""
    digits = {control for control in found.setup.machine.controls() if control.isdigit()}
    controls = sorted(found.setup.machine.controls() - digits - found.people.invented - {"enter", KEY})
    judged: set[tuple[str, frozenset[str]]] = set()
    for node, edges in found.places.items():
        text = found.prompt(node)
        refused = frozenset(edge.control for edge in edges if edge.outcome is Outcome.REFUSED)
        if (text, refused) not in judged and not is_choice(text):
            judged.add((text, refused))
            for control in controls:
                if control in refused and _has_pressed(text, control):
                    yield Finding(
                        "true-words", f"{node[0].value}: {control}", f"refused, and {text!r} names it", node
                    )
