import torch


def collect(model, loader):
    rows = []
    for x in loader:
        out = model(x.cuda(non_blocking=True))
        host = out.detach().to("cpu", non_blocking=True)  # here broken
        #: host = out.detach().to("cpu")
        rows.append(host.numpy())
    return rows


collect(torch.nn.Linear(4, 2).cuda(), [torch.rand(8, 4).pin_memory() for _ in range(3)])
