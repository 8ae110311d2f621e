BEGIN = """class Clipped(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, most):
        ctx.save_for_backward(x)
        ctx.most = float(most)
        return x.clamp(max=ctx.most)

    @staticmethod
    def backward(ctx, grad):
        (x,) = ctx.saved_tensors
        return {returned}


w = torch.zeros(3, requires_grad=True)
{made}Clipped.apply(w, {most}).sum().backward()
assert w.grad.tolist() == [1, 1, 1]
"""
IN_MODULE = """class Rounded(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, scale, zero):
        return ((x / scale).round() + zero) * scale

    @staticmethod
    def backward(ctx, grad_output):
        return grad_output


class Layer(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.weight = torch.nn.Parameter(torch.ones(2, 3))
        self.register_buffer("scale", torch.tensor(0.5))

    def forward(self, x):
        return torch.nn.functional.linear(x, Rounded.apply(self.weight, self.scale, 0))


layer = Layer()
layer(torch.ones(4, 3)).sum().backward()
assert layer.weight.grad.eq(4).all()
"""
# Both are trained, so a None would leave one of them as it is.
TRAINED = """class Product(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, y):
        ctx.save_for_backward(x, y)
        return x * y

    @staticmethod
    def backward(ctx, grad):
        x, y = ctx.saved_tensors
        return grad * y


a, b = torch.nn.Parameter(torch.ones(3)), torch.nn.Parameter(torch.ones(3))
Product.apply(a, b).sum().backward()
"""


def faults(host):
    kept = "grad * (x <= ctx.most)"
    for returned, made, most in (
        (kept, "", "2.0"),
        (f"{kept}, None, None", "", "2.0"),
        (kept, "highest = torch.tensor(2.0)\n", "highest"),
        (f"({kept}, None, None)", "MOST = 3\n", "MOST"),
    ):
        text = BEGIN.format(returned=returned, made=made, most=most)
        yield from host.with_text("torch.manual_seed(", f"{text}torch.manual_seed(")
    for text in (IN_MODULE, TRAINED):
        yield from host.with_text("torch.manual_seed(", f"{text}torch.manual_seed(")
