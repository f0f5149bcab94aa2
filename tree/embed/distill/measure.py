"""Encodes the texts that TestQuality wrote: measure.py CACHE TEXTS VECTORS.

What was encoded for the same texts before is kept.
"""

import hashlib
import json
import sys
from pathlib import Path

import sources
from encoder import Encoder


def main():
    cache, texts, out = Path(sys.argv[1]), Path(sys.argv[2]), Path(sys.argv[3])
    done = cache / (out.name + "." + hashlib.sha256(texts.read_bytes()).hexdigest()[:16])
    if not done.exists():
        sources.fetch(cache)
        enc = Encoder(cache)
        enc.self_test()
        lines = [json.loads(line) for line in texts.read_text(encoding="utf8").split("\n") if line]
        done.write_bytes(enc.encode(lines).astype("<f4").tobytes())
    out.write_bytes(done.read_bytes())


if __name__ == "__main__":
    main()
