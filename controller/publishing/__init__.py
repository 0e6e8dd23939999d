"""Publishes a table's record to the floor over MQTT, in a separate process that only reads the journal."""
