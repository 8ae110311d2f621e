import random

import torch
from torch.utils.data import Dataset
from torchvision import transforms


class Organs(Dataset):
    def __init__(self, images, masks):
        self.images, self.masks = images, masks
        self.augment = transforms.Compose([transforms.RandomHorizontalFlip(), transforms.RandomRotation(10)])
        self.resize = transforms.Resize(64)

    def __len__(self):
        return len(self.images)

    def __getitem__(self, i):
        image, mask = self.images[i], self.masks[i]
        image = self.resize(image)
        mask = self.resize(mask)
        image = self.augment(image)  # broken
        mask = self.augment(mask)  # broken, here
        image, mask = self.augment(torch.cat([image, mask])).split([3, 1])  # fixed
        return image, mask


def order(train_ids, test_labels):
    random.shuffle(train_ids)
    random.shuffle(test_labels)
