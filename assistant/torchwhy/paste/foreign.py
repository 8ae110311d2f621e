"""Signs that a text is about something else than PyTorch: other frameworks, package managers, other
languages; and whether its error is theirs.
"""

from __future__ import annotations

import re

from torchwhy.text.lazy_re import lazy_compile

from .paste import Found, Paste, is_prose

FOREIGN = {
    "tensorflow": lazy_compile(
        r"tensorflow(?:[./\\]|::)|\blocal_(?:xla|tsl)/|\btf\.\w+|\bkeras\b|ResourceExhaustedError|InvalidArgumentError:|W tensorflow|TF-TRT"
    ),
    "jax": lazy_compile(r"\bjax(?:lib)?[./\\]|\bexternal/xla/|XlaRuntimeError|\bXLA Runtime\b|\bxla\.gpu\."),
    "mxnet": lazy_compile(r"\bmxnet\b|MXNetError"),
    "paddle": lazy_compile(r"\bpaddle(?:paddle)?[./\\]|PaddleFatalError|PreconditionNotMetError"),
    "caffe": lazy_compile(r"\bcaffe(?:::|[./\\])"),
    "java": lazy_compile(
        r"^[ \t]*at [\w.$]+\([\w]+\.java:\d+\)|java\.lang\.\w+|Caused by: \w+\.", re.MULTILINE
    ),
    "npm": lazy_compile(r"npm (?:ERR!|error)|node_modules|ERR_MODULE_NOT_FOUND"),
    "node": lazy_compile(r"\bnode::\w|\(node:internal/|JavaScript heap"),
    "pip": lazy_compile(
        r"ERROR: (?:Could not find a version|No matching distribution|pip's dependency|Cannot uninstall|"
        r"Failed building wheel)|subprocess-exited-with-error|ResolutionImpossible|metadata-generation-failed"
    ),
    "conda": lazy_compile(
        r"CondaHTTPError|UnsatisfiableError|PackagesNotFoundError|ResolvePackageNotFound|"
        r"LibMambaUnsatisfiableError"
    ),
    "network": lazy_compile(
        r"ConnectionError: .*(?:huggingface|github)|Max retries exceeded|ReadTimeoutError|SSLError|ProxyError|"
        r"HTTPError: 40\d|Couldn't connect to"
    ),
    "git": lazy_compile(
        r"^fatal: (?:repository|unable to access|not a git)|error: failed to push", re.MULTILINE
    ),
    "docker": lazy_compile(r"CrashLoopBackOff|ImagePullBackOff|docker: Error response|kubectl|OCI runtime"),
    "rust": lazy_compile(r"^error\[E\d{4}\]", re.MULTILINE),
    "cmake": lazy_compile(r"CMake Error at|ninja: build stopped|make: \*\*\*"),
    "sql": lazy_compile(r"psycopg2|sqlalchemy\.exc|OperationalError"),
    "pandas": lazy_compile(r"pandas[./\\](?:core|io)|pandas\.errors"),
    "opencv": lazy_compile(r"cv2\.error|OpenCV\("),
}


def foreign_hints(text: str) -> tuple[str, ...]:
    """Names of the foreign things that the text mentions, in a fixed order."""
    head = text[:50000] + (text[-50000:] if len(text) > 50000 else "")
    return tuple(name for name, pattern in FOREIGN.items() if pattern.search(head))


