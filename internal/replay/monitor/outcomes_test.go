package monitor

import (
	"encoding/json"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"

	"github.com/gbt-policy/gbt/corpora"
	"github.com/gbt-policy/gbt/gates"
)

// outcomes reads the rules that a text in YAML gives.
func outcomes(t *testing.T, text string) (*Outcomes, []corpora.Problem) {
	t.Helper()
	var doc yaml.Node
	if err := yaml.Unmarshal([]byte(text), &doc); err != nil {
		t.Fatal(err)
	}
	return ParseOutcomes("gbt.yaml", doc.Content[0])
}

// sh is a command that ran, with what it printed.
func sh(command, printed string) corpora.Step {
	args, _ := json.Marshal(map[string]string{"command": command})
	return corpora.Step{Tool: "Bash", Args: string(args), Result: printed, Status: corpora.StatusExecuted, Cwd: "/srv/app"}
}

// failed is the step with an error.
func failed(s corpora.Step) corpora.Step { s.Error = "Exit code 1"; return s }

func stopped(s corpora.Step) corpora.Step { s.Stopped = true; return s }

func declined(s corpora.Step) corpora.Step {
	s.Status, s.BlockedBy, s.Error = corpora.StatusBlocked, "user", "declined"
	return s
}

// asked is the step as the first of a new request.
func asked(s corpora.Step) corpora.Step { s.Heard = "and then"; return s }

func edit() corpora.Step {
	return corpora.Step{Tool: "Edit", Args: `{"file_path":"/srv/app/a.go","old_string":"a","new_string":"b"}`, Status: corpora.StatusExecuted, Cwd: "/srv/app"}
}

func labels(o *Outcomes, coded bool, steps ...corpora.Step) string {
	var out []string
	for _, r := range o.Label(&corpora.Episode{ID: "s", Task: "first", Steps: steps}, &gates.Checker{}, coded) {
		out = append(out, strings.TrimPrefix(r.Label.Rule, "coding/"))
	}
	return strings.Join(out, " | ")
}

