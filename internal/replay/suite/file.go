package suite

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"os"
	"path/filepath"
	"strings"

	"github.com/gbt-policy/gbt/gates"
	"github.com/gbt-policy/gbt/internal/redact"
)

// version is that of the files. A reader refuses files of another one.
const version = 1

// maxLine bounds a line. Contexts of real logs stay below a hundredth
// of it.
const maxLine = 16 << 20

// header is the first line of a file.
type header struct {
	Version int `json:"gbt_suite"`
}

// line is a case as a file has it. What a person reads stands first.
type line struct {
	ID      string          `json:"id,omitempty"`
	Kind    Kind            `json:"kind"`
	Call    string          `json:"call,omitempty"`
	AtMost  string          `json:"at_most,omitempty"`
	AtLeast string          `json:"at_least,omitempty"`
	Most    string          `json:"gates_at_most,omitempty"`
	Least   string          `json:"gates_at_least,omitempty"`
	Open    bool            `json:"open,omitempty"`
	Why     string          `json:"why,omitempty"`
	Basis   string          `json:"basis,omitempty"`
	Gates   []string        `json:"gates,omitempty"`
	Rules   []string        `json:"rules,omitempty"`
	Family  string          `json:"family,omitempty"`
	Steps   []string        `json:"steps,omitempty"`
	Macro   string          `json:"macro,omitempty"`
	Context json.RawMessage `json:"context,omitempty"`
}

// Problem is a line, or a file, that is no case.
type Problem struct {
	Origin Origin
	ID     string // that the line gives itself; empty if it does not
	Err    error
}

// Error says where, and what is wrong.
func (p *Problem) Error() string { return p.Origin.String() + ": " + p.Err.Error() }

// Unwrap returns what is wrong.
func (p *Problem) Unwrap() error { return p.Err }

// Read reads the cases of a file, or of all .jsonl files of a folder in the order
// of their names. What cannot be read is a *Problem, and the rest goes on. Cases
// whose id is not wanted are passed over, most of them unread: a part of a suite
// costs little more than its share. want may be nil, for all; of a line without an
// id that cannot be read it is asked about "".
func Read(name string, want func(id string) bool) iter.Seq2[*Case, error] {
	if want == nil {
		want = func(string) bool { return true }
	}
	return func(yield func(*Case, error) bool) {
		files, err := Files(name)
		if err != nil {
			if want("") {
				yield(nil, &Problem{Origin: Origin{File: name}, Err: err})
			}
			return
		}
		for _, file := range files {
			if !readFile(file, want, yield) {
				return
			}
		}
	}
}

// Files are the files of a suite, in the order in which Read reads them.
func Files(name string) ([]string, error) {
	st, err := os.Stat(name)
	if err != nil {
		return nil, cause(err)
	}
	if !st.IsDir() {
		return []string{name}, nil
	}
	entries, err := os.ReadDir(name)
	if err != nil {
		return nil, cause(err)
	}
	var out []string
	for _, e := range entries {
		if strings.HasSuffix(e.Name(), extension) {
			out = append(out, filepath.Join(name, e.Name()))
		}
	}
	if len(out) == 0 {
		return nil, errors.New("holds no suite: gbt distill --suite writes one")
	}
	return out, nil
}

// cause is an error without the name that stands before it.
func cause(err error) error {
	if pe := (*fs.PathError)(nil); errors.As(err, &pe) {
		return pe.Err
	}
	return err
}

func readFile(name string, want func(string) bool, yield func(*Case, error) bool) bool {
	f, err := os.Open(name)
	if err != nil {
		return !want("") || yield(nil, &Problem{Origin: Origin{File: name}, Err: cause(err)})
	}
	defer f.Close()
	return (&lines{name: name, in: bufio.NewReaderSize(f, 64<<10), want: want}).read(yield)
}

// lines is one file under way.
type lines struct {
	name string
	in   *bufio.Reader
	want func(id string) bool
}

