"""Learns the token vectors.

As in Model2Vec (Tulkens and van Dongen 2024), every vocabulary entry goes
through the encoder and gets a weight from its rank by Zipf's law, SIF-like
(Arora et al. 2017). Instead of a plain PCA of those vectors, a ridge regression
then finds the linear map under which mean-pooled token vectors come nearest to
the encoder's own sentence vectors (their leading principal components), and
gradient descent lets single tokens depart from the map where sentences say so
(after Tokenlearn, Tulkens and van Dongen 2024). The weight of a token is the
length of its vector, so a runtime only adds rows up.
"""

import re
import sys

import numpy as np
import scipy.sparse as sp

HELD_OUT = 2000


def humps(text):
    """The runtime cuts identifiers where their case changes; so do we."""
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", " ", text)


def bags(tok, texts, limit=512):
    rows, cols = [], []
    for i, e in enumerate(tok.encode_batch([humps(t) for t in texts], add_special_tokens=False)):
        ids = e.ids[-limit:]
        rows += [i] * len(ids)
        cols += ids
    return sp.csr_matrix((np.ones(len(rows), np.float32), (rows, cols)), shape=(len(texts), tok.get_vocab_size()))


def unit(x):
    return x / np.maximum(np.linalg.norm(x, axis=1, keepdims=True), 1e-9)


def sif(size, a=1e-3):
    p = 1 / np.arange(1, size + 1)
    p /= p.sum()
    return (a / (a + p)).astype(np.float32)


def features(isolated, sums, counts):
    """Per token: alone in the encoder, and its mean in the sentences, drawn to
    zero where it was seen seldom."""
    mean = sums.sum(0) / counts.sum()
    context = sums / np.maximum(counts, 1)[:, None] - mean
    context *= (counts / (counts + 3.0))[:, None]
    context[counts == 0] = 0
    return np.hstack([isolated - isolated.mean(0), context]).astype(np.float32)


def targets(sentence_vectors, dim):
    values, axes = np.linalg.eigh(sentence_vectors.T @ sentence_vectors / len(sentence_vectors))
    return unit(sentence_vectors @ axes[:, ::-1][:, :dim])


def ridge(bag, feats, weight, y, strength=1.0):
    weighted = feats * weight[:, None]
    x = (bag @ weighted) / np.maximum(bag @ weight, 1e-6)[:, None]
    a = np.linalg.solve(x.T @ x + strength * np.eye(x.shape[1]), x.T @ y)
    v = (weighted @ a).astype(np.float32)
    return v / np.linalg.norm(v, axis=1).mean()


def agreement(bag, v, y):
    return float((unit(bag @ v) * y).sum(1).mean())


def descend(bag, v, y, epochs, rate=2e-3, pull=1e-3, size=512, seed=0):
    """Adam (Kingma and Ba 2015) on one minus the cosine, with a pull back to
    the start. Only rows of tokens in the batch move."""
    start, v = v.copy(), v.copy()
    m, s = np.zeros_like(v), np.zeros_like(v)
    rng, n, step = np.random.default_rng(seed), len(y), 0
    steps = epochs * (n // size)
    for epoch in range(epochs):
        order = rng.permutation(n)
        for i in range(0, n - size + 1, size):
            step += 1
            b, t = bag[order[i : i + size]], y[order[i : i + size]]
            rows = np.unique(b.indices)
            local = sp.csr_matrix((b.data, np.searchsorted(rows, b.indices), b.indptr), shape=(size, len(rows)))
            out = local @ v[rows]
            length = np.linalg.norm(out, axis=1, keepdims=True) + 1e-8
            out /= length
            grad = -(t - (out * t).sum(1, keepdims=True) * out) / length / size
            g = local.T @ grad + pull / size * (v[rows] - start[rows])
            m[rows] = 0.9 * m[rows] + 0.1 * g
            s[rows] = 0.99 * s[rows] + 0.01 * g * g
            v[rows] -= rate * max(0.05, 1 - step / steps) * m[rows] / (np.sqrt(s[rows]) + 1e-7)
        print(f"epoch {epoch + 1}: agreement {agreement(bag, v, y):.4f}", file=sys.stderr)
    return v


def learn(bag, sentence_vectors, feats, dim, epochs=6):
    y = targets(sentence_vectors, dim)
    held, rest = slice(None, HELD_OUT), slice(HELD_OUT, None)
    v = ridge(bag[rest], feats, sif(bag.shape[1]), y[rest])
    print(f"ridge: agreement on held-out sentences {agreement(bag[held], v, y[held]):.4f}", file=sys.stderr)
    v = descend(bag[rest], v, y[rest], epochs)
    print(f"descent: agreement on held-out sentences {agreement(bag[held], v, y[held]):.4f}", file=sys.stderr)
    return v
