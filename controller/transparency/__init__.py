"""What makes a rewritten record show: a Merkle tree over its entries, signed checkpoints, witnesses, audits."""
