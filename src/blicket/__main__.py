"""`python -m blicket`."""

from blicket.cli import main

main()
