"""A process that sends one message to the floor as often as it can.

Its arguments: the broker's port, the authority, certificate and key, and a file with the message.
"""

import sys
from pathlib import Path

from paho.mqtt.client import CallbackAPIVersion, Client

TOPIC = "tables/bad/entries"


def flood(port: str, ca: str, certificate: str, key: str, message: str) -> None:
    """Send for ever."""
    client, payload = Client(CallbackAPIVersion.VERSION2), Path(message).read_bytes()
    client.tls_set(ca, certificate, key)
    client.connect("127.0.0.1", int(port))
    client.loop_start()
    while True:
        client.publish(TOPIC, payload, qos=0).wait_for_publish()


if __name__ == "__main__":
    flood(*sys.argv[1:])
