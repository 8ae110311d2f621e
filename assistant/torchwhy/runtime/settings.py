"""Every setting that torchwhy reads from the environment, with its meaning; docs/settings.md shows the table.

`python -m torchwhy.runtime.settings` prints that table.
"""

import os
from collections.abc import Mapping
from typing import NamedTuple


class Setting(NamedTuple):
    """One environment variable. `default`: what an unset or empty one stands for."""

    name: str
    meaning: str
    default: str = ""

    def read(self, env: Mapping[str, str] | None = None) -> str:
        """The value now, without white space around it; the default where it is unset or empty."""
        return (os.environ if env is None else env).get(self.name, "").strip() or self.default


KB = Setting("TORCHWHY_KB", "further knowledge-base folders (separated like `PATH`)")
MODEL = Setting("TORCHWHY_MODEL", "another sentence-transformers model, by name or folder")
CACHE = Setting("TORCHWHY_CACHE", "folder of what is built; by default in your cache folder")
DATA = Setting("TORCHWHY_DATA", "folder of your sessions and evidence; by default in your data folder")
RUNNER = Setting(
    "TORCHWHY_RUNNER",
    "a command such as `podman run ...` to run scripts with that did not come with torchwhy",
)
TRY = Setting(
    "TORCHWHY_TRY",
    "`off`: `torchwhy run` shows a change without having tried it; `line`: it is tried at the failing line, "
    "and no program is run again; `shapes`: and without the data of the program's tensors, which is done by "
    "itself above 16 GB",
    "on",
)
HISTORY = Setting(
    "TORCHWHY_HISTORY",
    "what the chat keeps: `errors` (each leading error and its entry), `full` (the messages and answers), "
    "`off`",
    "errors",
)
LANG = Setting("TORCHWHY_LANG", "`en`, `zh` or `auto`", "auto")
LINKS = Setting(
    "TORCHWHY_LINKS",
    "what a place on a terminal links to: `file` (`file://...#L12`), or `vscode`, which opens the editor "
    "there",
    "file",
)
SITE = Setting(
    "TORCHWHY_SITE", "address of the documentation site, if you serve it; answers then link their page there"
)
LLM_URL = Setting(
    "TORCHWHY_LLM_URL",
    "the endpoint that `--rewrite` and `--ask-model` ask, such as `http://localhost:11434/v1`",
)
LLM_MODEL = Setting("TORCHWHY_LLM_MODEL", "its model")
LLM_KEY = Setting("TORCHWHY_LLM_KEY", "its key, where it wants one")
LLM_SECONDS = Setting("TORCHWHY_LLM_SECONDS", "how long it may take", "60")
LLM_OPTIONS = Setting(
    "TORCHWHY_LLM_OPTIONS", "JSON to merge into the request (`null` takes a field out)", "{}"
)
NO_COLOR = Setting("NO_COLOR", "set to anything: no colours on a terminal")

SETTINGS = tuple(each for each in [*globals().values()] if isinstance(each, Setting))


def markdown_table() -> str:
    """The settings as docs/settings.md shows them."""
    rows = [
        f"| `{setting.name}` | {setting.meaning} | {f'`{setting.default}`' if setting.default else ''} |"
        for setting in SETTINGS
    ]
    return (
        "\n".join(["| variable | meaning | default |", "|---|---|---|", *rows]).replace("|  |", "| |") + "\n"
    )


if __name__ == "__main__":
    print(markdown_table(), end="")
