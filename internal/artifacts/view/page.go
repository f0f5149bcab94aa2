package view

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"html/template"
	"slices"
	"strconv"

	"github.com/gbt-policy/gbt/artifacts"
	"github.com/gbt-policy/gbt/gates"
	"github.com/gbt-policy/gbt/internal/artifacts/review"
)

var (
	//go:embed page.html
	pageText string
	//go:embed page.css
	style string
	//go:embed page.js
	script string
)

// Page is what a page shows.
type Page struct {
	Policy *review.Document         // with its statistics
	Cards  map[string]template.HTML // of its gates and Old's, by id (package card); less is said of a gate without

	// Old is the policy before, for a page that shows what changed, and Summary the
	// first screen of their comparison. Both may be empty.
	Old     *review.Document
	Summary []string

	Windows []Window // unsafe calls on record; empty where they are not to be shown

	Run *Run // an episode led along the tree; nil for none
}

// Window is an unsafe call on record.
type Window struct {
	Says     string // the call, as a card says it
	Macro    string
	Times    int
	From, To int      // the steps of its run that show it; the last is the call
	Rules    []string // that found it

	Does  string   // what the policy makes of the call, by the record alone
	Gates []string // ids of those that stop it
	Steps []WindowStep
}

// WindowStep is a call of the run that shows a window, where its log is at hand.
type WindowStep struct {
	N       int    // of the run, from 1
	Says    string // the call, without its values
	Back    string // what came back, in short
	Does    string // what becomes of the call
	Because []string
	Gates   []string // ids
	Node    string   // id; empty away from the tree
}

// Run is an episode that was replayed through the policy.
type Run struct {
	ID      string    `json:"id"`
	Outcome string    `json:"outcome"`
	Steps   []RunStep `json:"steps"`
}

// RunStep is a call, and what the policy said of it.
type RunStep struct {
	Macro   string   `json:"macro"`
	Tool    string   `json:"tool"`
	Verdict string   `json:"verdict"`           // on the step that it belongs to
	Does    string   `json:"does"`              // what became of the call
	Why     string   `json:"why,omitempty"`     // of the verdict, a code
	Because []string `json:"because,omitempty"` // of the disposition
	Node    string   `json:"node,omitempty"`    // id; empty away from the tree
}

// shown is the run with its texts made plain.
func (r *Run) shown() *Run {
	if r == nil {
		return nil
	}
	out := Run{ID: review.Plain(r.ID), Outcome: r.Outcome, Steps: slices.Clone(r.Steps)}
	for i := range out.Steps {
		s := &out.Steps[i]
		s.Macro, s.Tool, s.Because = review.Plain(s.Macro), review.Plain(s.Tool), plainAll(s.Because)
	}
	return &out
}

// HTML is the page. The same Page gives the same bytes. Its size grows with the
// number of nodes, by some 60 bytes each.
func (p *Page) HTML() ([]byte, error) {
	t, err := template.New("page").Funcs(template.FuncMap{"plain": review.Plain, "metric": metricName, "value": metricValue, "does": does, "became": became, "gate": p.gateSays}).Parse(pageText)
	if err != nil {
		return nil, err
	}
	d := dataOf(p.Policy, p.Old)
	d.Run = p.Run.shown()
	list, err := json.Marshal(d) // writes <, > and & as \u003c and so on: no text ends the element
	if err != nil {
		return nil, err
	}
	var out bytes.Buffer
	err = t.Execute(&out, map[string]any{
		"Page": p, "Doc": p.Policy, "Nodes": len(d.ID), "Gates": gateViews(p), "Families": len(p.Policy.Families),
		"Allow": Allow(),
		"Style": template.CSS(style), "Script": template.JS(script), "Data": template.JS(list),
	})
	if err != nil {
		return nil, err
	}
	return out.Bytes(), nil
}

