package episode

import "testing"

// TestFacts: what ended well counts until something changes the workspace.
func TestFacts(t *testing.T) {
	type step struct {
		line string
		ok   bool
	}
	for name, tt := range map[string]struct {
		steps       []step
		fact, value string
		waits       string
	}{
		"nothing ran":              {nil, "tests", "no", ""},
		"passed":                   {[]step{{"go test ./...", true}}, "tests", "passed", ""},
		"failed":                   {[]step{{"go test ./...", false}}, "tests", "no", ""},
		"nobody says how it ended": {[]step{{"go test ./... | tail", true}}, "tests", "no", ""},
		"a list":                   {[]step{{"go test ./...; true", true}}, "tests", "no", ""},
		"a chain":                  {[]step{{"cd x && go test ./...", true}}, "tests", "passed", ""},
		"changed after":            {[]step{{"go test ./...", true}, {"echo x > f.go", true}}, "tests", "no", ""},
		"deleted after":            {[]step{{"pytest -q", true}, {"rm f.py", true}}, "tests", "no", ""},
		"another branch":           {[]step{{"go test ./...", true}, {"git checkout main", true}}, "tests", "no", ""},
		"pulled":                   {[]step{{"go test ./...", true}, {"git pull", true}}, "tests", "no", ""},
		"a program nobody knows":   {[]step{{"go test ./...", true}, {"frobnicate", true}}, "tests", "no", ""},
		"read after":               {[]step{{"go test ./...", true}, {"cat f.go", true}, {"git status", true}, {"git commit -am x", true}}, "tests", "passed", ""},
		"elsewhere after":          {[]step{{"go test ./...", true}, {"echo x > /tmp/f", true}}, "tests", "passed", ""},
		"changed, then passed":     {[]step{{"echo x > f.go", true}, {"go test ./...", true}}, "tests", "passed", ""},
		"a change may be running":  {[]step{{"go test ./...", true}}, "tests", "", "echo x > f.go"},
		"ran":                      {[]step{{"make   lint", true}}, "ran make lint", "yes", ""},
		"ran another":              {[]step{{"make lint", true}}, "ran make all", "no", ""},
		"of the host":              {nil, "branch", "", ""},
	} {
		var m Memory
		for _, s := range tt.steps {
			c := ran(t, &m, s.line, 1)
			if s.ok {
				m.Succeeded(c)
			}
		}
		if tt.waits != "" {
			m.MayRun("k", "", read(t, m.Before, tt.waits), 1)
		}
		if v, known := before(&m).Facts(tt.fact); v != tt.value || known != (tt.value != "") {
			t.Errorf("%s: %q %v, want %q", name, v, known, tt.value)
		}
	}
}
