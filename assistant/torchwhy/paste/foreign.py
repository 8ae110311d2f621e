"""Signs that a text is about something else than PyTorch: other frameworks, package managers, other
languages; and whether its error is theirs.
"""

from __future__ import annotations

import re

from torchwhy.text.lazy_re import lazy_compile

from .paste import Found, Paste

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
RUNTIMES = ("java", "npm", "node", "rust")
NAMED = lazy_compile(rf"(?i)\b(?:paddle)?({'|'.join(FRAMEWORKS)})(?![\w.])")  # in somebody's words
OF_TORCH = lazy_compile(
    r"(?i)torch|\bc10(?:::|/)|\baten(?:::|/)|\bat::|\bcaffe2\b|\bTHC?\w+\.(?:c|cu|cpp)\b|\bProcessGroup[A-Z]"
    r"|^\[[IWEF][\d:. ]*[A-Za-z]\w*\.cpp:\d+\]",  # the form of its own log
    re.MULTILINE,
)
# What its C++ raises in Python, whatever the words.
RAISED_BY_TORCH = ("RuntimeError", "NotImplementedError", "OutOfMemoryError")
# The line of a source file, or of a stack, in another language: by the file's name; MATLAB's; cargo's.
OTHER_LANGUAGE = lazy_compile(
    r"\w\.(?:java|kt|scala|cs|m?js|tsx?|go|rs|rb|php|swift|jl|pl|f90|dart|exs?)(?::\d|\(\d|#\d|:line \d| line \d)"
    r"|^[^\w\n]*(?:Error in|error) [\w.>/-]+ \(line \d+\)|^ +Compiling [\w-]+ v\d",
    re.MULTILINE | re.IGNORECASE,
)
# The same in C and C++, as torch has too: glog's head and check, a debugger's frame, the loader's own form.
NATIVE = lazy_compile(
    r"\w\.(?:c|cc|cpp|cxx|cuh?|h|hpp)(?::\d|\(\d|,? \(?line:? ?\d)|^[^\w\n]*Check failed: "
    r"|^(?:[IWEF]\d{4} \d\d:\d\d:\d\d\.\d+ +\d+ [\w.]{1,80}:\d+\]|\*\*\* |\s*(?:@|#\d+|\d+:) +0x)"
    r"|^\.?[\w./-]*\w: error while loading shared libraries",
    re.MULTILINE,
)
PYTHON = lazy_compile(r"(?i)\.py\b|python|conda|Traceback|\bpip\d? |import \w")
# What one that has to do with torch is about; and what only a program writes: a path, an address, a logger's head.
SURROUNDINGS = lazy_compile(
    r"(?i)cuda|gpu|nvidia|nccl|tensor|\bmodel|(?<![a-z])train|epoch|batch|\bloss\b|gradient|optimi[sz]er|"
    r"data ?(?:loader|set)|inference|neural|checkpoint|hugging|\bhf_|diffus|transformers|"
    r"训练|模型|显卡|显存|张量|梯度|网络|推理|数据"
)
WRITTEN = lazy_compile(r"[\w.]/\w[\w./-]{0,80}\.\w|https?://|^\[\d+\] \[[A-Z]+\] ", re.MULTILINE)


def is_of_torch(paste: Paste) -> bool:
    """Whether a text has a word of torch's, or an error as its C++ raises them."""
    root = paste.root
    return OF_TORCH.search(paste.text) is not None or (root is not None and root.name in RAISED_BY_TORCH)


def foreign_names(paste: Paste, claimed: str | None) -> tuple[str, ...] | None:
    """Whose program a text is of, where nothing in it is torch's: names, of which there may be none. None
    where torch may have a part in it.

    `claimed`: what of the text an entry's wording matched; None without one. What any program prints (a
    wording without a word of torch) is torch's only where no other program shows.
    """
    if any(frame.owner == "torch" for error in paste.errors for frame in error.frames):
        return None
    root = paste.root
    if root is not None and root.role != "warning" and (root.exception or root.frames):
        name = "" if OF_TORCH.search(paste.words) else _whose_error(root)
        if name:
            return (name,)
    return None if is_of_torch(paste) else _another_program(paste, claimed)


def _another_program(paste: Paste, claimed: str | None) -> tuple[str, ...] | None:
    """The names of a program of which a text without a word of torch shows signs; None without any."""
    text = paste.text
    native = NATIVE.search(_beside(text, claimed)) and not PYTHON.search(text)
    if OTHER_LANGUAGE.search(text) or native:
        return paste.foreign
    named = NAMED.search(paste.words)
    names = (*paste.foreign, named[1].lower()) if named else paste.foreign
    asked = claimed is None and paste.root is None and paste.words  # which is ranked as a question in words
    if not asked and any(name in FRAMEWORKS + RUNTIMES for name in names):
        return names
    if _is_alone(paste) or SURROUNDINGS.search(text):
        return None
    return names if names or (WRITTEN.search(text) and not PYTHON.search(text)) else None


def _beside(text: str, claimed: str | None) -> str:
    """The lines of a text beside those that an entry's wording matched."""
    start = text.find(claimed) if claimed else -1
    if start < 0 or not claimed:
        return text
    end = text.find("\n", start + len(claimed))
    return text[: text.rfind("\n", 0, start) + 1] + (text[end:] if end >= 0 else "")


def _is_alone(paste: Paste) -> bool:
    """Whether a text is one message, without a program's lines or anybody's words beside it."""
    root = paste.root
    inside = range(root.start, root.end) if root is not None and not root.frames else ()
    beside = sum(bool(line.strip()) for number, line in enumerate(paste.lines) if number not in inside)
    return beside <= (root is None)


def _whose_error(root: Found) -> str:
    """By the exception's name, the package of the innermost frame, and who is named in the message."""
    if OF_TORCH.search("\n".join([root.message, *(frame.code for frame in root.frames)])):
        return ""
    owners = [frame.owner for frame in root.frames if frame.owner != "python"]
    named = f"{root.exception}: {owners[-1] if owners else ''}/\n{root.message}"
    return next((name for name in FRAMEWORKS + RUNTIMES if FOREIGN[name].search(named)), "")
