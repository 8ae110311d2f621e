"""From bytes to errors with roles."""
