"""The floor's own record: what people did at the floor, and what the floor decided by itself."""
