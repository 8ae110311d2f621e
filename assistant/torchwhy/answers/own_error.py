"""Errors that are Python's own: raised by the interpreter or by the user's own `raise`, with nothing of torch
in them.

No pitfall of PyTorch explains them, however near the words are.
"""

from __future__ import annotations

import ast
import builtins
import difflib
import re
from itertools import takewhile
from typing import NamedTuple

from torchwhy.paste.line_patterns import ADVICE
from torchwhy.paste.paste import Found, Paste
from torchwhy.paste.place import CODE_INDENT, leading
from torchwhy.source.line import parsed_line
from torchwhy.source.module import Module
from torchwhy.source.nodes import inside, last_name
from torchwhy.text.lazy_re import lazy_compile

MAX_NEAR = 4  # names that are shown
MAX_KEYS = 8  # of a dictionary that the source writes out
MAX_LOOKED_LINES = 400  # of a source, where names are looked for
MAX_NAME_CHARS, MAX_NAMES = 80, 5_000  # of what is compared with the missing name; a comparison is slow
MAX_MESSAGE_CHARS = 2_000

OF_SYSTEM = r"\[(?:Errno|WinError) \d+\].*"
# What the interpreter itself says, by the exception's name. Whatever else these exceptions say may be a
# library's.
SAID = {
    **dict.fromkeys(("KeyError", "UnboundLocalError", "AssertionError", "JSONDecodeError"), r".{0,300}"),
    **dict.fromkeys(("UnicodeDecodeError", "UnicodeEncodeError"), r".{0,300}"),
    **dict.fromkeys(("SyntaxError", "IndentationError", "TabError"), r".{0,300}"),
    **dict.fromkeys(("FileNotFoundError", "FileExistsError", "PermissionError"), OF_SYSTEM),
    **dict.fromkeys(("IsADirectoryError", "NotADirectoryError"), OF_SYSTEM),
    **dict.fromkeys(("StopIteration", "MemoryError", "NotImplementedError"), r""),
    "IndexError": r"(?:list|tuple|string|range object|bytearray|bytes|array|deque)(?: assignment)? index out of range"
    r"|pop from (?:an )?empty .*|pop index out of range",
    "AttributeError": r"(?:type object )?'[\w.]+' object has no attribute '\w+'.*"
    r"|type object '[\w.]+' has no attribute '\w+'.*"
    r"|(?:partially initialized )?module '(?!torch)[\w.]+' has no attribute '\w+'.*|can't set attribute.*"
    r"|property '\w+' of '\w+' object has no setter.*",
    "NameError": r"(?:name|free variable) '\w+' (?:is not defined|referenced before assignment).*"
    r"|cannot access free variable '\w+'.*",
    "ZeroDivisionError": r".{0,100}",
    "OverflowError": r"math range error|int too large to convert to .*|cannot convert float \w+ to integer.*"
    r"|\(34, .*\)",
    "TypeError": r"'[\w.]+' object is not (?:iterable|subscriptable|callable|an iterator|reversible|a mapping"
    r"|an async iterable).*|unsupported operand type\(s\) for .*|bad operand type for .*"
    r"|[\w.<>]+\(\) (?:missing \d+ required|takes .*positional|got an unexpected keyword|got multiple values"
    r"|argument after).*|[\w.]+ got an unexpected keyword argument.*|unhashable type: .*"
    r"|can(?:not| only) concatenate .*|can't multiply sequence by .*"
    r"|(?:list|tuple|string|byte|bytearray|range) indices must be .*"
    r"|object of type '[\w.]+' has no len\(\)|must be real number, not .*"
    r"|(?:int|float)\(\) argument must be .*|cannot unpack non-iterable .*|Object of type \w+ is not JSON .*"
    r"|'.{1,2}' not supported between instances of .*|'[\w.]+' object does not support item .*"
    r"|'[\w.]+' object cannot be interpreted as an integer|not all arguments converted .*"
    r"|expected str, bytes or os\.PathLike object.*|sequence item \d+: expected str.*|exceptions must derive .*"
    r"|argument of type '[\w.]+' is not (?:iterable|a container.*)|join\(\) argument must be .*"
    r"|(?:must be|write\(\) argument must be) str.*",
    "ValueError": r"(?:not enough|too many) values to unpack.*|invalid literal for int\(\).*"
    r"|could not convert string to float.*|math domain error|.{1,80} (?:is )?not in (?:list|tuple|deque)"
    r"|(?:max|min)\(\) (?:arg is an empty sequence|iterable argument is empty)|I/O operation on closed file.*"
    r"|list\.remove\(x\): x not in list|substring not found|empty range .*|range\(\) arg 3 must not be zero"
    r"|zip\(\) argument \d+ is (?:longer|shorter) .*|time data .* does not match format .*"
    r"|Sample larger than population.*|cannot convert float (?:NaN|infinity) to integer|unknown format code .*",
    "RecursionError": r"maximum recursion depth exceeded.*",
    # not a package's own compiled part, whose name begins with an underscore
    "ModuleNotFoundError": r"No module named '(?!torch|triton|nvidia)(?:(?!\._)[\w.])+'.*",
    "ImportError": r"cannot import name '\w+' from '(?!torch)[\w.]+'.*|attempted relative import .*",
    "EOFError": r"EOF when reading a line",
    "CalledProcessError": r"Command .*",
}
_PATTERNS = {name: lazy_compile(rf"(?:{pattern})\Z", re.DOTALL) for name, pattern in SAID.items()}
# Values of torch in the message: then the entries about them know more than Python does.
OF_TORCH = lazy_compile(
    r"(?i)torch|tensor|cuda|dataloader|state_dict|\bgrad(?:s|_\w+|ients?)?\b|nn\.Module|'Module|DataParallel|ndarray|numpy|key_padded_mask"
)
OF_GRAPH = lazy_compile(
    r"\.grad\b|DataLoader|state_dict|backward"
)  # what None or a missing name can be about
WRITTEN_KEY = lazy_compile(r"['\"]([^'\"\n]{1,80})['\"]\s*(?::|\])")
ATTRIBUTE = lazy_compile(r"has no attribute '(\w+)'")
NAME = lazy_compile(r"(?:name|variable) '(\w+)'")
RAISE = lazy_compile(r"(?:^|[:;] *)(?:raise|assert)\b")
QUOTED = lazy_compile(r"['\"](.{1,80})['\"]\Z")


