"""An entry's script run here: its needs, limits, supervisor, verdict and evidence."""
