"""Wagers, their payout odds and their exact returns, as fractions."""
