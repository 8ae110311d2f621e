"""The programs of tests/watch under the watch and under three other tools: `python -m tests.bench.bench_watch_peers`.

Needs `pip install torch-audit torchtest2 guardtower` in the Python that runs it. The others want the model, a
batch and the loss by name: they are called in each program once, as their first page shows it, when its first
optimizer is about to step, with the model that was called last with gradients, its arguments, and the loss
function that was called last. torch-audit stays on and looks at each step. A tool tells a program apart when one of
its rules warns or fails in the broken one and not in the one without the mistake. Prints one JSON object.
"""

from __future__ import annotations

import json
import os
import runpy
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

from tests.watch.watching import CORRECT, PROGRAMS, leg, watch_program

TIMEOUT_S = 60


class Seen:
    """What a program has called last."""

    model: Any = None
    arguments: tuple[Any, ...] = ()
    loss: Callable[[Any], Any] | None = None
    target: Any = None


def attach(tool: str, seen: Seen, optimizer: Any) -> Callable[[], set[str]]:
    """Call a tool; returns what gives the names of the rules that warned or failed."""
    if tool == "torch-audit":
        from torch_audit import autopatch

        auditor = autopatch(
            seen.model, optimizer=optimizer, every_n_steps=1, reporters=[], run_static=True, run_init=True
        )
        return lambda: {
            one.rule_id for one in auditor.finish(report=False).findings if one.severity.name != "INFO"
        }
    if seen.loss is None:
        raise LookupError("no loss function of torch.nn.functional was called")
    loss = seen.loss
    if tool == "guardtower":
        import guardtower

        told = guardtower.audit(
            seen.model, lambda: loss(seen.model(*seen.arguments)), optimizer=optimizer, inputs=seen.arguments
        )
        return lambda: {
            one.check for one in told.findings if one.severity.name in ("WARNING", "WARN", "ERROR")
        }
    import torchtest2

    arguments = seen.arguments[0] if len(seen.arguments) == 1 else seen.arguments
    checked = torchtest2.check_model(
        seen.model, arguments, seen.target, loss_fn=lambda out, _: loss(out), optimizer=optimizer
    )
    return lambda: {one.name for one in checked.results if one.status.name in ("FAIL", "WARN")}


def without_history(value: Any) -> Any:
    """A tool goes forward and back once more, which the graphs of earlier models allow only once."""
    return value.detach() if hasattr(value, "detach") else value


def run_with(tool: str, path: Path) -> set[str]:
    """The rules that told something of a program. Raises LookupError where the tool could not be called."""
    import torch
    from torch.optim.optimizer import register_optimizer_step_pre_hook

    seen, asked, depth = Seen(), [], [0]
    call, functional = torch.nn.Module.__call__, torch.nn.functional

    def __call__(module: Any, *args: Any, **kwargs: Any) -> Any:
        has_weights = next(module.parameters(), None) is not None  # a loss as a module has none
        if not depth[0] and torch.is_grad_enabled() and not kwargs and not asked and has_weights:
            seen.model, seen.arguments = module, tuple(map(without_history, args))
        depth[0] += 1
        try:
            return call(module, *args, **kwargs)
        finally:
            depth[0] -= 1

    def measured(original: Callable[..., Any]) -> Callable[..., Any]:
        def loss(given: Any, target: Any, *args: Any, **kwargs: Any) -> Any:
            if not asked:
                seen.loss = lambda out: original(out.reshape(given.shape), target, *args, **kwargs)
                seen.target = target
            return original(given, target, *args, **kwargs)

        return loss

    def before_step(optimizer: Any, *_: Any) -> None:
        if not asked and seen.model is not None:
            asked.append(None)  # what a tool steps by itself is not asked about
            asked.append(attach(tool, seen, optimizer))

    torch.nn.Module.__call__ = __call__  # type: ignore[method-assign]
    for name in ("cross_entropy", "nll_loss", "mse_loss", "huber_loss", "l1_loss", "kl_div"):
        setattr(functional, name, measured(getattr(functional, name)))
    for name in ("binary_cross_entropy", "binary_cross_entropy_with_logits"):
        setattr(functional, name, measured(getattr(functional, name)))
    handle = register_optimizer_step_pre_hook(before_step)
    try:
        runpy.run_path(str(path), run_name="__main__")
    except SystemExit:
        pass
    handle.remove()
    if len(asked) < 2:
        raise LookupError("nothing stepped that the tool could be given")
    return asked[1]()


def told_by(tool: str, path: Path) -> set[str] | str:
    """In a process of its own: the rules that told something, or why it could not be called."""
    if tool == "torchwhy":
        return {one["id"] for one in watch_program(path) if "id" in one}
    with tempfile.NamedTemporaryFile("r+") as file:
        child = os.fork()
        if not child:
            import signal
            import warnings

            import torch

            warnings.simplefilter("ignore")
            torch.set_num_threads(1)
            signal.alarm(TIMEOUT_S)
            os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
            os.dup2(1, 2)
            try:
                found: object = sorted(run_with(tool, path))
            except Exception as error:
                found = f"{type(error).__name__}: {error}"
            Path(file.name).write_text(json.dumps(found))
            os._exit(0)
        os.waitpid(child, 0)
        text = file.read()
    found = json.loads(text) if text else f"no answer in {TIMEOUT_S} s"
    return found if isinstance(found, str) else set(found)


def compare(tool: str, folder: Path) -> dict[str, Any]:
    """Of one tool: programs told apart, correct ones that it alarms on, and programs that it could not be given."""
    apart, alarms, not_called = {}, {}, {}
    for path in PROGRAMS:
        name = f"{path.parent.name}/{path.stem}"
        broken, fixed = (told_by(tool, leg(path, folder, mark)[0]) for mark in ("broken", "fixed"))
        if isinstance(broken, str) or isinstance(fixed, str):
            not_called[name] = broken if isinstance(broken, str) else fixed
        elif broken - fixed:
            apart[name] = sorted(broken - fixed)
        if isinstance(fixed, set) and fixed:
            alarms[name] = sorted(fixed)
    for path in CORRECT:
        found = told_by(tool, path)
        if isinstance(found, str):
            not_called[path.stem] = found
        elif found:
            alarms[path.stem] = sorted(found)
    counts = {
        "programs": len(PROGRAMS),
        "told_apart": len(apart),
        "correct": len(PROGRAMS) + len(CORRECT),
        "alarms": len(alarms),
        "not_called": len(not_called),
    }
    return {**counts, "apart": apart, "alarmed": alarms, "why_not_called": not_called}


if __name__ == "__main__":
    import torch._dynamo  # noqa: F401 (once, before the forks)

    chosen = sys.argv[1:] or ["torchwhy", "torch-audit", "torchtest2", "guardtower"]
    with tempfile.TemporaryDirectory() as made:
        print(json.dumps({tool: compare(tool, Path(made)) for tool in chosen}, indent=1))
