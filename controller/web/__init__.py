"""HTTP for a handful of screens, on the event loop of whoever serves them: requests, event streams, addresses."""
