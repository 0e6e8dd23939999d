"""The states of a game with three keyed-in dice in which a result stands."""

from controller.games.dice.rules import DiceState as S

_STATES = (S.RESULT, S.CORRECTING, S.NO_ROLL, S.VOIDING, S.LOSERS_COLLECTED, S.WINNERS_PAID, S.MALFUNCTION)
RESULT_STATES = frozenset(state.value for state in _STATES)
