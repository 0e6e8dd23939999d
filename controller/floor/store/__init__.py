"""The floor's database: stores each round once, and reports gaps and forks."""
