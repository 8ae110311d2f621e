"""What whoever writes an entry needs: `torchwhy kb new` and `kb check`, and the rules of a knowledge base."""
