package serve

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	strict "github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/gbt-policy/gbt/gates"
	"github.com/gbt-policy/gbt/gates/call"
	"github.com/gbt-policy/gbt/gates/effect"
	"github.com/gbt-policy/gbt/traverse"
)

// The requests, as docs/openapi.yaml has them.
type (
	startRequest struct {
		Task *taskRequest `json:"task"`
		Env  *envRequest  `json:"env"`
	}
	taskRequest struct {
		ID     string           `json:"id"`
		Text   *string          `json:"text"`
		Checks []traverse.Check `json:"checks"`
		Limits traverse.Limits  `json:"limits"`
		Shadow bool             `json:"shadow"`
	}
	envRequest struct {
		Cwd   string        `json:"cwd"`
		Home  string        `json:"home"`
		Roots []string      `json:"roots"`
		Links []linkRequest `json:"links"`
		UID   *int          `json:"uid"`
		GID   *int          `json:"gid"`
		Tools []string      `json:"tools"`
	}
	linkRequest struct {
		From string `json:"from"`
		To   string `json:"to"`
	}
	usageRequest struct {
		Seconds *int64 `json:"seconds"`
		Tokens  int64  `json:"tokens"`
	}
	callRequest struct {
		Tool        string          `json:"tool"`
		Args        json.RawMessage `json:"args"`
		Annotations *annotations    `json:"annotations"`
		Env         *envRequest     `json:"env"`
		Time        int64           `json:"time"`
		Used        usageRequest    `json:"used"`
	}
	proposeRequest struct {
		Text  *string         `json:"text"`
		Tool  string          `json:"tool"`
		Args  json.RawMessage `json:"args"`
		Used  usageRequest    `json:"used"`
		Score int64           `json:"score"`
	}
	checkRequest struct {
		Call *callRequest `json:"call"`
	}
	checkCallRequest struct {
		Call      *callRequest `json:"call"`
		Task      string       `json:"task"`
		Untrusted []string     `json:"untrusted"`
	}
	confirmRequest struct {
		Confirmation string `json:"confirmation"`
		Agreed       *bool  `json:"agreed"`
	}
	observeRequest struct {
		Call   *callRequest   `json:"call"`
		Result *resultRequest `json:"result"`
	}
	resultRequest struct {
		Blocked bool           `json:"blocked"`
		Output  string         `json:"output"`
		Error   string         `json:"error"`
		Deltas  []deltaRequest `json:"deltas"`
		Pids    []int          `json:"pids"`
		Used    usageRequest   `json:"used"`
	}
	deltaRequest struct {
		Kind     string `json:"kind"`
		Resource string `json:"resource"`
	}
	reportRequest struct {
		ID     string `json:"id"`
		Passed *bool  `json:"passed"`
	}
	finishRequest struct{}
)

// annotations are those of an MCP tool. They come from elsewhere and have more
// fields than the two that raise a risk.
type annotations struct{ destructive, openWorld bool }

func (a *annotations) UnmarshalJSON(data []byte) error {
	var in struct {
		Destructive bool `json:"destructiveHint"`
		OpenWorld   bool `json:"openWorldHint"`
	}
	err := strict.Unmarshal(data, &in, jsontext.AllowInvalidUTF8(true)) // by exact names
	a.destructive, a.openWorld = in.Destructive, in.OpenWorld
	return err
}

// maxChecks bounds the completion checks of a task; chosen well above what a
// person writes for one.
const maxChecks = 256

// decode reads one JSON object into a request and refuses what is not in it, and
// names that are there twice or in another letter case. encoding/json, which takes
// them, words what is wrong otherwise.
func decode(body []byte, into any) *Fault {
	if !utf8.Valid(body) {
		return invalid("the body is not UTF-8")
	}
	// A lone surrogate is U+FFFD, as it is for most writers and readers of JSON.
	if strict.Unmarshal(body, into, strict.RejectUnknownMembers(true), jsontext.AllowInvalidUTF8(true)) == nil {
		if t := bytes.TrimLeft(body, " \t\r\n"); t[0] == '{' {
			return nil
		}
	}
	if f := worded(body, reflect.New(reflect.TypeOf(into).Elem()).Interface()); f != nil {
		return f
	}
	return invalid("a name is there twice, or in other letters than it should be")
}

