package main

import (
	"os"
	"path/filepath"
	"strconv"
	"testing"
	"time"

	"github.com/gbt-policy/gbt/internal/hosts"
)

// TestBirths: what a program made that the session ran goes again; what may be anybody else's asks.
func TestBirths(t *testing.T) {
	one := func(name, text string) func(r repo) { return func(r repo) { r.write(name, text) } }
	for _, tt := range []struct {
		name  string
		line  string // the call
		does  func(r repo)
		later func(r repo)
		rm    string
		want  hosts.Outcome
	}{
		{"a file", "go run . init", one("scales.json", "{}"), nil, "rm scales.json", hosts.Proceeds},
		{"a file, by its whole path", "go run . init", one("scales.json", "{}"), nil, "rm -f ./scales.json && ls", hosts.Proceeds},
		{"of a test run, further below", "go test ./... -coverprofile=coverage.out", one("d/coverage.out", "x"), nil, "rm d/coverage.out", hosts.Proceeds},
		{"a directory", "npm run gen", func(r repo) { r.write("_next-tmp/a/b.ts", "x"); r.write("_next-tmp/c.ts", "x") }, nil, "rm -rf _next-tmp", hosts.Proceeds},
		{"a part of a directory", "npm run gen", func(r repo) { r.write("_next-tmp/a/b.ts", "x"); r.write("_next-tmp/c.ts", "x") }, nil, "rm _next-tmp/a/b.ts", hosts.Proceeds},
		{"made anew by a second run", "go run . init", one("scales.json", "{}"), func(r repo) { r.built("go run . init", func() { r.write("scales.json", "{1}") }) }, "rm scales.json", hosts.Proceeds},
		{"beside it the user's own", "go run . init", one("scales.json", "{}"), one("other.json", "{}"), "rm scales.json", hosts.Proceeds},
		{"after another session edit", "go run . init", one("scales.json", "{}"), func(r repo) { r.built("cat a.txt", func() {}) }, "rm scales.json", hosts.Proceeds},

		{"a directory that an agreed call names", "npm create vite@latest web", one("web/index.html", "x"), nil, "rm -rf web", hosts.Proceeds},

		{"what an agreed call does not name", "npm create vite@latest web", one("x.json", "x"), nil, "rm x.json", hosts.Asks},
		{"a directory that an agreed call does not name", "npm create vite@latest web", one("other/x.json", "x"), nil, "rm -rf other", hosts.Asks},
		{"what was there before", "go run . init", one("x.json", "{}"), nil, "rm mine.txt", hosts.Asks},
		{"what the user saved anew while it ran", "go run . init", func(r repo) { r.saved("mine.txt", "two") }, nil, "rm mine.txt", hosts.Asks},
		{"what the user wrote to while it ran", "go run . init", one("mine.txt", "two"), nil, "rm mine.txt", hosts.Asks},
		{"what the user made later", "go run . init", one("x.json", "{}"), one("y.json", "{}"), "rm y.json", hosts.Asks},
		{"what the user changed later", "go run . init", one("x.json", "{}"), one("x.json", "mine"), "rm x.json", hosts.Asks},
		{"what the user put in its place later", "go run . init", one("x.json", "{}"), func(r repo) { r.saved("x.json", "mine") }, "rm x.json", hosts.Asks},
		{"what the user changed later, its time set back", "go run . init", one("x.json", "{}"), func(r repo) {
			info, _ := os.Stat(filepath.Join(r.dir, "x.json"))
			r.write("x.json", "mine")
			os.Chtimes(filepath.Join(r.dir, "x.json"), info.ModTime(), info.ModTime())
		}, "rm x.json", hosts.Asks},
		{"what the user changed before a second run", "go run . init", one("x.json", "{}"), func(r repo) {
			r.write("x.json", "mine")
			r.built("go run . init", func() { r.write("x.json", "{1}") })
		}, "rm x.json", hosts.Asks},
		{"what the user changed while another looked", "go run . init", one("x.json", "{}"), func(r repo) { r.built("ls", func() { r.write("x.json", "mine") }) }, "rm x.json", hosts.Asks},
		{"what the user put into the directory", "npm run gen", one("_tmp/c.ts", "x"), one("_tmp/notes.md", "mine"), "rm -rf _tmp", hosts.Asks},
		{"what the user put into it while another ran", "npm run gen", one("_tmp/c.ts", "x"), func(r repo) { r.built("npm run gen", func() { r.write("_tmp/notes.md", "mine") }) }, "rm -rf _tmp", hosts.Asks},
		{"what the user moved there", "npm run gen", func(r repo) { r.rename("mine.txt", "moved.txt") }, nil, "rm moved.txt", hosts.Asks},
		{"what the user moved into the directory", "npm run gen", func(r repo) { r.write("_tmp/c.ts", "x"); r.rename("old/photo.png", "_tmp/photo.png") }, nil, "rm -rf _tmp", hosts.Asks},
		{"where something is gone", "npm run gen", func(r repo) { r.write("moved.txt", "one\n"); os.Remove(filepath.Join(r.dir, "mine.txt")) }, nil, "rm moved.txt", hosts.Asks},
		{"a directory that was moved there", "npm run gen", func(r repo) { r.rename("old", "new") }, nil, "rm -rf new", hosts.Asks},
		{"a secret", "npm run gen", one("_tmp/.env", "K=1"), nil, "rm -rf _tmp", hosts.Asks},
		{"called as people call their own", "npm run gen", one("_tmp/TODO.md", "x"), nil, "rm -rf _tmp", hosts.Asks},
		{"a repository", "npm run gen", one("_tmp/.git/HEAD", "x"), nil, "rm -rf _tmp", hosts.Asks},
		{"with what was there", "go run . init", one("d/x.json", "{}"), func(r repo) { r.write("d/mine.md", "x") }, "rm -rf d", hosts.Asks},
		{"what a look left", "ls", one("x.json", "{}"), nil, "rm x.json", hosts.Asks},
		{"what a git call left", "git fetch", one("x.json", "{}"), nil, "rm x.json", hosts.Asks},
		{"of a call that moved something", "go run . init && mv mine.txt y.txt", one("x.json", "{}"), nil, "rm x.json", hosts.Asks},
		{"of a call that copied something", "go run . init && cp mine.txt y.txt", one("x.json", "{}"), nil, "rm x.json", hosts.Asks},
		{"of a call in the background", "go run . serve &", one("x.json", "{}"), nil, "rm x.json", hosts.Asks},
		{"of a call that was asked about", "rm -rf old && go run . init", one("x.json", "{}"), nil, "rm x.json", hosts.Asks},
		{"by a pattern without names", "go run . init", one("x.json", "{}"), nil, "rm *", hosts.Asks},
		{"by a link of the user's that leads there", "npm run gen", func(r repo) { r.write("_tmp/c.ts", "x") }, func(r repo) { os.Symlink("_tmp", filepath.Join(r.dir, "l")) }, "rm l/c.ts", hosts.Proceeds},
		{"after the line waits", "go run . init", one("x.json", "{}"), nil, "sleep 100; rm x.json", hosts.Asks},
		{"after another program of the line", "go run . init", one("x.json", "{}"), nil, "go run . init; rm x.json", hosts.Asks},
		{"in a loop", "go run . init", one("x.json", "{}"), nil, "while true; do rm x.json; sleep 9; done", hosts.Asks},
		{"after the line moved something over it", "go run . init", one("x.json", "{}"), nil, "mv mine.txt x.json; rm x.json", hosts.Asks},
		{"after the line put something into it", "npm run gen", one("_tmp/c.ts", "x"), nil, "mv mine.txt _tmp/ && rm -rf _tmp", hosts.Asks},
		{"a name that the user gave the file a second time", "go run . init", one("x.json", "{}"), func(r repo) { os.Link(filepath.Join(r.dir, "x.json"), filepath.Join(r.dir, "mine2")) }, "rm x.json", hosts.Asks},
		{"where git holds something since", "npm run gen", func(r repo) { r.write("_tmp/c.ts", "x"); r.write("_tmp/d.ts", "x") }, func(r repo) { r.git("add", "_tmp/c.ts"); r.write("_tmp/c.ts", "y") }, "rm -rf _tmp", hosts.Asks},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r := newOutputs(t)
			r.write("go.mod", "module x\n")
			r.write("main.go", "package main\n\nfunc main() {}\n")
			r.write("package.json", `{"scripts": {"gen": "node gen.mjs"}}`)
			r.write("gen.mjs", "console.log(1)\n")
			r.git("add", ".")
			r.git("commit", "-qm", "three")
			r.write("mine.txt", "one\n")
			r.write("old/photo.png", "one\n")
			r.built("ls", func() {})
			time.Sleep(20 * time.Millisecond)
			r.built(tt.line, func() { tt.does(r) })
			if tt.later != nil {
				tt.later(r)
			}
			r.want(tt.want, tt.rm)
		})
	}
}

// BenchmarkNamesBelow is what a call that may make files waits for before it runs, in a tree of 50,000.
func BenchmarkNamesBelow(b *testing.B) {
	dir := b.TempDir()
	for i := range 500 {
		sub := filepath.Join(dir, "src", strconv.Itoa(i))
		if err := os.MkdirAll(sub, 0o755); err != nil {
			b.Fatal(err)
		}
		for k := range 100 {
			if err := os.WriteFile(filepath.Join(sub, strconv.Itoa(k)), nil, 0o644); err != nil {
				b.Fatal(err)
			}
		}
	}
	for b.Loop() {
		namesBelow([]string{dir}, time.Now().Add(maxBirthLook))
	}
}
