"""A house's floor relays what it has stored to a group's floor: the floor's process runs it (docs/group.md)."""
