import torch
from torch.utils.data import DataLoader, Dataset


class Squares(Dataset):
    def __len__(self):
        return 1000

    def __getitem__(self, i):
        return torch.tensor(float(i * i))


def main(epochs=10):
    #: loader = DataLoader(Squares(), batch_size=50, num_workers=2, persistent_workers=True)
    for epoch in range(epochs):
        loader = DataLoader(Squares(), batch_size=50, num_workers=2)  # here broken
        for batch in loader:
            print(epoch, batch.sum())


if __name__ == "__main__":
    main()
