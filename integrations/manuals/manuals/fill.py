"""Gives a program's file the options of its manual, and keeps what it says of them."""

import yaml

from . import skeleton
from .options import FLAG

# The keys of FORMAT.md in their order.
ORDER = ("name", "also", "source", "action", "arguments", "does", "operands", "last", "stdin", "options", "letters",
         "unlisted", "output", "traits", "subcommands", "alone", "examples")


class Filled:
    """A file with its manual's options, and what a person should look at."""

    def __init__(self, held, text, manual):
        if unknown := sorted(set(held) - set(ORDER)):
            raise ValueError(f"{held['name']}: unknown key {unknown[0]}: add it to ORDER, where FORMAT.md has it")
        self.notes = []
        self.held = {k: v for k, v in held.items() if (k, v) != ("unlisted", "flag")}
        self.held["options"] = self.options(held.get("options") or {}, manual)
        self.text = text
        if not held.get("examples"):
            self.held["examples"] = [{"run": held["name"] + " ?", "gives": ["?"]}]

    def options(self, old, manual):
        """The manual's options with the labels that the file has for one of their names."""
        labels = {n.strip(): what for names, what in old.items() for n in names.split(",")}
        out = {}
        for o in manual:
            if set(o.names) <= skeleton.INFORMS:
                continue
            told = {labels.pop(n) for n in o.names if n in labels}
            words = {w.partition(" ")[2] for w in told} - {""}
            if len(words) > 1:
                self.notes.append(f"{', '.join(o.names)}: the file says {' and '.join(sorted(words))}")
            if any(w.split()[0] != o.takes for w in told):
                self.notes.append(f"{', '.join(o.names)}: the file says {' and '.join(sorted(told))}, the manual {o.takes}")
            out[", ".join(o.names)] = label(o, told, words)
        for name in labels:
            self.notes.append(f"{name}: {labels[name]} in the file, not in the manual: left out")
        return out

    def __str__(self):
        lines = []
        for key in ORDER:
            value = self.held.get(key)
            if key == "source":
                lines += skeleton.source(self.text)
            elif value not in (None, "", [], {}):
                lines += block(key, value, 0)
        return "\n".join(lines) + "\n"


def label(option, told, words):
    """What the file said, else a guess that a person has to look at."""
    if not words:
        return skeleton.guess(option)
    same = all(t.startswith("flag") == (option.takes == FLAG) for t in told)
    return f"{option.takes} {sorted(words)[0]}" if same else f"{option.takes} ?"


def block(key, value, indent):
    """A key and its value in the manner of the other files."""
    pad = "  " * indent
    if isinstance(value, dict):
        short = not any(isinstance(v, (dict, list)) for v in value.values())
        if short and key not in ("options",) and len(value) < 3:
            return [f"{pad}{key_of(key)}: {{{', '.join(f'{k}: {element(v)}' for k, v in value.items())}}}"]
        return [f"{pad}{key_of(key)}:", *(line for k, v in value.items() for line in block(k, v, indent + 1))]
    if isinstance(value, list) and value and isinstance(value[0], dict):
        return [f"{pad}{key}:", *(line for item in value for line in listed(item, pad))]
    return [f"{pad}{key_of(key)}: {inline(value)}"]


def listed(item, pad):
    if "run" not in item:
        return [f"{pad}  - {{{', '.join(f'{k}: {element(v)}' for k, v in item.items())}}}"]
    first, *rest = [f"{k}: {inline(v)}" for k, v in item.items()]
    return [f"{pad}  - {first}", *(f"{pad}    {line}" for line in rest)]


def key_of(key):
    """A key, quoted only where YAML would read it otherwise."""
    try:
        return key if yaml.safe_load(f"{key}: 1") == {key: 1} else quoted(key)
    except yaml.YAMLError:
        return quoted(key)


def inline(value):
    """A value on one line, quoted only where YAML would read it otherwise."""
    if isinstance(value, list):
        return f"[{', '.join(element(v) for v in value)}]"
    return plain_word(str(value))


def element(value):
    """A value inside brackets."""
    if isinstance(value, list):
        return inline(value)
    word = plain_word(str(value))
    return word if word[:1] in "\"'" or not set(word) & set(",[]{}") else quoted(word)


def plain_word(word):
    try:
        same = yaml.safe_load(f"k: {word}") == {"k": word}
    except yaml.YAMLError:
        same = False
    return word if same and word == word.strip() and word else quoted(word)


def quoted(word):
    return yaml.dump(word, default_style="'" if '"' in word or "\\" in word else '"', width=10**6).strip()


