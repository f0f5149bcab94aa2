"""Sentences to learn from.

Real ones: the documentation of operations, fields, classes and functions in
the packages of sources.py, and WordNet's glosses. Made ones: an agent's way of
talking about operations ("Deletes an event." becomes "Let me delete an
event."), alone and between sentences of documentation. No agent's log is read
here: logs only measure the result.
"""

import ast
import gzip
import html
import json
import random
import re
import tarfile
import zipfile

from sources import NPM, pypi

LEADS = [
    "I'll {}.", "I will {}.", "Let me {}.", "Let's {}.", "Now, let's {}.", "Now I need to {}.",
    "Next, I will {}.", "First, let's {}.", "First, I need to {}.", "I should {}.", "The next step is to {}.",
    "To do this, we need to {}.", "We should {}.", "Let's start by trying to {}.", "I can {}.", "I'll now {}.",
    "Then {}.", "Please {}.", "Could you {}?", "I need to {} now.", "It is time to {}.", "{}.",
    "I have to {} before anything else.", "Let me try to {}.",
]

SHORT, LONG = 100_000, (4500, 3500, 2000, 6000)


def clean(s):
    s = html.unescape(re.sub(r"<[^>]+>", " ", s))
    s = re.sub(r"``?([^`]*)``?", r"\1", s)
    s = re.sub(r":\w+:", "", s)
    return re.sub(r"\s+", " ", s).strip()


def sentences(s):
    parts = re.split(r"(?<=[.!?])\s+(?=[A-Z])", clean(s))
    return [x for x in parts if 4 <= len(x.split()) <= 60 and len(x) < 400]


def values(tree, key, out):
    """Every string under a key, anywhere in a JSON tree."""
    items = tree.items() if isinstance(tree, dict) else [(None, v) for v in tree] if isinstance(tree, list) else []
    for k, v in items:
        if k == key and isinstance(v, str):
            out.append(v)
        else:
            values(v, key, out)
    return out


def botocore(cache):
    ops, fields = [], []
    with zipfile.ZipFile(cache / pypi("botocore")) as z:
        for name in sorted(z.namelist()):
            if name.endswith("service-2.json.gz"):
                d = json.loads(gzip.decompress(z.read(name)))
                ops += [(k, o["documentation"]) for k, o in sorted(d["operations"].items()) if o.get("documentation")]
                values(d.get("shapes", {}), "documentation", fields)
    return ops, fields


def methods(resource, out):
    for k, m in sorted(resource.get("methods", {}).items()):
        if m.get("description"):
            out.append((m.get("id", k), m["description"]))
    for _, r in sorted(resource.get("resources", {}).items()):
        methods(r, out)


def google(cache):
    ops, fields = [], []
    with zipfile.ZipFile(cache / pypi("google-api-python-client")) as z:
        for name in sorted(z.namelist()):
            if "/documents/" in name and name.endswith(".json"):
                d = json.loads(z.read(name))
                methods(d, ops)
                values(d.get("schemas", {}), "description", fields)
    return ops, fields


def docstrings(cache, package):
    out = []
    documented = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
    with zipfile.ZipFile(cache / pypi(package)) as z:
        for name in sorted(n for n in z.namelist() if n.endswith(".py")):
            source = z.read(name)
            try:
                tree = ast.parse(source)
            except (SyntaxError, ValueError):
                continue
            for node in ast.walk(tree):
                doc = ast.get_docstring(node) if isinstance(node, documented) else None
                if doc:
                    out.append(re.sub(r">>>.*|\.\.\. .*", "", doc))
            out += re.findall(r"(?m)^\s*#\s?(.{20,})$", source.decode("utf8", "ignore"))
    return out


def glosses(cache):
    out = []
    with tarfile.open(cache / NPM[0][2]) as tar:
        for name in sorted(tar.getnames()):
            if re.search(r"/data\.(noun|verb|adj|adv)$", name):
                for line in tar.extractfile(name).read().decode("utf8", "ignore").split("\n"):
                    if " | " in line:
                        word, gloss = line.split()[4].replace("_", " "), line.split(" | ", 1)[1].strip()
                        out.append(f"{word}: {gloss}")
    return out


