"""A second reader of policy files, written from FORMAT.md and gates/PROGRAM.md
alone.

It is the slow and obvious judge of package artifacts: it shares no code with it,
uses nothing but Python's standard library, and is run by TestSecondReader.

    python3 reader.py DIR

prints, for each NAME.gbt in DIR, a tab-separated line: the name, the step that
refuses the file or "success", the digest, and "yes" or "no" for signed. Trust is
read from NAME.txt, as FORMAT.md describes it. For each NAME.ring it prints the name,
"success" or "refused", the root, the need and the keys.
"""
import base64
import hashlib
import json
import pathlib
import struct
import sys
import zlib

import program  # beside this file, written from gates/PROGRAM.md

MAGIC = bytes.fromhex("894742540d0a1a0a")
TAGS = "META PARM ENCO PACK RAIL GATE SCHM FAMS STAT NODE LEAF CLUS PROV CORP REPT TASK".split()
MAX_FILE, MAX_COUNT = 268435456, 2**53 - 1
MAX_SIGNATURES = 8
WORD = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_"
NAME, TEXT, DIM, DIGEST = 1024, 16384, 4096, 32
FAMILIES, STATES, NODES, DEPTH = 256, 131072, 1048576, 512
NODE_GATES, GATE_REFS, RULES = 1024, 4194304, 4096
CONDITIONS, NEEDS = 256, 8
U32, I31, MILLI = (0, 2**32 - 1), (0, 2**31 - 1), (-(2**31), 2**31 - 1)


class Refused(Exception):
    """The step that refuses, and why."""


def demand(condition, step, why):
    if not condition:
        raise Refused(step, why)


# --- Ed25519 verification: RFC 8032, section 6, without its key generation.

