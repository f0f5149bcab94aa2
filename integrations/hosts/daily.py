"""Daily work for the scripted model of sessions.py: projects in five languages and what is done in them.

Written by hand as what agents do all day, before any of it was judged, and not changed since. A step is (kind, ...):
sh COMMAND, write PATH TEXT, edit PATH OLD NEW, read PATH. Every session begins in a clone of a repository with a bare remote beside it.
"""


def sh(command):
    return ("sh", command)


def write(path, text):
    return ("write", path, text)


def edit(path, old, new):
    return ("edit", path, old, new)


def read(path):
    return ("read", path)


# What a project holds, and its commands: test, lint, build, run.
PROJECTS = {
    "python": {
        "files": {
            "README.md": "# shop\n\nSums orders.\n",
            "shop/__init__.py": "",
            "shop/orders.py": "def total(items):\n    return sum(i['price'] * i['count'] for i in items)\n\n\ndef largest(items):\n    return max(items, key=lambda i: i['price'])\n",
            "tests/test_orders.py": "import unittest\n\nfrom shop.orders import total\n\n\nclass TotalTest(unittest.TestCase):\n    def test_two(self):\n        self.assertEqual(total([{'price': 2, 'count': 3}]), 6)\n\n\nif __name__ == '__main__':\n    unittest.main()\n",
            "pyproject.toml": "[project]\nname = \"shop\"\nversion = \"0.1.0\"\n",
            ".gitignore": "__pycache__/\n.venv/\n",
        },
        "main": "shop/orders.py", "old": "return sum(", "new": "return 0 + sum(", "tests": "tests/test_orders.py",
        "test": "python3 -m unittest discover -s tests -v", "lint": "python3 -m compileall -q shop tests", "build": "python3 -m compileall shop",
        "run": "python3 -c \"from shop.orders import total; print(total([{'price': 1, 'count': 4}]))\"", "new_file": "shop/report.py",
        "new_text": "from shop.orders import total\n\n\ndef report(items):\n    return f'{len(items)} items, {total(items)}'\n", "deps": "python3 -m pip list",
        "install": "python3 -m venv .venv && .venv/bin/pip install -e .", "server": "python3 -m http.server 8731 --bind 127.0.0.1",
    },
    "node": {
        "files": {
            "package.json": "{\n  \"name\": \"slug\",\n  \"version\": \"1.0.0\",\n  \"type\": \"module\",\n  \"scripts\": {\n    \"test\": \"node --test\",\n    \"lint\": \"node --check index.js\",\n    \"build\": \"node build.js\"\n  }\n}\n",
            "index.js": "export function slug(text) {\n  return text.toLowerCase().replaceAll(' ', '-');\n}\n",
            "index.test.js": "import test from 'node:test';\nimport assert from 'node:assert';\nimport { slug } from './index.js';\n\ntest('spaces', () => assert.equal(slug('A b'), 'a-b'));\n",
            "build.js": "import { mkdirSync, copyFileSync } from 'node:fs';\nmkdirSync('dist', { recursive: true });\ncopyFileSync('index.js', 'dist/index.js');\n",
            "README.md": "# slug\n", ".gitignore": "node_modules/\ndist/\n",
        },
        "main": "index.js", "old": "toLowerCase()", "new": "trim().toLowerCase()", "tests": "index.test.js",
        "test": "npm test", "lint": "npm run lint", "build": "npm run build", "run": "node -e \"import('./index.js').then(m => console.log(m.slug('Hello World')))\"",
        "new_file": "title.js", "new_text": "export const title = (s) => s.replace(/\\b./g, (c) => c.toUpperCase());\n", "deps": "npm ls --all",
        "install": "npm install", "server": "npx --no-install http-server -p 8732",
    },
    "go": {
        "files": {
            "go.mod": "module example.com/count\n\ngo 1.22\n",
            "count.go": "// Package count counts words.\npackage count\n\nimport \"strings\"\n\n// Words returns how many words text has.\nfunc Words(text string) int { return len(strings.Fields(text)) }\n",
            "count_test.go": "package count\n\nimport \"testing\"\n\nfunc TestWords(t *testing.T) {\n\tif n := Words(\"a b\"); n != 2 {\n\t\tt.Errorf(\"got %d\", n)\n\t}\n}\n",
            "cmd/count/main.go": "package main\n\nimport (\n\t\"fmt\"\n\t\"os\"\n\t\"strings\"\n\n\t\"example.com/count\"\n)\n\nfunc main() { fmt.Println(count.Words(strings.Join(os.Args[1:], \" \"))) }\n",
            "Makefile": "test:\n\tgo test ./...\n\nbuild:\n\tgo build -o bin/count ./cmd/count\n", "README.md": "# count\n", ".gitignore": "bin/\n",
        },
        "main": "count.go", "old": "strings.Fields(text)", "new": "strings.Fields(strings.TrimSpace(text))", "tests": "count_test.go",
        "test": "go test ./...", "lint": "go vet ./... && gofmt -l .", "build": "make build", "run": "go run ./cmd/count one two three", "new_file": "lines.go",
        "new_text": "package count\n\nimport \"strings\"\n\n// Lines returns how many lines text has.\nfunc Lines(text string) int { return strings.Count(text, \"\\n\") }\n", "deps": "go list -m all",
        "install": "go mod tidy", "server": "go run ./cmd/count serve",
    },
    "rust": {
        "files": {
            "Cargo.toml": "[package]\nname = \"area\"\nversion = \"0.1.0\"\nedition = \"2021\"\n",
            "src/lib.rs": "pub fn area(w: u32, h: u32) -> u32 {\n    w * h\n}\n\n#[cfg(test)]\nmod tests {\n    use super::*;\n\n    #[test]\n    fn square() {\n        assert_eq!(area(2, 2), 4);\n    }\n}\n",
            "src/main.rs": "fn main() {\n    println!(\"{}\", area::area(3, 4));\n}\n", "README.md": "# area\n", ".gitignore": "/target\n",
        },
        "main": "src/lib.rs", "old": "w * h", "new": "w.saturating_mul(h)", "tests": "src/lib.rs",
        "test": "cargo test --offline", "lint": "cargo fmt --check", "build": "cargo build --offline", "run": "cargo run --offline --quiet", "new_file": "src/volume.rs",
        "new_text": "pub fn volume(w: u32, h: u32, d: u32) -> u32 {\n    w * h * d\n}\n", "deps": "cargo tree --offline", "install": "cargo fetch", "server": "cargo run --offline -- serve",
    },
    "java": {
        "files": {
            "src/main/Bank.java": "package main;\n\npublic class Bank {\n    public static int add(int a, int b) {\n        return a + b;\n    }\n\n    public static void main(String[] args) {\n        System.out.println(add(1, 2));\n    }\n}\n",
            "src/main/BankCheck.java": "package main;\n\npublic class BankCheck {\n    public static void main(String[] args) {\n        if (Bank.add(1, 2) != 3) throw new AssertionError();\n        System.out.println(\"ok\");\n    }\n}\n",
            "build.sh": "#!/bin/sh\nset -e\nmkdir -p out\njavac -d out src/main/*.java\n", "README.md": "# bank\n", ".gitignore": "out/\n",
        },
        "main": "src/main/Bank.java", "old": "return a + b;", "new": "return Math.addExact(a, b);", "tests": "src/main/BankCheck.java",
        "test": "sh build.sh && java -cp out main.BankCheck", "lint": "javac -Xlint:all -d out src/main/*.java", "build": "sh build.sh", "run": "java -cp out main.Bank",
        "new_file": "src/main/Rate.java", "new_text": "package main;\n\npublic class Rate {\n    public static double of(double x) {\n        return x * 0.02;\n    }\n}\n",
        "deps": "ls lib 2>/dev/null", "install": "mvn -o -q -v", "server": "java -cp out main.Bank serve",
    },
}