func worded(body []byte, into any) *Fault {
	if t := bytes.TrimLeft(body, " \t\r\n"); len(t) == 0 || t[0] != '{' {
		return invalid("the body is no JSON object")
	}
	d := json.NewDecoder(bytes.NewReader(body))
	d.DisallowUnknownFields()
	if err := d.Decode(into); err != nil {
		return invalid("%s", plain(err))
	}
	if _, err := d.Token(); err != io.EOF {
		return invalid("something follows the JSON object")
	}
	return nil
}

// plain is an error of encoding/json without the names of Go's types.
func plain(err error) string {
	var typ *json.UnmarshalTypeError
	var syntax *json.SyntaxError
	switch {
	case errors.As(err, &typ):
		return fmt.Sprintf("field %s: %s does not belong here", typ.Field, typ.Value)
	case errors.As(err, &syntax):
		return fmt.Sprintf("not JSON: byte %d: %s", syntax.Offset, syntax.Error())
	case errors.Is(err, io.ErrUnexpectedEOF):
		return "not JSON: it ends too early"
	}
	return strings.TrimPrefix(strings.TrimPrefix(err.Error(), "json: "), "jsontext: ")
}

var sessionID = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$`)

func (r *taskRequest) task() (traverse.Task, *Fault) {
	var t traverse.Task
	switch {
	case r == nil:
		return t, invalid("field task: missing")
	case r.Text == nil:
		return t, invalid("field task.text: missing")
	case r.ID != "" && !sessionID.MatchString(r.ID):
		return t, invalid("field task.id: %q; give 1 to 128 letters, digits, dots, hyphens and underscores", r.ID)
	case len(r.Checks) > maxChecks:
		return t, invalid("field task.checks: %d of at most %d", len(r.Checks), maxChecks)
	}
	seen := map[string]bool{}
	for _, c := range r.Checks {
		if c.ID == "" || len(c.ID) > 256 || seen[c.ID] {
			return t, invalid("field task.checks: the id %.40q is empty, too long or there twice", c.ID)
		}
		seen[c.ID] = true
	}
	l := r.Limits
	if min(l.WallSeconds, l.Steps, l.Plateau, l.Target) < 0 {
		return t, invalid("field task.limits: less than zero")
	}
	return traverse.Task{ID: r.ID, Text: *r.Text, Checks: r.Checks, Limits: l, Shadow: r.Shadow}, nil
}

// env is the environment told, or nil.
func (r *envRequest) env(field string) (*traverse.Env, *Fault) {
	if r == nil {
		return nil, nil
	}
	e := &traverse.Env{Cwd: r.Cwd, Home: r.Home, Roots: r.Roots, Tools: r.Tools, UID: -1, GID: -1}
	paths := slices.Concat([]string{r.Cwd, r.Home}, r.Roots)
	for _, l := range r.Links {
		if l.From == "" || l.To == "" {
			return nil, invalid("field %s.links: a link is {\"from\",\"to\"}", field)
		}
		paths = append(paths, l.From)
		e.Links = append(e.Links, gates.Link{From: l.From, To: l.To})
	}
	for i, p := range paths {
		if !strings.HasPrefix(p, "/") && (p != "" || i > 1) {
			return nil, invalid("field %s: %q is no absolute path", field, p)
		}
	}
	if r.UID != nil {
		e.UID = *r.UID
	}
	if r.GID != nil {
		e.GID = *r.GID
	}
	if min(e.UID, e.GID) < -1 {
		return nil, invalid("field %s: a user or group below -1", field)
	}
	return e, nil
}

// usage is what was used; the wall time is the server's measure, or what the client
// tells where that is more: it may not wind the clock back.
func (r *usageRequest) usage(elapsed int64) (traverse.Usage, *Fault) {
	u := traverse.Usage{Seconds: elapsed, Tokens: r.Tokens}
	if r.Seconds != nil {
		u.Seconds = max(elapsed, *r.Seconds)
	}
	if u.Tokens < 0 || r.Seconds != nil && *r.Seconds < 0 {
		return u, invalid("field used: less than zero")
	}
	return u, nil
}

// arguments are a call's arguments in one spelling: the white space between
// them says nothing, and a confirmation is bound to what is left.
func arguments(field string, raw json.RawMessage) ([]byte, *Fault) {
	if len(raw) == 0 || string(raw) == "null" {
		return nil, nil
	}
	if raw[0] != '{' && raw[0] != '"' {
		return nil, invalid("field %s: neither an object nor a string", field)
	}
	if why := call.Doubt(raw); why != "" {
		return nil, invalid("field %s: %s", field, why)
	}
	var b bytes.Buffer
	if err := json.Compact(&b, raw); err != nil {
		return nil, invalid("field %s: %s", field, plain(err))
	}
	return b.Bytes(), nil
}

func (r *callRequest) call(elapsed int64) (traverse.Call, *Fault) {
	var c traverse.Call
	switch {
	case r == nil:
		return c, invalid("field call: missing")
	case r.Tool == "":
		return c, invalid("field call.tool: missing")
	case r.Time < 0:
		return c, invalid("field call.time: less than zero")
	}
	var f *Fault
	c.Tool, c.Time = r.Tool, r.Time
	if r.Annotations != nil {
		c.Hints = gates.Hints{Destructive: r.Annotations.destructive, OpenWorld: r.Annotations.openWorld}
	}
	if c.Args, f = arguments("call.args", r.Args); f != nil {
		return c, f
	}
	if c.Env, f = r.Env.env("call.env"); f != nil {
		return c, f
	}
	c.Used, f = r.Used.usage(elapsed)
	return c, f
}

func (r *proposeRequest) proposal(elapsed int64) (traverse.Proposal, *Fault) {
	p := traverse.Proposal{Tool: r.Tool, Score: r.Score}
	if r.Text == nil && r.Tool == "" {
		return p, invalid("fields text and tool: one of them is needed")
	}
	if r.Text != nil {
		p.Text = *r.Text
	}
	if r.Tool == "" && len(r.Args) > 0 {
		return p, invalid("field args: without tool")
	}
	var f *Fault
	if p.Args, f = arguments("args", r.Args); f != nil {
		return p, f
	}
	p.Used, f = r.Used.usage(elapsed)
	return p, f
}

func (r *resultRequest) result(elapsed int64) (traverse.Result, *Fault) {
	if r == nil {
		return traverse.Result{}, invalid("field result: missing")
	}
	out := traverse.Result{Blocked: r.Blocked, Output: []byte(r.Output), Error: r.Error, Pids: r.Pids}
	if r.Deltas != nil {
		out.Deltas = []traverse.Delta{}
	}
	for _, d := range r.Deltas {
		kind, ok := deltaKind(d.Kind)
		if !ok {
			return out, invalid("field result.deltas: kind %q is none of %s", d.Kind, strings.Join(deltaKinds(), ", "))
		}
		out.Deltas = append(out.Deltas, traverse.Delta{Kind: kind, Resource: d.Resource})
	}
	for _, p := range r.Pids {
		if p < 0 {
			return out, invalid("field result.pids: less than zero")
		}
	}
	var f *Fault
	out.Used, f = r.Used.usage(elapsed)
	return out, f
}

// deltaKinds are the names of the kinds of changes, in order of their values.
func deltaKinds() []string {
	var out []string
	for d := effect.DeltaUnknown; d <= effect.DeltaNavigate; d++ {
		out = append(out, d.String())
	}
	return out
}

func deltaKind(name string) (effect.Delta, bool) {
	i := slices.Index(deltaKinds(), name)
	return effect.Delta(max(i, 0)), i >= 0
}
