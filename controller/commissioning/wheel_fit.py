"""Arithmetic of a wheel's measurement: a mean on a circle, deviations from even pegs, delays by regression."""

import cmath
import math
from collections import defaultdict
from collections.abc import Sequence
from statistics import fmean

from controller.commissioning.wheel_edges import Edge


def mean_of_circle(turns: Sequence[float]) -> complex:
    """The mean of places that matter only within a turn, as a vector no longer than 1."""
    return sum((cmath.exp(2j * math.pi * place) for place in turns), 0j) / len(turns)


def deviation(edge: Edge, first: float, pitch: float, delay_s: float) -> float:
    """How far from its peg's even place an edge lies along the rim, without the delay."""
    return edge.at_deg - first - edge.peg * pitch - edge.direction * delay_s * edge.speed


def contact_delay(strikes: Sequence[Edge], first: float, pitch: float) -> float:
    """The contact's delay: by how much a peg's strikes lie later, the faster the wheel."""
    groups: dict[int, list[tuple[int, float, float]]] = defaultdict(list)
    sections = round(360 / pitch)
    for edge in strikes:
        place = deviation(edge, first, pitch, 0.0) * edge.direction
        groups[edge.direction * (edge.peg % sections + 1)].append((0, edge.speed, place))
    covariance = variance = 0.0
    for values in groups.values():
        speed, place = fmean(v for _, v, _ in values), fmean(p for _, _, p in values)
        covariance += sum((v - speed) * (p - place) for _, v, p in values)
        variance += sum((v - speed) ** 2 for _, v, _ in values)
    return max(0.0, covariance / variance) if variance > len(strikes) else 0.0


def slope(values: Sequence[tuple[int, float, float]]) -> float:
    """Of place by speed, both directions taken for themselves."""
    covariance = variance = 0.0
    for way in (1, -1):
        of_way = [(speed, place) for direction, speed, place in values if direction == way]
        if not of_way:
            continue
        mean_speed, mean_place = fmean(s for s, _ in of_way), fmean(p for _, p in of_way)
        covariance += sum((s - mean_speed) * (p - mean_place) for s, p in of_way)
        variance += sum((s - mean_speed) ** 2 for s, _ in of_way)
    return covariance / variance if variance > len(values) else 0.0
