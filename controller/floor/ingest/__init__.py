"""From what the broker delivers to what the store keeps: validated, or refused with a reason."""
