"""Where a text comes from: network addresses, host names, and user names that paths, prompts and commands
tell.

A name found in one place (a shell prompt, NCCL's `host:pid:tid`, a home folder) is then found wherever it
stands in a place of its kind. Words of the error itself must survive: a user may be called `model`. `find`
works on UTF-8 bytes; patterns are RE2's or of one class of characters, and each byte is looked at a fixed
number of times.
"""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Callable, Iterator
from functools import lru_cache

import re2

from .named_secrets import Span, compiled
from .urls import urls

MARK = "<redacted>"
WORD = re.compile(rb"[\w.-]")
# A release of four numbers (cuDNN 9.1.0.70, driver 10.3.5.147) stands after a word or a comparison that says
# so, or where pip lists what is installed.
RELEASE = re.compile(
    rb"(?i)(?:\b(?:version|release|driver|toolkit|cudnn|nvidia[\w-]{0,40}|lib[\w-]{1,40}|cu(?:da|blas|fft|rand|solver|sparse)\w{0,20}|[\w-]{0,40}-cu\d\d|cu\d\d)\W{0,20}|[<>=!~]=\s?|[<>]\s?)\Z"
)
INSTALLED = re.compile(rb"(?i)-packages\b|\b(?:requirement|installing|installed|collecting|uninstall)")
LEFT_BYTES = 160  # of the line before a number, in which such words are looked for
# Hosts that everybody may know: what a bug report links to. Everything else may be a company's own.
PUBLIC = frozenset(
    [
        "pytorch.org",
        "pytorch-geometric.com",
        "pyg.org",
        "lightning.ai",
        "github.com",
        "github.io",
        "githubusercontent.com",
        "ghcr.io",
        "gitlab.com",
        "bitbucket.org",
        "huggingface.co",
        "hf.co",
        "hf-mirror.com",
        "pypi.org",
        "pythonhosted.org",
        "python.org",
        "readthedocs.io",
        "readthedocs.org",
        "anaconda.org",
        "anaconda.com",
        "conda.io",
        "nvidia.com",
        "nvcr.io",
        "docker.io",
        "docker.com",
        "quay.io",
        "stackoverflow.com",
        "arxiv.org",
        "kaggle.com",
        "wandb.ai",
        "wandb.me",
        "us-python.pkg.dev",
        "modelscope.cn",
        "example.com",
        "example.org",
        "fbaipublicfiles.com",
        "lecun.com",
        "toronto.edu",
        "tensorflow.org",
        "keras.io",
        "jax.dev",
        "openmmlab.com",
        "paddlepaddle.org.cn",
        "ubuntu.com",
        "debian.org",
        "kernel.org",
        "gnu.org",
        "llvm.org",
        "cmake.org",
        "microsoft.com",
        "aka.ms",
        "google.com",
        "googleapis.com",
        "tsinghua.edu.cn",
        "ustc.edu.cn",
        "aliyun.com",
        "gitee.com",
        "openai.com",
        "anthropic.com",
        "deepspeed.ai",
        "ray.io",
        "apache.org",
        "mlflow.org",
        "intel.com",
        "amd.com",
        "numpy.org",
        "scipy.org",
        "scikit-learn.org",
        "json-schema.org",
        "w3.org",
        "wikipedia.org",
        "medium.com",
        "zhihu.com",
        "csdn.net",
        "youtube.com",
        "discuss.pytorch.org",
        "creativecommons.org",
        "opensource.org",
        "docs.rs",
        "pypa.io",
        "astral.sh",
        "vllm.ai",
        "ultralytics.com",
        "opencv.org",
        "onnxruntime.ai",
        "dgl.ai",
        "h5py.org",
        "pola.rs",
        "stackexchange.com",
        "nist.gov",
    ]
)
# Names that say nothing of where.
NEAR = re.compile(
    rb"(?i)(?:localhost|ip6-localhost|127\.[\d.]{1,11}|0\.0\.0\.0|\[?::1?\]?|none|null|auto|node|host|hostname|true|false|\d+|"
    rb"\$?\{?[A-Z_]{2,40}\}?)\Z"
)
INSIDE = re.compile(rb"(?i)\.(?:internal|lan|corp|intranet)(?:\.|\Z)")  # whatever domain stands behind it
IPV4 = r"[0-9]{1,3}\.[0-9]{1,3}\.[0-9]{1,3}\.[0-9]{1,3}"
IPV6 = r"(?i)(?:[0-9a-f]{0,4}:){2,7}[0-9a-f]{0,4}(?:%\w+)?"
MAC = r"(?i)[0-9a-f]{2}(?:[:-][0-9a-f]{2}){5}"
NAME = r"[A-Za-z0-9][\w.-]+"
USER = r"[A-Za-z_][\w.-]*"
RANK = r"(?:\[[\w: ]{1,20}\]:?[ ]?)?"  # what torchrun or a logger writes before a line
PROMPT = rf"^(?:\([\w.-]+\) )?\[?{USER}@{NAME}[: ][^\n]*?[\]$#%>]"
HOST_FORMS = (
    rf"^{RANK}({NAME}):[0-9]+:[0-9]+ \[[0-9]+\] NCCL ",
    rf"(?i)^{RANK}[ \t]*host[ \t]*:[ \t]+([\w.-]{{2,}})[ \t]*$",  # torchrun's table of failures
    r"\[([A-Za-z][\w.-]+)\]:[0-9]{2,5}\b",
    rf"(?i)(?:master_addr|rdzv[_-]endpoint|node_?addr|hostname|local_addr|remote_host|server_name|nodelist)[\"']?[ \t]*[=:][ \t]*[\"']?({NAME})",
    rf"(?i)(?:master_addr|rdzv[_-]endpoint)[ \t]+({NAME})",
    rf"^(?:\([\w.-]+\) )?\[?{USER}@({NAME})[: ][^\n]*?[\]$#%>]",
    rf"\b(?:ssh|scp|sftp|rsync|mosh|ssh-copy-id)[ \t][^\n|;]*?{USER}@({NAME})",
    rf"\b{USER}@({NAME}):[~/]",
    # with the company's domain behind it
    r"(?i)\b([\w-]+(?:\.[\w-]+)*\.(?:internal|lan|corp|intranet)(?:(?:\.[\w-]+){0,3}\."
    r"(?:com|net|org|io|ai|cn|edu|gov|eu|de|fr|uk|jp|kr|in|ch|example))?)\b",
    r"(?i)\b([\w-]+(?:\.[\w-]+)*\.local):[0-9]",
)
USER_FORMS = (
    rf"^(?:\([\w.-]+\) )?\[?({USER})@{NAME}[: ][^\n]*?[\]$#%>]",
    rf"\b(?:ssh|scp|sftp|rsync|mosh|ssh-copy-id)[ \t][^\n|;]*?({USER})@{NAME}",
    rf"\b({USER})@{NAME}:[~/]",
    rf"\b(?:USER|LOGNAME|USERNAME|SUDO_USER|SLURM_JOB_USER)[\"']?[ \t]*[=:][ \t]*[\"']?({USER})",
)
# Home folders: the name is group 1. On Windows a name may hold blanks when a backslash follows.
HOME_FORMS = (
    r"(?i)/(?:home|Users)[/\\]+([^/\\\s\"':<>,;()\[\]]+)",
    r"(?i)\b[A-Z]:\\+Users\\+([^/\\\n\"'<>|:*?]+)\\",
    r"(?i)\b[A-Z]:\\+Users\\+([^/\\\s\"'<>|:*?]+)",
    r"(?i)(?:^|[^\w/])/[A-Z]/Users/([^/\\\s\"':<>]+)",
    r"/(?:scratch|lustre|gpfs|beegfs|nfs|workspace|work)\d*/(?:(?:users?|u|home)/)?([^/\\\s\"':<>,;()\[\]]+)",
)
SCRATCH = HOME_FORMS[-1]
# Of a commit or a mail
AUTHOR = (
    r"^(?:Author|Committer|Commit|Signed-off-by|Co-authored-by|Reviewed-by|From):[ \t]+([^<>\n]+?)[ \t]*<"
)
MAIL = r"[A-Za-z0-9_.+-]+@[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)*\.[A-Za-z]{2,20}\b"
PUBLIC_MAIL = re.compile(rb"(?i)git@|(?:no-?reply|noreply|support|info)@github\.com\Z")
NOBODY = frozenset(
    [
        "root",
        "ubuntu",
        "user",
        "users",
        "runner",
        "public",
        "default",
        "all",
        "shared",
        "name",
        "username",
        "yourname",
        "your_name",
        "your-name",
        "you",
        "me",
        "admin",
        "home",
        "jovyan",
        "vscode",
        "ec2-user",
        "centos",
        "debian",
        "conda",
        "anaconda3",
        "miniconda3",
        "docker",
        "app",
        "appuser",
        "torch",
        "pytorch",
        "python",
        "test",
        "nobody",
        "www-data",
    ]
)
# First folders of a scratch file system that are not a person's.
FOLDERS = NOBODY | frozenset(
    [
        "data",
        "dataset",
        "datasets",
        "model",
        "models",
        "tmp",
        "temp",
        "cache",
        "checkpoints",
        "ckpt",
        "output",
        "outputs",
        "result",
        "results",
        "run",
        "runs",
        "log",
        "logs",
        "env",
        "envs",
        "venv",
        "src",
        "code",
        "project",
        "projects",
        "repo",
        "repos",
        "local",
        "bin",
        "lib",
        "opt",
        "imagenet",
        "coco",
        "work",
        "workspace",
        "scratch",
        "usr",
        "var",
        "users",
        "group",
        "groups",
        "team",
        "storage",
        "software",
        "apps",
        "modules",
        "train",
        "training",
        "test",
        "tests",
        "eval",
        "examples",
        "build",
        "pytorch",
        "vllm",
        "deepspeed",
        "megatron",
        "nemo",
        "llama-factory",
        "experiments",
        "experiment",
        "weights",
        "pretrained",
        "aten",
        "c10",
        "caffe2",
        "share",
        "notes",
        "docs",
        "scripts",
        "jobs",
        "config",
        "configs",
        "checkpoint",
        "downloads",
        "benchmarks",
    ]
)
MAX_NAME_BYTES = 253
SLICE = re.compile(r"\d{0,3}::\d{1,3}")  # of Python: `x[:, 1::2]`
CPP = re.compile(r"(?!f[cde])[0-9a-f]{1,4}::")


