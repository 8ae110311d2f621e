"""from_pretrained with device_map where accelerate is not installed: transformers refuses. Without device_map, and .to() afterwards, the same
tiny model loads."""

import importlib.util
import sys
import tempfile

from transformers import BertConfig, BertModel


def load(**options):
    folder = tempfile.mkdtemp()
    config = BertConfig(vocab_size=20, hidden_size=8, num_hidden_layers=1, num_attention_heads=2, intermediate_size=16)
    BertModel(config).save_pretrained(folder)
    model = BertModel.from_pretrained(folder, **options).to("cpu")
    print(sum(parameter.numel() for parameter in model.parameters()), "parameters loaded")


def broken():
    if importlib.util.find_spec("accelerate"):
        print("accelerate is installed here", file=sys.stderr)
        sys.exit(125)
    load(device_map="cpu")


def fixed():
    load()


if __name__ == "__main__":
    fixed() if "--fixed" in sys.argv[1:] else broken()
