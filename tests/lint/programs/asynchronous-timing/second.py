import time

import torch


def benchmark(model, x, runs=20):
    start = time.time()
    for _ in range(runs):
        model(x)
    #: torch.cuda.synchronize()
    elapsed = time.time() - start  # here
    return elapsed / runs


net = torch.nn.Conv2d(3, 64, 3).cuda()
print(benchmark(net, torch.rand(8, 3, 64, 64, device="cuda")))