func TestCoding(t *testing.T) {
	o, problems := outcomes(t, "coding")
	if problems != nil {
		t.Fatal(problems)
	}
	pass := sh("go test ./...", "ok")
	for name, c := range map[string]struct {
		steps []corpora.Step
		want  string
	}{
		"tests pass after the change":            {[]corpora.Step{edit(), pass}, "tests-passed"},
		"tests pass before it":                   {[]corpora.Step{pass, edit()}, ""},
		"nothing was changed":                    {[]corpora.Step{pass}, ""},
		"the last test counts":                   {[]corpora.Step{edit(), pass, failed(pass)}, "tests-failed"},
		"repaired":                               {[]corpora.Step{edit(), failed(pass), edit(), pass}, "tests-passed"},
		"a build makes up for no test":           {[]corpora.Step{edit(), failed(pass), sh("go build ./...", "")}, "tests-failed"},
		"a build":                                {[]corpora.Step{edit(), sh("go build ./...", "")}, "build-passed"},
		"a linter finds something":               {[]corpora.Step{edit(), failed(sh("golangci-lint run", "a.go:1:2: no"))}, "build-failed"},
		"a runner's task":                        {[]corpora.Step{edit(), sh("wurst run test:ci", "")}, "tests-passed"},
		"a script by its name":                   {[]corpora.Step{edit(), sh("./scripts/test.sh --all", "")}, "tests-passed"},
		"a program that a runner runs":           {[]corpora.Step{edit(), sh("uv run pytest -q", "")}, "tests-passed"},
		"in a folder":                            {[]corpora.Step{edit(), sh("cd sub && npm test", "")}, "tests-passed"},
		"by a shell":                             {[]corpora.Step{edit(), sh("bash -c 'go vet ./... && go test ./...'", "")}, "tests-passed"},
		"dependencies are no check":              {[]corpora.Step{edit(), sh("npm install", ""), sh("go mod tidy", "")}, ""},
		"a pipe hides the status":                {[]corpora.Step{edit(), sh("go test ./... 2>&1 | tail -5", "x")}, ""},
		"what it printed":                        {[]corpora.Step{edit(), sh("go test ./... 2>&1 | tail -5", "ok  \tapp/a\t0.1s")}, "tests-printed-passed"},
		"one failure among successes":            {[]corpora.Step{edit(), sh("go test ./... | tail -5", "ok  \tapp/a\t0.1s\nFAIL\tapp/b\t0.1s")}, "tests-printed-failed"},
		"only the beginning is seen":             {[]corpora.Step{edit(), sh("go test ./... | head -1", "ok  \tapp/a\t0.1s")}, ""},
		"a pipe that keeps it":                   {[]corpora.Step{edit(), sh("set -o pipefail; go test ./... | tail -5", "")}, "tests-passed"},
		"whatever happens":                       {[]corpora.Step{edit(), sh("go test ./... || true", "")}, ""},
		"not the last of a line":                 {[]corpora.Step{edit(), sh("go test ./...; echo done", "done")}, ""},
		"something else of the line can have":    {[]corpora.Step{edit(), failed(sh("go test ./... && git push", ""))}, ""},
		"only started":                           {[]corpora.Step{edit(), sh("go test ./... &", "")}, ""},
		"a call that was not run":                {[]corpora.Step{edit(), declined(pass)}, ""},
		"a change that failed is none":           {[]corpora.Step{failed(edit()), pass}, ""},
		"temporary files are no change":          {[]corpora.Step{sh("echo a > /tmp/a", ""), pass}, ""},
		"a program's output is no change":        {[]corpora.Step{edit(), pass, sh("go build -o app ./cmd/app", "")}, "tests-passed"},
		"a shell changes too":                    {[]corpora.Step{edit(), pass, sh("sed -i s/a/b/ a.go", "")}, ""},
		"stopped":                                {[]corpora.Step{edit(), stopped(pass)}, "stopped"},
		"committed":                              {[]corpora.Step{edit(), sh("git add a.go && git commit -m x", "")}, "committed"},
		"committed and taken back":               {[]corpora.Step{edit(), sh("git commit -am x", ""), sh("git reset --soft HEAD~1", "")}, ""},
		"committed anew":                         {[]corpora.Step{edit(), sh("git commit -am x", ""), sh("git reset --soft HEAD~1", ""), sh("git commit -am y", "")}, "committed"},
		"unstaged only":                          {[]corpora.Step{edit(), sh("git commit -am x", ""), sh("git reset HEAD a.go", "")}, "committed"},
		"taken back by a later request":          {[]corpora.Step{edit(), sh("git commit -am x", ""), asked(sh("git revert HEAD", ""))}, " | "},
		"another commit was taken back":          {[]corpora.Step{edit(), sh("git commit -am x", ""), asked(sh("git commit --allow-empty -m y", "")), sh("git reset HEAD~1", "")}, "committed | "},
		"each request of its own":                {[]corpora.Step{edit(), pass, asked(edit()), failed(pass)}, "tests-passed | tests-failed"},
		"tested later":                           {[]corpora.Step{edit(), asked(pass)}, "tests-passed-later | "},
		"tested after another change":            {[]corpora.Step{edit(), asked(edit()), pass}, " | tests-passed"},
		"committed later":                        {[]corpora.Step{edit(), asked(sh("git commit -am x", ""))}, "committed-later | "},
		"a line that cannot be parsed is silent": {[]corpora.Step{edit(), sh("go test ./... |", "")}, ""},
	} {
		if got := labels(o, true, c.steps...); got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
	// A log that marks no errors proves no success by silence.
	if got := labels(o, false, edit(), pass); got != "" {
		t.Errorf("a log without exit codes: %q", got)
	}
	coded := pass
	coded.HasExit = true
	if got := labels(o, false, edit(), coded); got != "tests-passed" {
		t.Errorf("an exit code: %q", got)
	}
}

func TestOwnOutcomes(t *testing.T) {
	o, problems := outcomes(t, `
- id: deployed
  last: {call: {tools: ["deploy_*"]}}
  ended: passed
  label: success
- id: never-mind
  last: {effect: {kinds: [delete]}}
  label: unknown
- use: coding
`)
	if problems != nil {
		t.Fatal(problems)
	}
	if r := o.Rules(); r[0] != "outcome/deployed" || r[2] != "coding/stopped" {
		t.Errorf("rules %v", r)
	}
	deploy := corpora.Step{Tool: "deploy_site", Args: "{}", Status: corpora.StatusExecuted}
	if got := labels(o, true, deploy); got != "outcome/deployed" {
		t.Errorf("a tool of one's own: %q", got)
	}
	got := o.Label(&corpora.Episode{Steps: []corpora.Step{edit(), sh("rm a.go", ""), sh("go test", "")}}, &gates.Checker{}, true)
	if got[0].Label != (Label{corpora.OutcomeUnknown, "outcome/never-mind"}) {
		t.Errorf("the first rule that applies decides: %+v", got[0].Label)
	}
}

func TestCheckRunNow(t *testing.T) {
	o, problems := outcomes(t, "- {id: suite, check: {run: [make, check], in: /srv/app}, after: {does: [change]}, label: success}")
	if problems != nil {
		t.Fatal(problems)
	}
	if c := o.Checks(); len(c) != 1 || c[0].Rule != "outcome/suite" || c[0].Dir != "/srv/app" || len(c[0].Run) != 2 {
		t.Fatalf("checks %+v", c)
	}
	steps := []corpora.Step{edit(), asked(edit()), asked(sh("ls", ""))}
	if got := labels(o, true, steps...); got != " |  | " {
		t.Errorf("a check that nobody ran: %q", got)
	}
	passed := o.Checked(map[string]bool{"outcome/suite": true})
	if got := labels(passed, true, steps...); got != " | outcome/suite | " {
		t.Errorf("it speaks for what was changed last: %q", got)
	}
	steps[1].Cwd = "/srv/other"
	if got := labels(passed, true, steps[:2]...); got != " | " {
		t.Errorf("another directory: %q", got)
	}
	if got := labels(o.Checked(map[string]bool{"outcome/suite": false}), true, steps...); got != " |  | " {
		t.Errorf("a check that failed: %q", got)
	}
}

func TestOutcomeProblems(t *testing.T) {
	for name, c := range map[string]struct{ text, code, says string }{
		"unknown set":        {"codng", CodeWord, "coding"},
		"unknown set used":   {"- use: codng", CodeWord, "coding"},
		"used twice":         {"- use: coding\n- use: coding", CodeTwice, "twice"},
		"a mapping":          {"id: x", CodeType, "list"},
		"no id":              {"- {stopped: true, label: failure}", CodeMissing, "id"},
		"no label":           {"- {id: a, stopped: true}", CodeMissing, "label"},
		"a wrong label":      {"- {id: a, stopped: true, label: good}", CodeWord, "success"},
		"no fact":            {"- {id: a, label: success}", CodeEmpty, "no fact"},
		"ended of what":      {"- {id: a, stopped: true, ended: passed, label: success}", CodeMissing, "last"},
		"later than what":    {"- {id: a, last: {does: [test]}, later: true, label: success}", CodeMissing, "after"},
		"an unknown deed":    {"- {id: a, last: {does: [tests]}, label: success}", CodeWord, "test"},
		"any call":           {"- {id: a, last: {}, label: success}", CodeEmpty, "every call"},
		"same id":            {"- {id: a, stopped: true, label: failure}\n- {id: a, stopped: true, label: success}", CodeTwice, "a"},
		"a relative check":   {"- {id: a, check: {run: [make], in: app}, label: success}", CodeValue, "absolute"},
		"a check of nothing": {"- {id: a, check: {in: /srv}, label: success}", CodeMissing, "run"},
	} {
		o, problems := outcomes(t, c.text)
		if o != nil || len(problems) == 0 {
			t.Errorf("%s: accepted", name)
			continue
		}
		if p := problems[0]; p.Code != c.code || p.Line == 0 || !strings.Contains(p.Sentence, c.says) {
			t.Errorf("%s: line %d %s %s", name, p.Line, p.Code, p.Sentence)
		}
	}
	if o, problems := outcomes(t, "[]"); o != nil || problems != nil {
		t.Errorf("an empty list: %v %v", o, problems)
	}
}
