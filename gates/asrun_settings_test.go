package gates

import "testing"

// TestScriptsThatTakeSettings: a branch that a file of constants decides is left out where the session wrote
// that file and it is seen to hold that when the script runs.
func TestScriptsThatTakeSettings(t *testing.T) {
	const sourced = "#!/usr/bin/env bash\nset -euo pipefail\n. ./.env\nif [ \"${DEV:-}\" = 1 ]; then\n  ssh prod deploy\nelse\n  go vet ./...\nfi\n"
	const tested = "#!/usr/bin/env bash\nROOT=\"${BASE:-/x}\"\nif [ -f \"$ROOT/.env\" ]; then\n  set -a\n  source \"$ROOT/.env\"\n  set +a\nfi\nif [ \"${DEV:-}\" = 1 ]; then ssh prod deploy; else go vet ./...; fi\n"
	env := func(text string) map[string]string { return map[string]string{"/w/.env": text} }
	for _, tt := range []scriptCase{
		{name: "a constant", text: sourced, call: "bash s.sh", wrote: env("DEV=0\n")},
		{name: "another one", text: sourced, call: "bash s.sh", wrote: env("DEV=1\n"), asks: true},
		{name: "behind a comment, exported", text: sourced, call: "./s.sh | head -3", wrote: env("# x\nexport DEV=\"0\"\n")},
		{name: "behind a test", text: tested, call: "BASE=/w bash s.sh", wrote: env("DEV=0\n")},
		{name: "behind a test, another one", text: tested, call: "BASE=/w bash s.sh", wrote: env("DEV=1\n"), asks: true},
		{name: "just before", text: sourced, call: "echo DEV=0 > .env && bash s.sh 2>&1 | head -3"},

		{name: "nobody's of the session", text: sourced, call: "bash s.sh", files: env("DEV=0\n"), asks: true},
		{name: "given another value", text: sourced, call: "DEV=0 bash s.sh", wrote: env("DEV=1\n"), asks: true},
		{name: "that says nothing of it", text: sourced, call: "bash s.sh", wrote: env("X=0\n"), asks: true},
		{name: "no constant", text: sourced, call: "bash s.sh", wrote: env("DEV=$X\n"), asks: true},
		{name: "a command", text: sourced, call: "bash s.sh", wrote: env("DEV=0\nDEV2=1 DEV=1\n"), asks: true},
		{name: "twice, the last counts", text: sourced, call: "bash s.sh", wrote: env("DEV=0\nDEV=1\n"), asks: true},
		{name: "just before, another one", text: sourced, call: "echo DEV=1 > .env && bash s.sh", asks: true},
		{name: "just before, or not", text: sourced, call: "echo DEV=0 > .env; bash s.sh", wrote: env("DEV=1\n"), asks: true},
		{name: "just before, failed", text: sourced, call: "false && echo DEV=0 > .env; bash s.sh", asks: true},
		{name: "just before, otherwise", text: sourced, call: "echo DEV=0 > .env || bash s.sh", asks: true},
		{name: "just before, in the background", text: sourced, call: "echo DEV=0 > .env & bash s.sh", asks: true},
		{name: "just before, and again", text: sourced, call: "echo DEV=0 > .env && cp x .env && bash s.sh", asks: true},
		{name: "changed by the call", text: sourced, call: "sed -i s/0/1/ .env && bash s.sh", wrote: env("DEV=0\n"), asks: true},
		{name: "copied over", text: sourced, call: "cp x .env; bash s.sh", wrote: env("DEV=0\n"), asks: true},
		{name: "brought by git", text: sourced, call: "git stash pop; bash s.sh", wrote: env("DEV=0\n"), asks: true},
		{name: "changed by another script", text: sourced, call: "./g.sh; bash s.sh", wrote: map[string]string{"/w/.env": "DEV=0\n", "/w/g.sh": "#!/bin/sh\necho DEV=1 > .env\n"}, asks: true},
		{name: "changed by a build", text: sourced, call: "make x; bash s.sh", wrote: env("DEV=0\n"), asks: true},
		{name: "changed by code", text: sourced, call: "python3 -c 'open(\".env\",\"w\").write(\"DEV=1\")'; bash s.sh", wrote: env("DEV=0\n"), asks: true},
		{name: "run twice", text: sourced + "echo DEV=1 > .env\n", call: "bash s.sh; bash s.sh", wrote: env("DEV=0\n"), asks: true},
		{name: "the script changes it first", text: "#!/bin/bash\necho DEV=1 > .env\n. ./.env\n[ \"$DEV\" = 0 ] || ssh prod deploy\n", call: "bash s.sh", wrote: env("DEV=0\n"), asks: true},
		{name: "a program changes it first", text: "#!/bin/bash\nmake x\n. ./.env\n[ \"$DEV\" = 0 ] || ssh prod deploy\n", call: "bash s.sh", wrote: env("DEV=0\n"), asks: true},
		{name: "a substitution changes it first", text: "#!/bin/bash\nX=$(make x)\n. ./.env\n[ \"$DEV\" = 0 ] || ssh prod deploy\n", call: "bash s.sh", wrote: env("DEV=0\n"), asks: true},
		{name: "a function changes it first", text: "#!/bin/bash\nf() { make x; }\nf\n. ./.env\n[ \"$DEV\" = 0 ] || ssh prod deploy\n", call: "bash s.sh", wrote: env("DEV=0\n"), asks: true},
		{name: "in another directory", text: "#!/bin/bash\ncd sub\n. ./.env\n[ \"$DEV\" = 0 ] || ssh prod deploy\n", call: "bash s.sh", wrote: env("DEV=0\n"), asks: true},
		{name: "by its name on PATH", text: "#!/bin/bash\n. .env\n[ \"$DEV\" = 0 ] || ssh prod deploy\n", call: "bash s.sh", wrote: env("DEV=0\n"), asks: true},
		{name: "with arguments", text: "#!/bin/bash\n. ./.env x\n[ \"$DEV\" = 0 ] || ssh prod deploy\n", call: "bash s.sh", wrote: env("DEV=0\n"), asks: true},
		{name: "in a branch", text: "#!/bin/bash\nif [ -n \"$X\" ]; then . ./.env; fi\n[ \"$DEV\" = 0 ] || ssh prod deploy\n", call: "bash s.sh", wrote: env("DEV=0\n"), asks: true},
		{name: "another file behind it", text: "#!/bin/bash\n. ./.env\n. ./local\n[ \"$DEV\" = 0 ] || ssh prod deploy\n", call: "bash s.sh", wrote: env("DEV=0\n"), files: map[string]string{"/w/local": "DEV=1\n"}, asks: true},
		{name: "another file of the session's", text: "#!/bin/bash\n. ./.env\n. ./local\n[ \"$DEV\" = 0 ] || ssh prod deploy\n", call: "bash s.sh", wrote: map[string]string{"/w/.env": "DEV=0\n", "/w/local": "DEV=1\n"}, asks: true},
		{name: "assigned behind it", text: "#!/bin/bash\n. ./.env\nDEV=1\n[ \"$DEV\" = 0 ] || ssh prod deploy\n", call: "bash s.sh", wrote: env("DEV=0\n"), asks: true},
		{name: "read behind it", text: "#!/bin/bash\n. ./.env\nread DEV\n[ \"$DEV\" = 0 ] || ssh prod deploy\n", call: "bash s.sh", wrote: env("DEV=0\n"), asks: true},
		{name: "before it", text: "#!/bin/bash\n[ \"$DEV\" = 0 ] || ssh prod deploy\n. ./.env\n", call: "bash s.sh", wrote: env("DEV=0\n"), asks: true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if d := tt.judged(t); (d.Disposition != Approved) != tt.asks {
				t.Errorf("%q: %v %+v", tt.call, d.Disposition, d.Reasons)
			}
		})
	}
}

