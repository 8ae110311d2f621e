"""The release of torchwhy."""

__version__ = "0.2.0"
