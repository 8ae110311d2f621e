"""What the encoder gives for a text: the sentence vector, and beside it the mean of the tokens in the layers
below.

The lower layers keep what the last one gives up for general likeness: the discriminant tells more entries
apart with them than by the sentence vector alone. Width = dimension x (1 + layers below).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import torch


def layers_below(count: int) -> list[int]:
    """Which of hidden states 0 (the embeddings) to `count` (the last layer) are used beside the sentence
    vector.
    """
    return [0, *range((count + 1) // 2, count)]


def wrap(model: Any) -> torch.nn.Module:
    """A sentence-transformers model -> a module: (input_ids, attention_mask) -> (batch, width), each part of
    length one.
    """
    import torch

    config = model[0].auto_model.config
    config.output_hidden_states = True
    below = layers_below(int(config.num_hidden_layers))

    class Sentence(torch.nn.Module):  # type: ignore[misc]
        def __init__(self) -> None:
            super().__init__()
            self.inner = model

        def forward(self, input_ids: torch.Tensor, attention_mask: torch.Tensor) -> torch.Tensor:
            features = self.inner({"input_ids": input_ids, "attention_mask": attention_mask})
            parts = [features["sentence_embedding"]]
            mask = attention_mask.unsqueeze(-1).to(parts[0].dtype)
            parts += [(features["all_layer_embeddings"][at] * mask).sum(1) / mask.sum(1) for at in below]
            return torch.cat([torch.nn.functional.normalize(part, dim=-1) for part in parts], 1)

    return Sentence().eval()
