"""What an expression is: a tensor, a module, an optimizer, a loader, ...; "" where the text does not say."""

from __future__ import annotations

import ast

from .conventions import KINDS
from .module import Binding, Class, Module
from .nodes import Function, argument, inside, is_self, last_name, returned, words

MAX_STEPS = 8
MODULE_BASES = (
    "torch.nn.Module",
    "torch.nn.Sequential",
    "torch.nn.ModuleList",
    "torch.jit.ScriptModule",
    "pytorch_lightning.LightningModule",
    "lightning.LightningModule",
    "lightning.pytorch.LightningModule",
)
DATASETS = ("torch.utils.data.Dataset", "torch.utils.data.IterableDataset")
LOADER = "torch.utils.data.DataLoader"
SEVERAL_TENSORS = ("LSTM", "GRU", "RNN", "LSTMCell", "MultiheadAttention")
PASSING_ITERATORS = words("builtins.enumerate builtins.zip tqdm.tqdm tqdm.auto.tqdm tqdm.notebook.tqdm")
WRAPPERS = (
    "torch.nn.DataParallel",
    "torch.nn.parallel.DistributedDataParallel",
    "torch.nn.parallel.DataParallel",
    "torch.compile",
    "copy.deepcopy",
    "torch.jit.script",
)
SAME_MODULE = words(
    "to cuda cpu half float double bfloat16 train eval requires_grad_ apply share_memory type xpu"
)
NUMBERS = words("item tolist numel dim size ndimension element_size get_device")
MAKERS = words(
    "randn rand zeros ones empty full tensor arange linspace randint randperm eye cat stack from_numpy "
    "as_tensor normal randn_like zeros_like ones_like rand_like full_like empty_like matmul mm bmm "
    "einsum sum mean exp log sqrt abs relu sigmoid softmax log_softmax tanh where clamp argmax max min "
    "topk sort flatten reshape squeeze unsqueeze permute transpose repeat_interleave bernoulli "
    "multinomial square pow div mul add sub norm dot outer cos sin logspace cdist logsumexp nan_to_num "
    "masked_select gather index_select tril triu hstack vstack concat floor round bincount cumsum "
    "Tensor FloatTensor LongTensor"
)
NOT_ONE_TENSOR = words("numpy backward split chunk max min topk sort unbind")
TRAINS = words(
    "Dropout Dropout1d Dropout2d Dropout3d AlphaDropout BatchNorm1d BatchNorm2d BatchNorm3d SyncBatchNorm"
)


def kind(module: Module, node: ast.expr | None, steps: int = MAX_STEPS) -> str:
    """tensor, module, loss, optimizer, scheduler, scaler, loader, dataset, batch, number, list, or ""."""
    if node is None or steps <= 0:
        return ""
    return module.once("kind", node, "", lambda: _kind(module, node, steps))


def _kind(module: Module, node: ast.expr, steps: int) -> str:
    found = {_kind_of(module, value, steps) for value in module.values(node)}
    return found.pop() if len(found) == 1 else ""


def _kind_of(module: Module, node: ast.expr, steps: int) -> str:
    if isinstance(node, ast.Call):
        return _kind_of_call(module, node, steps)
    if isinstance(node, ast.Constant):
        return "number" if isinstance(node.value, int | float) else ""
    if isinstance(node, ast.List | ast.ListComp | ast.Tuple):
        return "list"
    if isinstance(node, ast.BinOp):
        sides = {kind(module, node.left, steps - 1), kind(module, node.right, steps - 1)}
        return "tensor" if "tensor" in sides else "number" if sides == {"number"} else ""
    if isinstance(node, ast.UnaryOp):
        return kind(module, node.operand, steps - 1)
    if isinstance(node, ast.Compare):
        return "tensor" if kind(module, node.left, steps - 1) == "tensor" else ""
    if isinstance(node, ast.Subscript):
        above = kind(module, node.value, steps - 1)
        return above if above == "tensor" else ""
    if isinstance(node, ast.Attribute):
        if node.attr in ("data", "grad", "T", "mT") and kind(module, node.value, steps - 1) == "tensor":
            return "tensor"
        if node.attr in ("weight", "bias"):
            return "tensor" if is_module(module, node.value) else ""
        return KINDS.get(node.attr, "") if is_self(node) else ""
    if isinstance(node, ast.Name):
        bound = module.bindings(node)
        given = all(each.part == "param" for each in bound) and not module.binds_globally(node)
        return KINDS.get(node.id, "") if given else _kind_of_bound(module, bound, steps)
    return ""


