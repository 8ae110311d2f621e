"""The words of torch's own messages and names, for `assistant/torchwhy/retrieval/torch_words.txt`: what others may be told of a message
beside the words of the entries.

    python -m tests.tools.torch_words > assistant/torchwhy/retrieval/torch_words.txt

They are read from the strings in torch's libraries and from what its Python files raise and warn.
"""

from __future__ import annotations

import ast
import re
import textwrap
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

MIN_MESSAGES = 2  # in which a word stands
WORD = re.compile(r"(?<![A-Za-z])(?:[A-Z]?[a-z]{2,19})(?![A-Za-z])")
SENTENCE = re.compile(rb"[A-Za-z ,.'\"():;`\[\]0-9_%/<>=!+-]{12,1000}")
LIBRARIES = ("libtorch_cpu.so", "libtorch_python.so", "libc10.so")


def messages(folder: Path) -> Iterator[str]:
    for library in LIBRARIES:
        data = (folder / "lib" / library).read_bytes()
        yield from {text.decode() for text in SENTENCE.findall(data) if text.count(b" ") >= 3}
    for path in sorted(folder.rglob("*.py")):
        try:
            tree = ast.parse(path.read_text("utf-8"))
        except SyntaxError:  # of a later Python
            continue
        for node in ast.walk(tree):
            called = getattr(getattr(node, "func", None), "attr", "")
            if isinstance(node, ast.Raise | ast.Assert) or called in ("warn", "warning", "error"):
                parts = (each.value for each in ast.walk(node) if isinstance(each, ast.Constant))
                yield " ".join(part for part in parts if isinstance(part, str))


def names(folder: Path) -> Iterator[str]:
    """The names of torch's files, and its public names that an error may say."""
    import torch

    yield from (path.stem for path in folder.rglob("*.py"))
    for holder in (torch, torch.Tensor, torch.nn, torch.nn.functional, torch.optim, torch.linalg, torch.fft):
        yield from (name for name in dir(holder) if not name.startswith("_"))
    for holder in (torch.cuda, torch.distributed, torch.utils.data, torch.special, torch.sparse, torch.jit):
        yield from (name for name in dir(holder) if not name.startswith("_"))


def main() -> None:
    import torch

    from torchwhy import Assistant
    from torchwhy.text.exits import words_of

    counts = Counter(
        word
        for message in messages(Path(torch.__file__).parent)
        for word in set(map(str.lower, WORD.findall(message)))
    )
    known = Assistant(vectors=False).store.vocabulary()
    said = {word for word, count in counts.items() if count >= MIN_MESSAGES}
    words = sorted((said | words_of(" ".join(names(Path(torch.__file__).parent)))) - known)
    print("\n".join(textwrap.wrap(" ".join(words), 110)))


if __name__ == "__main__":
    main()