P = 2**255 - 19
L = 2**252 + 27742317777372353535851937790883648493
D = -121665 * pow(121666, P - 2, P) % P
ROOT = pow(2, (P - 1) // 4, P)


def point_add(a, b):
    x1, y1, z1, t1 = a
    x2, y2, z2, t2 = b
    e = (y1 - x1) * (y2 - x2) % P
    f = (y1 + x1) * (y2 + x2) % P
    g, h = 2 * t1 * t2 * D % P, 2 * z1 * z2 % P
    e, f, g, h = f - e, h - g, h + g, f + e
    return e * f % P, g * h % P, f * g % P, e * h % P


def point_mul(s, p):
    q = (0, 1, 1, 0)
    while s:
        if s & 1:
            q = point_add(q, p)
        p, s = point_add(p, p), s >> 1
    return q


def recover_x(y, sign):
    if y >= P:
        return None
    x2 = (y * y - 1) * pow(D * y * y + 1, P - 2, P) % P
    if x2 == 0:
        return None if sign else 0
    x = pow(x2, (P + 3) // 8, P)
    if (x * x - x2) % P:
        x = x * ROOT % P
    if (x * x - x2) % P:
        return None
    return P - x if x & 1 != sign else x


def decompress(b):
    y = int.from_bytes(b, "little")
    x = recover_x(y & (2**255 - 1), y >> 255)
    y &= 2**255 - 1
    return None if x is None else (x, y, 1, x * y % P)


BASE_Y = 4 * pow(5, P - 2, P) % P
BASE_X = recover_x(BASE_Y, 0)
BASE = (BASE_X, BASE_Y, 1, BASE_X * BASE_Y % P)


def ed25519_verify(public, message, signature):
    a, r = decompress(public), decompress(signature[:32])
    s = int.from_bytes(signature[32:], "little")
    if a is None or r is None or s >= L:
        return False
    h = int.from_bytes(hashlib.sha512(signature[:32] + public + message).digest(), "little") % L
    x1, y1, z1, _ = point_mul(s, BASE)
    x2, y2, z2, _ = point_add(r, point_mul(h, a))
    return (x1 * z2 - x2 * z1) % P == 0 and (y1 * z2 - y2 * z1) % P == 0


# --- Values: one value at a time, in the shortest form or not at all.

def enc(step_ok, why):
    demand(step_ok, "encoding", why)


class Reader:
    def __init__(self, data):
        self.data, self.at = data, 0

    def take(self, n):
        enc(self.at + n <= len(self.data), "section ends inside a value")
        self.at += n
        return self.data[self.at - n:self.at]

    def number(self, n):
        return int.from_bytes(self.take(n), "big")

    def int(self, bounds):
        code = self.take(1)[0]
        if code < 0x80:
            v = code
        elif code >= 0xE0:
            v = code - 256
        elif code in (0xCC, 0xCD, 0xCE, 0xCF):
            size = 1 << (code - 0xCC)
            v = self.number(size)
            enc(v >= {1: 128, 2: 2**8, 4: 2**16, 8: 2**32}[size], "longer than needed")
        elif code in (0xD0, 0xD1, 0xD2, 0xD3):
            size = 1 << (code - 0xD0)
            v = int.from_bytes(self.take(size), "big", signed=True)
            enc(v < {1: -32, 2: -(2**7), 4: -(2**15), 8: -(2**31)}[size], "longer than needed")
        else:
            enc(False, "not an integer")
        enc(bounds[0] <= v <= bounds[1], f"{v} out of range")
        return v

    def length(self, fix, mask, codes, low):
        """A length: in the code itself, or behind one of the codes."""
        code = self.take(1)[0]
        if fix is not None and code & ~mask & 0xFF == fix:
            return code & mask
        enc(code in codes, "not the expected kind")
        size = 1 << (codes.index(code) + (3 - len(codes)))
        n = self.number(size)
        least = {1: low, 2: 2**8 if len(codes) == 3 else low, 4: 2**16}[size]
        enc(n >= least, "longer than needed")
        return n

    def text(self, limit):
        n = self.length(0xA0, 0x1F, [0xD9, 0xDA, 0xDB], 32)
        enc(n <= limit, "text too long")
        try:
            return self.take(n).decode("utf-8")
        except UnicodeDecodeError:
            enc(False, "not UTF-8")

    def bytes(self, limit, sizes=None):
        n = self.length(None, 0, [0xC4, 0xC5, 0xC6], 0)
        enc(n <= limit and (sizes is None or n in sizes), "bytes of a wrong length")
        return self.take(n)

    def bool(self):
        code = self.take(1)[0]
        enc(code in (0xC2, 0xC3), "not a boolean")
        return code == 0xC3

    def array(self, limit):
        n = self.length(0x90, 0x0F, [0xDC, 0xDD], 16)
        enc(n <= limit, "too many elements")
        enc(n <= len(self.data) - self.at, "elements run past the section")
        return n

    def some(self, least, most):
        n = self.array(most)
        enc(n >= least, "record of a wrong size")
        return n

    def record(self, n):
        enc(self.array(n) == n, "record of a wrong size")

    def list(self, limit, element):
        return [element(self) for _ in range(self.array(limit))]

    def name(self):
        return self.text(NAME)

    def vector(self):
        return self.bytes(DIM)

    def evidence(self):
        return [self.int(U32) for _ in range(3)]

    def digest(self):
        return self.bytes(DIGEST, (DIGEST,))


def below(n):
    return 0, n - 1


# --- Sections, in the order of the file; p collects what later ones need.

def meta(r, p):
    size = r.some(2, 3)
    p["name"] = r.name()
    r.bytes(DIGEST, (0, DIGEST))
    enc(size < 3 or r.bool(), "log_text left out")


def parm(r, p):
    size = r.some(19, 24)
    p["profile"] = r.name()
    kinds = [MILLI] * 3 + [I31] + [MILLI] * 3 + [I31] + [MILLI] * 5 + [I31] * 2 + [MILLI] * 2
    p["settings"] = [r.int(k) for k in kinds]
    r.record(4)
    for _ in range(4):
        r.int(MILLI)
    limits = [r.int(MILLI) for _ in range(size - 19)]
    enc(not limits or limits[-1], "the last limit left out")
    p["limits"] = limits


def enco(r, p):
    r.record(3)
    p["encoder"] = r.name()
    r.digest()
    p["dim"] = r.int((1, DIM))


def pack(r, p):
    r.record(3)
    for most in (50, 1800, 2000000):
        r.int((1, most))


def rail(r, p):
    def egress(r):
        r.record(4)
        domain, schemes = r.name(), r.list(RULES, Reader.name)
        ports = r.list(RULES, lambda r: r.int((1, 65535)))
        r.bool()
        return domain, schemes, ports
    size = r.some(8, 11)
    r.int((0, 3))
    r.bool()
    lists = [r.list(RULES, Reader.name) for _ in range(3)]
    p["egress"] = r.list(RULES, egress)
    p["rules"] = lists + [r.list(RULES, Reader.name) for _ in range(2)]
    p["content"] = content(r) if size > 8 else None
    enc(size != 9 or p["content"], "content left out")
    p["imports"] = r.list(RULES, Reader.name) if size > 9 else []
    enc(size != 10 or p["imports"], "imports left out")
    p["conditions"] = r.list(CONDITIONS, condition) if size > 10 else []
    enc(size < 11 or p["conditions"], "conditions left out")


def content(r):
    r.record(7)
    classifier, settings = r.name(), [r.text(TEXT) for _ in range(3)]
    timeout = r.int((0, 600))
    digests = [r.bytes(DIGEST, (0, DIGEST)) for _ in range(2)]
    if not classifier:
        enc(not any(settings) and not timeout and not any(digests), "content gate without a classifier")
        return None
    enc(all(digests), "content gate without a digest")
    return classifier, settings, timeout


def condition(r):
    def need(r):
        r.record(3)
        return r.int((1, 4)), r.name(), r.name()
    r.record(8)
    c = {"key": [r.bool(), r.name(), r.name()], "needs": r.list(NEEDS, need)}
    r.bool()
    c["tasks"], c["held"] = r.int(U32), r.int(U32)
    r.int((0, 1000))
    return c


def condition_ok(c):
    end, action, argument = c["key"]
    if not action and (not argument or end) or end and argument or c["held"] > c["tasks"]:
        return False

    def need_ok(need):
        how, act, arg = need
        if not argument:
            return how == 1 and bool(act) and not arg
        return how > 1 and bool(act) == (how < 4) and bool(arg) == (how == 2)
    return c["needs"] and all(map(need_ok, c["needs"])) and rising([(how, act.encode(), arg.encode()) for how, act, arg in c["needs"]])


def rising(keys):
    return all(a < b for a, b in zip(keys, keys[1:]))


def condition_key(c):
    end, action, argument = c["key"]
    return end, action.encode(), argument.encode(), [(how, act.encode(), arg.encode()) for how, act, arg in c["needs"]]


def program_of(data):
    try:
        return program.Program(data)
    except program.Bad:
        return None


def gate(r):
    r.record(8)
    g = {"scope": r.name(), "disposition": r.name(), "expr": r.text(65536)}
    r.text(TEXT)
    g["program"] = r.bytes(1048576)
    g["evidence"] = [r.int(U32) for _ in range(3)]
    text = "gbt gate 1\0" + g["scope"] + "\0" + g["disposition"] + "\0" + g["expr"]
    g["id"] = hashlib.sha256(text.encode("utf-8")).hexdigest()
    return g


def schm(r, p):
    def one(r):
        r.record(2)
        return r.name(), r.bytes(1048576)
    schemas = r.list(4096, one)
    p["schemas"] = [name for name, _ in schemas]
    p["schema data"] = schemas


def text_and_vector(r):
    r.record(2)
    r.text(TEXT)
    return r.vector()


def fit(r):
    r.record(3)
    vector = r.vector()
    r.int(MILLI)
    r.int(MILLI)
    return vector


def check(r):
    r.record(9)
    r.int((1, 3))
    for _ in range(3):
        r.text(TEXT)
    for _ in range(5):
        r.int(U32)
    return True


def fix(r):
    r.record(5)
    return (r.name(), r.name(), r.name()), r.int(U32), r.int(U32)


def retry(r):
    size = r.some(3, 4)
    action, most, tasks = r.name(), r.int(U32), r.int(U32)
    enc(size < 4 or r.bool(), "advice left out")
    return action, most, tasks


def fams(r, p):
    def one(r):
        size = r.some(10, 14)
        f = {"name": r.name(), "vectors": r.list(1024, text_and_vector) + [r.vector(), fit(r)],
             "tools": r.list(4096, Reader.name), "first": r.int(below(STATES)), "start": r.int(below(STATES)),
             "node": r.int(below(NODES)), "vocabulary": r.int((0, STATES)),
             "common": r.list(64, lambda r: r.int(below(STATES)))}
        exemplars = r.list(256, Reader.vector) if size > 10 else None
        enc(size != 11 or exemplars, "exemplars left out")
        f["vectors"] += exemplars or []
        checks = r.list(256, check) if size > 11 else []
        enc(size != 12 or checks, "checks left out")
        f["checks"] = len(checks)
        f["fixes"] = r.list(1024, fix) if size > 12 else []
        enc(size != 13 or f["fixes"], "fixes left out")
        f["retries"] = r.list(1024, retry) if size > 13 else []
        enc(size != 14 or f["retries"], "retries left out")
        return f
    p["families"] = r.list(FAMILIES, one)


def stat(r, p):
    def use(r):
        r.record(2)
        r.name()
        r.int(U32)

    def edge(r):
        r.record(4)
        to = r.int(below(STATES))
        r.evidence()
        return to

    def one(r):
        size = r.some(15, 16)
        s = {"family": r.int(below(len(p["families"]))), "key": r.text(TEXT)}
        r.text(TEXT)
        r.int((0, 3))
        s["delta"] = r.int((0, 255))
        r.bool()
        r.list(4096, use)
        s["vectors"] = r.list(8, Reader.vector) + [fit(r)]
        s["next"] = r.list(STATES, edge)
        s["after"] = r.list(STATES, lambda r: r.int(below(STATES)))
        s["needs"] = r.list(4096, Reader.name)
        r.evidence()
        enc(size == 15 or r.bool(), "observed left out")
        return s
    p["states"] = r.list(STATES, one)


def node(r, p):
    nodes, refs = [], [0]

    def one(r):
        i = len(nodes)
        r.record(6)
        if i == 0:
            n = {"parent": r.int((-1, -1)), "state": r.int((-1, -1))}
        else:
            n = {"parent": r.int(below(i)), "state": r.int(below(len(p["states"])))}
        own = r.list(NODE_GATES, lambda r: r.int(below(len(p["gates"]))))
        above = nodes[n["parent"]]["gates"] if i else set()
        enc(increasing(own) and not above & set(own), "own gates unsorted or the parent's")
        n["gates"] = above
        if own:
            n["gates"] = above | set(own)
            refs[0] += len(n["gates"])
            enc(len(n["gates"]) <= NODE_GATES and refs[0] <= GATE_REFS, "too many gates")
        r.evidence()
        nodes.append(n)
    r.list(NODES, one)
    p["nodes"] = nodes


def leaf(r, p):
    def one(r):
        size = r.some(4, 6)
        at, tasks = r.int(below(len(p["nodes"]))), r.list(16, text_and_vector)
        r.vector()
        r.int(U32)
        checks = r.list(8, lambda r: r.int(below(STATES))) if size > 4 else []
        enc(size != 5 or checks, "checks left out")
        enc(size < 6 or r.bool(), "decides left out")
        return at, tasks, checks
    p["leaves"] = r.list(NODES, one)


def clus(r, p):
    def one(r):
        r.record(4)
        key = r.text(TEXT)
        r.evidence()
        return key
    p["clusters"] = r.list(131072, one)


def prov(r, p):
    count = (0, MAX_COUNT)

    def layout(r):
        r.record(2)
        name = r.name()
        r.int(count)
        return name
    r.record(4)
    p["tool"] = r.name()
    r.digest()
    r.record(3)
    r.int(count)
    r.digest()
    p["layouts"] = r.list(256, layout)
    r.record(7)
    for _ in range(7):
        r.int(count)


def corp(r, p):
    def one(r):
        r.record(3)
        name = r.name()
        r.int((0, MAX_COUNT))
        r.digest()
        return name
    p["corpora"] = r.list(256, one)


def rept(r, p):
    def one(r):
        r.record(2)
        name = r.name()
        r.int(MILLI)
        return name
    p["report"] = r.list(1024, one)


def task(r, p):
    p["tasks"] = r.list(1048576, lambda r: r.bytes(16, (16,)))


def gates_section(r, p):
    p["gates"] = r.list(65536, gate)


SECTIONS = [meta, parm, enco, pack, rail, gates_section, schm, fams, stat, node, leaf, clus, prov, corp, rept, task]


# --- Step "policy".

SCHEMA_FAMILIES = "shell file code web sql message payment calendar memory app device agent".split()
SCHEMA_VERBS = "read search navigate think ask finish create write delete execute send".split()
SCHEMA_RESOURCES = "none file process network database message account record ui".split()
SCHEMA_ROLES = ("path-read path-list path-write path-delete url-fetch url-send command code sql recipient amount payload "
                "record cwd escalate secret words").split()


def schema_text(s):
    """A text as a tool schema writes it."""
    out = ""
    for c in s:
        if c in '"\\':
            out += "\\" + c
        elif ord(c) < 0x20 or 0xDC80 <= ord(c) <= 0xDCFF:
            out += "\\u%04x" % ord(c)
        else:
            out += c
    return '"' + out + '"'


def plain(s):
    return all(" " <= c <= "~" and not "A" <= c <= "Z" and c not in "[]\\" for c in s)


def schema_ok(name, data):
    """Whether data is the schema of the tool, by writing it again."""
    try:
        text = data.decode("utf-8")
        s = json.loads(text)
        args = [(a["name"], a["role"], a["lang"]) for a in s["args"]]
        again = ('{"tool":%s,"family":%s,"verb":%s,"resource":%s,"args":[%s]}'
                 % (*(schema_text(s[k]) for k in ("tool", "family", "verb", "resource")),
                    ",".join('{"name":%s,"role":%s,"lang":%s}' % tuple(map(schema_text, a)) for a in args)))
        names = [a[0].encode("utf-8", "surrogateescape") for a in args]
    except (ValueError, KeyError, TypeError, RecursionError):
        return False
    return (again == text and len(data) <= 65536 and s["tool"] == name and len(name) <= 256 and plain(name)
            and name.strip("*?") != "" and s["family"] in SCHEMA_FAMILIES and s["verb"] in SCHEMA_VERBS
            and s["resource"] in SCHEMA_RESOURCES and len(args) <= 256 and all(1 <= len(n) <= 256 for n in names)
            and all(a < b for a, b in zip(names, names[1:]))
            and all(role in SCHEMA_ROLES and (lang == "" or role == "code" and len(lang) <= 32 and plain(lang))
                    for _, role, lang in args))


def compare_key(x):
    return x.encode("utf-8") if isinstance(x, str) else x


def increasing(items, strictly=True):
    keys = [compare_key(x) for x in items]
    return all(a < b or not strictly and a == b for a, b in zip(keys, keys[1:]))


def module(name):
    if name.startswith("node:"):
        name = name[5:]
        return bool(name) and name[0] not in "./" and not name.endswith("/") and not name.strip(WORD + "-@/.")
    return all(part and part[0] not in "0123456789" and not part.strip(WORD) for part in name.split("."))


def check_policy(p):
    def ok(condition, why):
        demand(condition, "policy", why)
    check_tree(p, ok)
    ok(p["name"] and p["encoder"] and p["tool"], "a name is missing")
    check_settings(p, ok)
    for names in p["rules"] + [[e[0] for e in p["egress"]]] + [e[1] for e in p["egress"]]:
        ok(all(names) and increasing(names), "guardrail")
    for domain, schemes, ports in p["egress"]:
        ok(all(a < b for a, b in zip(ports, ports[1:])), "ports")
        ok(not "".join([domain] + schemes).strip("abcdefghijklmnopqrstuvwxyz0123456789.-+_"), "characters of a host")
    if p["content"]:
        classifier, (url, model, key), timeout = p["content"]
        server = url.startswith(("http://", "https://")) and model and timeout
        ok(server if classifier == "openai" else classifier == "secrets" and not (url or model or key or timeout), "content gate")
    ok(increasing(p["imports"]) and all(map(module, p["imports"])), "modules")
    ok("none" not in p["imports"] or len(p["imports"]) == 1, "none beside modules")
    ok(all(condition_ok(c) for c in p["conditions"]) and rising([condition_key(c) for c in p["conditions"]]), "conditions")
    for g in p["gates"]:
        ok(g["scope"] in ("global", "node", "subtree"), "scope")
        ok(g["disposition"] in ("rejected", "revision_required", "approved_with_constraints"), "disposition")
        ok(program_of(g["program"]), "program")
        ok(g["expr"] and g["program"] and g["evidence"][2] <= g["evidence"][1], "gate")
    ok(increasing([g["id"] for g in p["gates"]]), "gates")
    ok(all(p["gates"][g]["scope"] != "global" for n in p["nodes"] for g in n["gates"]), "global gate at a node")
    for names in ("schemas", "layouts", "corpora", "report", "clusters"):
        ok(all(p[names]) and increasing(p[names]), names)
    ok(all(schema_ok(name, data) for name, data in p["schema data"]), "schema")
    ok(increasing(p["tasks"]), "tasks")
    vectors = [v for f in p["families"] for v in f["vectors"]] + [v for s in p["states"] for v in s["vectors"]]
    vectors += [v for _, tasks, _ in p["leaves"] for v in tasks]
    ok(all(len(v) in (0, p["dim"]) for v in vectors), "vector of a wrong length")


def check_settings(p, ok):
    (high, low, ambiguous, explore, abstain, keep, temperature, every, switch,
     alpha, beta, env, lam, recovery, children, allowed, novelty) = p["settings"]
    ok(p["profile"] in ("default", "reference"), "profile")
    shares = (high, low, ambiguous, abstain, keep, temperature, switch, env, allowed)
    ok(all(1 <= x <= 1000 for x in shares) and 0 <= novelty <= 1001 and low <= high, "setting")
    ok(min(every, recovery, children) >= 1 and min(alpha, beta, lam, explore) >= 0, "setting")
    ok(all(0 <= x <= most for x, most in zip(p["limits"], (1000, 2000, 1000, 1000, 2000))), "limit")


def check_tree(p, ok):
    families, states, nodes = p["families"], p["states"], p["nodes"]
    ok(nodes, "no root")
    ok(increasing([f["name"] for f in families]), "families")
    order = [(s["family"], s["key"].encode("utf-8")) for s in states]
    ok(increasing(order, strictly=p["profile"] == "default"), "states")

    def inside(family, indices):
        return all(i < len(states) and states[i]["family"] == family for i in indices)
    for s in states:
        ok(s["delta"] < 7, "state")
        ok(inside(s["family"], s["next"] + s["after"]), "index outside the family")
        ok(increasing(s["next"]) and increasing(s["after"]), "indices")
        ok(increasing(s["needs"], strictly=False), "needs")
    for i, f in enumerate(families):
        mine = [k for k, s in enumerate(states) if s["family"] == i]
        ok(mine and f["first"] == mine[0] and f["start"] in mine, "first or start")
        ok(inside(i, f["common"]) and increasing(f["tools"], strictly=False), "common or tools")
        ok(all(action and does and worked for (action, _, does), worked, _ in f["fixes"]), "fix")
        ok(rising([tuple(x.encode() for x in key) for key, _, _ in f["fixes"]]), "fixes")
        ok(all(all(x) for x in f["retries"]) and increasing([x[0] for x in f["retries"]]), "retries")
        ok(0 < f["node"] < len(nodes), "family's node")
        ok(nodes[f["node"]]["parent"] == 0 and nodes[f["node"]]["state"] == f["start"], "family's node")
    depth, path = [0], [0]
    for i, n in enumerate(nodes[1:], 1):
        family = states[n["state"]]["family"]
        while path and path[-1] != n["parent"]:
            path.pop()
        ok(path, "not in preorder")
        path.append(i)
        depth.append(depth[n["parent"]] + 1)
        ok(depth[i] <= DEPTH, "too deep")
        if n["parent"] == 0:
            ok(families[family]["node"] == i, "first layer")
        else:
            ok(states[nodes[n["parent"]]["state"]]["family"] == family, "family of a node")
    ends = [at for at, _, _ in p["leaves"]]
    ok(increasing(ends) and 0 not in ends, "leaves")
    for at, _, checks in p["leaves"]:
        family = p["families"][states[nodes[at]["state"]]["family"]] if checks else None
        ok(increasing(checks) and all(i < family["checks"] for i in checks), "checks of a leaf")


# --- The steps, in order.

def read_signature(entry):
    """The key id and the signature of one entry of an envelope."""
    start, middle, end = b'{"keyid":"', b'","sig":"', b'"}'
    keyid, sig64 = entry[len(start):len(start) + 64], entry[len(start) + 64 + len(middle):-len(end)]
    demand(entry == start + keyid + middle + sig64 + end, "signature", "envelope")
    demand(all(c in b"0123456789abcdef" for c in keyid), "signature", "key id")
    try:
        sig = base64.b64decode(sig64, validate=True)
    except ValueError:
        raise Refused("signature", "base64")
    demand(len(sig) == 64 and base64.b64encode(sig) == sig64, "signature", "base64")
    return keyid.decode(), sig


def check_envelope(data, length, sequence, digest, trusted, need):
    """Returns whether enough trusted keys signed."""
    tail = data[length:]
    if not tail:
        demand(not trusted and need == 0, "signature", "unsigned")
        return False
    statement = ('{"_type":"https://in-toto.io/Statement/v1","subject":[{"name":"policy.gbt","digest":{"sha256":"%s"}}],'
                 '"predicateType":"https://github.com/gbt-policy/gbt/policy/v1","predicate":{"format":1,"sequence":%d}}'
                 % (digest, sequence)).encode()
    start = (b'{"payload":"' + base64.b64encode(statement) +
             b'","payloadType":"application/vnd.in-toto+json","signatures":[')
    demand(tail[:len(start)] == start and tail[-2:] == b"]}", "signature", "envelope")
    inside = tail[len(start):-2]
    one = 64 + 88 + len('{"keyid":"","sig":""}')
    count = (len(inside) + 1) // (one + 1)
    demand(1 <= count <= MAX_SIGNATURES and len(inside) == count * (one + 1) - 1, "signature", "length")
    signatures = [read_signature(inside[i * (one + 1):][:one]) for i in range(count)]
    demand(all(inside[i * (one + 1) - 1:][:1] == b"," for i in range(1, count)), "signature", "comma")
    ids = [keyid for keyid, _ in signatures]
    demand(all(a < b for a, b in zip(ids, ids[1:])), "signature", "order")
    if not trusted and need == 0:
        return False
    prefix = bytes.fromhex("302a300506032b6570032100")
    known = {hashlib.sha256(prefix + key).hexdigest(): key for key in trusted}
    signed = b"DSSEv1 28 application/vnd.in-toto+json %d " % len(statement) + statement
    good = 0
    for keyid, sig in signatures:
        if keyid in known:
            demand(ed25519_verify(known[keyid], signed, sig), "signature", "wrong")
            good += 1
    demand(good >= max(1, need), "signature", "too few")
    return True


def open_policy(data, trusted, need, least):
    demand(len(data) <= MAX_FILE and data[:8] == MAGIC and len(data) >= 28, "frame", "no policy")
    version, length, sequence = struct.unpack(">IIQ", data[8:24])
    demand(version == 1 and 28 <= length <= min(len(data), MAX_FILE - 4096) and 1 <= sequence <= MAX_COUNT, "frame", "header")
    body = data[:length]
    digest = hashlib.sha256(body).hexdigest()
    signed = check_envelope(data, length, sequence, digest, trusted, need)
    demand(sequence >= least, "sequence", "rolled back")
    demand(struct.unpack(">I", body[-4:])[0] == zlib.crc32(body[:-4]), "checksum", "damaged")
    at, end = 24 + 8 * len(TAGS), length - 4
    demand(at <= end, "sections", "table")
    parts = []
    for i, tag in enumerate(TAGS):
        entry = body[24 + 8 * i:32 + 8 * i]
        size = struct.unpack(">I", entry[4:])[0]
        demand(entry[:4] == tag.encode() and at + size <= end, "sections", tag)
        parts.append(body[at:at + size])
        at += size
    demand(at == end, "sections", "gap")
    p = {}
    for walk, part in zip(SECTIONS, parts):
        r = Reader(part)
        walk(r, p)
        enc(r.at == len(part), "bytes after the value")
    check_policy(p)
    return digest, signed


# --- Key rings.

RING_HEAD, RING_TYPE, MAX_RING = b"gbt key ring 1", b"application/vnd.gbt.keyring+text", 65536


def ring_ok(condition, why):
    demand(condition, "refused", why)


def ring_number(text, least, most=MAX_COUNT):
    ring_ok(text.isdigit() and len(text) <= 16 and str(int(text)).encode() == text and least <= int(text) <= most, "number")
    return int(text)


def ring_base64(text, size):
    try:
        data = base64.b64decode(text, validate=True)
    except ValueError:
        raise Refused("refused", "base64")
    ring_ok(len(data) == size and base64.b64encode(data) == text, "base64")
    return data


def ring_statements(lines):
    """Splits the lines behind the first into changes and signatures."""
    out = []
    for at, line in lines:
        if line.startswith(b"signed "):
            ring_ok(out, "a signature of nothing")
            out[-1][1].append((at, line))
        else:
            if not out or out[-1][1]:
                out.append(([], []))
            out[-1][0].append((at, line))
    return out


def ring_change(keys, line):
    words = line.split(b" ")
    ring_ok(len(words) == 4, "words")
    if words[0] == b"add" and words[2] == b"from":
        key = ring_base64(words[1], 32)
        keyid = hashlib.sha256(bytes.fromhex("302a300506032b6570032100") + key).hexdigest()
        ring_ok(keyid not in keys, "added twice")
        keys[keyid] = [key, ring_number(words[3], 1), None]
    elif words[0] == b"retire" and words[2] == b"after":
        entry = keys.get(words[1].decode("ascii", "replace"))
        ring_ok(entry is not None and entry[2] is None, "retired twice, or not there")
        entry[2] = ring_number(words[3], 0)
    else:
        ring_ok(False, "unknown line")


def open_ring(data):
    ring_ok(len(data) <= MAX_RING and data.startswith(RING_HEAD + b"\n") and data.endswith(b"\n"), "no ring")
    lines, at = [], 0
    for line in data.split(b"\n")[:-1]:
        lines.append((at, line))
        at += len(line) + 1
    keys, need, root, claims = {}, 0, "", []
    statements = ring_statements(lines[1:])
    ring_ok(statements and statements[0][0][0][1].startswith(b"need "), "begins with a need")
    for changes, signed in statements:
        may, must = {i for i, k in keys.items() if k[2] is None}, need
        if changes[0][1].startswith(b"need "):
            need = ring_number(changes[0][1][5:], 1, MAX_SIGNATURES)
            changes = changes[1:]
        for _, line in changes:
            ring_change(keys, line)
        active = {i for i, k in keys.items() if k[2] is None}
        ring_ok(len(active) >= need, "too few keys are left")
        if not root:
            may, must = active, need
        ring_ok(signed and must <= len(signed) <= MAX_SIGNATURES, "signatures")
        covered = data[:signed[0][0]]
        root = root or hashlib.sha256(covered).hexdigest()
        message, last = b"DSSEv1 %d %s %d " % (len(RING_TYPE), RING_TYPE, len(covered)) + covered, ""
        for _, line in signed:
            words = line.decode("ascii", "replace").split(" ")
            ring_ok(len(words) == 3 and words[1] in may and words[1] > last, "signer")
            last = words[1]
            claims.append((keys[last][0], message, ring_base64(words[2].encode(), 64)))
    for claim in claims:  # last, because they take long
        ring_ok(ed25519_verify(*claim), "wrong")
    return root, need, keys


def print_ring(file):
    try:
        root, need, keys = open_ring(file.read_bytes())
        shown = ",".join("%s %d %s" % (i, k[1], "-" if k[2] is None else k[2]) for i, k in keys.items())
        print(file.stem, "success", root, need, shown, sep="\t")
    except Refused:
        print(file.stem, "refused", "", "", "", sep="\t")


def main(folder):
    for file in sorted(pathlib.Path(folder).glob("*.ring")):
        print_ring(file)
    for file in sorted(pathlib.Path(folder).glob("*.gbt")):
        fields = dict(line.split(": ", 1) for line in file.with_suffix(".txt").read_text("utf-8").splitlines())
        trusted = [] if fields["trust"] == "none" else [bytes.fromhex(key) for key in fields["trust"].split()]
        need, least = int(fields.get("need", 0)), int(fields.get("min-sequence", 0))
        try:
            digest, signed = open_policy(file.read_bytes(), trusted, need, least)
            print(file.stem, "success", digest, "yes" if signed else "no", sep="\t")
        except Refused as refused:
            print(file.stem, refused.args[0], "", "", sep="\t")


if __name__ == "__main__":
    main(sys.argv[1])
