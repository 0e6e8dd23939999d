"""Random numbers in the order of NumPy's ``default_rng``: SeedSequence, PCG64 and what a Generator draws of it.

A seed gives the same wheel and the same throws here and there. Sources: NumPy's ``bit_generator.pyx``,
``pcg64.h`` and ``distributions.c``; M. O'Neill, PCG, HMC-CS-2014-0905; D. Lemire, ACM TOMACS 29 (2019) 3;
W. Hörmann, Insurance: Mathematics and Economics 12 (1993) 39.
"""

import math
import secrets
from bisect import bisect_right
from collections.abc import Callable, MutableSequence, Sequence
from itertools import accumulate, cycle
from typing import Any

from .ndarray import ndarray
from .ziggurat import EDGES, HEIGHTS, REACH, WIDTHS

_32, _64, _128 = (1 << 32) - 1, (1 << 64) - 1, (1 << 128) - 1
_POOL = 4
_STEP = 0x2360ED051FC65DA44385DF649FCCF645


def _hashed(value: int, factor: int, grows: int) -> tuple[int, int]:
    value ^= factor
    factor = factor * grows & _32
    value = value * factor & _32
    return value ^ value >> 16, factor


def _words(entropy: int) -> list[int]:
    words = [entropy & _32]
    while entropy := entropy >> 32:
        words.append(entropy & _32)
    return words


def _pool(entropy: list[int]) -> list[int]:
    """SeedSequence.mix_entropy."""
    factor, pool = 0x43B0D7E5, []
    for word in [*entropy, *([0] * _POOL)][:_POOL]:
        mixed, factor = _hashed(word, factor, 0x931E8875)
        pool.append(mixed)
    for source in range(max(_POOL, len(entropy))):
        for to in range(_POOL):
            if source != to:
                mixed, factor = _hashed(pool[source] if source < _POOL else entropy[source], factor, 0x931E8875)
                both = (0xCA01F9DD * pool[to] - 0x4973F715 * mixed) & _32
                pool[to] = both ^ both >> 16
    return pool


def _states(entropy: list[int]) -> list[int]:
    """SeedSequence.generate_state: four words of 64 bits."""
    factor, halves = 0x8B51F9DD, []
    for word, _ in zip(cycle(_pool(entropy)), range(8), strict=False):
        half, factor = _hashed(word, factor, 0x58F38DED)
        halves.append(half)
    return [low | high << 32 for low, high in zip(halves[::2], halves[1::2], strict=True)]


