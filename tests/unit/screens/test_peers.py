"""Viewers of one peer keep out neither others nor the dealer's screen; who a peer is, behind a proxy, too."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from controller.web.peers import CONNECTIONS, OTHERS, OWN, PEER, PEER_URGENT, Slot, Slots, client_of, group_of

VIEWER, DEALER, HERE = "192.168.7.66", "192.168.7.20", "127.0.0.1"


def crowd(slots: Slots, address: str) -> list[Slot]:
    """As many connections of a peer as it can have."""
    found = [slots.enter(address) for _ in range(2 * CONNECTIONS)]
    return [slot for slot in found if slot is not None]


def test_one_peer_has_a_share_and_others_get_in() -> None:
    slots = Slots()
    crowded = crowd(slots, VIEWER)
    assert len(crowded) == PEER
    assert [slot.urgent for slot in crowded] == [False] * (PEER - PEER_URGENT) + [True] * PEER_URGENT
    other = slots.enter(DEALER)
    assert other is not None
    assert not other.urgent
    crowded[0].leave()
    crowded[0].leave()
    assert slots.enter(VIEWER) is not None
    assert slots.enter(VIEWER) is None, "a slot is given back once"


def test_peers_elsewhere_leave_places_for_this_computer_and_for_urgent_paths() -> None:
    slots = Slots()
    crowded = [slot for peer in range(20) for slot in crowd(slots, f"10.0.{peer}.1")]
    assert len(crowded) == CONNECTIONS - OWN
    assert crowded[-1].urgent
    assert len(crowd(slots, HERE)) == OWN


def test_what_seems_to_be_this_computer_leaves_places_for_others() -> None:
    """A relay on this computer makes everybody loopback."""
    slots = Slots()
    crowded = crowd(slots, HERE)
    assert len(crowded) == CONNECTIONS - OTHERS
    assert crowded[-1].urgent, "the last ones are for the dealer's screen of this computer"
    assert slots.enter(DEALER) is not None


@pytest.mark.parametrize(
    ("address", "group"),
    [
        ("192.168.7.66", "192.168.7.66"),
        ("::ffff:192.168.7.66", "192.168.7.66"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::"),
        ("2001:db8:1:2::9", "2001:db8:1:2::"),
        ("fe80::1%eth0", "fe80::"),
        ("127.0.0.1", "this computer"),
        ("127.9.9.9", "this computer"),
        ("::1", "this computer"),
        ("::ffff:127.0.0.1", "this computer"),
        ("nobody", ""),
        ("", ""),
    ],
)
def test_a_peer_is_an_address_or_a_network_of_ipv6(address: str, group: str) -> None:
    assert group_of(address) == group


@pytest.mark.parametrize(
    ("address", "header", "client"),
    [
        (HERE, "192.0.2.9", "192.0.2.9"),
        ("::1", "2001:db8::1", "2001:db8::1"),
        (HERE, "198.51.100.1, 192.0.2.9", "192.0.2.9"),
        (HERE, "192.0.2.9, unknown", HERE),
        (HERE, "", HERE),
        (VIEWER, "192.0.2.9", VIEWER),
    ],
)
def test_a_proxy_on_this_computer_alone_names_its_client(address: str, header: str, client: str) -> None:
    assert client_of(address, {"x-forwarded-for": header}) == client


@given(st.text(max_size=60))
def test_any_header_is_read_without_a_defect(value: str) -> None:
    client_of(HERE, {"x-forwarded-for": value})
