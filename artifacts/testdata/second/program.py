"""A second reader of gate programs, written from gates/PROGRAM.md alone. The
fields come from that document's table, so that the table is held to be right."""
import os
import re

BYTES, NODES, TEXTS, TEXT, SET, DEPTH, VARS, REGEXP = 65536, 4096, 2048, 4096, 2048, 32, 2, 1024

# code: operands, for operations with a fixed number of plain ones.
FIXED = {6: ["bool"], 9: ["string"] * 2, 10: ["string"] * 2, 11: ["string"] * 2, 12: ["int"] * 2, 13: ["int"] * 2,
         14: ["int"] * 2, 15: ["string"], 16: ["int"], 17: ["string"], 18: ["string"] * 2, 19: ["string"] * 2,
         20: ["string"] * 2, 21: ["string"], 22: ["string"] * 2, 23: ["string"] * 2, 24: ["string"]}


class Bad(Exception):
    pass


def need(ok, why):
    if not ok:
        raise Bad(why)


def read_fields():
    here = os.path.dirname(os.path.abspath(__file__))
    with open(os.path.join(here, "..", "..", "..", "gates", "PROGRAM.md"), encoding="utf-8") as f:
        rows = re.findall(r"^\| (\d+) \| (\w+) \| ([^|]*) \| (bool|int|string|list of \w+) \| [^|]* \|$", f.read(), re.M)
    return {int(n): (of, kind) for n, of, _, kind in rows}


FIELDS = read_fields()


class Program:
    def __init__(self, data):
        need(len(data) <= BYTES, "too long")
        need(data[:1] == b"\x01", "version")
        self.data, self.at, self.ops = data, 1, 0
        count = self.uint(TEXTS)
        self.texts = []
        for _ in range(count):
            raw = self.take(self.uint(TEXT))
            try:
                raw.decode("utf-8")
            except UnicodeDecodeError:
                raise Bad("text is not UTF-8")
            need(not self.texts or self.texts[-1] < raw, "texts out of order")
            self.texts.append(raw)
        self.used = [False] * count
        need(self.operation(["ctx"], 0) == "bool", "not a bool")
        need(self.at == len(data), "bytes after the program")
        need(all(self.used), "text not used")

    def take(self, n):
        need(self.at + n <= len(self.data), "ends early")
        self.at += n
        return self.data[self.at - n:self.at]

    def leb(self):
        value = shift = 0
        while True:
            b = self.take(1)[0]
            need(shift < 63 or b <= 1, "number too large")
            value |= (b & 127) << shift
            shift += 7
            if b < 128:
                need(b or shift == 7, "number not in its shortest form")
                return value

    def uint(self, most):
        n = self.leb()
        need(n <= most, "number too large")
        return n

    def int(self):
        n = self.leb()
        return n >> 1 ^ -(n & 1)

    def text(self):
        i = self.uint(TEXTS)
        need(i < len(self.texts), "no such text")
        self.used[i] = True
        return self.texts[i]

    def field(self, scope):
        var, number = self.take(2)
        need(var < len(scope), "variable not in scope")
        of, kind = FIELDS.get(number, ("nothing", ""))
        need(of == scope[var], "no such field")
        return kind

    def increasing(self, one):
        count = self.uint(SET)
        need(2 <= count, "list too short")
        values = [one() for _ in range(count)]
        need(all(a < b for a, b in zip(values, values[1:])), "list out of order")

    def operation(self, scope, depth):
        self.ops += 1
        need(depth <= DEPTH and self.ops <= NODES, "too large")
        code = self.take(1)[0]
        if code in (1, 2):
            return "bool"
        if code == 3:
            kind = self.field(scope)
            need(not kind.startswith("list"), "a list is no value")
            return kind
        if code == 4:
            self.text()
            return "string"
        if code == 5:
            self.int()
            return "int"
        if code in (7, 8):
            count = self.uint(NODES)
            need(count >= 2, "too few operands")
            return self.operands(["bool"] * count, scope, depth)
        if code == 25:
            need(self.field(scope).startswith("list"), "no list")
            return "int"
        if code in (26, 27):
            kind = self.field(scope)
            need(kind.startswith("list of "), "no list")
            need(len(scope) <= VARS, "too many quantifiers")
            return self.operands(["bool"], scope + [kind[len("list of "):]], depth)
        need(code in FIXED, "unknown operation")
        if code == 15:
            self.increasing(self.text)
        elif code == 16:
            self.increasing(self.int)
        elif code == 17:
            need(self.field(scope) == "list of string", "no list of strings")
        elif code == 21:
            self.pattern(self.text())
        self.operands(FIXED[code], scope, depth)
        return "int" if code == 24 else "bool"

    def pattern(self, raw):
        need(len(raw) <= REGEXP, "pattern too long")
        try:
            re.compile(raw.decode("utf-8"))  # not RE2, but alike for the vectors
        except re.error:
            raise Bad("pattern")

    def operands(self, kinds, scope, depth):
        for kind in kinds:
            need(self.operation(scope, depth + 1) == kind, "operand of another type")
        return "bool"
