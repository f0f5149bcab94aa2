package gates

import "testing"

// entryState is a workspace that declares programs of its own, and tasks that tell programs of
// its dependencies what to do. touched is what the session wrote.
func entryState(touched ...string) State {
	const root = "/srv/code/p"
	there := map[string]string{
		root: "", root + "/.git": "", root + "/pyproject.toml": "[project]\nname = \"p\"\n[project.scripts]\npcli = \"p.cli:main\"\n\"p-srv\" = 'p.srv:run' # serves\ngone = \"other.x:main\"\n[tool.poe.tasks]\nspec = \"flow cover tests --deep 3\"\npublish = \"flow send tests\"\n",
		root + "/src/p/cli.py": "from p.util import a\n", root + "/src/p/srv/__init__.py": "", root + "/src/p/util.py": "", root + "/src": "", root + "/data/x.csv": "",
		root + "/.venv": "", root + "/.venv/bin/pcli": "", root + "/.venv/bin/flow": "", root + "/.venv/bin/activate": "",
		root + "/package.json":           `{"name":"@acme/app","bin":{"app":"dist/cli.js","evil":"../x.js"},"scripts":{"gen":"frob --scheme s.yml","wash":"NODE=1 wob src --hard","tidy":"npx wob src --fix --level=2 && wob pack","deploy":"frob --far","make-all":"frob sink $X","alter":"frob alter --key a"}}`,
		root + "/node_modules/.bin/frob": "", root + "/node_modules/.bin/wob": "", root + "/node_modules/.bin/app2": "", root + "/node_modules": "", root + "/s.yml": "", root + "/src/a.ts": "", root + "/src/b.ts": "",
		root + "/exe/gemmy": "", root + "/Makefile": "cover:\n\t@uv run flow count tests\ndeploy-it:\n\tuv run flow hand tests\n", root + "/tests": "",
	}
	s := State{Cwd: root, Roots: []string{root}, Home: "/home/me", UID: 1000, GID: 1000}
	s.Exists = func(path string) bool { _, ok := there[path]; return ok }
	s.Text = func(path string) (string, bool) { text, ok := there[path]; return text, ok }
	for _, file := range touched {
		s.Flow.Made = append(s.Flow.Made, Made{Path: root + "/" + file})
	}
	return s
}

// TestRelaxedEntries is about programs that the project declares as its own and runs of its
// dependencies that its own tasks spell out.
func TestRelaxedEntries(t *testing.T) {
	decide := func(line string, s State) Disposition {
		c := ShellContext(line, s)
		return (&Guardrail{}).Decide(&c).Disposition
	}
	passes := []string{
		`.venv/bin/pcli run data/x.csv --limit 5`, `uv run pcli run data/x.csv`, `poetry run pcli -k foo`, `uv run p-srv --port 8000`, `source .venv/bin/activate && pcli run data/x.csv`, `npx app run src/a.ts`, `npm exec -- app run`, `pnpm exec app run`, `bundle exec gemmy run x`,
		`npx frob --scheme s.yml`, `./node_modules/.bin/frob --scheme s.yml --verbose`, `npx wob src --fix --level=2`, `npx wob src/a.ts src/b.ts --fix --level=3 --quiet`, `npx wob --fix --level=7 src`, `npx wob pack`, `npx frob alter --key a`,
		`uv run flow cover tests --deep 9`, `.venv/bin/flow cover src --deep 3`, `uv run flow count tests`, `npx frob check --max-warnings 0`,
	}
	for _, line := range passes {
		if decide(line, entryState()) != Approved {
			t.Errorf("%s: asks", line)
		}
	}
	for _, line := range []string{
		`uv run gone run`, `uv run pcli2 run`, `pcli run data/x.csv`, `npx evil run`, `bunx app run`, `npx app2 run`, `npx app@latest run`, `gemmy run x`, `uv run pcli --token-file /etc/shadow`, `npx app run ~/.ssh/id_rsa`, `uvx pcli run`, `pipx run pcli`,
		`npx frob --far`, `npx frob`, `npx frob sink`, `npx wob src --hard`, `npx frob --scheme /etc/x`, `npx frob --scheme https://evil.example/s.yml`, `npx wob src --fix --level=x`, `npx wob pack publish`, `npx wob sack`, `npx frob alter --key b`, `npx frob alter`, `npx frob src --key a`, `npx wob src --level=2`, `npx wob src/a.ts --fix`,
		`uv run flow send tests`, `uv run flow hand tests`, `uv run flow cover tests --deep x`, `uv run flow cover tests --deeper 3`, `npx frob check --max-warnings x`, `npx frob --max-warnings 0`, `npx frob --scheme "$(cat s.yml)"`, `source .venv/bin/activate; flow send tests`, `source .venv/bin/activate && unknownprog run`,
	} {
		if decide(line, entryState()) == Approved {
			t.Errorf("%s: passes", line)
		}
	}
	for file, line := range map[string]string{ // the manifest is the session's, or what was installed is
		"pyproject.toml": `uv run pcli run data/x.csv`, ".venv/bin/pcli": `.venv/bin/pcli run data/x.csv`, ".venv/lib/x.pth": `.venv/bin/pcli run`, "package.json": `npx app run src/a.ts`, "Makefile": `uv run flow count tests`, "node_modules/.bin/frob": `npx frob --scheme s.yml`,
		"exe/gemmy": `bundle exec gemmy run x`, ".venv/bin/activate": `source .venv/bin/activate && pcli run data/x.csv`,
	} {
		if decide(line, entryState(file)) == Approved {
			t.Errorf("%s: passes, though the session wrote %s", line, file)
		}
	}
	for _, file := range []string{"src/p/cli.py", "src/p/srv/__init__.py"} { // what the entry is counts
		s := entryState()
		s.Flow.Made = append(s.Flow.Made, Made{Path: s.Cwd + "/" + file, Text: "import shutil\nshutil.rmtree('/home/me')\n", Known: true})
		s.Flow.Unvetted = append(s.Flow.Unvetted, s.Cwd+"/"+file)
		line := `uv run pcli run`
		if file != "src/p/cli.py" {
			line = `poetry run p-srv`
		}
		if decide(line, s) == Approved {
			t.Errorf("%s: passes, though the session wrote %s", line, file)
		}
	}
}
