"""Which Python runs a repro: torchwhy may live in an environment of its own, the proof belongs in the one
that failed.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from torchwhy.errors import ConfirmError
from torchwhy.paste.place import is_far
from torchwhy.runtime import locations, system
from torchwhy.runtime.import_path import is_near
from torchwhy.text.plain import escaped, plain

from .packages import has_package

# The part of a path that every environment has. What stands before it on the line, up to a quote or a blank,
# is its root: 'File "/x/lib/...' of Python, 'File ~/x/lib/...' of IPython, '/x/lib/...py:12: UserWarning' of
# warnings.
SITE_PACKAGES = re.compile(
    r"[/\\]lib(?:64)?[/\\](?:python(\d(?:\.\d+)?)[/\\])?(?:site|dist)-packages[/\\]", re.IGNORECASE
)
MAX_ROOT_CHARS = 400
MAX_ENVIRONMENTS = 50  # of a text: each is looked for on the disk
# What reaches another Python, by name: words of torch, of GPUs, of their libraries and of compilers.
ALLOWED = re.compile(
    r"PATH|LANG|LANGUAGE|LC_\w+|TZ|TERM|COLUMNS|LINES|USER|LOGNAME|SHELL"
    r"|LD_LIBRARY_PATH|LD_PRELOAD|DYLD_\w+|LIBRARY_PATH|CPATH|C_INCLUDE_PATH|CPLUS_INCLUDE_PATH"
    r"|CC|CXX|CFLAGS|CXXFLAGS|LDFLAGS|SDKROOT|DEVELOPER_DIR|MACOSX_DEPLOYMENT_TARGET"
    r"|PYTHON\w+|VIRTUAL_ENV|CONDA_PREFIX|CONDA_DEFAULT_ENV"
    r"|(?:OMP|GOMP|KMP|MKL|OPENBLAS|NUMEXPR|BLIS|ONEDNN|DNNL|TBB)_\w+"
    r"|(?:CUDA|CUDNN|CUBLAS|CUBLASLT|NVIDIA|NCCL|NVTE|GLOO|TORCH|TORCHINDUCTOR|TORCHDYNAMO|PYTORCH|ATEN"
    r"|TRITON|HIP|HSA|ROCM|ROCR|ROCBLAS|HIPBLASLT|MIOPEN|SYCL|ONEAPI|ZE|XPU|XLA|PJRT)_\w+"
    r"|GPU_DEVICE_ORDINAL|TF32_OVERRIDE|(?:NUMBER_OF_PROCESSORS|PROCESSOR_\w+)"
    r"|SYSTEMROOT|SYSTEMDRIVE|WINDIR|COMSPEC|PATHEXT|PROGRAMFILES\S*|PROGRAMDATA|APPDATA|LOCALAPPDATA"
)
# Not even under such a name.
SECRET = re.compile(
    r"TOKEN|SECRET|PASSW|PASSPHRASE|PASSCODE|SSHPASS|CREDENTIAL|AUTH|COOKIE|PRIVATE|APIKEY|ACCESSKEY|PROXY"
    r"|SIGNATURE|BEARER|(?:^|_)(?:KEYS?|PASS|PWD|PSW|PAT|JWT|CREDS?|DSN|CERT|SIGNING)(?:$|_)"
)
# Nor is an address with a user in it, as of an index of packages: that may be a password, or a token.
USER_IN_ADDRESS = re.compile(r"://[^/\s@]+@")


@dataclass(frozen=True, slots=True)
class Located:
    """An interpreter, and why it was chosen (a phrase's key). `missed`: environments that were named but
    are not here, or hold no torch.
    """

    path: str
    chosen: str
    missed: tuple[str, ...] = ()


def child_env(env: Mapping[str, str]) -> dict[str, str]:
    """The environment for another Python: what the user set, less what is torchwhy's own.

    PYTHONPATH stays, since clusters provide torch by it, except for the current folder, which a stranger may
    have filled, and for the folders of this package and of its environment: their packages do not fit another
    Python. PYTHONHOME fits only the Python that it was set for.
    """
    kept = {
        name: value
        for name, value in env.items()
        if name not in ("PYTHONHOME", "PYTHONPATH", "__PYVENV_LAUNCHER__")
    }
    above, own = locations.PACKAGE.parent, Path(sys.prefix).resolve()
    in_venv = sys.prefix != sys.base_prefix
    paths = []
    for name in env.get("PYTHONPATH", "").split(os.pathsep):
        folder = Path(name).resolve()
        if not is_near(name) and folder != above and not (in_venv and folder.is_relative_to(own)):
            paths.append(name)
    return {**kept, "PYTHONPATH": os.pathsep.join(paths)} if paths else kept


def allowed_env(env: Mapping[str, str]) -> dict[str, str]:
    """Of `child_env` what torch, CUDA and compilers need, by name.

    All else stays outside, whatever it is called: tokens, proxies, sockets of agents; so does a value that is
    known as a secret by its form. The user's own packages are found by PYTHONUSERBASE, without a home.
    """
    kept = {
        key: value
        for key, value in child_env(env).items()
        if ALLOWED.fullmatch(key.upper()) and not SECRET.search(key.upper()) and not _is_secret(value)
    }
    if sys.platform != "win32":  # there it does not hang on the home
        kept.setdefault("PYTHONUSERBASE", os.path.expanduser("~/.local"))
    return kept


def _is_secret(value: str) -> bool:
    """Whether a value under a harmless name is none: by its form, whatever it is called. A path stays."""
    from torchwhy.text.exits import holds_token

    return bool(USER_IN_ADDRESS.search(value)) or (not value.startswith("/") and holds_token(value))


def find_python(given: str | None) -> str:
    """The interpreter of `locate`. Raises ConfirmError where `given` is no program."""
    return locate(given, None).path


def locate(given: str | None, paste: str | None, failed: str | None = None) -> Located:
    """The Python to run a script with, and why.

    `given`; else the environment that the paste's paths name, if it is on this machine; else `failed`, the
    Python of the run that failed so; else VIRTUAL_ENV or CONDA_PREFIX, if torch is in there; else this
    process's own. Raises ConfirmError where `given` is no program.
    """
    if given:
        return Located(_given(given), "python_given")
    missed: list[str] = []
    for root, release in environments_in(paste or "")[:MAX_ENVIRONMENTS]:
        found = python_told(root, release)
        if found:
            return Located(found, "python_paste")
        missed.append(str(root))
    if failed and os.path.isabs(failed):
        if _may_run(failed):
            return Located(failed, "python_last", tuple(missed))
        missed.append(failed)
    for name in ("VIRTUAL_ENV", "CONDA_PREFIX"):
        root_name = os.environ.get(name)
        found = python_under(Path(root_name)) if root_name else None
        if found and _has_torch(Path(root_name or "")):
            return Located(found, f"python_{name.lower()}", tuple(missed))
        if root_name:
            missed.append(root_name)
    return Located(sys.executable, "python_own", tuple(missed))


def python_told(root: Path, release: str | None) -> str | None:
    """The interpreter of an environment that only a text names: of one that is here, can be looked at, and is
    no other user's. No other machine is asked for it, as an automounter would that hears of /net/host.
    """
    try:
        found = python_under(root, release) if root.is_absolute() and not is_far(str(root)) else None
        return found if found and _trusted(found) else None
    except (OSError, ValueError):  # a folder that is closed to this user, a name that no system takes
        return None


def _may_run(program: str) -> bool:
    """Whether this program that a record names is one, and may be started."""
    try:
        found = not is_far(program) and os.access(program, os.X_OK) and os.path.isfile(program)
        return found and _trusted(program)
    except (OSError, ValueError):
        return False


def _given(name: str) -> str:
    """The program that `--python` names: a program, or the folder of an environment. Raises ConfirmError."""
    path = shutil.which(name) or (name if os.path.isfile(name) else None) or python_under(Path(name))
    if path:
        return path
    what = "no such program"
    if os.path.isdir(name):
        what = "a folder without a Python in it"
    elif os.path.islink(name):
        what = f"a link to {escaped(os.path.realpath(name))}, which is not there: its environment is broken"
    raise ConfirmError(f"--python {escaped(name)}: {what}; give the Python whose torch failed")


def ask_python(
    interpreter: str, words: Sequence[str], seconds: float, is_answer: Callable[[Any], bool] | None = None
) -> Any:
    """The last line that a Python prints on standard output, parsed as JSON. Raises ConfirmError where that
    fails, or where it is none that `is_answer`.

    It runs in the root folder, so that no torch.py of the current one is imported, and with `allowed_env`.
    """
    try:
        done = subprocess.run(
            [interpreter, *words],
            capture_output=True,
            timeout=seconds,
            check=False,
            cwd=os.path.abspath(os.sep),
            env=allowed_env(os.environ),
            stdin=subprocess.DEVNULL,
            encoding="utf-8",
            errors="replace",
        )
    except subprocess.TimeoutExpired:
        raise ConfirmError(f"{escaped(interpreter)} did not answer within {seconds:g} s") from None
    except OSError as error:
        program = (
            " (the program that its first line names)"
            if isinstance(error, FileNotFoundError) and os.path.isfile(interpreter)
            else ""
        )
        raise ConfirmError(f"{escaped(interpreter)} cannot be started: {error.strerror}{program}") from error
    try:
        answer = json.loads(done.stdout.strip().splitlines()[-1])
        if is_answer is None or is_answer(answer):
            return answer
        raise ValueError
    except (ValueError, IndexError, RecursionError):
        ended = (
            f"killed by signal {-done.returncode}"
            if done.returncode < 0
            else f"exit status {done.returncode}"
        )
        said = " ".join(plain(done.stderr or done.stdout).split())
        raise ConfirmError(
            f"{escaped(interpreter)} did not answer as a Python does ({ended})"
            + (f": {said[:300]}" if said else "")
        ) from None


def environments_in(paste: str) -> list[tuple[Path, str | None]]:
    """(root, Python release) of the environments that a paste's paths name, in order of first appearance.

    A path of another system (C:\\ on Linux) is no absolute path here, so it names nothing on this machine.
    """
    found: dict[tuple[str, str | None], None] = {}
    for match in SITE_PACKAGES.finditer(paste):
        before = paste[max(0, match.start() - MAX_ROOT_CHARS) : match.start()].rsplit("\n", 1)[-1]
        root = before.rsplit('"', 1)[-1] if before.count('"') % 2 else re.split(r"[\s\"'`(=]", before)[-1]
        if root.startswith(("~/", "~\\")):
            root = os.path.expanduser(root)
        if root and not root.startswith(("//", "\\\\")):  # another machine's
            found[root, match[1]] = None
    return [(Path(root), release) for root, release in found]


def python_under(root: Path, release: str | None = None) -> str | None:
    """The interpreter of an environment. Where the root has none (~/.local, Debian's dist-packages), that
    release's on PATH.
    """
    exact = (f"bin/python{release}",) if release else ()
    for part in (*exact, "bin/python", "bin/python3", "Scripts/python.exe", "python.exe"):
        if os.access(root / part, os.X_OK) and (root / part).is_file():
            return str(root / part)
    shared = root.is_dir() and release and any((root / "lib" / f"python{release}").glob("*-packages"))
    return system.program(f"python{release}") if shared else None


def _trusted(program: str) -> bool:
    """Whether a program that only a paste names may be started: no other user could have put it there, so
    all of its path is root's or the user's own. Another user's, as an administrator's, wants `--python`.
    """
    if not hasattr(os, "getuid"):
        return True
    path = Path(os.path.abspath(program))
    return all(step.lstat().st_uid in (0, os.getuid()) for step in (path, *path.parents))


def _has_torch(root: Path) -> bool:
    try:
        if (
            "include-system-site-packages = true"
            in (root / "pyvenv.cfg").read_text(encoding="utf-8", errors="replace").lower()
        ):
            return True  # torch may be in the base environment
    except OSError:
        pass
    return has_package(root, "torch")
