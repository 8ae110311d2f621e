"""One watch of one process: its guards, what they are told, and what they find."""

from __future__ import annotations

import functools
import gc
import linecache
import os
import re
from threading import get_ident
from time import perf_counter

import torch
from torchwhy_watch_frames import Where, from_a_handler
from torchwhy_watch_lines import NodeLines
from torchwhy_watch_looking import SAMPLED, Looking
from torchwhy_watch_models import Models
from torchwhy_watch_probing import MAX_S, MAX_SHARE, MIN_WAIT_S, Probing
from torchwhy_watch_seen import Figures
from torchwhy_watch_standing import Replacing
from torchwhy_watch_training import Training
from torchwhy_watch_values import Later, listened, untold
from torchwhy_watch_waits import Waits

MAX_FINDINGS = 40
GUARD_MODULE = "torchwhy_guard"


def quietly(function, *given):
    """What fails in telling (a full disk, a folder that the program removed) is not the program's affair."""
    try:
        function(*given)
    except Exception as error:
        if from_a_handler(error):
            raise


def told_of(error):
    """An error in one line: one of the program's own classes may fail to say what it is."""
    try:
        text = str(error)[:200]
    except Exception:
        text = ""
    return "%s: %s" % (type(error).__name__, text)


class Watch(Replacing, Looking, Models, Training, Waits, Probing, NodeLines):
    """All that is watched in one process.

    guards: (id, namespace of its guard.py). tell: takes a finding, a dictionary. language: `en` or `zh`.
    folder: the run's, where processes of one training find each other's files; None without a run.
    """

    def __init__(self, guards, tell, language="en", folder=None):
        self.tell, self.language, self.folder = functools.partial(quietly, tell), language, folder
        self.where, self.later, self.figures = Where(), Later(), Figures()
        self.replaced, self.handlers, self.names, self.off = [], {}, {}, {}
        self.layers, self.at_models = [], []  # what stands where modules are called
        self.always = {}  # of the handlers those that hear of it at rest as well
        self.modules, self.roots, self.optimizers, self.findings = {}, {}, {}, []
        self.room = 0, 0
        self.passed = {}  # which model gave the tensor of this address last
        self.step, self.backwards, self.depth, self.order = 0, 0, 0, 0
        self.live, self.checking, self.learning = False, True, False
        self.begin_looking()
        self.call, self.last_loss, self.suspects, self.threads = None, None, {}, {}
        self.stack, self.bad, self.skip, self.passing = [], False, 0, False
        self.check_s = self.wait_s = self.steps_s = 0.0
        self.syncs_seen, self.waiting, self.syncs, self.sync_s, self.sync_count = False, False, {}, 0.0, 0
        self.step_at = self.started_at = perf_counter()
        self.thread, self.inner, self.compiled, self.backward_at = get_ident(), [], False, ("?", 0)
        self.averaging, self.averages = {}, []
        self.lines_until, self.noting, self.derived = None, False, False
        self.begin_probing()
        for name, namespace in guards:
            self._add(name, namespace)

    def _add(self, name, namespace):
        try:
            guard = namespace["Guard"](Reporter(self, name, namespace["MESSAGES"]))
        except Exception as error:
            self.off[name] = told_of(error)
            return
        self.names[id(guard)] = name
        sampled = SAMPLED.difference(getattr(guard, "always", ()))
        for event in dir(guard):
            if event.startswith("on_"):
                for table in (self.handlers,) if event in sampled else (self.handlers, self.always):
                    table.setdefault(event, []).append((guard, getattr(guard, event)))

    def fire(self, event, *given):
        """Tell the guards; one that raises is switched off, and the program goes on. Of what is SAMPLED most
        hear only while the watch is looking.
        """
        handlers = (self.handlers if self.looking else self.always).get(event)
        if handlers:
            self.call_all(handlers, given)

    def fire_layer(self, module, counted, args, output):
        """Tell of a layer's result those guards that want it: a model has many layers, and most guards want
        few of them. `layers` of a guard: the types; `hooked`: only with hooks.
        """
        if counted.heard is None:
            wanted = [
                pair
                for pair in self.handlers.get("on_layer", ())
                if isinstance(module, getattr(pair[0], "layers", torch.nn.Module))
            ]
            plain = [pair for pair in wanted if not getattr(pair[0], "hooked", False)]
            counted.heard = plain, wanted
        hooked = module._forward_hooks or module._forward_pre_hooks or module._backward_hooks
        handlers = counted.heard[1 if hooked else 0]
        if handlers:
            self.call_all(handlers, (module, counted, args, output))

    def call_all(self, handlers, given):
        if listened():
            return
        live, self.live = self.live, False  # what a guard calls is not watched
        learning = torch.is_grad_enabled()
        torch._C._set_grad_enabled(False)  # `torch.no_grad` takes longer than most guards
        try:
            with untold():
                for guard, handler in tuple(handlers):
                    try:
                        handler(*given)
                    except Exception as error:
                        if from_a_handler(error):
                            raise
                        self.switch_off(guard, error)
        finally:
            torch._C._set_grad_enabled(learning)
            self.live = live

    def switch_off(self, guard, error):
        name = self.names.pop(id(guard), None)
        for table in (self.handlers, self.always):
            for event in table:
                table[event] = [pair for pair in table[event] if pair[0] is not guard]
        for counted in list(self.modules.values()):
            counted.heard = None
        if name is not None:
            self.off[name] = told_of(error)
            self.tell({"off": name, "message": self.off[name]})

    def safely(self, function, *given):
        """The core's own bookkeeping: what fails in it ends the watch, never the program."""
        try:
            with untold():
                return function(*given)
        except Exception as error:
            if from_a_handler(error):
                raise
            self.live = False
            self.tell({"off": "*", "message": told_of(error)})
            self.stop()
        return None

    def unheard(self, function, *given):
        """`safely`, where no mode of the program's would hear of it."""
        return None if listened() else self.safely(function, *given)

    def report(self, name, at, message, step=None):
        """A finding, each once. `at`: (path, line)."""
        path, line = at
        if any(one["id"] == name and (one["path"], one["line"]) == at for one in self.findings):
            return
        if len(self.findings) >= MAX_FINDINGS or sum(one["id"] == name for one in self.findings) >= 3:
            return
        finding = {"id": name, "path": path, "line": line, "step": step if step is not None else self.step}
        finding["message"] = message
        self.findings.append(finding)
        self.tell(finding)

    def start(self, adopt=False):
        """Begin. adopt: optimizers that are there already are looked for."""
        self.live = True
        for install in (
            self._watch_modules,
            self._watch_losses,
            self._watch_eval,
            self._watch_dropout,
            self._watch_edges,
            self._watch_equal,
            self._watch_backward,
            self._watch_optimizers,
            self._watch_others,
            self._watch_data,
            self._watch_ranks,
            self._watch_compilers,
        ):
            install()
        if adopt:
            for one in gc.get_objects():
                if issubclass(
                    type(one), torch.optim.Optimizer
                ):  # a proxy would answer for what it stands for
                    self.add_optimizer(one)
        return self

    def stop(self):
        """Tell the guards that it ends, and put back all that was replaced."""
        if self.replaced:
            if self.live:
                self.later.read(wait=True)
                self.fire("on_end")
                share = MAX_SHARE * (perf_counter() - self.started_at)
                self.read_probes(wait_s=min(MAX_S, max(MIN_WAIT_S, share)))
            self.live = False
            self.note_lines(False)
            self.put_back(self.replaced)
            self.replaced, self.inner = [], []
            self.modules.clear()

    def summary(self):
        """What the page at the end shows."""
        total = perf_counter() - self.started_at
        return {
            "steps": self.step,
            "backwards": self.backwards,
            "seconds": round(total, 3),
            "wait_s": round(self.wait_s, 3),
            "compiled": self.compiled,
            "figures": self.figures.lines,
            "guards": sorted(self.names.values()),
            "off": self.off,
        }

    def _watch_compilers(self):
        """What reads the program's functions as source, or records them, gets the originals."""
        watch = self

        def for_good(original):
            def compile_(*args, **kwargs):
                if watch.live:
                    watch.compiled = True
                    watch.put_back(watch.inner)
                    watch.inner = []
                return original(*args, **kwargs)

            return compile_

        def meanwhile(original):
            def traced(*args, **kwargs):
                if not watch.live:
                    return original(*args, **kwargs)
                watch.live = False
                watch.put_back(watch.inner)
                try:
                    return original(*args, **kwargs)
                finally:
                    for record in watch.inner:
                        record.put()
                    watch.live = True

            return traced

        self.replace(torch, "compile", for_good)
        for owner, name in ((torch.jit, "script"), (torch.jit, "trace"), (torch.onnx, "export")):
            self.replace(owner, name, meanwhile)
        if hasattr(torch, "export") and hasattr(torch.export, "export"):
            self.replace(torch.export, "export", meanwhile)


