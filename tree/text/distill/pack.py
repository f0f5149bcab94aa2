"""Writes the table file. ../FORMAT.md is the contract."""

import struct

import numpy as np

import fold

MAGIC, VERSION = b"gbtembed", 1
UNKNOWN = "[UNK]"
NO_ROW, EMPTY = 0xFFFF, 0xFFFF
SLOT_BITS = 16
MAX_SCALE = 2**15 - 1

# How blocks and words are weighed. Chosen on the shared corpora; ../QUALITY.md
# says how, and what else was tried.
LEXICAL = 512
WINDOW, TOKENS = 256, 512
DECAY, FLOOR = round(0.97 * 65536), round(0.30 * 65536)
LEXICON = 384  # of 256: the lexical block is 1.5 times as long
WORD, PAIR, TRIGRAM = 2, 1, 1


def fnv(data):
    h = 2166136261
    for c in data:
        h = (h ^ c) * 16777619 & 0xFFFFFFFF
    return h


def slots(vocab):
    size = 1 << SLOT_BITS
    table = [EMPTY] * size
    for i, piece in enumerate(vocab):
        at = fnv(piece) % size
        while table[at] != EMPTY:
            at = (at + 1) % size
        table[at] = i
    return struct.pack(f"<{size}H", *table)


def lloyd(x, levels=16, rounds=40):
    """The quantiser of least squared error (Lloyd 1982; Max 1960)."""
    c = np.quantile(x, (np.arange(levels) + 0.5) / levels)
    for _ in range(rounds):
        at = np.searchsorted((c[1:] + c[:-1]) / 2, x)
        total, n = np.bincount(at, x, levels), np.bincount(at, minlength=levels)
        c = np.where(n > 0, total / np.maximum(n, 1), c)
    return c


def quantise(v):
    """Rows into 4-bit codes of one codebook, with a scale for each row."""
    size = np.sqrt((v * v).mean(1)) + 1e-12
    sample = np.random.default_rng(0).choice((v / size[:, None]).ravel(), 400_000)
    c = lloyd(sample)
    top = np.abs(c).max()
    book = np.round(c / top * 127)
    scale = size * top / 127
    for _ in range(3):
        codes = np.searchsorted((book[1:] + book[:-1]) / 2, v / scale[:, None])
        q = book[codes]
        scale = (v * q).sum(1) / (q * q).sum(1)
    scale = np.maximum(1, np.round(scale / scale.max() * MAX_SCALE)).astype(int)
    return book.astype(int), codes, scale


def worth_a_row(piece):
    """ASCII pieces but for the special tokens. A letter of a script the encoder
    hardly knows says nothing, and the lexical block knows its words."""
    return piece.isascii() and not (len(piece) > 1 and piece[0] == "[")


def table(tok, vocab, v, name):
    raw = [p.encode() for p in vocab]
    keep = [i for i, p in enumerate(vocab) if worth_a_row(p)]
    book, codes, scale = quantise(v[keep])
    row_of = np.full(len(vocab), NO_ROW)
    row_of[keep] = np.arange(len(keep))
    offsets = np.concatenate([[0], np.cumsum([len(r) for r in raw])])
    entries, strings = fold.pack(tok)
    text = b"".join(raw)
    head = MAGIC + struct.pack(
        "<17I", VERSION, v.shape[1], LEXICAL, len(vocab), len(keep), vocab.index(UNKNOWN),
        max(len(r) for r in raw), SLOT_BITS, len(entries) // 12, len(strings), len(text),
        WINDOW, TOKENS, DECAY, FLOOR, LEXICON, WORD)
    head += struct.pack("<2I", PAIR, TRIGRAM) + struct.pack("32s", name.encode()) + struct.pack("16b", *book)
    head = head.ljust(144, b"\0")
    body = entries + strings + offsets.astype("<u4").tobytes() + text + slots(raw)
    body += row_of.astype("<u2").tobytes() + scale.astype("<u2").tobytes()
    body += (codes[:, 0::2] | codes[:, 1::2] << 4).astype(np.uint8).tobytes()
    return head + body


def write(folder, data):
    """The file, by which the Go package makes the form that it holds."""
    file = folder / "table.gbtembed"
    file.write_bytes(data)
    return file
