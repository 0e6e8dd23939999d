"""The states of a wheel with a clapper in which a result stands."""

from controller.games.clapper_wheel.rules import WheelState as S

RESULT_STATES = frozenset(s.value for s in (S.RESULT, S.LOSERS_COLLECTED, S.WINNERS_PAID, S.LATE, S.LOCKED))
