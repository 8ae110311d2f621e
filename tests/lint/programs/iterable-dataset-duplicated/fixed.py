from torch.utils.data import DataLoader, IterableDataset, get_worker_info


class Lines(IterableDataset):
    def __init__(self, path):
        self.path = path

    def __iter__(self):
        with open(self.path) as lines:
            info = get_worker_info()
            for number, line in enumerate(lines):
                if info is not None and number % info.num_workers != info.id:
                    continue
                yield number, line


for batch in DataLoader(Lines("corpus.txt"), batch_size=8, num_workers=4):
    print(batch)
