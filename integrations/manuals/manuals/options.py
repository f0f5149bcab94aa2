"""Reads the options that a rendered page or a help text lists.

An option is a tag: a line that begins with a dash where a paragraph or an entry
begins. A tag names the option, perhaps several times, and its value; what
follows on the line, or deeper below it, is its description.
"""

import re
from dataclasses import dataclass, field

from .page import Line

FLAG, VALUE, MAYBE, UNKNOWN = "flag", "value", "maybe", "unknown"

NAME = re.compile(r"--?\[no-?\][A-Za-z0-9][\w-]*|(?:--|[-+])[A-Za-z0-9?@#%_:.][\w.+-]*|-[^\w\s=\[\]<>,|-](?!\S)")
NUMBER = re.compile(r"[-+](?:NUM|num|number|n)(?![\w-])")  # -NUM names no option
SEPARATOR = re.compile(r"\s*(?:,\s*or\b|[,|]|\bor\b|/\s*(?=-)|;(?=\s*-))\s*|\s+(?=--?\w)")
BRACKETED = re.compile(r"\[(?:=|\s*)?[^\[\]]*(?:\[[^\]]*\][^\[\]]*)*\]")
VALUE_WORD = re.compile(
    r"<[^>]+>|\{[^}]+\}|\"[^\"]*\"|'[^']*'|\(\w+(?:\|\w+)+\)"
    r"|[A-Z][A-Z0-9_]*(?![a-z])(?:[-_:/.,=|%#][\w<>\[\]-]+)*(?:\.\.\.|…)?"
)
AFTER_EQUALS = re.compile(r"[^\s,|\]]+(?:\|[^\s,|\]]+)*")


MOST_NAMES = 6  # names below each other that are one option; more are a list without words


@dataclass
class Option:
    """All names of one option, and whether it takes a value."""

    names: list
    takes: str = FLAG
    value: str = ""  # what the manual calls it; shown to a person, never written down
    words: str = ""  # the description's first words; the same
    each: dict = field(default_factory=dict)  # what stands behind each name
    deep: bool = False  # stands in another option's description
    used: bool = False  # stands in the synopsis


def read(lines, page=True):
    """The options of a text, in its order, each name once."""
    lines = [unbulleted(line) for line in lines]
    found, outer, last = [], 0, None
    for i, line in enumerate(lines):
        if line and line.indent < outer:
            outer = 0
        option = parse(*tag(lines, i)) if is_tag(lines, i) else None
        if not option:
            last = last if not line else None
            continue
        option.deep = bool(found) and line.indent > outer > 0
        if not option.deep:
            outer = line.indent
        option.words = option.words or below(lines, i)
        if page and last == i - 1 and lines[last].indent == line.indent and continues(found[-1], option):
            found[-1].words = option.words
            merge(found[-1], option)
        else:
            found.append(option)
        last = i
    return once(found + synopsis(lines))


def continues(before, option):
    """Whether a tag right below another names the same option."""
    return not before.words and before.takes == option.takes and len(before.names) < MOST_NAMES


def unbulleted(line):
    """A line whose list mark is a blank."""
    m = re.match(r"\s*[•*·](?=\s+-)", line.text)
    return Line(" " * m.end() + line.text[m.end() :], line.under) if m else line


# [-v], [-o file] and [--out=file]: one option, perhaps with a value, and nothing else.
USED = re.compile(r"\[\s?(-[A-Za-z0-9?]|--[A-Za-z][\w-]+)(?:(?: |=|(?=<))([^\s\[\]|-][^\s\[\]|]*))?\s?\]")


def synopsis(lines):
    """What a page's synopsis or a usage says of options; lists may leave that out."""
    found, inside = [], False
    for line in lines:
        if line and line.indent == 0:
            inside = line.text.strip().upper() in ("SYNOPSIS", "USAGE")
        inside = inside or line.text.strip().lower().startswith("usage:")
        for m in USED.finditer(line.text) if inside else ():
            takes = VALUE if m[2] else FLAG
            found.append(Option([m[1]], takes, m[2] or "", "", {m[1]: takes}, used=True))
    return found


