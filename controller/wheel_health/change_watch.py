"""A watch over one quantity that may be looked at after every spin, with bounded false alarms.

The hypothesis: whatever happened before, a spin's value is at most ``allowed`` on average. Nothing else is assumed:
not how values scatter, nor that spins are independent. Values are cut to ±``reach`` first. A bet of λ on "more than
allowed", with 0 < λ < 1 / (reach + allowed), is multiplied at each spin by

    1 + λ (value - allowed)

which is never negative, and at most 1 on average under the hypothesis. The stake is divided among several λ, for
small changes and large ones, and among the spins at which the change may have begun: 1 / (k (k + 1)) of it is put
in at spin k, and 1 / (t + 1) is still in hand after t spins. So years of good health do not spend what finds a
change.
The sum of all stakes begins at 1 and does not grow on average: a *test supermartingale*. By Ville's inequality the
probability that it **ever** reaches c, however long and however often it is looked at, is at most 1/c.

A CUSUM would find a change a little sooner, but it bounds only how often it errs on average, and needs to know how
values scatter. That is not known of a wheel before it has run for months.

Sources:
    J. Ville, Étude critique de la notion de collectif. Gauthier-Villars, Paris 1939 (the inequality).
    I. Waudby-Smith, A. Ramdas, Estimating means of bounded random variables by betting. Journal of the Royal
    Statistical Society B 86(1), 2024, pp. 1-27 (the bets).
    J. Shin, A. Ramdas, A. Rinaldo, E-detectors: a nonparametric framework for sequential change detection. New
    England Journal of Statistics in Data Science 2(2), 2024, pp. 229-260 (changes that begin at any time).
"""

from collections.abc import Sequence

_PARTS = (0.1, 0.3, 0.6, 0.95)
"""Of the largest possible bet."""
_MOST = 1e200


class ChangeWatch:
    """Watches for a mean above ``allowed``.

    Args:
        allowed: the greatest mean in good health.
        reach: values beyond ± this count as this; more than ``allowed``.
    """

    def __init__(self, allowed: float, reach: float) -> None:
        if not abs(allowed) < reach:
            raise ValueError(f"a watch that reaches to {reach} cannot allow {allowed}")
        self.allowed = allowed
        self._reach = reach
        self._bets = [part / (reach + allowed) for part in _PARTS]
        self._stakes = [0.0] * len(_PARTS)
        self._spins = 0

    def add(self, value: float) -> None:
        """Take a spin's value."""
        self._spins += 1
        more = min(max(value, -self._reach), self._reach) - self.allowed
        put_in = 1 / (self._spins * (self._spins + 1)) / len(_PARTS)
        self._stakes = [
            min(_MOST, (stake + put_in) * (1 + bet * more))
            for stake, bet in zip(self._stakes, self._bets, strict=True)
        ]

    @property
    def odds(self) -> float:
        """The evidence that the mean is, or was, above what is allowed."""
        return sum(self._stakes) + 1 / (self._spins + 1)

    def state(self) -> list[float]:
        """What the watch stands at, for :meth:`resume`."""
        return [self._spins, *self._stakes]

    def resume(self, state: Sequence[float]) -> None:
        """Go on from where another watch of the same kind stood.

        Raises:
            ValueError: the state is none of such a watch.
        """
        spins, *stakes = state
        if len(stakes) != len(_PARTS) or not spins >= 0 or not all(0 <= stake <= _MOST for stake in stakes):
            raise ValueError("this is no state of such a watch")
        self._spins, self._stakes = int(spins), stakes
