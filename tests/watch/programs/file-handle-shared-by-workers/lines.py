import tempfile

from torch.utils.data import DataLoader, Dataset


class Lines(Dataset):
    def __init__(self, path):
        self.path = path
        self.file = open(path, "rb")  # broken

    def __len__(self):
        return 16

    def __getitem__(self, index):
        self.file.seek(index)  # broken
        return self.file.read(1)[0]  # broken
        with open(self.path, "rb") as file:  # fixed
            file.seek(index)  # fixed
            return file.read(1)[0]  # fixed


with tempfile.NamedTemporaryFile() as made:
    made.write(b"abcdefghijklmnop")
    made.flush()
    for batch in DataLoader(Lines(made.name), batch_size=4, num_workers=2):  # here
        print(batch)
