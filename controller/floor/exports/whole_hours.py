"""The whole hours within a scope: sums are of hours, and one that is cut would look like a whole one."""

from controller.floor.queries.scope import HOUR_MS, Scope
from controller.floor.queries.times import ms_of, utc_of
from controller.floor.store.hour_sums import HOUR_LENGTH


def hours_within(scope: Scope) -> tuple[str, str]:
    """The first hour that begins in a scope, and the first that does not end in it, as the store has them."""
    first_ms = -(-ms_of(scope.since) // HOUR_MS) * HOUR_MS
    after_ms = ms_of(scope.until) // HOUR_MS * HOUR_MS
    return utc_of(first_ms)[:HOUR_LENGTH], utc_of(after_ms)[:HOUR_LENGTH]
