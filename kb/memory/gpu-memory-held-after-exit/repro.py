"""A training program is killed, but its child process lives on and keeps 512 MiB of the GPU; ending the whole group frees them."""

import json
import os
import signal
import subprocess
import sys
import time

import torch


def child(pipe):
    weights = torch.zeros(512 << 20, dtype=torch.uint8, device="cuda")
    print("ready", weights.numel(), flush=True)
    os.read(pipe, 1)  # works on, until the demonstration is over


def program(pipe):
    subprocess.run(
        [sys.executable, os.path.abspath(__file__), "--child", str(pipe)], pass_fds=[pipe], check=False
    )


def used():
    free, total = torch.cuda.mem_get_info()
    return total - free


def train(stop):
    if not torch.cuda.is_available():
        print("needs a GPU", file=sys.stderr)
        sys.exit(125)
    before = used()
    pipe, over = os.pipe()
    training = subprocess.Popen(
        [sys.executable, os.path.abspath(__file__), "--program", str(pipe)],
        stdout=subprocess.PIPE,
        text=True,
        pass_fds=[pipe],
        start_new_session=True,
    )
    try:
        if not training.stdout.readline().startswith("ready"):
            print("the program could not take GPU memory", file=sys.stderr)
            sys.exit(125)
        stop(training)
        training.wait()
        deadline = time.monotonic() + 5
        while used() - before > 256 << 20 and time.monotonic() < deadline:
            time.sleep(0.1)
        held = used() - before
    finally:
        os.close(over)  # lets the orphan end
    print(json.dumps({"program_alive": training.poll() is None, "held_mib": held >> 20}))
    if held > 256 << 20:
        sys.exit(f"symptom: {held >> 20} MiB of GPU memory are still taken after the program was killed")


def broken():
    train(lambda training: training.kill())


def fixed():
    train(lambda training: os.killpg(training.pid, signal.SIGKILL))


if __name__ == "__main__":
    if sys.argv[1:2] == ["--child"]:
        child(int(sys.argv[2]))
    elif sys.argv[1:2] == ["--program"]:
        program(int(sys.argv[2]))
    else:
        fixed() if "--fixed" in sys.argv[1:] else broken()
