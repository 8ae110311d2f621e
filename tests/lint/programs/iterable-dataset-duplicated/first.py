from torch.utils.data import DataLoader, IterableDataset, get_worker_info


class Lines(IterableDataset):
    def __init__(self, path):
        self.path = path

    def __iter__(self):  # broken, here
    def __iter__(self):  # fixed
        with open(self.path) as lines:
            info = get_worker_info()  # fixed
            for number, line in enumerate(lines):
                if info is not None and number % info.num_workers != info.id:  # fixed
                    continue  # fixed
                yield number, line


for batch in DataLoader(Lines("corpus.txt"), batch_size=8, num_workers=4):
    print(batch)
