"""A table's record, told to the floor over MQTT by a process of its own that only reads it."""
