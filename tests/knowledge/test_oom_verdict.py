"""What an out-of-memory message says by its own numbers: the statements of cuda-out-of-memory on messages, the verdict
worked out by hand.
"""

from __future__ import annotations

import pytest

from tests.support.shipped import knowledge
from torchwhy.knowledge.conditions import holds
from torchwhy.knowledge.entry import Pitfall
from torchwhy.knowledge.wordings import Wordings

# (verdict, message). "no": nothing to gain from joining pieces; "pieces": the pieces alone would do; "joined": pieces and free
# rest together; "card": larger than the card; "free": the card has room; "limit": a fraction is set; "other": another process.
ADVICE = " If reserved but unallocated memory is large try setting PYTORCH_CUDA_ALLOC_CONF=expandable_segments:True to avoid fragmentation."


def new(
    tried: str,
    total: str,
    free: str,
    middle: str,
    allocated: str,
    idle: str,
    error: str = "torch.OutOfMemoryError",
) -> str:
    """A message of 2.1 and later."""
    return (
        f"{error}: CUDA out of memory. Tried to allocate {tried}. GPU 0 has a total capacity of {total} of which {free} is free."
        f"{middle} Of the allocated memory {allocated} is allocated by PyTorch, and {idle} is reserved by PyTorch but unallocated.{ADVICE}"
    )


def old(tried: str, total: str, allocated: str, free: str, reserved: str, error: str = "RuntimeError") -> str:
    """A message of 1.3 to 2.0."""
    return (
        f"{error}: CUDA out of memory. Tried to allocate {tried} (GPU 0; {total} total capacity; {allocated} already allocated;"
        f" {free} free; {reserved} reserved in total by PyTorch) If reserved memory is >> allocated memory try setting"
        " max_split_size_mb to avoid fragmentation.  See documentation for Memory Management and PYTORCH_CUDA_ALLOC_CONF"
    )


def this(own: str) -> str:
    return f" Including non-PyTorch memory, this process has {own} memory in use."


MESSAGES = [
    ({"joined"}, new("256.00 MiB", "9.77 GiB", "185.50 MiB", this("9.43 GiB"), "9.04 GiB", "142.12 MiB")),
    ({"no"}, new("2.00 GiB", "23.65 GiB", "1.06 GiB", this("22.58 GiB"), "21.90 GiB", "194.87 MiB")),
    ({"pieces"}, new("250.00 MiB", "79.26 GiB", "104.75 MiB", this("79.14 GiB"), "74.77 GiB", "3.87 GiB")),
    ({"pieces"}, new("22.00 MiB", "23.65 GiB", "11.06 MiB", this("23.60 GiB"), "22.90 GiB", "194.87 MiB")),
    ({"no", "card"}, new("120.00 GiB", "79.15 GiB", "70.23 GiB", this("8.90 GiB"), "8.10 GiB", "300.39 MiB")),
    (
        {"no"},
        new(
            "20.00 MiB",
            "7.79 GiB",
            "5.12 MiB",
            this("7.70 GiB"),
            "7.50 GiB",
            "12.50 MiB",
            "torch.cuda.OutOfMemoryError",
        ),
    ),
    (
        {"pieces"},
        new("1.70 GiB", "6.00 GiB", "0 bytes", "", "2.93 GiB", "2.30 GiB", "torch.cuda.OutOfMemoryError"),
    ),
    ({"pieces"}, new("1.99 GiB", "79.15 GiB", "1.23 GiB", this("77.90 GiB"), "60.73 GiB", "16.39 GiB")),
    (
        {"no", "other"},
        new(
            "500.00 MiB",
            "47.53 GiB",
            "120.19 MiB",
            " Process 771 has 40.10 GiB memory in use." + this("7.25 GiB"),
            "6.80 GiB",
            "101.88 MiB",
        ),
    ),
    (
        {"no", "other"},
        new(
            "64.00 MiB",
            "23.65 GiB",
            "41.19 MiB",
            " Process 1246069 has 22.90 GiB memory in use." + this("718.00 MiB"),
            "256.12 MiB",
            "13.88 MiB",
        ),
    ),
    ({"free"}, new("1.00 GiB", "15.99 GiB", "9.50 GiB", this("6.20 GiB"), "5.90 GiB", "120.00 MiB")),
    (
        {"no", "limit"},
        new(
            "3.00 GiB",
            "39.39 GiB",
            "1.46 GiB",
            this("7.81 GiB") + " 7.88 GiB allowed;",
            "7.20 GiB",
            "110.00 MiB",
        ),
    ),
    ({"joined"}, new("1.50 GiB", "11.00 GiB", "800.00 MiB", this("10.10 GiB"), "9.10 GiB", "900.00 MiB")),
    (
        {"no"},
        old("1.39 GiB", "6.00 GiB", "4.04 GiB", "478.00 MiB", "4.15 GiB", "torch.cuda.OutOfMemoryError"),
    ),
    ({"gain"}, old("512.00 MiB", "15.78 GiB", "6.42 GiB", "210.75 MiB", "14.46 GiB")),
    ({"gain"}, old("128.00 MiB", "7.79 GiB", "804.53 MiB", "40.40 MiB", "6.28 GiB")),
    ({"no"}, old("60.00 MiB", "11.17 GiB", "505.96 MiB", "12.50 MiB", "530.00 MiB")),
    ({"no", "card"}, old("29.80 GiB", "10.76 GiB", "1.20 GiB", "8.70 GiB", "1.30 GiB")),
    ({"no"}, old("20.00 MiB", "10.92 GiB", "10.12 GiB", "9.56 MiB", "10.13 GiB")),
    (
        {"gain"},
        old("1.00 GiB", "23.69 GiB", "20.00 GiB", "600.00 MiB", "21.50 GiB", "torch.cuda.OutOfMemoryError"),
    ),
    # The driver does not hand out the last 2 MiB of a card: it is full all the same (seen on an H100).
    (set(), new("20.00 MiB", "79.18 GiB", "20.19 MiB", this("79.15 GiB"), "78.64 GiB", "2.00 MiB")),
    ({"free"}, old("2.26 GiB", "6.00 GiB", "781.59 MiB", "3.03 GiB", "1.24 GiB")),
]
WORDS = {
    "no": "It is not fragmentation",
    "joined": "together they do",
    "pieces": "at least as much as",
    "gain": "would be enough for",
    "card": "is larger than the whole card",
    "free": "so the card itself is not full",
    "limit": "a memory fraction is set",
    "other": "more than this program",
}


@pytest.fixture(scope="module")
def entry() -> Pitfall:
    return knowledge().pitfalls["cuda-out-of-memory"]


@pytest.mark.parametrize(("verdict", "message"), MESSAGES, ids=range(len(MESSAGES)))
def test_the_verdict_of_a_message(entry: Pitfall, verdict: set[str], message: str) -> None:
    claim = max(Wordings.of([entry]).claims(message), key=lambda claim: len(claim.groups))
    groups = dict(claim.groups)
    signature = entry.signatures[claim.number]
    names = {
        name: groups.get(name) for name in ("pools", "allowed", "own", "other", "idle", "allocated", *groups)
    }
    said = " ".join(says.text.en for says in signature.says if says.when is None or holds(says.when, names))
    assert {name for name, words in WORDS.items() if words in said} == verdict
