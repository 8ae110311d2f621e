import numpy as np
import torch

torch.manual_seed(5)
order = np.random.permutation(100)  # here
print(torch.rand(3), order)
