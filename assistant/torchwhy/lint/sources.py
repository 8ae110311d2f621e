"""What is checked: files, folders, notebooks' cells, standard input, the lines that a revision changed."""

from __future__ import annotations

import ast
import codecs
import errno
import io
import json
import os
import re
import subprocess
import sys
import tempfile
import threading
import tokenize
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from fnmatch import fnmatch

from torchwhy.errors import UsageError
from torchwhy.runtime.plain_files import entries_below, open_plain
from torchwhy.runtime.system import program
from torchwhy.source.module import CELL_END
from torchwhy.text.plain import escaped

from .finding import Finding

MAX_FILE_BYTES = 4 << 20
MAX_CODE_CHARS = 1 << 20  # of a file without what a notebook shows; its tree takes up to a kilobyte of each
SKIPPED_FOLDERS = frozenset(
    [".git", ".hg", ".venv", "venv", "__pycache__", "node_modules", ".tox", ".mypy_cache", "site-packages"]
)
HUNK = re.compile(rb"@@ -\d+(?:,(\d+))? \+(\d+)(?:,(\d+))? @@")
GIT_TIMEOUT_S = 60.0  # a repository can name files that never end, as a pipe
GIT_MEMORY_BYTES = 1 << 30  # what a repository names is read to its end, as /dev/zero would be
GIT_LINE_BYTES = 1 << 16  # of a line that git prints; nothing that is looked for is longer
# of one line each: over several lines the time would be the square of the blank ones
MAGIC = re.compile(r"^([^\S\n]*)[%!?].*$|^([^\S\n]*)\S+\?{1,2}$", re.M)
SLOW_ENCODINGS = ("punycode", "idna")  # of host names; they take the square of the time
# A submodule is a repository with commands of its own.
DIFF = (
    *("-c", "core.quotePath=true", "diff", "--unified=0", "--relative", "--src-prefix=a/", "--dst-prefix=b/"),
    *("--no-color", "--no-ext-diff", "--no-textconv", "--ignore-submodules=all"),
)


class SourceError(Exception):
    """A file that is not checked; the message is one line."""


@dataclass(frozen=True, slots=True)
class CheckedFile:
    """One file. `text`: what was read elsewhere (standard input); `lines`: only these count, in order;
    `always`: it is checked even if it does not name torch.
    """

    path: str
    text: str | None = None
    lines: tuple[range, ...] | None = None
    always: bool = False

    @property
    def is_piece(self) -> bool:
        """Whether it may be a part of a program: pasted, named by itself, or a notebook's cells."""
        return self.always or self.path.endswith(".ipynb")

    def counts(self, finding: Finding) -> bool:
        """Whether a finding stands in the lines that count."""
        if self.lines is None:
            return True
        at = bisect_right(self.lines, finding.line, key=lambda each: each.stop)
        return at < len(self.lines) and self.lines[at].start <= finding.end_line

    def read(self) -> str:
        """The Python text; of a notebook its code cells, one behind the other. Raises SourceError."""
        text = self._read()
        if len(text) > MAX_CODE_CHARS:
            raise SourceError(
                f"{escaped(self.path)}: not checked, more than {MAX_CODE_CHARS:,} characters of code"
            )
        return text

    def _read(self) -> str:
        if self.text is not None:
            return self.text
        try:
            if self.path.endswith(".ipynb"):
                return "\n".join(_with_end(text) for text, _ in cells(self.path))
            content = io.BytesIO(_content(self.path))
            encoding, _ = tokenize.detect_encoding(content.readline)
            if codecs.lookup(encoding).name in SLOW_ENCODINGS:
                raise SourceError(f"{escaped(self.path)}: not checked, encoded as {encoding}")
            content.seek(0)
            return io.TextIOWrapper(content, encoding).read()
        except (OSError, SyntaxError, ValueError, LookupError) as error:  # LookupError: "coding: hex"
            why = getattr(error, "strerror", None) or str(error)
            raise SourceError(f"{escaped(self.path)}: not checked, {escaped(why)}") from error

    def placing(self) -> Callable[[Finding], Finding]:
        """What gives a finding its place in the file: of a notebook, read once more, the cell and the line
        there. Raises SourceError.
        """
        if not self.path.endswith(".ipynb") or self.text is not None:
            return lambda finding: finding
        lasts, numbers = [0], [0]  # each cell's last line in the text, and its number
        for text, number in cells(self.path):
            lasts.append(lasts[-1] + text.count("\n") + 1)
            numbers.append(number)

        def placed(finding: Finding) -> Finding:
            at = bisect_left(lasts, finding.line)
            if at == len(lasts):  # the file was changed in between
                return finding
            line, end_line = finding.line - lasts[at - 1], finding.end_line - lasts[at - 1]
            return replace(finding, line=line, end_line=end_line, cell=numbers[at], edit=None)

        return placed


