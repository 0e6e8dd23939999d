"""What tables and the floor tell each other over MQTT."""
