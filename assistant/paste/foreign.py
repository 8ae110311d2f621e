"""Signs that a text is about something else than PyTorch: other frameworks, package managers, other
languages.
"""

from __future__ import annotations

import re

FOREIGN = {
    "tensorflow": re.compile(
        r"tensorflow[./\\]|\btf\.\w+|\bkeras\b|ResourceExhaustedError|InvalidArgumentError:|W tensorflow|TF-TRT"
    ),
    "jax": re.compile(r"\bjax(?:lib)?[./\\]|XlaRuntimeError"),
    "mxnet": re.compile(r"\bmxnet\b|MXNetError"),
    "paddle": re.compile(r"\bpaddle(?:paddle)?[./\\]|PaddleFatalError|PreconditionNotMetError"),
    "java": re.compile(
        r"^[ \t]*at [\w.$]+\([\w]+\.java:\d+\)|java\.lang\.\w+|Caused by: \w+\.", re.MULTILINE
    ),
    "npm": re.compile(r"npm (?:ERR!|error)|node_modules|ERR_MODULE_NOT_FOUND"),
    "pip": re.compile(
        r"ERROR: (?:Could not find a version|No matching distribution|pip's dependency|Cannot uninstall|"
        r"Failed building wheel)|subprocess-exited-with-error|ResolutionImpossible|metadata-generation-failed"
    ),
    "conda": re.compile(
        r"CondaHTTPError|UnsatisfiableError|PackagesNotFoundError|ResolvePackageNotFound|"
        r"LibMambaUnsatisfiableError"
    ),
    "network": re.compile(
        r"ConnectionError: .*(?:huggingface|github)|Max retries exceeded|ReadTimeoutError|SSLError|ProxyError|"
        r"HTTPError: 40\d|Couldn't connect to"
    ),
    "git": re.compile(
        r"^fatal: (?:repository|unable to access|not a git)|error: failed to push", re.MULTILINE
    ),
    "docker": re.compile(r"CrashLoopBackOff|ImagePullBackOff|docker: Error response|kubectl|OCI runtime"),
    "rust": re.compile(r"^error\[E\d{4}\]", re.MULTILINE),
    "cmake": re.compile(r"CMake Error at|ninja: build stopped|make: \*\*\*"),
    "sql": re.compile(r"psycopg2|sqlalchemy\.exc|OperationalError"),
    "pandas": re.compile(r"pandas[./\\](?:core|io)|pandas\.errors"),
    "opencv": re.compile(r"cv2\.error|OpenCV\("),
}


def foreign_hints(text: str) -> tuple[str, ...]:
    """Names of the foreign things that the text mentions, in a fixed order."""
    head = text[:50000] + (text[-50000:] if len(text) > 50000 else "")
    return tuple(name for name, pattern in FOREIGN.items() if pattern.search(head))