def _kind_of_bound(module: Module, bindings: list[Binding], steps: int) -> str:
    """Of a name that a loop or an unpacking binds: what a loader, a tensor or an encoder gives."""
    found = set()
    for each in bindings:
        iterated = each.value
        while isinstance(iterated, ast.Call) and module.name(iterated.func) in PASSING_ITERATORS:
            inner = argument(iterated, 0, "iterable")
            if inner is None:
                break
            iterated = inner
        function = iterated.func if isinstance(iterated, ast.Call) else None
        parts = isinstance(function, ast.Attribute) and function.attr in ("chunk", "split")
        what = kind(module, iterated, steps - 1)
        what = _named_as_loader(iterated) if what in ("", "list") else what
        if each.part == "each" and what in ("loader", "tensor"):
            is_tuple = isinstance(each.node, ast.Tuple | ast.List)
            found.add("tensor" if what == "tensor" or is_tuple else "batch")
        else:
            a_part = (each.part == "each" and parts) or (each.part == "item" and what == "batch")
            found.add("tensor" if a_part else "")
    return found.pop() if len(found) == 1 else ""


def _named_as_loader(node: ast.expr | None) -> str:
    """A loader that the file does not make is known by its name: `train_loader`."""
    return "loader" if last_name(node).lower().endswith("loader") else ""


def _kind_of_call(module: Module, call: ast.Call, steps: int) -> str:
    dotted = module.name(call.func)
    known = _kind_of_torch(dotted) if dotted.startswith("torch.") else _kind_of_other(module, dotted)
    if known:
        return known
    if dotted in WRAPPERS and call.args:
        return kind(module, call.args[0], steps - 1)
    if isinstance(call.func, ast.Attribute):
        if call.func.attr in NUMBERS:
            return "number"
        above = kind(module, call.func.value, steps - 1)
        if above in ("module", "loss") and call.func.attr in SAME_MODULE:
            return above
        if above == "tensor":
            return "" if call.func.attr in NOT_ONE_TENSOR else "tensor"
    if kind(module, call.func, steps - 1) in ("module", "loss"):
        return "tensor" if gives_one_tensor(module, call) else ""
    found = module.called(call)
    if found and found[0] is module:
        given = {kind(module, value, steps - 2) for value in returned(found[1])}
        return given.pop() if len(given) == 1 else ""
    return ""


def _kind_of_torch(dotted: str) -> str:
    last = dotted.rsplit(".", 1)[-1]
    if dotted.startswith("torch.optim.lr_scheduler."):
        return "scheduler"
    if dotted.startswith("torch.optim."):
        return "optimizer" if last[:1].isupper() else ""
    if dotted == LOADER:
        return "loader"
    if last == "GradScaler":
        return "scaler"
    if dotted.startswith("torch.nn.functional."):
        return "tensor"
    if dotted in WRAPPERS:
        return ""
    if dotted.startswith("torch.nn.") and dotted.count(".") == 2 and last[:1].isupper():
        return "loss" if last.endswith("Loss") else "tensor" if last == "Parameter" else "module"
    if last in MAKERS and dotted.count(".") == 1:
        return "tensor"
    if dotted.startswith("torch.utils.data.") and last.endswith("Dataset"):
        return "dataset"
    return "module" if dotted == "torch.hub.load" else ""


