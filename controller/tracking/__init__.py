"""From edges and keys to events. Nothing here reads a clock or a device: time arrives inside the events."""
