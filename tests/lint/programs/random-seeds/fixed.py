import numpy as np
import torch

torch.manual_seed(5)
np.random.seed(5)
order = np.random.permutation(100)
print(torch.rand(3), order)
