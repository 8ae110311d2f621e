"""What the guides of docs/ show."""

from __future__ import annotations

import re
from pathlib import Path


def commands_of(path: Path) -> list[str]:
    """The lines of the blocks of commands in a guide, without their comments."""
    blocks = re.findall(r"^```sh\n(.*?)^```", path.read_text("utf-8"), re.DOTALL | re.MULTILINE)
    return [line.split("  #")[0].strip() for block in blocks for line in block.splitlines()]
