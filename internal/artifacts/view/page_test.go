package view

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"errors"
	"html"
	"html/template"
	"io"
	"strings"
	"testing"

	"github.com/gbt-policy/gbt/artifacts"
	"github.com/gbt-policy/gbt/internal/artifacts/review"
	"github.com/gbt-policy/gbt/internal/artifacts/review/reviewtest"
	"github.com/gbt-policy/gbt/tree"
)

func render(t *testing.T, p *Page) []byte {
	t.Helper()
	out, err := p.HTML()
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// hostile are texts that would leave the place they are put in.
var hostile = []string{
	`<script>alert(1)</script>`, `</script><script>alert(1)</script>`, `<!--<script>`, `"><img src=x onerror=alert(1)>`,
	"</summary></details><b onclick=x>", "\u2028alert(1)", "]]>", "{{.}}", "'-alert(1)-'",
}

// TestHostileNames holds the page to its own elements, whatever a policy says: each
// of its texts becomes text.
func TestHostileNames(t *testing.T) {
	want := elements(t, render(t, &Page{Policy: reviewtest.Sample(t, nil), Windows: make([]Window, 1), Run: &Run{Steps: make([]RunStep, 1)}}))
	for _, s := range hostile {
		d := reviewtest.Sample(t, func(p *artifacts.Policy) {
			p.Name, p.Provenance.Tool, p.Gates[0].Message, p.Gates[1].Expr = s, s, s, s
			p.Report[0].Name, p.Corpora[0].Name = s, s
			for i := range p.Tree.States {
				p.Tree.States[i].Desc, p.Tree.States[i].Key = s, s
			}
			for i := range p.Tree.Families {
				p.Tree.Families[i].Name = s
				p.Tree.Families[i].Tools = []string{s}
				p.Tree.Families[i].Prototypes = []tree.Text{{Text: s}}
			}
		})
		page := render(t, &Page{Policy: d, Windows: []Window{{Says: s, Macro: s, Rules: []string{s}}}, Run: &Run{ID: s, Steps: []RunStep{{Macro: s, Tool: s, Why: s, Because: []string{s}}}}})
		got := elements(t, page)
		for name := range got {
			if name != "li" && name != "code" && name != "ul" && name != "details" && name != "summary" && got[name] != want[name] {
				t.Errorf("%q: %d of %s, want %d", s, got[name], name, want[name])
			}
		}
		if got["script"] != 2 || got["img"] > 0 {
			t.Errorf("%q became markup: %v", s, got)
		}
		if bytes.Count(page, []byte("</script")) != 2 || bytes.Contains(page, []byte("<!--")) {
			t.Errorf("%q stands in the page as it is", s)
		}
	}
}

// TestPolicyOfContent holds the Content-Security-Policy to the very script and
// style of the page, and the page to its promise that nothing is fetched.
func TestPolicyOfContent(t *testing.T) {
	page := string(render(t, &Page{Policy: reviewtest.Sample(t, nil)}))
	allow := html.UnescapeString(between(t, page, `http-equiv="Content-Security-Policy" content="`, `"`))
	for _, s := range []string{
		"default-src 'none'; ", "script-src " + sourceOf(between(t, page, "<script>", "</script>")),
		"style-src " + sourceOf(between(t, page, "<style>", "</style>")), "base-uri 'none'", "form-action 'none'",
	} {
		if !strings.Contains(allow, s) {
			t.Errorf("the page's policy %q lacks %q", allow, s)
		}
	}
	if strings.Contains(allow, "unsafe") {
		t.Errorf("the page's policy lets too much run: %q", allow)
	}
	for _, s := range []string{"http://", "https://", "src=", "innerHTML", "eval(", "@import", "url("} {
		if strings.Contains(page, s) {
			t.Errorf("the page has %q", s)
		}
	}
}

func between(t *testing.T, s, from, to string) string {
	t.Helper()
	_, s, ok := strings.Cut(s, from)
	s, _, end := strings.Cut(s, to)
	if !ok || !end {
		t.Fatalf("no %q to %q in the page", from, to)
	}
	return s
}

// TestPageSays holds the page to the same bytes for the same policy, and to all of it.
func TestPageSays(t *testing.T) {
	d := reviewtest.Sample(t, nil)
	p := &Page{Policy: d, Cards: map[string]template.HTML{d.Gates[0].ID: "<p>the card</p>"}}
	page := render(t, p)
	if !bytes.Equal(page, render(t, p)) {
		t.Error("two pages of one policy differ")
	}
	var got data
	if err := json.Unmarshal([]byte(between(t, string(page), `id="data">`, "</script>")), &got); err != nil {
		t.Fatal(err)
	}
	nodes := 0
	for _, f := range d.Families {
		nodes += len(f.Nodes)
	}
	if len(got.ID) != nodes || len(got.Parent) != nodes || len(got.Set) != nodes || len(got.Success) != nodes || got.Mark != "" {
		t.Errorf("%d nodes in the page, want %d", len(got.ID), nodes)
	}
	for i, up := range got.Parent {
		if up >= i {
			t.Errorf("node %d comes before its parent %d", i, up)
		}
	}
	for _, s := range []string{d.Digest, d.Signature, "reply to the customer", d.Gates[0].ID, "<p>the card</p>", "benign tasks.</p>", "asks</span>", "Layouts"} {
		if !strings.Contains(string(page), s) {
			t.Errorf("the page does not say %q", s)
		}
	}
}

// TestTwoPolicies marks what one side has alone and what differs.
func TestTwoPolicies(t *testing.T) {
	old := reviewtest.Sample(t, nil)
	next := reviewtest.Sample(t, func(p *artifacts.Policy) {
		p.Tree.Nodes = p.Tree.Nodes[:len(p.Tree.Nodes)-1] // a leaf
		p.Tree.Leaves = p.Tree.Leaves[:len(p.Tree.Leaves)-1]
		p.Tree.Nodes[3].Count.Success += 5
		p.Gates = p.Gates[1:]
	})
	marks := func(d *data) string { return strings.ReplaceAll(d.Mark, " ", "=") }
	for _, c := range []struct {
		name     string
		new, old *review.Document
		want     string
		was      string
	}{
		{"the same", old, old, "=====", "||||"},
		{"one gone, one with more runs", next, old, "==c=r", "||runs 7 (6 in success) before, 12 (11 in success) now||"},
		{"one new", old, next, "==c=a", "||runs 12 (11 in success) before, 7 (6 in success) now||"},
	} {
		got := dataOf(c.new, c.old)
		if marks(got) != c.want || strings.Join(got.Was, "|") != c.was {
			t.Errorf("%s: marks %q, want %q; %q", c.name, marks(got), c.want, strings.Join(got.Was, "|"))
		}
	}
	page := string(render(t, &Page{Policy: next, Old: old, Summary: []string{"WEAKER <b>"}}))
	for _, s := range []string{`class="removed"`, "WEAKER &lt;b&gt;", `data-tab="changes"`} {
		if !strings.Contains(page, s) {
			t.Errorf("the page does not say %q", s)
		}
	}
}

// elements counts the elements of a page, and their attributes that run scripts.
// What stands in its scripts and style is no markup.
func elements(t *testing.T, page []byte) map[string]int {
	t.Helper()
	text := string(page)
	for _, name := range []string{script, style, between(t, text, `id="data">`, "</script>")} {
		text = strings.Replace(text, name, "", 1)
	}
	d := xml.NewDecoder(strings.NewReader(text))
	d.Strict, d.AutoClose, d.Entity = false, []string{"meta", "input"}, xml.HTMLEntity
	counts := map[string]int{}
	for {
		tok, err := d.Token()
		if errors.Is(err, io.EOF) {
			return counts
		}
		if err != nil {
			t.Fatal(err)
		}
		if e, ok := tok.(xml.StartElement); ok {
			counts[e.Name.Local]++
			for _, a := range e.Attr {
				if strings.HasPrefix(a.Name.Local, "on") {
					counts[e.Name.Local+"."+a.Name.Local]++
				}
			}
		}
	}
}
