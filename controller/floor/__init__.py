"""The floor: stores what many tables publish, each message once, checks it and shows it."""
