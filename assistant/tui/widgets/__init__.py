"""The chat's widgets."""