def _kind_of_other(module: Module, dotted: str) -> str:
    if dotted.startswith("torchvision.models."):
        return "module"
    if dotted.startswith("torchvision.datasets."):
        return "dataset"
    if dotted == "timm.create_model" or dotted.endswith(("ForSequenceClassification.from_pretrained",)):
        return "module"
    found = module.class_named(dotted) if dotted else None
    if found:
        if found[0].is_subclass(found[1], *MODULE_BASES):
            return "loss" if dotted.endswith("Loss") else "module"
        if found[0].is_subclass(found[1], *DATASETS):
            return "dataset"
    return ""


def gives_one_tensor(module: Module, call: ast.Call) -> bool:
    """Whether what is called gives one tensor: no recurrent layer, no attention, no tuple."""
    layers = makers(module, call.func)
    for made in layers:
        dotted = module.name(made.func)
        if "." not in dotted or dotted.rsplit(".", 1)[-1] in SEVERAL_TENSORS:
            forward = forward_of(module, made)
            values = returned(forward[1]) if forward is not None else []
            if not values or any(isinstance(value, ast.Tuple | ast.Dict | ast.List) for value in values):
                return False
    return bool(layers)


def is_module(module: Module, node: ast.expr | None) -> bool:
    return kind(module, node) in ("module", "loss")


def makers(module: Module, node: ast.expr | None, steps: int = MAX_STEPS) -> list[ast.Call]:
    """The constructor calls behind an expression, `.to(device)` and wrappers taken off."""
    if node is None or steps <= 0:
        return []
    return module.once("makers", node, [], lambda: _makers(module, node, steps))


def _makers(module: Module, node: ast.expr, steps: int) -> list[ast.Call]:
    found: list[ast.Call] = []
    for value in module.values(node):
        if not isinstance(value, ast.Call):
            continue
        if isinstance(value.func, ast.Attribute) and value.func.attr in SAME_MODULE:
            found += makers(module, value.func.value, steps - 1)
        elif module.name(value.func) in WRAPPERS and value.args:
            found += makers(module, value.args[0], steps - 1)
        else:
            called = module.called(value)
            inner = [
                made
                for each in (returned(called[1]) if called and called[0] is module else ())
                for made in makers(module, each, steps - 2)
            ]
            found += inner or [value]
    return found


def class_made(module: Module, call: ast.Call) -> tuple[Module, Class] | None:
    """The project's class that a constructor call makes."""
    dotted = module.name(call.func)
    return module.class_named(dotted) if dotted else None


def forward_of(module: Module, call: ast.Call) -> tuple[Module, Function] | None:
    """The forward of the project's class that a constructor call makes."""
    found = class_made(module, call)
    if found and "forward" in found[1].methods:
        return found[0], found[1].methods["forward"]
    return None


def layers_within(module: Module, node: ast.expr | None, names: frozenset[str], steps: int = 6) -> bool:
    """Whether a module surely holds one of these layers of torch.nn, as far as the project shows it."""
    return any(_holds(module, made, names, steps) for made in makers(module, node))


def _holds(module: Module, made: ast.Call, names: frozenset[str], steps: int) -> bool:
    if steps <= 0:
        return False
    dotted = module.name(made.func)
    if dotted.startswith("torch.nn.") and dotted.rsplit(".", 1)[-1] in names:
        return not (
            dotted.endswith("Dropout") and made.args and getattr(made.args[0], "value", 1) in (0, 0.0)
        )
    if dotted.startswith(("torchvision.models.", "timm.create_model")):
        return True  # batch norm or dropout, all of them
    if dotted.startswith("torch.nn."):
        inner = (call for arg in made.args for call in inside(arg, ast.Call))
        return any(_holds(module, call, names, steps - 1) for call in inner)
    found = class_made(module, made)
    if found is None:
        return False
    init = found[1].methods.get("__init__")
    return any(_holds(found[0], call, names, steps - 2) for call in inside(init, ast.Call))
