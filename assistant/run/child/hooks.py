"""What `torchwhy run` arranges in every Python program below it; `first/sitecustomize.py` runs it.

An uncaught exception (of the program, a thread, a worker) is described in a file. Nothing here may change
what the program does or prints, so each failure is silent; nothing is imported that a bare start does not
import: what is long stands in crash_context.py, which only a crash loads.
"""

import os
import stat
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
MAX_FORMATTED = 8  # exceptions that the program caught and wrote somewhere: so many at once,
FORMATTED_INTERVAL_S = 1.0  # then one in this time,
FORMATTED_SHARE = 20  # and so many times as long between two as the last one took: its file may be long
FORMATTED_S = 1.0  # that the first ones may take together
MAX_CHAINED = 100  # of an exception and what it came from
OWN_FILE = "<frozen importlib._bootstrap: torchwhy "  # as the watch's frames have it
GUARDS_FILE = "<torchwhy watch "
HIGH_DESCRIPTOR = 400  # out of the way of what the program opens
# What crash_context.py imports, and what that imports in turn.
NEEDED = (
    "ast codecs collections contextlib copyreg enum functools io itertools json json.decoder json.encoder "
    "json.scanner keyword linecache operator re reprlib token tokenize types typing warnings"
)
# As they are now: a test that puts a clock, or a function of the system, of its own in their place counts its
# calls, and gives it so many answers. (Python 2 reads this as well.)
monotonic, own_open = getattr(time, "monotonic", time.time), open
AS_THEY_WERE = {
    "monotonic": monotonic,
    "now": time.time,
    "now_ns": getattr(time, "time_ns", None),
    "perf_counter": getattr(time, "perf_counter", None),
    "thread_time": getattr(time, "thread_time", None),
    "open_file": os.open,
    "write_file": os.write,
    "close_file": os.close,
    "rename": os.rename,
    "unlink": os.unlink,
    "listdir": os.listdir,
    "getpid": os.getpid,
}


class Recorder(object):
    """Writes down exceptions, each once."""

    def __init__(self, folder):
        self.folder = folder
        self.context = None
        self.busy = False
        self.last = (0, 0)
        self.formatted = 0
        self.formatted_s = 0.0
        self.next_at = 0.0

    def record(self, how, value, trace):
        # For Ctrl-C Python keeps a flag, by which it ends as by the signal, that any `eval` in here would
        # clear.
        if self.busy or value is None or isinstance(value, (KeyboardInterrupt, SystemExit)):
            return
        self.busy = True
        try:
            if self.context is None:
                if not all(map(is_pythons_own, NEEDED.split())):
                    return
                self.context = load_own("crash_context")
            self.last = (id(value), id(trace))
            self.context.write(self.folder, how, value, trace)
        except (Exception, SystemExit) as error:
            if how == "formatted" and self.context is not None and self.context.from_a_handler(error):
                raise
        except BaseException:  # Ctrl-C, or what a handler of another signal raised to end the program
            if how == "formatted":
                raise
        finally:
            self.busy = False

    def on_formatted(self, value, trace):
        """An exception is made into text: by a worker that reports it, or by the program's own `except`."""
        if self.busy or trace is None or self.last == (id(value), id(trace)):
            return
        begun = monotonic()
        if begun < self.next_at:
            return
        self.formatted += 1
        try:
            self.record("formatted", value, trace)
        finally:
            took = monotonic() - begun
            self.formatted_s += took
            if self.formatted >= MAX_FORMATTED or self.formatted_s > FORMATTED_S:
                self.next_at = begun + max(FORMATTED_INTERVAL_S, (1 + FORMATTED_SHARE) * took)

    def at_exit(self):
        """What the interpreter printed through a hook that another library put in the place of ours."""
        value = getattr(sys, "last_value", None)
        trace = getattr(sys, "last_traceback", None)
        if value is not None and self.last != (id(value), id(trace)):
            self.record("uncaught", value, trace)


def load_own(name):
    """A file beside this one, as a module that no import of the program's finds."""
    if name == "watch":
        load_own("crash_context")  # whose look at a frame it shares
    path = "%s/%s.py" % (HERE, name)
    module = sys.modules["torchwhy_" + name] = type(sys)("torchwhy_" + name)
    module.__file__ = path
    with own_open(path, "rb") as file:
        # Frames of the watch stand between the program and torch. Those of the import system are passed over
        # when `warnings` looks for the line that it shows, and by what looks for the user's own line.
        code = compile(file.read(), OWN_FILE + name + ">", "exec")
    exec(code, module.__dict__)
    module.__dict__.update((key, value) for key, value in AS_THEY_WERE.items() if key in module.__dict__)
    return module


def without_watch(value):
    """Takes the frames of the watch out of an exception's tracebacks: what the program prints of it is as
    without the watch.
    """
    if not os.environ.get("TORCHWHY_RUN_WATCH"):
        return
    seen = []
    while value is not None and id(value) not in seen and len(seen) < MAX_CHAINED:
        seen.append(id(value))
        step = value.__traceback__
        while step is not None:
            after = step.tb_next
            while after is not None and after.tb_frame.f_code.co_filename.startswith((OWN_FILE, GUARDS_FILE)):
                after = after.tb_next
            if after is not step.tb_next:
                step.tb_next = after
            step = after
        value = value.__cause__ or value.__context__


