package gates

import (
	"cmp"
	"encoding/json"
	"strings"
	"testing"
)

// scriptCase is a script that the session writes as /w/s.sh, with other files that are there, and
// the call that is judged.
type scriptCase struct {
	name  string
	file  string // another name of the script
	text  string
	call  string
	files map[string]string // what else lies there, nobody wrote it
	wrote map[string]string // what the session wrote before
	asks  bool
}

// judged is the decision on the last call of a case, where the host sees the files.
func (tt *scriptCase) judged(t *testing.T) Decision {
	disk := map[string]string{}
	for f, text := range tt.files {
		disk[f] = text
	}
	text := func(p string) (string, bool) { s, ok := disk[p]; return s, ok }
	var k Checker
	st := State{Cwd: "/w", Roots: []string{"/w"}, Home: "/home/u", PlainAsRun: PlainAsRun, Constants: OwnConstants(), Text: text, Exists: func(p string) bool { _, ok := disk[p]; return ok }, Names: func(dir string) []string {
		var out []string
		for f := range disk {
			if rest, ok := strings.CutPrefix(f, dir+"/"); ok {
				name, _, below := strings.Cut(rest, "/")
				if below {
					name += "/"
				}
				out = append(out, name)
			}
		}
		return out
	}}
	write := func(file, content string) {
		args, err := json.Marshal(map[string]string{"file_path": file, "content": content})
		if err != nil {
			t.Fatal(err)
		}
		c := k.Context(Request{Tool: "Write", Args: args}, st)
		k.Check(&c, nil)
		st.Flow = c.After()
		disk[file] = content
	}
	for f, content := range tt.wrote {
		write(f, content)
	}
	write(cmp.Or(tt.file, "/w/s.sh"), tt.text)
	args, err := json.Marshal(map[string]string{"command": tt.call})
	if err != nil {
		t.Fatal(err)
	}
	c := k.Context(Request{Tool: "Bash", Args: args}, st)
	return k.Check(&c, nil)
}

