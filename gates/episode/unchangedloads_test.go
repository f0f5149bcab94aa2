package episode

import (
	"testing"

	"github.com/gbt-policy/gbt/gates"
)

// TestUnchangedLoads: a yes to a run is for all files that count for it, as they were: a
// change of what the started file loads ends it, and one of what nothing loads does not.
func TestUnchangedLoads(t *testing.T) {
	const (
		main = "import util\nutil.go()\n"
		push = "import subprocess\n\ndef go():\n    subprocess.run(['git', 'push'])\n"
		gone = "import subprocess\n\ndef go():\n    subprocess.run(['gh', 'repo', 'delete', 'acme/x', '--yes'])\n"
		npm  = "import subprocess\n\ndef go():\n    subprocess.run(['npm', 'publish'])\n"
		b, u = "/w/repo/b.py", "/w/repo/util.py"
	)
	for name, tt := range map[string]struct {
		between func(w *unchangedRun)
		asks    bool
	}{
		"run again":                  {nil, false},
		"what it loads deletes":      {func(w *unchangedRun) { w.write(u, gone) }, true},
		"what it loads publishes":    {func(w *unchangedRun) { w.write(u, npm) }, true},
		"what it loads is as it was": {func(w *unchangedRun) { w.write(u, push) }, false},
		"changed by nobody knows":    {func(w *unchangedRun) { w.stamps[u] = "2" }, true},
		"loads one more":             {func(w *unchangedRun) { w.write("/w/repo/v.py", npm); w.write(b, "import util, v\nutil.go()\n") }, true},
		"loads one more that is checked in": {func(w *unchangedRun) {
			w.write("/w/repo/v.py", npm)
			w.write(u, push+"import v\n")
		}, true},
		"another beside it changes": {func(w *unchangedRun) { w.write("/w/repo/other.py", npm) }, false},
	} {
		t.Run(name, func(t *testing.T) {
			w := &unchangedRun{t: t, stamps: map[string]string{b: "1", u: "1", "/w/repo/v.py": "1", "/w/repo/other.py": "1"}}
			w.write(u, push)
			w.write(b, main)
			if c, d := w.judge("python3 b.py"); d.Disposition != gates.ApprovedWithConstraints {
				t.Fatalf("the first run: %v %+v", d.Disposition, c.Effects)
			}
			w.shell("python3 b.py")
			if tt.between != nil {
				tt.between(w)
			}
			if _, d := w.judge("python3 b.py"); (d.Disposition != gates.Approved) != tt.asks {
				t.Errorf("asks %v: %+v", !tt.asks, d.Reasons)
			}
		})
	}
}
