"""``schema``: what editors get is a schema of the file."""

import json

import pytest
from jsonschema import Draft202012Validator

from controller.commands.cli import main


def test_the_schema_of_a_floors_file_takes_one_and_names_what_is_missing(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["schema", "--floor"]) == 0
    floor = Draft202012Validator(json.loads(capsys.readouterr().out))
    broker = {"host": "broker.casino", "ca": "ca.pem", "certificate": "floor.pem", "key": "floor.key"}
    assert floor.is_valid({"floor": "main", "broker": broker, "fairness": {"odds": 100_000}})
    errors = list(floor.iter_errors({"floor": "main", "broker": {**broker, "port": 0}, "odds": 3}))
    assert {error.validator for error in errors} == {"minimum", "additionalProperties"}
    assert [error.validator for error in floor.iter_errors({"floor": "main"})] == ["required"]
