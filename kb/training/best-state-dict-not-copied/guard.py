"""A state_dict is loaded whose tensors are the model's own."""

from torchwhy_watch import Watching

MESSAGES = {
    "own": (
        "this state_dict shares its memory with {model}: it followed every step and loading it changes nothing; keep copy.deepcopy(...)",
        "这个 state_dict 与 {model} 共用内存：它跟随了每一步更新，加载它不会改变任何东西；应保存 copy.deepcopy(...)",
    )
}


class Guard(Watching):
    def on_load(self, args, kwargs, at):
        model = args[0]
        state = args[1] if len(args) > 1 else kwargs.get("state_dict", {})
        own = {name: one.data_ptr() for name, one in model.named_parameters() if one.numel()}
        shared = [name for name, place in own.items() if name in state and state[name].data_ptr() == place]
        if own and self.watch.backwards and len(shared) == len(own):
            self.report("own", at, model=type(model).__name__)
