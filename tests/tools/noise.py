"""What stands around an error on its way to whoever asks: bars, stamps, ranks, launchers, workers, notebooks, Windows.

Each wrapper takes the plain console output of a program and returns it as it looks elsewhere, or None where that cannot be
(a notebook has no core dump). Everything is drawn from one random generator, so a seed gives the same text.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator

Wrapper = Callable[[str, random.Random, str], "str | None"]
ENV = "/home/user/miniconda3/envs/dl/lib/python3.11"
HEADER = "Traceback (most recent call last):"
FRAME = re.compile(r'^  File "(?P<file>[^"]+)", line (?P<line>\d+), in (?P<function>.+)$')
ERROR = re.compile(r"^[A-Za-z_][\w.]*(?::|$)")

BEFORE = (
    f"{ENV}/site-packages/huggingface_hub/file_download.py:1132: FutureWarning: `resume_download` is deprecated and will be removed in version 1.0.0. Downloads always resume when possible.\n  warnings.warn(",
    f'{ENV}/site-packages/pkg_resources/__init__.py:121: DeprecationWarning: pkg_resources is deprecated as an API\n  warnings.warn("pkg_resources is deprecated as an API", DeprecationWarning)',
    f"{ENV}/site-packages/seaborn/_oldcore.py:1498: FutureWarning: is_categorical_dtype is deprecated and will be removed in a future version. Use isinstance(dtype, CategoricalDtype) instead\n  if pd.api.types.is_categorical_dtype(vector):",
    "wandb: Currently logged in as: user (team). Use `wandb login --relogin` to force relogin\nwandb: Tracking run with wandb version 0.16.2\nwandb: Run data is saved locally in /home/user/project/wandb/run-20250304_101233-a1b2c3d4",
    "Loading configuration from configs/base.yaml\n{'lr': 0.0003, 'batch_size': 32, 'epochs': 90, 'workers': 8, 'output_dir': './outputs'}\nNumber of parameters: 23.51 M",
    f"{ENV}/site-packages/requests/__init__.py:109: RequestsDependencyWarning: urllib3 (2.2.1) or chardet (5.2.0)/charset_normalizer (2.0.12) doesn't match a supported version!\n  warnings.warn(",
)
AFTER = (
    "srun: error: node01: task 0: Exited with exit code 1",
    "wandb: Waiting for W&B process to finish... (failed 1). Press Control-C to abort syncing.\nwandb: You can sync this run to the cloud by running:\nwandb: wandb sync /home/user/project/wandb/offline-run-20250304_101233-a1b2c3d4\nwandb: Find logs at: ./wandb/offline-run-20250304_101233-a1b2c3d4/logs",
    f"{ENV}/multiprocessing/resource_tracker.py:224: UserWarning: resource_tracker: There appear to be 12 leaked semaphore objects to clean up at shutdown\n  warnings.warn('resource_tracker: There appear to be %d '",
    f'Exception ignored in: <function _MultiProcessingDataLoaderIter.__del__ at 0x7f21b3c0d1f0>\n{HEADER}\n  File "{ENV}/site-packages/torch/utils/data/dataloader.py", line 1479, in __del__\n    self._shutdown_workers()\n  File "{ENV}/site-packages/torch/utils/data/dataloader.py", line 1443, in _shutdown_workers\n    w.join(timeout=_utils.MP_STATUS_CHECK_INTERVAL)\nAssertionError: can only join a child process',
    "(dl) user@node01:~/project$ ",
)


def bar(epoch: int, at: int, of: int, rng: random.Random) -> str:
    """One state of a tqdm bar."""
    full = 10 * at / of
    blocks = "█" * int(full) + (" ▏▎▍▌▋▊▉"[int(8 * (full % 1))] if full < 10 else "")
    return f"Epoch {epoch}: {100 * at // of:3d}%|{blocks:10}| {at}/{of} [00:{at // 9:02d}<00:{(of - at) // 9:02d}, {rng.uniform(6, 11):5.2f}it/s, loss={rng.uniform(0.3, 2.4):.3f}]"


def bars(text: str, rng: random.Random, torch: str) -> str:
    """After carriage returns; sometimes the error begins on the bar's own line."""
    of = rng.choice((97, 313, 1251))
    stopped = rng.randrange(0, of // 2)
    done = "\n".join(
        "\r".join(bar(epoch, at, of, rng) for at in range(0, of + 1, of // 3 or 1))
        for epoch in range(rng.randrange(0, 3))
    )
    now = "\r".join(bar(3, at, of, rng) for at in range(0, stopped + 1, max(1, stopped // 4)))
    return f"{done}\n{now}{rng.choice(('', chr(10)))}{text}".lstrip("\n")


def clock(rng: random.Random) -> Callable[[], tuple[str, str]]:
    """Gives (date, time with milliseconds), each call a little later."""
    seconds = [rng.randrange(0, 80000)]

    def tell() -> tuple[str, str]:
        seconds[0] += rng.randrange(0, 4)
        now = seconds[0] % 86400
        return (
            "2025-03-04",
            f"{now // 3600:02d}:{now // 60 % 60:02d}:{now % 60:02d}.{rng.randrange(1000):03d}",
        )

    return tell


def logged(text: str, rng: random.Random, torch: str) -> str:
    """After the lines of a logger."""
    tell = clock(rng)
    style = rng.choice(
        ("{0} {1} - INFO - trainer - {2}", "[{0} {1}][INFO] {2}", "{1} | INFO     | __main__:train:88 - {2}")
    )
    lines = []
    for step in range(0, 50 * rng.randrange(2, 9), 50):
        date, time = tell()
        lines.append(
            style.format(
                date, time.replace(".", ","), f"step {step} loss {rng.uniform(0.4, 2.5):.4f} lr 3.00e-04"
            )
        )
    return "\n".join(lines) + "\n" + text


def container(text: str, rng: random.Random, torch: str) -> str:
    """Every line behind a stamp, as `docker logs -t`, `kubectl logs --timestamps` and CI systems have it."""
    tell = clock(rng)
    lines = []
    for line in text.rstrip("\n").split("\n"):
        date, time = tell()
        lines.append(f"{date}T{time}{rng.randrange(10**6):06d}Z {line}")
    return "\n".join(lines) + "\n"


def launched(text: str, rng: random.Random, torch: str) -> str:
    """Under torchrun with two ranks: newer releases prefix each line of a rank, older ones do not; the launcher fails last."""
    pid = rng.randrange(20000, 90000)
    ranks = ("0", "1")
    if torch.startswith("1."):
        body = text if rng.random() < 0.5 else text + text
        said = f"WARNING:torch.distributed.elastic.multiprocessing.api:Sending process {pid} closing signal SIGTERM\nERROR:torch.distributed.elastic.multiprocessing.api:failed (exitcode: 1) local_rank: 0 (pid: {pid + 1}) of binary: /home/user/miniconda3/envs/dl/bin/python"
        start = "WARNING:torch.distributed.run:\n*****************************************\nSetting OMP_NUM_THREADS environment variable for each process to be 1 in default, to avoid your system being overloaded, please further tune the variable for optimal performance in your application as needed. \n*****************************************\n"
    else:
        parts = [[f"[rank{rank}]: {line}" for line in text.rstrip("\n").split("\n")] for rank in ranks]
        if rng.random() < 0.5:
            lines = parts[0] + parts[1]
        else:
            lines, queues = [], [list(part) for part in parts]
            while any(queues):
                queue = rng.choice([each for each in queues if each])
                count = rng.randrange(1, 6)
                lines += queue[:count]
                del queue[:count]
        body = "\n".join(lines) + "\n"
        said = f"W0304 10:12:41.{rng.randrange(10**6):06d} {pid} site-packages/torch/distributed/elastic/multiprocessing/api.py:897] Sending process {pid + 1} closing signal SIGTERM\nE0304 10:12:41.{rng.randrange(10**6):06d} {pid} site-packages/torch/distributed/elastic/multiprocessing/api.py:869] failed (exitcode: 1) local_rank: 0 (pid: {pid + 2}) of binary: /home/user/miniconda3/envs/dl/bin/python"
        start = f"W0304 10:12:33.{rng.randrange(10**6):06d} {pid} site-packages/torch/distributed/run.py:793] \nW0304 10:12:33.{rng.randrange(10**6):06d} {pid} site-packages/torch/distributed/run.py:793] *****************************************\nW0304 10:12:33.{rng.randrange(10**6):06d} {pid} site-packages/torch/distributed/run.py:793] Setting OMP_NUM_THREADS environment variable for each process to be 1 in default, to avoid your system being overloaded, please further tune the variable for optimal performance in your application as needed. \n"
    failed = f"""{HEADER}
  File "/home/user/miniconda3/envs/dl/bin/torchrun", line 8, in <module>
    sys.exit(main())
  File "{ENV}/site-packages/torch/distributed/elastic/multiprocessing/errors/__init__.py", line 355, in wrapper
    return f(*args, **kwargs)
  File "{ENV}/site-packages/torch/distributed/run.py", line 919, in main
    run(args)
  File "{ENV}/site-packages/torch/distributed/launcher/api.py", line 264, in launch_agent
    raise ChildFailedError(
torch.distributed.elastic.multiprocessing.errors.ChildFailedError:
============================================================
train.py FAILED
------------------------------------------------------------
Failures:
  <NO_OTHER_FAILURES>
------------------------------------------------------------
Root Cause (first observed failure):
[0]:
  time      : 2025-03-04_10:12:41
  host      : node01
  rank      : 0 (local_rank: 0)
  exitcode  : 1 (pid: {pid + 2})
  error_file: <N/A>
  traceback : To enable traceback see: https://pytorch.org/docs/stable/elastic/errors.html
============================================================
"""
    return f"{start if rng.random() < 0.5 else ''}{body}{said}\n{failed}"


def split(text: str) -> tuple[str, list[str], str] | None:
    """(what stands before, the frames' lines, the error) of an output that ends in one plain traceback; None for others."""
    if text.count(HEADER) != 1:
        return None
    before, rest = text.split(HEADER + "\n")
    lines = rest.rstrip("\n").split("\n")
    at = next((number for number, line in enumerate(lines) if ERROR.match(line)), None)
    if at is None or not any(FRAME.match(line) for line in lines[:at]):
        return None
    return before, lines[:at], "\n".join(lines[at:])


def carried(text: str, rng: random.Random, torch: str) -> str | None:
    """Re-raised by the main process from a DataLoader worker, or from a replica of DataParallel."""
    parts = split(text)
    if parts is None:
        return None
    before, frames, error = parts
    name, _, message = error.partition(":")
    if "\n" in message.strip() or not name.endswith("Error"):
        return None
    inner = [line for line in frames if line.strip("~^ ")]
    worker = rng.random() < 0.7
    if worker:
        outer = f"""{HEADER}
  File "/home/user/project/train.py", line {rng.randrange(60, 300)}, in <module>
    for step, batch in enumerate(train_loader):
  File "{ENV}/site-packages/torch/utils/data/dataloader.py", line 633, in __next__
    data = self._next_data()
  File "{ENV}/site-packages/torch/utils/data/dataloader.py", line 1345, in _next_data
    return self._process_data(data)
  File "{ENV}/site-packages/torch/utils/data/dataloader.py", line 1371, in _process_data
    data.reraise()
  File "{ENV}/site-packages/torch/_utils.py", line 644, in reraise
    raise exception
{name}: Caught {name.rsplit(".", 1)[-1]} in DataLoader worker process {rng.randrange(8)}.
Original {HEADER}
  File "{ENV}/site-packages/torch/utils/data/_utils/worker.py", line 308, in _worker_loop
    data = fetcher.fetch(index)
  File "{ENV}/site-packages/torch/utils/data/_utils/fetch.py", line 51, in fetch
    data = [self.dataset[idx] for idx in possibly_batched_index]
"""
    else:
        outer = f"""{HEADER}
  File "/home/user/project/train.py", line {rng.randrange(60, 300)}, in <module>
    output = model(images)
  File "{ENV}/site-packages/torch/nn/parallel/data_parallel.py", line 171, in forward
    outputs = self.parallel_apply(replicas, inputs, kwargs)
  File "{ENV}/site-packages/torch/nn/parallel/parallel_apply.py", line 89, in parallel_apply
    output.reraise()
  File "{ENV}/site-packages/torch/_utils.py", line 644, in reraise
    raise exception
{name}: Caught {name.rsplit(".", 1)[-1]} in replica {rng.randrange(1, 4)} on device 1.
Original {HEADER}
  File "{ENV}/site-packages/torch/nn/parallel/parallel_apply.py", line 64, in _worker
    output = module(*input, **kwargs)
"""
    return f"{before}{outer}" + "\n".join([*inner, error]) + "\n\n"


def notebook(text: str, rng: random.Random, torch: str) -> str | None:
    """As IPython shows it, with arrows; its colours whole, without the escape byte (as web pages leave them), or gone."""
    parts = split(text)
    if parts is None:
        return None
    before, lines, error = parts
    escape = rng.choice(("\x1b", "", None))

    def paint(code: str, text: str) -> str:
        return text if escape is None else f"{escape}[{code}m{text}{escape}[0m"

    name = error.partition(":")[0].partition("\n")[0]
    out = [
        paint("0;31m"[:-1], "-" * 75),
        f"{paint('0;31', name.rsplit('.', 1)[-1]):40} Traceback (most recent call last)",
    ]
    cell = rng.randrange(4, 60)
    for number, line in enumerate(lines):
        frame = FRAME.match(line)
        if not frame:
            continue
        after = (
            lines[number + 1].strip()
            if number + 1 < len(lines) and not FRAME.match(lines[number + 1])
            else ""
        )
        at = int(frame["line"])
        if frame["file"].endswith("train.py"):
            where = (
                f"Cell {paint('0;32', f'In[{cell}], line {at}')}"
                if frame["function"] == "<module>"
                else f"Cell {paint('0;32', f'In[{cell}], line {at}')}, in {paint('0;36', frame['function'])}(...)"
            )
        else:
            where = f"File {paint('0;32', frame['file'].replace('/home/user', '~') + f':{at}')}, in {paint('0;36', frame['function'])}(self, *args, **kwargs)"
        out += [
            where,
            f"{paint('1;32', f'{at - 1:7d}')} ",
            f"{paint('0;31', f'----> {at}')} {after}",
            f"{paint('1;32', f'{at + 1:7d}')} ",
            "",
        ]
    name_painted = paint("0;31", name)
    return f"{before}" + "\n".join(out) + f"\n{name_painted}{error[len(name) :]}\n"


def windows(text: str, rng: random.Random, torch: str) -> str:
    """With the paths and line ends of Windows, after a prompt."""
    moved = re.sub(
        r"/home/user/miniconda3/envs/dl/lib/python3\.11/([\w./-]+)",
        lambda found: "C:\\Users\\user\\miniconda3\\envs\\dl\\lib\\" + found[1].replace("/", "\\"),
        text,
    )
    moved = moved.replace("/home/user/project/", "D:\\work\\project\\").replace(
        "/home/user/miniconda3/envs/dl/", "C:\\Users\\user\\miniconda3\\envs\\dl\\"
    )
    return (f"(dl) PS D:\\work\\project> python train.py --epochs 20\n{moved}").replace("\n", "\r\n")


def quoted(text: str, rng: random.Random, torch: str) -> str:
    """In an issue: a sentence, a fenced block."""
    words = rng.choice(
        (
            "Hi, I get the following when I start training, any idea?",
            "Here is the full log. It worked yesterday.",
            "运行训练脚本时报了下面的错，请问怎么解决？",
            "how do I fix this",
        )
    )
    return f"{words}\n\n```\n{text.rstrip()}\n```\n"


WRAPPERS: dict[str, Wrapper] = {
    "bars": bars,
    "logger": logged,
    "container": container,
    "torchrun": launched,
    "worker": carried,
    "notebook": notebook,
    "windows": windows,
    "issue": quoted,
}
COUNT = 3


def variants(
    text: str, torch: str, category: str, kind: str, rng: random.Random
) -> Iterator[tuple[str, str]]:
    """COUNT different (name, text) of one output, each by one wrapper, most with noise before or after."""
    names = list(WRAPPERS)
    rng.shuffle(names)
    if kind == "warning" or "[rank" in text or "ChildFailedError" in text:
        names.remove("torchrun")  # nothing failed, or it has been through that
    if category not in ("data", "shapes", "dtype", "device", "modules", "loss"):
        names.remove("worker")  # elsewhere the error does not rise in a worker or a replica
    given = 0
    for name in names:
        noisy = text
        if rng.random() < 0.5:
            noisy = rng.choice(BEFORE) + "\n" + noisy
        wrapped = WRAPPERS[name](noisy, rng, torch)
        if wrapped is None:
            continue
        if name not in ("issue", "container") and rng.random() < 0.4:
            wrapped = (
                wrapped.rstrip("\n") + "\n" + rng.choice(AFTER if kind == "error" else AFTER[-1:]) + "\n"
            )
        yield name, wrapped
        given += 1
        if given == COUNT:
            return
