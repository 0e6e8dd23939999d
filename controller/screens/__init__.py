"""What people see of a table in a browser: players on the board, the dealer on a screen of their own."""
