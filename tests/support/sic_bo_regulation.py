"""Sic Bo by the text of the regulation: what wins on a roll (§ 539.3), and the least that it pays (§ 539.6).

Written for the tests, with nothing of the program's.
"""

LEAST_ODDS = {
    **{f"three-of-a-kind-{n}": 150 for n in (1, 2, 3, 4, 5, 6)},
    **{f"two-of-a-kind-{n}": 8 for n in (1, 2, 3, 4, 5, 6)},
    "any-three-of-a-kind": 24,
    "total-4": 50,
    "total-5": 18,
    "total-6": 14,
    "total-7": 12,
    "total-8": 8,
    "total-9": 6,
    "total-10": 6,
    "total-11": 6,
    "total-12": 6,
    "total-13": 8,
    "total-14": 12,
    "total-15": 14,
    "total-16": 18,
    "total-17": 50,
    **{f"two-dice-{a}-{b}": 5 for a in (1, 2, 3, 4, 5) for b in (2, 3, 4, 5, 6) if a < b},
    "small": 1,
    "big": 1,
}
"""§ 539.6(b), to one."""
ONE_OF_A_KIND = [f"one-of-a-kind-{n}" for n in (1, 2, 3, 4, 5, 6)]
"""These pay by the dice that show the number (§ 539.6(c)), not less and not more."""


def lit_by_hand(a: int, b: int, c: int) -> set[str]:
    """The winning areas of a roll."""
    dice, lit = sorted((a, b, c)), set()
    for n in range(1, 7):
        if a == n and b == n and c == n:
            lit |= {f"three-of-a-kind-{n}", "any-three-of-a-kind"}
        if (a == n and b == n) or (b == n and c == n) or (a == n and c == n):
            lit.add(f"two-of-a-kind-{n}")
        if a == n or b == n or c == n:
            lit.add(f"one-of-a-kind-{n}")
    if a + b + c not in (3, 18):
        lit.add(f"total-{a + b + c}")
    for low, high in ((dice[0], dice[1]), (dice[1], dice[2]), (dice[0], dice[2])):
        if low != high:
            lit.add(f"two-dice-{low}-{high}")
    if not a == b == c:
        lit.add("small" if a + b + c <= 10 else "big")
    return lit


def paid_by_hand(a: int, b: int, c: int) -> dict[str, str]:
    """The winning areas of a roll, each with the least that it pays."""
    pays = {area: f"{LEAST_ODDS[area]} to 1" for area in lit_by_hand(a, b, c) if area in LEAST_ODDS}
    return pays | {f"one-of-a-kind-{n}": f"{(a, b, c).count(n)} to 1" for n in (a, b, c)}