def infinitive(word):
    """The verb of a sentence's first word, None if it can't be one."""
    w = word.lower()
    if w not in ("is", "has", "this", "does", "was"):
        if w.endswith("ies") and len(w) > 4:
            return w[:-3] + "y"
        if re.search(r"(ss|sh|ch|x|zz)es$", w):
            return w[:-2]
        if w.endswith("s") and not w.endswith(("ss", "us")):
            return w[:-1]
    return w if re.match(r"[A-Z][a-z]+$", word) else None


def actions(ops):
    """(operation name, what it does as a verb phrase)."""
    out = []
    for name, doc in ops:
        first = sentences(doc)[:1]
        words = first[0].rstrip(".").split() if first else []
        verb = infinitive(words[0]) if words else None
        if verb:
            out.append((name, " ".join([verb] + words[1:24])))
    return out


def identifier(name):
    return re.sub(r"(?<=[a-z])(?=[A-Z])|[._]", " ", name)


def shuffled(items, rng):
    out = sorted(set(items))
    rng.shuffle(out)
    return out


def said(acts, rng):
    return rng.choice(LEADS).format(rng.choice(acts)[1])


def short(sources, seed=1):
    """Single sentences, and an agent's with one more at most."""
    rng, (ops, fields, code, words) = random.Random(seed), sources
    pools = {"ops": (s for _, d in ops for s in sentences(d)), "fields": (s for d in fields for s in sentences(d)),
             "code": (s for d in code for s in sentences(d)), "glosses": words}
    pools = {k: shuffled(v, rng) for k, v in pools.items()}
    acts = actions(ops)
    rng.shuffle(acts)
    around, out = pools["code"] + pools["fields"], []
    for _ in range(int(SHORT * 0.35)):
        (name, phrase), lead, r = rng.choice(acts), rng.choice(LEADS), rng.random()
        text = lead.format(phrase)
        if r < 0.35:
            text = rng.choice(around) + " " + text
        elif r < 0.45:
            text = text + " " + said(acts, rng)
        elif r < 0.5:
            text = text + " " + name.replace(".", " ")
        elif r < 0.6:
            text = identifier(name)
        out.append(text)
    for k, share in (("ops", 0.20), ("fields", 0.13), ("code", 0.17), ("glosses", 0.15)):
        out += pools[k][: int(SHORT * share)]
    return shuffled(out, rng)


def paragraphs(docs, rng):
    """The first 40 to 80 words, about, of each text that has as many."""
    out = []
    for doc in docs:
        text = ""
        for s in sentences(doc):
            text = (text + " " + s).strip()
            if len(text.split()) >= rng.randint(40, 80):
                out.append(text)
                break
    return out


def long(sources, seed=5):
    """Paragraphs, and an agent's musings of several sentences."""
    rng, (ops, fields, code, _) = random.Random(seed), sources
    paras = [paragraphs(docs, rng) for docs in ([d for _, d in ops], code, fields)]
    paras = [shuffled(p, rng) for p in paras]
    acts = actions(ops)
    facts = shuffled((s for d in fields[: fields.aws] for s in sentences(d)), rng)
    code = [s for p in paras[1] for s in sentences(p)]
    out = [text for p, n in zip(paras, LONG) for text in p[:n]]
    for _ in range(LONG[3]):
        _, phrase = rng.choice(acts)
        parts = [said(acts, rng) for _ in range(rng.randint(1, 3))]
        parts += [rng.choice(facts if rng.random() < 0.5 else code) for _ in range(rng.randint(1, 3))]
        rng.shuffle(parts)
        out.append(" ".join(parts + [rng.choice(LEADS).format(phrase)]))
    rng.shuffle(out)
    return out


class Fields(list):
    """Descriptions of fields; the first `aws` of them are botocore's."""

    aws = 0


def read(cache):
    """Operations, fields, code's documentation and glosses, in a fixed order."""
    (ops1, fields1), (ops2, fields2) = botocore(cache), google(cache)
    fields = Fields(fields1 + fields2)
    fields.aws = len(fields1)
    code = [d for p in ("stripe", "django", "sympy") for d in docstrings(cache, p)]
    return ops1 + ops2, fields, code, glosses(cache)
