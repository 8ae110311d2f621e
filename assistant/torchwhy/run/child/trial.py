"""Runs the failing line again with a change in it, in a fork of the program that crashed.

It needs apart.py, statements.py, anew.py, the standard library and the program's own torch (Python 3.8 to
3.14). The fork that hooks.py makes loads it, where `torchwhy run` waits at a socket: it lets go of all
descriptors that are the program's (a GPU, a port, a lock), and tries each change in a fork of its own, which
may neither write, connect nor start anything.

A small model runs on the fork's own data, which is what the program had; a large one on tensors without
data, each replaced by one of its shape on the device `meta`, and the other way where that shows nothing. A
trial says something only where the line as it is fails there too. A program that is back at its error in a
moment is run from its start as well, with the change: what the line does for others shows there alone.
"""

from __future__ import annotations

import ast
import gc
import inspect
import io
import json
import linecache
import math
import os
import re
import signal
import sys
import time
import warnings
from contextlib import ExitStack, nullcontext
from functools import lru_cache
from types import CellType, CodeType, FrameType, FunctionType, ModuleType, TracebackType
from typing import Any, Callable, Dict, Iterator, List, NamedTuple, Optional, Set, Tuple

from torchwhy_anew import run_anew
from torchwhy_apart import MAX_WORDS_CHARS, let_go_of_descriptors, refuse, shut_in
from torchwhy_statements import (
    COMPOUND,
    Step,
    after_with,
    assignments,
    block_at,
    codes_in,
    is_loop_body,
    is_name,
    names_in,
    numbered,
    put_behind,
    put_whole,
    reads,
    runs,
    spans,
)

MAX_MORE_BYTES = 2 << 30  # of address space for a trial, beside what the program has
LIFE_SECONDS = 60.0  # where torchwhy neither asks nor lets go
MAX_REAL_NUMBERS = 10_000_000  # parameters of modules with which a line is first run on data
MAX_SPENT_SECONDS = 10.0  # of computing, of a program that is run again
MAX_WAIT = 2.0  # seconds for each of its computing
MAX_DEPTH = 4  # of lists in lists that are copied
MAX_REQUEST_BYTES = MAX_PRINTED_CHARS = 100_000
# In what torch says where values are needed, and where a file is not to be written
NO_DATA = re.compile(r"(?i)\bmeta\b|data-dependent|no data|unbacked|: Permission denied")
NOT_ALLOWED = re.compile(r": Permission denied|can't allocate memory")
# What does the same as the module in it, on one rank, and its file; what does not
AROUND = {"DistributedDataParallel": "module", "OptimizedModule": "_orig_mod"}
REPLICAS = "parallel/distributed.py"
SHARDED = frozenset("FullyShardedDataParallel FSDPModule".split())
# What the ranks do together: each collective, and on data a backward pass, which sums their gradients
TOGETHER = re.compile(r"distributed_c10d\.py (?!get_|is_|_)")
ALSO_ON_DATA = re.compile(TOGETHER.pattern + r"|autograd/__init__\.py backward$")
PASSED_ON = frozenset("_wrapped_call_impl _call_impl handle_torch_function __torch_function__".split())
OWN_FILE = "<torchwhy trial>"
GRADIENTS = re.compile(r"'(?:no_grad|enable_grad|set_grad_enabled|inference_mode)'")
RETURNED = "__torchwhy_returned"

Edit = Dict[str, Any]  # file, line, before, after
Sources = Dict[str, ast.Module]  # by the name of the file
Verdict = Dict[str, Any]  # verdict ("runs", "fails", "not tried"), gives, why, ms


class NotTried(Exception):
    """Why nothing can be said."""


class Crash(NamedTuple):
    """What the program failed with, and where; whether its tensors still have their data, and the seconds of
    computing that it took.
    """

    error: BaseException
    trace: Optional[TracebackType]
    is_library: Callable[[str], bool]
    on_data: bool
    spent: float


class FailedBelow(Exception):
    """What a statement below the edited one raised."""


class Stop(BaseException):
    """Here the block goes on with code that is not to be run: of what kind."""


