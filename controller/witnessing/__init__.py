"""The processes beside a table's record: the signer that follows it, and the HTTP that witnesses speak."""
