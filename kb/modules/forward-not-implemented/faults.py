def faults(host):
    yield from host.with_text("def forward(", "def farward(")
    yield from host.with_text("    def forward(", "    def call(")
    yield from host.with_text("self.blocks:", "[self.blocks]:")
    yield from host.with_text("def forward(self, waves, lengths)", "def hear(self, waves, lengths)")
