"""The sentence encoder, all-MiniLM-L6-v2, in numpy.

A BERT of six layers (Devlin et al. 2018), mean pooling over all tokens, unit
length. numpy alone keeps the environment small; `self_test` compares with the
similarities that the encoder's own documentation prints.
"""

import sys
import time

import numpy as np
from safetensors.numpy import load_file
from scipy.special import erf
from tokenizers import Tokenizer

LAYERS, HEADS, WIDTH = 6, 12, 384
CLS, SEP = 101, 102


class Encoder:
    def __init__(self, cache):
        self.tok = Tokenizer.from_file(str(cache / "tokenizer.json"))
        self.tok.no_truncation()
        self.tok.no_padding()
        self.vocab = [line.rstrip("\n") for line in open(cache / "vocab.txt", encoding="utf8")]
        weights = load_file(str(cache / "model.safetensors"))
        self.w = {k: v.astype(np.float32) for k, v in weights.items() if v.dtype != np.int64}

    def norm(self, x, name):
        x = x - x.mean(-1, keepdims=True)
        var = (x * x).mean(-1, keepdims=True)
        return x / np.sqrt(var + 1e-12) * self.w[name + ".weight"] + self.w[name + ".bias"]

    def dense(self, x, name):
        return x @ self.w[name + ".weight"].T + self.w[name + ".bias"]

    def hidden(self, ids):
        """Last hidden states of a batch of rows of one length."""
        rows, length = ids.shape
        x = self.w["embeddings.word_embeddings.weight"][ids]
        x = x + self.w["embeddings.position_embeddings.weight"][:length]
        x = self.norm(x + self.w["embeddings.token_type_embeddings.weight"][0], "embeddings.LayerNorm")
        for i in range(LAYERS):
            p = f"encoder.layer.{i}."
            heads = (self.dense(x, p + "attention.self." + n) for n in ("query", "key", "value"))
            q, k, v = (h.reshape(rows, length, HEADS, -1).transpose(0, 2, 1, 3) for h in heads)
            a = q @ k.transpose(0, 1, 3, 2) / np.float32((WIDTH / HEADS) ** 0.5)
            a = np.exp(a - a.max(-1, keepdims=True))
            a /= a.sum(-1, keepdims=True)
            c = (a @ v).transpose(0, 2, 1, 3).reshape(rows, length, WIDTH)
            x = self.norm(self.dense(c, p + "attention.output.dense") + x, p + "attention.output.LayerNorm")
            h = self.dense(x, p + "intermediate.dense")
            h = h * np.float32(0.5) * (1 + erf(h * np.float32(0.5**0.5)))
            x = self.norm(self.dense(h, p + "output.dense") + x, p + "output.LayerNorm")
        return x

    def encode(self, texts, each=None, limit=256, batch=3000):
        """Unit vectors of texts; each(ids, hidden) sees every batch."""
        ids = [e.ids for e in self.tok.encode_batch(texts)]
        ids = [e if len(e) <= limit else e[: limit - 1] + [SEP] for e in ids]
        order = sorted(range(len(ids)), key=lambda i: len(ids[i]))
        out = np.zeros((len(ids), WIDTH), np.float32)
        i, done, start, said = 0, 0, time.time(), time.time()
        while i < len(order):
            length, j = len(ids[order[i]]), i + 1
            while j < len(order) and len(ids[order[j]]) == length and (j - i + 1) * length <= batch:
                j += 1
            rows = np.array([ids[o] for o in order[i:j]])
            h = self.hidden(rows)
            if each:
                each(rows, h)
            out[order[i:j]] = h.mean(1)
            i, done = j, done + rows.size
            if time.time() - said > 30:
                said = time.time()
                print(f"encoded {i} of {len(order)} texts, {done / (said - start):.0f} tokens/s", file=sys.stderr)
        return out / np.linalg.norm(out, axis=1, keepdims=True)

    def isolated(self):
        """Each vocabulary entry passed through the encoder alone, as Model2Vec
        does: the mean over it and the two special tokens, and its own state."""
        out = []
        for i in range(0, len(self.vocab), 1000):
            ids = np.array([[CLS, t, SEP] for t in range(i, min(i + 1000, len(self.vocab)))])
            h = self.hidden(ids)
            out.append(np.concatenate([h.mean(1), h[:, 1]], 1))
        return np.concatenate(out)

    def self_test(self):
        """The quick start of the Sentence Transformers documentation prints
        these similarities for this encoder."""
        v = self.encode(["The weather is lovely today.", "It's so sunny outside!", "He drove to the stadium."])
        got = v @ v.T
        want = {(0, 1): 0.6660, (0, 2): 0.1046, (1, 2): 0.1411}
        for (i, j), w in want.items():
            if abs(got[i, j] - w) > 1e-4:
                sys.exit(f"encoder self test: similarity {i},{j} is {got[i, j]:.4f}, want {w:.4f}")