class Reporter:
    """What a guard has of the watch: its state, and `report`."""

    def __init__(self, watch, name, messages):
        self._watch, self._name, self._messages = watch, name, messages

    def __getattr__(self, name):
        return getattr(self._watch, name)

    def report(self, key, at, step=None, **values):
        """A finding at the user's line `at`; the numbers are filled into the guard's own sentence."""
        texts = self._messages[key]
        text = texts[1 if self._watch.language == "zh" else 0]
        shown = {name: shorten(value) for name, value in values.items()}
        self._watch.report(self._name, at, text.format(**shown), step)

    def has_found(self, *names):
        """Whether one of these guards has reported something."""
        return any(one["id"] in names for one in self._watch.findings)

    def line_that_made(self, kind, at):
        """Where the file of `at` makes an object of this class, if it does so once; else `at`."""
        lines = enumerate(linecache.getlines(at[0]), 1)
        found = [number for number, line in lines if re.search(r"\b%s\(" % kind, line.split("#")[0])]
        return (at[0], found[0]) if len(found) == 1 else at

    def trained(self):
        """The ids of the parameters that some optimizer holds."""
        return {id(one) for each in list(self._watch.optimizers.values()) for one in each.parameters()}

    def mixes(self, module):
        """Whether a model does something else in training mode: dropout, or a norm over the batch."""
        counted = self._watch.modules.get(id(module))
        if counted is not None and counted.mixes is not None:
            return counted.mixes
        found = any(
            isinstance(one, torch.nn.modules.batchnorm._BatchNorm)
            or (isinstance(one, torch.nn.modules.dropout._DropoutNd) and one.p > 0)
            for one in module.modules()
        )
        if counted is not None:
            counted.mixes = found
        return found


