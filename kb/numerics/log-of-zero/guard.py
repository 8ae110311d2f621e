"""A loss or a gradient that is not finite, behind a logarithm, root or division that met its edge in the same step."""

MESSAGES = {
    "edge": (
        "{function} met {edge} here, and the {what} became {value}: clamp it, or use the stable form (log_softmax, xlogy, eps)",
        "此处 {function} 的参数出现 {edge}，{what} 变为 {value}：请截断，或使用稳定写法（log_softmax、xlogy、eps）",
    )
}


class Guard:
    def __init__(self, watch):
        self.watch = watch

    def on_not_finite(self, facts):
        if facts.claimed or facts.cause == "weights" or not self.watch.suspects:
            return
        if any(one["id"] == "nan-in-input-data" for one in self.watch.findings):
            return
        facts.claimed = True
        # a root of 0 is finite, only its gradient is not
        ordered = sorted(
            self.watch.suspects.items(), key=lambda one: (one[0] == "sqrt") != (facts.what == "gradient")
        )
        for function, at in ordered:
            edge = {"division": "a zero", "acos": "1", "asin": "1"}.get(function, "a 0 or less")
            self.watch.report(
                "edge",
                at,
                step=facts.step,
                function=function,
                edge=edge,
                what=facts.what,
                value=float(facts.value),
            )
            return

    def on_step(self, stepped, at):
        """A root at zero is finite; its gradient is not."""
        if not self.watch.checking or not self.watch.suspects or self.watch.bad:
            return
        from torchwhy_watch import NotFinite, not_finite

        for one in stepped.parameters()[:4]:
            value = not_finite(one.grad) if one.grad is not None and one.grad.device.type == "cpu" else None
            if value is not None:
                self.watch.not_finite_seen(
                    NotFinite("gradient", self.watch.backward_at, "", "here", value, None, stepped.steps)
                )
                return
