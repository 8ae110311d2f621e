"""Scripts made up for tests of what runs them."""

from __future__ import annotations

from pathlib import Path

from tests.conftest import write_entry
from torchwhy.knowledge.entry import Pitfall
from torchwhy.knowledge.load import load_knowledge
from torchwhy.proof.trust import Consent, Permit, permitted

MESSAGE = "Sizes of tensors must match except in dimension 1. Expected size 32 but got size 31 for tensor number 1 in the list."
MAIN = '\nif __name__ == "__main__":\n    import sys\n    fixed() if "--fixed" in sys.argv else broken()\n'
GOOD = f"raise RuntimeError({MESSAGE!r})"


def script(broken: str, fixed: str = "pass", head: str = "") -> str:
    def body(text: str) -> str:
        return "".join(f"    {line}\n" for line in text.splitlines())

    return (
        f'"""A made-up script."""\n{head}\ndef broken():\n{body(broken)}\ndef fixed():\n{body(fixed)}{MAIN}'
    )


def made_up(root: Path, repro: str, yaml: str | None = None, id: str = "made-up") -> Pitfall:
    """An entry with this script, the only one of its knowledge base."""
    write_entry(root, id, yaml=yaml, repro=repro)
    return load_knowledge([root], {}).pitfalls[id]


def mine(entry: Pitfall) -> Permit:
    """The permit of whoever wrote the entry's script: it runs as this user."""
    permit = permitted(entry, Consent(mine=True))
    assert permit is not None
    return permit