// read reads the file. It reports whether the caller wants more.
func (l *lines) read(yield func(*Case, error) bool) bool {
	bad := func(n int, id string, err error) bool {
		return !l.want(id) || yield(nil, &Problem{Origin{l.name, n}, id, err})
	}
	data, err := nextLine(l.in)
	if err == io.EOF {
		err = errNoSuite
	}
	if err == nil {
		err = checkHeader(data)
	}
	if err != nil {
		return bad(1, "", err)
	}
	for n := 2; ; n++ {
		data, err := nextLine(l.in)
		if err == io.EOF {
			return true
		}
		more := true
		switch id := firstID(data); {
		case errors.Is(err, errLong):
			more = bad(n, "", err)
		case err != nil:
			return bad(n, "", err)
		case len(bytes.TrimSpace(data)) == 0 || id != "" && !l.want(id):
		default:
			c, err := parse(data)
			if err != nil {
				more = bad(n, id, err)
			} else if l.want(c.ID) {
				c.Origin = Origin{l.name, n}
				more = yield(c, nil)
			}
		}
		if !more {
			return false
		}
	}
}

// firstID is the id that a line gives itself, if that is where Write puts it. It
// only says who reads the line: what is read is held to it.
func firstID(data []byte) string {
	rest, ok := bytes.CutPrefix(data, []byte(`{"id":"`))
	if !ok || len(rest) <= idSize || rest[idSize] != '"' {
		return ""
	}
	return string(rest[:idSize])
}

var (
	errLong    = fmt.Errorf("a line of more than %d MiB", maxLine>>20)
	errNoSuite = errors.New("no suite: its first line must be {\"gbt_suite\":1}; gbt distill --suite writes one")
)

// nextLine returns a line without its end. One that is too long is passed over.
func nextLine(in *bufio.Reader) ([]byte, error) {
	var out []byte
	long := false
	for {
		part, err := in.ReadSlice('\n')
		if !long {
			out = append(out, part...)
		}
		if len(out) > maxLine {
			out, long = nil, true
		}
		switch {
		case err == bufio.ErrBufferFull:
			continue
		case err == io.EOF && (len(out) > 0 || long), err == nil:
			if long {
				return nil, errLong
			}
			return bytes.TrimSuffix(out, []byte("\n")), nil
		default:
			return nil, err
		}
	}
}

func checkHeader(data []byte) error {
	var h header
	if err := strict(data, &h); err != nil || h.Version == 0 {
		return errNoSuite
	}
	if h.Version != version {
		return fmt.Errorf("a suite of version %d, and this program reads %d: use the gbt that wrote it, or a newer one", h.Version, version)
	}
	return nil
}

// strict decodes one JSON value. A misspelt key would be a case that expects
// nothing, so unknown ones are refused.
func strict(data []byte, v any) error {
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	if err := d.Decode(v); err != nil {
		return err
	}
	if _, err := d.Token(); err != io.EOF {
		return errors.New("more than one JSON value in a line")
	}
	return nil
}

// parse reads one case.
func parse(data []byte) (*Case, error) {
	var l line
	if err := strict(data, &l); err != nil {
		return nil, err
	}
	c := &Case{
		Kind: l.Kind, Call: l.Call, Why: l.Why, Open: l.Open, Basis: l.Basis, Gates: l.Gates, Rules: l.Rules,
		Macro: l.Macro, Context: l.Context, Family: l.Family, Steps: l.Steps,
	}
	if err := c.wanted(&l); err != nil {
		return nil, err
	}
	if err := c.gated(&l); err != nil {
		return nil, err
	}
	if err := c.about(); err != nil {
		return nil, err
	}
	c.ID = c.id()
	if l.ID != "" && l.ID != c.ID {
		return nil, fmt.Errorf("id is %q and would be %s: the case was changed; leave the id out if it is meant as another one", l.ID, c.ID)
	}
	return c, nil
}

