"""The release of torchwhy."""

__version__ = "0.1.0"
