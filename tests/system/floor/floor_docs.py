"""``docs/floor.md``, followed to the letter: its openssl commands, its Mosquitto configuration, its YAML."""

import asyncio
import re
import shutil
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path
from ssl import SSLError, create_default_context
from typing import Any

import aiomqtt
import pytest
import yaml
from project import ROOT
from server_process import free_port, program

from config.loader import load_floor, load_text
from config.schema import BrokerSection
from controller.configuration.shipped import shipped_tables
from controller.messages.link import LinkError, RefusedError, connected
from controller.messages.models import MOST_BYTES, OnlineMessage, write
from controller.messages.topics import OF_ALL_TABLES, Topic, of_all, of_table, wanted_of

PAGE = (ROOT / "docs/floor.md").read_text(encoding="utf-8")
FILES = ROOT / "systemd/mosquitto"
NAME = "broker.casino.example"
INSTALLED = "/etc/mosquitto/floor"
MINE = "big-six-1"
PATIENCE_S = 10.0


def blocks(kind: str) -> list[str]:
    """The page's blocks of a kind, in order."""
    return re.findall(rf"^```{kind}\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)


def do(folder: Path, commands: str) -> None:
    done = subprocess.run(["sh", "-euc", commands], cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


@pytest.fixture(scope="module")
def authority(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The authority's folder, after the commands of the page. The broker is called as it can be reached here."""
    folder = tmp_path_factory.mktemp("authority")
    shutil.copy(FILES / "ca.cnf", folder)
    for commands in blocks("sh"):
        do(folder, commands.replace(f"DNS:{NAME}", "DNS:localhost"))
    return folder


class TheBroker:
    """Mosquitto with the configuration of the page, and its files in a folder of this test."""

    def __init__(self, folder: Path, authority: Path) -> None:
        self.port, self._folder, self._authority = free_port(), folder, authority
        self._log = folder / "log"
        self._log.touch()
        shutil.copy(FILES / "acl", folder)
        (folder / "acl").chmod(0o600)
        text = (FILES / "floor.conf").read_text(encoding="utf-8")
        own = text.replace(INSTALLED, str(folder)).replace("listener 8883", f"listener {self.port} 127.0.0.1")
        own += f"user root\npersistence true\npersistence_location {folder}/\nlog_dest stderr\n"
        (folder / "floor.conf").write_text(own, encoding="utf-8")
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        for name in ("ca.pem", "crl.pem", "broker.pem", "broker.key"):
            shutil.copy(self._authority / name, self._folder)
        command = [program("setpriv", "util-linux"), "--pdeathsig", "KILL", program("mosquitto", "mosquitto")]
        before = len(self.log())
        with self._log.open("ab") as log:
            self._process = subprocess.Popen([*command, "-c", str(self._folder / "floor.conf")], stderr=log)
        until = time.monotonic() + PATIENCE_S
        while f"port {self.port}" not in self.log()[before:]:
            assert self._process.poll() is None, self.log()
            assert time.monotonic() < until, self.log()
            time.sleep(0.02)  # Until the next look at its log.

    def log(self) -> str:
        """What it has logged, over all its runs."""
        return self._log.read_text(errors="replace")

    def stop(self) -> None:
        if self._process is not None:
            self._process.terminate()
            self._process.wait()
            self._process = None

    def section(self, name: str) -> BrokerSection:
        """The section of the file that belongs to this certificate."""
        at = {"ca": "ca.pem", "certificate": f"{name}.pem", "key": f"{name}.key"}
        files = {key: str(self._authority / file) for key, file in at.items()}
        return BrokerSection.model_construct(host="localhost", port=self.port, keep_alive_s=20, **files)


@pytest.fixture(scope="module")
def broker(tmp_path_factory: pytest.TempPathFactory, authority: Path) -> Iterator[TheBroker]:
    made = TheBroker(tmp_path_factory.mktemp("broker"), authority)
    made.start()
    yield made
    made.stop()


def directives(text: Path) -> list[str]:
    """A configuration without its comments."""
    lines = text.read_text(encoding="utf-8").splitlines()
    return [line for line in lines if line and not line.startswith("#")]


@pytest.mark.parametrize("name", ["floor.conf", "acl"])
def test_the_page_quotes_the_files(name: str) -> None:
    assert "\n".join(directives(FILES / name)) + "\n" in blocks("")


def test_the_files_on_the_page_are_in_order(tmp_path: Path) -> None:
    (floor,) = blocks("yaml floor")
    floor_config = load_floor(floor.encode(), "floor.yaml")
    assert floor_config.floor == "main-floor"
    assert floor_config.broker_for_alerts is not None
    assert floor_config.broker_for_alerts.certificate.endswith("/floor-alerts.pem")
    (section,) = blocks("yaml table")
    table = shipped_tables()["big-six"].read_text(encoding="utf-8") + section
    table = re.sub("^table: .*", f"table: {MINE}", table, flags=re.MULTILINE)
    config = load_text(table.encode(), "table.yaml")
    assert config.broker is not None
    assert config.broker.certificate.endswith(f"{config.table}.pem")
    assert yaml.safe_load(section)["broker"]["host"] == NAME


def test_rounds_of_a_table_reach_the_floor_and_resend_requests_reach_the_table(broker: TheBroker) -> None:
    async def exchange() -> tuple[Any, Any]:
        async with (
            connected(broker.section("floor"), "floor") as floor,
            connected(broker.section(MINE), MINE) as it,
        ):
            await floor.subscribe(OF_ALL_TABLES)
            await it.subscribe(wanted_of(MINE))
            message = OnlineMessage(table=MINE, online=True, running=True)
            await it.publish(of_table(MINE, Topic.ONLINE), message, retain=True)
            await floor.publish(wanted_of(MINE), message)
            return await _first(floor), await _first(it)

    received, requested = asyncio.run(asyncio.wait_for(exchange(), PATIENCE_S))
    assert (received.topic.value, received.payload[:12]) == ("tables/big-six-1/online", b'{"version":1')
    assert requested.topic.value == "floor/big-six-1/wanted"


async def _first(link: Any) -> aiomqtt.Message:
    async for message in link.messages():
        return message  # type: ignore[no-any-return]
    raise AssertionError


@pytest.mark.parametrize("topic", ["tables/roulette-1/round", "floor/big-six-1/wanted", "tables/floor/online"])
def test_a_table_is_refused_what_is_not_its_own(topic: str, broker: TheBroker) -> None:
    async def exchange() -> None:
        async with connected(broker.section(MINE), MINE) as link:
            await link.publish(topic, OnlineMessage(table=MINE, online=True, running=True))

    with pytest.raises(RefusedError, match="Not authorized"):
        asyncio.run(asyncio.wait_for(exchange(), PATIENCE_S))


def test_a_table_hears_nothing_of_another(broker: TheBroker) -> None:
    async def exchange() -> list[str]:
        received = []
        async with connected(broker.section(MINE), MINE) as link:
            for topic in ("tables/#", "floor/#", wanted_of(MINE)):
                await link.subscribe(topic)
            async with connected(broker.section("floor"), "floor") as floor:
                message = OnlineMessage(table=MINE, online=True, running=True)
                await floor.publish(wanted_of("roulette-1"), message)
                await floor.publish(wanted_of(MINE), message)
            async for message in link.messages():
                received.append(message.topic.value)
                if received[-1] == wanted_of(MINE):
                    return received
        raise AssertionError

    # Two of its subscriptions match its own message: it may arrive twice. Another's never does.
    assert set(asyncio.run(asyncio.wait_for(exchange(), PATIENCE_S))) == {wanted_of(MINE)}


def test_the_floor_has_two_connections_at_once_and_each_hears_the_tables(broker: TheBroker) -> None:
    """The broker ends the first of two connections with the same certificate; so alerts have one of their own."""

    async def exchange() -> list[str]:
        async with (
            connected(broker.section("floor"), "floor", reads_ahead=0) as floor,
            connected(broker.section("floor-alerts"), "floor-alerts", reads_ahead=50) as alerts,
            connected(broker.section(MINE), MINE) as it,
        ):
            await floor.subscribe(of_all(Topic.STATE))
            await alerts.subscribe(of_all(Topic.ALERT))
            for topic in (Topic.STATE, Topic.ALERT):
                await it.publish(of_table(MINE, topic), online_of(MINE))
            return [(await _first(link)).topic.value for link in (floor, alerts)]

    assert asyncio.run(asyncio.wait_for(exchange(), PATIENCE_S)) == [
        f"tables/{MINE}/state",
        f"tables/{MINE}/alert",
    ]


@pytest.mark.parametrize("robbed", ["floor", "floor-alerts", "roulette-1"])
def test_a_table_that_claims_anothers_client_identifier_ends_no_connection(robbed: str, broker: TheBroker) -> None:
    async def exchange() -> None:
        async with connected(broker.section(robbed), robbed) as first:
            async with connected(broker.section(MINE), robbed) as thief:
                await thief.publish(of_table(MINE, Topic.ONLINE), online_of(MINE))
                with pytest.raises(RefusedError, match="Not authorized"):
                    await thief.publish(of_table("roulette-1", Topic.ONLINE), online_of("roulette-1"))
            await first.subscribe("any/topic")  # Its connection is as it was.

    asyncio.run(asyncio.wait_for(exchange(), PATIENCE_S))


def test_the_connection_for_alerts_may_write_nothing_to_tables(broker: TheBroker) -> None:
    async def exchange() -> None:
        async with connected(broker.section("floor-alerts"), "floor-alerts") as link:
            await link.publish(wanted_of(MINE), online_of(MINE))

    with pytest.raises(RefusedError, match="Not authorized"):
        asyncio.run(asyncio.wait_for(exchange(), PATIENCE_S))


def online_of(table: str) -> OnlineMessage:
    return OnlineMessage(table=table, online=True, running=True)


@pytest.mark.parametrize("more", [0, 1])
def test_the_longest_message_is_taken_and_a_longer_one_is_not(
    more: int, broker: TheBroker, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("controller.messages.link.PATIENCE_S", 2.0)  # A client that is sent too much disconnects.
    empty = len(write(OnlineMessage(table=MINE, online=True, running=True)))
    size = MOST_BYTES - empty + more
    message = OnlineMessage.model_construct(version=1, table=MINE, online=True, running=True, software="x" * size)
    assert len(write(message)) == MOST_BYTES + more

    async def exchange() -> None:
        async with connected(broker.section(MINE), MINE) as link:
            await link.publish(of_table(MINE, Topic.HEALTH), message)

    if not more:
        asyncio.run(asyncio.wait_for(exchange(), PATIENCE_S))
        return
    with pytest.raises(LinkError):
        asyncio.run(asyncio.wait_for(exchange(), PATIENCE_S))


def test_nobody_takes_another_tables_connection_by_its_name(broker: TheBroker) -> None:
    async def exchange() -> None:
        async with connected(broker.section(MINE), MINE) as mine:
            async with connected(broker.section("roulette-1"), MINE):
                await mine.publish(
                    of_table(MINE, Topic.HEALTH), OnlineMessage(table=MINE, online=True, running=True)
                )
            await mine.publish(of_table(MINE, Topic.HEALTH), OnlineMessage(table=MINE, online=True, running=True))

    asyncio.run(asyncio.wait_for(exchange(), PATIENCE_S))


def test_a_client_without_a_certificate_is_refused(broker: TheBroker, authority: Path) -> None:
    async def exchange() -> None:
        context = create_default_context(cafile=str(authority / "ca.pem"))
        async with aiomqtt.Client("localhost", broker.port, tls_context=context, timeout=3.0):
            pass

    with pytest.raises((aiomqtt.MqttError, SSLError)):
        asyncio.run(asyncio.wait_for(exchange(), PATIENCE_S))


def test_a_table_cannot_pass_for_the_broker(authority: Path) -> None:
    """Its certificate is for clients alone."""
    purpose = ["openssl", "verify", "-CAfile", "ca.pem", "-purpose"]
    for name, kind, fits in ((MINE, "sslserver", 2), (MINE, "sslclient", 0), ("broker", "sslserver", 0)):
        command = [*purpose, kind, f"{name}.pem"]
        done = subprocess.run(command, cwd=authority, capture_output=True, check=False)
        assert done.returncode == fits, done.stderr


def test_a_table_that_was_withdrawn_is_refused_and_the_others_are_not(
    broker: TheBroker, authority: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("controller.messages.link.PATIENCE_S", 2.0)

    async def online(name: str) -> None:
        async with connected(broker.section(name), name) as link:
            await link.publish(of_table(name, Topic.ONLINE), OnlineMessage(table=name, online=True, running=True))

    asyncio.run(asyncio.wait_for(online("roulette-1"), PATIENCE_S))
    (revoke,) = blocks("sh revoke")
    do(authority, revoke)
    broker.stop()
    broker.start()
    with pytest.raises(LinkError, match="certificate is refused"):
        asyncio.run(asyncio.wait_for(online("roulette-1"), PATIENCE_S))
    asyncio.run(asyncio.wait_for(online(MINE), PATIENCE_S))
