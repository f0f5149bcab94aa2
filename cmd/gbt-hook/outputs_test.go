package main

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/gbt-policy/gbt/internal/hosts"
)

// built lets a call of the session run, which does something.
func (r repo) built(line string, does func()) {
	r.t.Helper()
	in := r.shellCall("claude-code", "a", line)
	if got, _ := r.hook(r.t, "claude-code", in, r.args...); got != hosts.Proceeds && got != hosts.Asks {
		r.t.Fatalf("%s: %v", line, got)
	}
	time.Sleep(10 * time.Millisecond)
	does()
	mustZero(r.t, r.tell(r.t, "claude-code", r.ranEvent("claude-code", "a", line, false), r.args...))
	time.Sleep(clockSlack + 10*time.Millisecond)
}

func newOutputs(t *testing.T) repo {
	r := newRepo(t)
	if bornAt(r.dir) == 0 {
		t.Skip("nobody says when files were made here")
	}
	r.write(".gitignore", "release/\n/test-results\ndata/\nnotes-*\n*.local\n/app/\n")
	r.write("package.json", `{"scripts": {"test": "vitest run", "build": "vite build"}}`)
	r.git("add", ".")
	r.git("commit", "-qm", "two")
	return r
}

// TestOutputs: what a build of the session made goes again; what comes nearest to that asks.
func TestOutputs(t *testing.T) {
	for _, tt := range []struct {
		name  string
		line  string // the call
		does  func(r repo)
		later func(r repo)
		rm    string
		want  hosts.Outcome
	}{
		{"the output of tests", "npm test", func(r repo) { r.write("test-results/a/x.xml", "x") }, nil, "rm -rf test-results", hosts.Proceeds},
		{"of a build, after a look", "npm run build", func(r repo) { r.write("release/x.tgz", "x") }, nil, "ls -la release && rm -rf release", hosts.Proceeds},
		{"a part of it", "npm run build", func(r repo) { r.write("release/v1/x.tgz", "x"); r.write("release/v2/x.tgz", "x") }, nil, "rm -rf release/v1; rm release/v2/x.tgz", hosts.Proceeds},

		{"what was there before", "npm run build", func(r repo) {}, func(r repo) { r.write("release/x.tgz", "x") }, "rm -rf release", hosts.Asks},
		{"a file of the user's beside it", "npm run build", func(r repo) { r.write("release/x.tgz", "x") }, func(r repo) { r.write("release/notes.md", "mine") }, "rm -rf release", hosts.Asks},
		{"what the user changed in it", "npm run build", func(r repo) { r.write("release/conf.js", "x") }, func(r repo) { r.write("release/conf.js", "mine") }, "rm -rf release", hosts.Asks},
		{"what the user saved while another call ran", "npm run build", func(r repo) { r.write("release/conf.js", "x") }, func(r repo) {
			r.built("npm test", func() { r.saved("release/conf.js", "mine") })
		}, "rm -rf release", hosts.Asks},
		{"what the user changed while another call ran", "npm run build", func(r repo) { r.write("release/conf.js", "x") }, func(r repo) {
			r.built("npm test", func() { r.write("release/conf.js", "mine") })
		}, "rm -rf release", hosts.Asks},
		{"what the user moved there", "npm run build", func(r repo) {
			r.write("release/x.tgz", "x")
			r.rename("old/photo.png", "release/photo.png")
		}, nil, "rm -rf release", hosts.Asks},
		{"a directory that was moved there", "npm run build", func(r repo) { r.rename("old", "release") }, nil, "rm -rf release", hosts.Asks},
		{"data", "npm run build", func(r repo) { r.write("data/x.csv", "x") }, nil, "rm -rf data", hosts.Asks},
		{"a file by itself", "npm run build", func(r repo) { r.saved("env.local", "KEY=1") }, nil, "rm env.local", hosts.Asks},
		{"notes", "npm run build", func(r repo) { r.write("notes-1/x.md", "x") }, nil, "rm -rf notes-1", hosts.Asks},
		{"what git does not leave to itself", "npm run build", func(r repo) { r.write("reports/x.md", "x") }, nil, "rm -rf reports", hosts.Asks},
		{"what git does not leave to itself by its own list", "npm run build", func(r repo) {
			r.write("reports/x.md", "x")
			r.write(".gitignore", "reports/\n")
		}, nil, "rm -rf reports", hosts.Asks},
		{"a secret in it", "npm run build", func(r repo) { r.write("release/.env", "KEY=1") }, nil, "rm -rf release", hosts.Asks},
		{"a repository in it", "npm run build", func(r repo) { r.write("release/x/.git/HEAD", "x") }, nil, "rm -rf release", hosts.Asks},
		{"what a look left", "ls", func(r repo) { r.write("release/x.tgz", "x") }, nil, "rm -rf release", hosts.Asks},
		{"what a call moved", "mkdir -p app && mv d/c.txt app/ && npm run build", func(r repo) { r.write("release/x.tgz", "x") }, nil, "rm -rf release", hosts.Asks},
		{"what a call brought beside", "npm run build && git stash pop", func(r repo) { r.write("release/x.tgz", "x") }, nil, "rm -rf release", hosts.Asks},
		{"what a call brought that was agreed to", "npm run build && cp -r /mnt/usb/x app", func(r repo) { r.write("release/x.tgz", "x") }, nil, "rm -rf release", hosts.Asks},
		{"what a call made that was asked about", "rm -rf old && npm run build", func(r repo) { r.write("release/x.tgz", "x") }, nil, "rm -rf release", hosts.Asks},
		{"after the line moved something there", "npm run build", func(r repo) { r.write("release/x.tgz", "x") }, nil, "mv old release/ && rm -rf release", hosts.Asks},
		{"after the line built anew", "npm run build", func(r repo) { r.write("release/x.tgz", "x") }, nil, "npm test && rm -rf release", hosts.Asks},
		{"a link to another place", "npm run build", func(r repo) {
			r.write("release/x.tgz", "x")
			os.Symlink("../old", filepath.Join(r.dir, "release/old"))
		}, nil, "rm -rf release/old/photo.png", hosts.Asks},
		{"a pattern", "npm run build", func(r repo) { r.write("release/x.tgz", "x") }, nil, "rm -rf rel*", hosts.Asks},
		{"all but one", "npm run build", func(r repo) { r.write("release/x.tgz", "x") }, nil, "rm -rf release old", hosts.Asks},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r := newOutputs(t)
			r.write("old/photo.png", "mine")
			time.Sleep(10 * time.Millisecond)
			r.built(tt.line, func() { tt.does(r) })
			if tt.later != nil {
				tt.later(r)
			}
			r.want(tt.want, tt.rm)
		})
	}
}

