package gates

import (
	"strings"
	"testing"

	"github.com/gbt-policy/gbt/gates/effect"
)

// dependencyState is a workspace with programs that a package manager installed, and lock
// files that name some. touched is what the session wrote.
func dependencyState(touched ...string) State {
	const root = "/srv/code/p"
	there := map[string]string{
		root + "/node_modules/.bin/orm-kit": "", root + "/node_modules/.bin/changelogs": "", root + "/node_modules/.bin/api-codegen": "", root + "/node_modules/.bin/gh-pages": "", root + "/node_modules/.bin/wipe-it": "",
		root + "/node_modules/@acme/spec/package.json": "{}", root + "/.venv/bin/flow": "", root + "/vendor/bin/inspectr": "",
		root + "/node_modules": "", root + "/node_modules/orm-kit/cli.js": "", root + "/node_modules/.bin/seed-kit": "", root + "/package.json": `{"scripts": {"seed-kit": "echo seed"}}`, root + "/.venv": "", root + "/vendor": "", root + "/src": "", root + "/openapi.yaml": "",
		root + "/Gemfile.lock": "GEM\n  specs:\n    auditor (1.2)\n", root + "/poetry.lock": "[[package]]\nname = \"flowy\"\n",
	}
	s := State{Cwd: root, Roots: []string{root}, Home: "/home/me", UID: 1000, GID: 1000}
	s.Exists = func(path string) bool { _, ok := there[path]; return ok || path == root }
	s.Text = func(path string) (string, bool) { text, ok := there[path]; return text, ok }
	for _, file := range touched {
		s.Flow.Made = append(s.Flow.Made, Made{Path: root + "/" + file})
	}
	return s
}

