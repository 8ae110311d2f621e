def faults(host):
    yield from host.with_argument("MultiheadAttention", 1, "{} + 1")
    for attention in ("MultiheadAttention", "TransformerEncoderLayer"):
        yield from host.without_argument(attention, "batch_first")
    yield from host.with_argument("TransformerEncoderLayer", 1, "5")
    yield from host.with_text("src_key_padding_mask=padding", "src_key_padding_mask=padding.T")
    yield from host.with_text("src_key_padding_mask=padding", "src_key_padding_mask=padding.long()")
    yield from host.with_text("self.mix(x, x, x)", "self.mix(x, x[:, 1:], x)")
    yield from host.with_text("self.mix(x, x, x)", "self.mix(x, x, x, attn_mask=torch.ones(3, 3))")
    yield from host.with_text("shares = scores", "shares = nn.MultiheadAttention(c, 5)(x, x, x)[0] + scores")
