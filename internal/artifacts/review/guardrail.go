package review

import (
	"encoding/hex"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/gbt-policy/gbt/artifacts"
	"github.com/gbt-policy/gbt/gates"
	"github.com/gbt-policy/gbt/tree"
)

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

// ownForm has the fields whose form is no value of one word or a list of texts.
var ownForm = map[string]func(p any) Fields{
	"RAIL.egress":     func(p any) Fields { return Fields{egressField(*p.(*[]gates.Egress))} },
	"RAIL.content":    func(p any) Fields { return contentField(contentOf(p.(*artifacts.Content))) },
	"RAIL.conditions": func(p any) Fields { return conditionsField(*p.(*[]gates.Condition)) },
	"FAMS.checks":     func(p any) Fields { return proofField(*p.(*[]tree.Proof)) },
	"FAMS.fixes":      func(p any) Fields { return fixField(*p.(*[]tree.Fix)) },
	"FAMS.retries":    func(p any) Fields { return retryField(*p.(*[]tree.Retry)) },
}

// lineName is what the text form calls an entry of a list.
func lineName(r *row) string {
	if r.Section == "RAIL" && r.Name == "roots" {
		return "root"
	}
	return r.Name
}

func egressField(rules []gates.Egress) Field {
	f := Field{Name: "egress"}
	all := egressOf(rules)
	for i := range all {
		e := &all[i]
		f.lines = append(f.lines, []any{"egress", quote(e.Domain), quote(e.schemes()), quote(e.ports()), e.verb()})
	}
	f.Value = all
	return f
}

func egressOf(rules []gates.Egress) []Egress {
	out := []Egress{}
	for _, e := range rules {
		out = append(out, Egress{Domain: e.Domain, Schemes: list(e.Schemes), Ports: append([]uint16{}, e.Ports...), Send: e.Send})
	}
	return out
}

func contentField(c *Content) Fields {
	if c == nil {
		return nil
	}
	return Fields{{Name: "content", Value: c, lines: [][]any{
		{"content", c.Classifier, quote(c.URL), quote(c.Model), quote(c.KeyEnv), strconv.Itoa(int(c.Timeout))},
		{"content-answers", c.Answers},
		{"content-template", c.Template},
	}}}
}

func contentOf(c *artifacts.Content) *Content {
	if !c.Set() {
		return nil
	}
	return &Content{c.Classifier, c.URL, c.Model, c.KeyEnv, c.Timeout, hex.EncodeToString(c.Answers), hex.EncodeToString(c.Template)}
}

// summary is a content gate in one line, none in full for no gate.
func (c *Content) summary() string {
	if c == nil {
		return "none"
	}
	return strings.Join([]string{c.Classifier, quote(c.URL), quote(c.Model), quote(c.KeyEnv), strconv.Itoa(int(c.Timeout)), c.Answers, c.Template}, " ")
}

