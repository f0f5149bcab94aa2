package hosts

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/gbt-policy/gbt/gates"
	"github.com/gbt-policy/gbt/gates/wording"
)

// explain says why a call is not simply allowed: to the person who is asked, what will
// happen, and to the agent, what is in the way and what to do instead.
func (h Host) explain(in *Input, c *gates.Context, d *gates.Decision, v permission) (person, agent string) {
	if v == allow {
		return "", ""
	}
	t := wording.Of(c, d)
	if t.Model == "" {
		t = wording.Texts{Person: "This call is not allowed.", Model: "This call is not allowed."}
	}
	switch {
	case d.Disposition == gates.ApprovedWithConstraints && v == ask:
		if in.Known != "" {
			t.Person += "\n" + clean(in.Known)
		}
		if d.Offer != "" {
			t.Person += "\nA yes holds for the rest of this session: " + clean(d.Offer) + "."
		}
		return "gbt asks for your consent. " + t.Person, "gbt asks the user about it. " + t.Model
	case d.Disposition == gates.ApprovedWithConstraints && in.Queued != "":
		agent = "gbt: blocked, because this call needs the user's consent. " + in.Queued + " " + t.Model
	case d.Disposition == gates.ApprovedWithConstraints:
		agent = "gbt: blocked, because this call needs the user's consent and " + h.Title +
			" cannot ask for it here. Do not retry it in another form: say what you need and why, and let the user run it or allow it. " + t.Model
	case d.Disposition == gates.RevisionRequired:
		agent = "gbt: blocked as it is written; revise it. " + t.Model
	default:
		agent = "gbt: blocked. " + t.Model
	}
	return "gbt blocked a call. " + t.Person, agent
}

// clean replaces what could move a terminal's cursor or hide text.
func clean(s string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\n' || r == '\t':
			return ' '
		case unicode.IsControl(r), unicode.Is(unicode.Cf, r), r == utf8.RuneError:
			return '?'
		}
		return r
	}, s)
}