def serve(connection: Any, *crash: Any) -> None:
    """Try what is asked for, a line of JSON each, until torchwhy lets go of the connection."""
    import resource  # which Windows has not, nor forks

    for number in (signal.SIGALRM, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_DFL)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, [signal.SIGALRM, signal.SIGTERM])
    signal.setitimer(signal.ITIMER_REAL, LIFE_SECONDS)
    number = connection.fileno()
    let_go_of_descriptors(number)
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    sys.dont_write_bytecode = True
    warnings.simplefilter("ignore")
    _without_dynamo()
    tried = Trial(Crash(*crash))
    if not tried.on_data:
        _let_go_of_data()
    if not tried.is_small():
        tried.torch.relu(
            tried.torch.empty(1, device="meta")
        )  # the first loads 500 modules, for each trial here
    with open(number, "rb", closefd=False) as requests:
        for line in iter(lambda: requests.readline(MAX_REQUEST_BYTES), b""):
            os.write(number, _line(tried.judged(**json.loads(line.decode()))))


def _let_go_of_data() -> None:
    """Free the memory of every tensor, which keeps its shape: the program, started again, may need it."""
    tensor = sys.modules["torch"].Tensor
    for each in gc.get_objects():
        if issubclass(type(each), tensor):
            try:
                each.untyped_storage().resize_(0)
            except Exception:
                pass  # memory that is not torch's own


def _in_a_fork(say: Callable[[bool], Verdict], seconds: float, wait: float) -> Tuple[Verdict, float]:
    """What is said there within so many seconds of computing and of waiting, by what is told whether the
    kernel refuses all writing, too; and how many seconds it computed.
    """
    import resource

    begun = time.perf_counter()
    reading, writing = os.pipe()
    fork = os.fork()
    if not fork:
        try:
            signal.setitimer(signal.ITIMER_PROF, seconds)
            signal.setitimer(signal.ITIMER_REAL, wait)
            size = int(open("/proc/self/statm").read().split()[0]) * resource.getpagesize() + MAX_MORE_BYTES
            resource.setrlimit(resource.RLIMIT_AS, (size, size))
            closed = shut_in()
            sys.addaudithook(refuse)
            os.write(writing, _line(say(closed)))
            os._exit(0)
        except BaseException:
            os._exit(1)
    os.close(writing)
    with open(reading, "rb") as replies:
        reply = replies.read()
    _, status, used = os.wait4(fork, 0)
    # ended by its alarm, or by what it did
    said: Verdict = not_tried("it took too long") if status else json.loads(reply.decode())
    return {**said, "ms": round((time.perf_counter() - begun) * 1000)}, used.ru_utime + used.ru_stime


def _without_dynamo() -> None:
    """What torch runs on `meta` asks its compiler to stay out of it, which it loads for over a second."""
    if "torch._dynamo" not in sys.modules:
        dynamo: Any = ModuleType("torch._dynamo")
        dynamo.disable = lambda function, *_, **__: function
        sys.modules["torch"]._dynamo = sys.modules["torch._dynamo"] = dynamo  # type: ignore[attr-defined]


def _line(said: Verdict) -> bytes:
    return json.dumps(said).encode() + b"\n"


def not_tried(why: str) -> Verdict:
    return {"verdict": "not tried", "gives": "", "why": why, "ms": 0}


