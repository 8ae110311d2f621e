import torch

weights = torch.load("weights.pt", weights_only=True, map_location="cpu")
