"""Blicket."""