// TestTemporaryPattern: right in the system's directory for temporary files a pattern takes what
// came there while calls of the session ran, and asks where it takes anything else.
func TestTemporaryPattern(t *testing.T) {
	for _, tt := range []struct {
		name        string
		does, later func(at func(name string) string)
		want        hosts.Outcome
	}{
		{"what a call left", func(at func(string) string) { leave(at("a.log")); leave(at("b.log")) }, nil, hosts.Proceeds},
		{"a directory of it", func(at func(string) string) { os.Mkdir(at("d"), 0o755); leave(at("d/x")) }, nil, hosts.Proceeds},
		{"nothing", func(func(string) string) {}, nil, hosts.Proceeds},
		{"another's beside it", func(at func(string) string) { leave(at("a.log")) }, func(at func(string) string) { leave(at("b.log")) }, hosts.Asks},
		{"what was written since", func(at func(string) string) { leave(at("a.log")) }, func(at func(string) string) { leave(at("a.log")) }, hosts.Asks},
		{"what is in it since", func(at func(string) string) { os.Mkdir(at("d"), 0o755) }, func(at func(string) string) { leave(at("d/x")) }, hosts.Asks},
		{"a link", func(at func(string) string) { os.Symlink("/usr", at("l")) }, nil, hosts.Asks},
		{"a repository", func(at func(string) string) { os.MkdirAll(at("d/.git"), 0o755); leave(at("d/.git/HEAD")) }, nil, hosts.Asks},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r := newOutputs(t)
			stem := litterDir(t) // a name that nobody else has
			if bornAt(stem) == 0 {
				t.Skip("nobody says when files were made here")
			}
			at := func(name string) string { return stem + "x." + name }
			t.Cleanup(func() {
				for _, name := range []string{"a.log", "b.log", "d", "l"} {
					os.RemoveAll(at(name))
				}
			})
			r.built("ls", func() { tt.does(at) })
			if tt.later != nil {
				tt.later(at)
			}
			r.want(tt.want, "rm -rf "+stem+"x.*")
		})
	}
}

