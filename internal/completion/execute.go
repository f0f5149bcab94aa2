package completion

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"strconv"
	"strings"
	"sync"

	"github.com/gbt-policy/gbt/internal/redact"
	"github.com/gbt-policy/gbt/traverse"
)

// Host is where checks are executed: the place where the calls of a run are.
type Host interface {
	// Command runs a command line.
	Command(ctx context.Context, line string) (Output, error)
	// ReadFile returns what a file holds; its error wraps fs.ErrNotExist where there is none.
	ReadFile(ctx context.Context, name string) ([]byte, error)
	// Variable returns an environment variable of commands, and whether it is set.
	Variable(ctx context.Context, name string) (value string, set bool, err error)
}

// Output is what came of a command.
type Output struct {
	Text  string
	Exit  int
	Ended bool // with a status of its own: it was not killed and did start
	Wrote bool // files changed
}

// Result is what came of a check.
type Result struct {
	Passed   bool
	Evidence traverse.Evidence
	Wrote    bool   // the check itself changed files
	Why      string // why it did not pass, for people
	Text     string // what a command printed, with its secrets
	Missing  bool   // the program that a command begins with is not there
}

// Execute executes one check. An error says that the host failed; such a check was not
// executed.
func Execute(ctx context.Context, h Host, c *traverse.Check) (Result, error) {
	switch {
	case c.File != nil:
		return file(ctx, h, c.File)
	case c.Value != nil:
		return value(ctx, h, c.Value)
	case strings.TrimSpace(c.Text) == "":
		return Result{}, fmt.Errorf("check %s has nothing to execute", c.ID)
	}
	return command(ctx, h, c)
}

// The statuses by which a shell says that a program was not found or cannot be run
// (POSIX.1-2017, XCU 2.8.2).
const (
	exitNotExecutable = 126
	exitNotFound      = 127
)

func command(ctx context.Context, h Host, c *traverse.Check) (Result, error) {
	out, err := h.Command(ctx, c.Text)
	if err != nil {
		return Result{}, err
	}
	r := Result{Evidence: evidence([]byte(out.Text)), Wrote: out.Wrote, Text: out.Text}
	if out.Ended {
		r.Evidence.Exit = &out.Exit
		r.Missing = (out.Exit == exitNotFound || out.Exit == exitNotExecutable) && c.Exit != out.Exit
	}
	r.Passed = out.Ended && out.Exit == c.Exit
	switch {
	case !out.Ended:
		r.Why = "it did not end by itself"
	case !r.Passed:
		r.Why = "it ended with status " + strconv.Itoa(out.Exit) + " and not " + strconv.Itoa(c.Exit)
	}
	return r, nil
}

func file(ctx context.Context, h Host, f *traverse.FileCheck) (Result, error) {
	data, err := h.ReadFile(ctx, f.Path)
	there := !errors.Is(err, fs.ErrNotExist)
	if err != nil && there {
		return Result{}, err
	}
	r := Result{Why: fileFault(f, there, data)}
	if there {
		r.Evidence = evidence(data)
	}
	r.Passed = r.Why == ""
	return r, nil
}

func fileFault(f *traverse.FileCheck, there bool, data []byte) string {
	sum := sha256.Sum256(data)
	switch {
	case f.Absent && there:
		return f.Path + " is there"
	case f.Absent:
		return ""
	case !there:
		return f.Path + " is not there"
	case f.SHA256 != "" && !strings.EqualFold(f.SHA256, hex.EncodeToString(sum[:])):
		return f.Path + " holds something else"
	case f.Contains != "" && !bytes.Contains(data, []byte(f.Contains)):
		return f.Path + " does not contain " + strconv.Quote(f.Contains)
	case f.Lacks != "" && bytes.Contains(data, []byte(f.Lacks)):
		return f.Path + " contains " + strconv.Quote(f.Lacks)
	}
	return ""
}

func value(ctx context.Context, h Host, v *traverse.ValueCheck) (Result, error) {
	got, set, err := valueOf(ctx, h, v)
	if err != nil {
		return Result{}, err
	}
	r := Result{Passed: set && got == v.Equals}
	switch {
	case !set:
		r.Why = "there is no such value"
	case !r.Passed:
		r.Why = "it is something else than " + strconv.Quote(v.Equals)
	}
	if set {
		r.Evidence = evidence([]byte(got))
	}
	return r, nil
}

func valueOf(ctx context.Context, h Host, v *traverse.ValueCheck) (string, bool, error) {
	if v.Env != "" {
		return h.Variable(ctx, v.Env)
	}
	data, err := h.ReadFile(ctx, v.JSON)
	if errors.Is(err, fs.ErrNotExist) {
		return "", false, nil
	}
	if err != nil {
		return "", false, err
	}
	got, set := pointer(data, v.At)
	return got, set, nil
}

// pointer is what stands at a place of a JSON document (RFC 6901): the text itself
// where it is text, else its JSON.
func pointer(data []byte, at string) (string, bool) {
	var doc json.RawMessage
	if json.Unmarshal(data, &doc) != nil {
		return "", false
	}
	for _, part := range strings.Split(at, "/")[1:] {
		next, ok := step(doc, strings.NewReplacer("~1", "/", "~0", "~").Replace(part))
		if !ok {
			return "", false
		}
		doc = next
	}
	var text string
	if json.Unmarshal(doc, &text) == nil && len(doc) > 0 && doc[0] == '"' {
		return text, true
	}
	var flat bytes.Buffer
	if json.Compact(&flat, doc) != nil {
		return "", false
	}
	return flat.String(), true
}

func step(doc json.RawMessage, name string) (json.RawMessage, bool) {
	var object map[string]json.RawMessage
	if json.Unmarshal(doc, &object) == nil && object != nil {
		next, ok := object[name]
		return next, ok
	}
	var list []json.RawMessage
	i, err := strconv.Atoi(name)
	if json.Unmarshal(doc, &list) != nil || err != nil || i < 0 || i >= len(list) {
		return nil, false
	}
	return list[i], true
}

// head is how much of what came out is kept.
const head = 400

// evidence keeps the digest of all bytes and the beginning, without secrets.
func evidence(data []byte) traverse.Evidence {
	sum := sha256.Sum256(data)
	return traverse.Evidence{Digest: hex.EncodeToString(sum[:]), Head: Head(string(data))}
}

// Head is the beginning of a text without secrets. They are looked for past its end
// too, so that none is cut in two and kept.
func Head(text string) string {
	text = detector().Log(strings.ToValidUTF8(text[:min(len(text), 4*head)], ""))
	return strings.ToValidUTF8(text[:min(len(text), head)], "")
}

var detector = sync.OnceValue(func() *redact.Detector {
	d, err := redact.New()
	if err != nil {
		panic("gbt: internal error: " + err.Error())
	}
	return d
})
