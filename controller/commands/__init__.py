"""The commands, one file each: ``NAME``, ``HELP``, ``configure(parser)`` and ``run(arguments) -> exit code``."""
