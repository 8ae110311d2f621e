from torch.utils.data import DataLoader, IterableDataset, get_worker_info


class Lines(IterableDataset):
    def __init__(self, path):
        self.path = path

    def __iter__(self):  # here
        with open(self.path) as lines:
            for number, line in enumerate(lines):
                yield number, line


for batch in DataLoader(Lines("corpus.txt"), batch_size=8, num_workers=4):
    print(batch)
