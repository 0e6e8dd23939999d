"""Exact tests of counts: the probability of at least so many, if nothing is behind them.

For findings about people at a floor's tables; those of wheels are in :mod:`controller.fairness.evidence`.
"""

import math
from collections.abc import Callable

_NEGLIGIBLE = 1e-17


def binomial_tail(hits: int, trials: int, chance: float) -> float:
    """The probability of at least ``hits`` among independent trials that each hit with ``chance``, 0 < chance < 1.

    Raises:
        ValueError: there cannot be so many hits, or ``chance`` is no probability between 0 and 1.
    """
    if not 0 <= hits <= trials or not 0 < chance < 1:
        raise ValueError(f"{hits} hits of {trials} with a chance of {chance} cannot be")

    def log_of(count: int) -> float:
        ways = _log_choose(trials, count)
        return ways + count * math.log(chance) + (trials - count) * math.log1p(-chance)

    return _tail(hits, trials, log_of, trials * chance)


def hypergeometric_tail(hits: int, drawn: int, marked: int, total: int) -> float:
    """The probability of at least ``hits`` marked ones among ``drawn`` of ``total``, ``marked`` of them marked.

    It is the one-sided test of R. A. Fisher (1935) of whether one group has more hits than the rest.

    Raises:
        ValueError: there cannot be so many.
    """
    least, most = max(0, drawn + marked - total), min(drawn, marked)
    if not (0 <= drawn <= total and 0 <= marked <= total and least <= hits <= most):
        raise ValueError(f"{hits} of {marked} marked ones among {drawn} of {total} cannot be")
    whole = _log_choose(total, drawn)

    def log_of(count: int) -> float:
        return _log_choose(marked, count) + _log_choose(total - marked, drawn - count) - whole

    return _tail(hits, most, log_of, drawn * marked / total if total else 0)


def _tail(first: int, last: int, log_of: Callable[[int], float], mean: float) -> float:
    """The sum from one count to another; past the mean until terms no longer matter."""
    terms: list[float] = []
    for count in range(first, last + 1):
        terms.append(math.exp(log_of(count)))
        if count > mean and terms[-1] <= _NEGLIGIBLE * max(terms[0], _NEGLIGIBLE):
            break
    return min(1.0, math.fsum(terms))


def _log_choose(of: int, count: int) -> float:
    return math.lgamma(of + 1) - math.lgamma(count + 1) - math.lgamma(of - count + 1)
