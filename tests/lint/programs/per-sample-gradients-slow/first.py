import torch
import torch.nn.functional as F
from torch.func import functional_call, grad, vmap


def sample_gradients(model, x, y):
    rows = []  # broken
    for i in range(len(x)):  # broken
        model.zero_grad()  # broken
        loss = F.mse_loss(model(x[i : i + 1]), y[i : i + 1])  # broken
        loss.backward()  # broken, here
        rows.append(torch.cat([p.grad.flatten() for p in model.parameters()]))  # broken
    return torch.stack(rows)  # broken
    params = {k: v.detach() for k, v in model.named_parameters()}  # fixed
      # fixed
    def loss_of(params, one, target):  # fixed
        return F.mse_loss(functional_call(model, params, (one[None],)), target[None])  # fixed
      # fixed
    return vmap(grad(loss_of), in_dims=(None, 0, 0))(params, x, y)  # fixed


print(sample_gradients(torch.nn.Linear(3, 1), torch.rand(8, 3), torch.rand(8, 1)))
