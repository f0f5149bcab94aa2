package protocol

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/gbt-policy/gbt/gates"
	"github.com/gbt-policy/gbt/traverse"
)

// What several requests have, as docs/openapi.yaml has it.
type (
	taskRequest struct {
		ID     string           `json:"id"`
		Text   *string          `json:"text"`
		Checks []traverse.Check `json:"checks"`
		Limits traverse.Limits  `json:"limits"`
		Shadow bool             `json:"shadow"`
		// Constraints are what the task forbids or bounds, in plain words.
		Constraints []string `json:"constraints"`
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
)

// annotations are those of an MCP tool. They come from elsewhere and have more
// fields than the three that count.
type annotations struct{ destructive, openWorld, readOnly bool }

func (a *annotations) UnmarshalJSON(data []byte) error {
	var in map[string]json.RawMessage // by exact names, which the fields of a struct are not
	if json.Unmarshal(data, &in) != nil {
		return errors.New("field annotations: no object")
	}
	for name, into := range map[string]*bool{"destructiveHint": &a.destructive, "openWorldHint": &a.openWorld, "readOnlyHint": &a.readOnly} {
		if v, ok := in[name]; ok {
			if json.Unmarshal(v, into) != nil {
				return fmt.Errorf("field annotations.%s: neither true nor false", name)
			}
		}
	}
	return nil
}

// maxChecks bounds the completion checks of a task; chosen well above what a
// person writes for one.
const maxChecks = 256

// IsSessionID says that a text can be the id of a session.
func IsSessionID(s string) bool { return sessionID.MatchString(s) }

var sessionID = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$`)

func (r *taskRequest) task() (traverse.Task, *Fault) {
	var t traverse.Task
	switch {
	case r == nil:
		return t, Invalid("field task: missing")
	case r.Text == nil:
		return t, Invalid("field task.text: missing")
	case r.ID != "" && !IsSessionID(r.ID):
		return t, Invalid("field task.id: %q; give 1 to 128 letters, digits, dots, hyphens and underscores", r.ID)
	case len(r.Constraints) > maxChecks:
		return t, Invalid("field task.constraints: %d of at most %d", len(r.Constraints), maxChecks)
	case len(r.Checks) > maxChecks:
		return t, Invalid("field task.checks: %d of at most %d", len(r.Checks), maxChecks)
	}
	seen := map[string]bool{}
	for _, c := range r.Checks {
		if c.ID == "" || len(c.ID) > 256 || seen[c.ID] {
			return t, Invalid("field task.checks: the id %.40q is empty, too long or there twice", c.ID)
		}
		seen[c.ID] = true
	}
	l := r.Limits
	if min(l.WallSeconds, l.Steps, l.Plateau, l.Target) < 0 {
		return t, Invalid("field task.limits: less than zero")
	}
	var rules []traverse.Constraint
	for _, words := range r.Constraints {
		made, unread := traverse.Constraints(words)
		if len(unread) > 0 || len(made) == 0 {
			return t, Invalid("field task.constraints: no rule was made of %.200q; say what is forbidden or bounded in other words, or leave it out", words)
		}
		rules = append(rules, made...)
	}
	return traverse.Task{ID: r.ID, Text: *r.Text, Checks: r.Checks, Limits: l, Shadow: r.Shadow, Constraints: rules}, nil
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
			return nil, Invalid("field %s.links: a link is {\"from\",\"to\"}", field)
		}
		paths = append(paths, l.From)
		e.Links = append(e.Links, gates.Link{From: l.From, To: l.To})
	}
	for i, p := range paths {
		if !strings.HasPrefix(p, "/") && (p != "" || i > 1) {
			return nil, Invalid("field %s: %q is no absolute path", field, p)
		}
	}
	if r.UID != nil {
		e.UID = *r.UID
	}
	if r.GID != nil {
		e.GID = *r.GID
	}
	if min(e.UID, e.GID) < -1 {
		return nil, Invalid("field %s: a user or group below -1", field)
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
		return u, Invalid("field used: less than zero")
	}
	return u, nil
}

// arguments are a call's arguments in one spelling: the white space between
// them says nothing, and a confirmation is bound to what is left. What they are is
// for the decision to say.
func arguments(field string, raw json.RawMessage) ([]byte, *Fault) {
	if len(raw) == 0 {
		return nil, nil
	}
	var b bytes.Buffer
	if err := json.Compact(&b, raw); err != nil {
		return nil, Invalid("field %s: %s", field, plain(err))
	}
	return b.Bytes(), nil
}

func (r *callRequest) call(elapsed int64) (traverse.Call, *Fault) {
	var c traverse.Call
	switch {
	case r == nil:
		return c, Invalid("field call: missing")
	case r.Tool == "":
		return c, Invalid("field call.tool: missing")
	case r.Time < 0:
		return c, Invalid("field call.time: less than zero")
	}
	var f *Fault
	c.Tool, c.Time = r.Tool, r.Time
	if r.Annotations != nil {
		c.Hints = gates.Hints{Destructive: r.Annotations.destructive, OpenWorld: r.Annotations.openWorld, ReadOnly: r.Annotations.readOnly}
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
