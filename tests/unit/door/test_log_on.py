"""People log on to a floor's pages with name, password and second factor; who guesses is slowed, by time alone."""

import json
from pathlib import Path

import pytest
from door_floor import ELSEWHERE, PASSWORD, DoorFloor, Person, at_door, error
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from controller.access import accounts, one_time
from controller.access.roles import Role
from controller.door.local_log_on import MOST_OF_NAME_S
from controller.web.exchange import Response

HTML = {"accept": "text/html,*/*"}
FIELDS = st.sampled_from(["name", "password", "code", "x"])
VALUES = st.none() | st.text(max_size=50) | st.integers()
BODIES = st.binary(max_size=200) | st.recursive(
    VALUES,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(FIELDS, inner, max_size=4),
    max_leaves=8,
)


def test_who_has_not_logged_on_sees_the_log_on_and_nothing_else(tmp_path: Path) -> None:
    async def exchange(floor: DoorFloor) -> None:
        for path in ("/", "/tables/roulette-1", "/wheels", "/nothing"):
            answer = await floor.get(None, path, **HTML)
            assert answer.status == 303
            assert dict(answer.headers)["Location"] == f"/logon?next={path}"
        for path in (
            "/floor.json",
            "/floor.events",
            "/export/rounds.csv",
            "/tables/roulette-1.json",
            "/table.json",
        ):
            answer = await floor.get(None, path)
            assert (answer.status, error(answer)) == (401, "log on first")
        assert (await floor.post(None, "/alerts/acknowledge", {"id": 1, "reason": "none"})).status == 401
        assert (await floor.get(None, "/logon", **HTML)).status == 200
        assert (await floor.get(None, "/assets/logon.js")).status == 200
        assert json.loads((await floor.get(None, "/session.json")).body) == {"person": "", "role": "", "token": ""}

    assert at_door(tmp_path, exchange).kinds() == []


def test_a_person_logs_on_looks_and_logs_off_and_all_of_it_is_on_record(tmp_path: Path) -> None:
    async def exchange(floor: DoorFloor) -> None:
        ana = floor.person("ana")
        answer = await floor.log_on(ana)
        cookie = dict(answer.headers)["Set-Cookie"]
        assert cookie.startswith("__Host-session=")
        assert cookie.endswith("; Path=/; HttpOnly; SameSite=Strict; Secure")
        assert len(ana.cookie.partition("=")[2]) >= 43, "256 bits"
        assert (await floor.get(ana, "/floor.json")).status == 200
        for _ in range(3):
            assert (await floor.get(ana, "/", **HTML)).status == 200
        assert (await floor.get(ana, "/export/rounds.csv?table=roulette-1")).status == 200
        assert (await floor.post(ana, "/logoff", {})).status == 204
        assert (await floor.get(ana, "/floor.json")).status == 401

    entries = at_door(tmp_path, exchange).entries()
    assert entries == [
        ("logged-on", {"person": "ana", "role": "look", "by": "account", "from": ELSEWHERE}),
        (
            "exported",
            {"person": "ana", "path": "/export/rounds.csv", "query": {"table": "roulette-1"}, "from": ELSEWHERE},
        ),
        ("logged-off", {"person": "ana", "from": ELSEWHERE}),
        ("pages-opened", {"person": "ana", "pages": 3, "hour_utc_s": entries[-1][1]["hour_utc_s"]}),
    ]


def test_name_password_and_code_are_all_needed_and_the_answer_tells_not_which_was_wrong(tmp_path: Path) -> None:
    async def exchange(floor: DoorFloor) -> None:
        ana = floor.person("ana")
        answers = []
        for changed in ({"password": "wrong password!"}, {"code": "000000"}, {"name": "nobody"}):
            ana.peer = f"10.0.0.{len(answers)}"
            floor.wait(60)
            answers.append(await floor.log_on(ana, **changed))
        assert {answer.status for answer in answers} == {401}
        assert len({answer.body for answer in answers}) == 1
        floor.wait(60)
        assert (await floor.log_on(ana)).status == 204

    entries = at_door(tmp_path, exchange).entries()
    assert [(kind, what["person"]) for kind, what in entries] == [
        ("log-on-refused", "ana"),
        ("log-on-refused", "ana"),
        ("log-on-refused", ""),
        ("logged-on", "ana"),
    ]


def test_a_code_works_once_and_a_recovery_code_once(tmp_path: Path) -> None:
    async def exchange(floor: DoorFloor) -> None:
        ana = floor.person("ana")
        assert (await floor.log_on(ana)).status == 204
        assert (await floor.log_on(ana)).status == 401
        floor.wait(one_time.STEP_S)
        assert (await floor.log_on(ana)).status == 204
        code = ana.recovery[3].upper()
        assert (await floor.log_on(ana, code=code)).status == 204
        assert (await floor.log_on(ana, code=code)).status == 401
        assert len(accounts.load(floor.file)["ana"].recovery) == len(ana.recovery) - 1

    at_door(tmp_path, exchange)


def test_wrong_attempts_are_slowed_by_name_and_by_peer_and_never_for_good(tmp_path: Path) -> None:
    async def exchange(floor: DoorFloor) -> None:
        ana, ben = floor.person("ana"), floor.person("ben")
        waits = []
        for number in range(14):
            ana.peer = f"10.0.{number}.1"  # A guesser with many addresses.
            answer = await floor.log_on(ana, password="a guess of twelve")
            if answer.status == 429:
                waits.append(int(dict(answer.headers)["Retry-After"]))
                floor.wait(waits[-1])
        assert waits == sorted(waits)
        assert waits[-1] <= MOST_OF_NAME_S
        ana.peer = "10.1.1.1"
        await floor.log_on(ana, password="a guess of twelve")
        ana.peer = ELSEWHERE
        assert (await floor.log_on(ana)).status == 429, "the right password has to wait, too"
        floor.wait(MOST_OF_NAME_S)
        assert (await floor.log_on(ana)).status == 204
        assert (await floor.log_on(ben)).status == 204, "others do not wait for it"

    at_door(tmp_path, exchange)


