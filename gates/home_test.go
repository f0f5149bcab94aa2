package gates

import (
	"testing"

	"github.com/gbt-policy/gbt/gates/effect"
)

// TestHomesAreNeverRemoved removes homes and what lies above them in each way.
func TestHomesAreNeverRemoved(t *testing.T) {
	homes := []string{
		"~", "~/", "~/.", "~//", "$HOME", "${HOME}", "\"$HOME\"", "\"$HOME\"/.", "$HOME/", "~/../me", "~/x/..", "~me", "/home/me", "/home/me/", "/home//me", "/home/./me", "/home/x/../me",
		"/home/u", "/home/u/", "/root", "/Users/u", "/Users/u/", "/home", "/Users", "/", "~/..", "~/../..", "$HOME/..", "~/*", "$HOME/*", "\"$HOME\"/*", "/home/me/*", "/home/u/*", "/Users/u/*",
		"~/.*", "/home/*", "/home/me/.??*", "\"${HOME:?}\"/*", "${HOME%/}", "file:///home/me",
	}
	ways := []string{
		"rm -rf %", "rm -fr -- %", "rm -r -f %", "rm --recursive --force %", "sudo rm -rf %", "cd / && rm -rf %", "bash -c 'rm -rf %'", "rm -rf x % y", "command rm -rf %", "\\rm -rf %",
		"env rm -rf %", "eval rm -rf %", "(rm -rf %)", "true; rm -rf %", "nice rm -rf %", "if true; then rm -rf %; fi", "f() { rm -rf \"$@\"; }; f %", "for d in %; do rm -rf $d; done",
	}
	n := 0
	for _, l := range crossed(ways, homes) {
		if d := inventedDecision(l); d.Disposition != Rejected {
			t.Errorf("%v: %s", d.Disposition, l)
		}
		n++
	}
	for _, l := range []string{"cd ~ && rm -rf .", "cd ~ && rm -rf *", "cd; rm -rf ./*", "cd ~/x && rm -rf ..", "find ~ -delete", "find $HOME -mindepth 1 -delete", "mv ~ /tmp/x", "mv ~/* /tmp/x", "H=~; rm -rf $H", "rm -rf {~,x}"} {
		if d := inventedDecision(l); d.Disposition != Rejected {
			t.Errorf("%v: %s", d.Disposition, l)
		}
	}
	if n < 600 {
		t.Errorf("only %d lines", n)
	}
}

// TestPartsOfAHomeOnlyAsk holds the rejection to what it is for.
func TestPartsOfAHomeOnlyAsk(t *testing.T) {
	for _, l := range []string{"rm -rf ~/.cache/x", "rm -rf ~/tmp", "rm ~/x.log", "rm ~/*.log", "rm -rf /home/u/tmp", "find ~ -name '*.pyc' -delete"} {
		if d := inventedDecision(l); d.Disposition != ApprovedWithConstraints {
			t.Errorf("%v: %s", d.Disposition, l)
		}
	}
}

// TestWideDirectoriesAreNoWorkspace decides where the root is a home or the root
// of the file system, given as a root or taken from the working directory.
func TestWideDirectoriesAreNoWorkspace(t *testing.T) {
	var g Guardrail
	for _, dir := range []string{"/", "//", "/.", "/home/me", "/home/me/", "/home", "/root", "/Users/u", "/Users", "/home/other", "/home/me/x/.."} {
		for _, state := range []State{{Cwd: dir, Home: "/home/me"}, {Cwd: dir, Home: "/home/me", Roots: []string{dir}}, {Roots: []string{dir}, Home: "/home/me"}, {Cwd: "/home/me/x", Roots: []string{dir}, Home: "/home/me"}, {Cwd: dir}} {
			for _, l := range []string{"echo x > notes.txt", "touch x/y", "rm -rf node_modules", "cat notes.txt", "./run.sh"} {
				c := ShellContext(l, state)
				if d := g.Decide(&c); d.Disposition == Approved {
					t.Errorf("approved in %+v: %s", state, l)
				}
			}
		}
	}
	for _, dir := range []string{"/home/me/repo", "/w", "/srv/app", "/root/repo", "/workspace"} {
		c := ShellContext("echo x > notes.txt", State{Cwd: dir, Roots: []string{dir, "/"}, Home: "/home/me"})
		if d := g.Decide(&c); d.Disposition != Approved {
			t.Errorf("%s is no workspace: %v", dir, d.Reasons)
		}
	}
	for _, dir := range []string{"/", "/home/me", "/home", "/Users/u"} {
		if !effect.TooWide(dir, "/home/me") {
			t.Errorf("%s is narrow", dir)
		}
	}
}
