"""A table's process loads asyncio without TLS, and works; others have it."""

import subprocess
import sys

import pytest
from project import ROOT

AFTER = "from controller.runtime.without_tls import load_asyncio; load_asyncio(); "


@pytest.mark.parametrize(
    ("script", "printed"),
    [
        (AFTER + "import asyncio; print(asyncio.run(asyncio.sleep(0, 'runs')))", "runs"),
        (AFTER + "import sys; print('ssl' in sys.modules, '_ssl' in sys.modules)", "False False"),
        (AFTER + "import ssl; print(bool(ssl.create_default_context))", "True"),
        ("import asyncio; " + AFTER + "import asyncio.sslproto; print(asyncio.sslproto.ssl.__name__)", "ssl"),
    ],
)
def test_asyncio_does_without_and_others_do_not(script: str, printed: str) -> None:
    command = [sys.executable, "-c", script]
    found = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    assert found.stdout.strip() == printed
