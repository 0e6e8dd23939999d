"""``publish`` and ``floor`` from the command line, where neither broker nor database is needed."""

from pathlib import Path

import pytest
import yaml
from project import ROOT

from controller.commands.cli import main

BROKER = {"host": "broker.casino", "ca": "ca.pem", "certificate": "t.pem", "key": "t.key"}


def table_file(folder: Path, **sections: object) -> str:
    shipped = yaml.safe_load((ROOT / "config/tables/sic-bo.yaml").read_text(encoding="utf-8"))
    file = folder / "table.yaml"
    file.write_text(yaml.safe_dump({**shipped, **sections}), encoding="utf-8")
    return str(file)


def floor_file(folder: Path, **sections: object) -> str:
    store, record = {"url": f"sqlite:///{folder}/floor.db"}, {"file": f"{folder}/floor.record"}
    file = folder / "floor.yaml"
    file.write_text(
        yaml.safe_dump({"floor": "main", "broker": BROKER, "store": store, "record": record, **sections})
    )
    return str(file)


def test_a_table_without_a_broker_has_nothing_to_publish_to(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = table_file(tmp_path)
    assert (main(["publish", file]), main(["publish", "--configured", file])) == (78, 1)
    assert "no broker to publish to" in capsys.readouterr().err
    assert main(["publish", "--configured", table_file(tmp_path, broker=BROKER)]) == 0


def test_check_names_every_file_that_cannot_be_used(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    signing = {"key": str(tmp_path / "floor.key")}
    assert main(["floor", floor_file(tmp_path, store={"url": "mysql://x"}, signing=signing), "--check"]) == 78
    said = capsys.readouterr().err
    assert all(key in said for key in ("store.url", "broker", "signing")), said


def test_what_does_not_wait_for_a_person_is_not_settled(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = floor_file(tmp_path)
    said_by = ["--by", "M. Cruz", "--reason", "card copied"]
    assert main(["floor", file, "--settle", "t-1", "--accept", "stored", *said_by]) == 1
    assert "nothing of table t-1 waits for a person" in capsys.readouterr().err
    assert main(["floor", file, "--settle", "t-1"]) == 1
    assert "the name is missing" in capsys.readouterr().err
    assert not (tmp_path / "floor.record").exists()
