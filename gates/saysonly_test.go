package gates

import (
	"path"
	"slices"
	"strings"
	"testing"

	"github.com/gbt-policy/gbt/gates/effect"
)

// TestSaysOnly: a program that no table has passes where its words ask it for its help or its version, by the conventions of
// command lines, and asks as ever where they may be anything else, or where it may be the session's or the project's own.
func TestSaysOnly(t *testing.T) {
	for _, line := range []string{
		"frob --help", "frob -h", "frob sync --help", "frob tasks sync --help", "frob node-groups ls --help", "frob sync --version",
		"command -v frob && frob sync --help", "frob sync --help 2>&1 | head -40", "timeout 5 frob sync --help", "for i in sync lint; do frob $i --help; done", "NO_COLOR=1 frob sync --help", "restore-db --help",
		"cargo frob --version", "gh frob --help", "az runs tasks --help", "kubectl help get", "uvx --offline frob --version", "npx --no-install frob --version",
		"vsce --version 2>/dev/null || npx --no-install vsce --version 2>/dev/null || echo no", "bunx --no-install frob sync --help", "npx --no-install frob sync --help", "node_modules/.bin/frob --help",
		"npx tool sync --help", "npx del-tool --version",
	} {
		if d := saysOnly(line, nil); d.Disposition != Approved {
			t.Errorf("%s: %v %v", line, d.Disposition, d.Reasons)
		}
	}
	for _, line := range []string{
		// words alone: programs and scripts that take none do their work whatever the word
		"frob help", "frob help sync", "frob list", "frob ls", "frob status", "frob info", "frob whoami", "frob tasks list", "timeout 5 frob tasks list", "for i in tasks boards; do frob $i list; done", "frob project info", "frob tasks list --json | jq .", "frob tasks list --limit 20 --format json", "frob tasks list -o json",
		"frob tasks list --output=table", "frob status --all --no-color", "frob tags list", "frob node-pools list", "frob tasks list > tasks.json", "frob tasks list 2>/dev/null || echo none", "NO_COLOR=1 frob status", "./node_modules/.bin/tool tasks list", "npx tool tasks list",
		"standard-version status", "npx standard-version whoami", "npx husky info", "husky help", "simple-git-hooks list", "pm-suspend list", "restore-db list", "teardown list", "unattended-upgrades info", "npx jiti whoami",
		// names of what is done, with help behind them
		"rndc stop --help", "frob start --help", "frob run --help", "frob deploy --help", "frob tasks create --help", "frob db:migrate --help", "frob db-restore --help", "frob restart --version", "frob tasks publish --help", "stop-all now --help", "restore-db sync --help", "az runs delete --help", "cargo stop --version", "npx --no-install frob stop --help", "npx del-tool -h", "npx --no-install frob tasks upload --help", "frob hex --help", "uvx --offline frob kill --help",
		// -h is an option of many meanings
		"frob sync -h", "frob tasks create -h", "frob sync -h | head -40", "kubectl frob -h", "gh frob -h", "npx tool sync -h", "node_modules/.bin/frob sync -h", "uvx --offline frob sync -h",
		// words that may be what is done, or what it is done to
		"frob version", "frob deploy", "frob deploy web --help", "frob stop all --help", "frob restart nginx -h", "frob delete list", "frob set status", "frob run list", "frob exec info", "frob tag list", "frob snapshot list", "frob branch list", "frob deploy status",
		"frob list deploy", "frob status web", "frob tasks list alpha", "frob help ./x", "frob shutdown -h", "frob tasks.list", "frob List", "frob tasks List", "frob -- tasks list", "frob tasks -- list", "frob sync -- --help", "frob sync --help x",
		"frob sync --version x", "frob a b --version", "frob a b c d e --help", "frob list services", "frob services list", "frob status data", "frob data list --json", "frob help services",
		// options that do more than say how it looks
		"frob status --set x", "frob status -w", "frob tasks list --output tasks.json", "frob tasks list -o /etc/x", "frob tasks list --config x.yaml", "frob tasks list --url https://evil.example", "frob tasks list --project alpha",
		"frob tasks list --limit x", "frob tasks list --limit", "frob tasks list --format", "frob tasks list --format ./x.js", "frob tasks list --all web", "frob tasks list --debug", "frob tasks list --watch", "frob tasks list --json=x.json", "frob tasks list --delete", "frob tasks list -o services",
		// what may hold secrets
		"frob secrets list", "frob secret ls", "frob tokens list", "frob keys list", "frob credentials list", "frob passwords list", "frob env list", "frob envs list", "frob environments list", "frob variables list", "frob config list", "frob configs list", "frob settings list",
		"frob auth status", "frob login status", "frob sessions list", "frob connections list", "frob vault list", "frob api-keys list", "frob task-tokens list", "frob history list", "frob messages list", "frob remotes list", "frob webhooks list",
		"vault list", "gopass ls", "keyring list", "secretctl tasks list", "frob-token status",
		// programs that change what they are told by name, and agents
		"dropdb2 list", "rip tasks list", "rmtree tasks list", "deploy list", "nuke list", "my-killer status", "undeploy status", "claude mcp list", "codex list", "reboot-all -h", "poweroff2 -h", "delhost help tasks",
		// not by itself, or with something given
		"cat a.txt | frob tasks list", "frob tasks list < a.txt", "frob list <<< x", "FROB_URL=x frob tasks list", "export FROB_URL=x; frob tasks list", "PATH=/tmp/x frob tasks list", "export PATH=/tmp/x:$PATH; frob tasks list",
		"env A=b frob sync --help", ". ./.envrc; frob tasks list", "xargs frob tasks list < a.txt", "xargs frob sync --help < a.txt", "find . -exec frob tasks list {} +", "ssh box frob tasks list", "sudo frob tasks list", "docker exec web frob tasks list",
		"docker exec web frob sync --help", "docker run --rm img frob tasks list", "kubectl exec web -- frob tasks list", "watch frob tasks list", "parallel frob ::: list", "frob $X list", "frob tasks $X", "frob tasks list $X", "$F tasks list", "frob $(cat a) --help",
		"cd /srv && frob tasks list", "cd /home/u && frob list", "touch frob && frob list", "touch frob && frob sync --help", "echo api: x > frob.yaml && frob sync --help", "cat a.txt | frob sync --help", "sudo frob sync --help", "ssh box frob sync --help", "echo api: x > frob.yaml && frob tasks list", "echo X=y > .env; frob tasks list", "sed -i s/a/b/ .frobrc && frob status", "mv a.txt .frobrc && frob status", "cp a.txt .frob.toml; frob status", "echo x > $F; frob status", "cp a.txt /home/u/.local/bin/frob && frob list", "touch list && frob list", "mkdir tasks && frob tasks list",
		// the project's own, and what was made or changed
		"own tasks list", "own sync --help", "p status", "named tasks list", "made tasks list", "zet tasks list", "brought tasks list",
		// known programs
		"git frob list", "git frob sync --help", "git frob -h", "kubectl frob list", "gh tasks list", "pnpm tasks list", "az tasks list", "heroku run deploy --help", "aws tasks list",
		// runners that fetch, and what was installed now
		"npx frob --version", "npx frob tasks list", "uvx frob --version", "uvx --offline --from x frob --version", "uvx --offline frob tasks list", "uvx --offline frob", "npm ci && npx --no-install frob --version", "mkdir -p node_modules/.bin && cp a.txt node_modules/.bin/frob && npx --no-install frob --help",
		"npx --no-install frob", "npx --no-install frob deploy", "node_modules/.bin/frob tasks list", "npx tool deploy", "npx tool services list", "FROB_URL=x npx tool tasks list", "npx del-tool tasks list",
	} {
		if d := saysOnly(line, nil); d.Disposition == Approved {
			t.Errorf("%s: approved", line)
		}
	}
	for _, line := range []string{"frob sync --help", "npx --no-install frob --version"} {
		if d := saysOnly(line, func(st *State) { st.SaysOnly = nil }); d.Disposition == Approved {
			t.Errorf("%s: approved where nobody goes by words", line)
		}
	}
	for line, pass := range map[string]bool{"frob sync --help": true, "frob help tasks": false} {
		if d := saysOnly(line, func(st *State) { st.Exists = nil }); (d.Disposition == Approved) != pass {
			t.Errorf("%s where nobody looks: %v %v", line, d.Disposition, d.Reasons)
		}
	}
	for _, f := range []Made{
		{Path: "/home/u/p/config/settings.yml", Text: "api: https://evil.example\n", Known: true}, {Path: "/home/u/p/tools/gen.py", Text: "open('frob.yaml', 'w')", Known: true}, {Path: "/home/u/p/.frob/x", Known: true},
		{Path: "/home/u/.config/frob/config", Known: true},
	} {
		if d := saysOnly("frob sync --help", func(st *State) { st.Flow.Made = []Made{f} }); d.Disposition == Approved {
			t.Errorf("after the session wrote %s: approved", f.Path)
		}
	}
	for _, f := range []Made{{Path: "/home/u/p/notes.md", Text: "run frob, see https://x.example", Known: true}, {Path: "/home/u/p/src/a.py", Text: "x = 1", Known: true}} {
		if d := saysOnly("frob sync --help", func(st *State) { st.Flow.Made = []Made{f} }); d.Disposition != Approved {
			t.Errorf("after the session wrote %s: %v", f.Path, d.Reasons)
		}
	}
	history := []Record{{Kind: effect.Setting, Op: effect.OpInstall, Resource: "npm install -g frob"}}
	if d := saysOnly("frob sync --help", func(st *State) { st.History = history }); d.Disposition == Approved {
		t.Error("a program that the session installed: approved")
	}
}

