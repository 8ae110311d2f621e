"""A checkpoint of GPU tensors is loaded without map_location: it goes back onto the card, where the model already lies, and the peak of the
card's memory is twice the weights. Loaded into host memory, the peak stays at the weights. Needs a GPU."""

import json
import sys
import tempfile
from pathlib import Path

import torch

MIB = 1 << 20


def run(**where):
    if not torch.cuda.is_available():
        print("needs a GPU", file=sys.stderr)
        sys.exit(125)
    model = torch.nn.Linear(4096, 4096, bias=False, device="cuda")
    weights = torch.cuda.memory_allocated()
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "checkpoint.pt")
        torch.save(model.state_dict(), file)
        torch.cuda.reset_peak_memory_stats()
        model.load_state_dict(torch.load(file, **where))
    peak = torch.cuda.max_memory_allocated()
    print(json.dumps({"weights_mib": round(weights / MIB), "peak_mib": round(peak / MIB)}))
    if peak > 1.5 * weights:
        sys.exit(f"symptom: loading takes the card to {peak / weights:.1f} times the weights")


def broken():
    run()


def fixed():
    run(map_location="cpu")


if __name__ == "__main__":
    fixed() if "--fixed" in sys.argv[1:] else broken()
