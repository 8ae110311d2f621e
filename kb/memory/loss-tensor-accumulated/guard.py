"""A name of the training loop that holds the graphs of earlier steps: a running sum of losses, or a list of them."""

import linecache

import torch
from torchwhy_watch import Watching, names_of, node_name

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
LEAST, FRAMES, MAX_CHAIN, MAX_ITEMS, MAX_LINES = 6, 3, 400, 4000, 400
SUMS = ("AddBackward", "DivBackward", "MulBackward")


class Guard(Watching):
    def begin(self):
        self.seen = {}

    def on_stepped(self, stepped, at):
        frames = self.watch.where.own_frames(self.watch.where.frame())
        for frame, _ in zip(frames, range(FRAMES)):
            self._look(frame)

    def on_growth(self, place, at, told):
        """What the guard of host-memory-grows found to grow elsewhere."""
        if place == "device":
            self.report("device", at, **told)

    def _look(self, frame):
        names = names_of(frame)
        owner = names.get("self")
        if isinstance(getattr(owner, "__dict__", None), dict) and not isinstance(owner, torch.nn.Module):
            names.update(("self." + name, value) for name, value in list(vars(owner).items()))
        for name, value in names.items():
            if isinstance(value, torch.Tensor):
                self._grown(frame, name, "sum", chain(value))
            elif isinstance(value, (list, dict)) and 0 < len(value) <= MAX_ITEMS:
                items = list(value.values()) if isinstance(value, dict) else value
                held = sum(map(has_graph, items[-64:]))
                self._grown(frame, name, "list", len(items) if held >= min(len(items), LEAST) else 0)
                for key, one in list(value.items()) if isinstance(value, dict) and len(items) < 16 else ():
                    if has_graph(one):
                        self._grown(frame, "%s[%r]" % (name, key), "sum", chain(one))

    def _grown(self, frame, name, kind, count):
        steps = self.seen.setdefault((frame.f_code, name), [])
        if count < 1 or (steps and count <= steps[-1]):
            steps.clear()
        steps += [count] if count > 0 else []
        if len(steps) >= 3 and count >= LEAST:
            self.report(kind, (frame.f_code.co_filename, line_of(frame, name)), name=name, count=count)


def has_graph(value):
    return isinstance(value, torch.Tensor) and value.grad_fn is not None


def chain(tensor):
    """How many sums stand behind one another."""
    node, length = tensor.grad_fn, 0
    while node is not None and length < MAX_CHAIN and node_name(node) in SUMS:
        length += node_name(node) == "AddBackward"
        following = (one for one, _ in node.next_functions if one is not None)
        node = next((one for one in following if node_name(one) == "AddBackward"), None)
    return length


def line_of(frame, name):
    """The line that adds to the name, else the one that runs."""
    plain, first = name.split("[")[0], frame.f_code.co_firstlineno
    adds = (plain + "+=", plain + ".append(", "%s=%s+" % (plain, plain))
    lines = linecache.getlines(frame.f_code.co_filename)[first - 1 : first + MAX_LINES]
    for number, line in enumerate(lines, first):
        line = line.replace(" ", "")
        if any(each in line for each in adds) or (line.startswith(plain + "[") and "+=" in line):
            return number
    return frame.f_lineno
