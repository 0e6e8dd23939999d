"""What every database of a floor must do: its views, its pages, and the queries of the dashboard."""

import json
import re
from collections import Counter
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from filled_floor import NOW, create, fill
from floor_browser import Browser
from project import ROOT
from sqlalchemy import Engine, insert, select, text

from controller.bench.rig import Rig
from controller.floor import schema

MakeEngine = Callable[[], Engine]
DASHBOARD = ROOT / "deploy/grafana/floor.json"
TABLE, WHEEL = "dreamcatcher-0003", "W0003"
HOUR = "2026-11-29T16"
TABLES, ROUNDS = 7, 40
PAGES = (
    "/",
    f"/tables/{TABLE}",
    "/wheels",
    f"/wheels/{WHEEL}",
    "/figures",
    "/figures?by=dealer&period=7-days",
    "/figures?by=wheel&period=month&game=roulette",
    f"/figures?by=game&from=2026-11-28&to=2026-11-29&table={TABLE}",
    "/rounds?period=yesterday",
    "/rounds?void=any&from=2026-11-29T16&to=2026-11-29T16",
)
"""Each with something on it."""


def seen(engine: Engine, query: str, **values: object) -> list[dict[str, Any]]:
    with engine.connect() as connection:
        rows = connection.execute(text(query), values).mappings()
        return [
            {name: float(value) if hasattr(value, "as_tuple") else value for name, value in row.items()}
            for row in rows
        ]


EMPTY = {"INTEGER": 0, "BIGINT": 0, "FLOAT": 0.0, "BOOLEAN": False, "JSON": []}


def put(engine: Engine, table: Any, /, *rows: dict[str, object]) -> None:
    """Rows into a table of an engine; what is not given is empty. What is no column is left out."""
    empty = {one.name: None if one.nullable else EMPTY.get(str(one.type), "") for one in table.columns}
    with engine.begin() as db:
        db.execute(insert(table), [{name: row.get(name, empty[name]) for name in empty} for row in rows])


