import numpy as np
import torch

torch.manual_seed(5)
order = np.random.permutation(100)  # broken, here
np.random.seed(5)  # fixed
order = np.random.permutation(100)  # fixed
print(torch.rand(3), order)
