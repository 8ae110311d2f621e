"""How fast answering is: `python tests/bench_speed.py [warm] [logs] [entries]` (default: all three).

warm: `ask` and `ask_many` over real texts. logs: a 50 MB log against a small one, seconds and peak memory. entries: the
knowledge base against one ten times as large (a made one, compiled on the first run: minutes). Ratios are to a baseline of
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

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))
TIMES = 10  # as many entries
SETTLED = "RuntimeError: Trying to backward through the graph a second time (or directly access saved tensors after they have already been freed)."
WORDS = "my loss is fine but the accuracy never moves"
UNSETTLED = (
    'Traceback (most recent call last):\n  File "train.py", line 9, in <module>\n    main()\nValueError: the accuracy never moves although the loss is fine\n'
)
ASK = """\
import json, re, sys, time
from assistant import cli
status = cli.main(sys.argv[1:])
assert not {"torch", "sentence_transformers", "transformers"} & set(sys.modules), "answering imported torch"
peak = re.search(r"VmHWM:\\s+(\\d+) kB", open("/proc/self/status").read())[1]  # this program's own; ru_maxrss begins with its parent's
print(json.dumps({"status": status, "mib": int(peak) // 1024, "cpu": time.process_time()}), file=sys.stderr)
"""


def environment(**more: str) -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": str(ROOT), **more}


def process(words: list[str], **more: str) -> tuple[float, dict[str, float]]:
    """(seconds, what the process said of itself) of one question in a process of its own."""
    started = time.perf_counter()
    done = subprocess.run([sys.executable, "-c", ASK, *words], capture_output=True, text=True, env=environment(**more), check=True)
    return time.perf_counter() - started, json.loads(done.stderr.strip().splitlines()[-1])


def import_numpy() -> float:
    started = time.perf_counter()
    subprocess.run([sys.executable, "-c", "import numpy"], check=True)
    return time.perf_counter() - started


def in_turn(runs: int, **what) -> dict[str, float]:  # type: ignore[no-untyped-def]
    """Medians of callables that give seconds, run in turn, so that a machine whose speed drifts treats all alike."""
    for call in what.values():
        call()
    times: dict[str, list[float]] = {name: [] for name in what}
    for _ in range(runs):
        for name, call in what.items():
            times[name].append(call())
    return {name: statistics.median(values) for name, values in times.items()}


def texts() -> list[str]:
    rows = [json.loads(line) for line in (ROOT / "data" / "eval" / "dev.jsonl").read_text("utf-8").splitlines()]
    return [row["text"] for row in rows]


def warm() -> None:
    """Latency and throughput in one process."""
    from assistant import Assistant

    base = statistics.median(import_numpy() for _ in range(7))
    assistant = Assistant()
    asked = texts()
    for text in asked[:20]:
        assistant.ask(text)
    times = []
    for text in asked:
        started = time.perf_counter()
        assistant.ask(text)
        times.append(time.perf_counter() - started)
    times.sort()
    print(f"import numpy, a whole process                {1000 * base:8.1f} ms   the baseline")
    for name, share in (("p50", 0.5), ("p95", 0.95)):
        value = times[int(share * len(times))]
        print(f"warm ask, {name} of {len(times)} texts                  {1000 * value:8.1f} ms   {value / base:6.2f} times import numpy")
    many = asked * 2
    assistant.ask_many(many[:64])
    started, used = time.perf_counter(), time.process_time()
    answers = assistant.ask_many(many)
    took, used = time.perf_counter() - started, time.process_time() - used
    open_ = sum(answer.paste.errors == () for answer in answers)
    print(
        f"ask_many, {len(many)} texts ({open_} without an error)     {len(many) / took:8.1f} /s   {took / len(many) / (sum(times) / len(times)):6.2f} times one by one"
    )
    print(f"   of {len(os.sched_getaffinity(0))} cores it used                     {used / took:8.2f}      {1000 * used / len(many):6.2f} ms of CPU a text")
    print("   where the CPU time of a text goes (ms):", ", ".join(f"{name} {value:.2f}" for name, value in parts(assistant, asked)))
    assert not {"torch", "sentence_transformers", "transformers"} & set(sys.modules), "answering imported torch"


def parts(assistant, asked: list[str]) -> list[tuple[str, float]]:  # type: ignore[no-untyped-def]
    """CPU milliseconds a text by part (vectors: only those texts that need them, over all)."""
    from assistant import bayes, lexical
    from assistant.match import question_of, views
    from assistant.paste import parse

    matcher = assistant.matcher
    result = []

    def timed(name: str, call):  # type: ignore[no-untyped-def]
        started = time.process_time()
        value = call()
        result.append((name, 1000 * (time.process_time() - started) / len(asked)))
        return value

    pastes = timed("parsing", lambda: [parse(text) for text in asked])
    timed("signatures", lambda: [matcher.signatures.claims(paste.text) for paste in pastes])
    timed("bm25", lambda: [lexical.search(assistant.store, question_of(paste)) for paste in pastes])
    timed("naive Bayes", lambda: [bayes.scores(assistant.store.db, question_of(paste)) for paste in pastes])
    evidence = timed("all evidence without vectors", lambda: [matcher.evidence(paste) for paste in pastes])
    need = [text for paste, each in zip(pastes, evidence, strict=True) if not each.settled for text in views(paste)]
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
    error = 'Traceback (most recent call last):\n  File "train.py", line 9, in <module>\n    main()\n' + SETTLED + "\n"
    plain, emoji = "step 1234 loss 0.123 lr 1e-4 it 12.3\n", "step 1234 loss 0.123 lr 1e-4 ok 🙂\n"
    for name, filler, what in (
        ("ASCII, a signature settles it", plain, error), ("emoji, a signature settles it", emoji, error), ("ASCII, needs vectors", plain, UNSETTLED),
        ("emoji, needs vectors", emoji, UNSETTLED),
    ):  # fmt: skip
        small, large = log(folder / "small.log", 4000, filler, what), log(folder / "large.log", 50_000_000, filler, what)
        runs = {"small": [process(["-f", str(small)]) for _ in range(3)], "large": [process(["-f", str(large)]) for _ in range(3)]}
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


def grow(folder: Path) -> None:
    """TIMES - 1 copies of every entry with every third word changed, and messages of their own."""
    import yaml

    from assistant.patterns import compile_pattern

    for path in sorted((ROOT / "kb").glob("[!_]*/*/pitfall.yaml")):
        entry = yaml.safe_load(path.read_text("utf-8"))
        for number in range(1, TIMES):
            mark = "bcdfghklm"[number - 1]

            def changed(text: str, mark: str = mark) -> str:
                return LATIN.sub(lambda found: found[0] + (mark if sum(map(ord, found[0])) % 3 == 0 else ""), text)

            copy = json.loads(json.dumps(entry))
            for name in ("title", "cause", "fix", "check"):
                copy[name] = {lang: changed(text) for lang, text in copy[name].items()}
            copy["title"] = {lang: f"{text} ({mark})" for lang, text in copy["title"].items()}
            copy["asks"] = {lang: [changed(line) + f" {mark}" for line in lines] for lang, lines in copy["asks"].items()}
            for signature in copy.get("signatures", ()):
                own = compile_pattern(signature["pattern"]).search(signature["example"])
                signature["example"] = f"{signature['example'][: own.start()]}made{mark} {signature['example'][own.start() :]}"
                signature["pattern"] = re.sub(
                    r"^(\(\?[a-z]+\))?(\\b|\^)?", lambda found, mark=mark: f"{found[1] or ''}made{mark} ", signature["pattern"], count=1
                )
                signature.pop("context", None)
            copy.pop("look_alikes", None)
            target = folder / path.parent.parent.name / f"{path.parent.name}-{mark}"
            target.mkdir(parents=True, exist_ok=True)
            (target / "pitfall.yaml").write_text(yaml.safe_dump(copy, allow_unicode=True, sort_keys=False), "utf-8")
            if (path.parent / "repro.py").exists():
                shutil.copyfile(path.parent / "repro.py", target / "repro.py")


BUILD = """\
import hashlib, sys
import numpy as np
from assistant import Assistant, locations
from assistant.normalise import for_meaning
from assistant.vectors import VectorCache
# Embedding 85,000 passages would take an hour: the copies get their originals' vectors, turned a little.
assistant = Assistant(vectors=False)
print(assistant.store.count, "entries", assistant.store.problems[:2], file=sys.stderr)
cache = VectorCache(assistant.model)
rng = np.random.default_rng(0)
known = list(cache.read([row[0] for row in __import__("sqlite3").connect(cache.path).execute("SELECT hash FROM vector LIMIT 5000")]).values())
hashes = list(dict.fromkeys(hashlib.sha256(for_meaning(row[4]).encode()).hexdigest() for row in assistant.store.passages()))
have = cache.read(hashes)
fresh = {}
for number, key in enumerate(key for key in hashes if key not in have):
    vector = known[number % len(known)]
    turned = vector + rng.normal(0, 0.02, len(vector))
    fresh[key] = (turned * np.linalg.norm(vector) / np.linalg.norm(turned)).astype("float32")
cache.write(fresh)
Assistant().build()
"""


def entries() -> None:
    """The same questions of 188 entries and of ten times as many."""
    folder = work_folder()
    large, cache = folder / "kb", folder / "cache"
    own = Path(os.environ.get("TORCHWHY_CACHE") or Path.home() / ".cache" / "torchwhy")
    if not (folder / "built").exists():
        shutil.rmtree(large, ignore_errors=True)
        grow(large)
        cache.mkdir(exist_ok=True)
        for path in (*own.glob("encoder-*"), *own.glob("vectors-*")):
            shutil.copytree(path, cache / path.name, dirs_exist_ok=True) if path.is_dir() else shutil.copyfile(path, cache / path.name)
        subprocess.run([sys.executable, "-c", BUILD], env=environment(TORCHWHY_KB=str(large), TORCHWHY_CACHE=str(cache)), check=True)
        (folder / "built").touch()
    more = {"TORCHWHY_KB": str(large), "TORCHWHY_CACHE": str(cache)}
    for name, text in (("a signature settles it", SETTLED), ("needs vectors", WORDS)):
        cpu: dict[str, list[float]] = {"small": [], "large": []}

        def one(key: str, env: dict[str, str], text: str = text, cpu: dict[str, list[float]] = cpu) -> float:
            took, said = process([text], **env)
            cpu[key].append(said["cpu"])
            return took

        found = in_turn(7, small=lambda one=one: one("small", {}), large=lambda one=one: one("large", more))
        print(
            f"{TIMES} times the entries, whole process, {name:24} {1000 * found['large']:6.0f} ms against {1000 * found['small']:6.0f} ms: {found['large'] / found['small']:.2f} times;"
            f" CPU {min(cpu['large']) / min(cpu['small']):.2f} times"
        )
    code = (
        "import json, sys, time, statistics\nfrom assistant import Assistant\nassistant = Assistant()\n"
        "texts = json.loads(sys.stdin.read())\n[assistant.ask(text) for text in texts[:10]]\ntimes = []\n"
        "for text in texts:\n    started = time.perf_counter(); assistant.ask(text); times.append(time.perf_counter() - started)\n"
        "print(statistics.median(times))"
    )
    asked = json.dumps(texts()[:120])

    def median(**env: str) -> float:
        return float(subprocess.run([sys.executable, "-c", code], input=asked, capture_output=True, text=True, env=environment(**env), check=True).stdout)

    found = in_turn(3, small=median, large=lambda: median(**more))
    print(
        f"{TIMES} times the entries, warm ask, p50                         {1000 * found['large']:6.1f} ms against {1000 * found['small']:6.1f} ms: {found['large'] / found['small']:.2f} times"
    )


def main() -> None:
    wanted = sys.argv[1:] or ["warm", "logs", "entries"]
    subprocess.run([sys.executable, "-m", "assistant", "index"], env=environment(), check=True, capture_output=True)  # may need torch, once
    for name in wanted:
        {"warm": warm, "logs": logs, "entries": entries}[name]()


if __name__ == "__main__":
    main()