def _content(path: str) -> bytes:
    """What a file holds, of whatever length its folder says that it is. Raises SourceError, OSError."""
    with open_plain(path) as file:
        content = file.read(MAX_FILE_BYTES + 1)
    if len(content) > MAX_FILE_BYTES:
        raise SourceError(f"{escaped(path)}: not checked, larger than {MAX_FILE_BYTES >> 20} MiB")
    return content


def cells(path: str) -> Iterator[tuple[str, int]]:
    """(text, number from 1) of each code cell; IPython's own lines are emptied. Raises SourceError."""
    try:
        data = json.loads(_content(path).decode("utf-8"))
        listed = data["cells"]
        for number, cell in enumerate(listed, 1):
            if cell.get("cell_type") == "code":
                source = cell["source"]
                text = source if isinstance(source, str) else "".join(source)
                magic = text.lstrip().startswith("%%") and not text.lstrip().startswith(
                    ("%%time", "%%capture")
                )
                if magic:
                    text = "\n" * text.count("\n")
                yield MAGIC.sub(lambda match: (match[1] or match[2] or "") + "pass", text), number
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise SourceError(
            f"{escaped(path)}: not checked, it is no notebook ({type(error).__name__})"
        ) from error


def _with_end(text: str) -> str:
    return text if text.endswith("\\") else text + CELL_END


def collect(
    paths: Sequence[str], exclude: Sequence[str] = (), *, stdin: str | None = None
) -> list[CheckedFile]:
    """The sources of these paths, each file once, folders walked. Raises UsageError for a missing one."""
    found: dict[str, CheckedFile] = {}
    for path in paths:
        if path == "-":
            found["-"] = CheckedFile("-", stdin or "", always=True)
        elif os.path.isdir(path):
            for each in _walk(path, exclude):
                found.setdefault(os.path.realpath(each), CheckedFile(each))
        elif os.path.isfile(path):
            found[os.path.realpath(path)] = CheckedFile(path, always=True)
        else:
            raise UsageError(f"{escaped(path)}: no such file or folder")
    return list(found.values())


def _walk(folder: str, exclude: Sequence[str]) -> Iterator[str]:
    def entered(inner: os.DirEntry[str]) -> bool:
        return inner.name not in SKIPPED_FOLDERS and not _excluded(inner.path, exclude)

    for entry in entries_below(folder, entered):
        named = entry.name.endswith((".py", ".ipynb")) and not _excluded(entry.path, exclude)
        if named and not os.path.isdir(entry.path):  # a link to a folder
            yield entry.path


def _excluded(path: str, patterns: Sequence[str]) -> bool:
    plain = os.path.relpath(path).replace(os.sep, "/")
    return any(fnmatch(plain, pattern) or fnmatch(plain, f"{pattern.rstrip('/')}/*") for pattern in patterns)


def _git(words: Sequence[str], env: Mapping[str, str]) -> Iterator[bytes]:
    """The lines that git prints, of a longer one its beginning. Raises UsageError with what git says where it
    fails or does not end, OSError where there is no git.
    """
    tool = program("git")
    if tool is None:
        raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT))
    command = [tool, *words]
    with (
        tempfile.TemporaryFile() as said,
        subprocess.Popen(command, env=env, stdout=subprocess.PIPE, stderr=said) as process,
    ):
        assert process.stdout is not None
        _bound_memory(process.pid)
        late = threading.Event()

        def end() -> None:
            late.set()
            process.kill()

        timer = threading.Timer(GIT_TIMEOUT_S, end)
        timer.start()
        try:
            ended = True
            while line := process.stdout.readline(GIT_LINE_BYTES):
                if ended:
                    yield line
                ended = line.endswith(b"\n")
            process.wait()
        finally:
            timer.cancel()
            process.kill()
        if late.is_set():
            raise UsageError(f"git did not end within {GIT_TIMEOUT_S:g} s")
        if process.returncode:
            said.seek(0)
            lines = said.read(GIT_LINE_BYTES).decode("utf-8", "replace").splitlines()
            fatal = [line for line in lines if line.startswith(("fatal:", "error:"))]  # behind warnings
            raise UsageError(escaped((*fatal, *lines, "git failed")[0].strip()))


