"""Each epoch unpacks and shrinks the same large pictures again, in the main process, between two steps of a small network: most of
the time the model waits. Unpacked and shrunk once, the data is no longer what the epoch's length depends on."""

import json
import random
import sys
import tempfile
import time
import zlib
from pathlib import Path

import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset

device = "cuda" if torch.cuda.is_available() else "cpu"
SIDE = 768


class Pictures(Dataset):
    def __init__(self, folder):
        self.files = sorted(Path(folder).glob("*.z"))

    def __len__(self):
        return len(self.files)

    def __getitem__(self, index):
        raw = bytearray(zlib.decompress(self.files[index].read_bytes()))
        picture = torch.frombuffer(raw, dtype=torch.uint8).view(1, 3, SIDE, SIDE).float() / 255
        return nn.functional.interpolate(picture, size=(32, 32), mode="area")[0], index % 2


class Decoded(Dataset):
    def __init__(self, source):
        self.samples = [source[index] for index in range(len(source))]

    def __len__(self):
        return len(self.samples)

    def __getitem__(self, index):
        return self.samples[index]


def write_pictures(folder):
    eight_greys = bytes(value % 8 for value in range(256))
    for index in range(16):
        picture = random.Random(index).randbytes(3 * SIDE * SIDE).translate(eight_greys)
        Path(folder, f"{index:03}.z").write_bytes(zlib.compress(picture, 1))


def run(prepare):
    torch.manual_seed(0)
    torch.set_num_threads(1)  # other programs on the machine disturb less
    model = nn.Sequential(
        nn.Conv2d(3, 8, 3), nn.ReLU(), nn.AdaptiveAvgPool2d(4), nn.Flatten(), nn.Linear(128, 2)
    ).to(device)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
    with tempfile.TemporaryDirectory() as folder:
        write_pictures(folder)
        loader = DataLoader(prepare(Pictures(folder)), batch_size=8, shuffle=True)
        epochs = []
        for _ in range(6):
            waited = worked = 0.0
            mark = time.perf_counter()
            for x, y in loader:
                waited += time.perf_counter() - mark
                mark = time.perf_counter()
                loss = nn.functional.cross_entropy(model(x.to(device)), y.to(device))
                optimizer.zero_grad()
                loss.backward()
                optimizer.step()
                loss.item()  # waits for a GPU
                worked += time.perf_counter() - mark
                mark = time.perf_counter()
            epochs.append((waited / (waited + worked), waited, worked))
    share, waited, worked = min(
        epochs[1:]
    )  # the first is warm-up; of the others the least disturbed by other programs
    print(
        json.dumps(
            {
                "waiting_ms": round(1000 * waited, 1),
                "training_ms": round(1000 * worked, 1),
                "waiting_share": round(share, 2),
            }
        )
    )
    if share > 0.5:
        sys.exit(f"symptom: {share:.0%} of the epoch is spent waiting for data")


def broken():
    run(lambda pictures: pictures)


def fixed():
    run(Decoded)


if __name__ == "__main__":
    fixed() if "--fixed" in sys.argv[1:] else broken()
