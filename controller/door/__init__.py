"""Who may open the pages of a table or a floor: log-on, sessions, roles, and what of it goes on record."""
