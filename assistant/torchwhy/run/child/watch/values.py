"""What is asked of tensors and of the graph behind them: without waiting, without a change."""

from __future__ import annotations

import math

import torch

MAX_PENDING = 256  # values on a GPU that are still awaited
MAX_GRAPH_NODES = 20000
VIEWS = frozenset(
    "ViewBackward ReshapeAliasBackward UnsafeViewBackward SqueezeBackward UnsqueezeBackward "
    "TransposeBackward PermuteBackward TBackward SelectBackward SliceBackward CloneBackward "
    "ToCopyBackward AliasBackward".split()
)


# A context in which a program's own kind of tensor (`__torch_function__`) hears of nothing.
untold = getattr(torch._C, "DisableTorchFunctionSubclass", None) or torch._C.DisableTorchFunction
# What torch says of transforms and modes that are active; each is asked several times a step.
TRANSFORM = getattr(getattr(torch._C, "_functorch", None), "peek_interpreter_stack", lambda: None)
DISPATCH_MODES = getattr(torch._C, "_len_torch_dispatch_stack", lambda: 0)
FUNCTION_MODES = getattr(torch._C, "_len_torch_function_stack", lambda: 0)


def listened():
    """Whether the program hears of each operation itself (a mode of dispatch or of functions, as a counter of
    flops): what the watch asks of a tensor would be counted as well. So it is inside of `torch.func`'s
    transforms, where a tensor has no single value that could be asked for.
    """
    if TRANSFORM() is not None or DISPATCH_MODES():
        return True
    count = FUNCTION_MODES()
    if not count:
        return False
    found = [torch._C._get_function_stack_at(place) for place in range(count)]
    return any(type(mode).__name__ != "DeviceContext" for mode in found)  # that of a default device


def on_accelerator(tensor):
    """Whether Python has to wait for a tensor's values."""
    if type(tensor) in (torch.Tensor, torch.nn.Parameter):
        return tensor.device.type not in ("cpu", "meta")
    with untold():
        return tensor.device.type not in ("cpu", "meta")


def tensors_in(value, depth=2):
    """The tensors of an argument or a result, a few levels down."""
    if isinstance(value, torch.Tensor):
        return [value]
    if depth and isinstance(value, dict):
        value = list(value.values())
    if depth and isinstance(value, (list, tuple)):
        return [one for part in value[:16] for one in tensors_in(part, depth - 1)]
    return []


def plain(value):
    """Whether a tensor holds numbers that can be looked at: no fake, meta, sparse, nested or wrapped one."""
    return (
        type(value) in (torch.Tensor, torch.nn.Parameter)
        and value.layout is torch.strided
        and not value.is_nested
        and value.device.type in ("cpu", "cuda")
    )


def on_cpu(tensor, floating=None):
    """Whether its values can be read at once; `floating`: and whether these are floating-point numbers."""
    return tensor.device.type == "cpu" and (floating is None or tensor.is_floating_point() is floating)


def not_finite(tensor):
    """nan or inf as a number where the tensor holds one; None where it is finite. For the CPU."""
    if not plain(tensor) or not tensor.is_floating_point() or not tensor.numel():
        return None
    kind = torch.float32 if tensor.dtype in (torch.float16, torch.bfloat16) else None
    value = tensor.detach().sum(dtype=kind).item()
    if math.isfinite(value) or bool(torch.isfinite(tensor.detach()).all()):
        return None  # finite numbers may have a sum that is none
    return value


def learns(module):
    """Whether a module holds parameters: it is no loss, activation or metric."""
    return any(one is not None for part in module.modules() for one in part._parameters.values())


def state_of(module):
    """What tells whether a call changed a module's buffers, as the means of a batch norm."""
    buffers = [one for part in module.modules() for one in part._buffers.values() if one is not None]
    return [(id(one), None if one.is_inference() else one._version) for one in buffers]


def graph(tensor, most=MAX_GRAPH_NODES):
    """The autograd nodes behind a tensor, nearest first."""
    return nodes_from(tensor.grad_fn, most) if tensor.grad_fn is not None else []


def nodes_from(node, most=MAX_GRAPH_NODES):
    """A node and those that its gradient goes on to, nearest first."""
    seen, queue = {node}, [node]
    for node in queue:
        for one in following(node):
            if one not in seen and len(seen) < most:
                seen.add(one)
                queue.append(one)
    return queue


def following(node):
    """The nodes that a node's gradient goes to."""
    return [one for one, _ in getattr(node, "next_functions", ()) if one is not None]


def node_name(node):
    """`SubBackward` of `SubBackward0`."""
    return type(node).__name__.rstrip("0123456789")


def node_shape(node, place=0):
    """The shape of a node's result; None where torch does not tell (before 2.1)."""
    told = getattr(node, "_input_metadata", None)
    return tuple(told[place].shape) if told and place < len(told) else None


def behind_views(tensor):
    """The node that computed a tensor's numbers: casts and views of it are passed."""
    return behind(tensor.grad_fn)


def behind(node):
    """The first of a node and those it goes on to that is no cast or view."""
    while node is not None and node_name(node) in VIEWS:
        node = node.next_functions[0][0] if node.next_functions else None
    return node


def made_by(tensor):
    """The name of the node that computed a tensor's numbers; "" for one without a graph."""
    node = behind_views(tensor)
    return node_name(node) if node is not None else ""


class Later:
    """Values of a device, read when they have come: at once on the CPU, behind an event on a GPU."""

    def __init__(self):
        self.pending = []

    def ask(self, value, then):
        """`then` gets a number."""
        self.fetch(value, lambda host: then(host.item()))

    def fetch(self, value, then):
        """`then` gets the tensor on the CPU."""
        if value.device.type == "cpu":
            then(value)
        elif value.device.type == "cuda" and len(self.pending) < MAX_PENDING:
            if torch.cuda.is_current_stream_capturing():
                return
            host = torch.empty(value.shape, dtype=value.dtype, device="cpu", pin_memory=True)
            host.copy_(value, non_blocking=True)
            event = torch.cuda.Event()
            event.record()
            self.pending.append((event, host, then))

    def read(self, wait=False):
        while self.pending and (wait or self.pending[0][0].query()):
            event, host, then = self.pending.pop(0)
            if wait:
                event.synchronize()
            then(host)
