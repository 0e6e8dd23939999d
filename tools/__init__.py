"""What is run on the source and not with it: generators of documents."""