def is_pythons_own(name):
    """Whether an import of this name would run no file of the program's, such as a `json.py` beside it."""
    if name in sys.modules:
        return True
    package = name.rpartition(".")[0]
    if package:
        return is_pythons_own(package)
    for finder in sys.meta_path:
        find = getattr(finder, "find_spec", None)
        spec = find(name, None) if find is not None else None
        if spec is not None:
            library = os.path.dirname(os.path.abspath(os.__file__)) + os.sep
            origin = spec.origin or ""
            return origin in ("built-in", "frozen") or os.path.abspath(origin).startswith(library)
    return True  # not of this release


def hook_uncaught(recorder):
    original = sys.excepthook

    def excepthook(kind, value, trace):
        recorder.record("uncaught", value, trace)
        without_watch(value)
        original(kind, value, trace)

    # Both: some libraries set a hook of their own only where these two are one.
    sys.excepthook = sys.__excepthook__ = excepthook
    import atexit

    atexit.register(recorder.at_exit)


def hook_threads(recorder, threading):
    original = threading.excepthook

    def excepthook(args):
        if args.exc_type is not SystemExit:
            recorder.record("thread", args.exc_value, args.exc_traceback)
            without_watch(args.exc_value)
        original(args)

    threading.excepthook = excepthook
    if hasattr(threading, "__excepthook__"):
        threading.__excepthook__ = excepthook


def hook_traceback(recorder, traceback):
    """Workers, pools and `multiprocessing` make text of an exception, and that is all that leaves them."""
    original = traceback.TracebackException.__init__

    def __init__(self, exc_type, exc_value, exc_traceback, *args, **named):
        if not named.get("_seen"):
            recorder.on_formatted(exc_value, exc_traceback)
            without_watch(exc_value)
        original(self, exc_type, exc_value, exc_traceback, *args, **named)

    __init__.__wrapped__ = original
    traceback.TracebackException.__init__ = __init__


def hook_pytest(recorder, runner):
    """pytest catches what a test raises, and draws the traceback in its own way."""
    original = runner.CallInfo.from_call.__func__

    def from_call(kind, *args, **named):
        result = original(kind, *args, **named)
        found = result.excinfo
        if found is not None and isinstance(found.value, Exception):
            recorder.on_formatted(found.value, found.value.__traceback__)
            without_watch(found.value)
        return result

    runner.CallInfo.from_call = classmethod(from_call)


def watch_torch(recorder, torch):
    """With --anomaly, and with --watch."""
    if os.environ.get("TORCHWHY_RUN_ANOMALY"):
        torch.autograd.set_detect_anomaly(True)
    if os.environ.get("TORCHWHY_RUN_WATCH"):
        load_own("watch").start_in_run(recorder.folder)


class Finder(object):
    """Lets a module of `patches` load as ever, and patches it then."""

    def __init__(self, recorder, patches):
        self.recorder = recorder
        self.patches = patches

    def find_spec(self, name, path=None, target=None):
        patch = self.patches.get(name)
        if patch is None:
            return None
        for finder in sys.meta_path:
            find = getattr(finder, "find_spec", None)
            spec = find(name, path, target) if find is not None and finder is not self else None
            if spec is not None:
                self.arrange(spec, patch)
                return spec
        return None

    def arrange(self, spec, patch):
        recorder = self.recorder
        try:
            execute = spec.loader.exec_module

            def exec_module(module):
                execute(module)
                try:
                    patch(recorder, module)
                except Exception:
                    pass

            spec.loader.exec_module = exec_module
        except Exception:
            pass


def hook_imports(recorder):
    patches = {"threading": hook_threads, "traceback": hook_traceback, "_pytest.runner": hook_pytest}
    if os.environ.get("TORCHWHY_RUN_ANOMALY") or os.environ.get("TORCHWHY_RUN_WATCH"):
        patches["torch"] = watch_torch
    for name in list(patches):
        if name in sys.modules:
            patches.pop(name)(recorder, sys.modules[name])
    sys.meta_path.insert(0, Finder(recorder, patches))


def open_report(folder, name):
    """A descriptor of a file that this process alone writes."""
    import fcntl

    path = os.path.join(folder, "%s-%d.txt" % (name, os.getpid()))
    low = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
    try:
        return fcntl.fcntl(low, fcntl.F_DUPFD_CLOEXEC, HIGH_DESCRIPTOR)
    except (OSError, ValueError):
        return os.dup(low)
    finally:
        os.close(low)


def hook_faults(folder):
    """A native crash leaves the Python stack in a file; with --stall, a signal asks for it."""
    import faulthandler

    if not faulthandler.is_enabled():
        faulthandler.enable(file=open_report(folder, "fault"))
    wanted = os.environ.get("TORCHWHY_RUN_STALL")
    if wanted:
        number = int(wanted)

        def register():
            try:
                faulthandler.register(number, file=open_report(folder, "stack"), all_threads=True)
            except Exception:
                pass

        register()
        os.register_at_fork(after_in_child=register)


def is_own(folder):
    """Whether it is a folder that this user alone writes to: a program may outlive its run, whose folder
    anybody could make again.
    """
    try:
        status = os.lstat(folder)
    except OSError:
        return False
    closed = os.name != "posix" or (status.st_uid == os.geteuid() and not status.st_mode & 0o022)
    return stat.S_ISDIR(status.st_mode) and closed


def start():
    folder = os.environ.get("TORCHWHY_RUN_FOLDER")
    if not folder or not is_own(folder):
        return
    recorder = Recorder(folder)
    for hook in (hook_uncaught, hook_imports):
        try:
            hook(recorder)
        except Exception:
            pass
    try:
        hook_faults(folder)
    except Exception:
        pass