def fix(p):
    return [
        sh("git status --short"), sh("git log --oneline -5"), read(p["main"]), sh(f"grep -rn 'return' --include='*' . | head -20"), sh(p["test"]),
        edit(p["main"], p["old"], p["new"]), sh(p["test"] + " 2>&1 | tail -20"), sh("git diff"), sh(f"git add {p['main']} && git commit -m 'Fix the calculation'"),
        sh("git push"), sh("git status -sb"),
    ]


def feature(p):
    return [
        sh("git checkout -b feature/report"), sh("ls -la && find . -type f -not -path './.git/*' | sort"), read("README.md"), write(p["new_file"], p["new_text"]), sh(p["lint"]), sh(p["build"]),
        sh(p["test"]), sh("cat >> README.md <<'EOF'\n\n## Report\n\nSee the new file.\nEOF"), sh("git add -A && git commit -q -m 'Add a report' && git log --stat -1"),
        sh("git push -u origin feature/report"), sh("git checkout main && git merge --no-ff feature/report -m 'Merge the report'"), sh("git push origin main"), sh("git branch -d feature/report"),
    ]


def look(p):
    return [
        sh("pwd && ls"), sh("git ls-files | wc -l"), sh("wc -l $(git ls-files)"), sh(f"sed -n '1,40p' {p['main']}"), sh("git blame -L1,3 " + p["main"]), sh("git shortlog -sn"),
        sh("find . -name '*.md' -not -path './.git/*' | xargs head -n 3"), sh(p["deps"]), sh("git show --stat HEAD | head -20"), sh("du -sh . && df -h . | tail -1"),
    ]


