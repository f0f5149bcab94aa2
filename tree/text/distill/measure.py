"""Encodes the texts that TestQuality wrote: measure.py CACHE TEXTS VECTORS.

What was encoded before is kept in the cache, by the text's hash.
"""

import hashlib
import json
import sys
from pathlib import Path

import numpy as np

import sources
from encoder import WIDTH, Encoder


def digest(text):
    return hashlib.sha256(text.encode("utf8", "surrogatepass")).digest()[:16]


def load(known):
    if not known.exists():
        return {}
    size, raw = 16 + 4 * WIDTH, known.read_bytes()
    return {raw[i : i + 16]: raw[i + 16 : i + size] for i in range(0, len(raw), size)}


def main():
    cache, texts, out = Path(sys.argv[1]), Path(sys.argv[2]), Path(sys.argv[3])
    lines = [json.loads(line) for line in texts.read_text(encoding="utf8").split("\n") if line]
    known = load(cache / "measured.bin")
    new = [t for t in lines if digest(t) not in known]
    if new:
        sources.fetch(cache)
        enc = Encoder(cache)
        enc.self_test()
        known |= {digest(t): v.tobytes() for t, v in zip(new, enc.encode(new).astype("<f4"))}
        (cache / "measured.bin").write_bytes(b"".join(k + v for k, v in known.items()))
    out.write_bytes(b"".join(known[digest(t)] for t in lines))
    assert len(np.fromfile(out, "<f4")) == WIDTH * len(lines)


if __name__ == "__main__":
    main()
