"""Takes messages from the broker into the store: each is validated, or refused with a reason."""
