"""The commands: one file each. A new one is a file here and a line in `torchwhy/extend.py`."""
