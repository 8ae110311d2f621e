"""This process: folders, cache, settings, Ctrl-C."""
