"""How fast answering is in one process: `python tests/bench/bench_speed.py`.

`ask` and `ask_many` over real texts. Ratios are to a baseline of the same run; absolute figures stand beside them. Asserts that torch
is never imported, so no GPU memory is used either.
"""

from __future__ import annotations

import json
import statistics
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))


def import_numpy() -> float:
    started = time.perf_counter()
    subprocess.run([sys.executable, "-c", "import numpy"], check=True)
    return time.perf_counter() - started


def rows_of(name: str) -> list[str]:
    lines = (ROOT / "data" / "eval" / f"{name}.jsonl").read_text("utf-8").splitlines()
    return [json.loads(line)["text"] for line in lines]


def texts() -> dict[str, list[str]]:
    """What people paste: whole outputs of broken programs, and those mixed with one-liners and questions in words."""
    verbatim = rows_of("verbatim")[::5]
    asked = rows_of("dev")
    mixed = [text for pair in zip(verbatim, asked, strict=False) for text in pair]
    return {"verbatim outputs": verbatim, "mixed texts": mixed, "restated texts": asked}


def warm() -> None:
    """Latency and throughput in one process, for each kind of text."""
    from torchwhy import Assistant

    base = statistics.median(import_numpy() for _ in range(7))
    print(f"import numpy, a whole process                {1000 * base:8.1f} ms   the baseline")
    assistant = Assistant()
    for name, asked in texts().items():
        for text in asked[:20]:
            assistant.ask(text)
        times = []
        used = time.process_time()
        for text in asked:
            started = time.perf_counter()
            assistant.ask(text)
            times.append(time.perf_counter() - started)
        used = 1000 * (time.process_time() - used) / len(asked)
        times.sort()
        mean = sum(times) / len(times)
        characters = sum(map(len, asked)) // len(asked)
        print(f"\n{name}: {len(asked)}, {characters} characters on average")
        for label, value in (
            ("mean", mean),
            ("p50", times[len(times) // 2]),
            ("p95", times[-len(times) // 20]),
        ):
            print(f"   one by one, {label:4} {1000 * value:8.1f} ms   {value / base:6.2f} times import numpy")
        print(f"   one by one          {used:8.1f} ms of CPU a text")
        for label, many in (("each once", asked), ("each twice", asked * 2)):
            started, used = time.perf_counter(), time.process_time()
            assistant.ask_many(many)
            took, used = time.perf_counter() - started, time.process_time() - used
            print(
                f"   ask_many, {label:10} {len(many) / took:8.1f} /s   {took / len(many) / mean:6.2f} times one by one; "
                f"{1000 * used / len(many):.2f} ms of CPU a text on {used / took:.1f} cores"
            )
        print(
            "   where the CPU time of a text goes (ms):",
            ", ".join(f"{part} {value:.2f}" for part, value in parts(assistant, asked)),
        )
    assert not {"torch", "sentence_transformers", "transformers"} & set(sys.modules), (
        "answering imported torch"
    )


def parts(assistant, asked: list[str]) -> list[tuple[str, float]]:  # type: ignore[no-untyped-def]
    """CPU milliseconds a text by part (vectors: only those texts that need them, over all)."""
    from torchwhy.paste.parse import parse
    from torchwhy.retrieval.matcher import query_text

    matcher = assistant.matcher
    result = []

    def timed(name: str, call):  # type: ignore[no-untyped-def]
        started = time.process_time()
        value = call()
        result.append((name, 1000 * (time.process_time() - started) / len(asked)))
        return value

    pastes = timed("parsing", lambda: [parse(text) for text in asked])
    timed("signatures", lambda: [matcher.wordings.claims(paste.text) for paste in pastes])
    timed("bm25", lambda: [assistant.store.words.search(paste.distilled) for paste in pastes])
    timed(
        "naive Bayes",
        lambda: [assistant.store.bayes.scores(paste.distilled) for paste in pastes],
    )
    evidence = timed("all evidence without vectors", lambda: [matcher.features(paste) for paste in pastes])
    need = [query_text(paste) for paste, each in zip(pastes, evidence, strict=True) if not each.settled]
    vectors = matcher.open_vectors()
    if vectors is not None:
        found = timed("embedding", lambda: vectors.encode(need))
        timed("nearest passages", lambda: vectors.nearest(found))
    return result


if __name__ == "__main__":
    warm()