# Frameworks and runtimes of their own, whose log has no part of torch's.
FRAMEWORKS = ("tensorflow", "jax", "mxnet", "paddle", "caffe")
RUNTIMES = ("java", "npm", "node")  # told by any part of a line
NAMED = lazy_compile(rf"(?i)\b({'|'.join(FRAMEWORKS)}|keras|paddlepaddle)(?![\w.])")  # in somebody's words
# What names the program that wrote a line: the source file, the logger, a symbol.
WRITTEN_BY = lazy_compile(
    r"(?<![\w./-])([\w./-]{3,160})\.(?:cc|cpp|cu|cuh|h|hpp):\d|^(?:DEBUG|INFO|WARNING|ERROR|CRITICAL):([\w.]{2,80}):"
    r"|\b(\w{2,40})::|\b(XLA Runtime|xla\.gpu)\b"
)
# A line of a native log, or of its stack, that may name nobody.
NATIVE = lazy_compile(
    r"^(?:[IWEF]\d{4} \d\d:\d\d:\d\d\.\d+ +\d+ [\w.]{1,80}:\d+\]|\*\*\* |\s*(?:@|#\d+|\d+:) +0x)"
)
OF_TORCH = lazy_compile(r"(?i)torch|\bc10(?:::|/)|\baten?::|\bcaffe2\b")
# How any program may end, in the shell's words or its own.
DEATH = lazy_compile(
    r"(?i)\b(?:killed|bus error|segmentation fault|segfault|core dumped|SIG(?:SEGV|ABRT|KILL|BUS|ILL)|signal \d+)\b"
    r"|已杀死|总线错误|段错误|核心已转储"
)
# What one that has to do with torch is about; and what only a program writes: a path, an address, a logger's head.
SURROUNDINGS = lazy_compile(
    r"(?i)torch|cuda|gpu|nvidia|nccl|tensor|python|\bpip\b|conda|model|train|epoch|batch|\bloss\b|gradient|optimi[sz]er|"
    r"data ?(?:loader|set)|infer|neural|network|learn|checkpoint|\bnumpy|jupyter|notebook|\.py\b|\bimport|"
    r"训练|模型|显卡|显存|张量|梯度|网络|推理|数据"
)
WRITTEN = lazy_compile(r"[\w.]/\w[\w./-]*\.\w|https?://|^\[\d+\] \[[A-Z]+\] ", re.MULTILINE)


def dies_elsewhere(paste: Paste, claimed: str | None) -> bool:
    """Whether all that speaks for an entry is that a program died, as any may, and what else is written there
    has nothing of torch's surroundings.
    """
    text = paste.text
    told = DEATH.search(text if claimed is None else claimed)
    return told is not None and WRITTEN.search(text) is not None and not SURROUNDINGS.search(text)


def foreign_stack(paste: Paste, claimed: str | None) -> str:
    """The framework whose log a text is, where its error is that one's and nothing in it is torch's; "" where
    torch may have a part in it.

    `claimed`: what of the text an entry's wording matched, spaces made single; None without one.
    """
    if any(frame.owner == "torch" for error in paste.errors for frame in error.frames):
        return ""
    root = paste.root
    if root is not None and root.role != "warning" and (root.exception or root.frames):
        return _whose_error(root) if not OF_TORCH.search(paste.words) else ""
    if OF_TORCH.search(paste.text):
        return ""
    named = NAMED.search(paste.words) if claimed else None
    return _whose_lines(paste, claimed) or (named[1].lower() if named else "")


def _whose_error(root: Found) -> str:
    """By the exception's name, the package of the innermost frame, and who is named in the message."""
    if OF_TORCH.search("\n".join([root.message, *(frame.code for frame in root.frames)])):
        return ""
    owners = [frame.owner for frame in root.frames if frame.owner != "python"]
    named = f"{root.exception}: {owners[-1] if owners else ''}/"
    return _first(FRAMEWORKS + RUNTIMES, named) or _writer(root.message)


def _whose_lines(paste: Paste, claimed: str | None) -> str:
    """By the lines of a log: those that the entry's wording matched, or all that tell of a failure."""
    writers = [_writer(line) for line in paste.lines]
    for number in range(len(writers) - 2, -1, -1):  # from an indented stack up to its error
        if not writers[number] and paste.lines[number + 1][:1].isspace():
            writers[number] = writers[number + 1]
    name = next(filter(None, writers), "")
    echoed = {
        number
        for error in paste.errors
        if error.role == "cascade"
        for number in range(error.start, error.end)
    }
    others = [
        " ".join(line.split())
        for number, (line, writer) in enumerate(zip(paste.lines, writers, strict=True))
        if not writer and not NATIVE.match(line) and number not in echoed
    ]
    if claimed is None:
        from .complaint import tells_failure

        return "" if any(is_prose(line) or tells_failure(line) for line in others) else name
    told = any(claimed in " ".join(line.split()) for line in paste.lines)
    return name if told and not any(claimed in line for line in others) else ""


def _writer(text: str) -> str:
    """The framework or runtime that a line names as its own; "" for none of them."""
    for found in WRITTEN_BY.finditer(text):
        name = next(filter(None, found.groups()))
        writer = _first(FRAMEWORKS, f"{name}/")
        if writer:
            return writer
    return _first(RUNTIMES, text)


def _first(names: tuple[str, ...], text: str) -> str:
    return next((name for name in names if FOREIGN[name].search(text)), "")