// TestRelaxedDependencies is about programs that came with the dependencies before the
// session: what they are told decides.
func TestRelaxedDependencies(t *testing.T) {
	decide := func(line string, s State) Disposition {
		c := ShellContext(line, s)
		return (&Guardrail{}).Decide(&c).Disposition
	}
	passes := []string{
		`npx orm-kit generate`, `npx orm-kit generate --name add_users`, `pnpm exec orm-kit check`, `bunx orm-kit generate`, `npm exec -- orm-kit generate`, `./node_modules/.bin/orm-kit generate`, `npx changelogs version`, `npx changelogs status --verbose`,
		`npx api-codegen`, `npx api-codegen --config codegen.yml`, `npx @acme/spec lint openapi.yaml`, `cd /srv/code/p && npx orm-kit generate`, `uv run flow test`, `poetry run flow check src`, `poetry run flowy lint`, `bundle exec auditor check`, `vendor/bin/inspectr list`,
		`node node_modules/orm-kit/cli.js generate`, `.venv/bin/flow check`,
		`npx orm-kit --version`, `npx changelogs --help`, `npx orm-kit check src --quiet`, `npx orm-kit generate --watch=false`, `npx orm-kit generate --out=gen/client`, `npx orm-kit generate --config ./orm.config.json --verbose`, `npx orm-kit lint lib/a.ts lib/b.ts --format json`,
	}
	for _, line := range passes {
		if decide(line, dependencyState()) != Approved {
			t.Errorf("%s: asks", line)
		}
	}
	for _, line := range []string{`yarn orm-kit generate`, `yarn run orm-kit generate`, `pnpm orm-kit check src`, `yarn seed-kit now`, `bun run orm-kit generate`, `go test ./...`} { // tasks, where nobody looks
		if decide(line, dependencyState()) != Approved {
			t.Errorf("%s: asks", line)
		}
	}
	stops := []string{
		`npx orm-kit push`, `npx orm-kit drop`, `npx orm-kit migrate`, `npx orm-kit`, `npx orm-kit generate --url postgres://db.example/x`, `npx orm-kit generate --out=/etc/x`, `npx orm-kit generate ../other`, `npx orm-kit check --production`, `npx orm-kit test --remote`,
		`NODE_ENV=production npx orm-kit check`, `npx orm-kit generate "$(cat x)"`, `npx orm-kit generate --host 0.0.0.0`, `npx gh-pages -d dist`, `npx gh-pages check`, `npx wipe-it src`, `npx changelogs publish`, `npx changelogs version --publish`, `npx orm-kit@latest generate`, `npx -p orm-kit orm-kit generate`,
		`npx not-there generate`, `npx @acme/other lint`, `pnpm dlx orm-kit generate`, `yarn dlx orm-kit generate`, `uvx flow test`, `cd /tmp && npx orm-kit generate`, `npx ../x/orm-kit generate`, `bundle exec other check`, `poetry run flowy deploy`, `poetry run flow release:prod`,
		`printf x > node_modules/.bin/orm-kit; npx orm-kit generate`, `npx api-codegen --token abc`, `npx orm-kit generate --config=/tmp/x.json`, `npx orm-kit check .env`,
		`yarn orm-kit push`, `yarn run orm-kit generate --plugin x`, `pnpm orm-kit generate --import ./x.mjs`, `bun run orm-kit generate -r x`, `node node_modules/orm-kit/cli.js generate --plugin x`, `.venv/bin/flow check -p x`, `python3 .venv/bin/flow push`, `go test -mod=mod ./...`, `go build -mod=mod ./...`,
		`npx orm-kit generate -r ./x.js`, `npx orm-kit generate --plugin acme`, `npx orm-kit generate --exec 'touch x'`, `npx orm-kit generate --sink db.example:443`, `npx orm-kit generate db.example`, `npx orm-kit generate db.example/x`, `npx orm-kit generate acme`, `npx orm-kit generate 'a b'`,
		`npx orm-kit generate --out .git/hooks/pre-commit`, `npx orm-kit generate --output=.github/workflows/a.yml`, `npx orm-kit generate .husky/pre-commit`, `npx orm-kit generate --config .env`, `npx orm-kit lint --format ./f.js`, `npx orm-kit generate --name 'a;b'`, `npx orm-kit generate --config`, `npx orm-kit generate -- --x`,
		`uv run flow test -p acme`, `poetry run flow check -c core.run=x`, `bundle exec auditor check -I lib`, `vendor/bin/inspectr list --bootstrap x.php`, `./node_modules/.bin/orm-kit generate --import ./x.mjs`, `npx orm-kit --version push`, `npx orm-kit --help --run x`,
	}
	for _, line := range stops {
		if decide(line, dependencyState()) == Approved {
			t.Errorf("%s: passes", line)
		}
	}
	for file, line := range map[string]string{
		"node_modules/.bin/orm-kit": `npx orm-kit generate`, "node_modules/.bin": `pnpm exec orm-kit check`, "node_modules": `npx changelogs version`, "Gemfile.lock": `bundle exec auditor check`, ".venv/bin/flow": `uv run flow test`, "vendor/bin/inspectr": `vendor/bin/inspectr list`,
		"node_modules/@acme/spec/package.json": `npx @acme/spec lint openapi.yaml`, "node_modules/orm-kit/cli.js": `npx orm-kit generate`, "vendor/acme/inspectr/main.php": `vendor/bin/inspectr list`, ".venv/lib/python3/site-packages/flow.py": `uv run flow test`,
	} {
		if decide(line, dependencyState(file)) == Approved {
			t.Errorf("%s: passes, though the session wrote %s", line, file)
		}
	}
	for _, line := range passes { // where nobody looks, nothing was there before
		blind := dependencyState()
		blind.Exists, blind.Text = nil, nil
		if !strings.Contains(line, "poetry run flow ") && decide(line, blind) == Approved {
			t.Errorf("%s: passes, though nobody looked", line)
		}
	}
}

// TestDependenciesAreRunsOfTheirOwn: what a runner of dependencies starts is a run of that
// program with its words, so that a yes to it is none to the runner with anything.
func TestDependenciesAreRunsOfTheirOwn(t *testing.T) {
	for line, want := range map[string]string{
		"npx orm-kit push": "orm-kit push", "npx orm-kit drop": "orm-kit drop", "npx @acme/spec push": "@acme/spec push", "pnpm exec orm-kit push": "orm-kit push", "uv run flow push": "flow push", "poetry run flow push now": "flow push now", "bundle exec auditor push": "auditor push",
	} {
		c := ShellContext(line, dependencyState())
		found := false
		for i := range c.Effects {
			if c.Effects[i].Op == effect.OpRunUnknown {
				by := c.runOf(i)
				found = by != nil && strings.Join(by.Words, " ") == want
			}
		}
		if !found {
			t.Errorf("%s: no unknown run of %q: %+v", line, want, c.runs)
		}
	}
}
