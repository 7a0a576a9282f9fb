"""The command line: arguments, exit status, printing. Nothing heavy is imported before a command needs it."""

from planner.cli.main import main

__all__ = ["main"]
