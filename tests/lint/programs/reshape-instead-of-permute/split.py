from torch import nn

class Attention(nn.Module):
    def split(self, t):
        b, n, d = t.shape
        return t.reshape(b, self.heads, n, d // self.heads)  # broken, here
        return t.reshape(b, n, self.heads, d // self.heads).transpose(1, 2)  # fixed
