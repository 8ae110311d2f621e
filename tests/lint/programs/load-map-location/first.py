import torch

weights = torch.load("weights.pt", weights_only=True)  # broken, here
weights = torch.load("weights.pt", weights_only=True, map_location="cpu")  # fixed
