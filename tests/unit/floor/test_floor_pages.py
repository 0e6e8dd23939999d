"""The floor's pages from SQLite: the contract, bad requests, and an empty floor."""

from collections.abc import Iterator
from datetime import datetime, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest
from contracts.floor_figures import PAGES, FloorFigures, MakeEngine, put
from filled_floor import create, fill
from floor_browser import Browser
from sqlalchemy import Engine, create_engine

from controller.floor import schema
from controller.floor.figures import figures, rounds_by_time, scope_of

NEW_YORK = ZoneInfo("America/New_York")


@pytest.fixture
def no_tables(tmp_path: Path) -> Iterator[Engine]:
    made = create_engine(f"sqlite:///{tmp_path}/floor.db")
    yield made
    made.dispose()


@pytest.fixture
def engine(no_tables: Engine) -> Engine:
    """The database of an empty floor."""
    create(no_tables)
    return no_tables


class TestSqlite(FloorFigures):
    @pytest.fixture(scope="class")
    @classmethod
    def make_engine(cls, tmp_path_factory: pytest.TempPathFactory) -> Iterator[MakeEngine]:
        made: list[Engine] = []

        def make() -> Engine:
            made.append(create_engine(f"sqlite:///{tmp_path_factory.mktemp('floor')}/floor.db"))
            return made[-1]

        yield make
        for engine in made:
            engine.dispose()


# -- requests that have no answer ----------------------------------------------------------------------------------


def test_an_empty_floor_says_what_to_do(engine: Engine) -> None:
    browser = Browser(engine)
    assert "No table has sent anything yet." in browser.ask("/").text
    assert "No wheel has been spun yet." in browser.ask("/wheels").text
    assert "No rounds in this period." in browser.ask("/figures").text
    assert "No rounds." in browser.ask("/rounds").text
    assert browser.ask("/metrics").status == 200


@pytest.mark.parametrize(
    ("path", "status", "sentence"),
    [
        ("/tables/nobody", 404, "There is no table 'nobody'."),
        ("/wheels/nobody", 404, "There is no wheel 'nobody'."),
        (f"/rounds/{'9' * 18}/1", 404, f"There is no round 1 of record {'9' * 18}, or it was deleted."),
        (f"/rounds/{'9' * 5000}/1", 404, "There is no page /rounds/9"),
        ("/rounds?before=2026_9223372036854775808_1", 400, "is not the place of a round."),
        ("/assets/../pages.py", 404, "There is no page /assets/../pages.py."),
        ("/figures?fro=2026-11-01", 400, "This page has no parameter 'fro'."),
        ("/figures?period=week", 400, "There is no period 'week'. Use today, yesterday, 7-days, month."),
        ("/figures?period=today&from=2026-11-01", 400, "Use either period or from and to, not both."),
        ("/figures?from=2026-11-31", 400, "'2026-11-31' is not a day. Use a date such as 2026-11-29"),
        ("/figures?from=2026-11-02&to=2026-11-01", 400, "The period ends before it begins"),
        ("/figures?from=2001-01-01&to=2026-11-01", 400, "The period is longer than five years."),
        ("/figures?from=9999-12-31", 400, "'9999-12-31' is not a day."),
        ("/figures?by=hash", 400, "There are no figures by 'hash'. Use table, game, dealer, wheel."),
        ("/rounds?before=2026-11-29", 400, "before=2026-11-29 is not the place of a round."),
        ("/?format=xml", 400, "There is no format 'xml'. Use html or json."),
    ],
)
def test_a_request_without_an_answer_gets_a_clear_page(
    engine: Engine, path: str, status: int, sentence: str
) -> None:
    browser = Browser(engine)
    page = browser.ask(path)
    assert page.status == status
    assert sentence.replace("'", "&#39;") in page.text
    if "format" not in path:
        answer = browser.ask(f"{path}{'&' if '?' in path else '?'}format=json")
        assert answer.status == status
        assert sentence in answer.document["error"]


def test_a_database_that_fails_is_said_and_the_process_lives_on(no_tables: Engine) -> None:
    browser = Browser(no_tables)
    for path in PAGES:
        page = browser.ask(path)
        assert (page.status, "database cannot be read" in page.text) == (503, True)
    lines = browser.ask("/metrics").text.splitlines()
    assert "table_controller_floor_store_readable 0.0" in lines
    create(no_tables)
    assert browser.ask("/").status == 200


def test_a_page_is_guarded_and_by_another_name_of_this_computer_refused(engine: Engine) -> None:
    browser = Browser(engine, hosts=["floor.example"])
    for host in ("localhost", "127.0.0.1:8080", "[::1]:8080", "floor.example"):
        assert browser.ask("/", host).status == 200, host
    for host in ("evil.example", ""):
        assert browser.ask("/", host).status == 421, host
    for path in ("/", "/?format=json", "/nothing", "/metrics"):
        headers = browser.ask(path).headers
        assert "script-src 'self'" in headers["content-security-policy"]
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["cache-control"] == "no-store"


