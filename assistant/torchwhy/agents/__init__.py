"""torchwhy for coding agents, by the Model Context Protocol. Nothing here but `server` needs its SDK."""