def is_tag(lines, i):
    """Whether a line begins an entry and not the wrapped words of one."""
    line = lines[i]
    if not line or line.indent == 0 and i == 0 or not re.match(r"[-+][^\s-]|--[\w\[]", line.text.lstrip().lstrip("[")):
        return False
    last = lines[i - 1] if i else None
    if not last or line.indent < last.indent or last.indent == 0:
        return True
    if line.indent == last.indent:
        return is_tag(lines, i - 1)
    return heading(lines, i - 1) or is_tag(lines, i - 1) and starts_option(last)


def heading(lines, i):
    """Whether a line stands above a list."""
    text = lines[i].text.strip()
    alone = i == 0 or not lines[i - 1] or lines[i - 1].indent == 0
    return text.endswith(":") or alone and lines[i].indent < 4 and len(text.split()) < 10 and not text.endswith(".")


def starts_option(line):
    """In an aligned help text long names stand deeper than short ones."""
    return bool(re.match(r"\s*-\w[ ,]", line.text))


def tag(lines, i):
    """The tag of a line with its marks, and the words behind it."""
    line = lines[i]
    start = line.indent
    text = line.text
    gap = re.search(r"(?<![,|\s])(?<!\sor)(?:\s{2,}|\t)(?=\S)(?!or\s|--\w)", text[start:])
    end = len(text)
    if gap:
        end = start + gap.start()
    else:
        column = next((l.indent for l in lines[i + 1 : i + 2] if l), 0)
        if start < column < len(text) and text[column - 1] == " " and begins_words(line, column):
            end = column
    return text[start:end].rstrip(), line.under[start:end], text[end:].strip()


def begins_words(line, i):
    """Whether a description may begin there, and not a value or another name."""
    return not line.under[i] and not re.match(r"[-<\[\s]|or -|[A-Z]+(?:,|$)", line.text[i:])


def below(lines, i):
    """The first words below a tag."""
    for line in lines[i + 1 : i + 3]:
        if line and line.indent > lines[i].indent:
            return line.text.strip()
        if line:
            return ""
    return ""


def parse(text, under, words):
    """An option out of its tag, or nothing where the tag is none."""
    each, value = {}, ""
    text = text.rstrip(":")
    i = re.match(r"[\s\[]*", text).end()
    while i < len(text):
        number = NUMBER.match(text, i)
        m = NAME.match(text, i)
        if number and (not m or under[i + 1]):
            sep = SEPARATOR.match(text, number.end())
            if not sep:
                break
            i = sep.end()
            continue
        if not m:
            break
        end = cut(text, under, m)
        name = text[m.start() : end]
        arity, value_text, end = argument(text, under, end, words)
        for one in spelled(name):
            if not re.fullmatch(r"[-+]+|--?(no-)?[A-Z]{3,}|--[a-z-]+-[A-Z]{2,}", one):  # --no-OPTION stands for many
                each.setdefault(one, arity)
        value = value or value_text
        sep = SEPARATOR.match(text, end)
        if not sep:
            break
        i = sep.end()
    return Option(list(each), strongest(each.values()), value, words, each) if each else None


def cut(text, under, m):
    """Where a name ends: before letters that are set as a variable, and before a full stop."""
    for j in range(m.start() + 1, m.end()):
        if under[j] and j > m.start() + 1 and not all(under[m.start() : m.end()]):
            return j
    end = m.end()
    while end > m.start() + 2 and text[end - 1] in ".-:+" and not text[m.start() : end] in ("--",):
        end -= 1
    return end


def spelled(name):
    """--[no-]color is two options of one entry."""
    m = re.fullmatch(r"(--?)\[(no-?)\](.+)", name)
    return [m[1] + m[3], m[1] + m[2] + m[3]] if m else [name]