class Trial:
    """The crash: the user's frames, outermost first, and the error."""

    def __init__(self, crash: Crash) -> None:
        import torch

        self.torch, self.error, self.on_data = torch, crash.error, crash.on_data
        self.is_library = lru_cache(maxsize=None)(crash.is_library)  # asked at every call of a function
        trace = crash.trace
        torch.set_num_threads(1)  # the threads of the program's pool did not come along
        distributed = sys.modules.get("torch.distributed")
        self.is_rank = distributed is not None and distributed.is_available() and distributed.is_initialized()
        steps = []
        while trace is not None:
            steps.append((trace.tb_frame, trace.tb_lineno))
            if trace.tb_frame.f_code.co_name == "decorate_context":  # of @torch.no_grad()
                torch.set_grad_enabled(False)
            trace = trace.tb_next
        self.steps: List[Step] = [step for step in steps if not self.is_library(step[0].f_code.co_filename)]
        # seconds of computing for which the program was run again; whether it then failed as it did, and what
        # it had printed until then
        self.used = 0.0 if self.on_data and crash.spent < MAX_SPENT_SECONDS else math.inf
        self.returns: Optional[bool] = None
        self.printed = ""

    def judged(self, edits: List[Edit], seconds: float, anew: float, far: bool) -> Verdict:
        """The verdict where it failed, or that of the whole program where it is run again, within `anew`;
        `far`: it has to print the same until the line that failed.
        """
        said, _ = _in_a_fork(lambda closed: self.verdict(edits), seconds, seconds)
        whole = self._run_again(edits, anew)
        if whole["verdict"] == "not tried":
            return said
        if far or not said["verdict"] == whole["verdict"] == "runs":
            if self.returns is None:
                back = self._run_again([], anew)
                self.returns, self.printed = back["verdict"] == "fails", back.get("printed", "")
            if not self.returns or (far and not whole["printed"].startswith(self.printed)):
                return said
        return {**whole, "printed": "", "gives": said["gives"], "ms": said["ms"] + whole["ms"], "whole": True}

    def _run_again(self, edits: List[Edit], anew: float) -> Verdict:
        left = anew - self.used
        if left <= 0:
            return not_tried("no time is left")
        said, used = _in_a_fork(lambda closed: self._anew(edits, closed), left, left * MAX_WAIT)
        self.used += used
        return said

    def _anew(self, edits: List[Edit], closed: bool) -> Verdict:
        """How the program ends with these edits, run from its start; as it is, with the error that it had."""
        if not closed:
            return not_tried("the kernel has no Landlock")
        out = sys.stdout = io.TextIOWrapper(io.BytesIO(), "utf-8", write_through=True)
        said = {"verdict": "runs", "gives": "", "why": "to its end"}
        try:
            refused = run_anew(self.steps[0][0], self._edited_sources(edits), self.is_library)
            said = not_tried(refused) if refused else said
        except NotTried as reason:
            return not_tried(str(reason))
        except SystemExit as end:
            said = not_tried("it exits") if end.code else said
        except Exception as raised:
            if _is_refused(raised) or (not edits and not self._is_the_crash(raised)):
                return not_tried(_words(raised))
            said = {"verdict": "fails", "gives": "", "why": _words(raised)}
        printed = out.buffer.getvalue().decode("utf-8", "replace")  # type: ignore[attr-defined]
        return {**said, "printed": printed[:MAX_PRINTED_CHARS]}

    def verdict(self, edits: List[Edit]) -> Verdict:
        """Whether the failing line, and what follows it in its block, runs with these edits."""
        try:
            sources = self._edited_sources(edits)
            said: List[Verdict] = []
            for real in (True, False) if self.is_small() else (False, True)[: 1 + self.on_data]:
                for step in self._starts():
                    if self._fails_at(step, real):
                        said.append(self._with_edits(step, sources, edits, real))
                        if said[-1]["verdict"] != "not tried":
                            return said[-1]
                if real and said:
                    break  # without data, which takes longer, it would say no more
            return said[0] if said else not_tried("run again, the line as it is does not fail so")
        except NotTried as reason:
            return not_tried(str(reason))
        except Exception as reason:
            return not_tried(_words(reason))

    def is_small(self) -> bool:
        """Whether the fork has its own data, on which the line runs in no time."""
        parts = (each for module in self.modules() for each in module.parameters(recurse=False))
        return self.on_data and sum(int(each.numel()) for each in parts) <= MAX_REAL_NUMBERS

    def _with_edits(self, step: Step, sources: Sources, edits: List[Edit], real: bool) -> Verdict:
        try:
            replay = Replay(self, step, sources, edits, real)
            gives = replay.run()
        except NotTried as reason:
            return not_tried(str(reason))
        except Stop as reason:
            return not_tried(str(reason))
        except Exception as raised:
            if _needs_data(raised):
                return not_tried(_words(raised))
            if not replay.reached or self._ran_before(sources, edits):
                return not_tried("what runs again does not reach the change")
            return {"verdict": "fails", "gives": "", "why": _words(raised), "ms": 0}
        return {"verdict": "runs", "gives": gives, "why": replay.until, "ms": 0}

    def _ran_before(self, sources: Sources, edits: List[Edit]) -> bool:
        """Whether a function that an edit changes was also called above, for what is read now."""
        lines = {edit["line"] for edit in edits}
        trees = [node for tree in sources.values() for node in ast.walk(tree)]
        changed = {
            node.name
            for node in trees
            if isinstance(node, ast.FunctionDef) and node.name not in ("forward", "__init__")
            if any(spans(node, line) for line in lines)
        }
        for frame, line in self.steps:
            found = block_at(sources.get(frame.f_code.co_filename) or ast.Module([], []), line)
            for above in found[0][: found[1]] if found is not None else ():
                if names_in(above) & changed:
                    return True
        return False

    def _edited_sources(self, edits: List[Edit]) -> Sources:
        """The files as the edits leave them, by the name that the program knows them by; every line has the
        number that it had, and what is put beside one has that one's.
        """
        files = {os.path.realpath(name): name for name in map(_file_of, self._codes())}
        rows: Dict[str, List[str]] = {}
        for edit in edits:
            name = files.get(os.path.realpath(edit["file"]))
            if name is None:
                raise NotTried("no code of that file was running")
            of_file = rows.setdefault(name, list(linecache.getlines(name)))
            at = edit["line"] - 1
            if not 0 <= at < len(of_file) or edit["before"] not in of_file[at]:
                raise NotTried("the line is another one by now")
            row = of_file[at].replace(edit["before"], edit["after"], 1)
            of_file[at] = row if row.strip() else ""
        return {name: numbered(of_file) for name, of_file in rows.items()}

    def _codes(self) -> Iterator[CodeType]:
        """Of the user's frames, and of the methods of the modules that they hold."""
        for frame, _ in self.steps:
            yield frame.f_code
        for _, function in self.functions():
            yield function.__code__

    def functions(self) -> Iterator[Tuple[Optional[type], FunctionType]]:
        """The methods of the user's modules (with the class), and the functions of the files on the stack."""
        named = [each for frame, _ in self.steps for each in list(frame.f_globals.values())]
        kinds = {kind for module in self.modules() for kind in type(module).__mro__}
        kinds.update(
            each for each in named if isinstance(each, type) and issubclass(each, self.torch.nn.Module)
        )
        methods = [(kind, each) for kind in kinds for each in vars(kind).values()]
        for kind, each in [*methods, *((None, each) for each in named)]:
            if isinstance(each, FunctionType) and not self.is_library(each.__code__.co_filename):
                yield kind, each

    def modules(self) -> List[Any]:
        """Every module that a name on the stack stands for, with its parts, each once."""
        found: Dict[int, Any] = {}
        for frame, _ in self.steps:
            for value in [*frame.f_locals.values(), *frame.f_globals.values()]:
                made = isinstance(value, self.torch.nn.Module) and "_modules" in vars(value)
                if made and id(value) not in found:
                    found.update((id(part), part) for part in value.modules())
        return list(found.values())

    def _starts(self) -> List[Step]:
        """Where to begin: the outermost line below which only modules are called, then those further in."""
        if not self.steps:
            raise NotTried("no line of the program's own was running")
        if any(type(module).__name__ in SHARDED for module in self.modules()):
            raise NotTried("the model is sharded")
        first = len(self.steps) - 1
        while first and self._is_forward(self.steps[first][0]):
            first -= 1
        return self.steps[first:]

    def _is_forward(self, frame: FrameType) -> bool:
        """Whether a module of the program's makes something, or is made itself."""
        module = frame.f_locals.get("self")
        return frame.f_code.co_name in ("forward", "__init__") and isinstance(module, self.torch.nn.Module)

    def _fails_at(self, step: Step, real: bool) -> bool:
        """Whether the line as it is fails here too: with an error of that kind, of that function of torch."""
        try:
            Replay(self, step, {}, [], real).run()
        except Stop:
            return False
        except Exception as raised:
            return self._is_the_crash(raised)
        return False

    def _is_the_crash(self, raised: BaseException) -> bool:
        wanted, found = (self._called(each.__traceback__) for each in (self.error, raised))
        return type(raised) is type(self.error) and found[: len(wanted)] == wanted

    def _called(self, trace: Optional[TracebackType]) -> List[str]:
        """What the user's innermost line had called, by name: torch's own code on the way to the error; what
        only passes a call on does not count.
        """
        names: List[str] = []
        while trace is not None:
            code = trace.tb_frame.f_code
            if not self.is_library(code.co_filename):
                names = []
            elif code.co_name not in (*PASSED_ON, *names[-1:]) and not code.co_filename.endswith(REPLICAS):
                names.append(code.co_name)
            trace = trace.tb_next
        return names


