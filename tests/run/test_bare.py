"""Programs behave below `torchwhy run` as without it: the bytes of their outputs and their exit status."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.terminal import environment

pytestmark = pytest.mark.promise(3)

RUN = f"{sys.executable} -m torchwhy run --quiet --"
# What differs from run to run: addresses, times, process ids.
PASSING = re.compile(r"0x[0-9a-f]+|pid \d+|[0-9.]+s\b|(?<=\n)[EIW]\d{4} .*|(?<=\n)\[W.*")
NAMES = """
class Odd(Exception):
    def __str__(self): print("asked"); return "odd"
"""
WORK = "import sys, multiprocessing as m\ndef work(): print('in', flush=True); [][1]\nif __name__ == '__main__':\n    "
# What Python does with each, with the hook and without.
PROGRAMS = {
    "error": "raise ValueError('no')",
    "os_exit": "import os; os._exit(9)",
    "kill": "import os; os.kill(os.getpid(), 9)",
    "segfault": "import ctypes; ctypes.string_at(0)",
    "thread": "import threading; t = threading.Thread(target=lambda: 1 / 0); t.start(); t.join(); raise SystemExit(4)",
    "thread-exit": "import threading; t = threading.Thread(target=lambda: exit(3)); t.start(); t.join()",
    "path": "import sys; print(sys.path, sys.excepthook is sys.__excepthook__, [n for n in sys.modules if 'custom' in n])",
    "imported": "import sys; print(sorted({*sys.modules} - {'atexit'}))",
    "open-files": "import os; print(os.listdir('/proc/self/fd'))",
    "signals": "import signal; print([(n, signal.getsignal(n)) for n in sorted(signal.valid_signals())])",
    "faulthandler": "import faulthandler; print(faulthandler.is_enabled())",
    "chained": "try: 1 / 0\nexcept ZeroDivisionError as e: raise KeyError('k') from e",
    "long-chain": "e = None\nfor i in range(400):\n try: raise ValueError(i) from e\n except ValueError as f: e = f\nraise e",
    "group": "raise ExceptionGroup('g', [ValueError(1), KeyError(2)])" if sys.version_info >= (3, 11) else "1 / 0",
    "logged": "import logging\ntry: 1 / 0\nexcept Exception: logging.exception('bad'); raise SystemExit(1)",
    "printed": "import traceback\nfor i in range(40):\n try: 1 / 0\n except Exception: traceback.print_exc()\nraise SystemExit(1)",
    "caught": "import traceback, sys\ntry: 1 / 0\nexcept Exception: print(traceback.format_exc()); sys.exit(3)",
    "syntax": "compile('a b', 'f.py', 'exec')",
    "exit-text": "raise SystemExit('a last word')",
    "interrupt": "raise KeyboardInterrupt",
    "recursion": "import sys; sys.setrecursionlimit(60)\ndef f(): f()\nf()",
    "memory": "bytearray(1 << 62)",
    "own-str": f"{NAMES}raise Odd",
    "own-str-of-an-argument": f"{NAMES}raise ValueError(Odd())",
    "no-str": "class E(Exception):\n    def __str__(self): raise RuntimeError\nraise E",
    "own-hook": "import sys; sys.excepthook = lambda *a: print('mine', a[1]); 1 / 0",
    "own-thread-hook": "import threading; threading.excepthook = lambda a: print('mine', a.exc_value)\nt = threading.Thread(target=lambda: 1 / 0); t.start(); t.join()",
    "hook-that-fails": "import sys; sys.excepthook = lambda *a: a.b; 1 / 0",
    "at-exit": "import atexit; atexit.register(print, 'bye'); 1 / 0",
    "del": "class A:\n    def __del__(self): 1 / 0\na = A(); del a; print('on')",
    "warning": "import warnings; warnings.warn('old'); print(warnings.filters[:1])",
    "asyncio": "import asyncio\nasync def f(): 1 / 0\nasyncio.run(f())",
    "alarm": "import signal, time; signal.signal(signal.SIGALRM, lambda *_: print('rang')); signal.setitimer(signal.ITIMER_REAL, 0.05); time.sleep(0.2)",
    "fork": f"{WORK}p = m.get_context('fork').Process(target=work); p.start(); p.join(); sys.exit(p.exitcode)",
    "spawn": f"{WORK}p = m.get_context('spawn').Process(target=work); p.start(); p.join(); sys.exit(p.exitcode)",
    "forkserver": f"{WORK}p = m.get_context('forkserver').Process(target=work); p.start(); p.join(); sys.exit(p.exitcode)",
    "pool": "import multiprocessing as m\nif __name__ == '__main__':\n    with m.Pool(1) as pool: print(pool.map(abs, [-1])); pool.map(len, [1])",
    "executor": "from concurrent.futures import ThreadPoolExecutor as T\nwith T(1) as t: t.submit(lambda: 1 / 0).result()",
    "child": "import subprocess, sys; sys.exit(subprocess.run([sys.executable, '-c', 'raise KeyError(1)']).returncode)",
    "exec": "import os, sys; os.execv(sys.executable, [sys.executable, '-c', 'raise KeyError(2)'])",
    "all-closed": "import os\nos.closerange(0, 2000)\nfor i in range(600): n = os.open('shard', os.O_WRONLY | os.O_CREAT | os.O_APPEND); os.write(n, b'%d ' % i)\nos.abort()",
    "input": "print('got', input('name? '))",
    "pdb": "import pdb\nx = 3\npdb.set_trace()\nprint('on')",
    "import-fails": "import torchwhy_no_such_module",
    "own-names": "import watch, json; print(watch.x, json.__name__)",
}  # fmt: skip
OPTIONS = ("-I", "-S", "-E", "-O", "-u", "-B", "-s", "-W error", "-X faulthandler", "-X dev")
ONE = '"$PYTHON" {} >{name}.out 2>{name}.err <stdin; echo $? >{name}.status'
LOOP = "\n".join(
    [
        *(ONE.format(f"{name}.py", name=name) for name in PROGRAMS),
        *(
            ONE.format(f"{option} -c 'import sys; print(sys.flags); raise KeyError(1)'", name=number)
            for number, option in enumerate(OPTIONS)
        ),
        ONE.format("- 0<error.py", name="from-stdin"),
        "exit 7",
    ]
)


@pytest.fixture(scope="module")
def all_ran(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """The folders in which all programs ran bare, and below one `torchwhy run`; the same path for both."""
    place = tmp_path_factory.mktemp("place")
    folders = []
    for words in ([], RUN.split()):
        folder = place / "here"
        folder.mkdir()
        for name, source in PROGRAMS.items():
            (folder / f"{name}.py").write_text(source + "\n")
        (folder / "watch.py").write_text("x = 'mine'\n")
        (folder / "stdin").write_text("p x\nc\n")
        env = {**environment(), "PYTHON": sys.executable, "PYTHONDONTWRITEBYTECODE": "1"}
        done = subprocess.run([*words, "bash", "-c", LOOP], cwd=folder, env=env, timeout=300, check=False)
        assert done.returncode == 7
        folders.append(folder.rename(place / ("run" if words else "bare")))
    return folders[0], folders[1]


@pytest.mark.parametrize("name", [*PROGRAMS, *map(str, range(len(OPTIONS))), "from-stdin"])
def test_python(name: str, all_ran: tuple[Path, Path]) -> None:
    found = [
        [PASSING.sub("", (folder / f"{name}.{kind}").read_text()) for kind in ("status", "out", "err")]
        for folder in all_ran
    ]
    assert found[1] == found[0]


def test_nothing_is_written_by_a_number_that_the_program_uses(all_ran: tuple[Path, Path]) -> None:
    bare, run = ((folder / "shard").read_text() for folder in all_ran)
    assert run == bare and len(bare.split()) == 600


# Shell lines; `@` stands for nothing, or for `torchwhy run --`.
LINES = {
    "ok": "@ echo fine",
    "status": "@ sh -c 'echo out; echo err >&2; exit 7'",
    "signal": "@ sh -c 'kill -TERM $$'",
    "killed": "@ sh -c 'kill -9 $$'",
    "binary": "@ head -c 3000000 /dev/urandom >/dev/null; @ cat /bin/sh | cksum",
    "binary errors": "@ sh -c 'cat /bin/sh >&2; exit 1' 2>&1 | cksum",
    "utf-16": "@ sh -c 'yes a | head -c 4000000 | iconv -t UTF-16 >&2; exit 1' 2>&1 | cksum",
    "100 MB": "@ head -c 100000000 /dev/zero | cksum",
    "20 MB of errors": "@ sh -c 'yes an error of some length | head -c 20000000 >&2; exit 1' 2>&1 | cksum",
    "bars": "@ python -c 'import sys\nfor i in range(3000): sys.stderr.write(f\"\\r{i}%|##|\")\nsys.exit(2)'",
    "half a line": "@ sh -c 'printf half; printf half >&2; exit 3'",
    "input": "printf 'one\\ntwo' | @ cat",
    "no input": "@ cat <&-; @ cat </dev/null",
    "no output": "@ sh -c 'echo out; exit 3' >&-",
    "no errors": "@ sh -c 'echo err >&2; exit 3' 2>&-",
    "errors thrown away": "@ sh -c 'echo out; echo err >&2; exit 3' 2>/dev/null",
    "a full disk": "@ sh -c 'echo err >&2; echo on; exit 5' 2>/dev/full",
    "a full disk for both": "@ sh -c 'echo err >&2; touch on; exit 5' >/dev/full 2>&1; ls",
    "one file for both": "@ python -c 'import os\nfor i in range(2000): os.write(1 + i % 2, b\"%d \" % i)\nos._exit(1)'"
    " >log 2>&1; echo $?; cat log",
    "a file that goes on": "echo before >log; @ sh -c 'echo out; echo err >&2; exit 1' >>log 2>&1; echo after >>log; cat log",
    "errors in a file": "echo before >log; (@ sh -c 'echo err >&2; exit 1'; echo after >&2) 2>>log; cat log",
    "the reader leaves": "@ yes | head -1; echo ${PIPESTATUS[*]}",
    "the reader of errors leaves": "@ sh -c 'yes >&2' 2>&1 >/dev/null | head -1; echo ${PIPESTATUS[*]}",
    "a daemon": "@ sh -c '(sleep 0.5; echo late >&2; echo later) & echo early; echo early >&2'",
    "a daemon that prints on": "@ sh -c '(for i in 1 2 3 4 5 6 7 8; do echo $i >&2; sleep 0.1; done) & exit 3'",
    "a daemon of its own session": "@ sh -c 'setsid sh -c \"sleep 0.5; echo late >&2\" & exit 2'",
    "exec": "@ sh -c 'exec sh -c \"echo in >&2; exit 4\"'",
    "all closed": "@ python -c 'import os; os.closerange(0, 300); os._exit(6)'",
    "a substitution": "@ cat <(echo from a substitution)",
    "a descriptor": "exec 7<<<seven; @ sh -c 'cat <&7'",
    "stderr by name": "@ sh -c 'echo named >/dev/stderr; echo again | tee /dev/stderr'",
    "not executable": "echo >plain; @ ./plain 2>/dev/null",
    "signals": "@ grep -h Sig[BIC] /proc/self/status",
    "ignored": "trap '' HUP USR1 INT; @ grep -h Sig[BIC] /proc/self/status",
    "limits": "ulimit -n 77 -c 0; umask 027; @ bash -c 'ulimit -n; ulimit -c; umask; pwd; nice'",
    "a thousand files": "ulimit -n 4096; for i in {20..1200}; do eval \"exec $i</dev/null\"; done; @ sh -c 'echo ok; exit 4'",
    "nested": "@ @ sh -c 'echo in; echo err >&2; exit 9'",
    "a json.py of its own": "echo 'print(\"mine runs\")' | tee json.py >ast.py; echo '1 / 0' >p.py; @ python p.py",
    "a broken sitecustomize": "echo 'raise RuntimeError(\"mine is broken\")' >sitecustomize.py;"
    " @ sh -c 'PYTHONPATH=$PYTHONPATH:$PWD python -c \"print(1)\"'",
    "its folder vanishes": "@ python -c 'import os, shutil; shutil.rmtree(os.environ.get(\"TORCHWHY_RUN_FOLDER\", \"none\"), True); [][1]'",
    "python": "printf 'import sys\\nprint(1)\\nraise ValueError(2)' >p.py; @ python p.py",
    "coverage": "echo 'print(1); raise KeyError(2)' >p.py; @ python -m coverage run p.py; python -m coverage report",
    "xdist": "printf 'def test_a(): pass\\ndef test_b(): assert 0' >test_p.py; @ python -m pytest -p no:cacheprovider -q -n 1 test_p.py",
    "torchrun": "echo 'import os, torch.distributed as d; d.init_process_group(\"gloo\"); d.barrier(); d.get_rank() or print(\"in\")' >p.py;"
    " OMP_NUM_THREADS=1 GLOO_SOCKET_IFNAME=lo @ python -m torch.distributed.run --standalone --nproc-per-node=2 p.py",
    "all its children": "@ sh -c 'sh -c \"echo a >&2\" & sh -c \"echo a >&2\" & wait; exit 1'",
}  # fmt: skip


@pytest.mark.parametrize("name", LINES)
def test_line(name: str, tmp_path: Path) -> None:
    found = []
    bin_folder = os.path.dirname(sys.executable)
    env = {**environment(), "PATH": f"{bin_folder}{os.pathsep}{os.environ['PATH']}"}
    for words in ("", RUN):
        folder = tmp_path / "here"
        folder.mkdir()
        done = subprocess.run(
            ["bash", "-c", LINES[name].replace("@", words)],
            cwd=folder,
            env=env,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=100,
            check=False,
        )
        found.append(
            [
                done.returncode,
                *(PASSING.sub("", text.decode("latin-1")) for text in (done.stdout, done.stderr)),
            ]
        )
        shutil.rmtree(folder)
    assert found[1] == found[0]