@lru_cache(maxsize=1)
def _patterns() -> dict[str, re2._Regexp]:
    return {
        form: compiled(form)
        for form in (*HOST_FORMS, *USER_FORMS, *HOME_FORMS, IPV4, IPV6, MAC, MAIL, AUTHOR)
    }


def find(data: bytes, own_names: frozenset[str] = frozenset()) -> Iterator[Span]:
    """Spans of addresses and of the names of hosts and users. Loopback addresses and well-known sites stay.

    `own_names` are names of this machine and its user, which are taken wherever they stand alone.
    """
    yield from _addresses(data)
    hosts, users = {name.encode() for name in own_names}, set()
    for url in urls(data):
        if url.host is not None and _is_private(data[slice(*url.host)]):
            yield url.host
    yield from _mails(data)
    for span in _captured(data, HOST_FORMS):
        if _is_private(data[slice(*span)]):
            yield span
            hosts.add(data[slice(*span)])
    for span in _captured(data, USER_FORMS):
        if _is_person(data[slice(*span)]):
            yield span
            users.add(data[slice(*span)])
    for span in homes(data):
        yield span
        users.add(data[slice(*span)])
    if hosts or users:
        yield from names(data, hosts, users)


def homes(data: bytes) -> Iterator[Span]:
    """The names of users in paths of home folders and of scratch file systems."""
    for form in HOME_FORMS:
        for start, end in _captured(data, (form,)):
            name = data[start:end].rstrip(b".")
            if form == SCRATCH and b"." in name and data[end : end + 1] not in (b"/", b"\\"):
                continue  # a file, `/workspace/train.py`
            folders = FOLDERS if form == SCRATCH else NOBODY
            if name.decode(errors="ignore").lower() not in folders and _is_person(name):
                yield start, start + len(name)


