"""Runs many small programs in one interpreter: imports torch once, then forks. As old as the oldest Python that a torch of interest needs (3.6).

Reads a JSON list of programs from each line of standard input; answers with a line of {"torch": release, "bfloat16": whether oneDNN
takes it on this CPU, "outputs": what each program printed}.
"""

import json
import os
import runpy
import signal
import sys
import tempfile
import time
import traceback
import warnings

SECONDS = 90  # for one program


def child(program, folder, log):
    os.chdir(folder)
    with open("train.py", "w") as script:
        script.write(program)
    out = os.open(log, os.O_WRONLY | os.O_CREAT | os.O_APPEND)
    os.dup2(out, 1)
    os.dup2(out, 2)
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    sys.stdout, sys.stderr = os.fdopen(1, "w", 1), os.fdopen(2, "w", 1)
    sys.argv = ["train.py"]
    sys.path[0] = folder
    warnings.resetwarnings()
    warnings.simplefilter("default")
    status = 0
    try:
        runpy.run_path("train.py", run_name="__main__")
    except SystemExit as ended:
        status = ended.code if isinstance(ended.code, int) else 0 if ended.code is None else 1
        if isinstance(ended.code, str):
            sys.stderr.write(ended.code + "\n")
    except BaseException:
        traceback.print_exc()
        status = 1
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(status)


def run(program):
    with tempfile.TemporaryDirectory(prefix="printed-") as folder:
        log = os.path.join(folder, "log.txt")
        pid = os.fork()
        if pid == 0:
            os.setpgid(0, 0)
            child(program, folder, log)
        end, status = time.time() + SECONDS, None
        while status is None and time.time() < end:
            done, status = os.waitpid(pid, os.WNOHANG)
            if not done:
                status = None
                time.sleep(0.005)
        try:
            os.killpg(pid, signal.SIGKILL)
        except OSError:
            pass
        if status is None:
            os.waitpid(pid, 0)
        with open(log, errors="replace") as said:
            text = said.read()
        if status is None:
            text += f"\n[not finished after {SECONDS} s]"
        elif os.WIFSIGNALED(status):
            text += f"\n[killed by signal {os.WTERMSIG(status)}]"
        return text


def takes_bfloat16(torch):
    """What a kernel of oneDNN says depends on it; a torch that cannot tell counts as one that does not."""
    try:
        return bool(torch.ops.mkldnn._is_mkldnn_bf16_supported())
    except (AttributeError, RuntimeError):
        return False


def main():
    import torch

    # A fork inherits no threads: with one thread there are none to miss.
    torch.set_num_threads(1)
    for line in sys.stdin:
        outputs = [run(program) for program in json.loads(line)]
        told = {"torch": torch.__version__, "bfloat16": takes_bfloat16(torch), "outputs": outputs}
        print(json.dumps(told), flush=True)


if __name__ == "__main__":
    main()
