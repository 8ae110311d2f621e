"""A model with dropout or batch norm that is evaluated in training mode, or trained in evaluation mode."""

import ast

from torchwhy.lint import patterns as p

DROPOUTS = tuple(
    f"torch.nn.functional.{name}"
    for name in ("dropout", "dropout1d", "dropout2d", "dropout3d", "alpha_dropout")
)
ALWAYS = (
    "F.dropout drops in eval() as well, unless it is told training=self.training",
    "F.dropout 在 eval() 下同样会丢弃，除非传入 training=self.training",
)
NOT_BACK = ("nothing calls train() again before the next epoch", "下一个 epoch 之前没有再调用 train()")
IN_TRAINING = ("evaluated in training mode: nothing calls eval()", "在训练模式下评估：没有调用 eval()")
LOADED = ("loaded, and nothing says eval() or train() afterwards", "加载之后没有调用 eval() 或 train()")

SAYS = {
    "en": "`{call}`: {problem}",
    "zh": "`{call}`：{problem}",
}
FIX = {
    "en": "call model.train() at the start of each training epoch and model.eval() before each evaluation; give F.dropout training=self.training",
    "zh": "在每个训练 epoch 开始时调用 model.train()，每次评估前调用 model.eval()；给 F.dropout 传入 training=self.training",
}
IN_REPRO = "first, second = model(test_x)"


def find(module):
    if module.is_test:  # a model is made anew in each pass, or its state is what is tested
        return
    yield from dropout_without_mode(module)
    yield from never_back(module)
    yield from never_eval(module)
    yield from loaded_without_eval(module)


def dropout_without_mode(module):
    for call in module.calls(*DROPOUTS):
        if not p.in_forward(module, call, 3):
            continue
        told = p.is_open(call) or p.argument(call, 2, "training") is not None
        none = p.constant(p.argument(call, 1, "p")) in (0, 0.0)
        asked = any("training" in p.text(branch.test) for branch in p.conditions(module, call, None))
        if not (told or none or asked or is_meant(module, call)):
            yield p.wrong(call, call=p.text(call), problem=ALWAYS)


def is_meant(module, call):
    """Whether a comment on its line says that it drops always."""
    comment = module.lines[call.lineno - 1].partition("#")[2].lower()
    return any(word in comment for word in ("always", "infer", "eval", "monte"))


def never_back(module):
    """eval() in the epoch's loop, train() only before it."""
    if "eval(" not in module.text or ("backward" not in module.text and "step" not in module.text):
        return
    for loop in [*module.by_type[ast.For], *module.by_type[ast.While]]:
        its = p.events(module, loop.body)
        if module.loops(loop) or not any(event.what == "backward" for event in its):
            continue
        for event in its:
            if event.what == "eval" and event.on != "self" and runs_here(module, event):
                back = any(each.what == "train" and may_be_same(event, each) for each in its)
                owner = event.node.func.value
                seen = p.layers_within(event.module, owner, p.TRAINS)
                if not back and (seen or not p.makers(event.module, owner)):
                    grade = p.wrong if seen else p.look
                    yield grade(event.place(module), call=p.text(event.at), problem=NOT_BACK)


def runs_here(module, event):
    """Whether the file calls what is put into eval(), or a helper does both."""
    return event.at is not event.node or any(
        p.text(call.func) == event.on for call in module.by_type[ast.Call]
    )


def may_be_same(one, other):
    """Whether two calls may be for one model, under whatever names: `Evaluator(model)` keeps it as self.model."""
    if other.on.split(".")[0] in (one.on.split(".")[0], "self"):
        return True
    values = [[*each.module.values(each.node.func.value)] for each in (one, other)]
    nodes = [{node for value in each for node in ast.walk(value)} for each in values]
    same_file = one.module is other.module
    return bool(nodes[0] & nodes[1]) or same_file and bool(p.names_in(*values[0]) & p.names_in(*values[1]))


def never_eval(module):
    modes = (call for call in module.methods("train") if module.called(call) is None)
    told = any(p.argument(call, 0, "mode") is not None for call in modes)
    # as an attribute alone, eval is handed on, to be called later
    if told or any(node.attr == "eval" for node in module.by_type[ast.Attribute]):
        return
    if not any(True for _ in p.training_loops(module)):
        return
    for call in module.by_type[ast.Call]:
        name = module.name(call.func)
        by_name = isinstance(call.func, ast.Name) or (
            p.is_self(call.func) and not p.in_forward(module, call, 3)
        )
        if not by_name or name in module.classes or name.startswith("torch."):
            continue
        # a copy is a teacher: its results are what another learns from
        if not p.layers_within(module, call.func, p.TRAINS) or p.values_by(
            module, call.func, "copy.deepcopy"
        ):
            continue
        if p.without_gradients(module, call) and not is_learnt_from(module, call):
            # A generator may be meant to be sampled in training mode.
            grade = p.look if is_generator(module, p.text(call.func)) else p.wrong
            yield grade(call, call=p.text(call, 60), problem=IN_TRAINING)
            return


def is_learnt_from(module, call):
    """Whether what a model gives goes into the loss of the same pass, as a pseudo-label does."""
    names, loops = p.names_in(*getattr(module.statement(call), "targets", ())), module.loops(call)
    steps = [*p.inside(loops[0], ast.Assign)] if loops else []
    for each in sorted(steps, key=p.position):
        if p.names_in(each.value) & names:
            names |= p.names_in(*each.targets)
    losses = p.methods_in(loops[0], "backward") if loops else []
    return any(p.names_in(each.func) & names for each in losses)


def is_generator(module, name):
    """Whether what the model makes is detached for another one: `D(fake.detach())`."""
    return any(
        isinstance(value, ast.Call) and p.text(value.func) == name
        for call in module.methods("detach")
        for value in (call.func.value, *module.values(call.func.value))
    )


def loaded_without_eval(module):
    for call in module.methods("load_state_dict"):
        later = any(
            module.scope(each) is module.scope(call) and p.position(each) > p.position(call)
            for each in module.methods("eval", "train")
        )
        holds_none = any(word in p.text(call.func.value) for word in ("optim", "sched", "scaler"))
        loaded = p.is_call(module, p.argument(call, 0, "state_dict"), "torch.load")
        if loaded and not later and not holds_none:
            yield p.look(call, call=p.text(call.func), problem=LOADED)
