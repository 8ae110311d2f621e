import os

import torch

print(torch.cuda.device_count(), "cards")
os.environ["CUDA_VISIBLE_DEVICES"] = "1"  # here
layer = torch.nn.Linear(3, 3).cuda()
