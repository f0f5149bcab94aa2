package main

import (
	"bytes"
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"go/token"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"text/template"
)

//go:embed driver
var drivers embed.FS

// traceReport is what an instrumented copy showed.
type traceReport struct {
	Parsers int    `json:"parsers"` // places that parse a shell command
	Parses  parses `json:"parses"`
	Line    way    `json:"line"`    // of one call
	Episode way    `json:"episode"` // of all calls of the episode
}

type parses struct {
	Check       int      `json:"check"`
	Observe     int      `json:"observe"`
	Rooms       []string `json:"rooms"` // that parsed, in order
	Disposition string   `json:"disposition"`
}

type way struct {
	Rooms     []string `json:"rooms"`
	Walk      []string `json:"walk"`
	Crossings int      `json:"crossings"`
	Back      int      `json:"back"`
}

// Returns counts the visits of the walk to a room that was visited before.
func (w way) Returns() int { return len(w.Walk) - len(w.Rooms) }

func (s *source) offset(pos token.Pos) int { return s.fset.Position(pos).Offset }

// traced runs the instrumented copy of a checkout.
func traced(s *source) (*traceReport, error) {
	dir, err := os.MkdirTemp("", "house-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	t := tracer{s, dir, filepath.Join(dir, "copy")}
	out := &traceReport{}
	if err := t.copy(); err != nil {
		return nil, err
	}
	if out.Parsers, err = s.instrument(t.to); err != nil {
		return nil, err
	}
	if err := t.programs(); err != nil {
		return nil, err
	}
	if err := t.parses(&out.Parses); err != nil {
		return nil, err
	}
	return out, t.ways(out)
}

type tracer struct {
	*source
	dir string // temporary
	to  string // the copy in it
}

// copy copies what git tracks, as it stands in the directory.
func (t *tracer) copy() error {
	list, err := command(t.root, "git", "ls-files", "-z")
	if err != nil {
		return err
	}
	for name := range strings.SplitSeq(strings.TrimRight(string(list), "\x00"), "\x00") {
		text, err := os.ReadFile(filepath.Join(t.root, name))
		if errors.Is(err, os.ErrNotExist) {
			continue // deleted, but not yet from the index
		}
		if err != nil {
			return err
		}
		if err := write(filepath.Join(t.to, name), text); err != nil {
			return err
		}
	}
	return nil
}

// drive is where the programs stand in the copy.
const drive = "internal/housedriver"

// counters writes the package that counts into the copy.
func (t *tracer) counters() error {
	text, err := drivers.ReadFile("driver/meter.go.tmpl")
	if err != nil {
		return err
	}
	return write(filepath.Join(t.to, meter, "meter.go"), text)
}

// programs writes the counters and the two programs into the copy.
func (t *tracer) programs() error {
	err := t.counters()
	if err != nil {
		return err
	}
	where := map[string]string{"Meter": t.module + "/" + meter}
	for name, room := range map[string]string{
		"Artifacts": "artifacts", "Traverse": "traverse", "Gates": "gates", "Segment": "segment", "Logs": "corpora/logs", "Learn": "gates/learn",
	} {
		if where[name], err = t.find(room); err != nil {
			return err
		}
	}
	for _, name := range []string{"parses", "way"} {
		tmpl, err := template.ParseFS(drivers, "driver/"+name+".go.tmpl")
		if err != nil {
			return err
		}
		var b bytes.Buffer
		if err := tmpl.Execute(&b, where); err != nil {
			return err
		}
		if err := write(filepath.Join(t.to, drive, name, "main.go"), b.Bytes()); err != nil {
			return err
		}
	}
	return nil
}

// find returns the import path of a room by its plain name, or else of the only
// room whose last part is the same.
func (t *tracer) find(name string) (string, error) {
	var same []string
	for _, r := range t.rooms() {
		if plain(r.Name) == name {
			return t.module + "/" + r.Name, nil
		}
		if filepath.Base(r.Name) == filepath.Base(name) {
			same = append(same, r.Name)
		}
	}
	if len(same) != 1 {
		return "", fmt.Errorf("no room %s, and %d of that last name", name, len(same))
	}
	return t.module + "/" + same[0], nil
}

func (t *tracer) parses(out *parses) error {
	gbt, policy := filepath.Join(t.dir, "gbt"), filepath.Join(t.dir, "p.gbt")
	if _, err := command(t.root, "go", "build", "-o", gbt, "./cmd/gbt"); err != nil {
		return err
	}
	if _, err := command(t.root, gbt, "distill", "examples/logs", "-o", policy); err != nil {
		return err
	}
	return t.drive("parses", policy, out)
}

// The episode whose way is followed, and which of its calls stays in the cut.
const (
	episode     = "examples/logs/mini-swe-agent/repair-careful/workshop__lantern-1.traj.json"
	episodeCall = 9
)

func (t *tracer) ways(out *traceReport) error {
	text, err := os.ReadFile(filepath.Join(t.root, episode))
	if err != nil {
		return err
	}
	line, err := cut(text, episodeCall)
	if err != nil {
		return err
	}
	name := filepath.Join(t.dir, filepath.Base(episode))
	if err := write(name, line); err != nil {
		return err
	}
	if err := t.drive("way", name, &out.Line); err != nil {
		return err
	}
	return t.drive("way", filepath.Join(t.root, episode), &out.Episode)
}

// cut keeps of an episode's messages those before the first call, and the call
// of that number with its result.
func cut(text []byte, call int) ([]byte, error) {
	var log map[string]json.RawMessage
	var messages []json.RawMessage
	if err := json.Unmarshal(text, &log); err != nil {
		return nil, err
	}
	if err := json.Unmarshal(log["messages"], &messages); err != nil {
		return nil, err
	}
	first := slices.IndexFunc(messages, func(m json.RawMessage) bool { return bytes.Contains(m, []byte(`"tool_calls"`)) })
	from := first + 2*call
	if first < 0 || from+2 > len(messages) {
		return nil, fmt.Errorf("no call %d in the episode", call)
	}
	var err error
	if log["messages"], err = json.Marshal(append(messages[:first:first], messages[from:from+2]...)); err != nil {
		return nil, err
	}
	return json.Marshal(log)
}

// drive builds one of the programs in the copy, runs it and reads its answer.
func (t *tracer) drive(name, argument string, out any) error {
	exe := filepath.Join(t.dir, name)
	if _, err := command(t.to, "go", "build", "-trimpath", "-o", exe, "./"+drive+"/"+name); err != nil {
		return err
	}
	answer, err := command(t.to, exe, argument)
	if err != nil {
		return err
	}
	return json.Unmarshal(answer, out)
}

func write(name string, text []byte) error {
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		return err
	}
	return os.WriteFile(name, text, 0o644)
}

// command runs a program in a directory and returns what it printed.
func command(dir, name string, args ...string) ([]byte, error) {
	c := exec.Command(name, args...)
	c.Dir = dir
	var errs bytes.Buffer
	c.Stderr = &errs
	out, err := c.Output()
	if err != nil {
		return nil, fmt.Errorf("%s %s: %w\n%s", filepath.Base(name), strings.Join(args, " "), err, errs.Bytes())
	}
	return out, nil
}
