"""A state_dict is loaded, or an average kept, whose tensors are the model's own."""

from torchwhy_watch import Watching

MESSAGES = {
    "own": (
        "this state_dict shares its memory with {model}: it followed every step and loading it changes nothing; keep copy.deepcopy(...)",
        "这个 state_dict 与 {model} 共用内存：它跟随了每一步更新，加载它不会改变任何东西；应保存 copy.deepcopy(...)",
    ),
    "average": (
        "this average of the weights is kept in the weights' own memory: it changes them by themselves and is always equal to them; keep p.detach().clone()",
        "这个权重平均值存放在权重自己的内存里：等于拿权重与它自己平均，结果永远与权重相同；应保存 p.detach().clone()",
    ),
}


class Guard(Watching):
    def on_load(self, args, kwargs, at):
        model = args[0]
        state = args[1] if len(args) > 1 else kwargs.get("state_dict", {})
        own = {name: one.data_ptr() for name, one in model.named_parameters() if one.numel()}
        shared = [name for name, place in own.items() if name in state and state[name].data_ptr() == place]
        if own and self.watch.backwards and len(shared) == len(own):
            self.report("own", at, model=type(model).__name__)

    def on_own_average(self, at):
        self.report("average", at)