func leave(name string) { os.WriteFile(name, []byte("x"), 0o644) }

// TestCallsThatBuild: what is made while a call runs that may bring files of somebody's is nobody's
// output, whichever of the two began first.
func TestCallsThatBuild(t *testing.T) {
	at := func(ms int64) time.Time { return time.UnixMilli(ms) }
	for _, tt := range []struct {
		name string
		run  func(c *calls)
		want int
	}{
		{"a build", func(c *calls) { c.begin("a", doesBuild, at(10)); c.end("a", true, at(20)) }, 1},
		{"two builds", func(c *calls) {
			c.begin("a", doesBuild, at(10))
			c.begin("b", doesBuild, at(11))
			c.end("a", true, at(20))
			c.end("b", true, at(21))
		}, 2},
		{"a look beside", func(c *calls) {
			c.begin("a", doesBuild, at(10))
			c.begin("b", doesLook, at(11))
			c.end("a", true, at(20))
		}, 1},
		{"more beside", func(c *calls) {
			c.begin("a", doesBuild, at(10))
			c.begin("b", doesMore, at(11))
			c.end("a", true, at(20))
		}, 0},
		{"more before", func(c *calls) {
			c.begin("b", doesMore, at(9))
			c.begin("a", doesBuild, at(10))
			c.end("a", true, at(20))
		}, 0},
		{"more that had ended", func(c *calls) {
			c.begin("b", doesMore, at(8))
			c.end("b", true, at(9))
			c.begin("a", doesBuild, at(10))
			c.end("a", true, at(20))
		}, 1},
		{"more that never ran", func(c *calls) {
			c.begin("b", doesMore, at(8))
			c.settle()
			c.begin("a", doesBuild, at(10))
			c.end("a", true, at(20))
		}, 1},
		{"a look", func(c *calls) { c.begin("a", doesLook, at(10)); c.end("a", true, at(20)) }, 0},
		{"a build of an hour", func(c *calls) { c.begin("a", doesBuild, at(10)); c.end("a", true, at(11+maxBuildTime.Milliseconds())) }, 0},
		{"a build that never ended", func(c *calls) { c.begin("a", doesBuild, at(10)) }, 0},
	} {
		c := calls{First: 1}
		tt.run(&c)
		if len(c.Built) != tt.want {
			t.Errorf("%s: %v", tt.name, c.Built)
		}
	}
}

// saved writes a file as editors do: beside it, and then in its place.
func (r repo) saved(name, text string) {
	r.t.Helper()
	r.write(name+".tmp", text)
	r.rename(name+".tmp", name)
}

func (r repo) rename(from, to string) {
	r.t.Helper()
	if err := os.Rename(filepath.Join(r.dir, from), filepath.Join(r.dir, to)); err != nil {
		r.t.Fatal(err)
	}
}

// TestIgnores: lines of lists that are not read name nothing.
func TestIgnores(t *testing.T) {
	for _, tt := range []struct {
		line, rel string
		want      bool
	}{
		{"release/", "release", true}, {"release", "a/release/x", true}, {"/release", "release/x", true}, {"*.tgz", "a/x.tgz", true}, {"a/b", "a/b/c", true},
		{"/release", "a/release", false}, {"b", "a/bc", false}, {"a/b", "x/a/b", false}, {"**/b", "a/b", false}, {"#b", "#b", false}, {"", "a", false}, {"[ab]", "a", false}, {"/", "a", false},
	} {
		if got := ignores(tt.line, tt.rel); got != tt.want {
			t.Errorf("%q of %q: %v", tt.line, tt.rel, got)
		}
	}
}

func TestOutputNamed(t *testing.T) {
	for name, want := range map[string]bool{
		"release": true, "test-results": true, "playwright-report": true, "coverage-out": true, ".build": true, "lcov-report": true,
		"test": false, "results": false, "report": false, "data": false, "tmp": false, "release-notes": false, "my-build": false, "-": false, "src": false,
	} {
		if got := outputNamed(name); got != want {
			t.Errorf("%s: %v", name, got)
		}
	}
}
