package review

import (
	"bytes"
	"encoding/xml"
	"errors"
	"html/template"
	"io"
	"strings"
	"testing"
)

// TestHTML holds the page to be well formed and complete, whatever a policy's
// texts say: nothing of them becomes markup.
func TestHTML(t *testing.T) {
	p, info := vector(t, "good-sample-signed")
	p.Name = `<script>alert(1)</script>`
	p.Gates[0].Message = `"><img src=x onerror=alert(1)>`
	p.Tree.States[len(p.Tree.States)-1].Desc = `</summary></details><b onclick=x>`
	d, err := New(p, info, Options{Stats: true})
	if err != nil {
		t.Fatal(err)
	}
	d.Cards = map[string]template.HTML{d.Gates[0].ID: "<p>the card</p>"}
	got, err := d.HTML()
	if err != nil {
		t.Fatal(err)
	}
	again, _ := d.HTML()
	if !bytes.Equal(got, again) {
		t.Error("two pages of one document differ")
	}
	counts := elements(t, got)
	if counts["script"]+counts["img"]+counts["b.onclick"] > 0 {
		t.Errorf("a policy's text became markup: %v", counts)
	}
	want := len(d.Gates) + 1 // settings
	for _, f := range d.Families {
		want += len(f.Nodes) + 1
	}
	if counts["details"] != want || want < 8 {
		t.Errorf("%d details, want %d", counts["details"], want)
	}
	for _, s := range []string{d.Digest, info.Status(), "&lt;script&gt;", "start</b>", d.Gates[0].ID, "<p>the card</p>", "benign tasks.</p>"} {
		if !strings.Contains(string(got), s) {
			t.Errorf("the page does not say %q", s)
		}
	}
}

// elements counts the elements of a page, and their attributes that run scripts.
func elements(t *testing.T, page []byte) map[string]int {
	t.Helper()
	d := xml.NewDecoder(bytes.NewReader(page))
	d.Strict, d.AutoClose, d.Entity = false, []string{"meta"}, xml.HTMLEntity
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
