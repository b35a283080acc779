"""What can be said of numbers measured over seeds and items."""
