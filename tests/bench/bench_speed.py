"""How fast answering is: `python tests/bench/bench_speed.py [warm] [logs] [entries]` (default: all three).

warm: `ask` and `ask_many` over real texts. logs: a 50 MB log against a small one, seconds and peak memory. entries: the
knowledge base against ones two and ten times as large (made ones, compiled on the first run: minutes). Ratios are to a baseline of
the same run; absolute figures stand beside them. Asserts that torch is never imported, so no GPU memory is used either.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import statistics
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))
TIMES = 10  # as many entries
SETTLED = "RuntimeError: Trying to backward through the graph a second time (or directly access saved tensors after they have already been freed)."
WORDS = "my loss is fine but the accuracy never moves"
UNSETTLED = 'Traceback (most recent call last):\n  File "train.py", line 9, in <module>\n    main()\nValueError: the accuracy never moves although the loss is fine\n'
ASK = """\
import json, re, sys, time
from torchwhy import cli
status = cli.main(sys.argv[1:])
assert not {"torch", "sentence_transformers", "transformers"} & set(sys.modules), "answering imported torch"
peak = re.search(r"VmHWM:\\s+(\\d+) kB", open("/proc/self/status").read())[1]  # this program's own; ru_maxrss begins with its parent's
print(json.dumps({"status": status, "mib": int(peak) // 1024, "cpu": time.process_time()}), file=sys.stderr)
"""


def environment(**more: str) -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": str(ROOT / "assistant"), **more}


def process(words: list[str], **more: str) -> tuple[float, dict[str, float]]:
    """(seconds, what the process said of itself) of one question in a process of its own."""
    started = time.perf_counter()
    done = subprocess.run(
        [sys.executable, "-c", ASK, *words],
        capture_output=True,
        text=True,
        env=environment(**more),
        check=True,
    )
    return time.perf_counter() - started, json.loads(done.stderr.strip().splitlines()[-1])


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
    from torchwhy.retrieval.matcher import query_texts

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
    evidence = timed("all evidence without vectors", lambda: [matcher.evidence(paste) for paste in pastes])
    need = [
        text
        for paste, each in zip(pastes, evidence, strict=True)
        if not each.settled
        for text in query_texts(paste)
    ]
    vectors = matcher.open_vectors()
    if vectors is not None:
        found = timed("embedding", lambda: vectors.encode(need))
        timed("nearest passages", lambda: vectors.nearest(found))
    return result


def log(path: Path, size: int, filler: str, error: str) -> Path:
    half = filler * (size // (2 * len(filler.encode())))
    path.write_bytes((half + error + half).encode())
    return path


def logs() -> None:
    """A 50 MB log against a small one: seconds more, and the peak of memory."""
    folder = work_folder()
    error = (
        'Traceback (most recent call last):\n  File "train.py", line 9, in <module>\n    main()\n'
        + SETTLED
        + "\n"
    )
    plain, emoji = "step 1234 loss 0.123 lr 1e-4 it 12.3\n", "step 1234 loss 0.123 lr 1e-4 ok 🙂\n"
    for name, filler, what in (
        ("ASCII, a signature settles it", plain, error),
        ("emoji, a signature settles it", emoji, error),
        ("ASCII, needs vectors", plain, UNSETTLED),
        ("emoji, needs vectors", emoji, UNSETTLED),
    ):
        small, large = (
            log(folder / "small.log", 4000, filler, what),
            log(folder / "large.log", 50_000_000, filler, what),
        )
        runs = {
            "small": [process(["-f", str(small)]) for _ in range(3)],
            "large": [process(["-f", str(large)]) for _ in range(3)],
        }
        took = {key: statistics.median(seconds for seconds, _ in each) for key, each in runs.items()}
        cpu = {key: min(said["cpu"] for _, said in each) for key, each in runs.items()}
        peak = {key: max(said["mib"] for _, said in each) for key, each in runs.items()}
        print(
            f"50 MB, {name:30} {took['large']:6.2f} s, {took['large'] - took['small']:5.2f} s more than {took['small']:.2f} s"
            f" ({took['large'] / took['small']:.1f} times); peak {peak['large']} MiB (small: {peak['small']} MiB); "
            f"CPU {cpu['large']:.2f} s against {cpu['small']:.2f} s"
        )


def work_folder() -> Path:
    folder = Path(os.environ.get("TORCHWHY_CACHE") or Path.home() / ".cache" / "torchwhy") / "bench"
    folder.mkdir(parents=True, exist_ok=True)
    return folder


LATIN = re.compile(r"\b[a-z]{5,}\b")


def grow(folder: Path, times: int) -> None:
    """times - 1 copies of every entry with every third word changed, and messages of their own."""
    import yaml

    from torchwhy.knowledge.files import ASKS_FILES
    from torchwhy.knowledge.patterns import compile_pattern

    for path in sorted((ROOT / "kb").glob("[!_]*/*/pitfall.yaml")):
        entry = yaml.safe_load(path.read_text("utf-8"))
        for number in range(1, times):
            mark = "bcdfghklm"[number - 1]

            def changed(text: str, mark: str = mark) -> str:
                return LATIN.sub(
                    lambda found: found[0] + (mark if sum(map(ord, found[0])) % 3 == 0 else ""), text
                )

            copy = json.loads(json.dumps(entry))
            for name in ("title", "cause", "fix", "check"):
                copy[name] = {lang: changed(text) for lang, text in copy[name].items()}
            copy["title"] = {lang: f"{text} ({mark})" for lang, text in copy["title"].items()}
            for signature in copy.get("signatures", ()):
                own = compile_pattern(signature["pattern"]).search(signature["example"])
                signature["example"] = (
                    f"{signature['example'][: own.start()]}made{mark} {signature['example'][own.start() :]}"
                )
                signature["pattern"] = re.sub(
                    r"^(\(\?[a-z]+\))?(\\b|\^)?",
                    lambda found, mark=mark: f"{found[1] or ''}made{mark} ",
                    signature["pattern"],
                    count=1,
                )
                signature.pop("context", None)
            copy.pop("look_alikes", None)
            target = folder / path.parent.parent.name / f"{path.parent.name}-{mark}"
            target.mkdir(parents=True, exist_ok=True)
            (target / "pitfall.yaml").write_text(
                yaml.safe_dump(copy, allow_unicode=True, sort_keys=False), "utf-8"
            )
            for name in ASKS_FILES.values():
                lines = (path.parent / name).read_text("utf-8").splitlines()
                (target / name).write_text("".join(f"{changed(line)} {mark}\n" for line in lines), "utf-8")
            if (path.parent / "repro.py").exists():
                shutil.copyfile(path.parent / "repro.py", target / "repro.py")


BUILD = """\
import hashlib
import numpy as np
from torchwhy import Assistant
from torchwhy.embedding.shipped_encoder import ShippedEncoder
from torchwhy.retrieval.build_vectors import VectorCache
from torchwhy.retrieval.tokens import for_meaning
# Embedding 110,000 passages would take an hour: the copies get some passages' vectors, turned a little.
assistant = Assistant(vectors=False)
cache = VectorCache(assistant.model)
rng = np.random.default_rng(0)
texts = [for_meaning(row[4]) for row in assistant.store.passages()]
known = ShippedEncoder().encode(texts[::100][:800])
hashes = list(dict.fromkeys(hashlib.sha256(text.encode()).hexdigest() for text in texts))
for start in range(0, len(hashes), 5000):
    part = hashes[start:start + 5000]
    vectors = known[rng.integers(0, len(known), len(part))]
    turned = vectors + rng.normal(0, 0.02, vectors.shape)
    turned *= np.linalg.norm(vectors, axis=1, keepdims=True) / np.linalg.norm(turned, axis=1, keepdims=True)
    cache.write(dict(zip(part, turned.astype("float32"))))
Assistant().build()
"""
ASKED = """\
import json, statistics, sys, time
from torchwhy import Assistant
assistant = Assistant()
texts = json.loads(sys.stdin.read())
[assistant.ask(text) for text in texts[:10]]
times = []
for text in texts:
    started = time.process_time()
    assistant.ask(text)
    times.append(time.process_time() - started)
print(statistics.median(times), sum(times) / len(times))
"""


def entries() -> None:
    """The same questions of the shipped entries, of twice and of ten times as many: ratios of CPU time."""
    folder = work_folder()
    environments: dict[int, dict[str, str]] = {1: {"TORCHWHY_CACHE": str(folder / "cache-1")}}
    for times in (2, TIMES):
        large, cache = folder / f"kb-{times}", folder / f"cache-{times}"
        environments[times] = {"TORCHWHY_KB": str(large), "TORCHWHY_CACHE": str(cache)}
        if not (cache / "built").exists():
            shutil.rmtree(large, ignore_errors=True)
            grow(large, times)
            cache.mkdir(exist_ok=True)
            subprocess.run([sys.executable, "-c", BUILD], env=environment(**environments[times]), check=True)
            (cache / "built").touch()
    for name, text in (("a signature settles it", SETTLED), ("needs vectors", WORDS)):
        cpu: dict[int, list[float]] = {times: [] for times in environments}
        for run in range(8):
            for times, env in environments.items():
                used = process([text], **env)[1]["cpu"]
                if run:  # the first builds what is missing
                    cpu[times].append(used)
        report(f"whole process, {name}", {times: statistics.median(values) for times, values in cpu.items()})
    for name, asked in texts().items():
        found: dict[int, list[tuple[float, float]]] = {times: [] for times in environments}
        for _ in range(3):
            for times, env in environments.items():
                done = subprocess.run(
                    [sys.executable, "-c", ASKED],
                    input=json.dumps(asked[:120]),
                    capture_output=True,
                    text=True,
                    env=environment(**env),
                    check=True,
                )
                median, mean = map(float, done.stdout.split())
                found[times].append((median, mean))
        for at, what in enumerate(("median", "mean")):
            report(
                f"warm, {name}, {what}",
                {times: min(each[at] for each in runs) for times, runs in found.items()},
            )


def report(what: str, cpu: dict[int, float]) -> None:
    cells = [f"x{times} {1000 * value:6.1f} ms ({value / cpu[1]:.2f})" for times, value in cpu.items()]
    print(f"{what:42} CPU: " + ", ".join(cells), flush=True)


def main() -> None:
    wanted = sys.argv[1:] or ["warm", "logs", "entries"]
    for name in wanted:
        {"warm": warm, "logs": logs, "entries": entries}[name]()


if __name__ == "__main__":
    main()