def _bound_memory(pid: int) -> None:
    """Let a process hold GIT_MEMORY_BYTES of its own, files that it maps left out (Linux)."""
    if sys.platform != "linux":
        return
    import resource

    with suppress(OSError, ValueError):  # it has ended
        soft, hard = resource.prlimit(pid, resource.RLIMIT_DATA)
        limits = [limit for limit in (GIT_MEMORY_BYTES, soft) if limit != resource.RLIM_INFINITY]
        resource.prlimit(pid, resource.RLIMIT_DATA, (min(limits), hard))


def _without_commands() -> dict[str, str]:
    """The environment in which git runs none of the commands that a repository's own configuration can name:
    a folder that came from elsewhere brings its .git/config along. Raises OSError, UsageError.
    """
    env = {**os.environ, "GIT_ALLOW_PROTOCOL": "none", "GIT_NO_LAZY_FETCH": "1", "GIT_OPTIONAL_LOCKS": "0"}
    settings = {"core.fsmonitor": "false", "core.hooksPath": os.devnull}
    for line in _git(["config", "--list", "--name-only"], env):
        if not line.endswith(b"\n"):
            raise UsageError("a name in git's configuration is too long")
        name = os.fsdecode(line[:-1])
        if name.startswith("filter.") and name.rpartition(".")[2] in ("clean", "process", "required"):
            settings[name] = "false" if name.endswith(".required") else ""
    said = os.environ.get("GIT_CONFIG_COUNT", "")
    first = int(said) if said.isdecimal() else 0
    for number, (name, value) in enumerate(settings.items(), first):
        env |= {f"GIT_CONFIG_KEY_{number}": name, f"GIT_CONFIG_VALUE_{number}": value}
    return {**env, "GIT_CONFIG_COUNT": str(first + len(settings))}


def changed(sources: Sequence[CheckedFile], revision: str) -> list[CheckedFile]:
    """The sources with the lines that changed since a revision of git; unchanged files are left out.

    Raises UsageError where git knows no such revision.
    """
    if revision.startswith("-"):
        raise UsageError(f"{escaped(revision)}: no revision of git")
    try:
        lines = _changed_lines(_git([*DIFF, revision, "--", "*.py", "*.ipynb"], _without_commands()))
    except OSError as error:
        raise UsageError(f"--diff needs git ({error.strerror})") from error
    except UsageError as error:
        raise UsageError(f"--diff {escaped(revision)}: {error}") from error
    kept = ((source, lines.get(os.path.realpath(source.path))) for source in sources)
    return [replace(source, lines=tuple(ranges)) for source, ranges in kept if ranges]


def _changed_lines(diff: Iterator[bytes]) -> dict[str, list[range]]:
    """The lines that a diff adds or changes, by the real path of their file."""
    lines: dict[str, list[range]] = {}
    at: list[range] = []
    left = 0  # lines of the hunk: what a file says is no head of another one
    for line in diff:
        if left and line[:1] in (b"+", b"-"):
            left -= 1
        elif line.startswith(b"+++ "):
            at = lines.setdefault(os.path.realpath(_path_of(line[4:].rstrip(b"\t\r\n"))), [])
        elif match := HUNK.match(line):
            first, count = int(match[2]), int(match[3] or 1)
            left = int(match[1] or 1) + count
            if count:
                at.append(range(first, first + count))
    return lines


def _path_of(name: bytes) -> str:
    """The path of a file as git writes it: in quotes where it holds more than ASCII."""
    if name.startswith(b'"'):
        with suppress(SyntaxError, ValueError):
            name = ast.literal_eval("b" + name.decode("ascii"))
    return os.fsdecode(name.removeprefix(b"b/"))
