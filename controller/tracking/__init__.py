"""From edges and keys to facts. Nothing here reads a clock or a device: time arrives inside the events."""
