"""HTTP for a small number of screens, on the caller's event loop: requests, event streams, routes."""