class Generator:
    """Draws; the methods have the names, the arguments and the results of NumPy's."""

    def __init__(self, entropy: list[int]) -> None:
        state_high, state_low, stream_high, stream_low = _states(entropy)
        self._adds = ((stream_high << 64 | stream_low) << 1 | 1) & _128
        self._state = (self._adds + (state_high << 64 | state_low)) & _128
        self._step()
        self._half: int | None = None

    def _step(self) -> None:
        self._state = (self._state * _STEP + self._adds) & _128

    def _next64(self) -> int:
        self._step()
        word, turned = (self._state >> 64 ^ self._state) & _64, self._state >> 122
        return (word >> turned | word << (-turned & 63)) & _64

    def _next32(self) -> int:
        if self._half is not None:
            half, self._half = self._half, None
            return half
        word = self._next64()
        self._half = word >> 32
        return word & _32

    def _below(self, count: int) -> int:
        """A whole number of 0 to ``count - 1``, all equally likely (Lemire)."""
        if count == 1:
            return 0
        bits, draw = (32, self._next32) if count <= _32 + 1 else (64, self._next64)
        product = draw() * count
        while product & (1 << bits) - 1 < (1 << bits) % count:
            product = draw() * count
        return product >> bits

    def _double(self) -> float:
        return (self._next64() >> 11) / (1 << 53)

    def random(self, size: int | None = None) -> Any:
        if size is not None:
            return ndarray([self._double() for _ in range(size)], "d")
        return self._double()

    def uniform(self, low: float = 0.0, high: float = 1.0, size: int | None = None) -> Any:
        if size is not None:
            return ndarray([self.uniform(low, high) for _ in range(size)], "d")
        return low + (high - low) * self._double()

    def integers(self, low: int, high: int | None = None, size: int | tuple[int, int] | None = None) -> Any:
        if high is None:
            low, high = 0, low
        if size is None:
            return low + self._below(high - low)
        shape = (size,) if isinstance(size, int) else size
        return ndarray([low + self._below(high - low) for _ in range(math.prod(shape))], "q", shape)

    def normal(self, loc: float = 0.0, scale: float = 1.0, size: int | None = None) -> Any:
        if size is not None:
            return ndarray([self.normal(loc, scale) for _ in range(size)], "d")
        return loc + scale * self._standard_normal()

    def _standard_normal(self) -> float:
        while True:
            word = self._next64()
            strip, sign, along = word & 255, -1 if word >> 8 & 1 else 1, word >> 9 & (1 << 52) - 1
            x = along * WIDTHS[strip]
            if along < EDGES[strip]:
                return sign * x
            if strip == 0:
                return self._tail(-1 if along >> 8 & 1 else 1)
            span = HEIGHTS[strip - 1] - HEIGHTS[strip]
            if span * self._double() + HEIGHTS[strip] < math.exp(-0.5 * x * x):
                return sign * x

    def _tail(self, sign: int) -> float:
        while True:
            x, y = -math.log1p(-self._double()) / REACH, -math.log1p(-self._double())
            if y + y > x * x:
                return sign * (REACH + x)

    def poisson(self, lam: float) -> int:
        if not lam:
            return 0
        if lam >= 10:
            return self._poisson_of_many(lam)
        least, product, count = math.exp(-lam), 1.0, -1
        while product > least:
            product *= self._double()
            count += 1
        return count

    def _poisson_of_many(self, lam: float) -> int:
        """Transformed rejection (Hörmann's PTRS)."""
        b = 0.931 + 2.53 * math.sqrt(lam)
        a, inverse = -0.059 + 0.02483 * b, 1.1239 + 1.1328 / (b - 3.4)
        while True:
            u, v = self._double() - 0.5, self._double()
            us = 0.5 - abs(u)
            k = math.floor((2 * a / us + b) * u + lam + 0.43)
            if us >= 0.07 and v <= 0.9277 - 3.6224 / (b - 2):
                return k
            if k < 0 or (us < 0.013 and v > us):
                continue
            likely = -lam + k * math.log(lam) - math.lgamma(k + 1)
            if math.log(v) + math.log(inverse) - math.log(a / (us * us) + b) <= likely:
                return k

    def _up_to(self, most: int) -> int:
        """A whole number of 0 to ``most``, by masked rejection, as a list is shuffled."""
        mask = (1 << most.bit_length()) - 1
        while (drawn := self._next32() & mask) > most:
            pass
        return drawn

    def shuffle(self, items: MutableSequence[Any]) -> None:
        _shuffle(items, self._up_to)

    def choice(
        self, items: int | Sequence[Any], size: int | None = None, replace: bool = True, p: Sequence[float] = ()
    ) -> Any:
        """One of some, or several different ones of ``range(items)`` (Floyd's way)."""
        if isinstance(items, int):
            assert size is not None
            assert not replace
            drawn: list[int] = []
            for most in range(items - size, items):
                one = self._below(most + 1)
                drawn.append(most if one in drawn else one)
            _shuffle(drawn, lambda most: self._below(most + 1))
            return ndarray(drawn, "q")
        if not p:
            return items[self._below(len(items))]
        sums = list(accumulate(p))
        return items[bisect_right([part / sums[-1] for part in sums], self._double())]


def _shuffle(items: MutableSequence[Any], draw: Callable[[int], int]) -> None:
    for place in range(len(items) - 1, 0, -1):
        other = draw(place)
        items[place], items[other] = items[other], items[place]


def default_rng(seed: int | Sequence[int] | None = None) -> Generator:
    """A generator; without a seed another one each time."""
    if seed is None:
        seed = secrets.randbits(128)
    parts = [seed] if isinstance(seed, int) else seed
    return Generator([word for part in parts for word in _words(part)])