def _captured(data: bytes, forms: tuple[str, ...]) -> Iterator[Span]:
    for form in forms:
        for match in _patterns()[form].finditer(data):
            start, end = match.span(1)
            end -= len(data[start:end]) - len(data[start:end].rstrip(b".-"))
            if end - start <= MAX_NAME_BYTES:
                yield start, end


def _is_private(host: bytes) -> bool:
    """Whether a host's name may tell whose it is."""
    if not host or NEAR.match(host):
        return False
    if INSIDE.search(host):
        return True
    labels = host.lower().rsplit(b".", 4)[-4:]
    return not any(
        b".".join(labels[place:]).decode(errors="ignore") in PUBLIC for place in range(len(labels))
    )


def _is_person(name: bytes) -> bool:
    text = name.decode(errors="ignore").lower()
    return len(text) > 1 and text not in NOBODY and text[0] not in "$%{<*" and MARK[1:-1] not in text


def _mails(data: bytes) -> Iterator[Span]:
    if b"@" in data:
        for match in _patterns()[MAIL].finditer(data):
            if not PUBLIC_MAIL.match(match[0]):
                yield match.span()
        yield from _captured(data, (AUTHOR,))


def _addresses(data: bytes) -> Iterator[Span]:
    kinds: tuple[tuple[str, bytes, Callable[[bytes, int, int], bool]], ...] = (
        (IPV4, b".", _is_ipv4),
        (IPV6, b":", _is_ipv6),
        (MAC, b"", lambda *_: True),
    )
    for form, sign, accepts in kinds:
        if sign not in data:
            continue
        for match in _patterns()[form].finditer(data):
            start, end = match.span()
            if not _joined(data, start, end) and accepts(data, start, end):
                yield start, end


