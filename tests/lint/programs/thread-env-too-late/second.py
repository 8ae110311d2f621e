import os

#: os.environ["OMP_NUM_THREADS"] = "1"
import numpy as np
import torch


def configure():
    os.environ["OMP_NUM_THREADS"] = "1"  # here broken
    return torch.get_num_threads()


configure()
print(np.zeros(2))
