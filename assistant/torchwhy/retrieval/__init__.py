"""From a paste to ranked candidates: BM25, naive Bayes, vectors, features, ranking."""
