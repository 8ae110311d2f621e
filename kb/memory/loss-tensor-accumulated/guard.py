"""A name of the training loop that holds the graphs of earlier steps: a running sum of losses, or a list of them."""

import torch
from torchwhy_watch import names_of, node_name

MESSAGES = {
    "sum": (
        "`{name}` is a sum of {count} losses with their graphs, and grows with every step: add loss.item() or loss.detach()",
        "`{name}` 是 {count} 个损失连同计算图之和，且每步都在增长：应累加 loss.item() 或 loss.detach()",
    ),
    "list": (
        "`{name}` holds {count} results with their graphs, and grows with every step: keep loss.item() or loss.detach()",
        "`{name}` 保存了 {count} 个带计算图的结果，且每步都在增长：应保存 loss.item() 或 loss.detach()",
    ),
    "device": (
        "`{name}` holds {count} results on the accelerator, {size}, and {each} more with every step since step {first}; memory in use there has grown by {grown} since then, and {free} are left: keep result.detach().cpu(), or a number",
        "`{name}` 在加速器上保存了 {count} 个结果，共 {size}，自第 {first} 步起每步增加 {each}；其间那里占用的内存增长了 {grown}，尚余 {free}：应保存 result.detach().cpu() 或数值",
    ),
}
LEAST, FRAMES, MAX_CHAIN, MAX_ITEMS = 6, 3, 400, 4000
SUMS = ("AddBackward", "DivBackward", "MulBackward")


class Guard:
    def __init__(self, watch):
        self.watch, self.seen = watch, {}

    def on_stepped(self, stepped, at):
        if not self.watch.looking:
            return
        frame, frames = self.watch.where.frame(), 0
        while frame is not None and frames < FRAMES:
            if not self.watch.where.library(frame.f_code.co_filename):
                frames += 1
                self._look(frame)
            frame = frame.f_back

    def on_growth(self, place, at, told):
        """What the guard of host-memory-grows found to grow elsewhere."""
        if place == "device":
            self.watch.report("device", at, **told)

    def _look(self, frame):
        names = names_of(frame)
        owner = names.get("self")
        if (
            owner is not None
            and isinstance(getattr(owner, "__dict__", None), dict)
            and not isinstance(owner, torch.nn.Module)
        ):
            names.update(("self." + name, value) for name, value in list(vars(owner).items()))
        for name, value in names.items():
            if isinstance(value, torch.Tensor):
                self._grown(frame, name, "sum", chain(value) if value.grad_fn is not None else 0)
            elif isinstance(value, (list, dict)) and value:
                items = list(value.values()) if isinstance(value, dict) else value
                if len(items) <= MAX_ITEMS:
                    held = sum(
                        isinstance(one, torch.Tensor) and one.grad_fn is not None for one in items[-64:]
                    )
                    self._grown(frame, name, "list", len(items) if held >= min(len(items), LEAST) else 0)
                    if isinstance(value, dict) and len(items) < 16:
                        for key, one in list(value.items()):
                            if isinstance(one, torch.Tensor) and one.grad_fn is not None:
                                self._grown(frame, "%s[%r]" % (name, key), "sum", chain(one))

    def _grown(self, frame, name, kind, count):
        key = (frame.f_code, name)
        steps = self.seen.setdefault(key, [])
        if count < 1 or (steps and count <= steps[-1]):
            steps.clear()
            if count < 1:
                return
        steps.append(count)
        if len(steps) >= 3 and count >= LEAST:
            self.watch.report(kind, (frame.f_code.co_filename, line_of(frame, name)), name=name, count=count)


def chain(tensor):
    """How many sums stand behind one another."""
    node, length = tensor.grad_fn, 0
    while node is not None and length < MAX_CHAIN:
        following = [one for one, _ in node.next_functions if one is not None]
        nearest = [one for one in following if node_name(one) == "AddBackward"]
        if node_name(node) == "AddBackward":
            length += 1
        elif node_name(node) not in SUMS:
            break
        node = nearest[0] if nearest else None
    return length


def line_of(frame, name):
    """The line that adds to the name, else the one that runs."""
    import linecache

    plain = name.split("[")[0]
    first = frame.f_code.co_firstlineno
    lines = linecache.getlines(frame.f_code.co_filename)
    for number in range(first, min(len(lines), first + 400) + 1):
        text = lines[number - 1].replace(" ", "")
        adds = (plain + "+=", plain + ".append(", "%s=%s+" % (plain, plain))
        if any(each in text for each in adds) or (text.startswith(plain + "[") and "+=" in text):
            return number
    return frame.f_lineno
