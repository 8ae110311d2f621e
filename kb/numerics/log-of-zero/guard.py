"""A loss or a gradient that is not finite, behind a logarithm, root or division that met its edge in the same step."""

from torchwhy_watch import NotFinite, Watching, not_finite, on_cpu

MESSAGES = {
    "edge": (
        "{function} met {edge} here, and the {what} became {value}: clamp it, or use the stable form (log_softmax, xlogy, eps)",
        "此处 {function} 的参数出现 {edge}，{what} 变为 {value}：请截断，或使用稳定写法（log_softmax、xlogy、eps）",
    )
}


class Guard(Watching):
    always = ("on_step",)

    def on_not_finite(self, facts):
        suspects = self.watch.suspects
        if (
            facts.claimed
            or facts.cause == "weights"
            or not suspects
            or self.watch.has_found("nan-in-input-data")
        ):
            return
        facts.claimed = True
        # a root of 0 is finite, only its gradient is not
        wanted = facts.what == "gradient"
        function, at = min(suspects.items(), key=lambda one: (one[0] == "sqrt") != wanted)
        edge = {"division": "a zero", "acos": "1", "asin": "1"}.get(function, "a 0 or less")
        told = {"function": function, "edge": edge, "what": facts.what, "value": float(facts.value)}
        self.report("edge", at, facts.step, **told)

    def on_step(self, stepped, at):
        """A root at zero is finite; its gradient is not."""
        if not self.watch.checking or not self.watch.suspects or self.watch.bad:
            return
        for one in stepped.parameters()[:4]:
            value = not_finite(one.grad) if one.grad is not None and on_cpu(one.grad) else None
            if value is not None:
                place = self.watch.backward_at
                facts = NotFinite("gradient", place, "", "here", value, None, stepped.steps)
                self.watch.not_finite_seen(facts)
                return
