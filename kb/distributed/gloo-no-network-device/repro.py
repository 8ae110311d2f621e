"""GLOO_SOCKET_IFNAME names a network card that this machine does not have: gloo opens no device. With the name of a card that is here it does."""

import os
import socket
import sys

import torch
import torch.distributed as dist


def reduce_over(card):
    os.environ["GLOO_SOCKET_IFNAME"] = card
    dist.init_process_group("gloo", store=dist.HashStore(), rank=0, world_size=1)
    total = torch.ones(2)
    dist.all_reduce(total)
    print(card, total.tolist())
    dist.destroy_process_group()


def broken():
    reduce_over("eth77")  # copied from the script of another machine


def fixed():
    cards = [name for _, name in socket.if_nameindex()]
    reduce_over("lo" if "lo" in cards else cards[0])


if __name__ == "__main__":
    fixed() if "--fixed" in sys.argv[1:] else broken()
