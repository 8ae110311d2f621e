def faults(host):
    for attention in ("MultiheadAttention", "TransformerEncoderLayer", "Attend", "Layer"):
        yield from host.with_argument(attention, 1, "{} + 1")
        yield from host.without_argument(attention, "batch_first")
    yield from host.with_text("src_key_padding_mask=padding", "mask=padding")
    yield from host.with_text("src_key_padding_mask=padding", "src_key_padding_mask=padding.T")
    yield from host.with_text("src_key_padding_mask=padding", "src_key_padding_mask=padding.long()")
    yield from host.with_text("self.mix(x, x, x)", "self.mix(x, x[:, 1:], x)")
    yield from host.with_text("self.mix(x, x, x)", "self.mix(x, x, x, attn_mask=torch.ones(3, 3))")
