"""The fold table: what the reference tokenizer makes of each code point.

Made by asking it, once for every code point between two letters. FORMAT.md
describes the entries.
"""

import struct
import unicodedata

DROP, SPACE, MARK, ALONE, SHIFT, SHIFT2, MARK_AT, ALONE_AT, STRING, HANGUL = range(10)
HANGUL_RANGE = range(0xAC00, 0xD7A4)


def code_points():
    return (c for c in range(0x80, 0x110000) if not 0xD800 <= c < 0xE000)


def answers(tok):
    """(kind, argument) of each code point that doesn't stay as it is."""
    out = {}
    for c in code_points():
        kind = answer(tok, c)
        if kind:
            out[c] = kind
    return out


def words_of(tok, text):
    return [w for w, _ in tok.pre_tokenizer.pre_tokenize_str(tok.normalizer.normalize_str(text))]


def answer(tok, c):
    words = words_of(tok, "a" + chr(c) + "b")
    if words == ["a" + chr(c) + "b"]:
        return None
    if words == ["ab"]:
        return DROP, 0
    if words == ["a", "b"]:
        return SPACE, 0
    if len(words) == 3:
        assert words[0] == "a" and words[2] == "b" and len(words[1]) == 1, (c, words)
        mark = unicodedata.category(words[1]).startswith("P") or words[1] in "`<>="
        if words[1] == chr(c):
            return (MARK if mark else ALONE), 0
        return (MARK_AT if mark else ALONE_AT), ord(words[1]) - c
    assert len(words) == 1 and words[0][0] == "a" and words[0][-1] == "b", (c, words)
    to = words[0][1:-1]
    if c in HANGUL_RANGE:
        return HANGUL, 0
    return (SHIFT, ord(to) - c) if len(to) == 1 else (STRING, to)


def ranges(table):
    """Joins neighbours of one kind; every second code point of an alphabet
    whose capitals and small letters take turns becomes SHIFT2."""
    out = []
    for c in sorted(table):
        kind, arg = table[c]
        if out and kind != STRING and out[-1][2:] == [kind, arg] and out[-1][1] == c - 1:
            out[-1][1] = c
        elif joins(out, c, kind, arg):
            out[-1][1:3] = [c, SHIFT2]
        else:
            out.append([c, c, kind, arg])
    return out


def joins(out, c, kind, arg):
    if not out or kind != SHIFT or out[-1][1] != c - 2 or out[-1][3] != arg:
        return False
    return out[-1][2] == SHIFT2 or out[-1][2] == SHIFT and out[-1][0] == out[-1][1]


def pack(tok):
    """The two sections of the file."""
    entries, strings = b"", b""
    for first, last, kind, arg in ranges(answers(tok)):
        if kind == STRING:
            raw = arg.encode()
            at = strings.find(raw)
            if at < 0:
                at, strings = len(strings), strings + raw
            arg = at << 8 | len(raw)
        entries += struct.pack("<IIi", first | kind << 24, last, arg)
    return entries, strings
