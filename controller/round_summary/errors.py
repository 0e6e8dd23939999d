"""Why a round's entries come to no summary."""


class SummaryError(ValueError):
    """These are not the entries of one round: those after the one that opened it, up to the one that closes it."""


class UnreadableRoundError(ValueError):
    """This software cannot read the entries; another version, or one with the game installed, may."""
