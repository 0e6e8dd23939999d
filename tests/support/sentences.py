"""Whether every code on a table's record has a sentence."""

from collections.abc import Iterator

from controller.bench.rig import Rig
from controller.events.effect import Alert, Effect, Lock, Note, Refused, Void
from controller.events.words import Text, say
from controller.machine.game import words_of


def texts_of(effect: Effect) -> Iterator[Text]:
    """What people read of an effect, as codes."""
    if isinstance(effect, Note | Alert):
        yield Text(effect.text, effect.parameters)
    elif isinstance(effect, Void):
        yield Text(effect.reason, effect.parameters)
    elif isinstance(effect, Lock):
        yield Text(effect.cause, effect.parameters)
    elif isinstance(effect, Refused):
        yield from (Text(code, effect.parameters) for code in (effect.why or effect.waiting_for,))


def without_sentence(table: Rig) -> set[str]:
    """The codes on record that have no words.

    Raises:
        Exception: a sentence needs a parameter that its code does not have.
    """
    words = words_of(table.game)
    said = [text for record in table.records() for effect in record.effects for text in texts_of(effect)]
    return {text.code for text in said if say(words, text) == text.code}
