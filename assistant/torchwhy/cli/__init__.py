"""The command line: one file a command."""

from torchwhy.runtime.import_path import leave_current_folder

leave_current_folder()  # before any other import; the library never comes here

from .main import main  # noqa: E402

__all__ = ["main"]
