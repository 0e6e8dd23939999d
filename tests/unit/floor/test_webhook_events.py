"""What is taken up to be told: everything that happens to an alert, once, in order, for those who want it."""

from typing import Any

import pytest
from sqlalchemy import Engine, select, update
from stored_floor import NOW_MS, an_alert, insert, utc

from config.webhooks import WebhookSection
from controller.floor.store import webhook_events
from controller.floor.store.schema import alerts
from controller.floor.store.schema import webhook_events as events
from controller.floor.store.webhook_events import forget_delivered, is_any_new, mark_done, pending, take_up
from controller.floor.webhooks.message import event_id, message_id, message_of
from controller.messages.webhook_models import AlertEvent

PAGER = WebhookSection(name="pager", url="https://pager.example/")


def look(engine: Engine, receiver: WebhookSection = PAGER) -> list[tuple[str, str]]:
    """What is taken up, and is to be told then."""
    with engine.begin() as db:
        fresh = is_any_new(db, receiver)
        assert bool(take_up(db, receiver)) <= fresh
        assert not is_any_new(db, receiver)
        return [(one.event, one.alert.text) for one in pending(db, receiver.name, 1000)]


def change(engine: Engine, text: str, **values: str | None) -> None:
    with engine.begin() as db:
        db.execute(update(alerts).where(alerts.c.text == text).values(**values))


def add(engine: Engine, text: str, **changed: Any) -> None:
    insert(engine, {"alerts": [an_alert("sic-bo-1", text, **changed)]})


def test_a_new_receiver_is_notified_of_what_is_active_and_of_all_that_comes(engine: Engine) -> None:
    add(engine, "over", ended=utc(NOW_MS))
    add(engine, "active")
    assert look(engine) == [("raised", "active")]
    add(engine, "new")
    add(engine, "short", ended=utc(NOW_MS))
    expected = [("raised", "active"), ("raised", "new"), ("raised", "short"), ("ended", "short")]
    assert look(engine) == expected
    assert look(engine) == expected, "once"


def test_each_thing_that_happens_to_an_alert_is_notified_in_order(engine: Engine) -> None:
    add(engine, "one")
    look(engine)
    change(engine, "one", escalated=utc(NOW_MS + 1))
    look(engine)
    change(engine, "one", acknowledged=utc(NOW_MS + 2))
    change(engine, "one", ended=utc(NOW_MS + 3))
    assert [event for event, _ in look(engine)] == ["raised", "escalated", "acknowledged", "ended"]
    assert [event for event, _ in look(engine)] == ["raised", "escalated", "acknowledged", "ended"]


def test_what_happened_at_once_is_notified_in_the_order_in_which_it_happened(engine: Engine) -> None:
    look(engine)
    add(engine, "all", ended=utc(NOW_MS + 1))
    change(engine, "all", acknowledged=utc(NOW_MS + 5), escalated=utc(NOW_MS + 7))
    assert [event for event, _ in look(engine)] == ["raised", "acknowledged", "escalated", "ended"]


def test_an_acknowledgement_after_the_end_was_notified_is_not_lost_before_that(engine: Engine) -> None:
    add(engine, "one")
    look(engine)
    change(engine, "one", acknowledged=utc(NOW_MS + 5))
    assert look(engine)[-1] == ("acknowledged", "one")


@pytest.mark.parametrize(
    ("choice", "texts"), [({"kinds": ["gap"]}, ["b"]), ({"tables": ["t-1"]}, ["a"]), ({}, ["a", "b"])]
)
def test_a_receiver_is_notified_of_its_kinds_and_tables_alone(
    engine: Engine, choice: dict[str, Any], texts: list[str]
) -> None:
    receiver = WebhookSection(name="some", url="https://pager.example/", **choice)
    insert(engine, {"alerts": [an_alert("t-1", "a"), an_alert("t-2", "b", kind="gap")]})
    assert [text for _, text in look(engine, receiver)] == texts


def test_receivers_do_not_share_what_they_were_notified(engine: Engine) -> None:
    other = WebhookSection(name="other", url="https://other.example/")
    add(engine, "one")
    look(engine)
    with engine.begin() as db:
        mark_done(db, [one.id for one in pending(db, "pager", 10)], utc(NOW_MS))
        assert pending(db, "pager", 10) == []
    assert look(engine, other) == [("raised", "one")]


def test_an_alert_that_another_worker_stored_late_is_found(engine: Engine) -> None:
    """Its number is lower than one that was seen, and it has ended already."""
    look(engine)
    insert(engine, {"alerts": [an_alert("a", "first", ended=utc(NOW_MS)) | {"id": 500}]})
    look(engine)
    insert(engine, {"alerts": [an_alert("a", "late", ended=utc(NOW_MS)) | {"id": 400}]})
    assert ("ended", "late") in look(engine)


def test_what_is_notified_and_over_is_forgotten_and_not_notified_again(
    engine: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(webhook_events, "OVERLAP", 2)
    look(engine)
    for number in range(10):
        add(engine, str(number), ended=utc(NOW_MS))
    add(engine, "active")
    look(engine)
    with engine.begin() as db:
        mark_done(db, [one.id for one in pending(db, "pager", 100)], utc(NOW_MS))
        forget_delivered(db, "pager")
        left = db.execute(select(events.c.alert)).scalars().all()
    assert sorted(set(left)) == [10, 11], "the latest are looked at again, and the active one may change"
    assert look(engine) == []


def test_what_is_not_notified_yet_is_not_forgotten(engine: Engine, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(webhook_events, "OVERLAP", 0)
    look(engine)
    add(engine, "one", ended=utc(NOW_MS))
    before = look(engine)
    with engine.begin() as db:
        mark_done(db, [pending(db, "pager", 1)[0].id], utc(NOW_MS))
        forget_delivered(db, "pager")
    assert look(engine) == before[1:]


def test_a_message_names_each_event_alike_every_time(engine: Engine) -> None:
    add(engine, "ä" * 5000)
    look(engine)
    with engine.begin() as db:
        waiting = pending(db, "pager", 10)
    message = message_of("hall", waiting, utc(NOW_MS))
    assert message.events[0].id == event_id("hall", waiting[0]) == "hall/1/raised"
    assert len(message.events[0].alert.text) == 4000
    assert message_id("hall", waiting) == message_id("hall", waiting) != message_id("annex", waiting)


def test_every_event_has_its_name_in_the_schema() -> None:
    schema = AlertEvent.model_json_schema()
    assert set(schema["properties"]["event"]["enum"]) == set(webhook_events.EVENTS)
