import os

os.environ["CUDA_VISIBLE_DEVICES"] = "3"
import torch

board = torch.zeros(4, device="cuda:3")  # broken, here
board = torch.zeros(4, device="cuda:0")  # fixed
print(board)
