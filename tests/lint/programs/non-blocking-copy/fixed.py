import torch

scores = torch.rand(64, 1000, device="cuda").softmax(1)
best = scores.max(1).values.to("cpu", non_blocking=True)
torch.cuda.synchronize()
print(best.mean())
