"""What torch 2.13 and torch 2.6 print of a product that does not fit, under torch.compile."""

END = '\n\nfrom user code:\n   File "train.py", line 2, in f\n    return x @ w\n'
OLD = (
    "torch._dynamo.exc.TorchRuntimeError: Failed running call_function <built-in function matmul>(*(FakeTensor(...,"
    " size=(3, 4)), FakeTensor(..., size=(3, 4))), **{}):\n"
    "a and b must have same reduction dim, but got [3, 4] X [3, 4]." + END
)
NEW = (
    "torch._dynamo.exc.TorchRuntimeError: RuntimeError when making fake tensor call\n"
    "  Explanation: Dynamo failed to run FX node with fake tensors: call_function <built-in function matmul>(*(Fake"
    "Tensor(..., size=(3, 4)), FakeTensor(..., size=(3, 4))), **{}): got RuntimeError('a and b must have same"
    " reduction dim, but got [3, 4] X [3, 4].')\n"
    "  Hint: Your code may result in an error when running in eager.\n\n  Developer debug context: \n\n"
    " For more details about this graph break, please visit:"
    " https://meta-pytorch.github.io/compile-graph-break-site/gb/gb4315.html" + END
)
