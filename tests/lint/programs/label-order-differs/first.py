import torch

names = ["cat", "dog", "bird", "dog"]
index = {name: at for at, name in enumerate(set(names))}  # broken, here
index = {name: at for at, name in enumerate(sorted(set(names)))}  # fixed
targets = torch.tensor([index[name] for name in names])
torch.save({"targets": targets}, "targets.pt")
