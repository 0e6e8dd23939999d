"""Whether a card, stick or disk may hold a table's journal: what is measured of it, and a judge apart from that."""