// wanted reads what the case expects.
func (c *Case) wanted(l *line) error {
	text, key := "", ""
	switch {
	case c.Kind == Unsafe && l.AtLeast == "" && (l.AtMost != "") != l.Open:
		text, key = l.AtMost, "at_most"
	case c.Kind == Benign && l.AtMost == "" && l.AtLeast != "" && !l.Open:
		text, key = l.AtLeast, "at_least"
	case c.Kind == Path && l.AtMost == "" && l.AtLeast == "" && !l.Open:
		return nil
	case c.Kind == Unsafe:
		return errors.New(`an unsafe case has either at_most or "open":true`)
	case c.Kind == Benign:
		return errors.New("a benign case has at_least and no other expectation")
	case c.Kind == Path:
		return errors.New("a path has no at_most, at_least or open")
	default:
		return fmt.Errorf("kind is %q and can be unsafe, benign or path", l.Kind)
	}
	if l.Open {
		return nil
	}
	want, err := bound(key, text)
	if err != nil {
		return err
	}
	if c.Kind == Unsafe && want == gates.Approved {
		return errors.New(`at_most approved expects nothing: write "open":true of a call that is let pass`)
	}
	c.Want = want
	return nil
}

// gated reads what the case expects of the gates alone; nothing if it does not say.
func (c *Case) gated(l *line) (err error) {
	if l.Least != "" && c.Kind != Benign || l.Most != "" && (c.Kind != Unsafe || c.Open) {
		return errors.New("gates_at_most stands beside at_most, gates_at_least beside at_least")
	}
	if c.Kind == Unsafe {
		c.Gated = gates.Approved
	}
	switch {
	case l.Most != "":
		c.Gated, err = bound("gates_at_most", l.Most)
	case l.Least != "":
		c.Gated, err = bound("gates_at_least", l.Least)
	}
	return err
}

func bound(key, text string) (gates.Disposition, error) {
	d, ok := disposition(text)
	if !ok {
		return 0, fmt.Errorf("%s is %q and can be rejected, revision_required, approved_with_constraints or approved", key, text)
	}
	return d, nil
}

func disposition(text string) (gates.Disposition, bool) {
	for d := gates.Rejected; d <= gates.Approved; d++ {
		if d.String() == text {
			return d, true
		}
	}
	return 0, false
}

// about checks what the case is about.
func (c *Case) about() error {
	if c.Kind == Path {
		if len(c.Steps) == 0 || c.Family == "" || c.Context != nil || c.Macro != "" {
			return errors.New("a path has family and steps, and no context or macro")
		}
		return nil
	}
	if c.Family != "" || c.Steps != nil {
		return errors.New("a call has no family and no steps")
	}
	x, err := gates.ParseContext(c.Context)
	if err != nil {
		return fmt.Errorf("context: %w", err)
	}
	// A case with a plain value would carry it into a repository, and a gate sees
	// redacted ones alone when it is learned.
	if y := redact.Context(&x); !bytes.Equal(y.AppendCanonical(nil), c.Context) {
		return errors.New("context: it holds a value that is not redacted; gbt distill --suite writes redacted ones")
	}
	c.read = x
	return nil
}

// appendLine appends a case as a line.
func (c *Case) appendLine(b *bytes.Buffer) error {
	l := line{
		ID: c.ID, Kind: c.Kind, Call: c.Call, Open: c.Open, Why: c.Why, Basis: c.Basis, Gates: c.Gates, Rules: c.Rules,
		Family: c.Family, Steps: c.Steps, Macro: c.Macro, Context: c.Context,
	}
	switch {
	case c.Kind == Unsafe && !c.Open:
		l.AtMost = c.Want.String()
		if c.Gated < gates.Approved {
			l.Most = c.Gated.String()
		}
	case c.Kind == Benign:
		l.AtLeast, l.Least = c.Want.String(), c.Gated.String()
	}
	enc := json.NewEncoder(b)
	enc.SetEscapeHTML(false)
	return enc.Encode(&l)
}

const extension = ".jsonl"

// fileOf names the file of a kind. Unsafe and benign cases stand apart, so that
// a change that loosens is seen by the file's name.
func fileOf(k Kind) string { return string(k) + extension }
