package main

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/gbt-policy/gbt/artifacts"
	"github.com/gbt-policy/gbt/distill"
	"github.com/gbt-policy/gbt/gates"
	"github.com/gbt-policy/gbt/gates/effect"
	"github.com/gbt-policy/gbt/internal/gates/reply"
	"github.com/gbt-policy/gbt/internal/gates/source"
	"github.com/gbt-policy/gbt/internal/rulebook"
)

// checkerFlags say what decides; gbt check and gbt explain share them.
func checkerFlags() []cli.Flag {
	return append(guardFlags(),
		&cli.StringFlag{Name: "profile", Usage: "workspace, strict, apps or observe, over policy and configuration"},
		&cli.StringSliceFlag{Name: "root", Usage: "a workspace root `DIR` (may be given again)"},
		&cli.StringFlag{Name: "home", Usage: "the home directory `DIR` of calls that name none"},
		&cli.StringFlag{Name: "content", Usage: "ask a classifier about what calls send: none, secrets, or openai as --config sets it"},
		&cli.BoolFlag{Name: "strict", Usage: "ask the gates of every node, not only global ones"},
	)
}

// guardFlags say by which settings the guard decides.
func guardFlags() []cli.Flag {
	return []cli.Flag{
		&cli.StringFlag{Name: "policy", Usage: "decide by the policy in `FILE`: its guardrail settings, tool schemas and gates"},
		trustFlag("a policy"), needFlag(), minSequenceFlag(), seenFlag(),
		&cli.StringFlag{Name: "config", Usage: "read guardrail and tools from `FILE` (see gbt init), in place of a policy; without either, from ./gbt.yaml if you accepted it (gbt init does, gbt rules trust too)"},
	}
}

// judge is what decides in this run.
type judge struct {
	checker *gates.Checker
	books   map[string]*rulebook.Book // people's rules, by the roots they hold for
	digest  string                    // of the policy or configuration
	content *contentGate
	roots   []string
	home    string

	settings distill.ContentConfig
	seal     *artifacts.Content // the policy's content gate, nil for none
}

func newJudge(e *env, c *cli.Context) (*judge, error) {
	if err := foundConfig(e, c); err != nil {
		return nil, err
	}
	if c.String("policy") != "" && c.String("config") != "" {
		return nil, fail(exitUsage, "--policy and --config exclude each other: a policy holds its settings")
	}
	if c.String("policy") == "" {
		if err := trustNeedsPolicy(c); err != nil {
			return nil, err
		}
	}
	j := &judge{home: c.String("home"), settings: distill.DefaultConfig().Content}
	var err error
	if c.String("policy") != "" {
		err = j.fromPolicy(e, c)
	} else {
		err = j.fromConfig(c)
	}
	if err != nil {
		return nil, err
	}
	return j, j.overrides(c)
}

func (j *judge) fromPolicy(e *env, c *cli.Context) error {
	p, info, err := openDoor(e, c.String("policy"), trustOf(c))
	if err != nil {
		return err
	}
	if j.checker, err = artifacts.NewChecker(p); err != nil {
		return fail(exitInput, "%s: %v", c.String("policy"), err)
	}
	j.digest, j.roots = info.Digest, p.Guardrail.Roots
	return j.sealed(c, &p.Guardrail.Content)
}

// sealed takes the content gate of a policy over; nothing on the command line may
// put another in its place.
func (j *judge) sealed(c *cli.Context, g *artifacts.Content) error {
	if !g.Set() {
		return nil
	}
	if c.IsSet("content") {
		return fail(exitUsage, "--content: the policy has a content gate of its own (%s)", g.Classifier)
	}
	j.settings = distill.ContentConfig{Classifier: g.Classifier, URL: g.URL, Model: g.Model, KeyEnv: g.KeyEnv, Timeout: int(g.Timeout)}
	j.checker.Asks, j.seal = true, g
	return nil
}

