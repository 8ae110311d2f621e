"""An entry's script run here: its needs, bounds, verdict and evidence."""
