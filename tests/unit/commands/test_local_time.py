"""Times in what commands print: local with their zone for people, UTC for programs and on record."""

import json
import os
import re
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from controller.commands.cli import main
from controller.commands.local_time import in_local_time, local_time
from controller.configuration.shipped import table_path

AT_NS = 1_795_541_467_000_000_000
"""2026-11-24 17:31:07 UTC."""
FOR_PROGRAMS = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d")


@pytest.fixture
def zone() -> Iterator[Callable[[str], None]]:
    before = os.environ.get("TZ")

    def set_to(name: str | None) -> None:
        if name is None:
            os.environ.pop("TZ", None)
        else:
            os.environ["TZ"] = name
        time.tzset()

    yield set_to
    set_to(before)


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("CET-1CEST,M3.5.0,M10.5.0/3", "2026-11-24 18:31:07 CET"),
        ("UTC", "2026-11-24 17:31:07 UTC"),
        ("EST5EDT,M3.2.0,M11.1.0", "2026-11-24 12:31:07 EST"),
        ("<+0545>-5:45", "2026-11-24 23:16:07 +0545"),
    ],
)
def test_a_time_is_local_and_names_its_zone(name: str, shown: str, zone: Callable[[str], None]) -> None:
    zone(name)
    assert local_time(AT_NS) == shown
    assert in_local_time("from 2026-11-24T17:31:07Z on") == f"from {shown} on"
    assert in_local_time("2026-11-24T17:31:07.250Z") == shown.replace(":07 ", ":07.250 ")
    assert in_local_time("2026-11-24T17:31:07+00:00") == shown


def test_commands_print_local_times_for_people_and_utc_for_programs(
    tmp_path: Path, zone: Callable[[str], None], capsys: pytest.CaptureFixture[str]
) -> None:
    file, table = tmp_path / "table.journal", tmp_path / "table.yaml"
    assert main(["bench", "roulette", "--demo", "--journal", str(file)]) == 0
    text = table_path("roulette").read_text(encoding="utf-8")
    table.write_text(text.replace("/var/lib/table-controller/roulette.journal", str(file)), encoding="utf-8")
    zone("CET-1CEST,M3.5.0,M10.5.0/3")
    capsys.readouterr()
    for words in ("journal show FILE", "journal inspections FILE", "replay 1 TABLE", "limits TABLE"):
        main(words.replace("FILE", str(file)).replace("TABLE", str(table)).split())
        shown = capsys.readouterr().out
        assert not FOR_PROGRAMS.search(shown), words
        assert "limits" in words or re.search(r"\d\d:\d\d:\d\d(\.\d{3})? CES?T", shown), words
    main(["journal", "export", str(file)])
    assert all(json.loads(line)["utc"].endswith("Z") for line in capsys.readouterr().out.splitlines())
    main(["journal", "inspections", str(file), "--json"])
    assert all(row["time"].endswith("Z") for row in json.loads(capsys.readouterr().out))
