"""Updates of tables by the floor: the folder of bundles, who is offered one, and the chunks that tables ask for."""