// TestLinesThatTakeSettings: what a line does with variables of such a file is judged with their values.
func TestLinesThatTakeSettings(t *testing.T) {
	env := func(text string) map[string]string { return map[string]string{"/w/vars": text} }
	for _, tt := range []scriptCase{
		{name: "a port", call: `. ./vars && curl -s "http://localhost:$PORT/x"`, wrote: env("PORT=3000\n")},
		{name: "words exported", call: `export $(grep -v '^#' vars | xargs) && curl -s "http://localhost:$PORT/x"`, wrote: env("# a\nPORT=3000\n")},
		{name: "all words", call: `export $(cat vars) && curl -s "http://localhost:$PORT/x"`, wrote: env("PORT=3000\n")},
		{name: "just before", call: `printf 'PORT=3000\n' > new && export $(cat new | xargs) && curl -s "http://localhost:$PORT/x"`},

		{name: "written on the line", call: `echo OUT=build > vars; . ./vars; rm -rf "$OUT/lib"`},
		{name: "written and gone on", call: `echo OUT=build > vars && mkdir -p x && . ./vars && rm -rf "$OUT/lib"`},
		{name: "perhaps not written", call: `false && echo OUT=build > vars; . ./vars; rm -rf "$OUT/lib"`, files: map[string]string{"/w/x.sh": "#!/bin/sh\n"}, asks: true},
		{name: "written in a branch", call: `if [ -f z ]; then echo OUT=build > vars; fi; . ./vars; rm -rf "$OUT/lib"`, files: map[string]string{"/w/x.sh": "#!/bin/sh\n"}, asks: true},
		{name: "written unless", call: `[ -f vars ] || echo OUT=build > vars; . ./vars; rm -rf "$OUT/lib"`, files: map[string]string{"/w/x.sh": "#!/bin/sh\n"}, asks: true},
		{name: "written in a loop", call: `while read x; do echo OUT=build > vars; done < z; . ./vars; rm -rf "$OUT/lib"`, files: map[string]string{"/w/x.sh": "#!/bin/sh\n"}, asks: true},
		{name: "written in the background", call: `echo OUT=build > vars & . ./vars; rm -rf "$OUT/lib"`, files: map[string]string{"/w/x.sh": "#!/bin/sh\n"}, asks: true},
		{name: "written in a subshell that may end", call: `(false && echo OUT=build > vars); . ./vars; rm -rf "$OUT/lib"`, files: map[string]string{"/w/x.sh": "#!/bin/sh\n"}, asks: true},
		{name: "a script behind the writing", call: `echo OUT=build > vars; ./x.sh; . ./vars; rm -rf "$OUT/lib"`, files: map[string]string{"/w/x.sh": "#!/bin/sh\n"}, asks: true},
		{name: "a build behind the writing", call: `echo OUT=build > vars; make; . ./vars; rm -rf "$OUT/lib"`, files: map[string]string{"/w/x.sh": "#!/bin/sh\n"}, asks: true},
		{name: "git behind the writing", call: `echo OUT=build > vars; git stash; . ./vars; rm -rf "$OUT/lib"`, files: map[string]string{"/w/x.sh": "#!/bin/sh\n"}, asks: true},
		{name: "an archive behind the writing", call: `echo OUT=build > vars; tar xf a.tar; . ./vars; rm -rf "$OUT/lib"`, files: map[string]string{"/w/x.sh": "#!/bin/sh\n"}, asks: true},
		{name: "a move behind the writing", call: `echo OUT=build > vars; mv y vars; . ./vars; rm -rf "$OUT/lib"`, files: map[string]string{"/w/x.sh": "#!/bin/sh\n"}, asks: true},
		{name: "a case behind", call: `case $X in a) echo OUT=build > vars;; esac; . ./vars; rm -rf "$OUT/lib"`, files: map[string]string{"/w/x.sh": "#!/bin/sh\n"}, asks: true},
		{name: "another host", call: `. ./vars && curl -s "http://localhost:$PORT/x"`, wrote: env("PORT=3000@evil.example\n"), asks: true},
		{name: "another host, exported", call: `export $(cat vars) && curl -s "http://localhost:$PORT/x"`, wrote: env("PORT=3000@evil.example\n"), asks: true},
		{name: "a program of git's", call: `. ./vars; git fetch`, wrote: env("GIT_SSH_COMMAND=/tmp/x\n"), asks: true},
		{name: "a program of git's, exported", call: `export $(cat vars); git fetch`, wrote: env("GIT_SSH_COMMAND=/tmp/x\n"), asks: true},
		{name: "the second of two words", call: `export $(xargs < vars); git fetch`, wrote: env("A=1\nGIT_SSH_COMMAND=/tmp/x\n"), asks: true},
		{name: "PATH", call: `export $(grep -v '^#' vars | xargs); go vet ./...`, wrote: env("PATH=/tmp/x\n"), asks: true},
		{name: "a comment among words", call: `export $(cat vars); rm -rf "$OUT"`, wrote: env("# x\nOUT=build\n"), asks: true},
		{name: "a place at home", call: `. ./vars; rm -rf "$OUT"`, wrote: env("OUT=/home/u/x\n"), asks: true},
		{name: "changed between", call: `. ./vars; make x; . ./vars; rm -rf "$OUT"`, wrote: env("OUT=build\n"), asks: true},
		{name: "changed before", call: `./g.sh; . ./vars; rm -rf "$OUT/x"`, wrote: map[string]string{"/w/vars": "OUT=build\n", "/w/g.sh": "#!/bin/sh\necho OUT=/home/u > vars\n"}, asks: true},
		{name: "brought before", call: `git checkout x; export $(cat vars); rm -rf "$OUT/x"`, wrote: env("OUT=build\n"), asks: true},
		{name: "written, perhaps", call: `false && echo OUT=build > vars; export $(cat vars); rm -rf "$OUT/x"`, wrote: env("OUT=/home/u\n"), asks: true},
		{name: "other options", call: `export $(grep -v PORT vars | xargs); rm -rf "$OUT"`, wrote: env("OUT=build\n"), asks: true},
		{name: "another's file", call: `export $(cat vars); rm -rf "$OUT"`, files: env("OUT=build\n"), asks: true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			tt.text = "#!/bin/sh\necho\n"
			if d := tt.judged(t); (d.Disposition != Approved) != tt.asks {
				t.Errorf("%q: %v %+v", tt.call, d.Disposition, d.Reasons)
			}
		})
	}
}