class PythonError(NamedTuple):
    """An error of Python's own.

    `near`: keys or names of the text or the source that look like the one that is missing.
    """

    exception: str
    message: str
    near: tuple[str, ...] = ()
    raised: bool = False
    """Whether a `raise` of the user's own program said it."""


def own_error(paste: Paste) -> PythonError | None:
    """The leading error where it is Python's own; None where a line of torch failed, or another library says
    in words of its own what is wrong.

    A traceback is judged by its frames; a bare message by its words, and only where nothing else stands
    beside it.
    """
    root = paste.root
    if root is None or not root.exception or root.role not in ("root", "wrapper"):
        return None
    message = root.message.strip()[:MAX_MESSAGE_CHARS]
    if root.name != "NameError" and (OF_TORCH.search(message) or OF_TORCH.search(root.exception)):
        return None
    frames = [frame for error in leading(paste) for frame in error.frames]
    # what torch calls of the user's (a forward, a __getitem__) fails in the user's own line
    inner = {frame.owner for frame in takewhile(lambda each: each.owner, reversed(frames))} - {"python"}
    if "torch" in inner:
        return None
    if not frames and not _alone(paste, root):
        return None
    user = next((frame for frame in reversed(frames) if not frame.owner), None)
    raised = user is not None and RAISE.search(user.code) is not None and user is frames[-1]
    pattern = _PATTERNS.get(root.name)
    said = pattern is not None and pattern.match(message) is not None
    named = root.name in (
        "AttributeError",
        "NameError",
        "UnboundLocalError",
        "KeyError",
        "ModuleNotFoundError",
    )
    if said and user is not None and (OF_GRAPH if named else OF_TORCH).search(user.code):
        return None  # the line that failed handles something of torch: entries may know it
    if inner and (root.name == "AssertionError" or not said):
        return None  # a package's own words
    if said or (raised and (hasattr(builtins, root.name) or "." not in root.exception)):
        return PythonError(root.exception, message, near_names(root, None), raised and not said)
    return None


def _alone(paste: Paste, root: Found) -> bool:
    """Whether a text is the one message and nothing else: at most the line of code above it, as a traceback
    ends.
    """
    above = paste.lines[root.start - 1] if root.start else ""
    code = root.start - 1 if above.startswith(CODE_INDENT) and not OF_TORCH.search(above) else -1
    beside = [
        line
        for number, line in enumerate(paste.lines)
        if not root.start <= number < root.end and number != code
    ]
    return not any(line.strip() and not ADVICE.search(line) for line in beside)


def near_names(root: Found, source: Module | None) -> tuple[str, ...]:
    """Keys, names or attributes that the text or the source writes and that are near to the missing one."""
    missing = missing_name(root)
    if missing is None or len(missing) > MAX_NAME_CHARS:
        return ()
    lines = [frame.code for frame in root.frames]
    if source is not None:
        lines += source.lines[:MAX_LOOKED_LINES]
    text = "\n".join(lines)
    if root.name == "KeyError":
        keys = literal_keys(root, source) if source is not None else ()
        if keys:
            return keys
        known = [found[1] for found in WRITTEN_KEY.finditer(text)]
    elif root.name == "AttributeError":
        known = re.findall(r"(?:self|\w)\.(\w+)|def (\w+)", text)
        known = [name for pair in known for name in pair if name]
    else:
        known = re.findall(r"[A-Za-z_]\w*", text)
    others = [name for name in dict.fromkeys(known) if name != missing and len(name) <= MAX_NAME_CHARS]
    return tuple(difflib.get_close_matches(missing, others[-MAX_NAMES:], MAX_NEAR, 0.6))


def literal_keys(root: Found, source: Module) -> tuple[str, ...]:
    """The keys of the dictionary that the failing line reads, where the source writes it out once."""
    missing = missing_name(root)
    frame = next((each for each in reversed(root.frames) if not each.owner), None)
    reads = inside(parsed_line(frame.code) if frame else None, ast.Subscript)
    names = {
        last_name(node.value)
        for node in reads
        if isinstance(node.slice, ast.Constant) and node.slice.value == missing
    }
    written = [
        node.value
        for node in source.of(ast.Assign)
        if isinstance(node.value, ast.Dict) and any(last_name(target) in names for target in node.targets)
    ]
    if len(written) != 1:
        return ()
    keys = [
        key.value for key in written[0].keys if isinstance(key, ast.Constant) and isinstance(key.value, str)
    ]
    return tuple(keys[:MAX_KEYS])


def missing_name(root: Found) -> str | None:
    """The key, attribute or name that the message says is not there."""
    if root.name == "KeyError":
        found = QUOTED.match(root.message.strip())
        return found[1] if found else None
    pattern = {"AttributeError": ATTRIBUTE, "NameError": NAME, "UnboundLocalError": NAME}.get(root.name)
    found = pattern.search(root.message) if pattern else None
    return found[1] if found else None
