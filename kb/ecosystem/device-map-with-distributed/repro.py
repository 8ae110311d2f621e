"""Two processes on the CPU: a model that device_map laid out in parts is handed to accelerate, which refuses. With the whole model as one
entry, the same model is prepared for DDP and trained."""

import os
import sys
import tempfile

import torch
import torch.multiprocessing as mp
from transformers import BertConfig, BertModel

PARTS = {"embeddings": "cpu", "encoder": "disk", "pooler": "cpu"}  # on several devices, as "auto" lays it out


def run(rank, folder, device_map):
    from accelerate import Accelerator

    os.environ.update(RANK=str(rank), LOCAL_RANK=str(rank), WORLD_SIZE="2", MASTER_ADDR="127.0.0.1", MASTER_PORT="0")
    os.environ.update(ACCELERATE_USE_CPU="true", GLOO_SOCKET_IFNAME="lo")
    torch.distributed.init_process_group("gloo", init_method=f"file://{folder}/store", rank=rank, world_size=2)
    model = Accelerator(cpu=True).prepare(BertModel.from_pretrained(folder, device_map=device_map, offload_folder=folder))
    model(torch.ones(1, 4, dtype=torch.long)).pooler_output.sum().backward()
    print(rank, type(model).__name__)
    torch.distributed.destroy_process_group()


def train(device_map):
    with tempfile.TemporaryDirectory() as folder:
        config = BertConfig(vocab_size=20, hidden_size=8, num_hidden_layers=1, num_attention_heads=2, intermediate_size=16)
        BertModel(config).save_pretrained(folder)
        mp.spawn(run, (folder, device_map), nprocs=2)


def broken():
    train(PARTS)


def fixed():
    train({"": "cpu"})


if __name__ == "__main__":
    fixed() if "--fixed" in sys.argv[1:] else broken()