class Replay:
    """One run of a statement and the rest of its block: on copies without data, or (`real`) on the fork's own
    data.
    """

    def __init__(self, trial: Trial, step: Step, sources: Sources, edits: List[Edit], real: bool) -> None:
        self.trial, self.torch, self.real = trial, trial.torch, real
        self.frame, self.line = step
        self.below = trial.steps[trial.steps.index(step) + 1 :]
        self.sources = sources
        self.copies: Dict[int, Any] = {}
        self.kept: List[Any] = []  # what the ids of `copies` are of
        self.until = ""
        self.depth = 0  # of forward methods that run
        self.begin = self.line  # the line of the first statement that is run
        self.made: List[Any] = []  # modules that were made anew, in the place of those that are
        self.reached = False  # whether what ran has to do with an edit
        name = self.frame.f_code.co_filename
        was = ast.parse("".join(linecache.getlines(name)))
        self.tree = sources.get(name, was)
        found = block_at(self.tree, self.line)
        if found is None:
            raise NotTried("the line is no simple statement")
        self.block, self.at, self.around = found
        self.behind = put_behind(self.block, self.at, block_at(was, self.line))
        if self.behind and not is_loop_body(self.tree, self.block):
            raise NotTried("the change stands behind the line that fails")
        self.at -= len(self.behind)
        self.edited = {edit["line"] for edit in edits}
        for edit in edits:
            self._take_in(edit)

    # --- what the edits made

    def _take_in(self, edit: Edit) -> None:
        """What has run of an edited line already is made anew, or run again with all that follows it."""
        name = next(name for name in self.sources if os.path.samefile(name, edit["file"]))
        made = len(self.made)
        try:
            self._make_anew(edit, name)
            self.reached |= len(self.made) == made
        except NotTried:
            if name != self.frame.f_code.co_filename or not self._runs_again(edit["line"]):
                raise
            self.begin, self.reached = min(self.begin, edit["line"]), True

    def _begin_where_it_is_read(self, target: ast.expr) -> None:
        """Where the failing line reads something that was made by the object which is made anew now."""
        if not reads(self.block[self.at], target):
            lines = (each.lineno for each in self.block[: self.at] if reads(each, target))
            self.begin = next((line for line in lines if self._runs_again(line)), self.begin)

    def _runs_again(self, line: int) -> bool:
        """Whether the block can be run from that line: nothing in it reads what it gave another value. A call
        that has no part in that (`optimizer.zero_grad()`) is left out: its effect is there.
        """
        first = next((at for at, each in enumerate(self.block[: self.at]) if spans(each, line)), self.at)
        read: Set[str] = set()
        written: Set[str] = set()
        for each in self.block[first : self.at]:
            if isinstance(each, ast.Expr) and not names_in(each) & written:
                continue
            targets = each.targets if isinstance(each, ast.Assign) else []
            if not targets or not all(map(is_name, targets)):
                return False  # it may change an object
            read |= names_in(each.value) - written  # type: ignore[attr-defined]
            written |= {name for target in targets for name in names_in(target)}
        return first < self.at and not read & written

    def _make_anew(self, edit: Edit, name: str) -> None:
        """Where the edited line made an object, make it anew and put it in the old one's place."""
        running = [step for step in self.trial.steps if self._is_running(step, name, edit["line"])]
        if running:
            if self.trial.steps.index(running[-1]) < len(self.trial.steps) - len(self.below) - 1:
                raise NotTried("the changed line lies further out")
            return
        tree = self.sources[name]
        above = [node for node in ast.walk(tree) if spans(node, edit["line"])]
        made = assignments(tree, edit["line"])
        inside = [node for node in above if isinstance(node, (ast.FunctionDef, ast.ClassDef))]
        inside.sort(key=lambda node: node.lineno)
        function = inside[-1].name if inside and isinstance(inside[-1], ast.FunctionDef) else ""
        owner = next((node.name for node in inside[::-1] if isinstance(node, ast.ClassDef)), "")
        if inside and function and any(runs(step, name, inside[-1]) for step in self.below):
            return  # which is run anew
        if not made and any(
            isinstance(node, ast.FunctionDef) and node.lineno == edit["line"] for node in above
        ):
            return  # a method under another name
        was = assignments(ast.parse("".join(linecache.getlines(name))), edit["line"])
        if not made or not was or "\n" in edit["after"]:
            raise NotTried("the changed line makes no object")
        target = made[-1].targets[0] if isinstance(made[-1], ast.Assign) else made[-1].target
        if owner and isinstance(target, ast.Attribute):
            owners = [each for each in self.trial.modules() if type(each).__name__ == owner]
            for each in owners:
                old = vars(each)["_modules"].get(target.attr, vars(each).get(target.attr))
                self._replace(old, made[-1], was[-1], self._names(each, function, old, was[-1].value))
            if owners:
                self._begin_where_it_is_read(target)
                return
        elif isinstance(target, ast.Name) and target.id not in names_in(made[-1].value or target):
            for frame, _ in self.trial.steps[::-1]:
                if frame.f_code.co_filename == name and frame.f_code.co_name == (function or "<module>"):
                    old = frame.f_locals.get(target.id)
                    self._replace(old, made[-1], was[-1], {**frame.f_globals, **frame.f_locals})
                    self._begin_where_it_is_read(target)
                    return
        raise NotTried("what the changed line made is not at hand")

    def _replace(self, old: Any, made: Any, was: Any, names: Dict[str, Any]) -> None:
        """Let every reference to `old`, which the assignment `was` made, be one to what `made` makes."""
        if not isinstance(old, self.torch.nn.Module):
            raise NotTried("what the changed line made is no module: what was made of it stays")
        new = self._made_by(made, names)
        if isinstance(new, self.torch.nn.Module):
            new.train(old.training)
            kinds = _dtypes(old)
            if len(kinds) == 1 and kinds != _dtypes(self._made_by(was, names)):  # it was converted later
                new.to(kinds.pop())
        self.copies[id(old)] = self._copy(new)
        copy = self.copies[id(old)]
        self.made += copy.modules() if isinstance(copy, self.torch.nn.Module) else [copy]
        self.kept.append((old, new))

    def _made_by(self, assignment: Any, names: Dict[str, Any]) -> Any:
        code = compile(ast.fix_missing_locations(ast.Expression(assignment.value)), OWN_FILE, "eval")
        try:
            with self._on_meta():
                return eval(code, names)  # noqa: S307
        except NameError as error:
            raise NotTried("what the object was made with is not at hand: %s" % error) from None

    def _names(self, owner: Any, function: str, old: Any, call: ast.expr) -> Dict[str, Any]:
        """What the names in a call in that method of the owner's stand for, as far as an object kept it."""
        begin = vars(type(owner)).get(function)
        if not isinstance(begin, FunctionType):
            raise NotTried("what the changed line made is not at hand")
        return {**begin.__globals__, "self": owner, **self._arguments(owner, old, call)}

    def _arguments(self, owner: Any, old: Any, call: ast.expr) -> Dict[str, Any]:
        """The names in a call of which the owner, or what the call made, kept the values."""
        found: Dict[str, Any] = {}
        if isinstance(call, ast.Call) and isinstance(old, self.torch.nn.Module):
            parts = list(old.children())
            given = list(zip(_parameters(type(old)), call.args))
            given += [(each.arg or "", each.value) for each in call.keywords]
            for name, value in given:
                if isinstance(value, ast.Name) and _is_plain(vars(old).get(name)):
                    found[value.id] = vars(old)[name]
            for part, value in zip(parts, call.args):
                found.update(self._arguments(owner, part, value))
        for node in ast.walk(call):
            if isinstance(node, ast.Name) and _is_plain(vars(owner).get(node.id)):
                found.setdefault(node.id, vars(owner)[node.id])
        return found

    def _is_running(self, step: Step, name: str, line: int) -> bool:
        """Whether the line is of the statement that the frame is at."""
        frame, at = step
        if frame.f_code.co_filename != name:
            return False
        found = block_at(self.sources[name], at)
        return found is not None and (spans(found[0][found[1]], line) or at == line)

    def _swap(self, name: str) -> None:
        """Give the functions of the file their changed code."""
        codes = codes_in(compile(self.sources[name], name, "exec"))
        changed = {code.co_firstlineno: code for code in codes if not code.co_name.startswith("<")}
        for kind, function in set(self.trial.functions()):
            old = function.__code__
            new = changed.get(old.co_firstlineno) if old.co_filename == name else None
            if new is None or new == old:
                continue
            if kind is not None and new.co_freevars == ("__class__",) != old.co_freevars:  # `super()` came
                made = FunctionType(new, function.__globals__, None, function.__defaults__, (CellType(kind),))
                made.__kwdefaults__ = function.__kwdefaults__
                setattr(kind, new.co_name, made)
            elif new.co_freevars == old.co_freevars:
                function.__code__ = new
                if new.co_name != old.co_name and kind is not None:  # the method has another name now
                    setattr(kind, new.co_name, function)

    # --- copies without data

    def _copy(self, value: Any, depth: int = 0) -> Any:
        torch = self.torch
        if id(value) in self.copies:
            return self.copies[id(value)]
        if self.real and isinstance(value, torch.Tensor):
            return value
        if isinstance(value, torch.Tensor):
            if value.layout is not torch.strided:
                raise NotTried("a tensor is not strided")
            new = torch.empty_strided(value.shape, value.stride(), dtype=value.dtype, device="meta")
            if isinstance(value, torch.nn.Parameter):
                new = torch.nn.Parameter(new, requires_grad=value.requires_grad)
            elif value.requires_grad:
                new.requires_grad_()
                new = new if value.grad_fn is None else new.view_as(new)
        elif isinstance(value, torch.nn.Module) and type(value).__name__ in AROUND:
            new = self._copy(getattr(value, AROUND[type(value).__name__]))
        elif isinstance(value, torch.nn.Module):
            new = self.copies[id(value)] = object.__new__(type(value))
            new.__dict__.update(value.__dict__)
            for name in ("_parameters", "_buffers", "_modules"):
                parts = vars(value)[name]
                vars(new)[name] = type(parts)((key, self._copy(part)) for key, part in parts.items())
            for name, part in list(vars(value).items()):
                if name not in ("_parameters", "_buffers", "_modules"):
                    vars(new)[name] = self._copy(part, 1)
        elif depth < MAX_DEPTH and type(value) in (list, tuple):
            new = type(value)(self._copy(each, depth + 1) for each in value)
        elif depth < MAX_DEPTH and type(value) is dict:
            new = {key: self._copy(each, depth + 1) for key, each in value.items()}
        else:
            return value
        self.copies[id(value)] = new
        self.kept.append(value)
        return new

    def _on_meta(self) -> Any:
        """What is made without a device has no data either; before torch 2.0 it has."""
        device = self.torch.device("meta")
        return device if hasattr(device, "__enter__") and not self.real else nullcontext()

    # --- the run

    def run(self) -> str:
        """What the statement gives, in words. Raises what it raises."""
        for name in self.sources:
            self._swap(name)
        first = next(at for at, each in enumerate(self.block) if spans(each, self.begin))
        first = 0 if self.behind else first  # in the next round of the loop
        self._has_no_stream(self.block[first : self.at + 1])
        rest = after_with(self.tree, self.block)
        scope = self._scope([*self.block[first:], *rest])
        with ExitStack() as modes:
            for each in self.around:
                self._enter(each, modes)
            for statement in self.behind:
                self._execute(statement, scope)
            for statement in self.block[first : self.at]:
                if not isinstance(statement, ast.Expr) or statement.lineno in self.edited:
                    self._execute(statement, scope)
            self._execute(self.block[self.at], scope)
            gives = self._described(self.block[self.at], scope)
            ended = self._run_below(self.block[self.at + 1 :], scope)
        if ended:
            self._run_below(rest, scope)
        return gives

    def _has_no_stream(self, statements: List[ast.stmt]) -> None:
        names = {**self.frame.f_globals, **self.frame.f_locals}
        for name in {name for each in statements for name in names_in(each)}:
            if isinstance(names.get(name), io.IOBase) or hasattr(type(names.get(name)), "__next__"):
                raise NotTried("%s has been read already" % name)

    def _enter(self, context: ast.expr, modes: ExitStack) -> None:
        """The state of torch in which the block ran, and which ended with it."""
        if "autocast" in ast.dump(context):
            raise NotTried("under autocast")
        if GRADIENTS.search(ast.dump(context)):
            names = {**self.frame.f_globals, **self.frame.f_locals}
            code = compile(ast.fix_missing_locations(ast.Expression(context)), OWN_FILE, "eval")
            modes.enter_context(eval(code, names))  # noqa: S307

    def _run_below(self, statements: List[ast.stmt], scope: Dict[str, Any]) -> bool:
        """Whether they run to their end, and nothing is returned before it."""
        for statement in statements:
            if RETURNED in scope:
                break
            try:
                self._execute(statement, scope)
            except Stop:
                return False
            except Exception as error:
                if _needs_data(error):
                    return False
                raise FailedBelow("line %d: %s" % (statement.lineno, _words(error))) from None
            self.until = "to line %d" % (getattr(statement, "end_lineno", None) or statement.lineno)
        return RETURNED not in scope

    def _scope(self, statements: List[ast.stmt]) -> Dict[str, Any]:
        used = {name for each in statements for name in names_in(each)}
        if "super" in used:
            raise NotTried("the line calls super()")
        names = {**self.frame.f_globals, **self.frame.f_locals}
        return {name: self._copy(value) if name in used else value for name, value in names.items()}

    def _execute(self, statement: ast.stmt, scope: Dict[str, Any]) -> None:
        if isinstance(statement, COMPOUND) and not put_whole(statement):
            raise Stop("the line begins a block")
        if isinstance(statement, ast.Return):
            value = statement.value or ast.Constant(None)
            made = ast.Assign(targets=[ast.Name(RETURNED, ast.Store())], value=value)
            statement = ast.fix_missing_locations(ast.copy_location(made, statement))
        module = ast.Module([statement], [])
        code = compile(module, OWN_FILE, "exec")
        sys.setprofile(self._guard)
        try:
            with self._on_meta():
                exec(code, scope)
        finally:
            sys.setprofile(None)
            self.depth = 0

    def _guard(self, frame: FrameType, event: str, given: Any) -> None:
        """A profile function: of the program's own code, only what its modules' forward methods call runs."""
        if event not in ("call", "return"):
            return
        name = frame.f_code.co_filename
        if self.made and frame.f_code.co_name in PASSED_ON:
            self.reached |= any(frame.f_locals.get("self") is each for each in self.made)
        if self.trial.is_rank:
            together = ALSO_ON_DATA if self.real else TOGETHER
            if together.search("%s %s" % (name, frame.f_code.co_name)):
                raise Stop("the line waits for the other ranks")
        if name == OWN_FILE or self.trial.is_library(name) or name.startswith("<"):
            return
        if self.trial._is_forward(frame):
            self.depth += 1 if event == "call" else -1
        elif event == "call" and self.depth <= 0:
            raise Stop("the line calls the program's own code")

    def _described(self, statement: ast.stmt, scope: Dict[str, Any]) -> str:
        target = statement.targets[0] if isinstance(statement, ast.Assign) else None
        name = RETURNED if isinstance(statement, ast.Return) else getattr(target, "id", "")
        value = scope.get(name)
        if isinstance(value, self.torch.Tensor):
            return "%s%s" % (str(value.dtype).replace("torch.", ""), list(value.shape))
        return ""