def argument(text, under, i, words):
    """What stands behind a name: whether it takes a value, what that is called, and the end."""
    rest = text[i:]
    if i < len(text) and under[i] and text[i] not in " ,|":  # -oFILE
        end = run_of(under, text, i)
        return VALUE, text[i:end], end
    m = re.match(r"\s?" + BRACKETED.pattern, rest)
    if m and not re.match(r"\s?\[-", rest) and len(m[0].split()) < 4:
        attached = not rest[0].isspace() or rest.lstrip()[1:2] == "="
        return (MAYBE if attached else VALUE), m[0].strip(" []="), i + m.end()
    m = re.match(r"=\s?|:(?=\S)", rest)
    if m:
        if re.match(r"\[[^\[\]]+\](?![\w<])", rest[m.end() :]):  # --header=[FILE]
            return MAYBE, rest[m.end() : rest.index("]") + 1], i + rest.index("]") + 1
        m2 = re.compile(r"\[[^\]]*\]|" + VALUE_WORD.pattern + "|" + AFTER_EQUALS.pattern).match(text, i + m.end())
        if m2:
            return VALUE, m2[0], max(m2.end(), run_of(under, text, m2.end()))
        return VALUE, "", i + m.end()
    if rest[:1] == " " and i + 1 < len(text):
        if under[i + 1]:
            end = run_of(under, text, i + 1)
            return VALUE, text[i + 1 : end], end
        m = VALUE_WORD.match(text, i + 1)
        if m and not sentence(text, m):
            return VALUE, m[0], m.end()
        m = re.compile(r"\.?[a-z][\w:./-]*(?:\.\.\.)?(?=$|,?\s+-|\s*\||\s*/\s*-)").match(text, i + 1)
        if m and m[0] != "or":
            return VALUE, m[0], m.end()
    m = re.match(r"(<[^>]+>)|#", rest)
    if m:
        return VALUE if m[1] else MAYBE, m[0], i + m.end()
    return FLAG, "", i


def sentence(text, m):
    """Whether a capital word begins a sentence: -v A flag that does this."""
    return m[0] in ("A", "I") or m[0].isupper() and re.match(r" [a-z]+ [a-z]+", text[m.end() :]) is not None


def run_of(under, text, i):
    """The end of a value that is set as a variable, with its signs between."""
    end = i
    while end < len(text) and (under[end] or text[end] in ":.=[]|/" and any(under[end : end + 3])):
        end += 1
    return end


def strongest(takes):
    """GNU's habit: the value of one name is the value of all."""
    takes = list(takes)
    return VALUE if VALUE in takes else MAYBE if MAYBE in takes else takes[0]


def merge(into, option):
    into.names += [n for n in option.names if n not in into.names]
    into.each |= {n: t for n, t in option.each.items() if n not in into.each}
    into.takes = strongest(into.each.values())
    into.value = into.value or option.value


def once(found):
    """Each name once. What an entry says of a name that another has told already
    is an example (-p, --style=slash), and its other names are an option of their own."""
    found.sort(key=lambda o: o.deep)
    held, kept = {}, []
    for option in found:
        same = next((held[n] for n in option.names if n in held), None)
        rest = {n: t for n, t in option.each.items() if n not in held}
        if same and not rest:
            if same.takes == FLAG and option.used:
                same.takes, same.value = option.takes, option.value
            continue
        if same and strongest(rest.values()) == same.takes:
            merge(same, Option(list(rest), option.takes, option.value, each=rest))
        else:
            option = Option(list(rest), strongest(rest.values()), option.value, option.words, rest, option.deep)
            same = option
            kept.append(option)
        for n in same.names:
            held[n] = same
    return [part for option in kept for part in apart(option)]


def apart(option):
    """-c, -C NUM, --context[=NUM] is one entry of three kinds: each kind is an option."""
    if not {VALUE, MAYBE} <= set(option.each.values()):
        return [option]
    kinds = {}
    for name, takes in option.each.items():
        kinds.setdefault(takes, {})[name] = takes
    return [Option(list(e), t, option.value, option.words, e, option.deep) for t, e in kinds.items()]