// Allow is the Content-Security-Policy of every page: its own script and style, and
// nothing else. It stands in the page, and who serves pages sends it too.
func Allow() string {
	return "default-src 'none'; script-src " + sourceOf(script) + "; style-src " + sourceOf(style) + "; base-uri 'none'; form-action 'none'"
}

// sourceOf names an inline script or style in a Content-Security-Policy, by its
// digest (https://www.w3.org/TR/CSP3/#grammardef-hash-source).
func sourceOf(text string) string {
	sum := sha256.Sum256([]byte(text))
	return "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
}

// gateView is a gate in its list.
type gateView struct {
	*review.Gate
	Card template.HTML
	Mark string // "added", "removed", or nothing
}

func gateViews(p *Page) []gateView {
	var out []gateView
	old := map[string]bool{}
	if p.Old != nil {
		for _, g := range p.Old.Gates {
			old[g.ID] = true
		}
	}
	for i := range p.Policy.Gates {
		g := &p.Policy.Gates[i]
		v := gateView{Gate: g, Card: p.Cards[g.ID]}
		if p.Old != nil && !old[g.ID] {
			v.Mark = "added"
		}
		delete(old, g.ID)
		out = append(out, v)
	}
	if p.Old != nil {
		for i := range p.Old.Gates {
			if g := &p.Old.Gates[i]; old[g.ID] {
				out = append(out, gateView{Gate: g, Card: p.Cards[g.ID], Mark: "removed"})
			}
		}
	}
	return out
}

func plainAll(list []string) []string {
	out := make([]string, len(list))
	for i, s := range list {
		out[i] = review.Plain(s)
	}
	return out
}

func plural(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return strconv.Itoa(n) + " " + what + "s"
}

func runs(c review.Count) string {
	return fmt.Sprintf("%d (%d in success)", c.Success+c.Failure, c.Success)
}

// does says in a word or two what becomes of a call that a gate stops.
func does(disposition string) string {
	switch disposition {
	case artifacts.DispositionConsent:
		return "asks"
	case artifacts.DispositionRevise:
		return "sends back"
	}
	return "stops"
}

// became says what becomes of a call.
func became(disposition string) string {
	if said, ok := map[string]string{
		gates.Rejected.String(): "stopped", gates.RevisionRequired.String(): "sent back", gates.ApprovedWithConstraints.String(): "asks the user", gates.Approved.String(): "passes",
	}[disposition]; ok {
		return said
	}
	return disposition
}

// gateSays is what a gate tells the agent, or the beginning of an id that no gate has.
func (p *Page) gateSays(id string) string {
	for i := range p.Policy.Gates {
		if g := &p.Policy.Gates[i]; g.ID == id && g.Message != "" {
			return review.Plain(g.Message)
		}
	}
	return "gate " + id[:min(len(id), 12)]
}

// metricNames say what the sealed figures mean to somebody who has not read how
// they are made. One without an entry is shown by its name.
var metricNames = map[string]string{
	"cv.allowed_children":         "Next steps that are open at a node, on average",
	"cv.allowed_share":            "Share of a family's steps that are open at a node",
	"cv.covered_and_right":        "Steps that the tree knows, and where its first guess was right",
	"cv.episode_coverage":         "Whole runs that the tree knows",
	"cv.episode_coverage_generic": "Whole runs that it knows with catch-all steps",
	"cv.routed":                   "Tasks sent to the right family",
	"cv.step_coverage":            "Steps that the tree knows",
	"cv.top1_text":                "First guess of the next step was right, from words alone",
}

func metricName(name string) string { return cmp.Or(metricNames[name], review.Plain(name)) }

// metricValue writes shares in percent.
func metricValue(s review.Setting) string {
	v, err := s.Value.Float64()
	if err != nil || s.Name == "cv.allowed_children" || v > 1 {
		return s.Value.String()
	}
	return strconv.FormatFloat(100*v, 'f', 1, 64) + "%"
}