// otherThan names what differs between two content gates.
func (c *Content) otherThan(now *Content) string {
	var out []string
	for _, p := range []struct {
		what   string
		differ bool
	}{
		{"who judges", c.Classifier != now.Classifier || c.URL != now.URL || c.Model != now.Model || c.Answers != now.Answers},
		{"what is asked", c.Template != now.Template},
		{"whose key is used", c.KeyEnv != now.KeyEnv},
		{"how long it may take", c.Timeout != now.Timeout},
	} {
		if p.differ {
			out = append(out, p.what)
		}
	}
	return strings.Join(out, ", ") + " is another"
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
var looseness = map[gates.Profile]int{gates.ProfileStrict: 0, gates.ProfileWorkspace: 1, gates.ProfileApps: 2, gates.ProfileObserve: 3}

// Stricter is the one of two profiles that lets less pass.
func Stricter(a, b gates.Profile) gates.Profile {
	if looseness[b] < looseness[a] {
		return b
	}
	return a
}

// judges compare the fields whose differences are no mere other value, or whose
// looseness no order of numbers has. A row that is Judged must stand here.
var judges = map[string]func(name string, old, new any) ([]Change, []string){
	"RAIL.profile": func(name string, old, new any) (changes []Change, alarms []string) {
		was, is := *old.(*gates.Profile), *new.(*gates.Profile)
		changed(&changes, name, was, is)
		if looseness[is] > looseness[was] {
			alarms = append(alarms, fmt.Sprintf("guardrail profile loosened from %s to %s", was, is))
		}
		return changes, alarms
	},
	"RAIL.strict": func(name string, old, new any) (changes []Change, alarms []string) {
		was, is := *old.(*bool), *new.(*bool)
		changed(&changes, name, was, is)
		if was && !is {
			alarms = append(alarms, "guardrail is no longer strict: gates of single steps are asked at these steps only")
		}
		return changes, alarms
	},
	"RAIL.content": func(name string, old, new any) (changes []Change, alarms []string) {
		before, now := contentOf(old.(*artifacts.Content)), contentOf(new.(*artifacts.Content))
		changed(&changes, name, before.summary(), now.summary())
		switch {
		case len(changes) == 0 || before == nil:
		case now == nil:
			alarms = append(alarms, "the content gate is gone: nobody judges what calls send")
		default:
			alarms = append(alarms, "the content gate asks in another way: "+before.otherThan(now))
		}
		return changes, alarms
	},
	"RAIL.conditions": func(name string, old, new any) ([]Change, []string) {
		return conditionsDiffer(name, *old.(*[]gates.Condition), *new.(*[]gates.Condition))
	},
	"RAIL.imports": func(_ string, old, new any) (changes []Change, alarms []string) {
		was, is := *old.(*[]string), *new.(*[]string)
		added, removed, _ := split(was, is, func(s string) string { return s })
		for _, s := range removed {
			changes = append(changes, Change{Name: "guardrail module", Old: quote(s)})
		}
		for _, s := range added {
			changes = append(changes, Change{Name: "guardrail module", New: quote(s)})
			if len(was) > 0 && !slices.Equal(gates.NarrowImports([]string{s}, was), []string{s}) {
				alarms = append(alarms, "module "+quote(s)+" is new on the list of modules")
			}
		}
		if len(was) > 0 && len(is) == 0 {
			alarms = append(alarms, "the list of modules is gone: cells of code may bring in any")
		}
		return changes, alarms
	},
	"FAMS.checks": func(name string, old, new any) ([]Change, []string) {
		return itemsDiffer(name, *old.(*[]tree.Proof), *new.(*[]tree.Proof), func(p tree.Proof) string { return quote(p.String()) }, proofSupport), nil
	},
	"FAMS.fixes": func(name string, old, new any) ([]Change, []string) {
		return itemsDiffer(name, *old.(*[]tree.Fix), *new.(*[]tree.Fix), fixKey, fixSupport), nil
	},
	"FAMS.retries": func(name string, old, new any) ([]Change, []string) { // retriesLonger says what weakens
		return itemsDiffer(name, *old.(*[]tree.Retry), *new.(*[]tree.Retry), func(r tree.Retry) string { return quote(r.Action) }, retryWords), nil
	},
	"RAIL.egress": func(_ string, old, new any) ([]Change, []string) {
		return egressDiffers(egressOf(*old.(*[]gates.Egress)), egressOf(*new.(*[]gates.Egress)))
	},
}

// The order in which differences of the guardrail are told, which is older than
// the table; what is not here follows in the table's order.
var (
	toldChanges = []string{"profile", "strict", "content", "roots", "protected", "sensitive", "spawn", "deny", "egress", "imports"}
	toldAlarms  = []string{"profile", "content", "strict"}
)

// guardrail compares the settings and raises an alarm for each that lets more
// calls pass than before.
func (c *comparison) guardrail() {
	rows := ordered(c.table.all["RAIL"], toldChanges)
	alarms := map[string][]string{}
	for i := range rows {
		r := &rows[i]
		var changes []Change
		changes, alarms[r.Name] = differ(r, "guardrail."+r.Name, r.At(c.a.p, 0), r.At(c.b.p, 0))
		c.out.Settings = append(c.out.Settings, changes...)
	}
	for _, r := range ordered(rows, toldAlarms) {
		c.rows(&r, alarms[r.Name])
	}
}

// ordered returns the rows with those named first in front.
func ordered(rows []row, first []string) []row {
	rank := func(r row) int {
		if i := slices.Index(first, r.Name); i >= 0 {
			return i
		}
		return len(first)
	}
	out := slices.Clone(rows)
	slices.SortStableFunc(out, func(a, b row) int { return rank(a) - rank(b) })
	return out
}

func egressDiffers(old, new []Egress) (changes []Change, alarms []string) {
	added, removed, both := split(old, new, func(e Egress) string { return e.Domain })
	for _, e := range added {
		changes = append(changes, Change{Name: "guardrail egress " + quote(e.Domain), New: e.value()})
		if slices.ContainsFunc(old, func(o Egress) bool { return domainUnder(e.Domain, o.Domain) && !widened(&o, &e) }) {
			continue // part of what could be reached before
		}
		alarms = append(alarms, fmt.Sprintf("egress to %s is new: %s", quote(e.Domain), e.value()))
	}
	for _, e := range removed {
		changes = append(changes, Change{Name: "guardrail egress " + quote(e.Domain), Old: e.value()})
	}
	for _, e := range both {
		changed(&changes, "guardrail egress "+quote(e.old.Domain), e.old.value(), e.new.value())
		if widened(&e.old, &e.new) {
			alarms = append(alarms, fmt.Sprintf("egress to %s widened from %s to %s", quote(e.old.Domain), e.old.value(), e.new.value()))
		}
	}
	return changes, alarms
}

// widened says whether a rule lets more of its domain be reached than another.
func widened(old, new *Egress) bool {
	return wider(old.Schemes, new.Schemes) || wider(old.Ports, new.Ports) || new.Send && !old.Send
}

func domainUnder(domain, above string) bool { return strings.HasSuffix(domain, "."+above) }

// wider says whether a list of which none means any lets more pass than before.
func wider[T comparable](old, new []T) bool {
	if len(old) == 0 || len(new) == 0 {
		return len(old) > 0
	}
	return slices.ContainsFunc(new, func(x T) bool { return !slices.Contains(old, x) })
}
