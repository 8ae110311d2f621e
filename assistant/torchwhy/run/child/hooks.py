"""What `torchwhy run` arranges in every Python program below it; `first/sitecustomize.py` runs it.

An uncaught exception (of the program, a thread, a worker) is described in a file. Nothing here may change
what the program does or prints, so each failure is silent; nothing is imported that a bare start does not
import: what is long stands in crash_context.py, which only a crash loads.
"""

import os
import stat
import sys

CHILD = os.path.dirname(os.path.abspath(__file__))
OWN_FILE = "<frozen importlib._bootstrap: torchwhy "  # as the watch's frames have it
# in the order in which they import one another
WATCH_PARTS = (
    "values frames standing seen looking held ranks models training waits probing lines core in_run".split()
)
HIGH_DESCRIPTOR = 400  # out of the way of what the program opens
# What crash_context.py imports, and what that imports in turn.
NEEDED = (
    "ast codecs collections contextlib copyreg enum functools io itertools json json.decoder json.encoder "
    "json.scanner keyword linecache operator re reprlib token tokenize types typing warnings"
)
NEEDED_BY_TRIAL = "_socket ctypes dis inspect opcode resource signal struct"
MAX_FORKED_BYTES = 64 << 30
MAX_BYTES_WITH_DATA = 16 << 30  # above, the fork lets go of the data of tensors, and keeps their shapes
LOADER_SIGNALS = "torch.utils.data._utils.signal_handling"  # its handler looks at the loader's workers alone


class Recorder:
    """Writes down exceptions, each once."""

    def __init__(self, folder):
        self.folder = folder
        self.context = None
        self.busy = False
        self.last = (0, 0)
        self.without_watch = id  # nothing to take out of a traceback

    def record(self, how, value, trace):
        # For Ctrl-C Python keeps a flag, by which it ends as by the signal, that any `eval` in here would
        # clear.
        if self.busy:
            return
        self.busy = True
        try:
            if value is None or isinstance(value, (KeyboardInterrupt, SystemExit)):
                return
            if self.context is None:
                if not all(map(is_pythons_own, NEEDED.split())):
                    return
                self.context = load_own("crash_context")
            self.last = (id(value), id(trace))
            self.context.write(self.folder, how, value, trace)
            if how != "thread" and is_main_thread():
                offer_trial(self.folder + "/trial", value, trace, self.context.is_library)
        except Exception:
            pass
        except BaseException:  # Ctrl-C, or what a handler of another signal raised to end the program
            if how == "worker":  # which goes on; the others have a traceback of their own to print
                raise
        finally:
            self.busy = False

    def at_exit(self):
        """What the interpreter printed through a hook that another library put in the place of ours."""
        value = getattr(sys, "last_value", None)
        trace = getattr(sys, "last_traceback", None)
        if value is not None and self.last != (id(value), id(trace)):
            self.record("uncaught", value, trace)


def offer_trial(address, value, trace, is_library):
    """Leave a fork behind in which a change can be tried, where torchwhy waits for one; not where that could
    cost the program something: a GPU in use, much memory, a handler that would see the fork end.
    """
    torch = sys.modules.get("torch")
    if torch is None or not os.path.exists(address) or torch.cuda.is_initialized():
        return
    with open("/proc/self/statm", "rb") as file:
        size = int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    if size > MAX_FORKED_BYTES or not all(map(is_pythons_own, NEEDED_BY_TRIAL.split())):
        return
    import signal

    handler = signal.getsignal(signal.SIGCHLD)
    if handler != signal.SIG_DFL and getattr(handler, "__module__", "") != LOADER_SIGNALS:
        return
    spent = sum(os.times()[:2])
    middle = os.fork()
    if middle:
        os.waitpid(middle, 0)
        return
    try:
        import _socket

        os.setsid()  # who ends the program's group ends no trial
        os.close(os.open(address + ".taken", os.O_CREAT | os.O_EXCL, 0o600))  # by the first that fails, alone
        connection = _socket.socket(_socket.AF_UNIX)
        connection.setblocking(False)  # where many ranks are waiting to connect, this one does not
        connection.connect(address)  # before the program goes on: torchwhy need not wait whether one comes
        connection.setblocking(True)
        if not os.fork():
            on_data = size <= MAX_BYTES_WITH_DATA and os.environ.get("TORCHWHY_RUN_TRY") != "shapes"
            load_own("trial").serve(connection, value, trace, is_library, on_data, spent)
    finally:
        os._exit(0)


