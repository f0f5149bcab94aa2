"""Makes rules.json from the rule set of gitleaks (MIT License).

    go mod download github.com/zricethezav/gitleaks/v8@v8.30.1
    python3 update.py PATH/TO/gitleaks.toml > rules.json

Rules that look at paths alone, and allow lists that need a path, are left out:
what is scanned here are arguments of calls, not files.
"""
import json
import sys
import tomllib


def allow(a):
    if a.get("condition") == "AND" and "paths" in a:
        return None
    out = {k: v for k, v in (("regexes", a.get("regexes")), ("stopwords", a.get("stopwords"))) if v}
    if out and a.get("regexTarget"):
        out["target"] = a["regexTarget"]
    return out or None


def rule(r):
    out = {"id": r["id"], "regex": r["regex"], "keywords": sorted(k.lower() for k in r["keywords"])}
    for key, name in (("entropy", "entropy"), ("secretGroup", "group")):
        if r.get(key):
            out[name] = r[key]
    allows = [a for a in map(allow, r.get("allowlists", [])) if a]
    if allows:
        out["allow"] = allows
    return out


def main(path):
    with open(path, "rb") as f:
        data = tomllib.load(f)
    rules = sorted((rule(r) for r in data["rules"] if "regex" in r), key=lambda r: r["id"])
    json.dump({"allow": [allow(data["allowlist"])], "rules": rules}, sys.stdout, indent=0, ensure_ascii=True, sort_keys=True)
    print()


main(sys.argv[1])
