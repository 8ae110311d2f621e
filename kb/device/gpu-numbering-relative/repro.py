"""The visible list is turned around: cuda:1 is then physical card 0. The ordinal must be the position in the list."""

import json
import os
import subprocess
import sys

import torch


def physical_cards():
    """UUIDs as nvidia-smi numbers them; CUDA stays untouched."""
    try:
        table = subprocess.run(
            ["nvidia-smi", "--query-gpu=uuid", "--format=csv,noheader"], capture_output=True, text=True
        ).stdout
    except OSError:
        table = ""
    cards = [line.strip() for line in table.splitlines() if line.startswith("GPU-")]
    if len(cards) < 2:
        print("needs two GPUs and nvidia-smi", file=sys.stderr)
        sys.exit(125)
    return cards


def run_on(ordinal, wanted):
    torch.zeros(1, device=f"cuda:{ordinal}")
    uuid = str(getattr(torch.cuda.get_device_properties(ordinal), "uuid", ""))
    if not uuid:
        print("this torch does not tell a card's uuid", file=sys.stderr)
        sys.exit(125)
    print(json.dumps({"ordinal": ordinal, "wanted": wanted, "got": uuid}))
    if uuid not in wanted:
        sys.exit(f"symptom: cuda:{ordinal} is not the card that nvidia-smi numbers 1")


def broken():
    cards = physical_cards()
    os.environ["CUDA_DEVICE_ORDER"] = "PCI_BUS_ID"
    os.environ["CUDA_VISIBLE_DEVICES"] = f"{cards[1]},{cards[0]}"
    run_on(1, cards[1])


def fixed():
    cards = physical_cards()
    os.environ["CUDA_DEVICE_ORDER"] = "PCI_BUS_ID"
    os.environ["CUDA_VISIBLE_DEVICES"] = f"{cards[1]},{cards[0]}"
    run_on(0, cards[1])


if __name__ == "__main__":
    fixed() if "--fixed" in sys.argv[1:] else broken()
