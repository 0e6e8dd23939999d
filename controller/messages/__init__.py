"""The messages between tables and the floor over MQTT."""
