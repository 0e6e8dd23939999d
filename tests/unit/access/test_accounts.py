"""Accounts of the pages: what their file holds, who may read it, and codes by the regulation of RFC 6238."""

import base64
import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from controller.access import accounts, one_time
from controller.access.accounts import AccountError, AccountsFile
from controller.access.roles import Role
from controller.access.throttle import COUNTERS, Throttle
from controller.access.used_steps import UsedSteps
from controller.commands.cli import main

PASSWORD = "correct horse battery"
S = 1_000_000_000


@pytest.mark.parametrize(
    ("utc_s", "code"),
    [(59, "287082"), (1111111109, "081804"), (1111111111, "050471"), (2000000000, "279037")],
)
def test_codes_are_those_of_rfc_6238(utc_s: int, code: str) -> None:
    secret = base64.b32encode(b"12345678901234567890").decode()
    assert one_time.code(secret, utc_s // 30) == code
    assert one_time.step_of(secret, code, utc_s) == utc_s // 30
    assert one_time.step_of(secret, code, utc_s + 30) == utc_s // 30, "a clock may be a little behind"
    assert one_time.step_of(secret, code, utc_s + 90) is None
    assert one_time.step_of(secret, code, utc_s, after=utc_s // 30) is None, "once"


def test_the_file_holds_no_password_and_only_its_owner_may_read_it(tmp_path: Path) -> None:
    file = tmp_path / "accounts.json"
    new = accounts.add(file, "ana", Role.LOOK, PASSWORD)
    text = file.read_text()
    assert PASSWORD not in text
    assert not [code for code in new.recovery if code in text]
    assert file.stat().st_mode & 0o777 == 0o600
    stored = json.loads(text)["ana"]["password"]
    assert (stored["n"], stored["r"], stored["p"]) == (2**15, 8, 3)
    file.chmod(0o640)
    with pytest.raises(AccountError, match="chmod 600"):
        accounts.load(file)


def test_a_person_is_verified_by_all_three_and_however_the_letters_are_composed(tmp_path: Path) -> None:
    file = tmp_path / "accounts.json"
    new = accounts.add(file, "ana", Role.ADMINISTER, "cafe\u0301 noir au lait")
    known, now_s = AccountsFile(file, lambda: 1_000_000.0), 1_000_000
    code = one_time.code(new.one_time, now_s // 30)
    assert known.verify("ana", "café noir au lait!", code) is None
    assert known.verify("ben", "café noir au lait", code) is None
    assert known.verify("ana", "café noir au lait", "") is None
    found = known.verify("ana", "caf\u00e9 noir au lait", code)
    assert found is not None
    assert found.role is Role.ADMINISTER


@pytest.mark.parametrize(
    ("name", "password", "words"),
    [
        ("Ana", PASSWORD, "is no name of an account"),
        ("", PASSWORD, "is no name of an account"),
        ("a b", PASSWORD, "is no name of an account"),
        ("ana", "short", "12 to 128 characters"),
        ("ana", "x" * 200, "12 to 128 characters"),
        ("ana", "aaaaaaaaaaaaaaa", "easy to guess"),
        ("ana", "I am ana, open up", "easy to guess"),
    ],
)
def test_bad_names_and_passwords_are_refused(tmp_path: Path, name: str, password: str, words: str) -> None:
    with pytest.raises(AccountError, match=words):
        accounts.add(tmp_path / "accounts.json", name, Role.LOOK, password)
    assert list(tmp_path.iterdir()) == []


def test_accounts_are_managed_by_command(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "accounts.json"

    def run(*words: str, typed: str = PASSWORD) -> tuple[int, str, str]:
        from io import StringIO

        monkeypatch.setattr("sys.stdin", StringIO(typed + "\n"))
        code = main(["account", str(file), *words])
        out, err = capsys.readouterr()
        return code, out, err

    code, out, _ = run("add", "ana", "--role", "look")
    assert code == 0
    assert "otpauth://totp/Casino%20floor:ana?secret=" in out
    first = accounts.load(file)["ana"]
    assert f"secret {first.one_time}" in out
    assert run("add", "ana", "--role", "look")[0] == 1
    assert run("add", "ben", "--role", "acknowledge", typed="")[2].endswith("nothing was changed\n")
    assert run("reset", "ana", "--role", "administer")[0] == 0
    second = accounts.load(file)["ana"]
    assert second.role is Role.ADMINISTER
    assert second.one_time != first.one_time
    assert second.fingerprint != first.fingerprint
    assert run("list")[1] == "ana  administer  8 recovery codes left\n"
    assert json.loads(run("list", "--json")[1])["accounts"][0]["name"] == "ana"
    assert run("remove", "nobody")[2].strip().endswith("no account nobody; there are: ana")
    assert run("remove", "ana")[0] == 0
    assert accounts.load(file) == {}


@pytest.mark.parametrize("text", ["", "[]", "{", '{"ana": {}}', '{"A": 1}', '{"ana": {"role": "owner"}}'])
def test_a_damaged_file_is_named_and_nobody_gets_in(tmp_path: Path, text: str) -> None:
    file = tmp_path / "accounts.json"
    file.write_text(text)
    file.chmod(0o600)
    with pytest.raises(AccountError, match="is damaged"):
        AccountsFile(file, lambda: 0.0).verify("ana", PASSWORD, "000000")


# -- guesses -------------------------------------------------------------------------------------------------------


def test_each_wrong_guess_waits_longer_up_to_a_limit_and_is_forgotten() -> None:
    throttle, now_ns, waits = Throttle(3, 1.0, 60.0), 0, []
    for _ in range(12):
        waits.append(throttle.wait_ns("ana", now_ns) // S)
        now_ns += waits[-1] * S
        throttle.guessed("ana", now_ns)
    assert waits == [0, 0, 0, 1, 2, 4, 8, 16, 32, 60, 60, 60]
    assert throttle.wait_ns("ana", now_ns + 60 * S) == 0
    assert throttle.wait_ns("ana", now_ns + 600 * S) == 0
    throttle.guessed("ana", now_ns + 600 * S)
    assert throttle.wait_ns("ana", now_ns + 600 * S) == 0, "a new beginning"


def test_a_right_guess_is_a_new_beginning() -> None:
    throttle = Throttle(1, 1.0, 60.0)
    for _ in range(5):
        throttle.guessed("ana", 0)
    throttle.right("ana", 0)
    assert throttle.wait_ns("ana", 0) == 0


@given(st.lists(st.text(max_size=5), max_size=50))
def test_any_keys_are_counted_in_bounded_memory(keys: list[str]) -> None:
    throttle = Throttle(0, 1.0, 60.0)
    for key in keys:
        throttle.guessed(key, 0)
        assert throttle.wait_ns(key, 0) > 0
    assert len(throttle._counters) == COUNTERS


def test_a_code_that_was_used_is_not_taken_again_after_a_restart(tmp_path: Path) -> None:
    file, now_s = tmp_path / "accounts.json", 1_000_000.0
    new, other = (accounts.add(file, name, Role.LOOK, PASSWORD) for name in ("ana", "ben"))
    code = one_time.code(new.one_time, int(now_s) // 30)
    assert AccountsFile(file, lambda: now_s).verify("ana", PASSWORD, code) is not None
    assert AccountsFile(file, lambda: now_s).verify("ana", PASSWORD, code) is None
    assert AccountsFile(file, lambda: now_s + 29).verify("ana", PASSWORD, code) is None
    before = one_time.code(new.one_time, int(now_s) // 30 - 1)
    assert AccountsFile(file, lambda: now_s).verify("ana", PASSWORD, before) is None, "nor one from before it"
    following = one_time.code(new.one_time, int(now_s) // 30 + 1)
    assert AccountsFile(file, lambda: now_s + 30).verify("ana", PASSWORD, following) is not None
    own = one_time.code(other.one_time, int(now_s) // 30)
    assert AccountsFile(file, lambda: now_s).verify("ben", PASSWORD, own) is not None, "others have their own"
    used = tmp_path / "accounts.json.used"
    assert used.stat().st_mode & 0o777 == 0o600
    assert set(json.loads(used.read_text())) == {"ana", "ben"}


def test_a_wrong_password_uses_no_code_up(tmp_path: Path) -> None:
    file, now_s = tmp_path / "accounts.json", 1_000_000.0
    new = accounts.add(file, "ana", Role.LOOK, PASSWORD)
    code = one_time.code(new.one_time, int(now_s) // 30)
    known = AccountsFile(file, lambda: now_s)
    assert known.verify("ana", "another password", code) is None
    assert not (tmp_path / "accounts.json.used").exists()
    assert known.verify("ana", PASSWORD, code) is not None


def test_of_two_processes_one_takes_a_code(tmp_path: Path) -> None:
    """The one reads what was used before the other keeps it."""
    one, other = UsedSteps(tmp_path / "accounts.json"), UsedSteps(tmp_path / "accounts.json")
    assert one.last("ana") == other.last("ana") == -1
    assert one.use("ana", 33_333, ["ana"])
    assert not other.use("ana", 33_333, ["ana"])
    assert not other.use("ana", 33_332, ["ana"])
    assert other.use("ana", 33_334, ["ana"])
    assert one.use("ben", 1, ["ben"])
    assert one.last("ana") == -1, "of an account that was removed nothing is kept"


@pytest.mark.parametrize("content", ["", "[]", '{"ana": "x"}', "\x00", '{"ana": 1e400}'])
def test_nobody_logs_on_while_it_is_not_known_which_codes_were_used(tmp_path: Path, content: str) -> None:
    file, now_s = tmp_path / "accounts.json", 1_000_000.0
    new = accounts.add(file, "ana", Role.LOOK, PASSWORD)
    (tmp_path / "accounts.json.used").write_text(content)
    code = one_time.code(new.one_time, int(now_s) // 30)
    with pytest.raises(
        AccountError, match=r"accounts\.json\.used: it is damaged; wait for a minute, then remove it"
    ):
        AccountsFile(file, lambda: now_s).verify("ana", PASSWORD, code)


def test_a_code_is_not_taken_if_that_cannot_be_kept(tmp_path: Path) -> None:
    file, now_s = tmp_path / "accounts.json", 1_000_000.0
    new = accounts.add(file, "ana", Role.LOOK, PASSWORD)
    (tmp_path / "accounts.json.used").mkdir()
    code = one_time.code(new.one_time, int(now_s) // 30)
    with pytest.raises(AccountError, match="used codes would work again"):
        AccountsFile(file, lambda: now_s).verify("ana", PASSWORD, code)
