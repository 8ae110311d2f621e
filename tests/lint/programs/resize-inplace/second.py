import torch


class Buffer:
    def __init__(self, size):
        self.data = torch.zeros(size)

    def matrix(self, rows):
        flat = self.data
        return flat.resize_(rows, flat.numel() // rows)  # here broken
        #: return flat.reshape(rows, flat.numel() // rows)


buffer = Buffer(12)
print(buffer.matrix(3).shape, buffer.data.shape)
