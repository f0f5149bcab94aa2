"""Makes the table: fetch, check, encode, learn, quantise, write.

Run by run.sh. The encoder's answers are kept in the cache, so that a change of
the later steps does not cost half an hour again.
"""

import argparse
import hashlib
import sys
from pathlib import Path

import numpy as np

import corpus
import pack
import sources
import student
import vectors
from encoder import WIDTH, Encoder

DIM = 192
NAME = f"minilm-l6-v2-{DIM}"


def encoded(enc, texts, cache):
    """Sentence vectors, and the sum and number of each token's last states."""
    key = hashlib.sha256("\n".join(texts).encode()).hexdigest()[:16]
    file = cache / f"encoded-{key}.npz"
    if not file.exists():
        sums, counts = np.zeros((len(enc.vocab), WIDTH)), np.zeros(len(enc.vocab))

        def each(ids, hidden):
            np.add.at(counts, ids.ravel(), 1)
            np.add.at(sums, ids.ravel(), hidden.reshape(-1, WIDTH))

        out = enc.encode(texts, each)
        np.savez(file, out=out.astype(np.float16), sums=sums.astype(np.float32), counts=counts)
    d = np.load(file)
    return d["out"].astype(np.float32), d["sums"], d["counts"]


def learned(enc, cache):
    """Token vectors from all texts, in a mixed order."""
    read = corpus.read(cache)
    texts = corpus.short(read), corpus.long(read)
    print("texts, words:", [(len(t), sum(len(x.split()) for x in t)) for t in texts], file=sys.stderr)
    parts = [encoded(enc, t, cache) for t in texts]
    out, sums, counts = np.vstack([p[0] for p in parts]), sum(p[1] for p in parts), sum(p[2] for p in parts)
    order = np.random.default_rng(0).permutation(len(out))
    bag = student.bags(enc.tok, texts[0] + texts[1])[order]
    return student.learn(bag, out[order], student.features(enc.isolated(), sums, counts), DIM)


def main():
    ap = argparse.ArgumentParser(description=__doc__)
    ap.add_argument("--cache", type=Path, required=True, help="folder for downloads and the encoder's answers")
    ap.add_argument("--out", type=Path, required=True, help="folder of the Go package")
    ap.add_argument("--only-vectors", action="store_true", help="only write the tokenizer's test vectors")
    args = ap.parse_args()
    sources.fetch(args.cache)
    enc = Encoder(args.cache)
    enc.self_test()
    print("vectors:", vectors.write(enc.tok, args.out / "testdata" / "tokens.jsonl.gz"), file=sys.stderr)
    if args.only_vectors:
        return
    data = pack.table(enc.tok, enc.vocab, learned(enc, args.cache), NAME)
    print(pack.write(args.cache, data), len(data), "bytes")


if __name__ == "__main__":
    main()