def test_names_are_text_and_never_markup(engine: Engine) -> None:
    awkward = "A/7 #1?<b>&%2F\"'"
    times = ("opened", "closed", "utc", "at", "heard", "online_since", "entry_utc")
    when = dict.fromkeys(times, "2026-11-29T12:00:00.000Z")
    named = dict.fromkeys(("table", "wheel", "dealer", "name", "game", "text"), awkward)
    put(engine, schema.records, {"id": 1, "table": awkward, "record": "0" * 64})
    lists = {"voids": [awkward], "results": [awkward], "phases": {awkward: 1}}
    put(engine, schema.rounds, {"record_id": 1, "number": 1, **named, **when, **lists})
    sums = {**named, "hour": "2026-11-29T12", "count": 2, "ms": 1}
    put(engine, schema.sums, {**sums, "what": "void"}, {**sums, "what": "round", "name": ""})
    of_wheel = {"sections": 3, "labels": [awkward] * 3, "spins": 1, "suspicion": awkward}
    put(engine, schema.wheels, {**named, **of_wheel})
    put(engine, schema.tables, {**named, **when, "online": True, "running": True})
    put(engine, schema.alerts, {"id": 1, **named, **when})
    put(engine, schema.refused, {"table": awkward, "detail": awkward, "last": when["at"]})
    browser = Browser(engine)
    quoted = "A%2F7%20%231%3F%3Cb%3E%26%252F%22%27"
    paths = ["/", f"/tables/{quoted}", "/wheels", f"/wheels/{quoted}", "/figures", f"/figures?dealer={quoted}"]
    paths += [f"/figures?by={by}" for by in ("game", "dealer", "wheel")]
    for path in [*paths, f"/rounds?wheel={quoted}&void={quoted}", "/rounds/1/1"]:
        page = browser.ask(path)
        assert page.status == 200, path
        assert "<b>&" not in page.text, path
        assert "&lt;b&gt;" in page.text, path
    listed = browser.ask(f"/rounds?table={quoted}&void={quoted}&format=json").document["rounds"]
    assert [one["table"] for one in listed] == [awkward]


# -- periods -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("query", "since", "until"),
    [
        ({}, "2026-11-29", "2026-11-30"),
        ({"period": "yesterday"}, "2026-11-28", "2026-11-29"),
        ({"period": "7-days"}, "2026-11-23", "2026-11-30"),
        ({"period": "month"}, "2026-11-01", "2026-11-30"),
        ({"from": "2026-11-03", "to": "2026-11-05"}, "2026-11-03", "2026-11-06"),
        ({"from": "2026-11-03"}, "2026-11-03", "2026-11-04"),
        ({"to": "2026-11-03T22", "from": "2026-11-03T20"}, "2026-11-03T20", "2026-11-03T23"),
    ],
)
def test_a_period_begins_and_ends_in_the_floors_own_zone(query: dict[str, str], since: str, until: str) -> None:
    now = datetime(2026, 11, 29, 23, 30, tzinfo=NEW_YORK)
    period = scope_of(query, now).period
    assert period.since == datetime.fromisoformat(since).replace(tzinfo=NEW_YORK)
    assert period.until == datetime.fromisoformat(until).replace(tzinfo=NEW_YORK)


def test_the_day_on_which_clocks_go_back_has_25_hours(engine: Engine) -> None:
    for hour in ("01T03", "01T04", "01T05", "01T06", "02T04", "02T05"):
        put(engine, schema.sums, {"what": "round", "hour": f"2026-11-{hour}", "count": 1})
    scope = scope_of({"from": "2026-11-01"}, datetime(2026, 11, 20, tzinfo=NEW_YORK))
    with engine.connect() as db:
        found = rounds_by_time(db, scope)
    assert sum(found.values()) == 4, "from 04 UTC on that day up to 05 UTC on the next"
    assert found["2026-11-01T01"] == 2, "the hour that comes twice"
    assert len(found) == 24
    fill(engine, 1, 2)
    page = Browser(engine, zone=NEW_YORK).ask("/rounds").text
    assert "29 Nov 12:29:59" in page
    assert "times in EST" in page


@pytest.mark.parametrize("zone", ["Asia/Kolkata", "Asia/Kathmandu", "America/St_Johns", "Australia/Lord_Howe"])
@pytest.mark.parametrize("query", [{"from": "2026-04-05"}, {"from": "2026-11-01", "to": "2026-11-07"}])
def test_where_clocks_differ_by_a_part_of_an_hour_each_round_counts_once(
    engine: Engine, zone: str, query: dict[str, str]
) -> None:
    begin = datetime.fromisoformat(query["from"]) - timedelta(days=1)
    for hours in range(9 * 24):
        hour = f"{begin + timedelta(hours=hours):%Y-%m-%dT%H}"
        put(engine, schema.sums, {"what": "round", "hour": hour, "count": 1})
    scope = scope_of(query, datetime(2026, 11, 20, tzinfo=ZoneInfo(zone)))
    with engine.connect() as db:
        by_time, in_all = rounds_by_time(db, scope), sum(row["rounds"] for row in figures(db, scope, "table"))
    assert sum(by_time.values()) == in_all
    days = {text[:10] for text in by_time}
    assert (min(days), max(days)) == (query["from"], query.get("to", query["from"]))