func (j *judge) fromConfig(c *cli.Context) error {
	cfg, err := readConfigFile(c)
	if err != nil {
		return err
	}
	if j.checker, err = cfg.Checker(); err != nil {
		return fail(exitUsage, "%v", err)
	}
	j.roots = cfg.Guardrail.Roots
	j.settings = cfg.Content
	said := []any{cfg.Guardrail, cfg.Tools}
	if len(cfg.Servers) > 0 {
		said = append(said, cfg.Servers)
	}
	settings, err := json.Marshal(said)
	if err != nil {
		return err
	}
	sum := sha256.Sum256(settings)
	j.digest = "config:" + hex.EncodeToString(sum[:])
	return nil
}

func (j *judge) overrides(c *cli.Context) error {
	if name := c.String("profile"); name != "" {
		p, ok := gates.ParseProfile(name)
		if !ok {
			return fail(exitUsage, "--profile is %q: give workspace, strict, apps or observe", name)
		}
		j.checker.Guardrail.Profile = p
		j.digest += "+profile:" + name
	}
	if c.Bool("strict") {
		j.checker.Strict = true
		j.digest += "+strict"
	}
	if err := j.contentGate(c); err != nil {
		return err
	}
	for i, dir := range c.StringSlice("root") {
		abs, err := filepath.Abs(dir)
		if err != nil {
			return fail(exitUsage, "--root %s: %v", dir, err)
		}
		if home, _ := os.UserHomeDir(); effect.TooWide(filepath.ToSlash(abs), home) {
			return fail(exitUsage, "--root %s: %s", dir, effect.WhyTooWide)
		}
		if i == 0 {
			j.roots = nil
		}
		j.roots = append(j.roots, filepath.ToSlash(abs))
	}
	return nil
}

func (j *judge) contentGate(c *cli.Context) error {
	if name := c.String("content"); name != "" {
		j.settings.Classifier = name
	}
	if err := j.settings.Check(); err != nil {
		return fail(exitUsage, "%v", err)
	}
	var err error
	if j.content, err = newContentGate(&j.settings); err != nil {
		return err
	}
	if j.seal != nil {
		if answers, question := j.content.gate.Digests(); !bytes.Equal(answers, j.seal.Answers) || !bytes.Equal(question, j.seal.Template) {
			return fail(exitInput, "the policy's content gate was sealed with classifier %x and question %x, and this gbt asks %x with %x: seal it anew", j.seal.Answers[:8], j.seal.Template[:8], answers[:8], question[:8])
		}
	}
	if j.content != nil {
		j.digest += "+content:" + j.content.gate.Classifier.Digest()[:16]
	}
	return nil
}

// decide builds a call's context and judges it.
func (j *judge) decide(ctx context.Context, in *callInput, s *session) (*gates.Context, *gates.Decision, *contentJSON) {
	s.hear(in)
	here := j.placeOf(in)
	state := gates.State{Cwd: in.Cwd, Home: in.Home, Roots: in.Roots, Links: in.Links, UID: in.UID, GID: in.GID, Facts: rulebook.Facts(cmp.Or(in.Cwd, here)), Compiled: source.Reader{}}
	s.past.Before(&state)
	if len(state.Roots) == 0 {
		state.Roots = j.roots
	}
	if state.Home == "" {
		state.Home = j.home
	}
	var c gates.Context
	if in.Shell {
		c = gates.ShellContext(in.Command, state)
	} else {
		c = j.checker.Context(gates.Request{Tool: in.Tool, Args: in.Args, Hints: in.Hints}, state)
	}
	k := *j.checker
	if k.Rules = j.rulesAt(c.Roots); here != "" {
		k.Rules = j.rulesAt([]string{projectRoot(here)})
	}
	d := k.Check(&c, nil)
	asked := j.content.ask(ctx, &c, &d)
	return &c, &d, asked
}

