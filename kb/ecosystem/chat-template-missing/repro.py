"""A tokenizer without a chat template is given a conversation: apply_chat_template has nothing to render it with. With the template that belongs to the
model it returns the prompt."""

import sys

from tokenizers import Tokenizer, models
from transformers import PreTrainedTokenizerFast

TEMPLATE = (
    "{% for message in messages %}<|{{ message['role'] }}|>{{ message['content'] }}</s>{% endfor %}"
    "{% if add_generation_prompt %}<|assistant|>{% endif %}"
)


def render(template):
    words = Tokenizer(models.WordLevel({"<unk>": 0, "</s>": 1, "hello": 2}, unk_token="<unk>"))
    tokenizer = PreTrainedTokenizerFast(tokenizer_object=words, unk_token="<unk>", eos_token="</s>")
    tokenizer.chat_template = template
    messages = [{"role": "user", "content": "hello"}]
    print(tokenizer.apply_chat_template(messages, tokenize=False, add_generation_prompt=True))


def broken():
    render(None)


def fixed():
    render(TEMPLATE)


if __name__ == "__main__":
    fixed() if "--fixed" in sys.argv[1:] else broken()