// TestScriptsAsTheyRun: a script that would ask for some arguments and variables passes with those
// of a run for which it would not, and for no other.
func TestScriptsAsTheyRun(t *testing.T) {
	const tool = "#!/usr/bin/env bash\nset -euo pipefail\nif [ \"${DEV:-}\" = 1 ]; then\n  ssh prod deploy\nelse\n  go vet ./...\nfi\n"
	const words = "#!/bin/sh\nexec \"$@\"\n"
	const cases = "#!/usr/bin/env bash\ncase \"${1:-}\" in\nbuild) go build ./... ;;\ndeploy) ssh prod deploy ;;\nesac\n"
	for _, tt := range []scriptCase{
		{name: "a variable of the run", text: tool, call: "DEV=0 bash s.sh"},
		{name: "that says otherwise", text: tool, call: "DEV=1 bash s.sh", asks: true},
		{name: "that nobody knows", text: tool, call: "bash s.sh", asks: true},
		{name: "computed", text: tool, call: "DEV=$(cat x) bash s.sh", asks: true},
		{name: "exported", text: tool, call: "export DEV=0; bash s.sh"},
		{name: "not exported", text: tool, call: "DEV=0; bash s.sh", asks: true},
		{name: "exported and read again", text: tool, call: "export DEV=0; read DEV < x; bash s.sh", asks: true},
		{name: "taken from a file", text: tool, call: "export DEV=0; . ./env; bash s.sh", asks: true},
		{name: "two runs", text: tool, call: "DEV=0 bash s.sh; DEV=1 bash s.sh", asks: true},
		{name: "its arguments", text: words, call: "sh s.sh go vet ./..."},
		{name: "started itself", text: words, call: "./s.sh go vet ./..."},
		{name: "other arguments", text: words, call: "sh s.sh ssh prod deploy", asks: true},
		{name: "arguments nobody knows", text: words, call: "sh s.sh $(cat x)", asks: true},
		{name: "arguments of a pattern", text: words, call: "./s.sh *", asks: true},
		{name: "arguments of xargs", text: words, call: "cat x | xargs ./s.sh", asks: true},
		{name: "a branch", text: cases, call: "./s.sh build"},
		{name: "another branch", text: cases, call: "./s.sh deploy", asks: true},
		{name: "the place of the script", text: "#!/usr/bin/env bash\n# don't ask\nROOT=\"$(cd \"$(dirname \"${BASH_SOURCE[0]}\")\" && pwd)\"\n\"$ROOT/tool\" \"$@\"\n", call: "./s.sh x"},
		{name: "the place by a suffix", text: "#!/usr/bin/env bash\n. \"${BASH_SOURCE%/*}/lib.sh\"\n", call: "./s.sh", files: map[string]string{"/w/lib.sh": "x=1\n"}},
		{name: "the place in zsh", text: "#!/usr/bin/env zsh\n\"${0:A:h}/tool\"\n", call: "zsh s.sh"},
		{name: "the top of the work tree", text: "#!/bin/bash\n\"$(git rev-parse --show-toplevel)/tool\"\n", call: "./s.sh", files: map[string]string{"/w/.git": "", "/w/.git/config": "[core]\n\tbare = false\n"}},
		{name: "the top elsewhere", text: "#!/bin/bash\n\"$(git rev-parse --show-toplevel)/tool\"\n", call: "./s.sh", files: map[string]string{"/w/.git": "", "/w/.git/config": "[core]\n\tworktree = /x\n"}, asks: true},
		{name: "the top by a variable", text: "#!/bin/bash\n\"$(git rev-parse --show-toplevel)/tool\"\n", call: "GIT_WORK_TREE=/x GIT_DIR=/w/.git ./s.sh", files: map[string]string{"/w/.git": "", "/w/.git/config": "[core]\n"}, asks: true},
		{name: "the top that the script changes", text: "#!/bin/bash\ngit config core.worktree /x\n\"$(git rev-parse --show-toplevel)/tool\"\n", call: "./s.sh", files: map[string]string{"/w/.git": "", "/w/.git/config": "[core]\n"}, asks: true},
		{name: "no repository", text: "#!/bin/bash\n\"$(git rev-parse --show-toplevel)/tool\"\n", call: "./s.sh", asks: true},
		{name: "the place outside", text: "#!/usr/bin/env bash\n\"$(dirname \"$0\")/../tool\"\n", call: "./s.sh", asks: true},

		// What starts it gives it other variables.
		{name: "what hands them on", text: tool, call: "DEV=0 timeout 9 nice bash s.sh"},
		{name: "a shell that hands them on", text: tool, call: "DEV=0 bash -c 'bash s.sh'"},
		{name: "env that sets one", text: tool, call: "env DEV=0 bash s.sh"},
		{name: "env that takes one away", text: tool, call: "DEV=0 env -u DEV bash s.sh", asks: true},
		{name: "env that takes all away", text: tool, call: "DEV=0 env -i bash s.sh", asks: true},
		{name: "env that splits words", text: tool, call: "DEV=0 env -S '-i bash s.sh'", asks: true},
		{name: "env behind another", text: tool, call: "DEV=0 timeout 9 env --unset=DEV bash s.sh", asks: true},
		{name: "a login shell", text: tool, call: "DEV=0 bash -lc 'bash s.sh'", asks: true},
		{name: "a program with its own variables", text: tool, call: "DEV=0 pipenv run bash s.sh", asks: true},
		{name: "a program that sets one", text: tool, call: "DEV=0 strace -E DEV=1 bash s.sh", asks: true},
		{name: "a clean environment", text: tool, call: "DEV=0 nix develop -i -c bash s.sh", asks: true},
		{name: "set by wait", text: tool, call: "export DEV=0; true & wait -p DEV; bash s.sh", asks: true},
		{name: "a function it is given", text: cases, call: "case() { :; }; test() { false; }; export -f test; bash s.sh build", asks: true},
		{name: "functions it is given", text: tool, call: "f() { false; }; declare -f -x f; DEV=0 bash s.sh", asks: true},
		{name: "all functions", text: tool, call: "set -a; [() { false; }; DEV=0; bash s.sh", asks: true},

		// What runs is another text, or not only this one.
		{name: "changed by the call", text: cases, call: "sed -i 's/go build/ssh prod/' s.sh && ./s.sh build", asks: true},
		{name: "appended by the call", text: cases, call: "cat x >> s.sh; ./s.sh build", asks: true},
		{name: "moved over by the call", text: cases, call: "mv x s.sh; ./s.sh build", asks: true},
		{name: "its directory is another", text: cases, call: "cp -r /tmp/x/. . && ./s.sh build", asks: true},
		{name: "a link in its place", text: cases, call: "ln -sf /tmp/x s.sh; ./s.sh build", asks: true},
		{name: "it changes itself", text: "#!/bin/sh\n[ \"$1\" = go ] || ssh a b\necho 'ssh prod deploy' >> s.sh\n", call: "./s.sh go", asks: true},
		{name: "what it leaves", text: "#!/bin/sh\n[ \"$1\" = go ] || ssh a b\necho 'ssh prod deploy' > y.sh\n", call: "./s.sh go", asks: true},
		{name: "an option that loads", text: cases, call: "bash --rcfile x s.sh build", asks: true},
		{name: "an interactive shell", text: cases, call: "bash -i s.sh build", asks: true},
		{name: "BASH_ENV", text: cases, call: "BASH_ENV=x bash s.sh build", asks: true},
		{name: "PATH", text: cases, call: "PATH=/tmp/x:$PATH bash s.sh build", asks: true},
		{name: "PATH within", text: "#!/bin/bash\n[ \"$2\" = go ] || ssh a b\nPATH=\"$1:$PATH\"\ngo vet ./...\n", call: "./s.sh /tmp/x go", asks: true},
		{name: "a first line with options", text: "#!/bin/bash -i\ncase \"$1\" in a) :;; b) ssh a b;; esac\n", call: "./s.sh a", asks: true},
		{name: "text it is given to read", text: "#!/bin/bash\n[ \"$1\" = go ] || ssh a b\nbash\n", call: "cat x | ./s.sh go", asks: true},
		{name: "commands it is given to read", text: "#!/bin/bash\n[ \"$1\" = go ] || ssh a b\neval \"$(cat)\"\n", call: "cat x | ./s.sh go", asks: true},
		{name: "code of its argument", text: "#!/bin/bash\neval \"$1\"\n", call: "./s.sh 'ssh prod deploy'", asks: true},
		{name: "a file of its argument", text: "#!/bin/bash\n. \"$1\"\n", call: "./s.sh ./x", wrote: map[string]string{"/w/x": "ssh prod deploy\n"}, asks: true},
		{name: "a file that the session wrote", text: "#!/bin/bash\n[ \"$1\" = go ] || ssh a b\n. ./x.sh\n", call: "./s.sh go", wrote: map[string]string{"/w/x.sh": "ssh prod deploy\n"}, asks: true},
		{name: "a variable that a file may change", text: "#!/bin/bash\n. ./env\n[ \"$DEV\" = 1 ] || ssh prod deploy\n", call: "DEV=1 ./s.sh", files: map[string]string{"/w/env": "DEV=2\n"}, asks: true},
		{name: "another script", text: "#!/bin/bash\n[ \"$1\" = go ] || ssh a b\n./t.sh \"$2\"\n", call: "./s.sh go deploy", wrote: map[string]string{"/w/t.sh": cases}, asks: true},
		{name: "another script for another branch", text: "#!/bin/bash\n[ \"$1\" = go ] || ssh a b\n./t.sh \"$2\"\n", call: "./s.sh go build", wrote: map[string]string{"/w/t.sh": cases}},
		{name: "a trap", text: "#!/bin/bash\n[ \"$1\" = go ] || ssh a b\ntrap 'ssh prod deploy' EXIT\n", call: "./s.sh go", asks: true},
		{name: "a function changes the directory", text: "#!/bin/bash\n[ \"$1\" = go ] || ssh a b\nf() { cd /; }\nf\nrm -rf tmp/x\n", call: "./s.sh go", asks: true},
		{name: "a shell reads a here-document", text: "#!/bin/bash\n[ \"$1\" = go ] || ssh a b\nbash <<E\nssh prod $2\nE\n", call: "./s.sh go deploy", asks: true},
		{name: "arguments taken away in a loop", text: "#!/bin/bash\nwhile [ $# -gt 0 ]; do case \"$1\" in -k) shift;; -o) OUT=\"$2\"; shift 2;; esac; done\nrm -rf \"$OUT\"\n", call: "./s.sh -k -o /home/u", asks: true},
		{name: "in another directory", text: "#!/bin/bash\n[ \"$1\" = go ] || ssh a b\nrm -rf build\n", call: "cd / && /w/s.sh go", asks: true},
		{name: "in a container", text: cases, call: "docker run --rm -v /:/h alpine sh s.sh build", asks: true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if d := tt.judged(t); (d.Disposition != Approved) != tt.asks {
				t.Errorf("%q: %v %+v", tt.call, d.Disposition, d.Reasons)
			}
		})
	}
}
