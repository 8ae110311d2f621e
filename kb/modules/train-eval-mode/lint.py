"""A model with dropout or batch norm that is evaluated in training mode, or trained in evaluation mode."""

import ast

from torchwhy.lint.context import without_gradients
from torchwhy.lint.events import events, training_loops
from torchwhy.lint.kinds import MODULE_BASES, TRAINS, layers_within
from torchwhy.lint.module import argument, constant, is_open, position
from torchwhy.lint.rule import look, wrong

DROPOUTS = tuple(
    f"torch.nn.functional.{name}"
    for name in ("dropout", "dropout1d", "dropout2d", "dropout3d", "alpha_dropout")
)

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
        owner = module.class_of(call)
        if owner is None or not module.is_subclass(owner, *MODULE_BASES) or is_open(call):
            continue
        if not in_forward(module, call):
            continue
        mode = argument(call, 2, "training")
        if mode is None and constant(argument(call, 1, "p")) not in (0, 0.0) and not meant(module, call):
            if not any(
                isinstance(above, ast.If) and "training" in ast.unparse(above.test)
                for above in module.above(call)
            ):
                yield wrong(
                    call,
                    call=ast.unparse(call),
                    problem=(
                        "F.dropout drops in eval() as well, unless it is told training=self.training",
                        "F.dropout 在 eval() 下同样会丢弃，除非传入 training=self.training",
                    ),
                )


def in_forward(module, call, steps=3):
    """Whether forward runs it, or a method that forward calls: a method of its own may be for sampling."""
    function = module.function(call)
    return (
        function is not None
        and steps > 0
        and (
            function.name == "forward"
            or any(in_forward(module, each, steps - 1) for each in module.calls_of(function))
        )
    )


def meant(module, call):
    """Whether a comment on its line says that it drops always."""
    _, hash, comment = module.lines[call.lineno - 1].partition("#")
    return bool(hash) and any(word in comment.lower() for word in ("always", "infer", "eval", "monte"))


def never_back(module):
    """eval() in the epoch's loop, train() only before it."""
    if not module.text.count("eval(") or "backward" not in module.text and "step" not in module.text:
        return
    for loop in [*module.by_type[ast.For], *module.by_type[ast.While]]:
        its = events(module, loop.body)
        if module.loops(loop) or not any(event.what == "backward" for event in its):
            continue
        for event in its:
            if (
                event.what != "eval"
                or event.on == "self"
                or not layers_within(event.module, event.node.func.value, TRAINS)
            ):
                continue
            root = event.on.split(".")[0]
            called = (
                any(ast.unparse(call.func) == event.on for call in module.by_type[ast.Call])
                or event.at is not event.node
            )
            if called and not any(
                each.what == "train" and (each.on.split(".")[0] in (root, "self") or same(event, each))
                for each in its
            ):
                yield wrong(
                    event.place(module),
                    call=ast.unparse(event.at),
                    problem=(
                        "nothing calls train() again before the next epoch",
                        "下一个 epoch 之前没有再调用 train()",
                    ),
                )


def same(one, other):
    """Whether two calls may be for one model, under whatever names: `Evaluator(model)` keeps it as self.model."""
    behind = [
        {id(node) for value in each.module.values(each.node.func.value) for node in ast.walk(value)}
        for each in (one, other)
    ]
    names = [
        {
            each.id
            for value in event.module.values(event.node.func.value)
            for each in ast.walk(value)
            if isinstance(each, ast.Name)
        }
        for event in (one, other)
    ]
    return bool(behind[0] & behind[1]) or one.module is other.module and bool(names[0] & names[1])


def never_eval(module):
    if module.methods("eval") or any(
        argument(call, 0, "mode") is not None for call in module.methods("train")
    ):
        return
    if any(node.attr == "eval" for node in module.by_type[ast.Attribute]):  # handed on, to be called later
        return
    if not any(True for _ in training_loops(module)):
        return
    for call in module.by_type[ast.Call]:
        if (
            isinstance(call.func, ast.Name)
            and layers_within(module, call.func, TRAINS)
            and is_instance(module, call)
        ):
            if is_copy(module, call.func):  # a teacher: its results are what another learns from
                continue
            if without_gradients(module, call):
                # A generator may be meant to be sampled in training mode.
                grade = look if is_generator(module, call.func.id) else wrong
                yield grade(
                    call,
                    call=ast.unparse(call)[:60],
                    problem=(
                        "evaluated in training mode: nothing calls eval()",
                        "在训练模式下评估：没有调用 eval()",
                    ),
                )
                return


def is_copy(module, name):
    """Whether the model was made by `copy.deepcopy`."""
    return any(
        isinstance(value, ast.Call) and module.name(value.func) == "copy.deepcopy"
        for value in module.values(name)
    )


def is_generator(module, name):
    """Whether what the model makes is detached for another one: `D(fake.detach())`."""
    return any(
        isinstance(value, ast.Call) and isinstance(value.func, ast.Name) and value.func.id == name
        for call in module.methods("detach")
        for value in (call.func.value, *module.values(call.func.value))
    )


def is_instance(module, call):
    return module.name(call.func) not in module.classes and not module.name(call.func).startswith("torch.")


def loaded_without_eval(module):
    for call in module.methods("load_state_dict"):
        given = argument(call, 0, "state_dict")
        if isinstance(given, ast.Call) and module.name(given.func) == "torch.load":
            scope, owner = module.scope(call), ast.unparse(call.func.value)
            later = [
                each
                for each in module.methods("eval", "train")
                if module.scope(each) is scope and position(each) > position(call)
            ]
            if not later and "optim" not in owner and "sched" not in owner and "scaler" not in owner:
                yield look(
                    call,
                    call=ast.unparse(call.func),
                    problem=(
                        "loaded, and nothing says eval() or train() afterwards",
                        "加载之后没有调用 eval() 或 train()",
                    ),
                )
