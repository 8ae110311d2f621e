import json

import torch
from torch import nn


class Tags:
    def __init__(self, rows):
        kinds = list({row["tag"] for row in rows})  # broken
        kinds = sorted({row["tag"] for row in rows})  # fixed
        self.to_id = {tag: i for i, tag in enumerate(kinds)}  # here


tags = Tags(json.load(open("rows.json")))
model = nn.Linear(16, len(tags.to_id))
model.load_state_dict(torch.load("tagger.pt", map_location="cpu"))
