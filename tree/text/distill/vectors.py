"""Test vectors of the tokenizer: strings of our own and the reference's tokens.

The reference is the encoder's tokenizer without its added tokens, so that
"[SEP]" in a text is three words. One JSON array a line: text, then numbers.
"""

import gzip
import io
import json
import random

import fold

VERBS = "open read list search send delete create update book cancel check find edit run grep compile install schedule".split()
NOUNS = "file files invoice calendar event channel message user reservation branch test function table row container hotel".split()
PATHS = ["src/app/main.go", "/etc/nginx/nginx.conf", "C:\\Users\\Ann\\notes.txt", "~/.ssh/config", "./tests/test_io.py",
         "https://example.org/a/b?c=d&e=%20f#g", "s3://bucket-7/key.tar.gz", "../../lib/libfoo.so.1.2"]
CODE = ["for (int i = 0; i < n; ++i) { a[i] *= 2; }", "SELECT name, COUNT(*) FROM users WHERE id != 7 GROUP BY 1;",
        "def f(x: int) -> str: return f'{x!r}'", "grep -rnE '^func [A-Z]' --include=*.go . | wc -l",
        "awk -F, '{s+=$3} END {print s/NR}' data.csv", "x = y ?? z; // naïve", "{\"a\": [1, 2.5e-3, null], \"b\\n\": \"\\u00e9\"}",
        "#include <stdio.h>", "git commit -m \"fix: don't panic\" && git push origin HEAD~2", "<div class=\"x-1\">&nbsp;</div>"]
NAMES = ["get_user_details", "getUserDetails", "HTTPServerError", "parseJSON2XML", "snake_case_with_CAMEL", "__init__",
         "kebab-case-name", "XMLHttpRequest", "a1b2c3", "v1.2.3-rc.4+build", "README.md", "UTF8Decoder", "i18n", "x86_64"]
WORLD = ["Crème brûlée à la carte", "Straße und Übermut", "İstanbul'da ığdır", "Ναι, ΑΛΦΆΒΗΤΟΣ", "Съешь ещё этих мягких булок",
         "東京都で会議を予約する", "안녕하세요 세계", "שלום עולם", "السلام عليكم", "हिन्दी में लिखो", "Việt Nam đẹp lắm", "ไทยแลนด์",
         "ﬁne ﬂow ½ ² №", "e\u0301 a\u030a n\u0303", "\u1e9b\u0323 \u0041\u030a \u212b", "👍🏽 👩‍👩‍👧 🇫🇷", "“quoted” — ‘text’… • ·", "a\u00a0b\u2003c\u3000d",
         "zero\u200bwidth\u200djoin\ufeff", "tab\tnew\nline\r\nend\x0b\x0c", "nul\x00bell\x07del\x7f", "\ufffd\ufffe", "\U0001d400\U00020000\U000e0041"]
SPECIAL = ["", " ", "[CLS] [SEP] [MASK] [PAD] [UNK]", "##ing ##", "#", "a" * 100, "a" * 101, "é" * 100, "é" * 101, "x" * 5000,
           "unaffable", "antidisestablishmentarianism", "supercalifragilisticexpialidocious", "1234567890" * 9, "....!!??", "don't can't won't"]


def sentence(rng):
    v, n, m = rng.choice(VERBS), rng.choice(NOUNS), rng.choice(NOUNS)
    return rng.choice([
        f"Let me {v} the {n} first.", f"I'll {v} {n} #{rng.randint(0, 99999)} for {m}@example.com",
        f"Now {v.upper()} {rng.choice(PATHS)} ({n}: {rng.random():.4f})", f"`{rng.choice(NAMES)}` {v}s every {m}, doesn't it?",
        f"{rng.choice(CODE)} # {v} {n}", f"{rng.choice(WORLD)} {rng.choice(NAMES)}", f"{v.title()}{n.title()}{m.title()}_{rng.randint(0, 9)}",
        f"{rng.choice(PATHS)}:{rng.randint(1, 999)}: {rng.choice(NAMES)}"])


def noise(rng):
    pools = [(0x20, 0x7F), (0, 0x20), (0xA0, 0x250), (0x300, 0x530), (0x590, 0xE00), (0x1E00, 0x2400), (0x3000, 0x3100),
             (0x4E00, 0x9FFF), (0xAC00, 0xD7A4), (0xF900, 0xFB00), (0x1F300, 0x1F700), (0x20, 0x7F)]
    return "".join(chr(rng.randrange(*rng.choice(pools))) for _ in range(rng.randint(1, 40)))


def texts(seed=3):
    rng = random.Random(seed)
    out = SPECIAL + NAMES + PATHS + CODE + WORLD + VERBS
    out += [sentence(rng) for _ in range(2500)] + [noise(rng) for _ in range(2000)]
    return list(dict.fromkeys(out))


def every_fold(tok, each=64):
    """All code points that change, between letters and digits."""
    points = sorted(fold.answers(tok))
    return ["".join(f"a{chr(c)}1" for c in points[i : i + each]) for i in range(0, len(points), each)]


def tokens(tok, text):
    """The tokenizer's steps one by one, to leave out its added tokens."""
    out = []
    for word in fold.words_of(tok, text):
        out += [t.id for t in tok.model.tokenize(word)]
    return out


def write(tok, path):
    some = texts()
    # All ideographs and private planes fold alike; every 40th line of them will do.
    lines = [line for i, line in enumerate(every_fold(tok)) if i < 120 or i % 40 == 0]
    path.parent.mkdir(exist_ok=True)
    raw = io.BytesIO()
    for text in some + lines:
        raw.write(json.dumps([text] + tokens(tok, text), separators=(",", ":")).encode() + b"\n")
    with open(path, "wb") as f, gzip.GzipFile("", "wb", 9, f, mtime=0) as z:
        z.write(raw.getvalue())
    return len(some) + len(lines)
