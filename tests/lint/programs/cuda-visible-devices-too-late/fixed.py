import os

os.environ["CUDA_VISIBLE_DEVICES"] = "1"

import torch

print(torch.cuda.device_count(), "cards")
layer = torch.nn.Linear(3, 3).cuda()
