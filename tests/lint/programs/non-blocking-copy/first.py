import torch

scores = torch.rand(64, 1000, device="cuda").softmax(1)
best = scores.max(1).values.to("cpu", non_blocking=True)  # broken, here
best = scores.max(1).values.to("cpu", non_blocking=True)  # fixed
torch.cuda.synchronize()  # fixed
print(best.mean())
