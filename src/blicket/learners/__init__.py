"""What can be fitted."""
