"""What can go wrong, and what a result should be read with."""


class MoietyError(RuntimeError):
    """The program ended in a way that is nobody's data: it was killed, or is missing."""


class MoietyWarning(UserWarning):
    """A result that may mislead, in the words of the program, with its remedy."""
