"""Training sequence networks, many seeds at once."""
