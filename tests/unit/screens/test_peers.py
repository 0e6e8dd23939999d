"""Viewers of one peer keep out neither others nor the dealer's screen; who a peer is, behind a proxy, too."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from controller.web.exchange import Request
from controller.web.peers import CONNECTIONS, OTHERS, OWN, PEER, PEER_URGENT, BehindProxy, Slot, Slots, group_of
from controller.web.proxies import Proxies, is_own

VIEWER, DEALER, HERE = "192.168.7.66", "192.168.7.20", "127.0.0.1"


def crowd(slots: Slots, address: str, proxy: bool = False) -> list[Slot]:
    """As many connections of a peer as it can have."""
    found = [slots.enter(address, proxy) for _ in range(2 * CONNECTIONS)]
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


def test_peers_behind_a_proxy_are_counted_by_themselves() -> None:
    assert len(crowd(Slots(), HERE, proxy=True)) == CONNECTIONS - OWN
    behind = BehindProxy()
    assert [behind.enter(VIEWER) for _ in range(PEER + 1)] == [True] * PEER + [False]
    assert behind.enter(DEALER)
    behind.leave(VIEWER)
    assert behind.enter(VIEWER)


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


# -- behind a proxy ------------------------------------------------------------------------------------------------

PROXY = "10.0.0.5"


@pytest.mark.parametrize(
    ("header", "value", "client"),
    [
        ("x-forwarded-for", "192.0.2.9", "192.0.2.9"),
        ("x-forwarded-for", "127.0.0.1, 192.0.2.9", "192.0.2.9"),
        ("x-forwarded-for", "127.0.0.1, 192.0.2.9:4711", "192.0.2.9"),
        ("x-forwarded-for", "[2001:db8::1]:99", "2001:db8::1"),
        ("x-forwarded-for", "unknown", ""),
        ("x-forwarded-for", "", ""),
        ("forwarded", "for=192.0.2.9;proto=https", "192.0.2.9"),
        ("forwarded", 'for=127.0.0.1, For="[2001:db8::1]:99";proto=https;by=x', "2001:db8::1"),
        ("forwarded", 'for="_hidden"', ""),
        ("forwarded", 'for=127.0.0.1, "', ""),
        ("forwarded", "for", ""),
    ],
)
def test_the_trusted_header_names_the_client_that_the_proxy_saw(header: str, value: str, client: str) -> None:
    assert Proxies([PROXY], header).client(PROXY, {header: value})[0] == client


def test_the_other_header_which_a_client_may_send_through_is_ignored() -> None:
    assert Proxies([PROXY], "x-forwarded-for").client(PROXY, {"forwarded": "for=127.0.0.1"}) == ("", False)
    headers = {"x-forwarded-for": "127.0.0.1", "x-forwarded-proto": "https"}
    assert Proxies([PROXY], "forwarded").client(PROXY, headers) == ("", False)
    assert Proxies([PROXY]).client(PROXY, headers) == ("127.0.0.1", True)
    assert not Proxies([PROXY]).trusts("10.0.0.6")


@given(st.text(max_size=60))
def test_any_header_is_read_without_a_defect(value: str) -> None:
    for header in ("forwarded", "x-forwarded-for"):
        Proxies([PROXY], header).client(PROXY, {header: value})


def test_who_comes_through_a_proxy_is_never_this_computer() -> None:
    headers = {"host": "localhost"}
    request = Request("GET", "/", {}, headers, peer=HERE)
    assert is_own(request, Proxies())
    assert is_own(request, Proxies([PROXY]))
    assert not is_own(request, Proxies(["::1"]))
    assert not is_own(Request("GET", "/", {}, headers, peer=VIEWER), Proxies())
    assert not is_own(Request("GET", "/", {}, {}, peer=HERE), Proxies())