class Watching:
    """What a guard is made of. `watch`: a Reporter; `always`: events it has to hear of in each step."""

    always = ()

    def __init__(self, watch):
        self.watch, self._rows = watch, {}
        self.begin()

    def begin(self):
        """What a guard remembers."""

    def report(self, key, at, step=None, **values):
        self.watch.report(key, at, step, **values)

    def in_a_row(self, key, holds=True):
        """How often in a row this was asked of the same key and held."""
        count = self._rows[key] = self._rows.get(key, 0) + 1 if holds else 0
        return count

    def doubled(self, at):
        """Whether the backward of this line has run twice as often as when this was last so."""
        times = self.watch.seen.get((at,), 0)
        due = times >= self._rows.get(("doubled", at), 2)
        if due:
            self._rows["doubled", at] = 2 * times
        return due


def shorten(value):
    """A number with three digits; a shape as torch writes it."""
    if isinstance(value, float):
        return "%.3g" % value
    if isinstance(value, (tuple, list)):
        return "[" + ", ".join(str(one) for one in value) + "]"
    return str(value)


def load_guards(paths):
    """(id, namespace) of each guard.py; one that cannot be read is left out."""
    found = []
    for path in paths:
        namespace = {"__name__": GUARD_MODULE, "__file__": path}
        shown = "<torchwhy watch %s>" % path
        try:
            with open(path, "rb") as file:
                exec(compile(file.read(), shown, "exec"), namespace)
        except Exception:
            continue
        found.append((os.path.basename(os.path.dirname(path)), namespace))
    return found
