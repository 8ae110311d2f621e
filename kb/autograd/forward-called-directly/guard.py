"""forward() is called on a model that has hooks, which do not run then."""

MESSAGES = {
    "skipped": (
        "{model}.forward(...) is called directly: its {count} hooks do not run; call the model itself",
        "直接调用了 {model}.forward(...)：它的 {count} 个 hook 不会运行；应调用模型本身",
    )
}


class Guard:
    def __init__(self, watch):
        self.watch, self.seen = watch, set()

    def on_call(self, call, module, args, kwargs):
        """A layer is called as if it were a model: from the forward of one that was not called."""
        frame = self.watch.where.caller()
        if frame is None or frame.f_code.co_name != "forward":
            return
        owner = frame.f_locals.get("self")
        if not hasattr(owner, "_forward_hooks") or id(owner) in self.seen:
            return
        self.seen.add(id(owner))
        count = len(owner._forward_hooks) + len(owner._forward_pre_hooks) + len(owner._backward_hooks)
        back = frame.f_back
        while back is not None and self.watch.where.library(back.f_code.co_filename):
            back = back.f_back
        if count and back is not None:
            self.watch.report(
                "skipped", (back.f_code.co_filename, back.f_lineno), model=type(owner).__name__, count=count
            )
