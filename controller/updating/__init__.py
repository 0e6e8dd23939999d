"""Updates of the card's image: what is offered, what the floorperson is asked for, and what became of it."""
