package hosts

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/gbt-policy/gbt/gates"
)

// Limits of a reason. Hosts put it into the agent's context, where every line
// costs; the strictest reasons come first.
const (
	maxRules  = 4
	maxReason = 1500
)

// explain says why a call is not simply allowed, and what to do instead.
func (h Host) explain(in *Input, d *gates.Decision, v permission) string {
	if v == allow {
		return ""
	}
	var b strings.Builder
	switch {
	case d.Disposition == gates.ApprovedWithConstraints && v == ask:
		b.WriteString("gbt asks for your consent: this call ")
	case d.Disposition == gates.ApprovedWithConstraints && in.Queued != "":
		b.WriteString("gbt: blocked, because this call needs the user's consent. " + in.Queued + " It ")
	case d.Disposition == gates.ApprovedWithConstraints:
		b.WriteString("gbt: blocked, because this call needs the user's consent and " + h.Title +
			" cannot ask for it here. Do not retry it in another form: say what you need and why, and let the user run it or allow it. It ")
	case d.Disposition == gates.RevisionRequired:
		b.WriteString("gbt: blocked as it is written; revise it. This call ")
	default:
		b.WriteString("gbt: blocked. This call ")
	}
	if list := reasons(d); len(list) > 0 {
		b.WriteString(strings.Join(list, " Also: it "))
	} else {
		b.WriteString("is not allowed.")
	}
	if v == ask && d.Offer != "" {
		b.WriteString(" A yes holds for the rest of this session: " + d.Offer + ".")
	}
	return shorten(clean(b.String()), maxReason)
}

// reasons returns the messages of a decision, the strictest first, one for
// each rule and message.
func reasons(d *gates.Decision) []string {
	var out []string
	seen := map[string]bool{}
	for disp := gates.Rejected; disp < gates.Approved; disp++ {
		for _, r := range d.Reasons {
			text := r.Message + " [" + r.Rule + "]"
			if r.Disposition != disp || seen[text] || len(out) >= maxRules {
				continue
			}
			seen[text] = true
			out = append(out, text)
		}
	}
	return out
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

func shorten(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n] + "…"
}
