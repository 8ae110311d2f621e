import os

os.environ["CUDA_LAUNCH_BLOCKING"] = "1"  # broken, here
import torch
import torch.distributed as dist

dist.init_process_group("nccl")
torch.cuda.set_device(dist.get_rank())
counts = torch.ones(1, device="cuda")
dist.all_reduce(counts)
