"""SQL views for figures, the same on SQLite and PostgreSQL; Grafana and people with a database client read them.

Hours are those in which rounds closed, in UTC, as in ``2026-11-21T17``. Restrict each query to the hours that it
needs: ``WHERE hour >= '2026-11-21T00'``.
"""

from typing import NamedTuple

from sqlalchemy import Connection, text


class View(NamedTuple):
    """A view.

    Attributes:
        about: its description, in the database and in the documents.
        query: a SELECT statement.
    """

    name: str
    about: str
    query: str


def _hourly(what: str, name: str, columns: str) -> str:
    """One kind of the hourly figures, with the name of what was counted."""
    key = 'hour, "table", game, dealer, wheel'
    return f"SELECT {key}, name AS {name}, {columns} FROM sums WHERE what = '{what}'"


def _counted(what: str, column: str = "count") -> str:
    """The sum of one kind, or of one name of a kind."""
    kind, _, name = what.partition(":")
    named = f" AND name = '{name}'" if name else ""
    return f"CAST(SUM(CASE WHEN what = '{kind}'{named} THEN {column} ELSE 0 END) AS BIGINT)"


_PER_HOUR = f"ROUND({_counted('round')} * 3600000.0 / NULLIF({_counted('round', 'ms')}, 0), 1)"

WHEEL_HEALTH = """SELECT wheel, sections, SUBSTR(utc, 1, 10) AS day, COUNT(*) AS spins,
    COUNT(*) - COUNT(position) AS without_result, COUNT(widest_mdeg) AS measured,
    CAST(ROUND(AVG(loss_permille)) AS INTEGER) AS loss_permille,
    CAST(ROUND(AVG(clockwise_mdeg)) AS INTEGER) AS clockwise_mdeg,
    CAST(ROUND(AVG(counterclockwise_mdeg)) AS INTEGER) AS counterclockwise_mdeg,
    MAX(ABS(widest_mdeg)) AS widest_mdeg FROM spins {where}
    GROUP BY wheel, sections, SUBSTR(utc, 1, 10)"""
"""With a place for a condition: the page of a wheel reads its latest days alone."""

VIEWS = (
    View(
        "rounds_per_hour",
        "Rounds, voids and corrections of each table by hour; per_hour is rounds per hour of play.",
        f"""SELECT hour, "table", game, {_counted("round")} AS rounds,
        ROUND({_counted("round", "ms")} / 60000.0, 1) AS minutes_of_play, {_PER_HOUR} AS per_hour,
        {_counted("void")} AS voids, {_counted("correction")} AS corrections
        FROM sums WHERE what IN ('round', 'void', 'correction') GROUP BY hour, "table", game""",
    ),
    View(
        "voids_by_reason",
        "Void spins and rolls by reason, with table, game, dealer and wheel.",
        _hourly("void", "reason", "count AS voids"),
    ),
    View(
        "results_by_hour",
        "Results by name, with table, game, dealer and wheel.",
        _hourly("result", "result", "count AS results"),
    ),
    View(
        "time_in_states",
        "Minutes that rounds spent in each state of their game, at most ten minutes of one round.",
        _hourly("phase", "state", "count AS rounds, ROUND(ms / 60000.0, 1) AS minutes"),
    ),
    View(
        "throws_by_dealer",
        "Throws of a wheel or ball by dealer and direction; too_slow were void for too few revolutions.",
        f"""SELECT hour, dealer, game, {_counted("throw")} AS throws,
        {_counted("throw:clockwise")} AS clockwise, {_counted("throw:counterclockwise")} AS counterclockwise,
        {_counted("void:fewer-than-three-revolutions")} AS too_slow
        FROM sums WHERE what = 'throw' OR what = 'void' AND name = 'fewer-than-three-revolutions'
        GROUP BY hour, dealer, game""",
    ),
    View(
        "wheel_sections",
        "Spins by section of each wheel, clockwise around the rim from position 0, with the expected number.",
        """WITH RECURSIVE places(position) AS
        (SELECT 0 UNION ALL SELECT position + 1 FROM places WHERE position < 99)
        SELECT w.wheel, w.sections, p.position, COALESCE(w.labels ->> p.position, '') AS label,
        CAST(COALESCE(SUM(c.count), 0) AS BIGINT) AS spins, w.spins * 1.0 / w.sections AS expected,
        CAST(SUM(CASE WHEN c.direction = 'clockwise' THEN c.count ELSE 0 END) AS BIGINT) AS clockwise,
        CAST(SUM(CASE WHEN c.direction = 'counterclockwise' THEN c.count ELSE 0 END) AS BIGINT)
        AS counterclockwise
        FROM wheels w JOIN places p ON p.position < w.sections LEFT JOIN wheel_counts c
        ON c.wheel = w.wheel AND c.sections = w.sections AND c.position = p.position
        GROUP BY w.wheel, w.sections, p.position, w.labels ->> p.position, w.spins""",
    ),
    View(
        "wheel_fairness",
        "Evidence against each wheel, as log10 of the odds (docs/fairness.md), and the chi-square of its counts.",
        """SELECT w.wheel, w.sections, w.game, w."table", w.spins, w.evidence, w.highest, w.suspicion, w.alarmed,
        SUM((s.spins - s.expected) * (s.spins - s.expected) / NULLIF(s.expected, 0)) AS chi_square
        FROM wheels w JOIN wheel_sections s ON s.wheel = w.wheel AND s.sections = w.sections
        GROUP BY w.wheel, w.sections, w.game, w."table", w.spins, w.evidence, w.highest, w.suspicion,
        w.alarmed""",
    ),
    View(
        "wheel_health",
        "Measures of each wheel by day (UTC), averages over spins: loss over the calibrated one in permille, "
        "offset of the pegs in thousandths of a degree, and the largest offset of one strike.",
        WHEEL_HEALTH.format(where=""),
    ),
    View(
        "silent_tables",
        "Tables whose publisher is not connected, or whose own process does not run.",
        """SELECT "table", game, CASE WHEN online THEN 'not running' ELSE 'offline' END AS why,
        online_since AS since, heard FROM tables WHERE NOT (online AND running)""",
    ),
    View(
        "standing_alerts",
        "Alerts that have not ended.",
        'SELECT id, "table", kind, code, text, remedy, round, at FROM alerts WHERE ended IS NULL',
    ),
)
"""A view that reads another one is listed after it."""


def create(connection: Connection) -> None:
    """Create the views, or replace those of an earlier version."""
    on_sqlite = connection.dialect.name == "sqlite"
    for view in VIEWS:
        if on_sqlite:
            connection.execute(text(f"DROP VIEW IF EXISTS {view.name}"))
        replaced = "" if on_sqlite else "OR REPLACE "
        connection.execute(text(f"CREATE {replaced}VIEW {view.name} AS {view.query}"))
        if not on_sqlite:
            connection.execute(text(f"COMMENT ON VIEW {view.name} IS '{view.about}'"))
