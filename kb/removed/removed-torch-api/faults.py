TEXTS = (
    """matrix = 2 * torch.eye(3)
sizes, directions = torch.symeig(matrix, eigenvectors=True)
assert sizes.sum() == 6 and directions.shape == (3, 3)
""",
    """def whitened(x):
    x = x - x.mean(0)
    sizes, directions = torch.symeig(x.t() @ x / (len(x) - 1), eigenvectors=True)
    return directions @ torch.diag((sizes + 0.1).rsqrt()) @ directions.t()


assert whitened(torch.tensor([[0.0, 1.0], [1.0, 0.0], [2.0, 5.0]])).shape == (2, 2)
""",
    "assert torch.matrix_rank(torch.eye(4)) == 4\n",
    """found, _ = torch.solve(torch.ones(2, 1), 2 * torch.eye(2))
assert found.sum() == 1
""",
)


def faults(host):
    for text in TEXTS:
        yield from host.with_text("torch.manual_seed(", f"{text}torch.manual_seed(")