class FloorFigures:
    """Subclasses have a fixture ``make_engine`` for a class: what makes an empty database of a floor."""

    @pytest.fixture
    def empty(self, make_engine: MakeEngine) -> Engine:
        engine = make_engine()
        create(engine)
        return engine

    @pytest.fixture
    def changing(self, empty: Engine) -> Engine:
        """A small floor that a test may change."""
        fill(empty, TABLES, 2, rounds=ROUNDS)
        return empty

    @pytest.fixture(scope="class")
    @classmethod
    def filled(cls, make_engine: MakeEngine) -> Engine:
        """A floor that tests only read."""
        engine = make_engine()
        create(engine)
        fill(engine, TABLES, 30, rounds=ROUNDS)
        return engine

    # -- views -----------------------------------------------------------------------------------------------------

    def test_the_views_are_made_anew_over_those_of_an_earlier_start(self, changing: Engine) -> None:
        before = seen(changing, "SELECT * FROM wheel_fairness ORDER BY wheel")
        create(changing)
        assert seen(changing, "SELECT * FROM wheel_fairness ORDER BY wheel") == before != []

    def test_figures_of_an_hour_are_those_of_its_rounds(self, filled: Engine) -> None:
        """The rounds themselves are counted here, in Python."""
        of_table = select(schema.rounds).where(schema.rounds.c.table == TABLE)
        with filled.connect() as db:
            rounds = list(db.execute(of_table.where(schema.rounds.c.closed.startswith(HOUR))))
        voids = Counter(reason for one in rounds for reason in one.voids)
        play_ms = sum(sum(one.phases.values()) for one in rounds)
        (found,) = seen(filled, f"SELECT * FROM rounds_per_hour WHERE hour = '{HOUR}' AND \"table\" = '{TABLE}'")
        assert found["rounds"] == len(rounds) == ROUNDS
        assert found["voids"] == voids.total() > 0
        assert found["corrections"] == sum(one.corrections for one in rounds) > 0
        assert found["minutes_of_play"] == pytest.approx(play_ms / 60_000, abs=0.1)
        assert found["per_hour"] == pytest.approx(ROUNDS * 3_600_000 / play_ms, rel=0.01)
        where = f"WHERE hour = '{HOUR}' AND \"table\" = '{TABLE}'"
        by_reason = seen(filled, f"SELECT reason, SUM(voids) AS n FROM voids_by_reason {where} GROUP BY reason")
        assert {one["reason"]: one["n"] for one in by_reason} == voids
        by_result = seen(filled, f"SELECT result, SUM(results) AS n FROM results_by_hour {where} GROUP BY result")
        assert {one["result"]: one["n"] for one in by_result} == Counter(one.results[0] for one in rounds)
        states = seen(filled, f"SELECT state, SUM(minutes) AS n FROM time_in_states {where} GROUP BY state")
        assert sum(one["n"] for one in states) == pytest.approx(play_ms / 60_000, abs=1)

    def test_throws_are_counted_by_dealer_and_direction(self, empty: Engine) -> None:
        def throws(dealer: str, what: str, name: str, count: int) -> dict[str, object]:
            return {"hour": HOUR, "what": what, "name": name, "dealer": dealer, "game": "big-six", "count": count}

        put(
            empty,
            schema.sums,
            throws("ana", "throw", "clockwise", 7),
            throws("ana", "throw", "counterclockwise", 2),
            throws("ana", "throw", "", 1),
            throws("ana", "void", "fewer-than-three-revolutions", 3),
            throws("ana", "void", "touched", 1),
            throws("ben", "throw", "clockwise", 4),
        )
        found = seen(empty, "SELECT * FROM throws_by_dealer ORDER BY dealer")
        assert [
            (one["dealer"], one["throws"], one["clockwise"], one["counterclockwise"], one["too_slow"])
            for one in found
        ] == [
            ("ana", 10, 7, 2, 3),
            ("ben", 4, 4, 0, 0),
        ]

    def test_a_wheel_shows_each_section_also_one_that_never_came(self, empty: Engine) -> None:
        key = {"wheel": "W", "sections": 4}
        put(empty, schema.wheels, {**key, "spins": 8, "labels": ["a", "", "c", "d"]})
        counts = [("clockwise", 0, 5), ("counterclockwise", 0, 2), ("", 2, 1)]
        names = ("direction", "position", "count")
        put(empty, schema.wheel_counts, *({**key, **dict(zip(names, one, strict=True))} for one in counts))
        found = seen(empty, "SELECT * FROM wheel_sections ORDER BY position")
        assert [(one["label"], one["spins"], one["clockwise"], one["counterclockwise"]) for one in found] == [
            ("a", 7, 5, 2),
            ("", 0, 0, 0),
            ("c", 1, 0, 0),
            ("d", 0, 0, 0),
        ]
        assert {one["expected"] for one in found} == {2.0}
        (fairness,) = seen(empty, "SELECT * FROM wheel_fairness")
        assert fairness["chi_square"] == pytest.approx((5**2 + 2**2 + 1**2 + 2**2) / 2)

    def test_a_wheels_health_is_the_average_of_each_day(self, empty: Engine) -> None:
        put(empty, schema.records, {"id": 1, "table": "t", "record": "0" * 64})
        measures = [
            ("2026-11-28", 1000, 10, -150, 3),
            ("2026-11-28", 1100, None, 90, None),
            ("2026-11-29", None, 4, 20, 1),
        ]
        key = {"record_id": 1, "wheel": "W", "sections": 54}
        of_spin = ("loss_permille", "clockwise_mdeg", "widest_mdeg", "position")
        for seq, (day, *measured) in enumerate(measures, 1):
            spin = {**key, "seq": seq, "utc": f"{day}T12:00:00.000Z", **dict(zip(of_spin, measured, strict=True))}
            put(empty, schema.spins, spin)
        found = seen(empty, "SELECT * FROM wheel_health ORDER BY day")
        names = ("day", "spins", "without_result", "measured", "loss_permille", "clockwise_mdeg", "widest_mdeg")
        assert [tuple(one[name] for name in names) for one in found] == [
            ("2026-11-28", 2, 1, 2, 1050, 10, 150),
            ("2026-11-29", 1, 0, 1, None, 4, 20),
        ]

    def test_silent_tables_and_standing_alerts(self, empty: Engine) -> None:
        for name, online, running in (("a", True, True), ("b", True, False), ("c", False, True)):
            put(empty, schema.tables, {"table": name, "online": online, "running": running})
        for id_, ended in ((1, None), (2, "2026-11-29T12:00:00.000Z")):
            put(empty, schema.alerts, {"id": id_, "key": str(id_), "ended": ended})
        found = seen(empty, 'SELECT "table", why FROM silent_tables ORDER BY "table"')
        assert [tuple(one.values()) for one in found] == [("b", "not running"), ("c", "offline")]
        assert [one["id"] for one in seen(empty, "SELECT * FROM standing_alerts")] == [1]

    # -- the dashboard ---------------------------------------------------------------------------------------------

    def test_each_query_of_the_dashboard_has_an_answer(self, filled: Engine) -> None:
        since = (NOW - timedelta(hours=24)).isoformat(timespec="milliseconds").replace("+00:00", "Z")
        until = NOW.isoformat(timespec="milliseconds").replace("+00:00", "Z")
        values = {"${__from:date:iso}": since, "${__to:date:iso}": until, "${wheel}": WHEEL}
        values["${wheel_table}"] = TABLE
        dashboard = json.loads(DASHBOARD.read_text(encoding="utf-8"))
        queries = [(panel["title"], panel["targets"][0]["rawSql"]) for panel in dashboard["panels"]]
        queries += [
            (one["name"], one["query"]) for one in dashboard["templating"]["list"] if one["type"] == "query"
        ]
        assert len(queries) == len(dashboard["panels"]) + 2
        for title, query in queries:
            for name, value in values.items():
                query = query.replace(name, value)
            assert not re.search(r"\$", query), f"{title}: an unknown variable"
            found = seen(filled, query.replace(":", "\\:"))
            assert found, f"{title}: nothing is shown"
            assert all(value is not None for value in list(found[0].values())[:2]), title

    def test_the_dashboard_shows_a_wheel_at_one_of_its_tables(self, changing: Engine) -> None:
        """A wheel that was moved, or whose number another table claims, is there once for each table."""
        for kind in (schema.wheels, schema.spins):
            of_wheel = seen(changing, f"SELECT * FROM {kind.name} WHERE wheel = '{WHEEL}'")[0]
            put(changing, kind, {**of_wheel, "table": "elsewhere", "seq": 1, "labels": []})
        dashboard = json.loads(DASHBOARD.read_text(encoding="utf-8"))
        values = {"${__from:date:iso}": "2026-01-01T00", "${wheel_table}": TABLE, "${wheel}": WHEEL}
        queries = [panel["targets"][0]["rawSql"] for panel in dashboard["panels"]]
        for query in [query for query in queries if "${wheel}" in query]:
            for name, value in values.items():
                query = query.replace(name, value)
            rows = [next(iter(found.values())) for found in seen(changing, query.replace(":", "\\:"))]
            assert len(rows) == len(set(rows)) > 0

    # -- pages -----------------------------------------------------------------------------------------------------

    @pytest.mark.parametrize("path", PAGES)
    def test_a_page_and_its_document_are_shown(self, filled: Engine, path: str) -> None:
        browser = Browser(filled)
        page = browser.ask(path)
        assert (page.status, page.headers["content-type"]) == (200, "text/html; charset=utf-8")
        document = browser.ask(f"{path}{'&' if '?' in path else '?'}format=json")
        assert document.status == 200
        assert document.document

    def test_alerts_come_first_and_then_what_is_silent(self, changing: Engine) -> None:
        fork = {"id": 99, "key": "fork", "kind": "fork", "text": "It contradicts <itself>."}
        put(changing, schema.alerts, {**fork, "table": "big-six-0002", "at": "2026-11-01T00:00:00.000Z"})
        browser = Browser(changing)
        found = browser.ask("/?format=json").document
        assert [one["table"] for one in found["tables"]][:3] == ["big-six-0002", "roulette-0001", "roulette-0007"]
        assert [one["kind"] for one in found["alerts"]] == ["fork", "table"], (
            "the grave one first, though it is old"
        )
        assert found["totals"] == {
            "tables": TABLES,
            "silent": 1,
            "alerts": 2,
            "rounds_today": TABLES * ROUNDS * 5 // 2,
            "refused_messages": 4,
        }
        page = browser.ask("/").text
        assert "It contradicts &lt;itself&gt;." in page
        assert page.index("It contradicts") < page.index(f"/tables/{TABLE}")

    @pytest.mark.parametrize("by", ["table", "game", "dealer", "wheel"])
    @pytest.mark.parametrize("period", ["period=today", "period=yesterday", "from=2026-11-28T22&to=2026-11-29T03"])
    def test_each_figure_leads_to_as_many_rounds(self, filled: Engine, by: str, period: str) -> None:
        """The links of the page itself are followed."""
        browser = Browser(filled)
        document = browser.ask(f"/figures?{period}&by={by}&format=json").document
        links = [
            link.replace("&amp;", "&")
            for link in re.findall(r'href="(/rounds\?[^"]+)"', browser.ask(f"/figures?{period}&by={by}").text)
        ]
        assert document["rounds"] == sum(one["rounds"] for one in document["figures"])
        assert sum(document["rounds_by_time"].values()) == document["rounds"] > 0
        for one in (document["figures"][0], document["figures"][-1]):
            of_name = [
                link for link in links if link.endswith(f"&{by}={one['name']}") or f"&{by}={one['name']}&" in link
            ]
            for link in of_name:
                reason = link.partition("void=")[2]
                expected = one["voids"][reason] if reason else one["rounds"]
                assert len(self._listed(browser, link)) == expected, link
            assert len(of_name) == 1 + len(one["voids"])

    def test_the_list_of_rounds_goes_on_until_the_oldest(self, filled: Engine) -> None:
        """Rounds of all tables close at the same moments."""
        listed = self._listed(Browser(filled), "/rounds?from=2026-11-29T14&to=2026-11-29T16")
        assert len(listed) == len(set(listed)) == 3 * TABLES * ROUNDS
        assert listed == sorted(listed, reverse=True)

    def test_a_round_at_midnight_is_one_of_the_day_that_begins(self, empty: Engine) -> None:
        times = dict.fromkeys(("opened", "closed"), "2026-11-29T00:00:00.000Z")
        put(empty, schema.records, {"id": 1, "table": "t", "record": "0" * 64})
        put(empty, schema.rounds, {"record_id": 1, "number": 1, "phases": {}, **times})
        put(empty, schema.sums, {"what": "round", "hour": "2026-11-29T00", "count": 1})
        browser = Browser(empty)
        for period, count in (("yesterday", 0), ("today", 1)):
            assert len(self._listed(browser, f"/rounds?period={period}")) == count
            assert browser.ask(f"/figures?period={period}&format=json").document["rounds"] == count

    def test_a_round_is_shown_with_its_entries(self, empty: Engine, dreamcatcher: Rig) -> None:
        dreamcatcher.press("no-more-bets")
        dreamcatcher.spin(stop_between=("10", "1"))
        entries = list(dreamcatcher.journal.entries())
        last = entries[-1]
        key = {"record_id": 1, "number": last.round, "game": "dreamcatcher", "table": TABLE, "results": ["10"]}
        times = {"opened": last.utc, "closed": last.utc, "phases": {"spinning": 9_300}}
        of_round = {"first": last.seq - 3, "last": last.seq, "voids": ["between-sections"]}
        put(empty, schema.records, {"id": 1, "table": TABLE, "record": "0" * 64})
        put(empty, schema.rounds, {**key, **times, **of_round})
        put(empty, schema.entries, *({"record_id": 1, **one._asdict()} for one in entries))
        browser = Browser(empty)
        address = f"/rounds/1/{last.round}"
        page, found = browser.ask(address).text, browser.ask(f"{address}?format=json").document
        assert [one["seq"] for one in found["entries"]] == list(range(last.seq - 3, last.seq + 1))
        assert found["entries"][-1]["body"] == last.body
        assert "spinning 9.3 s" in page
        assert "between" in found["entries"][-1]["text"]
        assert found["entries"][-1]["text"].endswith("[respin]")

    def test_what_this_version_cannot_read_is_shown_as_it_is(self, empty: Engine) -> None:
        utc = "2026-11-29T12:00:00.000Z"
        of_round = {"record_id": 1, "number": 1, "first": 5, "last": 5, "game": "no-such-game", "phases": {}}
        put(empty, schema.records, {"id": 1, "table": "t", "record": "0" * 64})
        put(empty, schema.rounds, {**of_round, "opened": utc, "closed": utc})
        put(empty, schema.entries, {"record_id": 1, "seq": 5, "kind": "x", "body": '{"<later>": 1}', "utc": utc})
        assert "{&#34;&lt;later&gt;&#34;: 1}" in Browser(empty).ask("/rounds/1/1").text

    def test_a_wheel_is_shown_with_both_of_its_kinds(self, changing: Engine) -> None:
        """A serial number that was used for two wheels of different size."""
        put(changing, schema.wheels, {"wheel": WHEEL, "sections": 37, "spins": 1})
        found = Browser(changing).ask(f"/wheels/{WHEEL}?format=json").document
        assert [(one["sections"], len(one["by_section"])) for one in found["wheels"]] == [(54, 54), (37, 37)]
        assert sum(one["spins"] for one in found["wheels"][0]["by_section"]) == found["wheels"][0]["spins"]
        assert [one["day"] for one in found["wheels"][0]["health"]] == ["2026-11-29"]

    def test_metrics_say_what_the_database_has(self, changing: Engine) -> None:
        browser = Browser(changing)
        browser.metrics.rounds.labels("roulette").inc(3)
        browser.metrics.lag.observe(0.4)
        lines = browser.ask("/metrics").text.splitlines()
        for line in (
            'table_controller_floor_tables{game="roulette",state="offline"} 1.0',
            'table_controller_floor_tables{game="roulette",state="running"} 2.0',
            'table_controller_floor_alerts_standing{kind="table"} 1.0',
            'table_controller_floor_rounds_total{game="roulette"} 3.0',
            'table_controller_floor_ingest_lag_seconds_bucket{le="0.5"} 1.0',
            "table_controller_floor_store_readable 1.0",
        ):
            assert line in lines

    # -- helpers ---------------------------------------------------------------------------------------------------

    @staticmethod
    def _listed(browser: Browser, link: str) -> list[tuple[str, int, int]]:
        """All rounds of a list, over its pages."""
        found, older = [], ""
        while True:
            document = browser.ask(f"{link}&format=json{older}").document
            found += [(one["closed"], one["record_id"], one["number"]) for one in document["rounds"]]
            if not document["older"]:
                return found
            older = f"&before={document['older']}"
