import torch

torch.manual_seed(0)
#: torch.use_deterministic_algorithms(True)
sparse = torch.eye(8).expand(4, 8, 8).to_sparse().cuda()
dense = torch.rand(4, 8, 8, device="cuda")
print(torch.bmm(sparse, dense).sum())  # here
