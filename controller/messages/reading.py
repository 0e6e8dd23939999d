"""Which message each topic of a table carries, and how one is read."""

from controller.messages import models
from controller.messages.topics import Topic
from controller.messages.update_models import FetchRequest, VersionMessage

MODELS: dict[Topic, type[models.Message]] = {
    Topic.ONLINE: models.OnlineMessage,
    Topic.STATE: models.StateMessage,
    Topic.PART: models.RoundPart,
    Topic.ROUND: models.RoundClosed,
    Topic.ALERT: models.AlertMessage,
    Topic.HEALTH: models.HealthMessage,
    Topic.ANSWER: models.ChallengeAnswered,
    Topic.VERSION: VersionMessage,
    Topic.FETCH: FetchRequest,
}
"""The message of each topic."""


def read(topic: Topic, payload: bytes) -> models.Message:
    """A message of a topic.

    Raises:
        ValueError: it is not valid; pydantic's error, which names every wrong field.
    """
    return MODELS[topic].model_validate_json(payload)
