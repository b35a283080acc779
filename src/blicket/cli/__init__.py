"""The command line: one file a command, no logic."""

from blicket.cli.main import main

__all__ = ["main"]
