"""Two packages whose releases do not go together, as a traceback shows it: whose line asks, by the innermost
frame, and which package lacks what is asked of it, by what Python says.
"""

from __future__ import annotations

import re
import sys
from typing import Literal, NamedTuple

from torchwhy.text.lazy_re import lazy_compile

from .libraries import is_library, pip_name
from .owner import INSTALLED
from .paste import Frame, Paste

Form = Literal["name", "mixed", "folder", "file", "argument", "attribute"]
OWN, SOMEBODY = "your code", "the code"  # who asks, where no package does; where no frame tells
# What Python says, by the group that names what is missing. Of the arguments it says no name where it counts.
SAID = lazy_compile(
    r"^(?:cannot import name '?(?P<name>\w+)'?"
    r"(?: from '(?P<package>[\w.]+)'(?: \((?P<path>[^)\n]{0,300})\))?|$)"
    r"|No module named '(?P<parent>\w+(?:\.\w+)*)\.(?P<part>\w+)'(?P<shadow>; '\w+' is not a package)?"
    r"|module '?(?P<module>[\w.]+)'? has no attribute '?(?P<attribute>\w+)"
    r"|'(?P<type>[A-Z]\w+)' object has no attribute '(?P<asked>\w+)'"
    r"|(?P<function>[\w.<>]+)\(\) (?P<arguments>got an unexpected keyword argument '\w+'"
    r"|takes (?:from \d+ to )?\d+ positional arguments? but \d+ w\w+ given"
    r"|missing \d+ required positional arguments?: '\w+'))",
    re.MULTILINE,
)
# What torch and a package's own hooks do on the way: their line hands on what another one asked.
PASSES_ON = frozenset(["__getattr__", "__getattribute__", "_call_impl", "_wrapped_call_impl", "__call__"])
# Objects that any mistake of the user's can put in the place of another one.
COMMON = frozenset(["NoneType", "Tensor", "Parameter", "Namespace", "Series", "DataFrame", "DataParallel"])


class OutOfStep(NamedTuple):
    """`asker`: the package whose line asks, by the name that pip knows, or OWN, SOMEBODY; `lacker`: the
    package that lacks it, by that name, "" where only a function or a class is named; `where`: the module,
    function or class; `asked`: the name or the arguments. `sure`: whether the lacker is no part of the user's
    own program; `of_library`: whether one of the two stands on torch. `file`: where the line that asks is.
    """

    form: Form
    asker: str
    where: str
    lacker: str
    asked: str
    of_library: bool
    sure: bool
    file: str

    @property
    def line(self) -> str:
        """All of it in a line, as the patterns of entries read it."""
        of = f" of {self.lacker}" if self.lacker else ""
        return f"out of step ({self.form}): {self.asker} asks {self.where}{of} for {self.asked}"


def out_of_step(paste: Paste) -> OutOfStep | None:
    """What is asked of a package, a class or a function that has it not; None where Python or torch asks,
    where the user asks torch, and of a cycle of imports.
    """
    root = paste.root
    if root is None or root.role not in ("root", "wrapper"):
        return None
    said = SAID.search(root.message.strip())
    if said is None:
        return None
    frames = root.frames if said.start() == 0 else _told_before(paste, said[0])
    asks = next((frame for frame in reversed(frames) if not _hands_on(frame)), None)
    asker = SOMEBODY if asks is None else asks.owner or OWN
    if said["type"] or said["function"]:
        return _of_object(said, asker, asks)
    code = asks.code if asks else paste.lines[max(root.start - 1, 0)]
    where = said["package"] or said["parent"] or said["module"] or _imported_from(code)
    package, own = where.partition(".")[0], asker in (OWN, SOMEBODY)
    cycle = said["module"] and asker == package
    if not package or cycle or package in sys.stdlib_module_names or (package == "torch" and own):
        return None
    path, asked = said["path"] or "", said["name"] or said["part"] or said["attribute"]
    form = _form(package, asker, path, said["shadow"])
    sure = is_library(package) or (form == "name" and bool(INSTALLED.search(path) or not (own or path)))
    known = is_library(package) or is_library(asker)
    lacker, file = pip_name(package), asks.file if asks else ""
    return OutOfStep(form, pip_name(asker), where, lacker, asked, known, sure, file)


def _told_before(paste: Paste, message: str) -> tuple[Frame, ...]:
    """The frames of the error that another one quotes in its message; () where the text has none of it."""
    return next((error.frames for error in paste.errors[1:] if error.message.startswith(message)), ())


def _imported_from(code: str) -> str:
    """The module that a line imports a name from, which Python does not say before 3.7."""
    found = re.match(r"\s*from (\w[\w.]*) import ", code)
    return found[1] if found else ""


def _of_object(said: re.Match[str], asker: str, asks: Frame | None) -> OutOfStep | None:
    """What a package asks of a class or a function that nobody says whose it is."""
    if asker == "torch" or said["type"] in COMMON:
        return None
    form: Form = "attribute" if said["type"] else "argument"
    sure = asker not in (OWN, SOMEBODY)
    lacker = "torch" if said["function"] and asks and "torch." in asks.code else ""
    where, asked = said["type"] or said["function"], said["asked"] or said["arguments"]
    return OutOfStep(
        form, pip_name(asker), where, lacker, asked, is_library(asker), sure, asks.file if asks else ""
    )


def _form(package: str, asker: str, path: str, shadow: str | None) -> Form:
    """What Python found: the package, a folder or a file in its way, or a mixture of two releases."""
    if path == "unknown location":
        return "folder"
    if shadow or (re.search(rf"(?:^|[/\\]){package}\.py$", path) and not INSTALLED.search(path)):
        return "file"
    return "mixed" if asker == package else "name"


def _hands_on(frame: Frame) -> bool:
    """Whether a frame only stands between the line that asks and what it asks."""
    return frame.owner == "python" or frame.function.split("(")[0].rpartition(".")[2] in PASSES_ON
