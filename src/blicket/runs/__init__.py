"""Runs: from a recipe to predictions and scorecards, in a directory that can be resumed."""