// placeOf is where this program was started, for a call that does not say where it runs:
// people's rules of that project hold for it. It is empty for every other call.
func (j *judge) placeOf(in *callInput) string {
	if in.Cwd != "" || len(in.Roots) > 0 || len(j.roots) > 0 {
		return ""
	}
	cwd, err := os.Getwd()
	if err != nil {
		return ""
	}
	return filepath.ToSlash(cwd)
}

// rulesAt are the rules of people that hold in a workspace.
func (j *judge) rulesAt(roots []string) *rulebook.Book {
	if j.books == nil {
		j.books = map[string]*rulebook.Book{}
	}
	key := strings.Join(roots, "\x00")
	if j.books[key] == nil {
		j.books[key] = rulebook.Open(roots)
	}
	return j.books[key]
}

// rulesHere are the rules of people for a program that works in one place: in the roots
// that it was given, or where it was started.
func rulesHere(roots []string) *rulebook.Book {
	if cwd, err := os.Getwd(); err == nil && len(roots) == 0 {
		roots = []string{filepath.ToSlash(cwd)}
	}
	return rulebook.Open(roots)
}

// answer is a decision as gbt check prints it.
type answer struct {
	ID json.RawMessage `json:"-"` // written as it came, down to its spaces
	reply.Decision
	Content *contentJSON `json:"content,omitempty"`
	// Confirmation names exactly this call: a host that has the user's consent
	// sends the call again with it, once (requirement V4).
	Confirmation string `json:"confirmation,omitempty"`
	Confirmed    bool   `json:"confirmed,omitempty"`
	// Offer is what a yes for the session is remembered for, to be shown to the person.
	Offer      string `json:"offer,omitempty"`
	ForSession bool   `json:"for_session,omitempty"` // such a yes let the call pass
	// Template names the calls of the same kind, where there are such: a person's
	// consent to repeats names it (requirement V3).
	Template    string `json:"template,omitempty"`
	RepeatsLeft *int   `json:"repeats_left,omitempty"` // set where such a consent let the call pass
}

func (j *judge) answer(id json.RawMessage, c *gates.Context, d *gates.Decision) *answer {
	return &answer{ID: orNull(id), Decision: reply.Of(c, d, d.ID(c, j.digest))}
}

// write writes the answer as one line.
func (a *answer) write(out *bufio.Writer) error {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(a); err != nil {
		return err
	}
	out.WriteString(`{"id":`)
	out.Write(a.ID)
	out.WriteByte(',')
	_, err := out.Write(b.Bytes()[1:])
	return err
}

func orNull(id json.RawMessage) json.RawMessage {
	if len(id) == 0 {
		return json.RawMessage("null")
	}
	return id
}

// refusalID names the refusal of a line that is no call, as gates.Decision.ID names
// a decision: the same line has the same id wherever it stands.
func refusalID(policy string, line []byte) string {
	sum := sha256.Sum256(append([]byte("gbt refusal 1\x00"+policy+"\x00"), line...))
	return hex.EncodeToString(sum[:16])
}

// unreadable is the answer to a line that is no call.
func unreadable(id json.RawMessage, line int, why error) *answer {
	return rejection(id, line, "input/malformed", fmt.Sprintf("line %d cannot be read: %v. Send one JSON object a line.", line, why))
}

// undecided is the answer to a call on which gbt could not decide.
func undecided(id json.RawMessage, line int, why any) *answer {
	return rejection(id, line, "internal/error", fmt.Sprintf("gbt could not decide on line %d: internal error: %v. Please report the call.", line, why))
}

func rejection(id json.RawMessage, line int, rule, message string) *answer {
	return &answer{ID: orNull(id), Decision: reply.Decision{
		Disposition: gates.Rejected.String(), Effects: []reply.Effect{}, Tier: effect.Tier(0).String(),
		Reasons: []reply.Reason{{Rule: rule, Disposition: gates.Rejected.String(), Line: line, Message: message}},
	}}
}
