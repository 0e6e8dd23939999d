"""The floor's database: each round once, gaps and forks named."""