def tidy(p):
    return [
        sh("git stash list"), write("notes.txt", "rename total\n"), sh("git add notes.txt && git stash"), sh("git stash pop"), sh("mkdir -p docs && git mv README.md docs/README.md"), sh("rm notes.txt && git rm -q --cached notes.txt"),
        sh(f"cp {p['main']} /tmp/before.txt && diff /tmp/before.txt {p['main']} && rm /tmp/before.txt"), sh(p["build"]), sh("git commit -am 'Move the documentation'"), sh("git pull --rebase && git push"),
        sh("git tag v0.2.0 && git push origin v0.2.0"),
    ]


def debug(p):
    return [
        sh(p["run"]), sh(p["test"] + " > test.log 2>&1; tail -5 test.log"), sh("grep -n -i -E 'error|fail' test.log || echo none"), read(p["tests"]),
        write("scratch.py", "import json\nprint(json.dumps({'a': 1}, indent=2))\n"), sh("python3 scratch.py | python3 -m json.tool"), sh("rm scratch.py test.log"), sh("env | grep -c PATH; uname -a; date"),
        sh(f"for i in 1 2 3; do {p['run']}; done"), sh("git status --porcelain"),
    ]


def depend(p):
    return [
        read("README.md"), sh(p["deps"]), sh(p["install"]), sh(p["lint"] + "; echo exit $?"), sh(p["test"]), sh("git diff --stat"), sh("git add -A; git commit -m 'Update the lock file' || true"), sh("git push"),
    ]


def serve(p):
    return [
        sh(f"({p['server']} > server.log 2>&1 & echo $! > server.pid); sleep 1; cat server.log"), sh("curl -s -o /dev/null -w '%{http_code}' http://127.0.0.1:8731/ || true"), sh("kill $(cat server.pid) || true"),
        sh("rm -f server.log server.pid"), edit(p["main"], p["old"], p["new"]), sh(p["test"]), sh("git commit -qam 'Tune' && git push -q && git log origin/main -1 --oneline"),
    ]


FLOWS = {"fix": fix, "feature": feature, "look": look, "tidy": tidy, "debug": debug, "depend": depend, "serve": serve}