def _file_of(code: CodeType) -> str:
    return code.co_filename


def _parameters(kind: Any) -> List[str]:
    try:
        return list(inspect.signature(kind.__init__).parameters)[1:]
    except (TypeError, ValueError):
        return []


def _dtypes(value: Any) -> Set[Any]:
    return {each.dtype for each in value.parameters()} if hasattr(value, "parameters") else set()


def _is_plain(value: Any) -> bool:
    return isinstance(value, (int, float, bool, str)) or (
        isinstance(value, tuple) and all(map(_is_plain, value))
    )


def _needs_data(error: BaseException) -> bool:
    return isinstance(error, (NotImplementedError, PermissionError)) or bool(NO_DATA.search(str(error)))


def _is_refused(error: Optional[BaseException]) -> bool:
    """Whether it comes of what a fork may not do, or of the memory that it may have."""
    while error is not None:
        if isinstance(error, (OSError, MemoryError)) or NOT_ALLOWED.search(str(error)):
            return True
        error = error.__cause__ or error.__context__
    return False


def _words(error: BaseException) -> str:
    if isinstance(error, FailedBelow):
        return str(error)[:MAX_WORDS_CHARS]
    return ("%s: %s" % (type(error).__name__, error)).splitlines()[0][:MAX_WORDS_CHARS]
