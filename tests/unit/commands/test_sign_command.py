"""``sign``, ``witness``, ``audit`` and ``journal`` from the command line, with the processes that they start."""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml
from contracts.loop import PATIENCE_S
from played import Played
from project import ROOT
from server_process import free_port
from signed_tables import changed_body, rewrite

from controller.commands.cli import main
from controller.configuration.shipped import shipped_tables
from controller.transparency.last_signed import last_signed_file, read_last_signed


class Site:
    """A table's file and a witness's in a folder, and the processes."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.journal, self.checkpoints = folder / "table.journal", folder / "sign" / "table.checkpoints"
        self.port = free_port()
        self.started: list[subprocess.Popen[str]] = []

    def table(self, **signing: Any) -> Path:
        document = yaml.safe_load(shipped_tables()["sic-bo"].read_text(encoding="utf-8"))
        section = {"key": str(self.folder / "sign" / "table.key"), "checkpoints": str(self.checkpoints), **signing}
        document |= {"journal": {"file": str(self.journal)}, "signing": section}
        return self._write("table.yaml", document)

    def witness(self, table_key: str, **changed: Any) -> Path:
        document = {
            "name": "witness.example",
            "port": self.port,
            "key": str(self.folder / "w.key"),
            "file": str(self.folder / "w.db"),
            "tables": {"sic-bo": table_key},
            **changed,
        }
        return self._write("witness.yaml", document)

    def _write(self, name: str, document: object) -> Path:
        file = self.folder / name
        file.write_text(yaml.safe_dump(document), encoding="utf-8")
        return file

    def start(self, *words: str, says: str) -> "subprocess.Popen[str]":
        process = subprocess.Popen(
            [sys.executable, "-m", "controller", *words], stderr=subprocess.PIPE, text=True, cwd=ROOT
        )
        self.started.append(process)
        self.says(process, says)
        return process

    @staticmethod
    def says(process: "subprocess.Popen[str]", words: str) -> str:
        assert process.stderr is not None
        for line in process.stderr:
            if words in line:
                return line
        raise AssertionError(f"it ended with {process.wait(PATIENCE_S)} and never said: {words}")

    def stop(self, process: "subprocess.Popen[str]") -> int:
        process.send_signal(signal.SIGTERM)
        code = process.wait(PATIENCE_S)
        assert process.stderr is not None
        process.stderr.close()
        return code

    def close(self) -> None:
        for process in self.started:
            if process.poll() is None:
                process.kill()
                process.wait()
            if process.stderr is not None:
                process.stderr.close()


@pytest.fixture
def site(tmp_path: Path) -> Iterator[Site]:
    made = Site(tmp_path)
    yield made
    made.close()


def printed(capsys: pytest.CaptureFixture[str], *words: str, code: int = 0) -> str:
    assert main(list(words)) == code
    out, err = capsys.readouterr()
    return (out + err).strip()


def test_a_record_from_the_table_to_the_audit(site: Site, capsys: pytest.CaptureFixture[str]) -> None:
    key = printed(capsys, "sign", "--make-key", str(site.table()))
    witness = site.witness(key)
    witness_key = printed(capsys, "witness", "--make-key", str(witness))
    assert printed(capsys, "witness", "--check", str(witness)) == f"{witness}: in order"
    table = site.table(witnesses=[{"url": f"http://127.0.0.1:{site.port}", "key": witness_key}])
    assert "in order" in printed(capsys, "check", str(table))
    Played("sic-bo", site.journal, 3, fault_rate=0.0).finish()

    serving = site.start("witness", str(witness), says="the witness is asked at")
    signing = site.start("sign", str(table), says="signs as")
    _until_witnessed(site, capsys, str(witness))
    assert site.stop(signing) == 0
    heads = site.folder / "heads.txt"
    heads.write_text(printed(capsys, "witness", "--heads", str(witness)) + "\n")
    assert site.stop(serving) == 0

    evidence = site.folder / "evidence"
    assert "checkpoints are in" in printed(capsys, "journal", "export", str(table), "--evidence", str(evidence))
    audit = ("audit", str(evidence), "--table-key", key, "--witness-key", witness_key, "--head", str(heads))
    assert "entries are as they were signed" in printed(capsys, *audit)
    assert json.loads(printed(capsys, *audit, "--json"))["problems"] == []
    assert json.loads(printed(capsys, *audit, "--round", "1"))["round"] == 1
    assert "already; name another" in printed(
        capsys, "journal", "export", str(table), "--evidence", str(evidence), code=1
    )


def _until_witnessed(site: Site, capsys: pytest.CaptureFixture[str], witness: str) -> None:
    """Wait until the witness has signed all that the signer has; each look is a process of the command line."""
    journal = site.journal
    from controller.journal.journal import Journal

    opened = Journal(journal, read_only=True)
    last = opened.last_checkpoint()
    opened.close()
    assert last is not None
    import time

    end_s = time.monotonic() + PATIENCE_S
    while f"\n{last.seq}\n" not in _heads(capsys, witness):
        assert time.monotonic() < end_s
        time.sleep(0.05)  # Until the next look.


def _heads(capsys: pytest.CaptureFixture[str], witness: str) -> str:
    main(["witness", "--heads", witness])
    return capsys.readouterr().out


def test_verify_names_what_was_signed_otherwise(site: Site, capsys: pytest.CaptureFixture[str]) -> None:
    table = site.table()
    Played("sic-bo", site.journal, 3, fault_rate=0.0).finish()
    signing = site.start("sign", str(table), says="signs as")
    import time

    end_s = time.monotonic() + PATIENCE_S
    while not read_last_signed(last_signed_file(site.checkpoints)):
        assert time.monotonic() < end_s
        time.sleep(0.02)  # Until the next look.
    assert site.stop(signing) == 0
    assert "are those that were signed" in printed(capsys, "journal", "verify", str(table))
    rewrite(site.journal, changed_body(7))
    words = "entry 7 (round "
    assert words in printed(capsys, "journal", "verify", str(table), code=1)
    bare = ("journal", "verify", str(site.journal))
    assert "entries verified" in printed(capsys, *bare)  # Nothing says here what was signed.
    assert words in printed(capsys, *bare, "--checkpoints", str(site.checkpoints), code=1)
    assert (
        words
        in json.loads(printed(capsys, *bare, "--checkpoints", str(site.checkpoints), "--json", code=1))["problem"]
    )


def test_a_key_that_others_can_read_is_refused(site: Site, capsys: pytest.CaptureFixture[str]) -> None:
    table = str(site.table())
    first = printed(capsys, "sign", "--make-key", table)
    assert printed(capsys, "sign", "--make-key", table) == first
    file = site.folder / "sign" / "table.key"
    assert file.stat().st_mode & 0o777 == 0o600
    file.chmod(0o640)
    assert "others can read this key: chmod 600" in printed(capsys, "sign", "--show-key", table, code=1)
    file.chmod(0o600)
    file.write_text("nonsense")
    assert "no private key in PEM" in printed(capsys, "sign", "--show-key", table, code=1)
    file.unlink()
    assert "cannot be read: No such file" in printed(capsys, "sign", "--show-key", table, code=1)
    os.mkfifo(file, 0o600)
    assert "a key is kept in a file" in printed(capsys, "sign", "--show-key", table, code=1)


@pytest.mark.parametrize(
    ("section", "words"),
    [
        ({"witnesses": [{"url": "floor:8090", "key": "x"}]}, "witnesses.0.url"),
        ({"witnesses": [{"url": "http://floor:8090", "key": "x+00000000+" + "A" * 44}]}, "witnesses.0.key"),
        ({"timestamp": {"url": "http://tsa", "certificate": "tsa.pem", "every_h": "0"}}, "timestamp.every_h"),
    ],
)
def test_check_names_what_is_wrong_in_the_section(
    site: Site, capsys: pytest.CaptureFixture[str], section: dict[str, Any], words: str
) -> None:
    assert words in printed(capsys, "check", str(site.table(**section)), code=78)


def test_a_tables_key_is_not_taken_for_a_witnesss(site: Site, capsys: pytest.CaptureFixture[str]) -> None:
    key = printed(capsys, "sign", "--make-key", str(site.table()))
    wrong = site.table(witnesses=[{"url": "http://127.0.0.1:1", "key": key}])
    assert "is no key of a witness" in printed(capsys, "check", str(wrong), code=78)
    copied = site.witness(key[:-3] + ("AAA" if not key.endswith("AAA") else "BBB"))
    assert "copy the whole line again" in printed(capsys, "witness", "--check", str(copied), code=78)