def is_main_thread():
    """Whether a fork would hold the thread that everything of the program hangs on."""
    threading = sys.modules.get("threading")
    return threading is None or threading.current_thread() is threading.main_thread()


def load_own(name):
    """A file beside this one, or the parts of the watch: a module that no import of the program's finds."""
    if name in ("trial", "watch"):
        load_own("apart")
    if name == "trial":
        load_own("statements")
        load_own("anew")
    if name != "watch":
        return load_file("torchwhy_" + name, name)
    load_own("crash_context")  # whose look at a frame it shares
    for part in WATCH_PARTS:
        load_file("torchwhy_watch_" + part, "watch/" + part)
    return load_file("torchwhy_watch", "watch/__init__")


def load_file(name, place):
    path = "%s/%s.py" % (CHILD, place)
    module = sys.modules[name] = type(sys)(name)
    module.__file__ = path
    with open(path, "rb") as file:
        # Frames of the watch stand between the program and torch. Those of the import system are passed over
        # when `warnings` looks for the line that it shows, and by what looks for the user's own line.
        code = compile(file.read(), OWN_FILE + place + ">", "exec")
    exec(code, module.__dict__)
    return module


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
        recorder.without_watch(value)
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
            recorder.without_watch(args.exc_value)
        original(args)

    threading.excepthook = excepthook
    if hasattr(threading, "__excepthook__"):
        threading.__excepthook__ = excepthook


def hook_workers(recorder, utils):
    """A worker of a DataLoader sends what it raised as text, by torch's own wrapper."""
    wrapper = utils.ExceptionWrapper
    original = wrapper.__init__

    def __init__(self, exc_info=None, *args, **named):
        found = exc_info or sys.exc_info()
        recorder.record("worker", found[1], found[2])
        recorder.without_watch(found[1])
        original(self, found, *args, **named)

    __init__.__wrapped__ = original
    wrapper.__init__ = __init__


def hook_spawn(recorder, spawn):
    """A process of torch.multiprocessing.spawn writes down what it raised as text, and exits within its
    `except`.
    """
    original = spawn._wrap

    def _wrap(*given):
        try:
            original(*given)
        except SystemExit as end:
            if end.__context__ is not None:
                recorder.record("rank", end.__context__, end.__context__.__traceback__)
            raise

    _wrap.__module__, _wrap.__qualname__ = original.__module__, original.__qualname__  # it is pickled by name
    spawn._wrap = _wrap


def watch_torch(recorder, torch):
    """With --anomaly, and with --watch."""
    if os.environ.get("TORCHWHY_RUN_ANOMALY"):
        torch.autograd.set_detect_anomaly(True)
    if os.environ.get("TORCHWHY_RUN_WATCH"):
        load_own("watch").start_in_run(recorder.folder)
        recorder.without_watch = sys.modules["torchwhy_watch_frames"].without_watch


class Finder:
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
    patches = {
        "threading": hook_threads,
        "torch._utils": hook_workers,
        "torch.multiprocessing.spawn": hook_spawn,
    }
    if os.environ.get("TORCHWHY_RUN_ANOMALY") or os.environ.get("TORCHWHY_RUN_WATCH"):
        patches["torch"] = watch_torch
    for name in list(patches):
        if name in sys.modules:
            patches.pop(name)(recorder, sys.modules[name])
    sys.meta_path.insert(0, Finder(recorder, patches))


def hook_stall(wanted):
    """A signal asks for the Python stacks, which are written into a file in memory. /proc shows it by name: a
    process that has closed it, and may have another file by that number, is not asked.
    """
    import faulthandler
    import fcntl

    def register():
        low = os.memfd_create("torchwhy-stack-%d" % os.getpid())
        number = fcntl.fcntl(low, fcntl.F_DUPFD_CLOEXEC, HIGH_DESCRIPTOR)
        os.close(low)
        faulthandler.register(int(wanted), file=number, all_threads=True)

    def after_fork():
        try:
            register()
        except Exception:
            pass

    register()
    os.register_at_fork(after_in_child=after_fork)


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
    wanted = os.environ.get("TORCHWHY_RUN_STALL")
    if wanted:
        try:
            hook_stall(wanted)
        except Exception:
            pass
