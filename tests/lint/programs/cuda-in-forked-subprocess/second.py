import torch
from torch.utils.data import DataLoader, Dataset


def collate(rows):
    return torch.stack(rows).cuda()  # here broken
    #: return torch.stack(rows)


class Rows(Dataset):
    def __len__(self):
        return 64

    def __getitem__(self, i):
        return torch.full((4,), float(i))


def main():
    for batch in DataLoader(Rows(), batch_size=8, num_workers=2, collate_fn=collate):
        print(batch.to("cuda").mean())


if __name__ == "__main__":
    main()