func saysOnly(line string, with func(*State)) Decision {
	st := saysState()
	if with != nil {
		with(&st)
	}
	c := ShellContext(line, st)
	var g Guardrail
	return g.Decide(&c)
}

// saysState is a session in a project that makes some programs itself.
func saysState() State {
	disk := map[string]string{
		"/home/u/p": "", "/home/u/p/services": "", "/home/u/p/data": "", "/home/u/p/cmd/own": "", "/home/u/p/pyproject.toml": "[project.scripts]\nnamed = \"x:main\"\n", "/home/u/p/.zet.toml": "", "/home/u/.local/bin/brought": "",
		"/home/u/p/node_modules": "", "/home/u/p/node_modules/.bin/tool": "", "/home/u/p/node_modules/.bin/del-tool": "", "/home/u/p/a.txt": "a",
	}
	there := func(p string) bool { _, ok := disk[p]; return ok }
	return State{
		Cwd: "/home/u/p", Roots: []string{"/home/u/p"}, Home: "/home/u", UID: 1000, GID: 1000, SaysOnly: SaysOnly, Exists: there,
		Text: func(p string) (string, bool) { text, ok := disk[p]; return text, ok },
		Names: func(dir string) (out []string) {
			for p := range disk {
				if path.Dir(p) == strings.TrimSuffix(dir, "/") {
					out = append(out, path.Base(p))
				}
			}
			slices.Sort(out)
			return out
		},
		Flow: Flow{Made: []Made{{Path: "/home/u/p/x/made.py"}, {Path: "/home/u/p/.zet.toml"}}, Own: []string{"/home/u/.local/bin/brought"}},
	}
}
