import os
# fixed
os.environ["CUDA_VISIBLE_DEVICES"] = "1"  # fixed

import torch

print(torch.cuda.device_count(), "cards")
os.environ["CUDA_VISIBLE_DEVICES"] = "1"  # broken, here
layer = torch.nn.Linear(3, 3).cuda()
