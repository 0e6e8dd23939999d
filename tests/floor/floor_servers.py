"""What the broker lets a certificate do, and how the servers live and die."""
