"""Which message each topic of a table carries, and how one is read."""

from typing import TypeAlias

from controller.messages import models
from controller.messages.topics import Topic

ReceivedMessage: TypeAlias = models.Message | models.HouseMessage
"""What a floor receives: of a table, or of a house."""

MODELS: dict[Topic, type[ReceivedMessage]] = {
    Topic.ONLINE: models.OnlineMessage,
    Topic.STATE: models.StateMessage,
    Topic.PART: models.RoundPart,
    Topic.ROUND: models.RoundClosed,
    Topic.ALERT: models.AlertMessage,
    Topic.HEALTH: models.HealthMessage,
    Topic.HOUSE: models.HouseMessage,
}
"""The message of each topic."""


def read(topic: Topic, payload: bytes) -> ReceivedMessage:
    """A message of a topic.

    Raises:
        ValueError: it is not valid; pydantic's error, which names every wrong field.
    """
    return MODELS[topic].model_validate_json(payload)
