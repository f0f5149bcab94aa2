package card

import (
	"html/template"
	"strings"
)

// fragment is a card inside a page: no script, no style of its own, nothing that
// the page around it would have to load.
var fragment = template.Must(template.New("card").Parse(
	`<p><b>{{.Says}}</b></p>
<table>{{range .Rows}}<tr><td>{{.Label}}</td><td>{{.Head}}{{if .Calls}}<ul>{{range .Calls}}<li>{{.}}</li>{{end}}</ul>{{end}}</td></tr>
{{end}}</table>`))

// pageRow is a fact as the fragment lays it out.
type pageRow struct {
	Label, Head string
	Calls       []string
}

// HTML is the card as a part of a page. What names and messages say is text there.
func (c *Card) HTML() (template.HTML, error) {
	view := struct {
		Says string
		Rows []pageRow
	}{Says: c.Says}
	view.Rows = append(view.Rows, pageRow{Label: "where", Head: c.Scope})
	for _, r := range c.rows() {
		p := pageRow{Label: r.label, Head: r.lines[0]}
		for _, l := range r.lines[1:] {
			p.Calls = append(p.Calls, strings.TrimPrefix(l, "- "))
		}
		view.Rows = append(view.Rows, p)
	}
	var b strings.Builder
	err := fragment.Execute(&b, view)
	return template.HTML(b.String()), err // made by a template, which has escaped what it was given
}
