def faults(host):
    yield from host.with_text("def forward(", "def farward(")
    yield from host.with_text("    def forward(", "    def call(")
    yield from host.with_text("self.blocks:", "[self.blocks]:")