def test_who_guesses_a_name_keeps_its_person_out_at_no_familiar_computer(tmp_path: Path) -> None:
    async def exchange(floor: DoorFloor) -> None:
        ana = floor.person("ana")
        assert (await floor.log_on(ana)).status == 204
        guesser = Person("ana", ana.secret, [], password="a guess of twelve")
        for number in range(6):
            guesser.peer = f"10.0.{number}.1"
            await floor.log_on(guesser)
        guesser.peer = "10.0.99.1"
        assert (await floor.log_on(guesser)).status == 429
        floor.wait(one_time.STEP_S)
        guesser.peer = "10.0.98.1"
        assert (await floor.log_on(ana)).status == 204

    at_door(tmp_path, exchange)


def test_a_peer_that_guesses_names_is_slowed(tmp_path: Path) -> None:
    async def exchange(floor: DoorFloor) -> None:
        floor.person("ana")
        codes = [(await floor.log_on(Person(f"name{number}", "A" * 32, []))).status for number in range(8)]
        assert codes.count(429) >= 3
        assert codes[0] == 401

    at_door(tmp_path, exchange)


def test_in_the_clear_nobody_at_another_computer_logs_on(tmp_path: Path) -> None:
    async def exchange(floor: DoorFloor) -> None:
        from controller.web.exchange import Request

        headers = {"host": "floor.example", "content-type": "application/json"}
        for peer, status in (("192.168.7.20", 403), ("127.0.0.1", 401)):
            body = json.dumps({"name": "ana", "password": PASSWORD, "code": "0"}).encode()
            answer = floor.pages.site(Request("POST", "/logon", {}, headers, body, peer))
            answer = await answer  # type: ignore[misc]
            assert isinstance(answer, Response)
            assert answer.status == status

    def with_file(folder: Path) -> None:
        accounts.add(folder / "accounts.json", "ana", Role.LOOK, PASSWORD)

    with_file(tmp_path)
    at_door(tmp_path, exchange)


@pytest.mark.parametrize("change", ["removed", "reset"])
def test_an_account_that_is_removed_or_reset_ends_its_sessions_and_streams(tmp_path: Path, change: str) -> None:
    async def exchange(floor: DoorFloor) -> None:
        ana, ben = floor.person("ana"), floor.person("ben")
        await floor.log_on(ana)
        await floor.log_on(ben)
        _, of_ana = await floor.follow(ana)
        _, of_ben = await floor.follow(ben)
        if change == "removed":
            accounts.remove(floor.file, "ana")
        else:
            accounts.reset(floor.file, "ana", None, PASSWORD)
        floor.wait(10)
        assert (of_ana.dropped, of_ben.dropped) == (True, False)
        assert (await floor.get(ana, "/floor.json")).status == 401
        assert (await floor.get(ben, "/floor.json")).status == 200

    assert ("session-ended", {"person": "ana"}) in at_door(tmp_path, exchange).entries()


def test_a_session_ends_when_nobody_uses_it_and_in_any_case_after_some_hours(tmp_path: Path) -> None:
    async def exchange(floor: DoorFloor) -> None:
        ana = floor.person("ana")
        await floor.log_on(ana)
        for _ in range(24):
            floor.wait(29 * 60)
            assert (await floor.get(ana, "/", **HTML)).status == 200
        floor.wait(25 * 60)
        assert (await floor.get(ana, "/", **HTML)).status == 303, "after twelve hours"
        await floor.log_on(ana)
        _, viewer = await floor.follow(ana)
        floor.wait(31 * 60)
        assert viewer.dropped, "an idle one, with its streams"
        assert (await floor.get(ana, "/floor.json")).status == 401

    at_door(tmp_path, exchange, idle_min=30, longest_h=12)


@given(BODIES)
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None, max_examples=20)
def test_any_body_of_a_log_on_is_answered(tmp_path: Path, body: object) -> None:
    async def exchange(floor: DoorFloor) -> None:
        answer = await floor.post(None, "/logon", body)
        assert answer.status in (400, 401, 429)

    folder = tmp_path / "floor"
    folder.mkdir(exist_ok=True)
    (folder / "floor.db").unlink(missing_ok=True)
    at_door(folder, exchange)


def test_no_secret_reaches_record_log_or_page(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(0)
    pages: list[bytes] = []
    secrets: list[str] = []

    async def exchange(floor: DoorFloor) -> None:
        ana = floor.person("ana", "administer")
        await floor.log_on(ana, password="not the right one", code="123456")
        mistyped = Person("My Secret Password 1", ana.secret, [], peer="10.1.1.1")
        await floor.log_on(mistyped)
        pages.extend([(await floor.log_on(ana)).body, (await floor.get(ana, "/floor.json")).body])
        secrets.extend([PASSWORD, "not the right one", "my secret password", ana.secret, ana.recovery[0]])
        secrets.extend([ana.cookie.partition("=")[2], ana.token])

    entries = at_door(tmp_path, exchange).entries()
    shown = json.dumps(entries).lower() + caplog.text.lower() + b"".join(pages).decode().lower()
    assert [secret for secret in secrets if secret.lower() in shown] == []
