package review

import (
	"encoding/hex"
	"slices"
	"strconv"
	"strings"

	"github.com/gbt-policy/gbt/artifacts"
	"github.com/gbt-policy/gbt/gates"
)

// Guardrail is how the global guardrail is set.
type Guardrail struct {
	Profile   string   `json:"profile"`
	Strict    bool     `json:"strict"`
	Roots     []string `json:"roots"`
	Protected []string `json:"protected"`
	Sensitive []string `json:"sensitive"`
	Egress    []Egress `json:"egress"`
	Spawn     []string `json:"spawn"`
	Deny      []string `json:"deny"`
	Content   *Content `json:"content,omitempty"`
}

// Content is the content gate: who is asked about what calls send.
type Content struct {
	Classifier string `json:"classifier"`
	URL        string `json:"url,omitempty"`
	Model      string `json:"model,omitempty"`
	KeyEnv     string `json:"key_env,omitempty"`
	Timeout    uint32 `json:"timeout,omitempty"` // seconds
	Answers    string `json:"answers"`           // digest of what answers
	Template   string `json:"template"`          // digest of the question
}

// Egress is a rule that lets a domain be reached.
type Egress struct {
	Domain  string   `json:"domain"`
	Schemes []string `json:"schemes"` // any if empty
	Ports   []uint16 `json:"ports"`   // any if empty
	Send    bool     `json:"send"`
}

func guardrailOf(g *artifacts.Guardrail) Guardrail {
	out := Guardrail{
		Profile: g.Rules.Profile.String(), Strict: g.Strict, Roots: list(g.Roots), Protected: list(g.Rules.Protected),
		Sensitive: list(g.Rules.Sensitive), Egress: []Egress{}, Spawn: list(g.Rules.Spawn), Deny: list(g.Rules.DenySpawn),
	}
	if c := &g.Content; c.Set() {
		out.Content = &Content{c.Classifier, c.URL, c.Model, c.KeyEnv, c.Timeout, hex.EncodeToString(c.Answers), hex.EncodeToString(c.Template)}
	}
	for _, e := range g.Rules.Egress {
		out.Egress = append(out.Egress, Egress{Domain: e.Domain, Schemes: list(e.Schemes), Ports: append([]uint16{}, e.Ports...), Send: e.Send})
	}
	return out
}

func (g *Guardrail) text(w *writer) {
	w.block("guardrail")
	w.field("profile", g.Profile)
	w.field("strict", g.Strict)
	w.each("root", g.Roots)
	w.each("protected", g.Protected)
	w.each("sensitive", g.Sensitive)
	for _, e := range g.Egress {
		w.field("egress", quote(e.Domain), quote(e.schemes()), quote(e.ports()), e.verb())
	}
	w.each("spawn", g.Spawn)
	w.each("deny", g.Deny)
	if c := g.Content; c != nil {
		w.field("content", c.Classifier, quote(c.URL), quote(c.Model), quote(c.KeyEnv), strconv.Itoa(int(c.Timeout)))
		w.field("content-answers", c.Answers)
		w.field("content-template", c.Template)
	}
}

// summary is a content gate in one line, none in full for no gate.
func (c *Content) summary() string {
	if c == nil {
		return "none"
	}
	return strings.Join([]string{c.Classifier, c.URL, c.Model, c.KeyEnv, strconv.Itoa(int(c.Timeout)), c.Answers, c.Template}, " ")
}

func (e *Egress) schemes() string { return orAny(strings.Join(e.Schemes, ",")) }

func (e *Egress) ports() string {
	var out []string
	for _, p := range e.Ports {
		out = append(out, strconv.Itoa(int(p)))
	}
	return orAny(strings.Join(out, ","))
}

func (e *Egress) verb() string {
	if e.Send {
		return "send"
	}
	return "fetch"
}

func orAny(s string) string {
	if s == "" {
		return "any"
	}
	return s
}

func (e *Egress) value() string { return e.verb() + " over " + e.schemes() + " to port " + e.ports() }

// looseness orders the profiles from the tightest to the loosest.
var looseness = map[string]int{gates.ProfileStrict.String(): 0, gates.ProfileWorkspace.String(): 1, gates.ProfileApps.String(): 2, gates.ProfileObserve.String(): 3}

// guardrail compares the settings and raises an alarm for each that lets more
// calls pass than before.
func (c *comparison) guardrail() {
	old, new, out := guardrailOf(&c.a.p.Guardrail), guardrailOf(&c.b.p.Guardrail), &c.out.Settings
	changed(out, "guardrail.profile", old.Profile, new.Profile)
	if looseness[new.Profile] > looseness[old.Profile] {
		c.alarm("guardrail profile loosened from %s to %s", old.Profile, new.Profile)
	}
	changed(out, "guardrail.strict", old.Strict, new.Strict)
	was, is := old.Content.summary(), new.Content.summary()
	changed(out, "guardrail.content", was, is)
	if was != is && old.Content != nil {
		c.alarm("the content gate is gone or asks something else: it was %s", was)
	}
	if old.Strict && !new.Strict {
		c.alarm("guardrail is no longer strict: node gates are asked at their nodes only")
	}
	c.rules("workspace root", old.Roots, new.Roots, true)
	c.rules("protected path", old.Protected, new.Protected, false)
	c.rules("sensitive path", old.Sensitive, new.Sensitive, false)
	c.rules("allowed program", old.Spawn, new.Spawn, true)
	c.rules("denied program", old.Deny, new.Deny, false)
	c.egress(old.Egress, new.Egress)
}

// rules compares a list; allows says that an entry lets calls pass, so that a
// new one loosens; of the others a lost one does.
func (c *comparison) rules(what string, old, new []string, allows bool) {
	added, removed, _ := split(old, new, func(s string) string { return s })
	for _, s := range added {
		c.out.Settings = append(c.out.Settings, Change{Name: "guardrail " + what, New: quote(s)})
		if allows {
			c.alarm("%s %s is new", what, quote(s))
		}
	}
	for _, s := range removed {
		c.out.Settings = append(c.out.Settings, Change{Name: "guardrail " + what, Old: quote(s)})
		if !allows {
			c.alarm("%s %s is gone", what, quote(s))
		}
	}
	if allows && what == "workspace root" && len(new) == 0 && len(old) > 0 {
		c.alarm("workspace roots are gone: the host's own are used")
	}
}

func (c *comparison) egress(old, new []Egress) {
	added, removed, both := split(old, new, func(e Egress) string { return e.Domain })
	for _, e := range added {
		c.out.Settings = append(c.out.Settings, Change{Name: "guardrail egress " + quote(e.Domain), New: e.value()})
		c.alarm("egress to %s is new: %s", quote(e.Domain), e.value())
	}
	for _, e := range removed {
		c.out.Settings = append(c.out.Settings, Change{Name: "guardrail egress " + quote(e.Domain), Old: e.value()})
	}
	for _, e := range both {
		changed(&c.out.Settings, "guardrail egress "+quote(e.old.Domain), e.old.value(), e.new.value())
		if wider(e.old.Schemes, e.new.Schemes) || wider(e.old.Ports, e.new.Ports) || e.new.Send && !e.old.Send {
			c.alarm("egress to %s widened from %s to %s", quote(e.old.Domain), e.old.value(), e.new.value())
		}
	}
}

// wider says whether a list of which none means any lets more pass than before.
func wider[T comparable](old, new []T) bool {
	if len(old) == 0 || len(new) == 0 {
		return len(old) > 0
	}
	return slices.ContainsFunc(new, func(x T) bool { return !slices.Contains(old, x) })
}