def _joined(data: bytes, start: int, end: int) -> bool:
    """Whether a number goes on at either side: part of a longer one, of a name or a version."""
    before, after, next_but_one = data[start - 1 : start], data[end : end + 1], data[end + 1 : end + 2]
    if WORD.match(before) or (before == b":" and data[start : start + 1] == b":"):
        return True
    return bool(WORD.match(after)) and not (after in (b".", b"-") and not next_but_one.isalnum())


def _is_ipv4(data: bytes, start: int, end: int) -> bool:
    try:
        address = ipaddress.IPv4Address(data[start:end].decode())
    except ValueError:
        return False
    if address.is_loopback or address.is_unspecified or data[start:end] == b"255.255.255.255":
        return False
    line_start = max(data.rfind(b"\n", max(0, start - LEFT_BYTES), start) + 1, start - LEFT_BYTES, 0)
    left = data[line_start:start]
    return not RELEASE.search(left[-60:]) and not INSTALLED.search(left)


def _is_ipv6(data: bytes, start: int, end: int) -> bool:
    text = data[start:end].decode()
    try:
        address = ipaddress.IPv6Address(text.partition("%")[0])
    except ValueError:
        return False
    if address.is_loopback or address.is_unspecified or SLICE.fullmatch(text):
        return False
    # a C++ name such as `add::dec`, or the beginning of one: `c10::Half`
    return not ((text.replace(":", "").isalpha() and "::" in text and len(text) < 12) or CPP.fullmatch(text))


def names(data: bytes, hosts: set[bytes], users: set[bytes]) -> Iterator[Span]:
    """Every place of known names: hosts as words of their own, users where a user's name stands."""
    lengths = sorted({len(name) for name in hosts}, reverse=True)
    for match in _NAME_RUN.finditer(data):
        start, run = match.start(), match[0]
        for length in lengths:
            # a host's name may go on with a dot: the domain of a short name, the end of a sentence
            if length <= len(run) and run[length : length + 1] in (b"", b".") and run[:length] in hosts:
                yield start, start + length
                break
        name = run.rstrip(b".-")
        if name in users and _is_users_place(data, start, start + len(name)):
            yield start, start + len(name)


_NAME_RUN = re.compile(rb"[\w.\x80-\xff-]{2,}")


def _is_users_place(data: bytes, start: int, end: int) -> bool:
    before, after = data[start - 1 : start], data[end : end + 1]
    if after == b"@" and before not in (b"/", b"."):
        return True
    return (before == b"/" and after == b"/") or data[max(0, start - 5) : start].lower() == b"user="
