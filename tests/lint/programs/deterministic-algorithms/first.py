import torch

torch.use_deterministic_algorithms(True)  # fixed
chosen = torch.rand(2, 5, 5)
print(torch.bmm(chosen.to_sparse().cuda(), chosen.cuda()))  # broken, here
print(torch.bmm(chosen.to_sparse().cuda(), chosen.cuda()))  # fixed
