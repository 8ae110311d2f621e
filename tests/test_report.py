"""What is meant for others: a script that needs no tool, and a bug report without secrets."""

from __future__ import annotations

import json
import platform
import subprocess
import sys
import time
from pathlib import Path

import pytest

from assistant import environment, redact
from assistant.redact import MARK
from assistant.report import error_text, report

from .conftest import ROOT, write_entry
from .test_evidence import GOOD, script

TWICE = "RuntimeError: Trying to backward through the graph a second time (or directly access saved tensors after they have already been freed)."
PROBE = environment.Probe(
    "/home/alice/env/bin/python", "3.11.0", "linux", torch="2.13.0+cpu", packages={"numpy": "2.4.6", "Triton": "3.5.0", "secret-project": "1"}
)


# torchwhy repro


def test_the_script_stands_alone(torchwhy, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    write_entry(tmp_path / "kb", repro=script(GOOD))
    done = torchwhy("repro", "made-up", "--kb", str(tmp_path / "kb"))
    assert (done.returncode, done.stderr) == (0, "")
    header = [line for line in done.stdout.splitlines() if line.startswith("#")]
    assert header[0] == "# Two tensors are joined along a dimension while their other sizes differ"
    assert any("python repro.py --fixed" in line for line in header)
    assert done.stdout.endswith(script(GOOD))
    path = tmp_path / "repro.py"
    path.write_text(done.stdout)
    ran = subprocess.run([sys.executable, str(path)], capture_output=True, text=True, check=False)
    assert ran.returncode == 1 and "Sizes of tensors must match" in ran.stderr
    assert subprocess.run([sys.executable, str(path), "--fixed"], check=False).returncode == 0
    compiled = compile(done.stdout, "repro.py", "exec")
    assert compiled.co_consts[0] == "A made-up script.", "the header leaves the docstring a docstring"


def test_the_header_says_where_it_was_seen(torchwhy) -> None:  # type: ignore[no-untyped-def]
    done = torchwhy("repro", "backward-twice")
    assert "torch 2.13.0+cpu on cpu" in done.stdout.split('"""')[0]
    assert "assistant" not in done.stdout


def test_repro_in_chinese_and_json(torchwhy) -> None:  # type: ignore[no-untyped-def]
    assert "用报错的那个 Python 运行" in torchwhy("repro", "backward-twice", "--lang", "zh").stdout
    data = json.loads(torchwhy("repro", "backward-twice", "--json").stdout)
    assert data["id"] == "backward-twice" and "def broken()" in data["script"]


def test_an_entry_without_a_script(torchwhy, assistant) -> None:  # type: ignore[no-untyped-def]
    id = next(id for id, entry in assistant.pitfalls.items() if entry.no_repro)
    done = torchwhy("repro", id)
    assert (done.returncode, done.stdout) == (2, "") and f"{id} has no script" in done.stderr


# Redacting


SECRETS = {
    "github": "ghp_" + "a1B2c3D4e5F6g7H8i9J0" + "k1L2m3N4o5P6q7R8",
    "hugging face": "hf_" + "AbCdEfGhIjKlMnOpQrStUvWxYz",
    "aws": "AKIA" + "IOSFODNN7EXAMPLE",
    "wandb": "WANDB_API_KEY=" + "0123456789abcdef" * 2 + "01234567",
    "password": "password: hunter2hunter2",
    "url": "https://bob:s3cr3tpw@git.example.com/x.git",
    "query": "https://bucket.example.com/f?X-Amz-Signature=abcdef0123456789",
    "jwt": "eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJzdWIiOiIxMjM0NTY3ODkwIiwibmFtZSI6IkpvaG4gRG9lIn0.SflKxwRJSMeKKF2QT4fwpMeJf36POk6yJV_adQssw5c",
    "bearer": "Authorization: Bearer abcdefghijklmnop1234567890",
    "key": "-----BEGIN RSA PRIVATE KEY-----\nMIIEpAIBAAKCAQEA7\nq8h\n-----END RSA PRIVATE KEY-----",
    "slack": "xoxb-" + "123456789012-1234567890123-abcdefABCDEF123456789012",
    "openai": "sk-" + "abcdefghijklmnopqrst" + "T3BlbkFJ" + "abcdefghijklmnopqrst",
    "mail": "jane.doe@example.org",
    "address": "connect to 8.8.4.4:29500",
}
PARTS = {
    "github": ["a1B2c3D4e5F6g7H8i9J0"], "hugging face": ["AbCdEfGhIjKl"], "aws": ["IOSFODNN7"], "wandb": ["0123456789abcdef"], "password": ["hunter2"],
    "url": ["s3cr3tpw", "bob"], "query": ["abcdef0123456789"], "jwt": ["eyJzdWIi", "SflKxwRJ"], "bearer": ["abcdefghijklmnop"], "key": ["MIIEpAIB", "q8h"],
    "slack": ["abcdefABCDEF"], "openai": ["T3BlbkFJ"], "mail": ["jane", "doe"], "address": ["8.8.4.4"],
}  # fmt: skip


@pytest.mark.parametrize("name", SECRETS)
def test_secrets_are_taken_out(name: str) -> None:
    text = redact.redact(f"before {SECRETS[name]} after")
    assert text.startswith("before ") and text.rstrip().endswith("after")
    assert MARK in text
    assert not [part for part in PARTS[name] if part in text], text


@pytest.mark.parametrize(
    "line",
    [
        TWICE,
        "RuntimeError: Expected size 32 but got size 31 for tensor number 1 in the list.",
        "torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 256.00 MiB. GPU 0 has a total capacity of 9.77 GiB of which 185.50 MiB is free.",
        "KeyError: 'model.layers.0.self_attn.q_proj.weight'",
        "Setting `pad_token_id` to `eos_token_id`:50256 for open-end generation.",
        "[rank0]: torch.distributed.DistBackendError: NCCL error in: ProcessGroupNCCL.cpp:3690, unhandled cuda error, NCCL version 2.29.3",
        "nvidia-cudnn-cu12==9.1.0.70 nvidia-cublas-cu12 12.4.5.8 driver 535.104.05",
        "The server socket has failed to listen on any local network address. port: 29500, 127.0.0.1, 0.0.0.0, [::1]:29500, localhost",
        "cuDNN version: Probably /usr/lib/libcudnn.so.8.9.2.26, nvidia-curand-cu12      10.3.5.147, cudnn 8.5.0.96, torch==2.6.0+cu124",
        "at 12:30:45 std::dec add::face c10::Error; threading.local() in the host's memory",
        "see https://pytorch.org/docs/stable/notes/cuda.html and https://github.com/pytorch/pytorch/issues/1",
        '  File "/usr/lib/python3.11/site-packages/torch/nn/modules/module.py", line 1773, in _wrapped_call_impl',
        "hash mismatch: sha256 53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db at 0x7f3a2b4c5d60",
        "token = tokens[0]; key = keys[1]; secret = None",
    ],
)
def test_what_a_maintainer_needs_stays(line: str) -> None:
    assert redact.redact(line) == line


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ('File "/home/alice/x/train.py"', f'File "/home/{MARK}/x/train.py"'),
        ("/Users/bob/x /Users/bob", f"/Users/{MARK}/x /Users/{MARK}"),
        ("C:\\Users\\Carol\\x.py", f"C:\\Users\\{MARK}\\x.py"),
        ("C:\\\\Users\\\\Carol\\\\x.py", f"C:\\\\Users\\\\{MARK}\\\\x.py"),
        ("/srv/people/jd/x.py /srv/people/jdoe/x.py /srv/people/jd", "~/x.py /srv/people/jdoe/x.py ~"),
        ("C:\\Users\\Carol Ann Roe\\x.py and D:\\data\\Users guide.txt", f"C:\\Users\\{MARK}\\x.py and D:\\data\\Users guide.txt"),
        ("/home/model/x.py: KeyError: 'model' in /scratch/model/y.py", f"/home/{MARK}/x.py: KeyError: 'model' in /scratch/{MARK}/y.py"),
        ("[zoe@node17 x]$ torchrun t.py\nnode17:88:88 [0] NCCL INFO on node17", f"[{MARK}@{MARK} x]$ torchrun t.py\n{MARK}:88:88 [0] NCCL INFO on {MARK}"),
        ("root@f3a9c1:/w# python t.py", f"root@{MARK}:/w# python t.py"),
        ("--master_addr=head01 --rdzv_endpoint head.cluster.corp:29500 tcp://10.1.2.3:1", f"--master_addr={MARK} --rdzv_endpoint {MARK}:29500 tcp://{MARK}:1"),
        ("failed to connect to [node17]:29500 from 192.168.1.77 and 2001:db8::8a2e:7334", f"failed to connect to [{MARK}]:29500 from {MARK} and {MARK}"),
        ("  host      : node17\n  rank      : 1", f"  host      : {MARK}\n  rank      : 1"),
        ("https://models.acme-corp.com/x.pt", f"https://{MARK}/x.pt"),
        ("jane.roe ran on big-host-3.example.org (big-host-3)", f"{MARK} ran on {MARK} ({MARK})"),
    ],
)
def test_names_and_homes(text: str, wanted: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", "/srv/people/jd")
    monkeypatch.setenv("LOGNAME", "jane.roe")
    monkeypatch.setattr(platform, "node", lambda: "big-host-3.example.org")
    redact._names.cache_clear()
    try:
        assert redact.redact(text) == wanted
    finally:
        redact._names.cache_clear()


def test_redacting_is_quick() -> None:
    redact.redact("warm")
    text = "\n".join([TWICE, *SECRETS.values(), "x" * 100_000, "a.b-" * 20_000, "1." * 20_000]) * 3
    started = time.process_time()
    redact.redact(text)
    assert time.process_time() - started < 5


# torchwhy report


def test_a_report(torchwhy, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    log = tmp_path / "log.txt"
    log.write_text(
        f'epoch 1\nTraceback (most recent call last):\n  File "/home/alice/x/train.py", line 3, in <module>\n    loss.backward()\n{TWICE} {SECRETS["github"]}\n'
    )
    done = torchwhy("report", "-f", "log.txt")
    assert done.returncode == 0, done.stderr
    text = done.stdout
    for heading in ("# `RuntimeError: Trying to backward", "## The error", "## Diagnosis", "## Confirmed on this machine?", "## Environment"):
        assert f"\n{heading}" in f"\n{text}"
    assert f'File "/home/{MARK}/x/train.py", line 3' in text and "alice" not in text and "a1B2c3D4" not in text
    assert "**backward-twice**" in text and "torchwhy repro backward-twice" in text
    assert "torch: 2.13.0" in text and f"platform: {platform.system()}" in text
    assert "Not run" in text
    script = text.split("```python\n")[1].split("\n```")[0]  # a reader without this tool can run it
    assert "def broken()" in script and text.rstrip().endswith(")") and text.count("<details>") == text.count("</details>") == 1
    assert "document 00" not in text
    chinese = torchwhy("report", "-f", "log.txt", "--lang", "zh").stdout
    assert "## 报错" in chinese and "## 环境" in chinese


def test_a_report_with_a_proof(torchwhy) -> None:  # type: ignore[no-untyped-def]
    done = torchwhy("report", TWICE, "--confirm", "--json")
    assert done.returncode == 0, done.stderr
    text = json.loads(done.stdout)["report"]
    assert "confirmed: this machine fails with the message that was pasted" in text
    assert "running the broken leg" in done.stderr


def test_a_report_of_another_machine(torchwhy, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    """With a pasted report of torch.utils.collect_env, the environment is that machine's."""
    environment = (Path(__file__).with_name("reports") / "linux-gpu.txt").read_text("utf-8")
    (tmp_path / "log.txt").write_text(f"{TWICE}\n\n{environment}")
    text = torchwhy("report", "-f", "log.txt", "--no-vectors").stdout
    assert (
        "torch.version: 2.3.1+cu121" in text
        and "gpu.name: NVIDIA GeForce RTX 3090" in text
        and "2.13.0" not in text.split("## Environment")[1].split("<details>")[0]
    )


def test_a_report_of_something_unknown(torchwhy) -> None:  # type: ignore[no-untyped-def]
    done = torchwhy("report", "FrobnicationError: the widget 7c is not a gizmo", "--no-vectors")
    assert done.returncode == 1
    assert "torchwhy knows nothing that fits." in done.stdout and "FrobnicationError" in done.stdout


def test_an_empty_report(torchwhy) -> None:  # type: ignore[no-untyped-def]
    done = torchwhy("report")
    assert (done.returncode, done.stdout) == (2, "") and len(done.stderr.splitlines()) == 1


def test_a_paste_cannot_leave_its_fence(assistant) -> None:  # type: ignore[no-untyped-def]
    text = report(assistant.ask(f"```\n# Owned\n<img src=x>\n\x1b[2J{TWICE} ``` `` <script>"), PROBE, None)
    assert "\x1b" not in text
    inside, marker = False, ""
    for line in text.splitlines():
        if line.startswith("```") and (not inside or line.strip() == marker):
            inside, marker = not inside, line.rstrip("abcdefghijklmnopqrstuvwxyz")
        elif not inside:
            assert "<script>" not in line or line.startswith("# `"), line
    assert not inside


def test_long_tracebacks_are_cut(assistant) -> None:  # type: ignore[no-untyped-def]
    frames = "".join(f'  File "/x/train.py", line {number}, in f{number}\n    f{number}()\n' for number in range(500))
    text = error_text(assistant.ask(f"Traceback (most recent call last):\n{frames}{TWICE}"))
    assert len(text.splitlines()) <= 62 and "lines left out" in text
    assert text.startswith("Traceback") and text.endswith(TWICE)


def test_the_environment_names_no_path_and_no_own_package(assistant) -> None:  # type: ignore[no-untyped-def]
    text = report(assistant.ask(TWICE), PROBE, None)
    assert "numpy==2.4.6 triton==3.5.0" in text
    assert "alice" not in text and "secret-project" not in text


def test_a_report_is_only_read_when_asked_for() -> None:
    """detect-secrets is not imported on the way of a question."""
    code = f"from assistant.cli import main\nmain([{TWICE!r}])\nimport sys\nprint('\\n' + str([name for name in sys.modules if name.startswith(('detect_secrets', 'requests'))]))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT, check=True)
    assert done.stdout.splitlines()[-1] == "[]"
