WORDS = """texts = ["a red cat", "the red dog runs", "a dog"]
words = sorted({{word for text in texts for word in text.split()}})
{table}


class Bag(torch.nn.Module):
    def __init__(self, size, dim=4):
        super().__init__()
        self.table = torch.nn.Embedding(size, dim)

    def forward(self, ids):
        return self.table(ids).mean(1)


bag = Bag({size})
ids = torch.tensor([{ids} for text in texts])
assert bag(ids[:, :2]).shape == (3, 4) and bag.table.num_embeddings == {rows}
"""
CLASS = """class Vocabulary:
    def __init__(self, texts):
        self.words = sorted({word for text in texts for word in text.split()})
        self.ids = {"<pad>": 0, "<unk>": 1}
        for word in self.words:
            self.ids[word] = len(self.ids)

    def encoded(self, text, length=5):
        ids = [self.ids.get(word, 1) for word in text.split()]
        return ids + [0] * (length - len(ids))


texts = ["a red cat", "the red dog runs"]
vocabulary = Vocabulary(texts)
table = torch.nn.Embedding(len(vocabulary.words), 3)
ids = torch.tensor([vocabulary.encoded(each) for each in texts])
assert table(ids).shape == (2, 5, 3) and table.num_embeddings == 8
"""
FORMS = (
    ("number = {word: at for at, word in enumerate(words)}", "len(words) - 1", "number[word]", 6),
    ("number = {word: at + 1 for at, word in enumerate(words)}", "len(number)", "number.get(word, 0)", 7),
    ("number = {word: at for at, word in enumerate(words, 2)}", "len(words)", "number[word]", 8),
    ("most = 5", "most", "words.index(word)", 6),
)
COUNTED = """rows = [(1, 2), (3, 5), (4, 9), (1, 5)]
who, what = (torch.tensor(each) for each in zip(*rows))
people, things = len(set(who.tolist())), len(what.unique())
of_who, of_what = torch.nn.Embedding(people, 2), torch.nn.Embedding(things, 2)
assert (of_who(who) * of_what(what)).shape == (4, 2)
"""


def faults(host):
    for table, size, one, rows in FORMS:
        ids = f"[{one} for word in text.split()[:2]]"
        text = WORDS.format(table=table, size=size, ids=ids, rows=rows)
        yield from host.with_text("torch.manual_seed(", f"{text}torch.manual_seed(")
    yield from host.with_text("torch.manual_seed(", f"{CLASS}torch.manual_seed(")
    yield from host.with_text("torch.manual_seed(", f"{COUNTED}torch.manual_seed(")
    for size in ("{} - 1", "{} // 2", "2"):
        yield from host.with_argument("Embedding", 0, size)
    yield from host.with_argument("table", 0, "{} + 3")
    yield from host.with_argument("places", 0, "{} + 1")
    yield from host.with_argument("items", 0, "{} + 1")
    yield from host.with_argument("users", 0, "{} * 2")
