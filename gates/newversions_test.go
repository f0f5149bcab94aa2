package gates

import "testing"

// TestPinnedVersions: an upgrade of what a file pins brings in nothing new, as long as the file is
// as it was before the session.
func TestPinnedVersions(t *testing.T) {
	const root = "/srv/code/p"
	there := map[string]string{
		root + "/pinned.txt": "# by hand\nflask==3.0.0 \\\n    --hash=sha256:abc\nrich == 13.1\n",
		root + "/open.txt":   "flask==3.0.0\nrich>=13\n",
		root + "/star.txt":   "flask==3.*\n",
		root + "/more.txt":   "flask==3.0.0\n-r open.txt\n",
		root + "/empty.txt":  "\n",
	}
	s := State{Cwd: root, Roots: []string{root}, Home: "/home/me", UID: 1000, GID: 1000}
	s.Exists = func(path string) bool { _, ok := there[path]; return ok || path == root }
	s.Text = func(path string) (string, bool) { text, ok := there[path]; return text, ok }
	for line, asks := range map[string]bool{
		"pip install -U -r pinned.txt":                            false,
		"pip install --upgrade --requirement=pinned.txt":          false,
		"pip install -U -r pinned.txt -r open.txt":                true,
		"pip install -U -r star.txt":                              true,
		"pip install -U -rmore.txt":                               true,
		"pip install -U -r empty.txt":                             true,
		"pip install -U -r not-there.txt":                         true,
		"pip install -U --upgrade-strategy=eager -e .":            true,
		"echo rich >> pinned.txt && pip install -U -r pinned.txt": true,
	} {
		c := ShellContext(line, s)
		if d := (&Guardrail{}).Decide(&c); (d.Disposition != Approved) != asks {
			t.Errorf("%s: %v %v", line, d.Disposition, d.Reasons)
		}
	}
}
